#include "torsor/formulations/inverse_lagrange_euler_cached.hpp"

#include "tests/support/counted.hpp"
#include "tests/support/random_robot.hpp"

using namespace torsor;
using namespace torsor::testing;

TEST_CASE("cached Lagrange-Euler takes its known number of operations, from two to twelve joints") {
  for (int n = 2; n <= 12; ++n) {
    CAPTURE(n);
    const int n2 = n * n, n3 = n2 * n, n4 = n3 * n;
    CHECK(counted("lagrange-euler-cached", n, Rule::structured) ==
          cost((3 * n4 + 19 * n3 + 138 * n2 - 70 * n + 28) / 2, (3 * n4 + 15 * n3 + 96 * n2 - 56 * n + 24) / 2));
  }
}

TEST_CASE("cached Lagrange-Euler is not above what row dots over cached U, U_jkm and U J need") {
  for (int n = 1; n <= 12; ++n) {
    CAPTURE(n);
    const int n2 = n * n, n3 = n2 * n, n4 = n3 * n;
    const OperationCount c = counted("lagrange-euler-cached", n, Rule::structured);
    CHECK(2 * c.multiplications <= 3 * n4 + 27 * n3 + 130 * n2 - 44 * n + 22);
    CHECK(2 * c.additions <= 3 * n4 + 19 * n3 + 89 * n2 - 33 * n + 16);
  }
}

TEST_CASE("caching changes no coefficient of Lagrange-Euler") {
  Random random(42);
  for (int n = 1; n <= 7; ++n) {
    CAPTURE(n);
    const DhArm<double> arm = *dh_arm(random_dh_arm(random, n, Convention::standard_dh, 0.4), Convention::standard_dh);
    DhPosition<double> position(n);
    position.set(arm, random.numbers(n, 2));
    LagrangeEulerWork<double> work(arm);
    CachedLagrangeEulerWork<double> cached(arm);
    Numbers D(n * n), D_cached(n * n), h(n * n * n), h_cached(n * n * n);
    inertia_lagrange_euler<double>(arm, position, work, D);
    inertia_lagrange_euler_cached<double>(arm, position, cached, D_cached);
    CHECK(relative(D_cached, D) < 1e-14);
    christoffel_lagrange_euler<double>(arm, position, work, h);
    christoffel_lagrange_euler_cached<double>(arm, position, cached, h_cached);
    CHECK(difference(h_cached, h) < 1e-14 * largest(D));
  }
}
