#include "torsor/formulations/arm_loads.hpp"

#include <doctest/doctest.h>

#include "tests/support/random_robot.hpp"
#include "tests/support/terms.hpp"
#include "torsor/formulations/catalogue.hpp"
#include "torsor/dynamics/tree_dynamics.hpp"

using namespace torsor;
using namespace torsor::testing;

namespace {

/// Placements of any kind, some pairs of axes nearly parallel; sometimes a body is fixed to the last link.
Description any_arm(Random& random, int n) {
  Description arm =
      random_dh_arm(random, n, random.chance(0.5) ? Convention::standard_dh : Convention::modified_dh, 0.2);
  if (random.chance(0.5)) {
    arm.convention = Convention::placement;
    for (LinkDescription& l : arm.links)
      l.geometry = JointPlacement{
          {random.chance(0.4) ? rotation_about(random.direction(), 1e-4) : random.rotation(), random.vector(0.4)},
          {0, 0, 1}};
  }
  if (arm.convention == Convention::placement && random.chance(0.5)) {
    LinkDescription flange = arm.links.back();
    flange.name = "flange";
    flange.joint_name = "weld";
    flange.kind = JointKind::fixed;
    arm.links.push_back(std::move(flange));
  }
  return arm;
}

}  // namespace

TEST_CASE("a moving base and a load of the last link are felt by the formulations that take them as by the tree") {
  Random random(2201);
  int took_force = 0, took_base = 0;
  for (int k = 0; k < draws(100); ++k) {
    CAPTURE(k);
    const Description robot = any_arm(random, 2 + k % 5);
    auto forms = robot_forms(robot);
    REQUIRE(forms);
    REQUIRE(forms->standard);
    const Model<double>& model = forms->model;
    const State s = random_state(random, model);
    std::vector<Force<double>> external(model.bodies.size());
    if (k % 3 != 0) external.back() = random.force(20);
    BodyLoads<double> loads{{}, external};
    if (k % 3 != 1) loads.base = {random.vector(2), random.vector(3), random.vector(5)};

    TreeDynamics<double> tree(model);
    tree.loads = loads;
    Numbers tau(static_cast<std::size_t>(model.nv)), out(tau.size()), unloaded(tau.size());
    tree.inverse(s.q, s.qd, s.qdd, tau);
    const Numbers D = mass_matrix(model, s.q), h = velocity_torques(model, s.q, s.qd), g = gravity(model, s.q),
                  of_loads = sum(tau, inverse(model, s.q, s.qd, s.qdd), -1);
    forms->set(s.q);
    for (const auto& row : inverse_formulations<double>()) {
      if (!refusal(row, *forms).empty()) continue;
      CAPTURE(row.name);
      const std::string reason = load_refusal(row.frames, row.can, model, loads);
      const bool can = (k % 3 == 0 || row.can.tip_load) && (k % 3 == 1 || row.can.moving_base);
      CHECK(reason.empty() == can);
      if (!reason.empty()) continue;
      took_force += k % 3 != 0;
      took_base += k % 3 != 1;
      const auto run = row.prepare(*forms);
      run(*forms, s.qd, s.qdd, unloaded);
      run(*forms, s.qd, s.qdd, loads, out);
      CHECK(disagreement(out, tau, D, s.qdd, h, g, {of_loads}) < 1e-12);
      // and the next state is without them again
      Numbers again(tau.size());
      run(*forms, s.qd, s.qdd, again);
      CHECK(difference(again, unloaded) == 0);
    }
  }
  CHECK(took_force > 150);
  CHECK(took_base > 150);
}

TEST_CASE("loads that a formulation cannot take are refused in a sentence that says why") {
  Random random(2202);
  const auto forms = robot_forms(random_dh_arm(random, 4, Convention::standard_dh));
  REQUIRE(forms);
  const auto reason = [&](const char* name, const BodyLoads<double>& loads) {
    const auto* row = find_formulation(inverse_formulations<double>(), name);
    REQUIRE(row);
    return load_refusal(row->frames, row->can, forms->model, loads);
  };
  std::vector<Force<double>> inner(4), outer(4), none(4);
  inner[1] = outer[3] = {{0, 0, 1}, {}};
  CHECK(reason("kane", {{}, outer}) == "it has no term for forces from outside");
  CHECK(reason("rotary", {{}, outer}) == "it has no term for forces from outside");
  CHECK(reason("newton-euler-link", {{}, inner}) ==
        "the force is on \"link2\", and it takes one on the last link only");
  CHECK(reason("newton-euler-base", {{}, outer}).empty());
  CHECK(reason("tree-newton-euler", {{}, inner}).empty());
  CHECK(reason("lagrange-euler", {{{}, {}, {0, 0, 1}}, {}}) ==
        "it is written for a base at rest; where the base only accelerates, take the acceleration off gravity");
  CHECK(reason("rotary", {{{1, 2, 3}, {}, {}}, {}}).empty());
  CHECK(reason("kane", {{}, none}).empty());
  CHECK(reason("kane", {}).empty());
}
