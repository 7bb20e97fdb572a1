// A robot as a mechanism: one body per link with the author's link frame, one joint per joint of the tree with its name,
// an actuator at every joint of one degree of freedom. A loop is closed, or a gripper attached, by adding joints to it.
//
//   mimic joint         a coupling: its position less ratio times that of its master stays what it is at the start
//   rotor inertia       a flywheel on the ground that turns with the joint: what the motors add to the mass matrix is
//                       R = sum_k d_k l_k l_k^T (LDL^T), flywheel k has the moment of inertia d_k about its axis and the
//                       angle l_k . q; exactly the robot's own model, coupled transmissions included
//                       of a spherical joint whose parent does not rotate: added to the moments of the link, which is the
//                       same; of another one it is refused (mechanism-rotor), since no body has this inertia
//   link without mass   gets a billionth of the robot's, in its joint: a body of a mechanism has a mass
//   viscous friction    a damper, and with a linear spring a spring; dry friction and friction tables have no counterpart
//                       and are named in the notes
#pragma once

#include <span>
#include <string_view>

#include "torsor/mechanism/description.hpp"
#include "torsor/model/model.hpp"

namespace torsor {

/// The mechanism at the positions q (model.nq; empty: all zero) with the velocities qd (model.nv; empty: at rest), in the
/// world of the robot. Body b is link b of the model, joint b the joint that carries it; flywheels come after them.
Result<MechanismDescription> mechanism_of_robot(const Model<double>& model, std::span<const double> q = {},
                                        std::span<const double> qd = {});

/// Puts a part such as a robot (no carriers, no forces) into a mechanism: X places its world there, `prefix` goes before
/// all its names. Gravity, run and source stay those of the whole: the caller decides whose gravity counts.
void add_part(MechanismDescription& whole, MechanismDescription part, const Transform<double>& X,
              std::string_view prefix = "");

}  // namespace torsor
