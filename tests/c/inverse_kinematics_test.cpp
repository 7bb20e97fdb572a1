// Inverse kinematics through the C interface beside InverseKinematics: arms with closed forms, and one without.
#include <doctest/doctest.h>

#include <cmath>
#include <random>
#include <string>

#include "c/torsor.h"
#include "tests/support/random_robot.hpp"
#include "torsor/dynamics.hpp"
#include "torsor/inverse_kinematics.hpp"
#include "torsor/model/random_position.hpp"

using namespace torsor;
using namespace torsor::testing;

TEST_CASE("inverse kinematics in C finds what the C++ one finds, and its solutions reach the pose") {
  std::mt19937_64 engine(530);
  for (const std::string name : {"puma560", "stanford", "ur5", "iiwa14"}) {
    CAPTURE(name);
    const Robot cpp = Robot::load(name);
    const InverseKinematics solver(cpp);
    torsor_robot* robot = nullptr;
    REQUIRE(torsor_load(name.c_str(), &robot) == TORSOR_OK);
    const int tool = torsor_frame_count(robot) - 1;
    torsor_ik* ik = nullptr;
    REQUIRE(torsor_ik_create(robot, tool, &ik) == TORSOR_OK);
    CHECK((torsor_ik_family(ik) != nullptr) == (solver.closed() != nullptr));
    CHECK((torsor_ik_no_closed_form(ik)[0] == '\0') == (solver.closed() != nullptr));
    const std::size_t nq = static_cast<std::size_t>(cpp.nq()), nv = static_cast<std::size_t>(cpp.nv());

    for (int trial = 0; trial < 5; ++trial) {
      const std::vector<double> start = random_position(cpp.model(), engine);  // inside the limits
      double p[3], R[9], reached[3], axes[9];
      REQUIRE(torsor_kinematics(robot, start.data(), tool, p, R) == TORSOR_OK);
      const Transform<double> X{{{R[0], R[3], R[6]}, {R[1], R[4], R[7]}, {R[2], R[5], R[8]}}, {p[0], p[1], p[2]}};
      const IkSolutions expected = solver.solve(X);
      Numbers q(TORSOR_IK_CAPACITY * nq), one(nq), rates(nv), accelerations(nv);
      torsor_ik_solution about[TORSOR_IK_CAPACITY];
      int count = -1;
      REQUIRE(torsor_ik_solve(ik, p, R, TORSOR_IK_CAPACITY, q.data(), about, &count) ==
              (expected.empty() ? TORSOR_NO_SOLUTION : TORSOR_OK));
      REQUIRE(count == static_cast<int>(expected.size()));
      const double velocity[] = {0.1, -0.2, 0.3, 0.05, 0.1, -0.1}, acceleration[] = {0.3, 0.2, 0.1, -0.5, 0.4, 0.2};
      for (std::size_t k = 0; k < expected.size(); ++k) {
        const Numbers found(q.begin() + static_cast<std::ptrdiff_t>(k * nq),
                            q.begin() + static_cast<std::ptrdiff_t>((k + 1) * nq));
        CHECK(found == expected[k].q);
        CHECK(about[k].label == expected[k].label);
        CHECK(static_cast<int>(about[k].state) == static_cast<int>(expected[k].status));
        CHECK(about[k].position_residual == expected[k].position_residual);
        REQUIRE(torsor_kinematics(robot, found.data(), tool, reached, axes) == TORSOR_OK);
        for (int i = 0; i < 3; ++i) CHECK(std::abs(reached[i] - p[i]) < 1e-6);
        for (int i = 0; i < 9; ++i) CHECK(std::abs(axes[i] - R[i]) < 1e-6);

        // rates that move the tool as asked: J qd
        const torsor_status status =
            torsor_ik_rates(ik, static_cast<int>(k), velocity, acceleration, rates.data(), accelerations.data());
        if (status == TORSOR_SINGULAR) continue;
        REQUIRE(status == TORSOR_OK);
        const ToolRates like = solver.rates(
            expected[k], {X, {{0.1, -0.2, 0.3}, {0.05, 0.1, -0.1}}, {{0.3, 0.2, 0.1}, {-0.5, 0.4, 0.2}}});
        CHECK(rates == like.qd);
        CHECK(accelerations == like.qdd);
        Numbers J(6 * nv);
        REQUIRE(torsor_jacobian(robot, found.data(), tool, J.data()) == TORSOR_OK);
        double largest = 0;
        for (const double rate : rates) largest = std::max(largest, std::abs(rate));
        for (std::size_t i = 0; i < 6; ++i) {
          double sum = 0;
          for (std::size_t j = 0; j < nv; ++j) sum += J[i * nv + j] * rates[j];
          CHECK(std::abs(sum - velocity[i]) < 1e-6 * (1 + largest));
        }
      }
      // the joints that the pose was made of are the nearest ones
      REQUIRE(torsor_ik_nearest(ik, p, R, start.data(), one.data(), about) == TORSOR_OK);
      for (std::size_t i = 0; i < nq; ++i) CHECK(std::abs(one[i] - start[i]) < 1e-4);
      CHECK(torsor_ik_rates(ik, 1, velocity, acceleration, rates.data(), nullptr) == TORSOR_BAD_ARGUMENT);
    }
    torsor_free(robot);  // the other handle keeps the robot
    double far[] = {50, 0, 0}, upright[] = {1, 0, 0, 0, 1, 0, 0, 0, 1}, short_by = 0;
    Numbers q(nq, 3.0), near(nq);
    int count = -1;
    const torsor_status status = torsor_ik_solve(ik, far, upright, 1, q.data(), nullptr, &count);
    // a prismatic joint gets there, far beyond its limits
    CHECK(status == (name == "stanford" ? TORSOR_OK : TORSOR_NO_SOLUTION));
    if (status == TORSOR_NO_SOLUTION) {
      CHECK(count == 0);
      for (const double x : q) CHECK(x == 3.0);
      CHECK(torsor_ik_unreached(ik, q.data(), nullptr, &short_by) == TORSOR_OK);
      CHECK(short_by > 45);
      CHECK(torsor_ik_nearest(ik, far, upright, near.data(), q.data(), nullptr) == TORSOR_NO_SOLUTION);
    }
    torsor_ik_free(ik);
  }
}

TEST_CASE("inverse kinematics in C refuses what is no pose, and hands out no more than there is space for") {
  torsor_robot* robot = nullptr;
  REQUIRE(torsor_load("puma560", &robot) == TORSOR_OK);
  torsor_ik* ik = reinterpret_cast<torsor_ik*>(robot);
  CHECK(torsor_ik_create(robot, 99, &ik) == TORSOR_BAD_ARGUMENT);
  CHECK(ik == nullptr);
  CHECK(torsor_ik_create(robot, 6, nullptr) == TORSOR_BAD_ARGUMENT);
  REQUIRE(torsor_ik_create(robot, 6, &ik) == TORSOR_OK);
  const double start[] = {0.1, 0.8, -0.8, 0.3, 0.5, 0.2};
  double p[3], R[9], q[12];
  std::fill(std::begin(q), std::end(q), 5.0);
  REQUIRE(torsor_kinematics(robot, start, 6, p, R) == TORSOR_OK);
  int count = 0;
  REQUIRE(torsor_ik_solve(ik, p, R, 1, q, nullptr, &count) == TORSOR_OK);
  CHECK(count == 8);
  for (int k = 6; k < 12; ++k) CHECK(q[k] == 5.0);
  CHECK(torsor_ik_unreached(ik, q, nullptr, nullptr) == TORSOR_BAD_ARGUMENT);
  const double skew[] = {1, 0, 0, 0, 1, 0, 0, 0.1, 1}, mirror[] = {1, 0, 0, 0, 1, 0, 0, 0, -1}, nan[] = {0, NAN, 0};
  CHECK(torsor_ik_solve(ik, p, skew, 1, q, nullptr, &count) == TORSOR_BAD_ARGUMENT);
  CHECK(torsor_ik_solve(ik, p, mirror, 1, q, nullptr, &count) == TORSOR_BAD_ARGUMENT);
  CHECK(torsor_ik_solve(ik, nan, R, 1, q, nullptr, &count) == TORSOR_NOT_FINITE);
  CHECK(torsor_ik_solve(nullptr, p, R, 1, q, nullptr, &count) == TORSOR_BAD_ARGUMENT);
  CHECK(torsor_ik_solve(ik, p, R, 1, q, nullptr, nullptr) == TORSOR_BAD_ARGUMENT);
  torsor_ik_free(ik);
  torsor_ik_free(nullptr);
  torsor_free(robot);
}
