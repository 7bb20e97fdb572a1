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

/// The values of what a law looks at; and what it does, N m or N, on body j.
void signals_of(const Mechanism&, const MechanismState&, const MechanismEquations& evaluated, const MechanismLaw&,
                std::vector<double>& x);
double law_torque(const Mechanism&, const MechanismState&, const MechanismEquations& evaluated, const MechanismLaw&);

/// What an actuator is told to do at t, within its limit.
double given_torque(const MechanismActuator&, double t);

/// The piece of the law of a spring with play at a measure and its rate.
StopMode stop_mode(const MechanismSpring&, double measure, double rate);

/// How far a spring is from where it does nothing, in a piece of its law.
double spring_stretch(const MechanismSpring&, double measure, StopMode);

/// What a spring does along its measure, N m or N, on body j: -k (measure - rest) - c rate + f(t). Between points that meet it
/// has no direction to pull in, and does nothing.
double spring_torque(const MechanismSpring&, const MeasureValue&, double t);
double spring_torque(const MechanismSpring&, const MeasureValue&, double t, StopMode);

}  // namespace torsor
