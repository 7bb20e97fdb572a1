// Which of the solutions of a pose is nearest to given joints, of fewer than six joints or of seven: by the joint that has
// farthest to go, any inside the limits before any outside.
#pragma once

#include "torsor/closed_form_ik/joint_chain.hpp"
#include "torsor/numeric_ik/inverse_kinematics.hpp"

namespace torsor {

/// The largest difference of a joint of the chain from its position among nq others.
double farthest_apart(const JointChain&, std::span<const double> q, std::span<const double> near);

/// That one alone, by the whole turns that bring each joint nearest without leaving its limits; nothing of none.
std::optional<IkSolution> nearest_solution(const JointChain&, std::span<const IkSolution>, std::span<const double> near);

}  // namespace torsor
