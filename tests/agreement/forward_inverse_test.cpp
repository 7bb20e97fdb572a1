// Every forward formulation undoes inverse dynamics, on a thousand random trees.
#include <doctest/doctest.h>

#include "tests/support/random_robot.hpp"
#include "tests/support/terms.hpp"

using namespace torsor;
using namespace torsor::testing;

namespace {

/// The options of tree number k: sizes to thirty, half of them floating, drives of all sorts.
RobotOptions varied(Random& random, int k) {
  return {.links = 1 + random.below(30),
          .branching = random.uniform(0.1, 0.9),
          .floating = k % 2 == 0,
          .rotors = k % 3 == 0,
          .rotor_bodies = k % 8 == 5,
          .mimics = k % 4 == 1,
          .transmission = k % 8 == 3};
}

/// forward o inverse at one random state under random loads, relative to the largest acceleration.
void check_round_trip(Random& random, const Model<double>& model) {
  const auto [q, qd, qdd] = random_state(random, model);
  const std::vector<Force<double>> external = random_forces(random, model, 5);
  BodyLoads<double> loads{{random.vector(1), random.vector(1), random.vector(3)}, external};
  const Configuration<double> configuration = configured(model, q);
  ForwardWork<double> work(model);
  Numbers tau(qd.size()), back(qd.size());
  inverse_newton_euler<double>(model, configuration, qd, qdd, loads, work.mass_matrix.newton_euler, tau);
  for (const auto& forward_row : forward_formulations<double>) {
    if (model.coupled() && !forward_row.coupled) continue;
    forward_row.run(model, configuration, qd, tau, loads, work, back);
    CAPTURE(forward_row.name);
    CHECK(relative(back, qdd) < 1e-10);
  }
}

}  // namespace

TEST_CASE("forward dynamics undoes inverse dynamics on random trees with all joint kinds") {
  Random random(1000);
  int coupled = 0, movable = 0;
  for (int k = 0; k < draws(1000); ++k) {
    CAPTURE(k);
    const Model<double> model = built(random_robot(random, varied(random, k)).description);
    if (model.nv == 0) continue;
    ++movable;
    coupled += model.coupled();
    check_round_trip(random, model);
  }
  CHECK(movable >= draws(950));
  CHECK(coupled >= draws(200));
}

TEST_CASE("the mass matrix is symmetric, positive definite, and gives the inertial part of inverse dynamics") {
  Random random(1001);
  for (int k = 0; k < draws(100); ++k) {
    const Model<double> model = built(random_robot(random, varied(random, k)).description);
    const auto [q, qd, qdd] = random_state(random, model);
    const auto n = static_cast<std::size_t>(model.nv);
    if (n == 0) continue;
    Numbers M(n * n), with(n), without(n);
    M = mass_matrix(model, q);
    CHECK(difference(M, transposed(M, n)) == 0);
    Numbers factors = M;
    ldlt_factor<double>(factors, model.nv);
    CHECK(ldlt_first_bad_pivot<double>(factors, model.nv) == -1);
    with = inverse(model, q, qd, qdd);
    without = inverse(model, q, qd, Numbers(n));
    CHECK(difference(times(M, qdd), sum(with, without, -1)) < 1e-12 * (largest(with) + largest(without) + 1));
  }
}
