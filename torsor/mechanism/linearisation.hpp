// Small motions about a state: with z along the freedoms (freedoms.hpp),
//
//   z'' = -K z - D z',    eigenvalues s of [0 1; -K -D],    (s^2 + s D + K) z = 0
//
// found from accelerations of nearby states on the equations by differences of the fourth order, so that whatever acts is in
// it: springs, gravity, dampers, gyroscopic terms, the curvature of the loops. About an equilibrium these are the modes.
#pragma once

#include <complex>

#include "torsor/mechanism/assembly.hpp"
#include "torsor/mechanism/small_coordinates.hpp"

namespace torsor {

struct Mode {
  std::complex<double> s;  // 1/s: decays or grows with its real part, turns with its imaginary part
  double frequency = 0;    // Hz: |s| / 2 pi of one that oscillates, 0 of one that does not
  double damping = 0;      // ratio: -Re s / |s|
  std::vector<std::complex<double>> shape;        // along the named coordinates; the largest is 1
  std::vector<Motion<double>> bodies, bodies_late;  // of each body's own frame: in phase with that one, a quarter turn behind
};

struct Linearisation {
  int freedoms = 0;
  std::vector<double> K, D;  // freedoms x freedoms, row-major: 1/s^2, 1/s
  std::vector<Mode> modes;   // all eigenvalues; of a pair the one with positive imaginary part only
  double left_over = 0;      // largest acceleration along a freedom at the state itself: 0 at an equilibrium
  std::string why;           // not found

  /// The same in coordinates that have names: kg m^2 or kg, N m/rad or N/m, and so on.
  std::vector<SmallCoordinate> coordinates;
  std::vector<double> named_M, named_D, named_K;
};

/// The state's positions and velocities are assembled.
Linearisation linearise(const Mechanism&, const MechanismState&);

}  // namespace torsor
