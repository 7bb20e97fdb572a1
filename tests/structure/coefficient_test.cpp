#include "torsor/structure/coefficient.hpp"

#include <doctest/doctest.h>

#include <set>

using namespace torsor;

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
