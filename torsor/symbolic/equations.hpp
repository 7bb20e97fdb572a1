// The equations of motion of a serial arm as lines to be printed: each coefficient with its name and an expression.
//
//   D11 = 1/3 m1 l^2 + 4/3 m2 l^2 + m2 l^2 C2        h1 = -m2 l^2 S2 qd1 qd2 - 1/2 m2 l^2 S2 qd2^2        G1 = ...
//
// of tau_i = sum_j Dij qdd_j + h_i + G_i, h_i = sum_j cjj(i) qd_j^2 + sum_{j<m} 2 cjm(i) qd_j qd_m.
// Sums of angles are recombined and common factors collected. Where a coefficient would have more than `longest` terms,
// its part of the equations is written with named subexpressions, which all such parts share. A coefficient that is equal
// or opposite to one before it refers to that. Parts that are far too long are not multiplied out at all.
#pragma once

#include <string>
#include <vector>

#include "torsor/result.hpp"
#include "torsor/symbolic/expression.hpp"
#include "torsor/symbolic/symbolic_options.hpp"

namespace torsor {

struct Description;
class Poly;
struct SymbolicRobot;

enum class EquationForm { automatic, expanded, named };

struct EquationOptions {
  SymbolicParts parts = {};
  int joint = -1;        // of the equation asked for, from 0; -1: all
  bool numeric = false;  // numbers for all letters that do not vary; always expanded
  EquationForm form = EquationForm::automatic;
  int longest = 40;  // terms of one coefficient that are still written out
};

enum class EquationPart { subexpression, inertia, christoffel, velocity, gravity };

struct EquationLine {
  EquationPart part;
  int definition;  // index into Equations::definitions
};

struct Equations {
  Symbols symbols;                      // with those of the sums of angles
  std::vector<Definition> definitions;  // each refers to earlier ones only
  std::vector<EquationLine> lines;      // one per definition, in order
  bool rounded = false;                 // numbers to twelve digits (eighteen places at most): exact ones do not fit
  ExpressionCost cost;
  std::string limit;  // why a part was not multiplied out; which of it is zero is then known by symbolic_zeros
};

/// The lines of a robot's equations; faults where polynomials grow beyond their limits.
Result<Equations> equations(const SymbolicRobot&, const EquationOptions& = {});

/// Those of a robot as it is meant, with letters for its numbers as the options have it; or the faults of either.
Result<Equations> equations(const Description&, const SymbolicOptions&, const EquationOptions& = {});

/// Numbers put in for all letters but those that vary, exactly; where that does not fit, rounded to twelve digits.
Poly with_numbers(const Poly&, const SymbolicRobot&, bool& rounded);

}  // namespace torsor
