#include "torsor/closed_form_ik/measure_branch.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

#include "torsor/closed_form_ik/is_frame.hpp"
#include "torsor/spatial/whole_turn.hpp"

namespace torsor {
namespace {


/// An angle between -2 turns and 2 turns, as one between -1/2 and 1/2.
double within_half_turn(double q) {
  while (q > std::numbers::pi) q -= whole_turn;
  while (q < -std::numbers::pi) q += whole_turn;
  return q;
}

}  // namespace

double outside(double q, const Limits& limits) {
  return q < limits.lower ? q - limits.lower : q > limits.upper ? q - limits.upper : 0;
}

double representative(double q, const Limits& limits) {
  const double beyond = outside(q, limits);
  if (beyond == 0) return q;
  const double step = beyond < 0 ? whole_turn : -whole_turn, next = q + step, next_beyond = outside(next, limits);
  if (next_beyond == 0) return next;
  // to the other side: the nearer of the two
  if (next_beyond * beyond < 0) return abs(next_beyond) < abs(beyond) ? next : q;
  // still on the same side: as many turns as it takes
  const double bound = beyond < 0 ? limits.lower : limits.upper;
  if (!(abs(bound) < 1e6)) return q;
  const double nearest = q + whole_turn * std::nearbyint((bound - q) / whole_turn);
  const double other = nearest + (nearest < bound ? whole_turn : -whole_turn);
  return abs(outside(other, limits)) < abs(outside(nearest, limits)) ? other : nearest;
}

Transform<double> pose_of_tool(const SixAxis& arm, const Transform<double>& X_world_tool) {
  const Transform<double> X = arm.backwards ? inverse(X_world_tool) : X_world_tool;
  return ~arm.X_world_0 * (X * inverse(arm.X_flange_tool));
}

bool is_pose(const Transform<double>& X_world_tool, const Transform<double>& X_0_tool) {
  return is_frame(X_world_tool.R) && is_within(X_0_tool.p, std::numeric_limits<double>::max());
}

double bring_near(const SixAxis& arm, Transform<double>& X_0_tool) {
  Vec3<double>& p = X_0_tool.p;
  const double farthest = farthest_pose * arm.size, distance = std::hypot(p.x, p.y, p.z);
  if (!(distance > farthest)) return 0;
  const Vec3<double> direction{p.x / distance, p.y / distance, p.z / distance};
  p = direction * farthest;
  return distance - farthest;
}

void out_of_reach_by(double moved, IkAnswer& answer) {
  if (answer.status == PoseStatus::solved) answer.nearest = answer.branch[0];  // by a slide
  if (answer.status != PoseStatus::unreachable) answer.short_by = 0;
  answer.status = PoseStatus::unreachable;
  answer.count = 0;
  answer.nearest_is_least = false;
  answer.short_by += moved;
  answer.nearest.position_residual += moved;
}

IkBranch measured_branch(const SixAxis& arm, const Transform<double>& X_0_tool, const FoundBranch& found) {
  IkBranch b;
  b.label = found.label;
  b.factor = found.factor;
  b.singular = found.singular;
  b.c = found.c;
  b.s = found.s;

  bool is_outside = false;
  Transform<double> X;
  for (std::size_t i = 0; i < 6; ++i) {
    const SixAxisJoint& j = arm.joint[i];
    const double q = j.prismatic
                         ? found.d[i] - j.d
                         : representative(within_half_turn(std::atan2(found.s[i], found.c[i]) - j.theta), j.limits);
    const double beyond = found.free[i] ? 0 : outside(q, j.limits);  // where free, another member of the family will do
    is_outside = is_outside || beyond != 0;
    const std::size_t k = arm.backwards ? 5 - i : i;
    b.q[k] = arm.backwards ? -q : q;
    b.free[k] = found.free[i];
    b.beyond_limits[k] = arm.backwards ? -beyond : beyond;
    advance(arm, static_cast<int>(i) + 1, found.c[i], found.s[i], found.d[i], X);
  }

  // how far the joints are from the pose: at the tool, and carried out to the tool
  const Mat3<double> off = X.R - X_0_tool.R;
  b.angle_residual = std::max({norm(off.x), norm(off.y), norm(off.z)});
  b.position_residual = norm(X.p - X_0_tool.p) + b.angle_residual * norm(arm.X_flange_tool.p);

  const double least = std::min({b.factor[0], b.factor[1], b.factor[2]});
  b.status = b.singular[0] || b.singular[1] || b.singular[2] ? IkStatus::singular
             : is_outside                                    ? IkStatus::outside_limits
             : least < near_singular_factor                  ? IkStatus::near_singular
                                                             : IkStatus::ok;
  return b;
}

}  // namespace torsor
