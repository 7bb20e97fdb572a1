// Where axes 4 and 6 of a wrist fall together only q4 + sign q6 = sum is determined: a family of positions, of which
// some may be inside the limits and others not. With B = sign (sum + 2 pi k - A) for A = q4, B = q6 the limits of B are an
// interval of A for each turn k; the members inside the limits are where one of these meets that of A.
#pragma once

#include "torsor/ik/wrist_arm.hpp"

namespace torsor {

/// The members of a family that are inside the limits, around the one chosen.
struct WristFamily {
  std::size_t first = 3, last = 5;  // coordinates of A and B: joints 4 and 6, or 1 and 3 of a wrist at the base
  bool inside = false;              // whether any member is inside the limits
  double from = 0, to = 0;          // then: the interval of q[first], infinite where nothing limits it
};

/// Puts a branch whose wrist_sign is not 0 at the member inside the limits with q[first] nearest to `wanted` [rad]; where
/// there is none at the one least outside: then beyond_limits says by how much.
WristFamily choose_member(const WristArm&, double wanted, IkBranch&);

}  // namespace torsor
