// The results of generated functions from the equations of motion as polynomials: a second opinion, where a robot is small
// enough for them.
#pragma once

#include <optional>

#include "torsor/codegen/code_function.hpp"
#include "torsor/symbolic/symbolic_dynamics.hpp"

namespace torsor {

/// The equations of a serial arm with up to `most_joints` joints and numbers that are what they are meant to be; nothing for
/// others, and where polynomials grow too large.
struct PolynomialArm {
  SymbolicRobot robot;
  SymbolicDynamics dynamics;
};
std::optional<PolynomialArm> polynomial_arm(const Description&, int most_joints = 6);

/// The results for arguments, one after the other; nothing for functions that are no such equations.
std::optional<std::vector<double>> polynomial_results(const PolynomialArm&, const Model<double>&, CodeFunction,
                                                      const std::vector<double>& arguments);

}  // namespace torsor
