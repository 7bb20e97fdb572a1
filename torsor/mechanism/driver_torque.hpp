// Torques of the drivers themselves: the multipliers of driving constraints,
// Sim, Yoo & Lee 1985 (27), along the measures they prescribe.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "torsor/mechanism/equations.hpp"

namespace torsor {

/// One name for each measure that a driver prescribes: the driver's, with the joint's where it has several.
std::vector<std::string> driver_torque_names(const Mechanism&);

/// The measures, in that order.
std::vector<Measure> driven_measures(const Mechanism&);

/// Appends the torques in that order, N m or N, positive as an actuator there; the equations evaluated with drivers.
void append_driver_torques(const Mechanism&, const MechanismEquations&, std::span<const double> lambda,
                           std::vector<double>& out);

}  // namespace torsor
