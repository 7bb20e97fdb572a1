// Every formulation of every catalogue, on every shipped robot and on random serial arms.
#include <doctest/doctest.h>

#include "tests/support/random_robot.hpp"
#include "torsor/formulations/catalogue.hpp"
#include "torsor/files/embedded_robots.hpp"
#include "torsor/files/robot_toml.hpp"
#include "torsor/formulations/forward_catalogue.hpp"
#include "torsor/model/random_position.hpp"

using namespace torsor;
using namespace torsor::testing;

namespace {

Numbers random_rates(Random& random, int n) {
  Numbers rates(n);
  for (double& x : rates) x = random.uniform(-2, 2);
  return rates;
}

/// All rows against the tree's at random states inside the limits; returns how many rows served.
int check_all(Random& random, RobotForms<double>& forms, int states) {
  const Model<double>& model = forms.model;
  const int n = model.nv;
  std::mt19937_64 engine(static_cast<std::uint64_t>(random.below(1 << 30)));
  NewtonEulerWork<double> newton_euler(model);
  CompositeBodyWork<double> composite(model);
  ForwardWork<double> work(model);
  int served = 0;
  for (int state = 0; state < states; ++state) {
    const Numbers q = random_position(model, engine), qd = random_rates(random, n), qdd = random_rates(random, n);
    forms.set(q);
    Numbers tau(n), bias(n), g(n), D(n * n), out(n), matrix(n * n), h(n), c(n);
    inverse_newton_euler<double>(model, forms.configuration, qd, qdd, {}, newton_euler, tau);
    inverse_newton_euler<double>(model, forms.configuration, qd, {}, {}, newton_euler, bias);
    inverse_newton_euler<double>(model, forms.configuration, {}, {}, {}, newton_euler, g);
    inertia_composite_body<double>(model, forms.configuration, composite, D);
    const Numbers velocity = sum(bias, g, -1);
    const double scale = largest(tau) + largest(bias) + largest(g);

    for (const auto& row : inverse_formulations<double>()) {
      if (!refusal(row, forms).empty()) continue;
      CAPTURE(row.name);
      ++served;
      row.prepare(forms)(forms, qd, qdd, out);
      CHECK(disagreement(out, tau, D, qdd, velocity, g) < 1e-12);
    }
    for (const auto& row : coefficients_formulations<double>()) {
      if (!refusal(row, forms).empty()) continue;
      CAPTURE(row.name);
      ++served;
      row.prepare(forms)(forms, qd, matrix, h, c);
      CHECK(difference(matrix, D) < 1e-12 * largest(D));
      CHECK(difference(h, velocity) < 1e-12 * scale);
      CHECK(difference(c, g) < 1e-12 * scale);
    }
    for (const auto& row : christoffel_formulations<double>()) {
      if (!refusal(row, forms).empty()) continue;
      CAPTURE(row.name);
      ++served;
      Numbers h_ikm(n * n * n);
      row.prepare(forms)(forms, h_ikm);
      Numbers contracted(n);
      for (int i = 0; i < n; ++i)
        for (int k = 0; k < n; ++k)
          for (int m = 0; m < n; ++m) {
            contracted[i] += h_ikm[(i * n + k) * n + m] * qd[k] * qd[m];
            CHECK(std::abs(h_ikm[(i * n + k) * n + m] - h_ikm[(i * n + m) * n + k]) <= 1e-12 * largest(h_ikm));
          }
      CHECK(difference(contracted, velocity) < 1e-12 * (scale + n * n * largest(h_ikm)));
    }
    for (const auto& row : mass_formulations<double>()) {
      if (!refusal(row, forms).empty()) continue;
      CAPTURE(row.name);
      ++served;
      row.prepare(forms)(forms, matrix);
      CHECK(difference(matrix, D) < 1e-12 * largest(D));
    }
    for (const auto& row : gravity_formulations<double>()) {
      if (!refusal(row, forms).empty()) continue;
      CAPTURE(row.name);
      ++served;
      row.prepare(forms)(forms, c);
      CHECK(difference(c, g) < 1e-12 * scale);
    }
    for (const auto& row : forward_formulations<double>) {
      if (!row.coupled && model.coupled()) continue;
      CAPTURE(row.name);
      row.run(model, forms.configuration, qd, tau, {}, work, out);
      CHECK(relative(out, qdd) < 1e-9);  // a tool of grams on an arm of tens of kilograms
    }
  }
  return served;
}

}  // namespace

TEST_CASE("every formulation agrees on every shipped robot") {
  Random random(31);
  for (const EmbeddedRobot& embedded : embedded_robots()) {
    CAPTURE(embedded.name);
    const auto robot = read_robot_toml(embedded.text, std::string(embedded.name));
    REQUIRE(robot);
    auto forms = robot_forms(*robot);
    REQUIRE(forms);
    CHECK(check_all(random, *forms, draws(5)) > 0);
  }
}

TEST_CASE(
    "every formulation agrees on random arms of both DH conventions, revolute and prismatic, up to twelve joints") {
  Random random(32);
  for (int k = 0; k < draws(480, 20'000); ++k) {
    CAPTURE(k);
    const Description arm =
        random_dh_arm(random, 1 + k / 2 % 12, k % 2 == 0 ? Convention::standard_dh : Convention::modified_dh, 0.3);
    auto forms = robot_forms(arm);
    REQUIRE(forms);
    REQUIRE(forms->standard);
    check_all(random, *forms, 1);
  }
}
