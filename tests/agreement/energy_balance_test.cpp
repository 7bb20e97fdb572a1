// What mechanics conserves: energy along any motion, momentum of whatever floats. Time derivatives by duals.
#include <doctest/doctest.h>

#include "tests/support/along_motion.hpp"
#include "tests/support/terms.hpp"

using namespace torsor;
using namespace torsor::testing;

namespace {

/// Energies and momentum as functions of time along a motion.
Energy<Time1> energies_along(const Model<double>& model, const State& state) {
  const std::vector<Time1> q = position_along(model, state.q, state.qd), qd = with_rate(state.qd, state.qdd);
  Model<double> without_friction = model;
  without_friction.friction.clear();
  return energies(cast<Time1>(without_friction), q, qd);
}

}  // namespace

TEST_CASE("energy grows by the power of the joints and of outside forces, less what friction takes") {
  Random random(3000);
  for (int k = 0; k < draws(100); ++k) {
    CAPTURE(k);
    const RobotOptions options{.links = 1 + random.below(15),
                               .floating = k % 2 == 0,
                               .rotors = true,
                               .rotor_bodies = k % 3 == 0,
                               .friction = true,
                               .mimics = k % 4 == 0,
                               .transmission = k % 5 == 0};
    const Model<double> model = built(random_robot(random, options).description);
    const State state = random_state(random, model);
    const std::vector<Force<double>> external = random_forces(random, model, 5);

    TreeDynamics<double> dynamics(model);
    dynamics.loads.external = external;
    Numbers tau(state.qd.size());
    dynamics.inverse(state.q, state.qd, state.qdd, tau);

    const double drive = dot(tau, state.qd), dissipation = dot(friction(model, state.q, state.qd), state.qd);
    const std::vector<Motion<double>> v = motions(model, state.q, state.qd, {}).v;
    double outside = 0, scale = std::abs(drive) + dissipation;
    for (std::size_t i = 0; i < v.size(); ++i) {
      outside += dot(v[i], external[i]);
      scale += std::abs(dot(v[i], external[i]));
    }

    const Energy<Time1> energy = energies_along(model, state);
    CHECK(dissipation >= 0);
    CHECK(energy.kinetic.value >= 0);
    CHECK(std::abs(energy.kinetic.tangent[0] + energy.potential.tangent[0] - (drive + outside - dissipation)) <
          1e-12 * (1 + scale));
  }
}

TEST_CASE("a floating tree falls with g and keeps its angular momentum, whatever its joints do") {
  Random random(3001);
  for (int k = 0; k < draws(100); ++k) {
    CAPTURE(k);
    RobotOptions options{.links = 2 + random.below(12),
                         .branching = 0.5,
                         .floating = true,
                         .rotors = k % 2 == 0,
                         .rotor_bodies = k % 2 == 1,
                         .mimics = k % 3 == 0};
    RandomRobot robot = random_robot(random, options);
    // everything hangs from the one floating link
    for (std::size_t i = 1; i < robot.description.links.size(); ++i)
      if (robot.description.links[i].parent == "base") robot.description.links[i].parent = "link0";
    const Model<double> model = built(robot.description);
    State state = random_state(random, model);

    // joints pull as they like; nothing acts on the floating link
    Numbers tau = random.numbers(model.nv, 5);
    std::fill(tau.begin(), tau.begin() + 6, 0.0);
    REQUIRE(model[0].v == 0);
    TreeDynamics<double>(model).forward(state.q, state.qd, tau, state.qdd);

    const Energy<Time1> energy = energies_along(model, state);
    const Vec3<Time1> spin = momentum_about_mass_centre(energy);
    const double size = 1 + largest(state.qdd);
    CHECK(apart(rate(energy.momentum.f), model.gravity * energy.mass.value) < 1e-11 * size);
    CHECK(largest(flat(rate(spin))) < 1e-11 * size);

    // and momentum is mass times the velocity of the mass centre
    CHECK(apart(rate(energy.first_moment), value(energy.momentum.f)) < 1e-12);
  }
}

TEST_CASE("kinetic energy is half qd . M qd") {
  Random random(3002);
  for (int k = 0; k < draws(50); ++k) {
    const Model<double> model =
        built(random_robot(random,
                           {.links = 1 + random.below(15), .rotors = true, .mimics = k % 2 == 0, .transmission = true})
                  .description);
    const State state = random_state(random, model);
    const double twice = dot(times(mass_matrix(model, state.q), state.qd), state.qd);
    CHECK(energies(model, state.q, state.qd).kinetic == doctest::Approx(twice / 2).epsilon(1e-13));
  }
}

TEST_CASE("gravity efforts are the slope of the potential energy") {
  Random random(3003);
  for (int k = 0; k < draws(50); ++k) {
    const Model<double> model =
        built(random_robot(random, {.links = 1 + random.below(15), .mimics = k % 2 == 0}).description);
    const State state = random_state(random, model);
    const Energy<Time1> energy =
        energies(cast<Time1>(model), position_along(model, state.q, state.qd), with_rate(state.qd, state.qd));
    const double power = dot(gravity(model, state.q), state.qd);
    CHECK(std::abs(energy.potential.tangent[0] - power) < 1e-12 * (1 + std::abs(power)));
  }
}
