// Lanes are numbers: each does what double does, and the arc tangent holds over the whole plane.
#include "torsor/scalar/pack.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <limits>

#include "tests/support/random.hpp"

using namespace torsor;
using namespace torsor::testing;

namespace {

using P = Pack<double, 4>;

/// Distance of x from the true value, in units of the last place of double there.
double ulps(double x, long double exact) {
  const double near = static_cast<double>(exact);
  const double ulp = std::nextafter(std::abs(near), std::numeric_limits<double>::infinity()) - std::abs(near);
  return static_cast<double>(std::abs(static_cast<long double>(x) - exact) / static_cast<long double>(ulp));
}

bool same(double a, double b) {
  return (a == b && std::signbit(a) == std::signbit(b)) || (std::isnan(a) && std::isnan(b));
}

}  // namespace

TEST_CASE("every lane does what double does") {
  Random random(1);
  for (int k = 0; k < 1000; ++k) {
    std::array<double, 4> a{}, b{};
    for (std::size_t i = 0; i < 4; ++i) {
      a[i] = random.uniform(-2, 2);
      b[i] = random.chance(0.2) ? a[i] : random.uniform(-2, 2);
    }
    const P A(a), B(b);
    for (int i = 0; i < 4; ++i) {
      const double x = a[static_cast<std::size_t>(i)], y = b[static_cast<std::size_t>(i)];
      CHECK((A + B)[i] == x + y);
      CHECK((A - B)[i] == x - y);
      CHECK((A * B)[i] == x * y);
      CHECK((A / B)[i] == x / y);
      CHECK((-A)[i] == -x);
      CHECK(abs(A)[i] == std::abs(x));
      CHECK(sqrt(abs(A))[i] == std::sqrt(std::abs(x)));
      CHECK(copysign(A, B)[i] == std::copysign(x, y));
      CHECK((A < B)[i] == (x < y));
      CHECK((A > B)[i] == (x > y));
      CHECK((A == B)[i] == (x == y));
      CHECK(select(A < B, A, B)[i] == std::min(x, y));
    }
    CHECK(any(A < B) == (a[0] < b[0] || a[1] < b[1] || a[2] < b[2] || a[3] < b[3]));
    CHECK(all(A < B) == (a[0] < b[0] && a[1] < b[1] && a[2] < b[2] && a[3] < b[3]));
  }
}

TEST_CASE("the arc tangent is within two units of the last place, over all directions and sizes") {
  Random random(2);
  double worst = 0;
  for (int k = 0; k < draws(100000); ++k) {
    std::array<double, 4> x{}, y{};
    for (std::size_t i = 0; i < 4; ++i) {
      const double size = std::pow(10, random.uniform(-300, 300));
      x[i] = random.uniform(-1, 1) * size;
      y[i] = random.uniform(-1, 1) * (random.chance(0.5) ? size : size * std::pow(10, random.uniform(-7, 7)));
    }
    const P angle = atan2(P(y), P(x));
    for (std::size_t i = 0; i < 4; ++i)
      worst = std::max(worst, ulps(angle[static_cast<int>(i)],
                                   std::atan2(static_cast<long double>(y[i]), static_cast<long double>(x[i]))));
  }
  CHECK(worst < 2);  // beside the diagonals a sum and a division are rounded before the series
}

TEST_CASE("on the unit circle the angle comes cheaper and no worse") {
  Random random(3);
  double worst = 0;
  for (int k = 0; k < draws(100000); ++k) {
    std::array<double, 4> c{}, s{};
    for (std::size_t i = 0; i < 4; ++i) {
      const double angle = random.uniform(-3.2, 3.2) * std::pow(10, random.chance(0.5) ? 0 : random.uniform(-12, 0));
      c[i] = std::cos(angle);
      s[i] = std::sin(angle);
    }
    const P angle = angle_of(P(c), P(s));
    for (std::size_t i = 0; i < 4; ++i)
      worst = std::max(worst, ulps(angle[static_cast<int>(i)],
                                   std::atan2(static_cast<long double>(s[i]), static_cast<long double>(c[i]))));
  }
  CHECK(worst < 2);
  const P axes = angle_of(P({1, 0, -1, 0}), P({0, 1, 0, -1}));
  const double pi = std::acos(-1.0);
  CHECK(axes.lanes() == std::array<double, 4>{0, pi / 2, pi, -pi / 2});
}

TEST_CASE("on axes and diagonals, at zero, at infinity and among the smallest numbers it is what the standard says") {
  const double infinite = std::numeric_limits<double>::infinity(), least = std::numeric_limits<double>::denorm_min(),
               normal = std::numeric_limits<double>::min(), most = std::numeric_limits<double>::max();
  const double values[] = {0.0,  -0.0,  1.0,      -1.0,   least, -least,   3 * least, normal,      -normal,
                           most, -most, most / 2, 1e-200, 1e200, infinite, -infinite, std::nan("")};
  for (const double y : values)
    for (const double x : values) {
      CAPTURE(y);
      CAPTURE(x);
      const double angle = atan2(P(y), P(x))[2], standard = std::atan2(y, x);
      CHECK((same(angle, standard) ||
             ulps(angle, std::atan2(static_cast<long double>(y), static_cast<long double>(x))) < 2));
    }
}
