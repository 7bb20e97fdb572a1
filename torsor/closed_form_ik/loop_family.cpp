#include "torsor/closed_form_ik/loop_family.hpp"

#include <cmath>
#include <numbers>

namespace torsor {
namespace {

constexpr double family_step = 0.1, family_sigma = 1e-7;

double along_curve(const SixAngles& a, const SixAngles& b) {
  double sum = 0;
  for (std::size_t i = 0; i < 6; ++i) sum += a[i] * b[i];
  return sum;
}

}  // namespace

bool LoopFamily::holds(const TurningLoop& loop, const SixAngles& q) const {
  for (int k = 0; k < count; ++k) {
    const SixAngles& p = point[static_cast<std::size_t>(k)];
    if (apart(p, q) > family_step) continue;
    // half way, brought onto the curve, is still between
    SixAngles middle = q;
    for (std::size_t i = 0; i < 6; ++i) middle[i] += std::remainder(p[i] - q[i], 2 * std::numbers::pi) / 2;
    const SixAngles from = middle;
    if (close_along(loop, middle) && apart(from, middle) < family_step / 5) return true;
  }
  return false;
}

bool follow_family(const TurningLoop& loop, const SixAngles& q, const LoopMeasure& m, LoopFamily& family) {
  family.count = 0;
  family.point[static_cast<std::size_t>(family.count++)] = q;
  for (const double sense : {1.0, -1.0}) {
    SixAngles here = q, direction = m.idle;
    for (double& x : direction) x *= sense;
    while (family.count < LoopFamily::most) {
      SixAngles next = here;
      for (std::size_t i = 0; i < 6; ++i) next[i] += family_step * direction[i];
      if (!close_along(loop, next) || apart(next, here) < family_step / 5) break;
      const LoopMeasure there = measured(loop, next);
      if (there.sigma > family_sigma) break;
      SixAngles idle = there.idle;
      if (along_curve(idle, direction) < 0)
        for (double& x : idle) x = -x;
      here = next;
      direction = idle;
      family.point[static_cast<std::size_t>(family.count++)] = here;
      // once round: the other way has been gone, too
      if (family.count > 4 && apart(here, q) < family_step * 0.7) return true;
    }
  }
  if (family.count > 2) return true;
  family.count = 0;
  return false;
}

}  // namespace torsor
