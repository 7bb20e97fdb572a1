// The recursions against particles and d'Alembert's principle.
#include "tests/support/particles.hpp"

#include <doctest/doctest.h>

#include "tests/support/terms.hpp"

using namespace torsor;
using namespace torsor::testing;

namespace {

void check_against_particles(Random& random, const RobotOptions& options) {
  const RandomRobot robot = random_robot(random, options);
  const Model<double> model = built(robot.description);
  if (model.nv == 0) return;
  const State state = random_state(random, model);
  const Numbers tau = particle_torques(robot, model.velocity_names, state);
  const double error = disagreement(inverse(model, state.q, state.qd, state.qdd), tau, mass_matrix(model, state.q),
                                    state.qdd, velocity_torques(model, state.q, state.qd), gravity(model, state.q));
  CHECK(error < 1e-9);
}

}  // namespace

TEST_CASE("inverse dynamics of random trees is what d'Alembert's principle says of their particles") {
  Random random(2000);
  for (int k = 0; k < draws(60); ++k) {
    CAPTURE(k);
    check_against_particles(random, {.links = 1 + random.below(10), .one_dof = true});
  }
}

TEST_CASE("inverse dynamics with mimic joints is what d'Alembert's principle says of their particles") {
  Random random(2001);
  for (int k = 0; k < draws(40); ++k) {
    CAPTURE(k);
    check_against_particles(random, {.links = 2 + random.below(8), .one_dof = true, .mimics = true});
  }
}
