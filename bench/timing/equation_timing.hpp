// How long it takes to find the equations of an arm, here and now.
#pragma once

#include <string>
#include <vector>

#include "torsor/fields.hpp"
#include "torsor/model/description.hpp"
#include "torsor/symbolic/expression.hpp"

namespace torsor {

struct EquationTime {
  std::string what;
  std::size_t terms = 0;  // of the independent coefficients multiplied out; none where they are written with names
  double seconds = 0;
  ExpressionCost cost;     // of what is written with names
  double peak_memory = 0;  // of the process so far, bytes
};

constexpr auto fields(Of<EquationTime>) {
  using E = EquationTime;
  return row_list("EquationTime", "", field("name", "", "", &E::what), field("seconds", "s", "", &E::seconds),
                  field("terms", "", "multiplied out",
                        [](const E& e) { return e.terms > 0 ? std::optional(e.terms) : std::nullopt; }),
                  field("multiplications", "", "",
                        [](const E& e) { return e.terms > 0 ? std::nullopt : std::optional(e.cost.multiplications); }),
                  field("additions", "", "",
                        [](const E& e) { return e.terms > 0 ? std::nullopt : std::optional(e.cost.additions); }),
                  field("peak_memory_bytes", "", "", &E::peak_memory));
}

/// Polynomials of the robot with its letters and with ten inertial letters for every link, its equations with named
/// subexpressions, and D of the general arm of as many joints, seven at most (letters for all lengths, twists and linear
/// inertial parameters), each once. Faults where it has no equations.
Result<std::vector<EquationTime>> time_equations(const Description&);

}  // namespace torsor
