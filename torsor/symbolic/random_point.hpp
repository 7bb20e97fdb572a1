// A symbolic robot at random points of a finite field: every letter a random residue modulo a random prime, every angle
// a random point of the circle. Polynomials too large to be multiplied out are compared there, and with zero.
//
// A polynomial of degree d that is not zero vanishes at such a point with a probability of d / 2^60 at most (Schwartz
// 1980, Zippel 1979).
#pragma once

#include <cstdint>
#include <random>

#include "torsor/scalar/modular.hpp"
#include "torsor/symbolic/symbolic_robot.hpp"

namespace torsor {

struct RandomPoint {
  /// Within the scope of a modulus.
  RandomPoint(const SymbolicRobot&, std::mt19937_64&);

  static constexpr int rounds = 3, degree = 4096;  // far above that of any formulation here
  /// The logarithm to base 2 of the probability that what is equal in all rounds is different.
  static double log2_error();

  std::vector<Modular> values;  // of all variables
  RobotForms<Modular> forms;
  std::vector<Modular> qd, qdd;
};

/// Which coefficients are zero, whatever the letters are.
struct SymbolicZeros {
  std::vector<char> D, c, G;  // as in SymbolicDynamics
};

/// Zero in all rounds. What is called not zero is certainly not; an error has the probability of RandomPoint.
SymbolicZeros symbolic_zeros(const SymbolicRobot&, std::uint64_t seed = 1985);

}  // namespace torsor
