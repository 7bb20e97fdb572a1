#include "torsor/formulations/inertia_tourassis_neuman.hpp"

#include <doctest/doctest.h>

#include "tests/support/formulation.hpp"
#include "tests/support/random_robot.hpp"
#include "tests/support/terms.hpp"

using namespace torsor;
using namespace torsor::testing;

TEST_CASE("turning and sliding joints in every order have the inertial coefficients of (22), (A-10) and (A-11)") {
  Random random(431);
  for (const char* joints : {"RRR", "RRP", "RPR", "RPP", "PRR", "PRP", "PPR", "PPP"}) {
    CAPTURE(joints);
    auto forms = *robot_forms(general_arm(3, Convention::standard_dh, joints));
    const Numbers q = random_state(random, forms.model).q, D = mass_matrix(forms.model, q);
    for (const char* name : {"tourassis-neuman", "tourassis-neuman-dh", "q-matrix"}) {
      CAPTURE(name);
      CHECK(relative(mass_by(name, forms, q), D) < 1e-14);
    }
  }
}

TEST_CASE("a sliding joint weighs what lies beyond it, whatever the position (23)") {
  auto forms = *robot_forms(general_arm(3, Convention::standard_dh, "RPR"));
  const double m2 = (*forms.standard)[2].m, m3 = (*forms.standard)[3].m;
  for (const double q : {0.0, 1.0, 2.0})
    CHECK(mass_by("tourassis-neuman", forms, Numbers{q, q, q})[4] == doctest::Approx(m2 + m3).epsilon(1e-15));
}

TEST_CASE("links without mass do no harm to (22)") {
  Description arm = general_arm(4, Convention::standard_dh);
  for (LinkDescription& link : arm.links) link.parts[0].mass = 0;
  auto forms = *robot_forms(arm);
  const Numbers q{0.3, -1.2, 2.1, 0.7};
  CHECK(relative(mass_by("tourassis-neuman", forms, q), mass_matrix(forms.model, q)) < 1e-14);
}

TEST_CASE("(22) takes operations that grow with n^2") {
  for (int n = 2; n <= 12; ++n) {
    CAPTURE(n);
    const OperationCount all = operations(mass_formulations<Trace>(), "tourassis-neuman", n);
    CHECK(all.multiplications == 6 * n * n + 119 * n - 80);
    CHECK(2 * all.additions == 11 * n * n + 209 * n - 148);
  }
}
