// Whether a solution stands alone. At a singular pose joints may move while the tool rests: a curve of solutions leads through the one
// that is answered, or a surface. From there every direction that moves the tool not at all, to first order, is gone a little way, and
// the joints are brought back to the pose by the shortest steps: where solutions are a curve that leads to another place of it, where
// two of them only meet back to where it began.
#pragma once

#include "torsor/closed_form_ik/chain_error.hpp"

namespace torsor {

struct PoseFamily {
  int dimension = 0;              // 0: alone; 1: on a curve, or where curves cross; 2 and more: on a surface
  std::array<bool, 7> moves{};    // which joints move along it
};

/// Of a solution q of the pose that the chain has there; one joint may be held.
PoseFamily family_at(const JointChain&, ShortTask, const Vec3<double>& axis, std::span<const double> q, int held = -1);

}  // namespace torsor
