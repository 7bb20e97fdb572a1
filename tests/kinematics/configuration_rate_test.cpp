#include "torsor/kinematics/configuration_rate.hpp"

#include <doctest/doctest.h>

#include "tests/support/along_motion.hpp"
#include "tests/support/terms.hpp"

using namespace torsor;
using namespace torsor::testing;

TEST_CASE("one-dof coordinates change at their own rate") {
  Random random(51);
  const Model<double> model = built(random_robot(random, {.links = 6, .one_dof = true}).description);
  const State state = random_state(random, model);
  CHECK(difference(position_rate(model, state.q, state.qd), state.qd) == 0);
}

TEST_CASE("a mimic joint does not change the rate of its master's coordinate") {
  Random random(52);
  const Model<double> model = built(random_robot(random, {.links = 12, .one_dof = true, .mimics = true}).description);
  REQUIRE(model.coupled());
  const State state = random_state(random, model);
  CHECK(difference(position_rate(model, state.q, state.qd), state.qd) == 0);
}

TEST_CASE("rates of quaternions and positions move the body with the given body velocity") {
  Description d;
  d.links = {{.name = "body", .joint_name = "float", .kind = JointKind::free}};
  const Model<double> model = built(d);
  Random random(53);
  for (int k = 0; k < draws(30); ++k) {
    const State state = random_state(random, model);
    const Transform<Time1> X = poses(cast<Time1>(model), position_along(model, state.q, state.qd))[0];
    const Mat3<double> R = value(X.R);
    CHECK(apart(~R * rate(X.R), skew(Vec3<double>{state.qd[0], state.qd[1], state.qd[2]})) < 1e-14);
    CHECK(apart(~R * rate(X.p), Vec3<double>{state.qd[3], state.qd[4], state.qd[5]}) < 1e-14);
    // the quaternion stays a unit one
    const Numbers r = position_rate(model, state.q, state.qd);
    CHECK(std::abs(dot(View(state.q).first(4), View(r).first(4))) < 1e-15);
  }
}

TEST_CASE("a planar joint moves its body in the plane with the given body velocity") {
  Description d;
  d.links = {{.name = "puck", .joint_name = "table", .kind = JointKind::planar}};
  const Model<double> model = built(d);
  Random random(54);
  for (int k = 0; k < draws(30); ++k) {
    const State state = random_state(random, model);
    const Transform<Time1> X = poses(cast<Time1>(model), position_along(model, state.q, state.qd))[0];
    const Mat3<double> R = value(X.R);
    CHECK(apart(~R * rate(X.R), skew(Vec3<double>{0, 0, state.qd[0]})) < 1e-14);
    CHECK(apart(~R * rate(X.p), Vec3<double>{state.qd[1], state.qd[2], 0}) < 1e-14);
  }
}
