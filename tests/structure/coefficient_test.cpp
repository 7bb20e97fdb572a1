#include "torsor/structure/coefficient.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "tests/support/random_robot.hpp"
#include "torsor/formulations/coefficients_composite_body.hpp"

using namespace torsor;
using namespace torsor::testing;

TEST_CASE("there are as many independent coefficients as Table 2 says") {
  CHECK(count_by_kind(independent_coefficients(3)) == CoefficientCounts{3, 3, 6, 2, 3});
  CHECK(count_by_kind(independent_coefficients(6)) == CoefficientCounts{6, 15, 30, 40, 6});
  for (int n = 0; n <= 12; ++n)
    CHECK(total(count_by_kind(independent_coefficients(n))) == n * (2 * n * n + 3 * n + 7) / 6);
  // shared coordinates: D and c are symmetric, no more
  CHECK(total(count_by_kind(independent_coefficients(3, true))) == 6 + 3 * 6 + 3);
}

TEST_CASE("coefficients are named as in the equations, and each once") {
  std::set<std::string> names;
  const auto all = independent_coefficients(4);
  for (const Coefficient& c : all) names.insert(to_text(c, 4));
  CHECK(names.size() == all.size());
  for (const char* name : {"d11", "d24", "c11(2)", "c44(1)", "c12(3)", "c23(1)", "c13(4)", "c34(1)", "G4"})
    CHECK(names.contains(name));
  for (const char* name : {"d21", "c11(1)", "c13(2)", "c12(1)", "c12(2)"}) CHECK_FALSE(names.contains(name));
  CHECK(to_text({CoefficientKind::coriolis, 0, 1, 11}, 12) == "c2,12(1)");
}

TEST_CASE("the matrix C is made of the independent coefficients, by robots of all kinds") {
  Random random(2026);
  for (int k = 0; k < draws(60); ++k) {
    const Model<double> model =
        built(random_robot(random, {.links = 1 + random.below(7), .one_dof = true, .mimics = k % 4 == 3}).description);
    const int n = model.nv;
    const std::size_t size = static_cast<std::size_t>(n);
    const bool coupled = model.S.size() != size;
    Configuration<double> at(model);
    at.set(model, random_state(random, model).q);
    CoefficientsWork<double> work(model);
    std::vector<double> D(size * size), c(size * size * size), G(size);
    coefficients_composite_body<double>(model, at, work, D, c, G);
    double largest = 1e-12;
    for (const double x : c) largest = std::max(largest, std::abs(x));
    for (int i = 0; i < n; ++i)
      for (int j = 0; j < n; ++j) {
        std::vector<double> row(size, 0.0);
        for (const CoriolisTerm& t : coriolis_terms(i, j, n, coupled))
          row[static_cast<std::size_t>(t.m)] += t.sign * value_of<double>(t.of, n, D, c, G);
        for (int m = 0; m < n; ++m)
          CHECK(std::abs(row[static_cast<std::size_t>(m)] - c[cell(i * n + j, n, m)]) <= 1e-13 * largest);
      }
  }
  // each of them is an independent one
  const auto all = independent_coefficients(5);
  for (int i = 0; i < 5; ++i)
    for (int j = 0; j < 5; ++j)
      for (const CoriolisTerm& t : coriolis_terms(i, j, 5)) CHECK(std::ranges::find(all, t.of) != all.end());
  CHECK(coriolis_terms(5, 5, 6).empty());
}

TEST_CASE("a coefficient knows its place") {
  std::vector<double> D(4), c(8), G(2);
  for (std::size_t k = 0; k < 8; ++k) c[k] = 10.0 + static_cast<double>(k);
  D[1] = 1;
  G[1] = 2;
  const auto value = [&](const Coefficient& w) { return value_of<double>(w, 2, D, c, G); };
  CHECK(value({CoefficientKind::mutual_inertia, 0, 1}) == 1);
  CHECK(value({CoefficientKind::centrifugal, 1, 0, 0}) == 14);
  CHECK(value({CoefficientKind::coriolis, 0, 0, 1}) == 11);
  CHECK(value({CoefficientKind::gravity, 1}) == 2);
}
