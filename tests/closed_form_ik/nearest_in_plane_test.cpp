// Points out of reach: the stated distance is that of the nearest pose, and no pose is nearer.
#include <doctest/doctest.h>

#include "tests/closed_form_ik/random_arms.hpp"

using namespace torsor;
using namespace torsor::testing;

namespace {

/// The least distance in space of a wrist point from all that joints 2 and 3 reach, by trial on a grid, and on finer ones
/// about the best of it; joint 1 turns the rest. A slide goes out both ways by `slide` (m).
double by_trial(Witness& w, const Vec3<double>& p, double slide) {
  const double rho = std::hypot(p.x, p.y);
  const bool slides = w.arm[3].prismatic;
  double least = INFINITY, best2 = 0, best3 = slides ? -w.arm[3].d - w.arm.w.z : 0;
  double wide2 = std::numbers::pi, wide3 = slides ? slide : std::numbers::pi;
  for (const int steps : {150, 10, 10, 10}) {
    const double middle2 = best2, middle3 = best3;
    for (int i = -steps; i <= steps; ++i)
      for (int k = -steps; k <= steps; ++k) {
        Joints q{};
        q[1] = middle2 + wide2 * i / steps;
        q[2] = middle3 + wide3 * k / steps;
        const Vec3<double> at = ~w.arm.X_world_0 * (tool_pose(w.arm, q) * inverse(w.arm.X_flange_tool).p);
        const double distance = std::hypot(std::hypot(at.x, at.y) - rho, at.z - p.z);
        if (distance < least) least = distance, best2 = q[1], best3 = q[2];
      }
    wide2 *= 2.0 / steps;
    wide3 *= 2.0 / steps;
  }
  return least;
}

}  // namespace

TEST_CASE("out of reach of an arm with offsets the distance is the least, and the nearest pose is that far off") {
  Random random(1);
  for (const std::size_t kind : {1, 5}) {
    CAPTURE(arm_kinds[kind].what);
    int met = 0, outward = 0;
    for (int k = 0; k < draws(8, 400); ++k) {
      Witness w = witness(random_arm(random, arm_kinds[kind]));
      for (int i = 0; i < 20; ++i) {
        // points of the wrist near axis 1, near the arm and beyond it
        const Transform<double> X_world_tool{
            random.rotation(), w.arm.X_world_0 * (random.vector(i % 2 ? 0.3 : 2.0) + Vec3<double>{0, 0, w.arm[1].d})};
        const IkAnswer answer = solve_position(w.arm, X_world_tool);
        if (answer.status != PoseStatus::unreachable) continue;
        ++met;
        const Vec3<double> wanted = X_world_tool.p, there = w.tool(answer.nearest.q).p;
        CHECK(apart(w.tool(answer.nearest.q).R, X_world_tool.R) < 1e-12);
        CHECK(norm(there - wanted) == doctest::Approx(answer.short_by).epsilon(1e-9));
        // a little nearer to it the arm reaches nothing
        for (int n = 0; n < 20; ++n) {
          const Vec3<double> off = random.direction() * (0.999 * answer.short_by);
          CHECK(solve_position(w.arm, {X_world_tool.R, wanted + off}).status == PoseStatus::unreachable);
        }
        CHECK(solve_position(w.arm, {X_world_tool.R, wanted + (there - wanted) * 0.999}).status ==
              PoseStatus::unreachable);
        if (met % 10 != 0) continue;
        ++outward;
        const Vec3<double> p = ~w.arm.X_world_0 * (X_world_tool * inverse(w.arm.X_flange_tool).p);
        // no slide is out farther than the point itself and the arm
        const double trial = by_trial(w, p, norm(p) + w.arm.size);
        CHECK(answer.short_by <= trial + 1e-12);
        CHECK(answer.short_by > trial - 1e-3);
      }
    }
    CHECK(met > 20);
    CHECK(outward > 2);
  }
}
