// Rows of states through the C interface beside Dynamics, in both precisions.
#include <doctest/doctest.h>

#include <cmath>
#include <string>

#include "c/torsor.h"
#include "tests/support/random_robot.hpp"
#include "torsor/dynamics.hpp"

using namespace torsor;
using namespace torsor::testing;

namespace {

template <class Real>
StateRows<Real> rows(std::vector<Real>& x, std::size_t states) {
  return {x.data(), static_cast<std::ptrdiff_t>(x.size() / states)};
}
template <class Real>
StateRows<const Real> given(const std::vector<Real>& x, std::size_t states) {
  return {x.data(), static_cast<std::ptrdiff_t>(x.size() / states)};
}

// the functions of both precisions under one name
torsor_status inverse(torsor_robot* r, std::size_t n, const double* q, const double* qd, const double* qdd,
                      double* tau) {
  return torsor_inverse_rows(r, n, q, qd, qdd, tau);
}
torsor_status inverse(torsor_robot* r, std::size_t n, const float* q, const float* qd, const float* qdd, float* tau) {
  return torsor_inverse_rows_float(r, n, q, qd, qdd, tau);
}
torsor_status coriolis(torsor_robot* r, std::size_t n, const double* q, const double* qd, double* tau) {
  return torsor_coriolis_rows(r, n, q, qd, tau);
}
torsor_status coriolis(torsor_robot* r, std::size_t n, const float* q, const float* qd, float* tau) {
  return torsor_coriolis_rows_float(r, n, q, qd, tau);
}
torsor_status mass(torsor_robot* r, std::size_t n, const double* q, double* M) { return torsor_mass_rows(r, n, q, M); }
torsor_status mass(torsor_robot* r, std::size_t n, const float* q, float* M) {
  return torsor_mass_rows_float(r, n, q, M);
}
torsor_status forward(torsor_robot* r, std::size_t n, const double* q, const double* qd, const double* tau,
                      double* qdd) {
  return torsor_forward_rows(r, n, q, qd, tau, qdd);
}
torsor_status forward(torsor_robot* r, std::size_t n, const float* q, const float* qd, const float* tau, float* qdd) {
  return torsor_forward_rows_float(r, n, q, qd, tau, qdd);
}
torsor_status tool(torsor_robot* r, std::size_t n, const double* q, double* X, double* J) {
  return torsor_tool_rows(r, n, q, X, J);
}
torsor_status tool(torsor_robot* r, std::size_t n, const float* q, float* X, float* J) {
  return torsor_tool_rows_float(r, n, q, X, J);
}

template <class Real>
void compare(const std::string& name, int threads) {
  CAPTURE(name);
  CAPTURE(threads);
  Random random(520);
  const Robot cpp = Robot::load(name);
  const Model<double>& model = cpp.model();
  const double a[] = {0.5, -1, 2};
  Dynamics dynamics(cpp, {.threads = threads});
  REQUIRE(dynamics.set_loads(BodyLoads<double>{{{}, {}, {a[0], a[1], a[2]}}, {}}));
  torsor_robot* robot = nullptr;
  REQUIRE(torsor_load(name.c_str(), &robot) == TORSOR_OK);
  REQUIRE(torsor_set_base_motion(robot, nullptr, nullptr, a) == TORSOR_OK);
  REQUIRE(torsor_set_threads(robot, threads) == TORSOR_OK);  // keeps what acts

  constexpr std::size_t states = 37;
  const std::size_t nv = static_cast<std::size_t>(model.nv);
  std::vector<Real> q, qd, qdd;
  for (std::size_t s = 0; s < states; ++s) {
    const auto [position, velocity, acceleration] = random_state(random, model);
    q.insert(q.end(), position.begin(), position.end());
    qd.insert(qd.end(), velocity.begin(), velocity.end());
    qdd.insert(qdd.end(), acceleration.begin(), acceleration.end());
  }
  const auto n = static_cast<std::int64_t>(states);
  std::vector<Real> tau(states * nv), expected(tau), M(states * nv * nv), expected_M(M), X(states * 12), expected_X(X),
      J(states * 6 * nv), expected_J(J);

  REQUIRE(dynamics.inverse(n, given(q, states), given(qd, states), given(qdd, states), rows(expected, states)));
  CHECK(inverse(robot, states, q.data(), qd.data(), qdd.data(), tau.data()) == TORSOR_OK);
  CHECK(tau == expected);
  const std::vector<Real> driving = tau;
  REQUIRE(dynamics.forward(n, given(q, states), given(qd, states), given(driving, states), rows(expected, states)));
  CHECK(forward(robot, states, q.data(), qd.data(), driving.data(), tau.data()) == TORSOR_OK);
  CHECK(tau == expected);
  REQUIRE(dynamics.coriolis(n, given(q, states), given(qd, states), rows(expected, states)));
  CHECK(coriolis(robot, states, q.data(), qd.data(), tau.data()) == TORSOR_OK);
  CHECK(tau == expected);
  REQUIRE(dynamics.mass(n, given(q, states), rows(expected_M, states)));
  CHECK(mass(robot, states, q.data(), M.data()) == TORSOR_OK);
  CHECK(M == expected_M);
  REQUIRE(dynamics.tool(n, given(q, states), rows(expected_X, states), rows(expected_J, states)));
  CHECK(tool(robot, states, q.data(), X.data(), J.data()) == TORSOR_OK);
  CHECK(X == expected_X);
  CHECK(J == expected_J);

  // without rates: at rest, one state as many
  CHECK(inverse(robot, states, q.data(), static_cast<const Real*>(nullptr), static_cast<const Real*>(nullptr),
                tau.data()) == TORSOR_OK);
  const Numbers first(q.begin(), q.begin() + model.nq);
  Numbers one(nv);
  REQUIRE(torsor_gravity(robot, first.data(), one.data()) == TORSOR_OK);
  const double close = std::is_same_v<Real, float> ? 1e-4 : 1e-11;
  for (std::size_t k = 0; k < nv; ++k)
    CHECK(std::abs(static_cast<double>(tau[k]) - one[k]) < close * (1 + std::abs(one[k])));

  // one row that is not finite spoils no other
  std::vector<Real> spoiled = q;
  spoiled[static_cast<std::size_t>(3 * model.nq)] = static_cast<Real>(NAN);
  expected = tau;
  CHECK(inverse(robot, states, spoiled.data(), static_cast<const Real*>(nullptr), static_cast<const Real*>(nullptr),
                tau.data()) == TORSOR_OK);
  for (std::size_t s = 0; s < states; ++s)
    for (std::size_t k = s * nv; k < (s + 1) * nv; ++k)
      if (s != 3) CHECK(std::abs(tau[k] - expected[k]) <= static_cast<Real>(close) * (1 + std::abs(expected[k])));
  torsor_free(robot);
}

}  // namespace

TEST_CASE("rows in C are those of Dynamics, in both precisions, on one thread and on several") {
  for (const char* name : {"puma560", "iiwa14", "floating"})
    for (const int threads : {1, 2}) {
      compare<double>(name, threads);
      compare<float>(name, threads);
    }
}

TEST_CASE("rows in C refuse what cannot be: no arrays, outputs in inputs, more states than memory") {
  torsor_robot* robot = nullptr;
  REQUIRE(torsor_load("two_link", &robot) == TORSOR_OK);
  Numbers q(20), tau(20, 7.0), M(40);
  CHECK(torsor_inverse_rows(nullptr, 10, q.data(), nullptr, nullptr, tau.data()) == TORSOR_BAD_ARGUMENT);
  CHECK(torsor_inverse_rows(robot, 10, nullptr, nullptr, nullptr, tau.data()) == TORSOR_BAD_ARGUMENT);
  CHECK(torsor_inverse_rows(robot, 10, q.data(), nullptr, nullptr, nullptr) == TORSOR_BAD_ARGUMENT);
  CHECK(torsor_forward_rows(robot, 10, q.data(), nullptr, tau.data(), tau.data()) == TORSOR_BAD_ARGUMENT);
  CHECK(torsor_forward_rows(robot, 5, q.data(), nullptr, tau.data(), tau.data() + 8) == TORSOR_BAD_ARGUMENT);
  CHECK(torsor_mass_rows(robot, std::size_t(-1) / 2, q.data(), M.data()) == TORSOR_BAD_ARGUMENT);
  for (const double x : tau) CHECK(x == 7.0);
  CHECK(torsor_inverse_rows(robot, 0, nullptr, nullptr, nullptr, nullptr) == TORSOR_OK);
  CHECK(torsor_forward_rows(robot, 5, q.data(), nullptr, tau.data(), tau.data() + 10) == TORSOR_OK);
  torsor_free(robot);
}
