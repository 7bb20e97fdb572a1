// Reduction: the equations of motion of a robot without what hardly matters along a motion.
//
// Every term of D', h' and G' is a candidate. Its share in a torque is the largest part of the joint's torque scale, the peak
// |tau_i| of the full model on the motion, that it takes at any instant. Candidates are dropped in the order of their shares
// as long as the sum of all that is dropped stays within the tolerance, in every joint and at every instant:
//
//   1. terms of D', each with the velocity terms that follow from it, up to half of the tolerance. What is left of D' is
//      symmetric, and h' is derived from it by the Christoffel symbols: the model is that of some mechanism;
//   2. single terms of D', h' and G', up to all of it; D' stays symmetric. (For a model that is to stay consistent of G' only,
//      and the whole tolerance is there for step 1 as well.)
//
// The error is then measured on the motion against the full model; over ranges it is searched for, and bounded.
// After Fu, Gonzalez & Lee 1987, section 3.4.1, who neglect by looking at plots along a trajectory.
#pragma once

#include "torsor/dynamics/torque_difference.hpp"
#include "torsor/model/description.hpp"
#include "torsor/model/geometry.hpp"
#include "torsor/reduction/reduction_error.hpp"
#include "torsor/scalar/operation_count.hpp"

namespace torsor {

struct ReduceOptions {
  double tolerance = 0.01;                 // relative to the torque scales
  bool consistent = false;                 // keep every velocity term that follows from D
  bool on_ranges = false;                  // no state in the ranges that the search finds exceeds the tolerance
  std::optional<StateRanges> ranges = {};  // default: those of the motion
  SearchOptions search = {};
};

/// Operations of inverse dynamics, sines and cosines of the joint angles given.
struct ModelCost {
  std::string path;  // the formulation, or how the terms are evaluated
  OperationCount count;
};

struct Reduction {
  ReducedModel model;             // the terms that are kept, and what is known about it
  ReducedModel dropped;           // the difference to the full model
  std::size_t terms = 0;          // of the full model
  std::vector<double> shares;     // per term of the model: its share in the torque it matters most for
  std::vector<WorstState> found;  // per joint: the largest error that the search met on the ranges, and where
  double least_eigenvalue = 0;    // of the scaled mass matrix, by search
  ModelCost cost;                 // of the reduced model
  std::vector<ModelCost> full;    // of the full one, by every formulation that serves it, the cheapest first
  std::vector<Snap> snaps;        // special values taken for nearby ones: errors are those to the robot as typed
  TorqueDifference snap_effect;   // what that does to the torques
};

/// What is added, in parts of them, to the errors found between the instants of a motion and to the widths of its ranges.
inline constexpr double error_margin = 1e-3, range_margin = 1e-6;

/// The reduced model for a motion of the joints: its tolerance, error and ranges are looked for at its instants and between
/// them, with the margins above. Faults as below.
Result<Reduction> reduce(const Description&, const Course& motion, const ReduceOptions& = {});

/// The reduced model for a motion, of joint states in the order of time; at least one. Faults where the robot is no serial
/// arm of revolute and prismatic joints, a joint has no torque at all to compare with, or there are too many terms.
Result<Reduction> reduce(const Description&, std::span<const JointState> motion, const ReduceOptions& = {});

}  // namespace torsor
