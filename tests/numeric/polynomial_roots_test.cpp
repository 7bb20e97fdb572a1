#include "torsor/numeric/polynomial_roots.hpp"

#include <doctest/doctest.h>

#include "tests/support/random.hpp"

using namespace torsor;
using namespace torsor::testing;

namespace {

/// (x - r0)(x - r1)... times a factor.
std::array<double, 5> from_roots(const std::vector<double>& roots, double factor = 1) {
  std::array<double, 5> a{factor};
  for (std::size_t n = 0; n < roots.size(); ++n)
    for (std::size_t i = n + 2; i-- > 0;) a[i] = (i > 0 ? a[i - 1] : 0) - roots[n] * a[i];
  return a;
}

}  // namespace

TEST_CASE("a quartic with four separate roots has them, in order") {
  Random random(1);
  for (int k = 0; k < draws(2000); ++k) {
    std::vector<double> roots{random.uniform(-3, -2), random.uniform(-1.5, -0.5), random.uniform(0, 1),
                              random.uniform(1.5, 9)};
    const RealRoots found = real_roots(from_roots(roots, random.either_sign(0.01, 100)));
    REQUIRE(found.count == 4);
    for (std::size_t i = 0; i < 4; ++i) {
      CHECK(found.x[i] == doctest::Approx(roots[i]).epsilon(1e-11));
      CHECK(!found.touching[i]);
    }
  }
}

TEST_CASE("a double root is one root that touches, beside the others") {
  for (const double apart : {0.0, 1e-9}) {
    const RealRoots found = real_roots(from_roots({-1, 0.5, 0.5 + apart, 2}));
    REQUIRE(found.count == 3);
    CHECK(found.x[0] == doctest::Approx(-1));
    CHECK(found.x[1] == doctest::Approx(0.5).epsilon(1e-8));
    CHECK(found.touching[1]);
    CHECK(!found.touching[0]);
    CHECK(found.x[2] == doctest::Approx(2));
  }
  // a little further apart they are two
  CHECK(real_roots(from_roots({-1, 0.5, 0.5 + 1e-5, 2})).count == 4);
  // and lifted off the axis there are none
  auto lifted = from_roots({0.5, 0.5});
  lifted[0] += 1e-9;
  CHECK(real_roots(lifted).count == 0);
}

TEST_CASE("a triple and a quadruple root are one") {
  for (const auto& roots : {std::vector<double>{1, 1, 1, 3}, std::vector<double>{1, 1, 1, 1}}) {
    const RealRoots found = real_roots(from_roots(roots));
    CHECK(found.count == (roots[3] == 3 ? 2 : 1));
    CHECK(found.x[0] == doctest::Approx(1).epsilon(1e-4));
  }
}

TEST_CASE("lower degrees, constants and roots far out are found, too") {
  CHECK(real_roots({}).count == 0);
  CHECK(real_roots({3}).count == 0);
  CHECK(real_roots({3, 2}).x[0] == -1.5);
  CHECK(real_roots({1, 0, 1}).count == 0);
  const RealRoots far = real_roots(from_roots({-1e8, 1e-3, 2}));
  REQUIRE(far.count == 3);
  CHECK(far.x[0] == doctest::Approx(-1e8));
  CHECK(far.x[1] == doctest::Approx(1e-3).epsilon(1e-9));
  CHECK(far.x[2] == doctest::Approx(2).epsilon(1e-9));
}
