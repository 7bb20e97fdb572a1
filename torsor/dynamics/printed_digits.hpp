// How exactly a column of printed numbers is known, judged by the numbers themselves: a file holds so many significant
// digits (%.6g) or so many decimals (%.4f), whichever is the coarser for a number, and its true value lies within half a
// unit of the last of them.
#pragma once

#include <algorithm>
#include <charconv>
#include <cmath>

namespace torsor {

class PrintedDigits {
 public:
  /// One more number of the column.
  void add(double x) {
    if (x == 0 || !std::isfinite(x)) return;
    // the shortest text that reads back, d.ddde+xx
    char text[32];
    const auto end = std::to_chars(text, text + sizeof text, std::abs(x), std::chars_format::scientific).ptr;
    const auto* const e = std::find(static_cast<const char*>(text), static_cast<const char*>(end), 'e');
    const int digits =
        static_cast<int>(std::count_if(static_cast<const char*>(text), e, [](char c) { return c != '.'; }));
    significant_ = std::max(significant_, digits);
    decimals_ = std::max(decimals_, digits - 1 - exponent(x));
  }

  int significant() const { return significant_; }

  /// Half a unit of the last digit that the column gives of a number of this size; none of what is no number.
  double half_unit(double x) const {
    if (!std::isfinite(x)) return 0;
    const int last = x == 0 ? -decimals_ : std::max(exponent(x) - significant_ + 1, -decimals_);
    return 0.5 * std::pow(10.0, last);
  }

 private:
  static int exponent(double x) { return static_cast<int>(std::floor(std::log10(std::abs(x)))); }

  int significant_ = 1, decimals_ = 0;
};

}  // namespace torsor
