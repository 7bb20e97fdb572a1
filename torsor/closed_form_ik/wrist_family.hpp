// Where axes 4 and 6 of a wrist fall together only q4 + sign q6 = sum is determined: a family of positions, of which
// some may be inside the limits and others not. With B = sign (sum + 2 pi k - A) for A = q4, B = q6 the limits of B are an
// interval of A for each turn k; the members inside the limits are where one of these meets that of A.
//
// With axes 2, 3 and 4 parallel it is q2 +- q3 +- q4 +- q6 = sum: joint 6 turns, joints 2 to 4 follow. Their limits are
// met at angles that are searched for.
#pragma once

#include "torsor/closed_form_ik/parallel_arm.hpp"
#include "torsor/closed_form_ik/turning_arm.hpp"
#include "torsor/closed_form_ik/wrist_arm.hpp"

namespace torsor {

/// The members of a family that are inside the limits, around the one chosen.
struct WristFamily {
  std::size_t first = 3, last = 5;  // coordinates of A and B: joints 4 and 6, or 1 and 3 of a wrist at the base; three
                                    // parallel axes: both that of the free joint
  bool inside = false;              // whether any member is inside the limits
  double from = 0, to = 0;          // then: the interval of q[first], infinite where nothing limits it
};

/// Puts a branch whose wrist_sign is not 0 at the member inside the limits with q[first] nearest to `wanted` [rad]; where
/// there is none at the one least outside: then beyond_limits says by how much.
WristFamily choose_member(const WristArm&, double wanted, IkBranch&);

/// The same of joint 6 (1 of an arm solved backwards) of an arm with three parallel axes, on the same bend of the elbow;
/// where no member is inside the limits the branch stays as it is.
WristFamily choose_member(const ParallelArm&, double wanted, IkBranch&);

/// The coordinate that a member is chosen by.
inline std::size_t free_joint(const WristArm& arm) { return arm.backwards ? 0 : 3; }
inline std::size_t free_joint(const ParallelArm& arm) { return arm.backwards ? 0 : 5; }

// arms of the general form have no wrist
inline WristFamily choose_member(const TurningArm&, double, IkBranch&) { return {}; }
inline std::size_t free_joint(const TurningArm&) { return 0; }
inline std::array<int, 6> determined_sum(const TurningArm&, const IkBranch&) { return {}; }

/// What a singular wrist leaves determined: the sum over all joints of these signs times q is wrist_sum, whole turns
/// apart. All zero where wrist_sign is.
std::array<int, 6> determined_sum(const WristArm&, const IkBranch&);
std::array<int, 6> determined_sum(const ParallelArm&, const IkBranch&);

}  // namespace torsor
