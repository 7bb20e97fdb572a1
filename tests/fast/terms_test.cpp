#include "torsor/fast/terms.hpp"

#include <doctest/doctest.h>

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
