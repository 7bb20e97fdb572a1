#include "torsor/dynamics/catalogue.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <set>
#include <string>

#include "torsor/scalar/dual.hpp"
#include "torsor/scalar/trace.hpp"

using namespace torsor;

TEST_CASE("every formulation has a name of its own, a source and a complexity") {
  const auto check = [](const auto& rows) {
    std::set<std::string_view> names;
    for (const auto& row : rows) {
      CHECK(names.insert(row.name).second);
      CHECK(!row.source.empty());
      CHECK(row.complexity.starts_with("O("));
    }
    // whatever the model, one formulation can do it
    CHECK(std::any_of(rows.begin(), rows.end(), [](const auto& row) { return row.coupled; }));
  };
  check(inverse_formulations<double>);
  check(mass_formulations<double>);
  check(forward_formulations<double>);
}

TEST_CASE("the catalogues exist over every scalar") {
  CHECK(inverse_formulations<Trace>.size() == inverse_formulations<double>.size());
  CHECK(forward_formulations<Trace>.size() == forward_formulations<float>.size());
  CHECK(mass_formulations<Dual<double>>.size() == mass_formulations<double>.size());
}
