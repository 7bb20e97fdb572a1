#include "torsor/control/controller_model.hpp"

#include <doctest/doctest.h>

#include "tests/support/closed_loop.hpp"

using namespace torsor;
using namespace torsor::testing;

TEST_CASE("the C of a controller's model makes dM/dt - 2C skew and gives the velocity efforts of inverse dynamics") {
  Random random(4);
  for (const char* name : {"puma560", "stanford", "panda", "two_link"}) {
    const Model<double> model = robot_named(name);
    const int n = model.nv;
    const std::vector<double> q = random.numbers(n, 2), qd = random.numbers(n, 1.5), v = random.numbers(n, 1.5);
    const auto full = make_controller_model(ControllerKind::full, model, q);

    // C column by column; dM/dt by central differences
    std::vector<double> C(cells(n, n)), unit(q.size()), column(q.size());
    for (int j = 0; j < n; ++j) {
      std::fill(unit.begin(), unit.end(), 0.0);
      unit[j] = 1;
      full->coriolis(q, qd, unit, column);
      for (int i = 0; i < n; ++i) C[cell(i, n, j)] = column[i];
    }
    const double h = 1e-5;
    std::vector<double> before = q, behind = q, M0(cells(n, n)), M1(M0.size());
    for (int i = 0; i < n; ++i) before[i] -= h * qd[i], behind[i] += h * qd[i];
    full->mass(before, M0);
    full->mass(behind, M1);
    double skew = 0, size = 0;
    for (int i = 0; i < n; ++i)
      for (int j = 0; j < n; ++j) {
        const double Md = (M1[cell(i, n, j)] - M0[cell(i, n, j)]) / (2 * h);
        skew = std::max(skew, std::abs(Md - C[cell(i, n, j)] - C[cell(j, n, i)]));
        size = std::max(size, std::abs(Md));
      }
    CHECK(skew < 1e-7 * std::max(1.0, size));

    // C(q, qd) qd, and C(q, qd) v = C(q, v) qd = (h(qd + v) - h(qd - v)) / 4
    std::vector<double> bias(q.size()), gravity(q.size()), out(q.size()), sum(q.size()), other(q.size());
    full->inverse(q, qd, {}, bias);
    full->inverse(q, {}, {}, gravity);
    full->coriolis(q, qd, qd, out);
    for (int i = 0; i < n; ++i) CHECK(out[i] == doctest::Approx(bias[i] - gravity[i]).epsilon(1e-11).scale(10));
    for (int i = 0; i < n; ++i) sum[i] = qd[i] + v[i], other[i] = qd[i] - v[i];
    full->inverse(q, sum, {}, bias);
    full->inverse(q, other, {}, gravity);
    full->coriolis(q, qd, v, out);
    for (int i = 0; i < n; ++i) CHECK(out[i] == doctest::Approx((bias[i] - gravity[i]) / 4).epsilon(1e-11).scale(10));
  }
}

TEST_CASE("each kind of controller's model leaves out what its name says") {
  Random random(5);
  const Model<double> model = robot_named("puma560_drives");
  const int n = model.nv;
  const std::vector<double> start(6), q = random.numbers(n, 2), qd = random.numbers(n, 1), qdd = random.numbers(n, 1);
  const auto full = make_controller_model(ControllerKind::full, model, start);
  const auto slow = make_controller_model(ControllerKind::no_coriolis, model, start);
  const auto gravity = make_controller_model(ControllerKind::gravity, model, start);
  std::vector<double> tau(6), expected(6), friction(6);

  // full, with the friction that is added apart, is the model itself
  TreeDynamics<double> tree(model);
  tree.inverse(q, qd, qdd, expected);
  full->inverse(q, qd, qdd, tau);
  full->add_friction(q, qd, tau);
  for (int i = 0; i < n; ++i) CHECK(tau[i] == doctest::Approx(expected[i]).epsilon(1e-13).scale(10));

  full->inverse(q, {}, qdd, expected);
  slow->inverse(q, qd, qdd, tau);
  CHECK(tau == expected);
  slow->coriolis(q, qd, qd, tau);
  CHECK(tau == std::vector<double>(6));

  full->inverse(q, {}, {}, expected);
  const std::vector<double> inertia = free_inertias(*full, start);
  gravity->inverse(q, qd, qdd, tau);
  for (int i = 0; i < n; ++i) CHECK(tau[i] == doctest::Approx(expected[i] + inertia[i] * qdd[i]).epsilon(1e-13));

  for (const std::string_view name : controller_kind_names) CHECK(kind_name(*controller_kind(name)) == name);
  CHECK_FALSE(controller_kind("none"));
}

TEST_CASE(
    "the free inertia of a joint is what its effort divided by its acceleration says when the others are left alone") {
  const Model<double> model = robot_named("puma560");
  const std::vector<double> q{0.1, 0.5, -1, 0.3, 0.6, 0};
  const auto full = make_controller_model(ControllerKind::full, model, q);
  const std::vector<double> inertia = free_inertias(*full, q);
  TreeDynamics<double> tree(model);
  std::vector<double> tau(6), qdd(6), at_rest(6);
  for (int i = 0; i < 6; ++i) {
    tree.gravity(q, tau);
    tau[i] += 1;
    REQUIRE(tree.forward(q, at_rest, tau, qdd) < 0);
    CHECK(inertia[i] == doctest::Approx(1 / qdd[i]).epsilon(1e-9));
  }
}
