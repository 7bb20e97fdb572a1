#include "torsor/formulations/coefficients_probing.hpp"

#include <doctest/doctest.h>

#include "tests/support/formulation.hpp"
#include "tests/support/random_robot.hpp"
#include "tests/support/terms.hpp"

using namespace torsor;
using namespace torsor::testing;

namespace {

OperationCount operator*(int k, const OperationCount& one) {
  OperationCount out;
  for (int i = 0; i < k; ++i) out += one;
  return out;
}

}  // namespace

TEST_CASE("any inverse dynamics can be probed: c in 1 call, h in 1, D in n, all h_ikm in n(n+1)/2") {
  Random random(421);
  for (int k = 0; k < draws(20); ++k) {
    const int n = 1 + k % 7;
    auto forms = *robot_forms(random_dh_arm(random, n, Convention::standard_dh, 0.3));
    RobotForms<double> weightless = forms;
    weightless.model.gravity = {};
    weightless.standard->g = weightless.modified->g = {};
    const State state = random_state(random, forms.model);
    forms.set(state.q);
    weightless.set(state.q);
    const Numbers D = mass_matrix(forms.model, state.q), h = velocity_torques(forms.model, state.q, state.qd),
                  c = gravity(forms.model, state.q), C = coriolis(forms.model, state.q, state.qd);

    for (const auto& row : inverse_formulations<double>()) {
      if (!refusal(row, forms).empty()) continue;
      CAPTURE(row.name);
      InverseRun<double> run = row.prepare(forms), run_weightless = row.prepare(weightless);
      int calls = 0;
      const auto heavy = [&](Rates<const double> qd, Rates<const double> qdd, Rates<double> tau) {
        ++calls;
        run(forms, qd, qdd, tau);
      };
      const auto light = [&](Rates<const double> qd, Rates<const double> qdd, Rates<double> tau) {
        ++calls;
        run_weightless(weightless, qd, qdd, tau);
      };
      ProbingWork<double> work(n);
      Numbers matrix(n * n), out(n), h_ikm(n * n * n);
      const double scale = largest(h) + largest(c);

      CHECK(probe_gravity<double>(heavy, work, out) == 1);
      CHECK(difference(out, c) < 1e-12 * scale);
      CHECK(probe_velocity<double>(light, state.qd, work, out) == 1);
      CHECK(difference(out, h) < 1e-12 * scale);
      CHECK(probe_inertia<double>(light, work, matrix) == n);
      CHECK(relative(matrix, D) < 1e-12);
      CHECK(calls == n + 2);

      calls = 0;
      CHECK(probe_christoffel<double>(light, work, h_ikm) == n * (n + 1) / 2);
      CHECK(calls == n * (n + 1) / 2);
      Numbers contracted(n * n);  // C_im = sum_k h_ikm qd_k
      for (int i = 0; i < n; ++i)
        for (int j = 0; j < n; ++j)
          for (int m = 0; m < n; ++m) contracted[i * n + m] += h_ikm[(i * n + j) * n + m] * state.qd[j];
      CHECK(difference(contracted, C) < 1e-12 * (largest(C) + largest(D)));
    }
  }
}

TEST_CASE("what is probed n times takes n times the operations") {
  for (int n = 1; n <= 8; ++n) {
    CAPTURE(n);
    const OperationCount one = operations(inverse_formulations<Trace>(), "tree-newton-euler", n, Rule::all);
    CHECK(operations(gravity_formulations<Trace>(), "probing", n, Rule::all) == one);
    CHECK(operations(mass_formulations<Trace>(), "probing", n, Rule::all) == n * one);
    CHECK(operations(coefficients_formulations<Trace>(), "probing", n, Rule::all) == (n + 2) * one);
    OperationCount all = (n * (n + 1) / 2) * one;
    all.multiplications += n * n * (n - 1) / 2;  // the halves of mixed coefficients
    all.additions += n * n * (n - 1);            // and the squares taken off
    all.divisions += 1;
    CHECK(operations(christoffel_formulations<Trace>(), "probing", n, Rule::all) == all);
  }
}
