// Control laws of robots with loops, in their independent coordinates: what the closed loop does with the true model.
#include <doctest/doctest.h>

#include <cmath>

#include "tests/support/loop_robots.hpp"
#include "torsor/control/control_law.hpp"
#include "torsor/loops/random_closed_position.hpp"

using namespace torsor;
using namespace torsor::testing;

namespace {

using Numbers = std::vector<double>;

struct Loop {
  explicit Loop(const Robot& given, std::string_view law, ControllerKind kind = ControllerKind::full)
      : robot(given), coordinates(robot.coordinates()), start(static_cast<std::size_t>(robot.nq())) {
    for (Limits& limits : coordinates.limits) limits.effort = std::numeric_limits<double>::infinity();
    Dynamics where(robot);
    std::mt19937_64 engine(3);
    start = *random_closed_position(robot, where, engine);
    model = make_controller_model(kind, robot, start);
    control = find_control_law(law)->make({coordinates, tool, *model, start, {100, 20}});
  }

  const Robot& robot;
  Model<double> coordinates;
  Frame<double> tool;
  Numbers start;
  std::unique_ptr<ControllerModel> model;
  std::unique_ptr<ControlLaw> control;
};

Numbers drawn(std::mt19937_64& engine, std::size_t n, double size) {
  Numbers x(n);
  for (double& each : x) each = size * (static_cast<double>(engine() >> 11) * 0x1p-52 - 1);
  return x;
}

}  // namespace

TEST_CASE("computed torque makes of a robot with loops as many double integrators as it has freedoms") {
  for (const Robot& robot : loop_robots()) {
    if (robot.nq() != robot.nv()) continue;
    CAPTURE(robot.name());
    Loop loop(robot, "computed-torque");
    Dynamics dynamics(robot);
    std::mt19937_64 engine(11);
    const auto n = static_cast<std::size_t>(robot.nv());
    // dry friction of the coordinates is compensated at planned rates: these are measured ones here
    for (int draw = 0; draw < 20; ++draw) {
      const Numbers q = *random_closed_position(robot, dynamics, engine), qd = drawn(engine, n, 1),
                    away = drawn(engine, n, 0.1), qdd = drawn(engine, n, 3);
      Numbers wanted = q, tau(n), got(n);
      for (std::size_t k = 0; k < n; ++k) wanted[k] += away[k];
      ControlReference reference;
      reference.q = wanted, reference.qd = qd, reference.qdd = qdd;
      ControlState state;
      state.q = q, state.qd = qd;
      loop.control->effort(state, reference, tau);
      REQUIRE(dynamics.forward(q, qd, tau, got));
      // qdd = qdd_d + kp e, whatever the masses
      for (std::size_t k = 0; k < n; ++k) CHECK(std::abs(got[k] - qdd[k] - 100 * away[k]) < 1e-7);
    }
  }
}

TEST_CASE("the passive law holds a robot with loops on its plan, and its Coriolis matrix is the one of Christoffel") {
  const Robot robot = Robot::load("five_bar");
  Loop loop(robot, "passivity");
  Dynamics dynamics(robot);
  std::mt19937_64 engine(11);
  const Numbers q = *random_closed_position(robot, dynamics, engine), qd{0.4, -0.7}, v{0.3, 0.2}, qdd{1, 2};
  Numbers tau(2), wanted(2), C(4), Cv(2);
  ControlReference reference;
  reference.q = q, reference.qd = qd, reference.qdd = qdd;
  ControlState state;
  state.q = q, state.qd = qd;
  loop.control->effort(state, reference, tau);
  REQUIRE(dynamics.inverse(q, qd, qdd, wanted));
  for (std::size_t k = 0; k < 2; ++k) CHECK(tau[k] == doctest::Approx(wanted[k]).epsilon(1e-11));
  loop.model->coriolis(q, qd, v, Cv);
  REQUIRE(dynamics.coriolis_matrix(q, qd, C));
  for (std::size_t i = 0; i < 2; ++i)
    CHECK(Cv[i] == doctest::Approx(C[2 * i] * v[0] + C[2 * i + 1] * v[1]).epsilon(1e-12));
}

TEST_CASE("laws that close the loop around the tool are refused of robots with loops") {
  const Robot robot = Robot::load("five_bar");
  CHECK(control_refusal(robot, *find_control_law("computed-torque")).empty());
  CHECK(control_refusal(robot, *find_control_law("operational-space")).find("has loops") != std::string::npos);
  CHECK(control_refusal(Robot::load("puma560"), *find_control_law("operational-space")).empty());
}
