// Steady motions: those that look the same at every instant to observers who turn evenly. A body is seen from a frame that
// goes with its mass centre and turns with a constant rate Omega, in which it may spin about an axis it is symmetric about:
//
//   v' = Omega x v,   w' = Omega x w
//
// A wheel that rolls straight on is seen from a frame that does not turn, a bead on a hoop from one that turns with the hoop, a
// gyroscope from one that precesses with it. Bodies that joints or couplings connect share Omega; what floats is seen from a
// frame that drifts along, and a body that nothing holds may be seen to turn and to move by two observers. Whether equations
// about the motion really are the same later is for who makes them to compare (linearisation.cpp).
#pragma once

#include <span>
#include <string>

#include "torsor/mechanism/mechanism.hpp"

namespace torsor {

/// From where a body is seen: Omega for how it turns and for how it moves, rad/s, how fast the frame drifts, m/s, and how it
/// accelerates, m/s^2; world components.
struct TurningFrame {
  Vec3<double> turn, place, drift, acceleration = {};
};
using TurningFrames = std::vector<TurningFrame>;  // of each body

/// Frames that a motion with these accelerations may be steady in, the slowest first: of what is symmetric and could be seen
/// from several, they that turn least. At least one.
std::vector<TurningFrames> frames_to_try(const Mechanism&, const MechanismState&, std::span<const Motion<double>> A);

/// Why what drivers, carriers, forces and torques prescribe is not alike from t on, as far as a few later instants tell (of some
/// 20 s): speeds of drivers, sizes of velocities, accelerations, forces and torques; carriers may accelerate evenly. Empty: it is.
std::string prescribed_change(const Mechanism&, double t);

/// From where a state at rest is seen: what hangs on carriers alone, which accelerate alike and evenly, from a frame that
/// accelerates with them. `unsteady`: why there is no such frame; empty: there is.
struct FramesAtRest {
  TurningFrames frames;
  std::string unsteady;
};
FramesAtRest frames_at_rest(const Mechanism&, const MechanismState&);

/// Accelerations less those of the steady motion, as V is seen to change.
Motion<double> seen_change(const TurningFrame&, const BodyState&, const Motion<double>& A);

/// What accelerations have beside those of the steady motion, 1/s^2: turns, and ways in sizes of the mechanism.
double unsteadiness(const MechanismState&, std::span<const Motion<double>> A, const TurningFrames&, double size);

/// Where the steady motion is a time later.
MechanismState carried_on(const Mechanism&, const MechanismState&, const TurningFrames&, double seconds);

/// A vector as a frame of that rate has carried it on.
Vec3<double> turned_on(const Vec3<double>& rate, double seconds, const Vec3<double>&);

}  // namespace torsor
