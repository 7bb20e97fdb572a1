#include "torsor/structure/torque_split.hpp"

#include <doctest/doctest.h>

#include "tests/support/random_robot.hpp"
#include "tests/support/shipped_robot.hpp"
#include "torsor/dynamics/tree_dynamics.hpp"
#include "torsor/model/description.hpp"

using namespace torsor;
using namespace torsor::testing;

TEST_CASE("inertia, velocities and gravity add up to the torques of Newton and Euler") {
  const Model<double> model = built(shipped_robot("puma560"));
  const std::vector<double> q{0.1, -0.4, 0.9, 0.3, -0.8, 0.5}, qd{0.5, 1, -1, 2, 0.3, -2}, qdd{1, -2, 3, 0.5, -1, 4},
      zero(6, 0.0);
  const TorqueSplit terms = torque_split_at(model, q, qd, qdd);
  std::vector<double> tau(6), hold(6);
  TreeDynamics<double> dynamics(model);
  dynamics.inverse(q, qd, qdd, tau);
  dynamics.gravity(q, hold);
  for (std::size_t i = 0; i < 6; ++i) {
    CHECK(terms.inertia[i] + terms.velocity[i] + terms.gravity[i] == doctest::Approx(tau[i]).epsilon(1e-12));
    CHECK(terms.gravity[i] == doctest::Approx(hold[i]).epsilon(1e-12));
  }
  for (const double c : torque_split_at(model, q, zero, qdd).velocity) CHECK(c == 0);
}

TEST_CASE("over the workspace a Cartesian arm has inertia and weight, and nothing of velocities") {
  const Model<double> model = built(shipped_robot("cartesian3"));
  const RateLimits limits{{1, 1, 1}, {3, 2, 1}};
  const TermSizes sizes = workspace_term_sizes(model, limits, 500, 1);
  for (std::size_t i = 0; i < 3; ++i) {
    CHECK(sizes.velocity[i].most == 0);
    CHECK(sizes.gravity[i].least == sizes.gravity[i].most);
  }
  // the first slide lifts all 38 kg
  CHECK(sizes.gravity[0].most == doctest::Approx(38 * 9.81));
  CHECK(sizes.inertia[0].most <= 38 * 3);
  CHECK(sizes.inertia[0].most > 38 * 3 * 0.95);
  CHECK(sizes.inertia[0].mean == doctest::Approx(38 * 1.5).epsilon(0.1));
}

TEST_CASE("speeds are those of the file, or usual ones, and accelerations reach them in half a second") {
  const auto limits = [](const char* name) { return usual_rate_limits(built(shipped_robot(name))); };
  const RateLimits puma = limits("puma560"), scara = limits("scara"), iiwa = limits("iiwa14");
  CHECK(puma.speed[0] == 2);
  CHECK(scara.speed[2] == 1);
  CHECK(iiwa.speed[0] == doctest::Approx(85 * std::acos(-1.0) / 180));
  CHECK(iiwa.acceleration[0] == 2 * iiwa.speed[0]);
}
