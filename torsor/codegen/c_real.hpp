// The numbers of generated C: double or float, how a constant is written and what the library's functions are called.
#pragma once

#include <string>
#include <string_view>

namespace torsor {

struct CReal {
  std::string_view type, suffix;

  bool is_float() const { return !suffix.empty(); }
  /// A constant that reads back as the number nearest to the value.
  std::string literal(double value) const;
};

inline constexpr CReal c_double{"double", ""}, c_float{"float", "f"};

}  // namespace torsor
