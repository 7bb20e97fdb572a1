// Long equations by named subexpressions: the recursion is recorded over the letters of the robot, folded and shared,
// and what it uses more than once gets a name. A mass matrix has a few hundred operations in this form, and thousands of
// terms when multiplied out; both are the same polynomials.
#pragma once

#include <span>

#include "torsor/scalar/trace.hpp"
#include "torsor/structure/expression.hpp"
#include "torsor/structure/symbolic_robot.hpp"

namespace torsor {

/// A recording with the letters that its inputs are.
struct SymbolicTape {
  Tape tape;
  std::vector<int> variables;  // of Monomial, per input
};

/// Composite bodies: outputs d_ij, i <= j, row by row.
SymbolicTape record_inertia(const SymbolicRobot&);
/// Christoffel coefficients c_jm(i), j <= m, i by i.
SymbolicTape record_christoffel(const SymbolicRobot&);
/// Newton-Euler at rest: G_i.
SymbolicTape record_gravity(const SymbolicRobot&);

/// Some outputs of a recording, by their numbers. What they use twice or more is appended to `definitions` by the names
/// t1, t2, ..., counted on from those there are.
std::vector<Expression> name_subexpressions(const SymbolicTape&, std::span<const std::size_t> outputs,
                                            std::vector<Definition>& definitions);

}  // namespace torsor
