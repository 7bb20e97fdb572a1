#include "torsor/dynamics/loads.hpp"

#include <doctest/doctest.h>

#include "tests/support/random_robot.hpp"
#include "tests/support/terms.hpp"

using namespace torsor;
using namespace torsor::testing;

TEST_CASE("a force on a body takes J^T f from the efforts") {
  Random random(91);
  for (int k = 0; k < draws(40); ++k) {
    const Model<double> model =
        built(random_robot(random, {.links = 1 + random.below(10), .floating = k % 2 == 0, .mimics = k % 3 == 0})
                  .description);
    if (model.nv == 0) continue;
    const State state = random_state(random, model);
    const int body = random.below(model.size());
    const Vec3<double> point = random.vector(0.5), force = random.vector(20),
                       moment = random.vector(5);  // of the body; both in the world

    const std::vector<Transform<double>> X = poses(model, state.q);
    Numbers J(static_cast<std::size_t>(6 * model.nv));
    jacobian<double>(model, X, body, X[body] * point, J);
    std::vector<Force<double>> external(model.bodies.size());
    const Vec3<double> f = ~X[body].R * force;
    external[body] = {~X[body].R * moment + cross(point, f), f};

    const Numbers without = inverse(model, state.q, state.qd, state.qdd),
                  with = inverse(model, state.q, state.qd, state.qdd, {{}, external});
    const Numbers expected = times(transposed(J, static_cast<std::size_t>(model.nv)),
                                   Numbers{moment.x, moment.y, moment.z, force.x, force.y, force.z});
    CHECK(difference(sum(without, with, -1), expected) < 1e-12 * (1 + largest(without) + largest(expected)));
  }
}

TEST_CASE("a base that turns about the vertical throws a pendulum outwards") {
  // about y at radius R from the axis of the turntable, hanging down: centrifugal moment m w^2 (R) r for a point mass
  Description d;
  LinkDescription link{.name = "bob", .joint_name = "pivot"};
  link.geometry = JointPlacement{{Mat3<double>::identity(), {0.8, 0, 0}}, {0, 1, 0}};
  Part bob;
  bob.mass = 2, bob.com = {0, 0, -0.3};
  link.parts = {bob};
  d.links = {link};
  const Model<double> model = built(d);
  BodyLoads<double> loads;
  loads.base.w = {0, 0, 3};
  // turning about +y by tau swings the bob towards -x; the torque that keeps it down against the pull towards +x is positive
  CHECK(inverse(model, Numbers{0}, {}, {}, loads)[0] == doctest::Approx(2 * 9 * 0.8 * 0.3).epsilon(1e-13));
}
