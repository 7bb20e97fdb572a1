// Paths of the tool as arguments.
#pragma once

#include <optional>

#include "python/bindings/robot.hpp"
#include "torsor/trajectory/tool_path.hpp"

namespace torsor::python {

/// A EndEffectorMotion to be sampled every period, or a ToolPath with its own unless another is given; ValueError of `function` else.
ToolPath tool_path_argument(const char* function, nanobind::handle path, std::optional<double> period);

}  // namespace torsor::python
