// What a chain of joints misses of its task, to first order: the place in units of the chain's size, then of a pose the turn, of an
// axis its turn across it.
#pragma once

#include "torsor/closed_form_ik/joint_chain.hpp"

namespace torsor {

/// What of a pose counts: all of it; the place and a direction of the tool; the place.
enum class ShortTask { pose, place_and_axis, place };

struct ChainError {
  int rows = 0;  // 6, 5 or 3
  std::array<double, 6> missing{};
  std::array<double, 42> J{};  // transposed: `rows` numbers for each of at most seven joints, slides in units of the chain's size
  double position_residual = 0, angle_residual = 0;  // m, rad
};

/// At joint positions q; axis: of the tool, a unit vector, for place_and_axis.
ChainError chain_error(const JointChain&, ShortTask, const Vec3<double>& axis, const Transform<double>& X_world_tool,
                       std::span<const double> q);

}  // namespace torsor
