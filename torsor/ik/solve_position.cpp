#include "torsor/ik/solve_position.hpp"

#include <cmath>
#include <numbers>

#include "torsor/ik/arm_family.hpp"

namespace torsor {
namespace {

constexpr double turn = 2 * std::numbers::pi;
constexpr double orthonormal_tolerance = 1e-6;  // entries typed with seven digits pass; the residual tells
constexpr double farthest = 1e6;                // arm lengths; beyond it the offsets of an arm drown in rounding

bool within(const Vec3<double>& v, double bound) { return abs(v.x) <= bound && abs(v.y) <= bound && abs(v.z) <= bound; }

bool is_frame(const Mat3<double>& R) {
  const Vec3<double> lengths{dot(R.x, R.x) - 1, dot(R.y, R.y) - 1, dot(R.z, R.z) - 1};
  return within(lengths, orthonormal_tolerance) && within(cross(R.x, R.y) - R.z, orthonormal_tolerance);
}

/// X J_i L_i, with L of the last joint left out.
void advance(const WristArm& arm, std::size_t i, double c, double s, double d, Transform<double>& X) {
  const WristJoint& j = arm.joint[i];
  X.p += X.R.z * d;
  X.R = times_rotation_z(X.R, c, s);
  if (i == 5) return;
  X.p += X.R.x * j.a;
  X.R = times_rotation_x(X.R, j.ca, j.sa);
}

/// An angle between -2 turns and 2 turns, as one between -1/2 and 1/2.
double within_half_turn(double q) {
  while (q > std::numbers::pi) q -= turn;
  while (q < -std::numbers::pi) q += turn;
  return q;
}

/// The representative of an angle inside the limits, or else the one nearest to them.
double representative(double q, const Limits& limits) {
  q = within_half_turn(q);
  const auto outside = [&](double x) { return std::max({0.0, limits.lower - x, x - limits.upper}); };
  if (!(outside(q) > 0)) return q;
  const double bound = q < limits.lower ? limits.lower : limits.upper;
  if (!(abs(bound) < 1e6)) return q;
  // the two values next to the violated bound
  const double nearest = q + turn * std::nearbyint((bound - q) / turn);
  const double other = nearest + (nearest < bound ? turn : -turn);
  return outside(other) < outside(nearest) ? other : nearest;
}

/// Joints 1 to 3 as coordinates and as a pose, for the wrists that share them.
struct Forearm {
  const ArmPose& pose;
  std::array<double, 3> q{};
  Transform<double> X_0_3;
};

Forearm forearm(const WristArm& arm, const ArmPose& pose) {
  Forearm out{pose, {}, {}};
  for (std::size_t i = 0; i < 3; ++i) {
    const WristJoint& j = arm.joint[i];
    advance(arm, i, pose.c[i], pose.s[i], pose.d[i], out.X_0_3);
    out.q[i] = j.prismatic ? pose.d[i] - j.d : representative(std::atan2(pose.s[i], pose.c[i]) - j.theta, j.limits);
  }
  return out;
}

std::array<double, 3> angles(const WristPose& p) {
  return {std::atan2(p.s[0], p.c[0]), std::atan2(p.s[1], p.c[1]), std::atan2(p.s[2], p.c[2])};
}

/// The angles of a wrist beside another with known ones. A right-angled wrist turned over has theta_4 and theta_6 half a
/// turn on and theta_5 negated: no arc tangents.
std::array<double, 3> angles_beside(const WristPose& p, const WristPose& other, const std::array<double, 3>& known) {
  const auto opposite = [&](std::size_t i) { return p.c[i] == -other.c[i] && p.s[i] == -other.s[i]; };
  const bool turned_over = opposite(0) && opposite(2) && p.c[1] == other.c[1] && p.s[1] == -other.s[1];
  if (!turned_over) return angles(p);
  const auto half_turn_on = [](double x) { return x > 0 ? x - std::numbers::pi : x + std::numbers::pi; };
  return {half_turn_on(known[0]), -known[1], half_turn_on(known[2])};
}

class Branches {
 public:
  Branches(const WristArm& a, const Transform<double>& X_0_hand) : arm(a), hand(X_0_hand) {}

  void fill(const Forearm& inner, const WristPose& wrist, const std::array<double, 3>& theta, IkBranch& b) const {
    const ArmPose& pose = inner.pose;
    b = {};
    b.label = {pose.shoulder, pose.elbow, wrist.wrist, pose.root};
    b.factor = {pose.shoulder_factor, pose.elbow_factor, wrist.factor};
    b.singular = {pose.shoulder_singular, pose.elbow_singular, wrist.singular};
    std::array<double, 6> q{};
    std::array<bool, 6> free{};
    Transform<double> X = inner.X_0_3;
    for (std::size_t i = 0; i < 6; ++i) {
      const WristJoint& j = arm.joint[i];
      b.c[i] = i < 3 ? pose.c[i] : wrist.c[i - 3];
      b.s[i] = i < 3 ? pose.s[i] : wrist.s[i - 3];
      q[i] = i < 3 ? inner.q[i] : representative(theta[i - 3] - j.theta, j.limits);
      free[i] = i < 3 && pose.free[i];
      if (i >= 3) advance(arm, i, b.c[i], b.s[i], j.d, X);
    }
    if (wrist.sign != 0) {
      free[3] = free[5] = true;
      b.wrist_sign = wrist.sign;
      b.wrist_sum = std::remainder((arm.backwards ? -1 : 1) * (q[3] + wrist.sign * q[5]), turn);
      if (arm.backwards && wrist.sign < 0) b.wrist_sum = -b.wrist_sum;
    }

    // how far the joints are from the pose: at the wrist point, and carried out to the tool
    const Mat3<double> off = X.R - hand.R;
    b.angle_residual = std::max({norm(off.x), norm(off.y), norm(off.z)});
    b.position_residual = norm(X.p - hand.p) + b.angle_residual * norm(arm.X_hand_tool.p);

    bool outside = false;
    for (std::size_t i = 0; i < 6; ++i) {
      const Limits& limits = arm.joint[i].limits;
      double beyond = q[i] < limits.lower ? q[i] - limits.lower : q[i] > limits.upper ? q[i] - limits.upper : 0;
      if (free[i]) beyond = 0;  // another member of the family will do
      outside = outside || beyond != 0;
      const std::size_t k = arm.backwards ? 5 - i : i;
      b.q[k] = arm.backwards ? -q[i] : q[i];
      b.free[k] = free[i];
      b.beyond_limits[k] = arm.backwards ? -beyond : beyond;
    }
    const double least = std::min({b.factor[0], b.factor[1], b.factor[2]});
    b.status = b.singular[0] || b.singular[1] || b.singular[2] ? IkStatus::singular
               : outside                                       ? IkStatus::outside_limits
               : least < near_singular_factor                  ? IkStatus::near_singular
                                                               : IkStatus::ok;
  }

 private:
  const WristArm& arm;
  const Transform<double>& hand;
};

}  // namespace

IkAnswer solve_position(const WristArm& arm, const Transform<double>& X_world_tool) {
  IkAnswer answer;
  // step 1: (19)
  const Transform<double> X_tool_hand = inverse(arm.X_hand_tool);
  const Transform<double> X = arm.backwards ? inverse(X_world_tool) : X_world_tool;
  const Transform<double> hand = ~arm.X_world_0 * (X * X_tool_hand);
  if (!is_frame(X_world_tool.R) || !within(hand.p, farthest * arm.size)) {
    answer.status = PoseStatus::not_a_pose;
    return answer;
  }

  // step 2
  ArmPoses poses;
  arm.family->solve_arm(arm, hand.p, poses);
  const Branches branches(arm, hand);
  WristPoses wrists;
  if (poses.count == 0) {
    answer.status = PoseStatus::unreachable;
    answer.short_by = poses.short_by;
    arm.family->solve_wrist(arm, poses.nearest, hand.R, wrists);
    branches.fill(forearm(arm, poses.nearest), wrists.pose[0], angles(wrists.pose[0]), answer.nearest);
    return answer;
  }

  // steps 3 and 4
  for (int i = 0; i < poses.count; ++i) {
    const ArmPose& pose = poses.pose[static_cast<std::size_t>(i)];
    const Forearm inner = forearm(arm, pose);
    arm.family->solve_wrist(arm, pose, hand.R, wrists);
    const WristPose &first = wrists.pose[0], &second = wrists.pose[1];
    const std::array<double, 3> theta = angles(first);
    const auto next = [&]() -> IkBranch& { return answer.branch[static_cast<std::size_t>(answer.count++)]; };
    if (wrists.short_by == 0) {
      branches.fill(inner, first, theta, next());
      if (wrists.count == 2) branches.fill(inner, second, angles_beside(second, first, theta), next());
    } else if (answer.short_by == 0 || wrists.short_by < answer.short_by) {
      answer.short_by = wrists.short_by;
      branches.fill(inner, first, theta, answer.nearest);
    }
  }
  if (answer.count == 0)
    answer.status = PoseStatus::orientation_unreachable;
  else
    answer.short_by = 0;
  return answer;
}

Transform<double> tool_pose(const WristArm& arm, const std::array<double, 6>& q) {
  Transform<double> X = arm.X_world_0;
  for (std::size_t i = 0; i < 6; ++i) {
    const WristJoint& j = arm.joint[i];
    const double x = arm.backwards ? -q[5 - i] : q[i];
    if (j.prismatic)
      advance(arm, i, j.ct, j.st, j.d + x, X);
    else
      advance(arm, i, std::cos(j.theta + x), std::sin(j.theta + x), j.d, X);
  }
  X = X * arm.X_hand_tool;
  return arm.backwards ? inverse(X) : X;
}

}  // namespace torsor
