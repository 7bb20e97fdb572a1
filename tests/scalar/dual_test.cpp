#include "torsor/scalar/dual.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <random>

#include "tests/scalar/residue.hpp"

using namespace torsor;

namespace {

// a Ring that cannot divide
struct Whole {
  int x = 0;
  constexpr Whole(int x_ = 0) : x(x_) {}
  friend constexpr Whole operator+(Whole a, Whole b) { return a.x + b.x; }
  friend constexpr Whole operator-(Whole a, Whole b) { return a.x - b.x; }
  friend constexpr Whole operator-(Whole a) { return -a.x; }
  friend constexpr Whole operator*(Whole a, Whole b) { return a.x * b.x; }
  constexpr Whole& operator+=(Whole b) { return *this = *this + b; }
  constexpr Whole& operator-=(Whole b) { return *this = *this - b; }
};

static_assert(Ordered<Dual<double>> && Ordered<Dual<float>> && Ordered<Dual<double, 8>> && Ordered<Dual<Dual<double>>>);
static_assert(Field<Dual<Residue>> && !Analytic<Dual<Residue>> && !Ordered<Dual<Residue>>);
static_assert(Ring<Dual<Whole>> && !Field<Dual<Whole>>);
static_assert(Field<Dual<Dual<Residue, 2>>>);
static_assert(std::is_convertible_v<double, Dual<double>> && std::is_constructible_v<Dual<Dual<double>>, int>);

// one of everything, smooth where x, y > 0
template <Analytic T>
T everything(const T& x, const T& y) {
  return sin(x * y) / (T(2) + cos(x)) + sqrt(x * x + y) * exp(-y) - atan2(y, x);
}

double everything_x(double x, double y) {
  const double d = 2 + std::cos(x);
  return y * std::cos(x * y) / d + std::sin(x * y) * std::sin(x) / (d * d) + x / std::sqrt(x * x + y) * std::exp(-y) +
         y / (x * x + y * y);
}

double everything_y(double x, double y) {
  const double root = std::sqrt(x * x + y);
  return x * std::cos(x * y) / (2 + std::cos(x)) + std::exp(-y) * (0.5 / root - root) - x / (x * x + y * y);
}

double everything_xy(double x, double y) {
  const double d = 2 + std::cos(x), root = std::sqrt(x * x + y), square = x * x + y * y;
  return (std::cos(x * y) - x * y * std::sin(x * y)) / d + x * std::cos(x * y) * std::sin(x) / (d * d) +
         std::exp(-y) * (-0.5 * x / (root * root * root) - x / root) + (x * x - y * y) / (square * square);
}

}  // namespace

TEST_CASE("the gradient of a function with every operation is its closed form") {
  using D = Dual<double, 2>;
  std::mt19937_64 random(1);
  std::uniform_real_distribution<double> draw(0.1, 3.0);
  for (int trial = 0; trial < 2000; ++trial) {
    const double x = draw(random), y = draw(random);
    const D f = everything(D::variable(x, 0), D::variable(y, 1));
    CHECK(f.value == everything(x, y));
    CHECK(f.tangent[0] == doctest::Approx(everything_x(x, y)).epsilon(1e-13).scale(1));
    CHECK(f.tangent[1] == doctest::Approx(everything_y(x, y)).epsilon(1e-13).scale(1));
  }
}

TEST_CASE("nested duals give first and mixed second derivatives") {
  using D = Dual<double>;
  using DD = Dual<D>;
  std::mt19937_64 random(2);
  std::uniform_real_distribution<double> draw(0.1, 3.0);
  for (int trial = 0; trial < 2000; ++trial) {
    const double x = draw(random), y = draw(random);
    // x along the inner level, y along the outer one
    const DD f = everything(DD(D::variable(x)), DD::variable(D(y)));
    CHECK(f.value.value == everything(x, y));
    CHECK(f.value.tangent[0] == doctest::Approx(everything_x(x, y)).epsilon(1e-13).scale(1));
    CHECK(f.tangent[0].value == doctest::Approx(everything_y(x, y)).epsilon(1e-13).scale(1));
    CHECK(f.tangent[0].tangent[0] == doctest::Approx(everything_xy(x, y)).epsilon(1e-12).scale(1));
  }
}

TEST_CASE("a nested dual of one variable gives its second derivative") {
  using D = Dual<double>;
  using DD = Dual<D>;
  const auto second = [](auto f, double x) { return f(DD(D::variable(x), {D(1.0)})).tangent[0].tangent[0]; };
  const double x = 0.7;
  CHECK(second([](DD t) { return sqrt(t); }, x) == doctest::Approx(-0.25 * std::pow(x, -1.5)).epsilon(1e-14));
  CHECK(second([](DD t) { return sin(t); }, x) == doctest::Approx(-std::sin(x)).epsilon(1e-14));
  CHECK(second([](DD t) { return cos(t); }, x) == doctest::Approx(-std::cos(x)).epsilon(1e-14));
  CHECK(second([](DD t) { return exp(t * DD(3)); }, x) == doctest::Approx(9 * std::exp(3 * x)).epsilon(1e-14));
  CHECK(second([](DD t) { return DD(1) / t; }, x) == doctest::Approx(2 / (x * x * x)).epsilon(1e-14));
  CHECK(second([](DD t) { return atan2(t, DD(1)); }, x) ==
        doctest::Approx(-2 * x / ((1 + x * x) * (1 + x * x))).epsilon(1e-14));
  CHECK(second([](DD t) { return abs(-t * t * t); }, x) == doctest::Approx(6 * x).epsilon(1e-14));
}

TEST_CASE("a sum and a difference carry all tangents, in place as well") {
  using D = Dual<float, 3>;
  const D a(2.0f, {1, 2, 3}), b(0.5f, {4, 5, 6});
  D c = a;
  c += b;
  c -= a;
  c *= a;
  c /= b;
  CHECK(c.value == 2.0f);
  for (std::size_t i = 0; i < 3; ++i) CHECK(c.tangent[i] == a.tangent[i]);
}

TEST_CASE("constants have no tangents, whatever they are made from") {
  CHECK(Dual<double, 8>().tangent == std::array<double, 8>{});
  CHECK(Dual<float>(0.5).value == 0.5f);
  CHECK(Dual<Dual<double>>(3).value.value == 3.0);
  const Dual<double> twice = 2.0 * Dual<double>::variable(1.5) + 1.0;
  CHECK(twice.value == 4.0);
  CHECK(twice.tangent[0] == 2.0);
}

TEST_CASE("duals are ordered by value and select takes the tangents of the chosen branch") {
  using D = Dual<double>;
  const D a(1.0, {10.0}), b(2.0, {-5.0});
  CHECK(a < b);
  CHECK_FALSE(b < a);
  CHECK_FALSE(a < a);
  CHECK((b > a && a <= a && b >= b));
  CHECK(select(a < b, a, b).tangent[0] == 10.0);
  CHECK(select(b < a, a, b).tangent[0] == -5.0);
  CHECK(abs(D(-3.0, {1.0})).value == 3.0);
  CHECK(abs(D(-3.0, {1.0})).tangent[0] == -1.0);
  CHECK(abs(D(3.0, {1.0})).tangent[0] == 1.0);
}

TEST_CASE("over a ring without division the derivative of a polynomial is exact") {
  using D = Dual<Whole>;
  const D x = D::variable(3);
  D y = x * x * x - D(4) * x + (-x);
  y += x;
  y -= D(7);
  CHECK(y.value.x == 8);
  CHECK(y.tangent[0].x == 23);
}

TEST_CASE("over a finite field the derivative of a rational function is exact") {
  using D = Dual<Residue>;
  for (long x = 2; x < 12; ++x) {
    const D t = D::variable(x);
    const D f = (t * t * t - D(5)) / (t + D(1));
    // (3x^2 (x+1) - (x^3 - 5)) / (x+1)^2
    const Residue n = x * x * x - 5, d = x + 1;
    CHECK(f.value == n / d);
    CHECK(f.tangent[0] == (Residue(3 * x * x) * d - n) / (d * d));
  }
}
