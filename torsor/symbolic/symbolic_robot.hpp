// SymbolicRobot: a serial arm with letters for its numbers, in every form that a formulation may ask for, over Poly.
//
// What is zero stays zero, and a twist of quarter turns stays a number: these are the structure of the arm. All else has
// a letter: a_i, d_i, alpha_i of the DH row; m_i; the mass centre x_i, y_i, z_i in the link frame; Ixx_i ... about it; J_i
// for rotors; g. (first_moments gives the ten linear parameters of a body instead.) Joint angles are C_i, S_i, of
// theta_i as the table counts it, offset included; a slide is d_i as a whole. The letters are those of the convention that
// the robot is written in; the other DH table and the tree are derived from it, exactly.
//
// An arm of uniform rods, each link's mass centre in the middle of its length and moments m l^2/12 across it, is
// known by m and l alone, and equal lengths are one l.
#pragma once

#include "torsor/dynamics/torque_difference.hpp"
#include "torsor/model/robot_forms.hpp"
#include "torsor/scalar/poly.hpp"
#include "torsor/symbolic/symbolic_options.hpp"
#include "torsor/symbolic/symbols.hpp"

namespace torsor {

/// The variable of a coordinate: an angle, or else a parameter, and what the table adds to it.
struct SymbolicJoint {
  bool prismatic = false;
  int variable = 0;   // index of the angle, or of the parameter
  double offset = 0;  // variable = q + offset
};

struct SymbolicRobot {
  std::string name;
  Where where;             // its file
  RobotForms<Poly> forms;  // at the general position
  Symbols symbols;
  std::vector<SymbolicJoint> joints;
  std::vector<Poly> qd, qdd;
  std::vector<int> parallel;  // per joint: 1 if its axis has the direction of the axis before it
  TorqueDifference snap_effect = {};  // of forms.snaps, where the robot was a description

  /// A value for every variable, the robot's numbers and these coordinates.
  std::vector<double> values(std::span<const double> q, std::span<const double> velocities = {},
                             std::span<const double> accelerations = {}) const;
};

/// The letters for a robot's numbers. `convention` (one of the DH ones) says in which table they are. Faults where
/// the robot has no DH table, or too many parameters.
Result<SymbolicRobot> symbolic_robot(const RobotForms<double>&, Convention convention, const SymbolicOptions& = {});

/// The same for a robot as it is meant (meant_robot.hpp), in the table that it is written in, or else the standard one.
/// What is left of a zero when mass data are brought to the frames of that table is zero.
Result<SymbolicRobot> symbolic_robot(const Description&, const SymbolicOptions& = {});

/// Derivative with respect to a coordinate.
Poly derivative(const Poly&, const SymbolicJoint&);

}  // namespace torsor
