#include "torsor/dynamics/forward_mass_matrix.hpp"

#include <doctest/doctest.h>

#include "tests/support/random_robot.hpp"
#include "tests/support/terms.hpp"

using namespace torsor;
using namespace torsor::testing;

TEST_CASE("two weights over a pulley accelerate as Atwood's machine does") {
  // one slides up as much as the other slides down, and the pulley turns with them
  const double m1 = 3, m2 = 2, J = 0.05, r = 0.2;
  Description d;
  for (const double mass : {m1, m2}) {
    LinkDescription link;
    link.name = "weight" + std::to_string(d.links.size()), link.joint_name = "rope" + std::to_string(d.links.size()),
    link.parent = "base";
    link.kind = JointKind::prismatic;
    Part part;
    part.mass = mass;
    link.parts = {part};
    d.links.push_back(link);
  }
  d.links[1].mimic = Mimic{"rope0", -1, 0, {}};
  LinkDescription pulley;
  pulley.name = "pulley", pulley.joint_name = "axle", pulley.parent = "base";
  pulley.geometry = JointPlacement{{}, {0, 1, 0}};
  pulley.parts = {{0, {}, {0, J, 0, 0, 0, 0}, InertiaAbout::mass_centre, {}}};
  pulley.mimic = Mimic{"rope0", 1 / r, 0, {}};
  d.links.push_back(pulley);

  const Model<double> model = built(d);
  REQUIRE(model.nv == 1);
  REQUIRE(model.coupled());
  MassMatrixWork<double> work(model);
  const Numbers q{0.3}, qd{1}, tau{0};
  Numbers qdd(1);
  forward_mass_matrix<double>(model, configured(model, q), qd, tau, {}, work, qdd);
  CHECK(qdd[0] == doctest::Approx((m2 - m1) * 9.81 / (m1 + m2 + J / (r * r))).epsilon(1e-13));
}

TEST_CASE("both forward formulations agree, term by term, on trees that each can do") {
  Random random(151);
  for (int k = 0; k < draws(50); ++k) {
    const Model<double> model = built(
        random_robot(random, {.links = 1 + random.below(15), .floating = k % 2 == 0, .rotors = true}).description);
    const State state = random_state(random, model);
    const Numbers tau = random.numbers(model.nv, 5);
    const Configuration<double> configuration = configured(model, state.q);
    ForwardWork<double> work(model);
    std::vector<Numbers> answers;
    for (const auto& formulation : forward_formulations<double>) {
      answers.emplace_back(static_cast<std::size_t>(model.nv));
      formulation.run(model, configuration, state.qd, tau, {}, work, answers.back());
    }
    for (const Numbers& answer : answers) CHECK(relative(answer, answers.front()) < 1e-10);
  }
}
