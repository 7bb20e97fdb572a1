#include "torsor/closed_form_ik/ease_wrist.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "torsor/closed_form_ik/nearest_wrist_point.hpp"

namespace torsor {
namespace {

constexpr double beside =
    0.05;  // a factor below which rounding may have moved joints 1 to 3 by what the wrist is short

/// Turns a free joint to where axes 4 and 6 make the angle with the cosine c, or nearest to it; one way or the other. As the
/// joint turns by x that cosine is A + B cos x + C sin x.
void turn_free(const WristArm& arm, const WristRange& range, std::size_t i, double c, int way, ArmPose& pose) {
  const PointColumns at = point_columns(arm, pose);
  const double A = dot(at.z[i], at.axis_4) * dot(at.z[i], range.axis), B = dot(at.axis_4, range.axis) - A;
  const double C = dot(range.axis, cross(at.z[i], at.axis_4)), length = detail::hypotenuse(B, C);
  if (!(length > 0)) return;
  move_joint(arm, pose, i, std::atan2(C, B) + way * std::acos(std::clamp((c - A) / length, -1.0, 1.0)));
}

}  // namespace

bool ease_wrist(const WristArm& arm, const Vec3<double>& p, const Mat3<double>& R_0_flange, ArmPose& pose,
                WristPoses& wrists) {
  constexpr int places = 24;
  const WristRange range = wrist_range(arm, R_0_flange);
  const auto keep_better = [&](const ArmPose& tried) {
    if (norm(wrist_point(arm, tried) - p) > singular_distance * (arm.size + norm(p))) return;
    WristPoses other;
    arm.family->solve_wrist(arm, tried, R_0_flange, other);
    const bool better = other.short_by < wrists.short_by ||
                        (other.short_by == 0 && wrists.short_by == 0 && other.pose[0].factor > wrists.pose[0].factor);
    if (!better) return;
    pose = tried;
    wrists = other;
  };

  // a free joint: the place where the wrist is farthest from singular, or least short
  const double middle = arm[4].ca * arm[5].ca;
  const ArmPose given = pose;
  for (int place = 0; place < (given.free[0] && given.free[1] ? places : 1); ++place)
    for (const std::size_t i : {0, 1})
      for (const int way : {1, -1}) {
        if (!given.free[i]) continue;
        ArmPose tried = given;
        if (place > 0) move_joint(arm, tried, 1 - i, 2 * std::numbers::pi / places * place);
        turn_free(arm, range, i, middle, way, tried);
        keep_better(tried);
      }

  // the edge of the reach: joints 1 to 3 as rounding leaves them
  const bool is_doubtful = std::min(pose.elbow_factor, pose.shoulder_factor) < beside || pose.free[0] || pose.free[1];
  if (wrists.short_by > 0 && is_doubtful) {
    ArmPose tried = pose;
    descend(arm, p, range, tried);
    keep_better(tried);
  }
  return wrists.short_by == 0;
}

}  // namespace torsor
