// Every term of the equations of motion at one state, for those who want to look at them:
//
//   M(q) qdd + C(q, qd) qd + gravity(q) + friction(q, qd) + load = tau,    bias = tau at qdd = 0
//
// Load is what a moving base and forces from outside add. One value of everything, made anew at every call.
#pragma once

#include "torsor/dynamics.hpp"

namespace torsor {

/// Matrices row-major; torques at the joints, nv of them; J and Jd are 6 x nv, angular rows first, components in the
/// world. Reactions: what the parent exerts on each body through its joint, in body frames. With loops torques are those at the
/// independent joints, friction that of all joints as these feel it; loop_reactions and unique as in LoopReactionSpans;
/// Jd is not found, and empty.
struct Terms {
  std::vector<double> M, pivots, C, C_qd, gravity, friction, load, bias, tau, J, Jd;
  int bad_pivot = -1;  // the first of M = L D L^T that is not positive; -1: M is positive definite
  Energy<double> energy;
  std::vector<Force<double>> reactions, loop_reactions;
  std::vector<unsigned char> unique;
  Transform<double> X_world_tool;
};

/// The terms at q (nq), qd, qdd (nv) under the loads that were set; energies and Jacobian for a base at rest. Where loops do not close
/// all is NaN.
Terms terms(Dynamics& dynamics, std::span<const double> q, std::span<const double> qd,
                         std::span<const double> qdd, const Frame<double>& tool);

}  // namespace torsor
