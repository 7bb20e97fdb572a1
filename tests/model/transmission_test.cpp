#include "torsor/model/transmission.hpp"

#include <doctest/doctest.h>

#include "tests/support/random_robot.hpp"

using namespace torsor;
using namespace torsor::testing;

namespace {

Description four_joints() {
  Description d;
  for (const char* name : {"a", "b", "c", "d"}) {
    d.links.push_back({.name = name, .joint_name = name});
  }
  return d;
}

}  // namespace

TEST_CASE("a gear divides the effort, a matrix mixes it, other joints are driven directly") {
  Description d = four_joints();
  d.links[0].rotor = Rotor{.inertia = 0, .gear = -50};
  d.transmissions = {{{"left", "right"}, {"b", "d"}, {{0.1, 0.2}, {0.3, -0.4}}, {}, {}}};
  const Model<double> model = built(d);
  Numbers motor(4);
  motor_torques(model, Numbers{100, 10, 7, 20}, motor);
  CHECK(difference(motor, Numbers{-2, 0.1 * 10 + 0.3 * 20, 7, 0.2 * 10 - 0.4 * 20}) < 1e-14);
  CHECK(motor_names(model) == std::vector<std::string>{"a", "left", "c", "right"});
  CHECK(motor_coordinates(model) == std::vector<int>{0, 1, 3});
}

TEST_CASE("motors and joints have the same power") {
  Random random(251);
  for (int k = 0; k < draws(50); ++k) {
    Description d = four_joints();
    const double gear = random.either_sign(2, 100);
    d.links[2].rotor = Rotor{.inertia = 1e-4, .gear = gear};
    std::vector<std::vector<double>> A;
    for (int i = 0; i < 3; ++i) {
      A.push_back(random.numbers(3, 0.02));
      A[i][i] += 0.1;
    }
    d.transmissions = {{{"x", "y", "z"}, {"d", "a", "b"}, A, {}, {}}};
    const Model<double> model = built(d);
    const Numbers tau = random.numbers(4, 10), motor_speed = random.numbers(4, 3);
    // motors x, y, z are reported at the coordinates d, a, b in this order
    const Numbers w{motor_speed[3], motor_speed[0], motor_speed[1]};
    const Numbers qd{dot(A[1], w), dot(A[2], w), motor_speed[2] / gear, dot(A[0], w)};
    Numbers motor(4);
    motor_torques(model, tau, motor);
    CHECK(dot(motor, motor_speed) == doctest::Approx(dot(tau, qd)).epsilon(1e-12));
  }
}
