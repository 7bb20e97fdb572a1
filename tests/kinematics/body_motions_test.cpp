#include "torsor/kinematics/body_motions.hpp"

#include <doctest/doctest.h>

#include "tests/support/along_motion.hpp"
#include "tests/support/terms.hpp"

using namespace torsor;
using namespace torsor::testing;

TEST_CASE("velocities and accelerations of points are the derivatives of their positions") {
  Random random(61);
  for (int k = 0; k < draws(40); ++k) {
    const Model<double> model =
        built(random_robot(random, {.links = 1 + random.below(10), .floating = k % 2 == 0, .mimics = k % 3 == 0})
                  .description);
    const State state = random_state(random, model);
    const BodyMotions<double> m = motions(model, state.q, state.qd, state.qdd);
    const std::vector<Transform<double>> X = poses(model, state.q);
    const std::vector<Transform<Time2>> moving = poses(cast<Time2>(model), position_along(model, state));
    for (int i = 0; i < model.size(); ++i) {
      const Vec3<double> point = random.vector(1);
      const Vec3<Time2> r = moving[i] * cast<Time2>(point, [](double x) { return Time2(x); });
      const Vec3<double> velocity = value(cast<Time1>(r, [](const Time2& x) { return x.tangent[0]; }));
      CHECK(apart(X[i].R * point_velocity(m.v[i], point), velocity) < 1e-12 * (1 + norm(velocity)));
      CHECK(apart(X[i].R * point_acceleration(m.v[i], m.a[i], point), acceleration(r)) <
            1e-12 * (1 + norm(acceleration(r))));
    }
  }
}

TEST_CASE("an empty qd or qdd stands for zero, and the base's own motion is carried outwards") {
  Random random(62);
  const Model<double> model = built(random_robot(random, {.links = 6}).description);
  const State state = random_state(random, model);
  const Numbers zero(static_cast<std::size_t>(model.nv), 0.0);
  const BodyMotions<double> a = motions(model, state.q, {}, {}), b = motions(model, state.q, zero, zero);
  for (int i = 0; i < model.size(); ++i) {
    CHECK(apart(a.v[i], b.v[i]) == 0);
    CHECK(apart(a.a[i], b.a[i]) == 0);
  }

  // at rest relative to the base, every body has the base's motion
  const Motion<double> v0 = random.motion(1), a0 = random.motion(1);
  BodyMotions<double> carried(model);
  body_motions<double>(model, configured(model, state.q), {}, {}, v0, a0, carried);
  const std::vector<Transform<double>> X = poses(model, state.q);
  for (int i = 0; i < model.size(); ++i) {
    CHECK(apart(~model.base * (X[i] * carried.v[i]), v0) < 1e-14);
    CHECK(apart(~model.base * (X[i] * carried.a[i]), a0) < 1e-14);
  }
}
