// The plan of a task: where the tool is to be at each instant, and the joints with it, along one branch of inverse
// kinematics.
#pragma once

#include "torsor/control/control_law.hpp"
#include "torsor/control/experiment.hpp"
#include "torsor/result.hpp"
#include "torsor/trajectory/path_motion.hpp"
#include "torsor/trajectory/spline_motion.hpp"

namespace torsor {

class ControlPlan {
 public:
  /// What is wanted at time t [s]; its spans stay good until the next call.
  ControlReference at(double t);

  double duration() const { return tool_.duration(); }  // s, without the rest
  double length() const { return tool_.length(); }      // m
  CartesianState tool(double t) const { return tool_.sample(t); }
  /// Joint positions at the ends of equal parts of the duration.
  std::vector<JointKnot> knots(int count) const;
  const SplineMotion& joints() const { return joints_; }
  double smallest_singular_value() const { return smallest_; }  // on the way, of the tool's Jacobian per greatest

 private:
  friend Result<ControlPlan> plan_task(const Model<double>&, const Frame<double>&, const ControlTask&, double);

  PathMotion tool_;
  SplineMotion joints_;
  double smallest_ = 0;
  std::vector<double> q_, qd_, qdd_;
};

/// The plan of a task, its joints sampled every `period` [s] and interpolated by quintics between; or all faults:
/// numbers that make no task, and where the robot cannot follow it.
Result<ControlPlan> plan_task(const Model<double>&, const Frame<double>& tool, const ControlTask&,
                              double period = 1e-3);

}  // namespace torsor
