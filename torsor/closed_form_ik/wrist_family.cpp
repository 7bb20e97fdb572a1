#include "torsor/closed_form_ik/wrist_family.hpp"
#include "torsor/spatial/whole_turn.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace torsor {
namespace {


struct Range {
  double from, to;
};

/// Limits of a coordinate of the robot; the solver's own table counts backwards where the wrist is at the base.
Range limits_at(const WristArm& arm, std::size_t k) {
  const Limits& l = arm.joint[arm.backwards ? 5 - k : k].limits;
  return arm.backwards ? Range{-l.upper, -l.lower} : Range{l.lower, l.upper};
}

/// No bound is farther than a few turns behind the other: then every turn has members, and numbers stay small.
Range finite(Range i) {
  if (std::isinf(i.from) && std::isinf(i.to)) return {-2 * whole_turn, 2 * whole_turn};
  if (std::isinf(i.from)) i.from = i.to - 4 * whole_turn;
  if (std::isinf(i.to)) i.to = i.from + 4 * whole_turn;
  return i;
}

void put(const WristArm& arm, std::size_t k, double q, IkBranch& b) {
  if (b.q[k] == q) return;
  b.q[k] = q;
  const std::size_t i = arm.backwards ? 5 - k : k;
  const double theta = (arm.backwards ? -q : q) + arm.joint[i].theta;
  b.c[i] = std::cos(theta);
  b.s[i] = std::sin(theta);
}

}  // namespace

WristFamily choose_member(const WristArm& arm, double wanted, IkBranch& b) {
  WristFamily family;
  if (arm.backwards) family.first = 0, family.last = 2;
  const Range A = limits_at(arm, family.first), limits = limits_at(arm, family.last), B = finite(limits);
  const double w = std::clamp(wanted, A.from, A.to), sign = b.wrist_sign;
  const auto of_turn = [&](double k) -> Range {
    const double sum = b.wrist_sum + whole_turn * k;
    return sign > 0 ? Range{sum - B.to, sum - B.from} : Range{sum + B.from, sum + B.to};
  };
  const Range whole = of_turn(0);
  // the turn whose members are nearest to what is wanted, or one beside it
  const double nearest = std::nearbyint((w - (whole.from + whole.to) / 2) / whole_turn);
  double best = 0, gap = 0, apart = 0, turned = 0, chosen = 0;
  for (double k = nearest - 2; k <= nearest + 2; ++k) {
    const Range I = of_turn(k);
    const double from = std::max(A.from, I.from), to = std::min(A.to, I.to);
    const double missing = std::max(0.0, from - to);
    const double a = missing > 0 ? std::clamp((I.from + I.to) / 2, A.from, A.to) : std::clamp(w, from, to);
    const double off = std::abs(a - w), turns = std::abs(sign * (b.wrist_sum + whole_turn * k - a) - b.q[family.last]);
    // least outside, then nearest to what is wanted, then the least turning of the other joint
    const bool better = missing != gap ? missing < gap : std::abs(off - apart) > 1e-12 ? off < apart : turns < turned;
    if (k > nearest - 2 && !better) continue;
    best = a;
    gap = missing;
    apart = off;
    turned = turns;
    chosen = k;
    family.from = from;
    family.to = to;
  }
  family.inside = gap == 0;
  double q = sign * (b.wrist_sum + whole_turn * chosen - best);
  if (family.inside) q = std::clamp(q, B.from, B.to);
  // what is there already is left as it is, to the last digit
  if (std::abs(b.q[family.first] - best) < 1e-12 && std::abs(b.q[family.last] - q) < 1e-12) {
    best = b.q[family.first];
    q = b.q[family.last];
  }
  put(arm, family.first, best, b);
  put(arm, family.last, q, b);
  b.beyond_limits[family.first] = 0;
  b.beyond_limits[family.last] = family.inside ? 0 : q < limits.from ? q - limits.from : q - limits.to;
  if (std::isinf(limits.from) && std::isinf(limits.to)) family.from = A.from, family.to = A.to;
  return family;
}

std::array<int, 6> determined_sum(const WristArm& arm, const IkBranch& b) {
  if (b.wrist_sign == 0) return {};
  return arm.backwards ? std::array{1, 0, b.wrist_sign, 0, 0, 0} : std::array{0, 0, 0, 1, 0, b.wrist_sign};
}

}  // namespace torsor
