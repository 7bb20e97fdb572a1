// A branch in a sentence: what it is called and how it stands, for people.
#pragma once

#include <span>
#include <string>

#include "torsor/closed_form_ik/joint_rates.hpp"
#include "torsor/closed_form_ik/parallel_arm.hpp"
#include "torsor/closed_form_ik/turning_arm.hpp"
#include "torsor/closed_form_ik/wrist_arm.hpp"

namespace torsor {

/// The configuration by its label: "shoulder +, elbow -, wrist +", "root 2, wrist -"; empty where the arm has no choice.
std::string describe(const BranchLabel&);

/// How a branch stands: regular, near a singularity (which part, by what factor), singular (which part; what motion of
/// the tool is lost, in the world; what remains; which joints move without the tool, and how), outside which limits by
/// how much. Joints by number, the first at the base; `lost` as lost_motions gives it.
std::string describe(const SixAxis&, const IkBranch&, const LostMotions& lost);
std::string describe(const WristArm&, const IkBranch&);
std::string describe(const ParallelArm&, const IkBranch&);
std::string describe(const TurningArm&, const IkBranch&);

/// A sum of joints with these signs, by their names: "q2 - q3 + q6".
std::string signed_sum(const std::array<int, 6>& signs, std::span<const std::string> names);

}  // namespace torsor
