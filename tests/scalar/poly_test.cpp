#include "torsor/scalar/poly.hpp"

#include <doctest/doctest.h>

#include <random>

#include "torsor/scalar/modular.hpp"

using namespace torsor;

namespace {

// two angles and two parameters
const Poly c1 = Poly::cosine(0), s1 = Poly::sine(0), c2 = Poly::cosine(1), s2 = Poly::sine(1);
const Poly a = Poly::parameter(0), b = Poly::parameter(1);

/// A sum of a few products of the six variables; a to the second power.
Poly random_poly(std::mt19937_64& engine) {
  Poly p;
  std::uniform_int_distribution<int> few(0, 1), coefficient(-9, 9), size(0, 6), below(1, 4);
  for (int k = size(engine); k > 0; --k) {
    Poly term(*fraction(coefficient(engine), below(engine)));
    for (const Poly* x : {&c1, &s1, &c2, &s2, &a, &a, &b})
      for (int e = few(engine); e > 0; --e) term *= *x;
    p += term;
  }
  return p;
}

/// A value of every variable, cosines and sines on the circle.
std::vector<Modular> random_point(std::mt19937_64& engine) {
  std::vector<Modular> values(Monomial::variables);
  for (int k = 0; k < Monomial::angles; ++k) {
    const CirclePoint p = random_circle_point(engine);
    values[static_cast<std::size_t>(2 * k)] = p.c;
    values[static_cast<std::size_t>(2 * k + 1)] = p.s;
  }
  for (std::size_t k = Monomial::first_parameter; k < values.size(); ++k) values[k] = random_modular(engine);
  return values;
}

Modular value(const Poly& p, const std::vector<Modular>& at) {
  return evaluate<Modular>(p, at, [](const Fraction& f) {
    const Modular size = Modular::of(static_cast<std::uint64_t>(f.numerator < 0 ? -f.numerator : f.numerator));
    return (f.numerator < 0 ? -size : size) / Modular::of(static_cast<std::uint64_t>(f.denominator));
  });
}

}  // namespace

TEST_CASE("the square of a sine is reduced, so that equal functions are equal polynomials") {
  CHECK(c1 * c1 + s1 * s1 == Poly(1));
  CHECK((s1 * s2) * (s1 * s2) == (Poly(1) - c1 * c1) * (Poly(1) - c2 * c2));
  // the addition theorem, squared
  const Poly c12 = c1 * c2 - s1 * s2, s12 = s1 * c2 + c1 * s2;
  CHECK(c12 * c12 + s12 * s12 == Poly(1));
  CHECK((s1 * s1 * s1 * s1).terms().size() == 3);
  CHECK_FALSE(c1 == s1);
}

TEST_CASE("like terms are collected and zeros leave nothing behind") {
  CHECK((a + b) * (a - b) == a * a - b * b);
  CHECK((a - a).is_zero());
  CHECK((Poly(0) * a).is_zero());
  CHECK(Poly(Fraction{1, 2}) * a + Poly(Fraction{1, 2}) * a == a);
  CHECK(Poly::of({{{}, {1, 2}}, {{}, {1, 2}}}) == Poly(1));
  CHECK(((a + b) * c1).terms().size() == 2);
}

TEST_CASE("polynomials form a ring, checked at points of a finite field") {
  std::mt19937_64 engine(3);
  const PrimeModulus modulus = random_prime(engine, 360);
  const ModulusScope scope(modulus);
  for (int k = 0; k < 200; ++k) {
    const Poly p = random_poly(engine), q = random_poly(engine);
    const auto at = random_point(engine);
    CHECK(value(p + q, at) == value(p, at) + value(q, at));
    CHECK(value(p - q, at) == value(p, at) - value(q, at));
    CHECK(value(p * q, at) == value(p, at) * value(q, at));
    CHECK(p * q == q * p);
    CHECK((p + q) * p == p * p + q * p);
    CHECK(value(-p, at) == -value(p, at));
  }
}

TEST_CASE("the terms stand in descending order, each once") {
  std::mt19937_64 engine(5);
  for (int k = 0; k < 50; ++k) {
    const Poly p = random_poly(engine) * random_poly(engine);
    for (std::size_t t = 1; t < p.terms().size(); ++t) CHECK(p.terms()[t - 1].monomial > p.terms()[t].monomial);
    for (const PolyTerm& term : p.terms()) CHECK(term.coefficient.numerator != 0);
  }
}

TEST_CASE("derivatives by an angle turn cosine and sine, by a parameter lower its power") {
  CHECK(derivative_by_angle(c1, 0) == -s1);
  CHECK(derivative_by_angle(s1, 0) == c1);
  CHECK(derivative_by_angle(s1 * c1, 0) == Poly(2) * c1 * c1 - Poly(1));
  CHECK(derivative_by_angle(c2 * a, 0).is_zero());
  CHECK(derivative_by_parameter(a * a * b * c1, 0) == Poly(2) * a * b * c1);

  // the rule of products
  std::mt19937_64 engine(7);
  for (int k = 0; k < 50; ++k) {
    const Poly p = random_poly(engine), q = random_poly(engine);
    CHECK(derivative_by_angle(p * q, 1) == derivative_by_angle(p, 1) * q + p * derivative_by_angle(q, 1));
  }
}

TEST_CASE("a monomial tells the variables that it has, from the first one to the last one") {
  const int last = Monomial::variables - 1;
  Monomial m;
  m.raise(0, 7);
  m.raise(15, 1);
  m.raise(16, 3);
  m.raise(last, 2);
  std::vector<std::pair<int, int>> found;
  m.each([&](int v, int exponent) { found.emplace_back(v, exponent); });
  CHECK(found == std::vector<std::pair<int, int>>{{0, 7}, {15, 1}, {16, 3}, {last, 2}});
  CHECK(Poly::parameter(Monomial::parameters - 1) == Poly::variable(last));
}

TEST_CASE("polynomials are divided by constants, and by nothing else") {
  CHECK((a + b) / Poly(-2) == Poly(Fraction{-1, 2}) * a - b / Poly(2));
  CHECK_THROWS_AS(a / b, PolyOverflow);
  CHECK_THROWS_AS(a / Poly(0), PolyOverflow);
}

TEST_CASE("an exponent that does not fit ends the computation") {
  Poly power(1);
  for (int k = 0; k < Monomial::highest_exponent; ++k) power *= a;
  CHECK(power.terms()[0].monomial.exponent(Monomial::first_parameter) == 7);
  CHECK_THROWS_AS(power * a, PolyOverflow);
  CHECK_THROWS_AS((power + b) * (a + b), PolyOverflow);

  // through the reduction, too
  Poly cosines(1);
  for (int k = 0; k < 6; ++k) cosines *= c1;
  CHECK_THROWS_AS((cosines * s1) * (s1 + b), PolyOverflow);
}

TEST_CASE("a coefficient that does not fit ends the computation") {
  const Poly large(Fraction{INT64_MAX, 1});
  CHECK_THROWS_AS(large + Poly(1), PolyOverflow);
  CHECK_THROWS_AS(large * Poly(2), PolyOverflow);
  CHECK_THROWS_AS((large * a + b) * (Poly(2) * a + b), PolyOverflow);
  CHECK_THROWS_AS(Poly(Fraction{1, INT64_MAX}) + Poly(Fraction{1, INT64_MAX - 1}), PolyOverflow);
  CHECK(large - large == Poly(0));
}

TEST_CASE("more products of terms than allowed end the computation, and the limit ends with its scope") {
  const Poly square = (a + b) * (a + b), difference = (a + b) * (a - b);
  {
    const PolyProductLimit limit(8);
    CHECK((a + b) * (a + b) == square);
    CHECK((a + b) * (a - b) == difference);
    CHECK_THROWS_AS(a * b, PolyOverflow);
  }
  CHECK((a + b) * (a + b) == square);
}

TEST_CASE("more terms than allowed end the computation") {
  const PolyTermLimit limit(5);
  CHECK(((a + b) * (c1 + c2)).terms().size() == 4);
  CHECK_THROWS_AS((a + b) * (c1 + c2 + Poly(1)), PolyOverflow);
}
