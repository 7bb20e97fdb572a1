// Long equations by named subexpressions: the recursion is recorded over the letters of the robot, folded and shared,
// and what it uses more than once gets a name. A mass matrix has a few hundred operations in this form, and thousands of
// terms when multiplied out; both are the same polynomials.
#pragma once

#include <span>

#include "torsor/scalar/trace.hpp"
#include "torsor/symbolic/expression.hpp"
#include "torsor/symbolic/symbolic_robot.hpp"

namespace torsor {

/// A recording with the letters that its inputs are.
struct SymbolicTape {
  Tape tape;
  std::vector<int> variables;  // of Monomial, per input
};

/// The equations by composite bodies, each coefficient in the frames of its own joints. Outputs: d_ij, i <= j, row by row;
/// c_jm(i), j <= m, i by i; G_i.
SymbolicTape record_equations(const SymbolicRobot&);

/// Where these outputs stand.
inline std::size_t first_christoffel(std::size_t n) { return n * (n + 1) / 2; }
inline std::size_t first_gravity(std::size_t n) { return (n + 1) * n * (n + 1) / 2; }

/// Names for what some outputs of a recording use twice or more, all of them together.
class SubexpressionNames {
 public:
  /// `outputs`: all that will be asked for.
  SubexpressionNames(SymbolicTape, std::span<const std::size_t> outputs);

  /// Some of them. What they need and is not there yet is appended to `definitions` by the names t1, t2, ...
  std::vector<Expression> write(std::span<const std::size_t> outputs, std::vector<Definition>& definitions);

 private:
  void write_node(std::size_t k, std::vector<Definition>& definitions);

  SymbolicTape recorded_;
  std::vector<int> uses_;
  std::vector<Expression> values_;
  std::vector<char> written_;
  int next_ = 1;
};

}  // namespace torsor
