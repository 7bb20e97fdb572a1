#include "torsor/formulations/catalogue.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <set>
#include <string>

#include "torsor/formulations/forward_catalogue.hpp"
#include "torsor/scalar/trace.hpp"

using namespace torsor;

namespace {

template <class Rows>
void check_labels(const Rows& rows) {
  std::set<std::string_view> names;
  for (const auto& row : rows) {
    CHECK(names.insert(row.name).second);
    CHECK(!row.source.empty());
    CHECK(row.complexity.starts_with("O("));
  }
  // whatever the model, one formulation can do it
  if constexpr (requires { rows[0].can; })
    CHECK(std::any_of(rows.begin(), rows.end(), [](const auto& row) { return row.can.trees; }));
  else
    CHECK(std::any_of(rows.begin(), rows.end(), [](const auto& row) { return row.coupled; }));
}

}  // namespace

TEST_CASE("every formulation has a name of its own, a source and a complexity") {
  check_labels(inverse_formulations<double>());
  check_labels(coefficients_formulations<double>());
  check_labels(christoffel_formulations<double>());
  check_labels(mass_formulations<double>());
  check_labels(gravity_formulations<double>());
  check_labels(forward_formulations<double>);
}

TEST_CASE("the catalogues exist over double and over recordings") {
  CHECK(inverse_formulations<Trace>().size() == inverse_formulations<double>().size());
  CHECK(coefficients_formulations<Trace>().size() == coefficients_formulations<double>().size());
  CHECK(mass_formulations<Trace>().size() == mass_formulations<double>().size());
  CHECK(forward_formulations<Trace>.size() == forward_formulations<float>.size());
}
