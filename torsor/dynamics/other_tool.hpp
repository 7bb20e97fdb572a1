// How another tool may see a robot and a motion: an edited description, columns taken in another order, sense or unit,
// terms left out, and terms of unknown size. Its torques are affine in those unknown sizes p,
//
//   tau' = P [ tau(robot', q', qd', qdd') + sum_k p_k y_k ],
//
// so that they can be fitted to a record by linear least squares. P reorders and reverses what comes out.
#pragma once

#include "torsor/model/description.hpp"
#include "torsor/scalar/infinity.hpp"

namespace torsor {

/// One instant of a record: q (nq), and qd, qdd, tau (nv), in radians, metres, N m and N.
struct TorqueSample {
  std::vector<double> q, qd, qdd, tau;
};

/// A term whose size is not known beforehand.
enum class Addition {
  gravity_size,    // gravity along the file's direction
  gravity_vector,  // any gravity
  viscous,         // friction proportional to the speed, of each joint
  coulomb,         // dry friction, of each joint
  coulomb_pair,    // the same, other for each direction
  rotor,           // a rotor inertia at each joint
  payload_mass,    // a point mass at the tool
  payload_body,    // a rigid body at the tool: mass, first moments, inertia about the tool's origin
  torque_size,     // all torques by a common factor
};

struct OtherTool {
  Description robot;
  // coordinate k is sense[k] times column order[k], in q, qd, qdd and tau; empty: as they are
  std::vector<int> order;
  std::vector<double> sense;
  std::vector<double> zero;  // added to q
  // what is written as torque k is torque_sense[k] times torque torque_order[k]
  std::vector<int> torque_order;
  std::vector<double> torque_sense;
  double angle = 1, angular_rate = 1;     // factors of angles and of their rates
  double velocity = 1, acceleration = 1;  // 0: left out
  double friction = 1;                    // 0: left out, -1: with the other sign
  bool at_motors = false;                 // torques are those of the motors
  std::vector<Addition> additions;
  std::vector<int> sized_torques;   // those that have a factor of their own, not known beforehand
  std::vector<int> offset_torques;  // those that have a constant added to them, likewise
};

/// Size of an addition as fitted, in words and units of its own: "gravity", 1.62, "m/s^2".
struct FittedSize {
  std::string name;
  double value = 0;
  std::string unit;
  double deviation = 0;      // standard deviation, from what the fit leaves
  double least = -infinity;  // a fit that is surely below this is no cause: friction and rotors are not negative
  double smallest = 0;       // nor is one of a size less than this, as a factor of zero
};

/// What such a tool would write for the motion of a record: one row per sample, nv torques each; and the unit columns y_k
/// of its additions, with the words for their sizes at p = 0 and the change per unit of p.
struct OtherTorques {
  std::vector<double> tau;  // samples x nv
  std::vector<std::vector<double>> columns;
  std::vector<FittedSize> at_zero;
  std::vector<double> per_unit;
};

/// Runs the tool; or the faults of its robot. The samples fit the robot.
Result<OtherTorques> other_torques(const OtherTool&, const std::vector<TorqueSample>&);

}  // namespace torsor
