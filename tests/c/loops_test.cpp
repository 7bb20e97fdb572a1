// Robots with closed loops in C: the numbers of Dynamics to the last bit, in the independent joints; what they refuse,
// dead centres; no allocation.
#include <doctest/doctest.h>

#include <cmath>
#include <numbers>
#include <string>

#include "c/torsor.h"
#include "tests/support/allocations.hpp"
#include "tests/support/loop_robots.hpp"
#include "tests/support/random_robot.hpp"
#include "torsor/dynamics.hpp"
#include "torsor/loops/random_closed_position.hpp"
#include "torsor/loops/start_position.hpp"

using namespace torsor;
using namespace torsor::testing;

namespace {

bool says(const char* part) { return std::string(torsor_error_message()).find(part) != std::string::npos; }

}  // namespace

TEST_CASE("in C a robot with loops has the numbers of Dynamics, in its independent joints") {
  for (const std::string& name : Robot::names_with_loops()) {
    CAPTURE(name);
    const Robot given = Robot::load(name);
    torsor_robot* robot = nullptr;
    REQUIRE(torsor_load(name.c_str(), &robot) == TORSOR_OK);
    REQUIRE(torsor_nq(robot) == given.nq());
    REQUIRE(torsor_nv(robot) == given.nv());
    const std::size_t n = static_cast<std::size_t>(given.nv());
    Numbers start(n), lower(n), upper(n);
    REQUIRE(torsor_neutral_position(robot, start.data()) == TORSOR_OK);
    CHECK(start == start_position(given));
    REQUIRE(torsor_limits(robot, lower.data(), upper.data(), nullptr, nullptr) == TORSOR_OK);
    for (std::size_t k = 0; k < n; ++k) {
      CHECK(torsor_velocity_name(robot, static_cast<int>(k)) == given.coordinates().velocity_names[k]);
      CHECK(torsor_position_name(robot, static_cast<int>(k)) == given.coordinates().position_names[k]);
      CHECK(lower[k] == given.coordinates().limits[k].lower);
      CHECK(upper[k] == given.coordinates().limits[k].upper);
    }
    CHECK(torsor_velocity_name(robot, given.nv()) == nullptr);
    CHECK(torsor_link_count(robot) == given.tree().size());

    Dynamics dynamics(given), drawn(given);
    Random random(503);
    std::mt19937_64 engine(1);
    Numbers tau(n), expected(n), M(n * n), expected_M(n * n), qdd(n), J(6 * n), expected_J(6 * n), p(3), R(9);
    for (int k = 0; k < 20; ++k) {
      const Numbers q = *random_closed_position(given, drawn, engine), qd = random.numbers(given.nv(), 1),
                    a = random.numbers(given.nv(), 2);
      REQUIRE(dynamics.inverse(q, qd, a, expected));
      const long before = allocations;
      const torsor_status first = torsor_inverse(robot, q.data(), qd.data(), a.data(), tau.data());
      const torsor_status second = torsor_mass(robot, q.data(), M.data());
      const torsor_status third = torsor_forward(robot, q.data(), qd.data(), tau.data(), qdd.data());
      const torsor_status fourth = torsor_jacobian(robot, q.data(), torsor_frame_count(robot) - 1, J.data());
      CHECK(allocations == before);
      REQUIRE(first == TORSOR_OK);
      REQUIRE(second == TORSOR_OK);
      REQUIRE(third == TORSOR_OK);
      REQUIRE(fourth == TORSOR_OK);
      CHECK(tau == expected);
      REQUIRE(dynamics.mass(q, expected_M));
      CHECK(M == expected_M);
      REQUIRE(dynamics.forward(q, qd, tau, expected));
      CHECK(qdd == expected);
      for (std::size_t i = 0; i < n; ++i) CHECK(qdd[i] == doctest::Approx(a[i]).epsilon(1e-8));
      Transform<double> X;
      REQUIRE(dynamics.frame(q, given.tool(), X, expected_J));
      CHECK(J == expected_J);
      REQUIRE(torsor_kinematics(robot, q.data(), torsor_frame_count(robot) - 1, p.data(), R.data()) == TORSOR_OK);
      CHECK(p == flat(X.p));
      CHECK(R == flat(X.R));
      REQUIRE(torsor_gravity(robot, q.data(), tau.data()) == TORSOR_OK);
      REQUIRE(dynamics.gravity(q, expected));
      CHECK(tau == expected);
      torsor_energies energies;
      REQUIRE(torsor_energy(robot, q.data(), qd.data(), &energies) == TORSOR_OK);
      Energy<double> energy;
      REQUIRE(dynamics.energy(q, qd, energy));
      CHECK(energies.kinetic == energy.kinetic);
      CHECK(energies.potential == energy.potential);
      REQUIRE(torsor_coriolis_matrix(robot, q.data(), qd.data(), M.data()) == TORSOR_OK);
      REQUIRE(dynamics.coriolis_matrix(q, qd, expected_M));
      CHECK(M == expected_M);
      Numbers dq(n * n), expected_dq(n * n);
      const torsor_status slopes =
          torsor_inverse_derivatives(robot, q.data(), qd.data(), a.data(), tau.data(), dq.data(), nullptr, M.data());
      REQUIRE(slopes == TORSOR_OK);
      Numbers dqd(n * n);
      REQUIRE(dynamics.inverse(q, qd, a, expected, {expected_dq, dqd, expected_M}));
      CHECK(dq == expected_dq);
      CHECK(M == expected_M);
    }
    torsor_free(robot);
  }
}

TEST_CASE("in C loops keep payload, gravity and clones; rows are single states") {
  for (const std::string& name : Robot::names_with_loops()) {
    CAPTURE(name);
    const Robot given = Robot::load(name);
    torsor_robot *robot = nullptr, *copy = nullptr;
    REQUIRE(torsor_load(name.c_str(), &robot) == TORSOR_OK);
    const double gravity[] = {0.5, -1, -3}, centre[] = {0.02, 0, 0.01};
    REQUIRE(torsor_set_gravity(robot, gravity) == TORSOR_OK);
    REQUIRE(torsor_set_payload(robot, torsor_frame_count(robot) - 1, 1.5, centre, nullptr) == TORSOR_OK);
    REQUIRE(torsor_clone(robot, &copy) == TORSOR_OK);
    const Robot loaded = given.with_payload({.mass = 1.5, .com = {0.02, 0, 0.01}}).with_gravity({0.5, -1, -3});
    Dynamics dynamics(loaded), drawn(given);
    std::mt19937_64 engine(2);
    const std::size_t n = static_cast<std::size_t>(given.nv());
    Numbers rows, expected(n), tau(n), all(3 * n);
    for (int k = 0; k < 3; ++k) {
      const Numbers q = *random_closed_position(given, drawn, engine);
      rows.insert(rows.end(), q.begin(), q.end());
    }
    REQUIRE(torsor_inverse_rows(copy, 3, rows.data(), nullptr, nullptr, all.data()) == TORSOR_OK);
    for (std::size_t k = 0; k < 3; ++k) {
      const std::span<const double> q(rows.data() + k * n, n);
      REQUIRE(dynamics.gravity(q, expected));
      REQUIRE(torsor_gravity(robot, q.data(), tau.data()) == TORSOR_OK);
      for (std::size_t i = 0; i < n; ++i) {
        CHECK(tau[i] == doctest::Approx(expected[i]).epsilon(1e-11));
        CHECK(all[k * n + i] == doctest::Approx(expected[i]).epsilon(1e-11));
      }
    }
    torsor_free(robot);
    torsor_free(copy);
  }
}

TEST_CASE("in C dead centres and open loops are statuses, and what is not answered for loops is refused") {
  const std::string text = four_bar(1, 0.4, 0.9, 0.8, "actuated = [\"rocker\"]");
  torsor_robot* robot = nullptr;
  REQUIRE(torsor_load_text(text.data(), text.size(), &robot) == TORSOR_OK);
  REQUIRE(torsor_nv(robot) == 1);
  // crank and coupler in line
  const double limit = std::numbers::pi - std::acos((1 + 0.8 * 0.8 - 1.3 * 1.3) / (2 * 0.8));
  const double zero = 0, dead = limit, open = limit - 0.5, good = 1.7;
  double tau = 7;
  CHECK(torsor_massless_coordinate(robot) == -1);
  CHECK(torsor_gravity(robot, &dead, &tau) == TORSOR_SINGULAR);
  CHECK(says("dead centre"));
  CHECK(says("\"rocker\""));
  CHECK(torsor_massless_coordinate(robot) == 0);
  CHECK(torsor_exit_code(TORSOR_SINGULAR) == 1);
  CHECK(torsor_forward(robot, &open, &zero, &zero, &tau) == TORSOR_NO_SOLUTION);
  CHECK(says("cannot be closed"));
  CHECK(tau == 7);
  const double rows[] = {good, open, good};
  double answers[3];
  REQUIRE(torsor_mass_rows(robot, 3, rows, answers) == TORSOR_OK);
  CHECK(answers[0] > 0);
  CHECK(std::isnan(answers[1]));
  CHECK(answers[2] == doctest::Approx(answers[0]).epsilon(1e-13));

  REQUIRE(torsor_loop_count(robot) == 1);
  CHECK(std::string(torsor_loop_name(robot, 0)) == "pin");
  CHECK(torsor_loop_name(robot, 1) == nullptr);
  std::vector<double> loop(6), of_links(6 * static_cast<std::size_t>(torsor_link_count(robot)));
  std::vector<int> unique(static_cast<std::size_t>(torsor_link_count(robot)) + 1, 7);
  double held = 0;
  REQUIRE(torsor_reactions(robot, &good, &zero, &zero, &held, of_links.data()) == TORSOR_OK);
  REQUIRE(torsor_loop_reactions(robot, &good, &zero, &zero, loop.data(), unique.data()) == TORSOR_OK);
  // about its hinge the ground turns the driven rocker alone
  CHECK(of_links[14] == doctest::Approx(held).epsilon(1e-12));
  CHECK(std::abs(of_links[2]) < 1e-12 * std::abs(held));
  CHECK(std::abs(of_links[8]) < 1e-12 * std::abs(held));
  CHECK(std::hypot(loop[3], loop[4]) > 1);
  CHECK(std::abs(loop[2]) < 1e-12);
  // hinges that are all parallel share what acts across the plane
  CHECK(unique == std::vector<int>(unique.size(), 0));
  torsor_ik* ik = nullptr;
  CHECK(torsor_ik_create(robot, 0, &ik) == TORSOR_BAD_INPUT);
  CHECK(ik == nullptr);
  CHECK(says("robot-loops"));
  torsor_free(robot);
}
