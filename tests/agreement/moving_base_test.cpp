// A base that moves, against the same robot carried by a free joint that is made to move; gravity against acceleration; invariance.
#include <doctest/doctest.h>

#include "tests/support/random_robot.hpp"
#include "tests/support/terms.hpp"

using namespace torsor;
using namespace torsor::testing;

namespace {

/// The robot on a massless vehicle that floats at the base.
Description on_vehicle(const Description& d) {
  Description out = d;
  for (LinkDescription& link : out.links)
    if (link.parent == "base") link.parent = "vehicle";
  LinkDescription vehicle;
  vehicle.name = "vehicle";
  vehicle.joint_name = "sea";
  vehicle.kind = JointKind::free;
  out.links.insert(out.links.begin(), vehicle);
  return out;
}

void put(Numbers& x, const Vec3<double>& v) { x.insert(x.end(), {v.x, v.y, v.z}); }

}  // namespace

TEST_CASE("a moving base is felt as a vehicle with that motion, at whatever speed it travels") {
  Random random(5000);
  for (int k = 0; k < draws(50); ++k) {
    const Description d = random_robot(random, {.links = 1 + random.below(10), .rotors = true}).description;
    const Model<double> arm = built(d), carried = built(on_vehicle(d));
    const State state = random_state(random, arm);
    const BaseMotion<double> base{random.vector(2), random.vector(3), random.vector(5)};
    const Numbers tau = inverse(arm, state.q, state.qd, state.qdd, {base, {}});

    // body components of the vehicle's velocity (w, v) and their rates (wd, a - w x v)
    const Mat3<double> R = ~d.base.R;
    const Vec3<double> w = R * base.w, v = random.vector(10);
    Numbers q{1, 0, 0, 0, 0, 0, 0}, qd, qdd;
    put(qd, w), put(qd, v);
    put(qdd, R * base.wd), put(qdd, R * base.a - cross(w, v));
    q.insert(q.end(), state.q.begin(), state.q.end());
    qd.insert(qd.end(), state.qd.begin(), state.qd.end());
    qdd.insert(qdd.end(), state.qdd.begin(), state.qdd.end());
    REQUIRE(carried.velocity_names[0] == "sea.wx");
    const Numbers all = inverse(carried, q, qd, qdd);
    CHECK(difference(tau, View(all).subspan(6)) < 1e-12 * (1 + largest(tau)));
  }
}

TEST_CASE("a base accelerated upwards is a base under gravity") {
  Random random(5001);
  for (int k = 0; k < draws(30); ++k) {
    Description d = random_robot(random, {.links = 1 + random.below(10), .floating = k % 2 == 0}).description;
    const Model<double> heavy = built(d);
    d.gravity = {};
    const Model<double> weightless = built(d);
    const auto [q, qd, qdd] = random_state(random, heavy);
    BodyLoads<double> lifted;
    lifted.base.a = -heavy.gravity;
    const Numbers tau = inverse(heavy, q, qd, qdd);
    CHECK(difference(inverse(weightless, q, qd, qdd, lifted), tau) < 1e-13 * (1 + largest(tau)));
  }
}

TEST_CASE("turning the base and gravity together changes no effort, and moving the base none at all") {
  Random random(5002);
  for (int k = 0; k < draws(30); ++k) {
    Description d = random_robot(random, {.links = 1 + random.below(10)}).description;
    const Model<double> model = built(d);
    const Transform<double> X = random.transform(3);
    d.base = X * d.base;
    d.gravity = X.R * d.gravity;
    const Model<double> moved = built(d);
    const auto [q, qd, qdd] = random_state(random, model);
    const BaseMotion<double> base{random.vector(1), random.vector(1), random.vector(1)},
        turned{X.R * base.w, X.R * base.wd, X.R * base.a};
    const Numbers tau = inverse(model, q, qd, qdd, {base, {}}), M = mass_matrix(model, q);
    CHECK(difference(inverse(moved, q, qd, qdd, {turned, {}}), tau) < 1e-12 * (1 + largest(tau)));
    CHECK(difference(mass_matrix(moved, q), M) == 0);
  }
}
