// The family of a singular wrist behind three parallel axes. With sigma = wrist_sign joint 6 turns by delta, psi by
// -sigma delta, and the point p where axes 5 and 6 meet stays: the bars reach for p - Rz(psi) f, joint 4 makes up for psi.
// Letters as in parallel_arm.cpp.
#include <algorithm>
#include <cmath>
#include <numbers>
#include <optional>

#include "torsor/closed_form_ik/measure_branch.hpp"
#include "torsor/closed_form_ik/parallel_geometry.hpp"
#include "torsor/closed_form_ik/shoulder_planes.hpp"
#include "torsor/closed_form_ik/two_bar.hpp"
#include "torsor/closed_form_ik/wrist_family.hpp"
#include "torsor/spatial/whole_turn.hpp"

namespace torsor {
namespace {

using detail::Plane;
using detail::turned;

constexpr double step = whole_turn / 720;

class Family {
 public:
  Family(const ParallelArm& a, const IkBranch& b) : arm(a), start(b), signs(determined_sum(a, b)) {
    for (std::size_t i = 0; i < 6; ++i) advance(arm, static_cast<int>(i) + 1, b.c[i], b.s[i], arm.joint[i].d, tool);
    // psi and p of the member that is there
    const Plane second{b.c[1], b.s[1]}, third = turned(b.c[2], g.s2 * b.s[2], second);
    psi = turned(b.c[3], g.s23 * b.s[3], third);
    const Plane f = turned(psi.x, psi.y, g.f);
    p = {arm[2].a * second.x + arm[3].a * third.x + f.x, arm[2].a * second.y + arm[3].a * third.y + f.y};
    elbow = g.s2 * b.s[2] * arm[2].a * arm[3].a < 0 ? -1 : 1;
  }

  /// The member with q of the free joint, if the bars reach.
  std::optional<IkBranch> at(double q) const {
    const double delta = (arm.backwards ? -1 : 1) * (q - start.q[free_joint(arm)]), c = std::cos(delta),
                 s = std::sin(delta);
    const Plane now = turned(c, -start.wrist_sign * s, psi), f = turned(now.x, now.y, g.f), P{p.x - f.x, p.y - f.y};
    const double tolerance = singular_distance * arm.size;
    const detail::TwoBar bars = detail::two_bar(g.a2, g.a3, length(P), tolerance);
    if (bars.missing > tolerance) return std::nullopt;
    const double sides = arm[2].a * arm[3].a > 0 ? 1 : -1, cb = sides * bars.c, sb = sides * elbow * bars.s;
    double c2 = 1, s2 = 0;
    detail::turn_onto(arm[2].a + arm[3].a * cb, arm[3].a * sb, P.x, P.y, c2, s2);
    const Plane rest = turned(cb, -sb, turned(c2, -s2, now)), sixth = turned(c, s, {start.c[5], start.s[5]});
    FoundBranch found;
    found.c = {start.c[0], c2, cb, rest.x, start.c[4], sixth.x};
    found.s = {start.s[0], s2, g.s2 * sb, g.s23 * rest.y, start.s[4], sixth.y};
    found.label = start.label;
    found.label.elbow = bars.s == 0 ? 0 : elbow;
    found.factor = {start.factor[0], bars.s, start.factor[2]};
    found.singular = {start.singular[0], bars.s == 0, start.singular[2]};
    for (std::size_t i = 0; i < 6; ++i) {
      found.d[i] = arm.joint[i].d;
      found.free[i] = start.free[arm.backwards ? 5 - i : i];
    }
    IkBranch b = measured_branch(arm, tool, found);
    b.q[free_joint(arm)] = q;
    b.wrist_sign = start.wrist_sign;
    b.wrist_sum = start.wrist_sum;
    return b;
  }

  /// Whether the joints that follow are inside their limits there.
  bool has(double q) const {
    const auto b = at(q);
    if (!b) return false;
    for (std::size_t k = 0; k < 6; ++k)
      if (signs[k] != 0 && b->beyond_limits[k] != 0) return false;
    return true;
  }

  /// Between a member inside the limits and a place outside: the last that is inside.
  double edge(double inside, double outside) const {
    for (int i = 0; i < 60; ++i) {
      const double middle = (inside + outside) / 2;
      (has(middle) ? inside : outside) = middle;
    }
    return inside;
  }

  /// From a member as far as limits and reach let it go towards a bound; the bound itself where nothing stops it for a turn.
  double last_towards(double from, double bound) const {
    const double way = bound < from ? -1 : 1, most = std::min(std::abs(bound - from), whole_turn);
    for (double x = 0; x < most; x += step)
      if (const double next = from + way * std::min(x + step, most); !has(next)) return edge(from + way * x, next);
    return bound;
  }

  std::pair<double, double> limits() const {
    const Limits& l = arm[6].limits;
    return arm.backwards ? std::pair{-l.upper, -l.lower} : std::pair{l.lower, l.upper};
  }

 private:
  const ParallelArm& arm;
  const IkBranch start;
  const std::array<int, 6> signs;
  const detail::ParallelGeometry g{arm};
  Transform<double> tool;
  Plane psi, p;
  int elbow = 1;
};

}  // namespace

WristFamily choose_member(const ParallelArm& arm, double wanted, IkBranch& b) {
  const Family members(arm, b);
  const auto [lower, upper] = members.limits();
  WristFamily family{free_joint(arm), free_joint(arm), false, 0, 0};
  const double w = std::clamp(wanted, lower, upper);
  std::optional<double> best;
  if (members.has(w)) best = w;
  // outwards from what is wanted, a whole turn to both sides
  for (double x = step; !best && x < whole_turn + step; x += step)
    for (const double way : {1.0, -1.0})
      if (const double q = std::clamp(w + way * x, lower, upper), inwards = q - way * step; members.has(q)) {
        const double nearest = members.edge(q, inwards);
        if (!best || std::abs(nearest - w) < std::abs(*best - w)) best = nearest;
      }
  if (!best) return family;
  // what is there already is left as it is, to the last digit
  const bool is_there = std::abs(b.q[family.first] - *best) < 1e-12;
  if (is_there) best = b.q[family.first];
  family.inside = true;
  family.from = members.last_towards(*best, lower);
  family.to = members.last_towards(*best, upper);
  if (!is_there) b = *members.at(*best);
  return family;
}

std::array<int, 6> determined_sum(const ParallelArm& arm, const IkBranch& b) {
  if (b.wrist_sign == 0) return {};
  const int third = arm[2].ca > 0 ? 1 : -1, fourth = arm[3].ca > 0 ? third : -third;
  return arm.backwards ? std::array{b.wrist_sign, 0, fourth, third, 1, 0}
                       : std::array{0, 1, third, fourth, 0, b.wrist_sign};
}

}  // namespace torsor
