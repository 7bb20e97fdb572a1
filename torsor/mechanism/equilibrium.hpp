// Where a mechanism stays at rest under its forces at an instant, by Newton's method along its freedoms within a region that
// is trusted: with f(z) the forces and moments along them,
//
//   K = -df/dz (by differences on the equations),   dz = (|K| + mu)^-1 f
//
// |K| has the absolute eigenvalues of K, so that from anywhere near the mechanism comes down to a place that is stable, as
// it would with friction, and not onto a summit. mu keeps steps short enough that the work done on them is what f and K say:
// that of all forces over the way of the bodies, so that given torques count as springs do. (Nocedal & Wright, Numerical
// Optimization, 2nd ed. 2006, ch. 4; Dauphin et al., saddle-free Newton, 2014.)
//
// Where that leads to no rest, the forces themselves are made least, dz = (K^T K + mu)^-1 K^T f: rests that are not stable
// are found so, and called that.
#pragma once

#include "torsor/mechanism/assembly.hpp"

namespace torsor {

enum class Stability { stable, indifferent, unstable };

struct EquilibriumReport {
  bool found = false, stable = false;
  Stability stability = Stability::unstable;  // indifferent: nothing brings it back, and nothing drives it away
  int freedoms = 0, rounds = 0;
  double residual = 0;         // largest force along a freedom left, over the largest of gravity, springs and torques
  double least_stiffness = 0;  // 1/s^2: smallest eigenvalue of K in the metric of the masses
  std::string why, remedy;     // not found
};

/// Moves the bodies of an assembled state there; velocities become zero. Drivers hold what they drive.
EquilibriumReport find_equilibrium(const Mechanism&, MechanismState&);

}  // namespace torsor
