#include "torsor/trajectory/time_function.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <numbers>
#include <string>

#include "torsor/scalar/dual.hpp"
#include "torsor/trajectory/time_law.hpp"

using namespace torsor;

namespace {

using D = Dual<Dual<double>>;

D variable(double t) { return D(Dual<double>::variable(t), {Dual<double>(1)}); }

void check_against(const TimeFunction& f, double t, const D& exact) {
  const TimeValue at = f(t);
  CAPTURE(t);
  CHECK(at.f == doctest::Approx(exact.value.value).epsilon(1e-14));
  CHECK(at.fd == doctest::Approx(exact.value.tangent[0]).epsilon(1e-14));
  CHECK(at.fdd == doctest::Approx(exact.tangent[0].tangent[0]).epsilon(1e-13));
}

// fourth-order central differences of f and f'; what is judged is that one is the derivative of the other
void check_derivatives(const TimeFunction& f, double t, double h, double tolerance) {
  const auto difference = [&](auto&& part) {
    return (8 * (part(f(t + h)) - part(f(t - h))) - (part(f(t + 2 * h)) - part(f(t - 2 * h)))) / (12 * h);
  };
  CAPTURE(t);
  CHECK(std::abs(difference([](const TimeValue& v) { return v.f; }) - f(t).fd) < tolerance);
  CHECK(std::abs(difference([](const TimeValue& v) { return v.fd; }) - f(t).fdd) < tolerance);
}

}  // namespace

TEST_CASE("constants, polynomials and harmonics have the derivatives of duals") {
  for (const double t : {-1.7, 0.0, 0.3, 2.5}) {
    const D x = variable(t);
    check_against(constant_in_time(1.25), t, D(1.25));
    check_against(polynomial_in_time({}), t, D(0));
    check_against(polynomial_in_time({2}), t, D(2));
    check_against(polynomial_in_time({1, -2, 0.5, 3}), t, D(1) - D(2) * x + D(0.5) * x * x + D(3) * x * x * x);
    const D w = D(2 * std::numbers::pi * 0.7);
    check_against(harmonic_in_time(0.4, 1.5, 0.7, 0.2), t, D(0.4) + D(1.5) * sin(w * x + D(0.2)));
  }
}

TEST_CASE("a law in time rests before and after, and in between has the derivatives of its row") {
  for (const auto& law : time_laws<D>) {
    CAPTURE(std::string(law.name));
    const TimeFunction f = law_in_time(law.name, -1, 3, 0.5, 2.5);
    for (const double t : {-1.0, 0.5, 2.5, 9.0}) {
      CHECK(f(t).f == (t <= 0.5 ? -1 : 3));
      CHECK(f(t).fd == 0);
      CHECK(f(t).fdd == 0);
    }
    for (const double t : {0.6, 0.9, 1.5, 2.2}) {
      const D u = (variable(t) - D(0.5)) / D(2);
      check_against(f, t, D(-1) + D(4) * law.at(u).s);
    }
  }
}

TEST_CASE("the ramps of a law with a cruise may be given in seconds") {
  // 001: 2.9566 m at 1.27 m/s with ramps of 0.25 s
  const double L = 2.9566366026280604, V = 1.27, T = L / V + 0.25;
  for (const char* law : {"trapezoid", "smooth-trapezoid", "s-curve"}) {
    const TimeFunction f = law_in_time(law, 0, L, 0, T, 0.25);
    for (const double t : {0.26, 1.0, T - 0.26}) {
      CHECK(f(t).fd == doctest::Approx(V).epsilon(1e-13));
      CHECK(f(t).fdd == 0);
    }
    CHECK(f(0.25).f == doctest::Approx(V * 0.125));
  }
  const TimeFunction smooth = law_in_time("smooth-trapezoid", 0, L, 0, T, 0.25);
  CHECK(smooth(0.1).fdd == doctest::Approx(V / 0.25 * (1 - std::cos(2 * std::numbers::pi * 0.1 / 0.25))));
  CHECK(law_in_time("quintic", 0, 1, 0, 2, 0.5)(0.7).f == law_in_time("quintic", 0, 1, 0, 2)(0.7).f);
}

TEST_CASE("a table of a cubic is that cubic, and beyond its ends the parabola that touches there") {
  const TimeFunction cubic = polynomial_in_time({0.3, -1, 2, -0.7});
  std::vector<double> t, f;
  for (const double x : {0.0, 0.2, 0.5, 0.9, 1.0, 1.6}) {
    t.push_back(x);
    f.push_back(cubic(x).f);
  }
  const TimeFunction table = table_in_time(t, f);
  for (double x = 0; x <= 1.6; x += 0.05) {
    CHECK(table(x).f == doctest::Approx(cubic(x).f).epsilon(1e-12));
    CHECK(std::abs(table(x).fd - cubic(x).fd) < 1e-11);
    CHECK(std::abs(table(x).fdd - cubic(x).fdd) < 1e-10);
  }
  const TimeValue end = cubic(1.6), beyond = table(2);
  CHECK(beyond.f == doctest::Approx(end.f + 0.4 * end.fd + 0.08 * end.fdd));
  CHECK(beyond.fd == doctest::Approx(end.fd + 0.4 * end.fdd));
  CHECK(beyond.fdd == doctest::Approx(end.fdd));
  CHECK(table(-1).fdd == doctest::Approx(cubic(0).fdd));
}

TEST_CASE("a table's derivatives are those of its value, between the points and across them") {
  std::vector<double> t, f;
  for (int k = 0; k < 12; ++k) {
    t.push_back(0.1 * k + (k % 3) * 0.02);
    f.push_back(std::sin(3 * t.back()) + 0.2 * (k % 2));
  }
  const TimeFunction table = table_in_time(t, f);
  for (double x = 0.01; x < 1.1; x += 0.013) {
    check_derivatives(table, x, 1e-6, 2e-3);  // across a point the third derivative jumps: first order there
    CHECK(std::isfinite(table(x).fdd));
  }
  for (std::size_t k = 1; k + 1 < t.size(); ++k) {
    CHECK(table(t[k]).f == doctest::Approx(f[k]).epsilon(1e-14));
    CHECK(std::abs(table(t[k] - 1e-9).fdd - table(t[k] + 1e-9).fdd) < 1e-4);
  }
}

TEST_CASE("a periodic table goes on turn after turn with two continuous derivatives") {
  std::vector<double> t, f;
  for (int k = 0; k <= 24; ++k) {
    t.push_back(std::numbers::pi / 12 * k - 1);
    f.push_back(k == 24 ? f.front() : std::cos(t.back()) + 0.3 * std::sin(2 * t.back()));
  }
  const TimeFunction table = periodic_table_in_time(t, f);
  const double period = t.back() - t.front();
  for (double x = -1; x < 5; x += 0.37) {
    check_derivatives(table, x, 1e-4, 1e-4);
    for (const int turns : {-3, 1, 7}) {
      CHECK(table(x + turns * period).f == doctest::Approx(table(x).f).epsilon(1e-12));
      CHECK(table(x + turns * period).fdd == doctest::Approx(table(x).fdd).epsilon(1e-9));
    }
    CHECK(std::abs(table(x).f - (std::cos(x) + 0.3 * std::sin(2 * x))) < 2e-4);
  }
  CHECK(table(t.front() - 1e-9).fd == doctest::Approx(table(t.front() + 1e-9).fd).epsilon(1e-7));
  CHECK(table(t.front() - 1e-9).fdd == doctest::Approx(table(t.front() + 1e-9).fdd).epsilon(1e-6));
}
