// Small motions about a state that is at rest or moves steadily (steady_motion.hpp): with z along what positions are free to do
// and z_v those of it that velocities are free to do, too (freedoms.hpp; the same, where nothing rolls),
//
//   z_v'' = -K z - D z_v',   z_r' = P_r z,      eigenvalues s of that
//
// found from states on the equations nearby (nearby_motions.hpp), so that whatever acts is in it: springs, gravity, dampers,
// gyroscopic and centrifugal terms, the curvature of the loops, rolling. About an equilibrium these are the modes.
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
  std::vector<Motion<double>> bodies,
      bodies_late;  // of each body's own frame: in phase with that one, a quarter turn behind
};

/// x' = A x + B u, y = C x + D u, row-major; all are differences from the motion it is about.
struct StateSpace {
  std::vector<SmallCoordinate>
      states;  // the named coordinates, then the rates of those that velocities are free to have
  std::vector<SmallCoordinate> inputs;   // torques of the actuators: N m, N
  std::vector<SmallCoordinate> outputs;  // measures of the joints, then named coordinates that are none
  std::vector<double> A, B, C, D;
};

struct Linearisation {
  int freedoms = 0;          // of velocity
  int positions = 0;         // of position: more than these where something rolls
  std::vector<double> K, D;  // freedoms x positions, freedoms x freedoms, row-major: 1/s^2, 1/s
  std::vector<double> P_r;   // the rest of the positions x positions: 1/s
  std::vector<Mode> modes;   // all eigenvalues; of a pair the one with positive imaginary part only
  double left_over = 0;      // largest acceleration along a freedom at the state itself: 0 at rest and in steady motion
  std::string
      unsteady;  // why the motion it is about is no steady one: coefficients are then those of this instant alone
  std::string uncertain;     // which eigenvalues have few digits, and why; empty: none
  bool moving = false;       // it is about a motion
  std::string why;           // not found

  /// The same in coordinates that have names, M q'' + D q' + K q = 0: kg m^2 or kg, N m/rad or N/m, and so on. Where something
  /// rolls, q'' and q' are those of the first `freedoms` of them.
  std::vector<SmallCoordinate> coordinates;
  std::vector<double> named_M, named_D, named_K;
  StateSpace state_space;
};

/// The state's positions and velocities are assembled. About a place of rest drivers are to be held (mechanism_variant.hpp).
Linearisation linearise(const Mechanism&, const MechanismState&);

}  // namespace torsor
