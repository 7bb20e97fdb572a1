// Small motions about a state: with z along the freedoms (freedoms.hpp),
//
//   z'' = -K z - D z',    eigenvalues s of [0 1; -K -D]
//
// found from accelerations of nearby states on the equations by central differences, so that whatever acts is in it: springs,
// gravity, dampers, gyroscopic terms, the curvature of the loops. About an equilibrium these are the modes.
#pragma once

#include <complex>

#include "torsor/mechanism/assembly.hpp"

namespace torsor {

struct Mode {
  std::complex<double> s;  // 1/s: decays or grows with its real part, turns with its imaginary part
  double frequency = 0;    // Hz: |s| / 2 pi of one that oscillates, 0 of one that does not
  double damping = 0;      // ratio: -Re s / |s|
};

struct Linearisation {
  int freedoms = 0;
  std::vector<double> K, D;  // freedoms x freedoms, row-major: 1/s^2, 1/s
  std::vector<Mode> modes;   // all eigenvalues; of a pair the one with positive imaginary part only
  double left_over = 0;      // largest acceleration along a freedom at the state itself: 0 at an equilibrium
  std::string why;           // not found
};

/// The state's positions and velocities are assembled.
Linearisation linearise(const Mechanism&, const MechanismState&);

}  // namespace torsor
