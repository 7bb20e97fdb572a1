// Where a mechanism stays at rest under its forces at an instant, by Newton's method along its freedoms: with f(z) the forces
// and moments along them,
//
//   K = -df/dz (by differences on the equations),   dz = |K|^-1 f
//
// |K| has the absolute eigenvalues of K, so that from anywhere near the mechanism comes down to a place that is stable, as
// it would with friction, and not onto a summit.
#pragma once

#include "torsor/mechanism/assembly.hpp"

namespace torsor {

struct EquilibriumReport {
  bool found = false, stable = false;
  int freedoms = 0, rounds = 0;
  double residual = 0;         // largest force along a freedom left, over the largest of gravity and springs
  double least_stiffness = 0;  // 1/s^2: smallest eigenvalue of K in the metric of the masses
  std::string why;             // not found
};

/// Moves the bodies of an assembled state there; velocities become zero. Drivers hold what they drive.
EquilibriumReport find_equilibrium(const Mechanism&, MechanismState&);

}  // namespace torsor
