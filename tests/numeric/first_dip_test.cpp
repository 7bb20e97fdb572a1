#include "torsor/numeric/first_dip.hpp"

#include <doctest/doctest.h>

#include <random>
#include <vector>

using namespace torsor;

namespace {

template <class P>
std::vector<double> values(int n, P p) {
  std::vector<double> v;
  for (int k = 0; k <= n; ++k) v.push_back(p(k / static_cast<double>(n)));
  return v;
}

}  // namespace

TEST_CASE("the coefficients of Bernstein are those of the polynomial, for every degree") {
  for (int n = 1; n <= highest_dip_degree; ++n) {
    CAPTURE(n);
    // u = sum k/n B_k, and u^n is the last basis function
    const auto line = bernstein(values(n, [](double u) { return 3 - 2 * u; }));
    const auto power = bernstein(values(n, [n](double u) { return std::pow(u, n); }));
    for (int k = 0; k <= n; ++k) {
      CHECK(std::abs(line[static_cast<std::size_t>(k)] - (3 - 2.0 * k / n)) < 1e-12);
      CHECK(std::abs(power[static_cast<std::size_t>(k)] - (k == n ? 1 : 0)) < 1e-12);
    }
    double most = 0;
    for (const auto& row : detail::bernstein_of_values(n)) {
      double sum = 0;
      for (const double x : row) sum += std::abs(x);
      most = std::max(most, sum);
    }
    CHECK(most < 265);
  }
}

TEST_CASE("a dip between two values is found, however narrow, and a near miss is none") {
  for (const double depth : {1e-3, 1e-6, 1e-10, -1e-10, -1e-6}) {
    for (const double centre : {0.04, 0.5, 0.4999, 0.871, 0.9999}) {
      CAPTURE(depth);
      CAPTURE(centre);
      const auto p = [=](double u) { return (u - centre) * (u - centre) * (2 + u * u * u) - depth; };
      const auto dip = first_dip(values(7, p));
      REQUIRE(dip.has_value() == (depth > 0));
      if (!dip) continue;
      CHECK(p(dip->from) >= -1e-14);
      CHECK(p(dip->to) < 1e-14);
      CHECK(dip->from <= centre - std::sqrt(depth / (2 + std::pow(centre, 3))) * (1 - 1e-2));
      CHECK(dip->to <= centre + std::sqrt(depth));
    }
  }
}

TEST_CASE("of several dips the first is given: random polynomials against their zeros") {
  std::mt19937 random(7);
  std::uniform_real_distribution<double> place(-0.3, 1.3);
  for (int draw = 0; draw < 2000; ++draw) {
    CAPTURE(draw);
    std::array<double, 7> zero{};
    for (double& z : zero) z = place(random);
    const auto p = [&](double u) {
      double product = 1;
      for (const double z : zero) product *= u - z;
      return product;
    };
    const double sign = p(0) < 0 ? -1 : 1;
    double first = 2;
    for (const double z : zero)
      if (z > 0) first = std::min(first, z);
    double apart = 1;  // two zeros that are one to rounding are no dip
    for (const double z : zero)
      if (z != first) apart = std::min(apart, std::abs(z - first));
    if (apart < 1e-3) continue;
    const auto dip = first_dip(values(7, [&](double u) { return sign * p(u); }));
    REQUIRE(dip.has_value() == (first <= 1));
    if (!dip) continue;
    CHECK(dip->from <= first + 1e-6);
    CHECK(dip->to >= first - 1e-6);
    for (const double z : zero)
      if (z > first) CHECK(dip->to <= z + 1e-6);
  }
}

TEST_CASE("a curve that leaves zero upwards has no dip at its start") {
  CHECK(!first_dip(values(7, [](double u) { return u; })));
  CHECK(!first_dip(values(7, [](double u) { return u * u * u; })));
  CHECK(!first_dip(values(3, [](double) { return 0.0; })));
  const auto at_once = first_dip(values(7, [](double u) { return -u; }));
  REQUIRE(at_once);
  CHECK(at_once->from == 0);
}
