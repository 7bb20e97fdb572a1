// A robot on a free base is the same robot, whose base moves.
#include "torsor/model/free_base.hpp"

#include <doctest/doctest.h>

#include "tests/support/random_robot.hpp"
#include "torsor/dynamics/tree_dynamics.hpp"

using namespace torsor;
using namespace torsor::testing;

TEST_CASE("where its base is held still it has the torques of the robot on a fixed base, and its weight on the base") {
  Random random(1021);
  for (int k = 0; k < 60; ++k) {
    CAPTURE(k);
    Description d =
        random_robot(random, {.links = 1 + random.below(7), .rotors = true, .friction = true, .mimics = k % 3 == 0})
            .description;
    for (LinkDescription& link : d.links)
      if (link.kind == JointKind::free) link.kind = JointKind::revolute;
    const std::vector<PointMass> points{{1, {0.1, 0, 0}}, {2, {0, 0.1, 0.3}}, {1, {0, -0.1, 0}}};
    d.base_parts = {part_of(points, InertiaAbout::mass_centre)};
    const Model<double> fixed = built(d);
    auto free = on_free_base(d);
    REQUIRE(free);
    CHECK(free->base_name != d.base_name);
    CHECK(free->links[0].name == d.base_name);
    const Model<double> model = built(*free);
    REQUIRE(model.nv == fixed.nv + 6);
    REQUIRE(model.nq == fixed.nq + 7);
    const State s = random_state(random, fixed);
    Numbers q = neutral_position(model), qd(model.nv, 0.0), qdd(qd), tau(qd), expected(fixed.nv);
    std::copy(s.q.begin(), s.q.end(), q.begin() + 7);
    std::copy(s.qd.begin(), s.qd.end(), qd.begin() + 6);
    std::copy(s.qdd.begin(), s.qdd.end(), qdd.begin() + 6);
    TreeDynamics<double>(fixed).inverse(s.q, s.qd, s.qdd, expected);
    TreeDynamics<double>(model).inverse(q, qd, qdd, tau);
    CHECK(difference(View(tau).subspan(6), expected) < 1e-12 * (1 + largest(expected)));
    // at rest the base carries all there is
    double mass = 0;
    for (const Body<double>& b : model.bodies) mass += b.inertia.m;
    TreeDynamics<double>(model).gravity(q, tau);
    const Vec3<double> weight = ~model.base.R * model.gravity * -mass;
    CHECK(difference(View(tau).subspan(3, 3), flat(weight)) < 1e-10);
  }
}

TEST_CASE("a robot on a free joint already is refused, and names stay apart") {
  Random random(1022);
  Description d = random_robot(random, {.links = 2, .floating = true}).description;
  const auto twice = on_free_base(d);
  REQUIRE_FALSE(twice);
  CHECK(twice.faults().front().rule == "base-free");
  d.links[0].kind = JointKind::revolute;
  d.links[1].joint_name = "floating_base";
  const auto named = on_free_base(d);
  REQUIRE_FALSE(named);
  CHECK(named.faults().front().rule == "joint-name");
  d.links[1].joint_name = "other";
  d.links[1].name = "world";
  const auto free = on_free_base(d);
  REQUIRE(free);
  CHECK(free->base_name == "world_");
}
