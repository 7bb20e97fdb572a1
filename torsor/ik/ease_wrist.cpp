#include "torsor/ik/ease_wrist.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "torsor/ik/wrist_partition.hpp"

namespace torsor {
namespace {

/// The motion of joints 1 to 3 that leaves the wrist point at rest, the greatest 1; zero where there are several.
std::array<double, 3> idle_motion(const WristArm& arm, const IkBranch& b) {
  const auto C = detail::arm_columns(arm, detail::wrist_places(arm, b)).C;
  const std::array<Vec3<double>, 3> across{cross(C[1], C[2]), cross(C[2], C[0]), cross(C[0], C[1])};
  const Vec3<double> n = *std::ranges::max_element(across, {}, [](const Vec3<double>& v) { return dot(v, v); });
  std::array<double, 3> x{dot(n, across[0]), dot(n, across[1]), dot(n, across[2])};
  const double greatest = std::max({std::abs(x[0]), std::abs(x[1]), std::abs(x[2])});
  for (double& each : x) each = greatest > 0 ? each / greatest : 0;
  return x;
}

}  // namespace

bool ease_wrist(const WristArm& arm, const Vec3<double>& p, const Mat3<double>& R_0_hand, const IkBranch& b,
                ArmPose& pose, WristPoses& wrists) {
  constexpr int places = 24, steps = 8;
  constexpr double beside = 1e-4, most = 1e-5;  // rad, of what rounding may have moved
  ArmPose best = pose;
  WristPoses best_wrists = wrists, tried_wrists;
  const auto is_reached = [](const WristPoses& w) { return w.short_by == 0; };

  // a free joint: the place where the wrist is farthest from singular
  for (std::size_t i = 0; i < 2; ++i)
    for (int k = 1; pose.free[i] && k < places; ++k) {
      ArmPose tried = pose;
      move_joint(arm, tried, i, 2 * std::numbers::pi / places * k);
      arm.family->solve_wrist(arm, tried, R_0_hand, tried_wrists);
      if (!is_reached(tried_wrists)) continue;
      if (is_reached(best_wrists) && tried_wrists.pose[0].factor <= best_wrists.pose[0].factor) continue;
      best = tried;
      best_wrists = tried_wrists;
    }

  // the edge of the reach: as far along x as the wrist is short
  if (pose.elbow_factor < beside && wrists.short_by < most && !is_reached(best_wrists)) {
    const std::array<double, 3> x = idle_motion(arm, b);
    const auto moved = [&](const ArmPose& from, double by) {
      ArmPose to = from;
      for (std::size_t i = 0; i < 3; ++i) move_joint(arm, to, i, by * x[i]);
      arm.family->solve_wrist(arm, to, R_0_hand, tried_wrists);
      return to;
    };
    for (int step = 0; step < steps && !is_reached(best_wrists); ++step) {
      // the slope on the side where more is missing: on the other nothing may be
      const double h = best_wrists.short_by;
      moved(best, h);
      const double ahead = tried_wrists.short_by;
      moved(best, -h);
      const double slope = std::max(ahead, tried_wrists.short_by) / h - 1;
      if (!(slope > 1e-4)) break;
      best = moved(best, (ahead > tried_wrists.short_by ? -1 : 1) * h / slope);
      best_wrists = tried_wrists;
    }
  }
  const bool is_there = norm(wrist_point(arm, best) - p) <= singular_distance * (arm.size + norm(p));
  if (!is_reached(best_wrists) || !is_there) return false;
  pose = best;
  wrists = best_wrists;
  return true;
}

}  // namespace torsor
