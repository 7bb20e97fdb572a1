#include "torsor/formulations/gravity_tourassis_neuman.hpp"

#include <doctest/doctest.h>

#include "tests/support/formulation.hpp"
#include "tests/support/random_robot.hpp"
#include "tests/support/terms.hpp"

using namespace torsor;
using namespace torsor::testing;

TEST_CASE("turning and sliding joints in every order have the gravitational coefficients of (40) and (B-3)") {
  Random random(441);
  for (const char* joints : {"RRR", "RRP", "RPR", "RPP", "PRR", "PRP", "PPR", "PPP"}) {
    CAPTURE(joints);
    auto forms = *robot_forms(general_arm(3, Convention::standard_dh, joints));
    const Numbers q = random_state(random, forms.model).q, c = gravity(forms.model, q);
    CHECK(relative(gravity_by("tourassis-neuman", forms, q), c) < 1e-14);
    CHECK(relative(gravity_by("tourassis-neuman-dh", forms, q), c) < 1e-14);
  }
}

TEST_CASE("a slider that lifts carries the weight of what lies beyond: the sign of (40)") {
  Description arm = general_arm(2, Convention::standard_dh, "PR");
  arm.gravity = {0, 0, -9};
  auto forms = *robot_forms(arm);
  const double weight = 9 * ((*forms.standard)[1].m + (*forms.standard)[2].m);
  CHECK(gravity_by("tourassis-neuman", forms, Numbers{0.1, 0.2})[0] == doctest::Approx(weight).epsilon(1e-15));
}

TEST_CASE("(40) takes operations that grow with n") {
  for (int n = 2; n <= 12; ++n) {
    CAPTURE(n);
    const OperationCount all = operations(gravity_formulations<Trace>(), "tourassis-neuman", n);
    CHECK(all.multiplications == 60 * n - 51);
    CHECK(all.additions == 44 * n - 41);
  }
}
