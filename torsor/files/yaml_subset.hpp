// The part of YAML 1.1 that parameters of robots are written in: block and flow maps and lists, plain and quoted scalars,
// literal and folded text, anchors and aliases, merge keys, the units of xacro (!degrees, !radians, ...). What is not read
// (several documents, keys that are no scalars, other tags) is an error, never passed over.
#pragma once

#include <functional>
#include <string>
#include <string_view>

#include "torsor/files/xacro_value.hpp"

namespace torsor::detail {

/// The value of a YAML text; throws XacroError with the line. `expression` is what stands after a unit: `!degrees 90/2`.
XacroValue read_yaml(std::string_view text, const std::function<double(const std::string&)>& expression);

}  // namespace torsor::detail
