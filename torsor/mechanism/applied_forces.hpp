// Everything that acts on the bodies besides the joints: gravity, springs and dampers, actuators, given forces, and the
// gyroscopic moment w x I w; with the energy that gravity and springs hold and the power of the rest.
#pragma once

#include <span>

#include "torsor/mechanism/equations.hpp"

namespace torsor {

/// Which torques of actuators act: those of their functions of time, or none (they are what is asked for).
enum class ActuatorTorques { given, none };

struct MechanismEnergy {
  double kinetic = 0, potential = 0;  // J
  double power = 0;                   // W: of dampers, given torques and given forces

  double energy() const { return kinetic + potential; }
};

/// Sets g: per body the moment about its mass centre and the force, world components. Actuators' own springs and dampers
/// act where their torques do, and only there.
MechanismEnergy applied_forces(const Mechanism&, const MechanismState&, const MechanismEquations& evaluated,
                             ActuatorTorques, std::span<Force<double>> g);

/// What an actuator is told to do at t, within its limit.
double given_torque(const MechanismActuator&, double t);

/// How far a spring is from where it does nothing.
double spring_stretch(const MechanismSpring&, double measure);

/// What a spring does along its measure, N m or N, on body j: -k (measure - rest) - c rate + f(t). Between points that meet it
/// has no direction to pull in, and does nothing.
double spring_torque(const MechanismSpring&, const MeasureValue&, double t);

}  // namespace torsor
