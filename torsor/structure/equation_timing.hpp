// How long it takes to find the equations of an arm, here and now.
#pragma once

#include <string>
#include <vector>

#include "torsor/model/description.hpp"

namespace torsor {

struct EquationTime {
  std::string what;
  std::size_t terms = 0;
  double seconds = 0;
};

/// Polynomials of the robot with its letters, with ten inertial letters for every link, and of the general arm of as many
/// joints (letters for all lengths, twists and linear inertial parameters), each once. Faults where it has no equations.
Result<std::vector<EquationTime>> time_equations(const Description&);

}  // namespace torsor
