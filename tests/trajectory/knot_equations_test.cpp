#include "torsor/trajectory/knot_equations.hpp"

#include <doctest/doctest.h>

#include <cmath>

#include "tests/support/random.hpp"

using namespace torsor;
using namespace torsor::testing;
using torsor::detail::Column, torsor::detail::stresses;

TEST_CASE("stresses are the derivatives of the polynomial that has the given ends") {
  Random random(84);
  for (int k = 0; k < draws(100); ++k) {
    // q = sum c_i t^i from 0 to h
    const double h = random.uniform(0.1, 2);
    const std::vector<double> c = random.numbers(6, 1);
    const auto derivative = [&](int order, int degree, double t) {
      double sum = 0;
      for (int i = degree; i >= order; --i) {
        double factor = c[static_cast<std::size_t>(i)];
        for (int j = 0; j < order; ++j) factor *= i - j;
        sum = sum * t + factor;
      }
      return sum;
    };
    const auto d3 = [&](int order, double t) { return derivative(order, 3, t); };
    const auto d5 = [&](int order, double t) { return derivative(order, 5, t); };
    const auto cubic = stresses(d3(0, h) - d3(0, 0), Column<1>{d3(1, 0)}, Column<1>{d3(1, h)}, h);
    CHECK(cubic[0][0] == doctest::Approx(d3(2, 0)).epsilon(1e-9));
    CHECK(cubic[1][0] == doctest::Approx(d3(2, h)).epsilon(1e-9));
    const auto quintic = stresses(d5(0, h) - d5(0, 0), Column<2>{d5(1, 0), d5(2, 0)}, Column<2>{d5(1, h), d5(2, h)}, h);
    const double noise = 1e-12 / std::pow(h, 4);
    CHECK(std::abs(quintic[0][0] + d5(4, 0)) < 1e-9 + noise);
    CHECK(std::abs(quintic[0][1] - d5(3, 0)) < 1e-9 + noise);
    CHECK(std::abs(quintic[1][0] + d5(4, h)) < 1e-9 + noise);
    CHECK(std::abs(quintic[1][1] - d5(3, h)) < 1e-9 + noise);
  }
}

TEST_CASE("the equations are symmetric, and elimination solves them") {
  const torsor::detail::KnotInterval<2> a(0.7);
  for (std::size_t r = 0; r < 2; ++r)
    for (std::size_t c = 0; c < 2; ++c) {
      CHECK(a.right_0[r][c] == doctest::Approx(-a.left_1[c][r]));
      CHECK(a.right_1[r][c] == doctest::Approx(a.right_1[c][r]));
    }
  Random random(85);
  torsor::detail::BlockRows<2> rows(6, 1);
  std::vector<double> z = random.numbers(12, 1);
  for (std::size_t i = 0; i < 6; ++i)
    for (std::size_t r = 0; r < 2; ++r)
      for (std::size_t c = 0; c < 2; ++c) {
        rows.lower[i][r][c] = random.uniform(-1, 1);
        rows.upper[i][r][c] = random.uniform(-1, 1);
        rows.diagonal[i][r][c] = (r == c ? 5 : 0) + random.uniform(-1, 1);
        rows.at(i, r, 0) += rows.diagonal[i][r][c] * z[2 * i + c];
        if (i > 0) rows.at(i, r, 0) += rows.lower[i][r][c] * z[2 * i - 2 + c];
        if (i < 5) rows.at(i, r, 0) += rows.upper[i][r][c] * z[2 * i + 2 + c];
      }
  rows.solve();
  for (std::size_t i = 0; i < 12; ++i) CHECK(rows.right[i] == doctest::Approx(z[i]));
}
