#include "torsor/formulations/inverse_lagrange_euler.hpp"

#include "tests/support/counted.hpp"
#include "tests/support/random_robot.hpp"
#include "torsor/scalar/dual.hpp"

using namespace torsor;
using namespace torsor::testing;

TEST_CASE("Lagrange-Euler without reuse takes its known number of operations for the general 6R") {
  CHECK(counted("lagrange-euler", 6, Rule::dense) == cost(77812, 62383));
  CHECK(counted("lagrange-euler", 6, Rule::structured) == cost(39447, 26143));
}

TEST_CASE("Lagrange-Euler without reuse grows with the fourth power of the joints") {
  for (int n = 2; n <= 8; ++n) {
    CAPTURE(n);
    const int n2 = n * n, n3 = n2 * n, n4 = n3 * n;
    CHECK(counted("lagrange-euler", n, Rule::dense) == cost((240 * n4 + 595 * n3 + 939 * n2 - 1162 * n + 480) / 6,
                                                                  (183 * n4 + 521 * n3 + 789 * n2 - 635 * n) / 6));
    CHECK(counted("lagrange-euler", n, Rule::structured) ==
          cost((117 * n4 + 317 * n3 + 522 * n2 - 392 * n + 138) / 6,
                     (153 * n4 + 428 * n3 + 723 * n2 - 548 * n + 240) / 12));
  }
}

TEST_CASE("a prismatic joint makes Lagrange-Euler cheaper") {
  CHECK(counted("lagrange-euler", 3, Rule::structured, "RPR").multiplications <
        counted("lagrange-euler", 3, Rule::structured).multiplications);
}

TEST_CASE("h_ikm are the Christoffel symbols of D, entry by entry") {
  Random random(41);
  const int n = 5;
  const DhArm<double> arm = *dh_arm(random_dh_arm(random, n, Convention::standard_dh, 0.4), Convention::standard_dh);
  const Numbers q = random.numbers(n, 2);
  DhPosition<double> position(n);
  position.set(arm, q);
  LagrangeEulerWork<double> work(arm);
  Numbers h(n * n * n);
  christoffel_lagrange_euler<double>(arm, position, work, h);

  // dD[m]: the derivative of D by q_m
  using D1 = Dual<double>;
  const DhArm<D1> dual = cast<D1>(arm, [](double x) { return D1(x); });
  LagrangeEulerWork<D1> dual_work(dual);
  std::vector<std::vector<D1>> dD(n, std::vector<D1>(n * n));
  for (int m = 0; m < n; ++m) {
    std::vector<D1> x(q.begin(), q.end());
    x[m].tangent[0] = 1;
    DhPosition<D1> moved(n);
    moved.set(dual, x);
    inertia_lagrange_euler<D1>(dual, moved, dual_work, dD[m]);
  }
  for (int i = 0; i < n; ++i)
    for (int k = 0; k < n; ++k)
      for (int m = 0; m < n; ++m) {
        const double expected =
            (dD[m][i * n + k].tangent[0] + dD[k][i * n + m].tangent[0] - dD[i][k * n + m].tangent[0]) / 2;
        CHECK(std::abs(h[(i * n + k) * n + m] - expected) < 1e-13 * largest(h));
      }
}
