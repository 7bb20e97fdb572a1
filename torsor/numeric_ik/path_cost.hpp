// What a path costs that the joints of a robot go: the sum of their way, or the worst place on it.
#pragma once

#include <optional>
#include <span>
#include <string_view>

#include "torsor/numeric_ik/follow_path.hpp"

namespace torsor {

/// Whole turns by which a joint is shifted along all of the path, so that it keeps its limits with most room; nothing where
/// none does. Joints that slide are not shifted.
std::optional<double> turns_inside(double low, double high, const Limits& limits, bool turns);

/// By an objective of plan_objectives(), the less the better; `shift` (nq, or none) is added to all positions.
double cost_of(const FollowedPath& path, const Model<double>& model, std::span<const double> shift,
               std::string_view objective);

}  // namespace torsor
