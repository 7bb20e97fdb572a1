#include "torsor/fast/terms.hpp"

#include <doctest/doctest.h>

#include "tests/support/random_robot.hpp"
#include "torsor/dynamics/coriolis_matrix.hpp"
#include "torsor/dynamics/joint_friction.hpp"
#include "torsor/dynamics/tree_dynamics.hpp"

using namespace torsor;

TEST_CASE("the terms add up to the efforts, and the loads are those of the tool's Jacobian") {
  const Robot robot = Robot::load("puma560_drives");
  const Model<double>& model = robot.model();
  const std::vector<double> q{0.1, 0.7, -1.2, 0.4, 0.9, -0.3}, qd{1, -0.5, 0.8, 2, -1, 0.6},
      qdd{0.5, 1, -1, 2, 0.3, -2};
  const Frame<double>& tool = model.frames.back();

  // a wrench on the robot at the tool, along its axes
  const Vec3<double> f{4, -3, 2}, n{0.5, 0.25, -1};
  Loads loads;
  loads.add_wrench(tool, {n, f});
  Dynamics dynamics(robot);
  dynamics.set_loads(loads);
  const Terms t = terms(dynamics, q, qd, qdd, tool);
  CHECK(dynamics.loads().external.size() == loads.external.size());  // they are there again

  const Vec3<double> f_world = t.X_world_tool.R * f, n_world = t.X_world_tool.R * n;
  const double wrench[] = {n_world.x, n_world.y, n_world.z, f_world.x, f_world.y, f_world.z};
  double kinetic = 0;
  for (std::size_t i = 0; i < 6; ++i) {
    double tau = t.C_qd[i] + t.gravity[i] + t.friction[i] + t.load[i], load = 0;
    CHECK(t.bias[i] == doctest::Approx(tau).epsilon(1e-12));
    for (std::size_t j = 0; j < 6; ++j) {
      tau += t.M[i * 6 + j] * qdd[j];
      kinetic += t.M[i * 6 + j] * qd[i] * qd[j] / 2;
      load -= t.J[j * 6 + i] * wrench[j];
    }
    CHECK(t.tau[i] == doctest::Approx(tau).epsilon(1e-12));
    CHECK(t.load[i] == doctest::Approx(load).epsilon(1e-11));
    CHECK(t.pivots[i] > 0);
    CHECK(t.friction[i] * qd[i] > 0);
  }
  CHECK(t.bad_pivot == -1);
  CHECK(t.energy.kinetic == doctest::Approx(kinetic).epsilon(1e-12));
  CHECK(t.reactions.size() == model.bodies.size());
}

TEST_CASE("all terms at once are those of the tree, one by one, under any loads") {
  using namespace torsor::testing;
  Random random(2710);
  int with_loads = 0;
  for (int k = 0; k < draws(60); ++k) {
    CAPTURE(k);
    const Model<double> model =
        k % 3 == 0 ? built(random_dh_arm(random, 1 + random.below(9), Convention::modified_dh, 0.2))
                   : built(random_robot(random, any_kind(random, k, k % 5 == 3, k % 7 == 2)).description);
    const State s = random_state(random, model);
    const auto n = static_cast<std::size_t>(model.nv);
    Loads loads;
    if (k % 2 == 1) loads.base = {random.vector(1), random.vector(1), random.vector(3)};
    if (k % 5 < 2) loads.external = random_forces(random, model, 5);
    with_loads += nothing_acts(loads) ? 0 : 1;
    TreeDynamics<double> tree(model), unloaded(model);
    tree.loads.assign(loads);
    Numbers M(n * n), C(M), gravity(n), friction(n), bias(n), bare(n), tau(n);
    tree.mass(s.q, M);
    Configuration<double> at(model);
    at.set(model, View(s.q));
    CoriolisWork<double> work(model);
    coriolis_matrix<double>(model, at, s.qd, work, C);
    unloaded.gravity(s.q, gravity);
    unloaded.bias(s.q, s.qd, bare);
    add_joint_friction<double>(model, s.q, s.qd, 1.0, friction);
    tree.bias(s.q, s.qd, bias);
    tree.inverse(s.q, s.qd, s.qdd, tau);
    EnergyWork<double> energy_work(model);
    const Energy<double> e = energy<double>(model, at, s.qd, energy_work);

    for (const InstructionSet set : instruction_sets()) {
      CAPTURE(name(set));
      Dynamics dynamics(model, {.instruction_set = set});
      REQUIRE(dynamics.set_loads(loads));
      Numbers M2(n * n), C2(M2), t[5] = {Numbers(n), Numbers(n), Numbers(n), Numbers(n), Numbers(n)};
      std::vector<Force<double>> reactions(model.bodies.size());
      Energy<double> found;
      REQUIRE(dynamics.terms(s.q, s.qd, s.qdd, {M2, C2, t[0], t[1], t[2], t[3], t[4], reactions, found}));
      const double share = 1e-12 * (1 + largest(tau) + largest(bias) + largest(M) + largest(C));
      CHECK(difference(M2, M) < share);
      CHECK(difference(C2, C) < share);
      CHECK(difference(t[0], gravity) < share);
      CHECK(difference(t[1], friction) < share);
      for (std::size_t i = 0; i < n; ++i) CHECK(std::abs(t[2][i] - (bias[i] - bare[i])) < 2 * share);
      CHECK(difference(t[3], bias) < share);
      CHECK(difference(t[4], tau) < share);
      for (std::size_t i = 0; i < reactions.size(); ++i) {
        const Force<double>&a = reactions[i], &b = tree.reactions()[i];
        const Vec3<double> dn = a.n - b.n, df = a.f - b.f;
        CHECK(dot(dn, dn) + dot(df, df) < 1e-20 * (1 + dot(b.n, b.n) + dot(b.f, b.f) + largest(tau) * largest(tau)));
      }
      // of the whole robot, from sums over bodies in the world
      Vec3<double> first;
      double mass = 0;
      std::vector<Transform<double>> X(model.bodies.size());
      forward_kinematics<double>(model, at, X);
      for (std::size_t i = 0; i < X.size(); ++i) {
        const Inertia<double>& I = model.bodies[i].inertia;
        first += X[i].R * I.h + X[i].p * I.m;
        mass += I.m;
      }
      double twice = 0;
      for (std::size_t i = 0; i < n; ++i)
        for (std::size_t j = 0; j < n; ++j) twice += M[i * n + j] * s.qd[i] * s.qd[j];
      CHECK(found.kinetic == doctest::Approx(twice / 2).epsilon(1e-11));
      CHECK(found.mass == doctest::Approx(mass).epsilon(1e-13));
      const Vec3<double> off = found.first_moment - first;
      CHECK(dot(off, off) < 1e-24 * (1 + dot(first, first) + mass * mass));
      CHECK(std::abs(found.potential + dot(model.gravity, first)) < 1e-11 * (1 + std::abs(found.potential) + mass));
      CHECK(found.kinetic == doctest::Approx(e.kinetic).epsilon(1e-12));
      const Vec3<double> dp = found.momentum.f - e.momentum.f, dL = found.momentum.n - e.momentum.n;
      const double size = dot(e.momentum.f, e.momentum.f) + dot(e.momentum.n, e.momentum.n);
      CHECK(dot(dp, dp) + dot(dL, dL) < 1e-22 * (1 + size));
    }
  }
  CHECK(with_loads > 10);
}
