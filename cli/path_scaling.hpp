// --scale, and what [scale] of a motion file asks for: read, done, and told. Shared by ik, track and size.
#pragma once

#include "cli/load_arguments.hpp"
#include "torsor/numeric_ik/scale_path.hpp"
#include "torsor/text/json.hpp"
#include "torsor/trajectory/tool_path.hpp"

namespace torsor {

/// Which limits the time is scaled to: the words of --scale, else what the file asks for; nothing: time is as it is. Or
/// every fault.
Result<std::optional<ScalingRequest>> wanted_scaling(const std::optional<std::string>& words, const ToolPath& path,
                                                     const Model<double>& model);

/// Scales the path, if that is wanted. Nothing: go on. A number: the verb ends here with it, and the reason is told.
std::optional<int> scale_to_limits(const std::optional<ScalingRequest>& wanted, const InverseKinematics& solver,
                                   std::span<const double> start, const Model<double>& model, const Loads& loads,
                                   const std::string& input, ToolPath& path, std::optional<PathScaling>& scaling);

/// Into an answer: the factor, what decides it, and the warning.
void scaling_fields(JsonWriter& json, const PathScaling& scaling);

/// Of the time of a page's motion: ` Time is scaled times 1.2: ...`; empty where it is not.
std::string scaling_text(const std::optional<PathScaling>& scaling);

}  // namespace torsor
