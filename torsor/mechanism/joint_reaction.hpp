// What a joint does to its bodies, from the multipliers: -J^T lambda, as a force at the joint and a moment about it. The
// reactions on the two bodies are opposite forces; moments differ where the origins of the two frames are apart.
#pragma once

#include <span>

#include "torsor/mechanism/equations.hpp"

namespace torsor {

/// Force and moment about the origin of the joint frame of that side, world components.
struct JointReaction {
  Force<double> on_i, on_j;
};

/// Of a block of equations whose gradients have been evaluated; ground and carriers feel the opposite of what the body does.
JointReaction joint_reaction(const Mechanism&, const MechanismEquations&, const ConstraintBlock& joint_block,
                             std::span<const double> lambda);

/// What a coupling or driver does along the measure of one of its terms, N m or N, positive as an actuator there: a pure
/// couple about the axis of a hinge, a force along a slide. What teeth or a belt do to the bearings besides is not part of it.
double term_torque(const Mechanism&, const MechanismEquations&, const ConstraintBlock&, int term,
                   std::span<const double> lambda);

/// A reaction along the axes of a frame R.
inline Force<double> along_axes(const Mat3<double>& R, const Force<double>& F) { return {~R * F.n, ~R * F.f}; }

}  // namespace torsor
