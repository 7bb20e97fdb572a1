// One formulation of a catalogue, by name: what it answers and what it costs.
#pragma once

#include <doctest/doctest.h>

#include "tests/support/counted.hpp"
#include "tests/support/measure.hpp"

namespace torsor::testing {

/// The row of that name, which must be there.
template <class Row>
const Row& formulation(std::span<const Row> rows, std::string_view name) {
  const Row* row = find_formulation(rows, name);
  REQUIRE(row);
  return *row;
}

/// D (row-major) at q by the mass formulation of that name.
inline Numbers mass_by(std::string_view name, RobotForms<double>& forms, View q) {
  forms.set(q);
  Numbers D(static_cast<std::size_t>(forms.model.nv * forms.model.nv));
  formulation(mass_formulations<double>(), name).prepare(forms)(forms, D);
  return D;
}

/// c at q by the gravity formulation of that name.
inline Numbers gravity_by(std::string_view name, RobotForms<double>& forms, View q) {
  forms.set(q);
  Numbers c(static_cast<std::size_t>(forms.model.nv));
  formulation(gravity_formulations<double>(), name).prepare(forms)(forms, c);
  return c;
}

/// Operations of a row of the catalogue on the general arm of n joints.
template <class Row>
OperationCount operations(std::span<const Row> rows, std::string_view name, int n, Rule rule = Rule::structured) {
  return count(record(formulation(rows, name), general_forms(n)), rule);
}

}  // namespace torsor::testing
