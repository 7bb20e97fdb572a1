// A branch in a sentence: what it is called and how it stands, for people.
#pragma once

#include <string>

#include "torsor/ik/joint_rates.hpp"
#include "torsor/ik/wrist_arm.hpp"

namespace torsor {

/// The configuration by its label: "shoulder +, elbow -, wrist +", "root 2, wrist -"; empty where the arm has no choice.
std::string describe(const BranchLabel&);

/// How a branch stands: regular, near a singularity (which part, by what factor), singular (which part; what motion of
/// the hand is lost, in the world; what remains; which joints move without the hand, and how), outside which limits by
/// how much. Joints by number, the first at the base; `lost` as lost_motions gives it.
std::string describe(const SixAxis&, const IkBranch&, const LostMotions& lost);
std::string describe(const WristArm&, const IkBranch&);

}  // namespace torsor
