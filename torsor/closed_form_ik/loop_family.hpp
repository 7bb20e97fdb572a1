// Curves of solutions: at a singular pose joints may move while the tool rests. A member of such a family is followed
// along its idle direction, so that other members are known as such, and the family is answered once.
#pragma once

#include "torsor/closed_form_ik/turning_loop.hpp"

namespace torsor {

/// Points of one curve, a tenth of a radian apart.
struct LoopFamily {
  static constexpr int most = 160;
  std::array<SixAngles, most> point;
  int count = 0;

  /// Whether a solution is next to a point of it and on it.
  bool holds(const TurningLoop&, const SixAngles& q) const;
};

/// Follows the curve through a singular solution both ways, until it closes; false, and count is 0, where the solution
/// is alone.
bool follow_family(const TurningLoop&, const SixAngles& q, const LoopMeasure&, LoopFamily&);

}  // namespace torsor
