#include "torsor/dynamics/forward_articulated_body.hpp"

#include <doctest/doctest.h>

#include "tests/support/random_robot.hpp"
#include "tests/support/small_robots.hpp"
#include "tests/support/terms.hpp"

using namespace torsor;
using namespace torsor::testing;

namespace {

Numbers accelerations(const Model<double>& model, View q, View qd, View tau, const BodyLoads<double>& loads = {}) {
  ArticulatedBodyWork<double> work(model);
  Numbers qdd(static_cast<std::size_t>(model.nv));
  forward_articulated_body<double>(model, configured(model, q), qd, tau, loads, work, qdd);
  return qdd;
}

}  // namespace

TEST_CASE("two sliders on top of each other move as Newton says") {
  // masses 2 and 3 along x, forces 10 on the lower and 4 between them: 3 a_2 = 4, 2 a_1 = 10 - 4
  const Numbers qdd = accelerations(built(two_sliders()), Numbers{0, 0}, Numbers{1, 2}, Numbers{10, 4});
  CHECK(qdd[0] == doctest::Approx(3));
  CHECK(qdd[1] == doctest::Approx(4.0 / 3 - 3));
}

TEST_CASE("a body let go falls freely, and turns as Euler's equations say") {
  Description d;
  LinkDescription link{.name = "body", .joint_name = "float", .kind = JointKind::free};
  link.parts = {{2, {}, {1, 2, 3, 0, 0, 0}, InertiaAbout::mass_centre, {}}};
  d.links = {link};
  Random random(141);
  const Model<double> model = built(d);
  const State state = random_state(random, model);
  const Numbers qdd = accelerations(model, state.q, state.qd, Numbers(6, 0.0));
  const double x = state.qd[0], y = state.qd[1], z = state.qd[2];
  CHECK(difference(View(qdd).first(3), Numbers{(2 - 3) * y * z / 1, (3 - 1) * z * x / 2, (1 - 2) * x * y / 3}) < 1e-14);
  // in the world the acceleration of the mass centre is g: R (qdd_v + w x v)
  const Vec3<double> w{x, y, z}, v{state.qd[3], state.qd[4], state.qd[5]}, vd{qdd[3], qdd[4], qdd[5]};
  CHECK(apart(poses(model, state.q)[0].R * (vd + cross(w, v)), model.gravity) < 1e-13);
}

TEST_CASE("rotors slow a joint as their inertia does") {
  Description d;
  LinkDescription link{.name = "wheel", .joint_name = "axle"};
  link.parts = {{1, {}, {1, 1, 0.5, 0, 0, 0}, InertiaAbout::mass_centre, {}}};
  link.rotor = Rotor{.inertia = 0.01, .gear = 10};
  d.links = {link};
  CHECK(accelerations(built(d), Numbers{0}, Numbers{3}, Numbers{6})[0] ==
        doctest::Approx(6 / (0.5 + 0.01 * 100)).epsilon(1e-14));
}
