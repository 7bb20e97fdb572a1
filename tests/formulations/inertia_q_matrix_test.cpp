#include "torsor/formulations/inertia_q_matrix.hpp"

#include <doctest/doctest.h>

#include "tests/support/formulation.hpp"

using namespace torsor;
using namespace torsor::testing;

TEST_CASE("the trace of the Q-matrix form is the sum over point masses of their velocities' products") {
  // a point mass r in frame 1 of a turning joint: d_11 = m (r_x^2 + r_y^2) about z of frame 0
  DhArm<double> arm;
  arm.links.resize(1);
  arm.links[0].m = 2;
  arm.links[0].r = {0.3, -0.4, 5};
  DhPosition<double> position(1);
  position.set(arm, Numbers{0.8});
  QMatrixWork<double> work(arm);
  Numbers D(1);
  inertia_q_matrix<double>(arm, position, work, D);
  CHECK(D[0] == doctest::Approx(2 * (0.09 + 0.16)).epsilon(1e-14));
}

TEST_CASE("the Q-matrix form takes operations that grow with n^3, and more than (A-10) from two joints on") {
  for (int n = 1; n <= 10; ++n) {
    CAPTURE(n);
    const OperationCount all = operations(mass_formulations<Trace>(), "q-matrix", n);
    CHECK(2 * all.multiplications == 37 * n * n * n + 108 * n * n - 75 * n + 22);
    CHECK(2 * all.additions == 28 * n * n * n + 75 * n * n - 57 * n + 16);
    const OperationCount fewer = operations(mass_formulations<Trace>(), "tourassis-neuman-dh", n);
    CHECK((n == 1 || all.multiplications > fewer.multiplications));
  }
}
