// Joint rates of any serial six-axis arm from its Jacobian: the way of arms without a spherical wrist, and the measure
// of those that have one. With columns (w_k, v_k), what a unit rate of joint k does to the tool and its point,
//
//   J qd = (w, v),    J qdd = (wd, vd) - sum_k (turning_{k-1} x w_k qd_k,  (turning_{k-1} + turning_k) x v_k qd_k)
//
// turning_k the angular velocity behind joint k: one LU factorisation, two solutions. Where J is singular, by its
// singular values, as the shortest of the least-squares solutions.
#pragma once

#include "torsor/closed_form_ik/joint_rates.hpp"
#include "torsor/closed_form_ik/six_axis.hpp"
#include "torsor/model/model.hpp"

namespace torsor {

/// How six joints in series, the first at the base, move the tool: for a unit rate of each, the angular velocity of the
/// tool and the velocity of its origin (world components).
struct ToolColumns {
  std::array<Motion<double>, 6> column;
  Mat3<double> R_world_tool = Mat3<double>::identity();
};

/// Those of a closed form's arm at one of its branches.
ToolColumns tool_columns(const SixAxis&, const IkBranch&);

/// The same of a frame of a model of six single joints in series; X: poses of all bodies in the world.
ToolColumns tool_columns(const Model<double>&, std::span<const Transform<double>> X, const Frame<double>&);

/// Rates of the joints while the tool moves as given: solve_rates for arms of any geometry. `factor` is the least pivot
/// per greatest, lengths per the longest lever. Never allocates; finite numbers in, finite numbers out.
JointRates solve_rates_6x6(const ToolColumns&, const ToolMotion&);

/// What is lost where the columns are dependent, as motions of the tool's origin across all that the joints can do
/// (turning per the longest lever).
LostMotions lost_motions_6x6(const ToolColumns&);

/// det J of the tool's origin, rows (v; w): m to the number of turns that make the wrist's or tool's place.
double determinant_6x6(const ToolColumns&);

}  // namespace torsor
