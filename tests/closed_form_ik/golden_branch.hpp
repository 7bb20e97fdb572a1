// The arm of Hollerbach & Sahar in the golden files: its lengths, poses of its tool, and its branches.
#pragma once

#include "tests/closed_form_ik/round_trip.hpp"
#include "tests/support/golden.hpp"
#include "torsor/closed_form_ik/rotary_position.hpp"

namespace torsor::testing {

inline const RotaryArm<double> golden_rotary_arm{0.66, 0.43, 0.47, {0.03, -0.05, 0.21}};

inline Transform<double> golden_pose(const Json& input) { return {matrix(input.at("W6")), vector(input.at("p7"))}; }

inline Joints golden_joints(const Json& json) {
  Joints q{};
  for (std::size_t i = 0; i < 6; ++i) q[i] = json[i];
  return q;
}

/// The branch that is labelled as the golden one; none if no branch is.
inline const IkBranch* find_branch(const IkAnswer& answer, const Json& golden_branch) {
  for (const IkBranch& b : answer.branches())
    if (b.label.shoulder == golden_branch.at("shoulder") && b.label.elbow == golden_branch.at("elbow") &&
        b.label.wrist == golden_branch.at("wrist"))
      return &b;
  return nullptr;
}

}  // namespace torsor::testing
