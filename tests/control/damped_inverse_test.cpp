#include "torsor/control/damped_inverse.hpp"

#include <doctest/doctest.h>

#include <array>

#include "tests/support/random.hpp"

using namespace torsor;
using namespace torsor::testing;

namespace {

// Givens rotations left and right of diag(sigma): singular values known
std::array<double, 4> with_values(double large, double small, double a, double b) {
  const double ca = std::cos(a), sa = std::sin(a), cb = std::cos(b), sb = std::sin(b);
  return {ca * large * cb + sa * small * sb, ca * large * sb - sa * small * cb, sa * large * cb - ca * small * sb,
          sa * large * sb + ca * small * cb};
}

}  // namespace

TEST_CASE("away from singular matrices it is the inverse, and nothing is lost") {
  Random random(2);
  for (int k = 0; k < 50; ++k) {
    const double small = random.uniform(1.01 * DampedInverse::damped_below, 1);
    const std::array<double, 4> A = with_values(1, small, random.uniform(-3, 3), random.uniform(-3, 3));
    DampedInverse inverse(2, 2);
    inverse.set(A);
    const std::array<double, 2> y{random.uniform(-1, 1), random.uniform(-1, 1)};
    std::array<double, 2> x{};
    CHECK(inverse.solve(y, x) < 1e-13);
    CHECK(inverse.smallest() == doctest::Approx(small).epsilon(1e-12));
    CHECK(std::abs(A[0] * x[0] + A[1] * x[1] - y[0]) < 1e-13);
    CHECK(std::abs(A[2] * x[0] + A[3] * x[1] - y[1]) < 1e-13);
  }
}

TEST_CASE("towards a singular matrix the answer stays bounded, and what is lost is the difference that remains") {
  Random random(3);
  constexpr double s = DampedInverse::damped_below;
  for (const double small : {0.999 * s, 0.5 * s, 0.1 * s, 1e-9, 0.0}) {
    const double a = random.uniform(-3, 3);
    const std::array<double, 4> A = with_values(1, small, a, random.uniform(-3, 3));
    DampedInverse inverse(2, 2);
    inverse.set(A);
    // all of y in the weak direction
    const std::array<double, 2> y{std::sin(a), -std::cos(a)};
    std::array<double, 2> x{};
    const double lost = inverse.solve(y, x);
    CHECK(std::hypot(x[0], x[1]) == doctest::Approx(small / (s * s)).epsilon(1e-9).scale(1));
    CHECK(std::hypot(x[0], x[1]) <= 1 / s);
    CHECK(lost == doctest::Approx(1 - small * small / (s * s)).epsilon(1e-9));
    CHECK(std::hypot(A[0] * x[0] + A[1] * x[1] - y[0], A[2] * x[0] + A[3] * x[1] - y[1]) ==
          doctest::Approx(lost).epsilon(1e-9));
  }
}

TEST_CASE("a matrix of zeros gives zero and loses all") {
  DampedInverse inverse(2, 3);
  inverse.set(std::array<double, 6>{});
  std::array<double, 3> x{1, 1, 1};
  CHECK(inverse.solve(std::array<double, 2>{3, 4}, x) == 5);
  CHECK(x == std::array<double, 3>{});
}
