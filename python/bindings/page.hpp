// What pages in Python have in common: how numbers are shown, and the report as HTML.
#pragma once

#include <sstream>

#include "python/bindings/arrays.hpp"
#include "torsor/report/print_style.hpp"
#include "torsor/report/report.hpp"

namespace torsor::python {

inline PrintStyle style_of(int digits, bool degrees) {
  if (digits < 1 || digits > 17) refuse("page", "digits is " + std::to_string(digits) + "; expected 1 to 17");
  return {digits, degrees};
}

inline std::string html_of(const Report& report) {
  std::ostringstream out;
  write_html(report, out);
  return out.str();
}

}  // namespace torsor::python
