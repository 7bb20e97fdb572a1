// Regressor of a robot, loops or not. With loops the parameters are those of all joints of its tree, and the torques those of
// the independent ones:
//
//   tau_a = G^T tau = G^T Y(q, G qd_a, G qdd_a + dG/dt qd_a) phi
//
// so that links and passive joints are among what can be identified from motors alone.
#pragma once

#include <optional>

#include "torsor/identification/regressor.hpp"
#include "torsor/identification/regressor_subject.hpp"
#include "torsor/loops/closed_motion.hpp"

namespace torsor {

class RobotRegressor {
 public:
  RobotRegressor(const RegressorSubject& subject, std::vector<DynamicParameter> parameters);

  const std::vector<DynamicParameter>& parameters() const { return tree_.parameters(); }
  int columns() const { return tree_.columns(); }
  int rows() const { return nv_; }
  bool in_order() const { return tree_.in_order(); }

  /// Y, row-major rows() x columns(); an empty qd or qdd stands for zero. False where the loops do not close there, or at a
  /// dead centre: Y then is not a number. Never allocates.
  bool at(std::span<const double> q, Rates<const double> qd, Rates<const double> qdd, std::span<double> Y);
  /// Without loops: the columns of drives (Regressor::fill).
  void fill(Rates<const double> qd, Rates<const double> qdd, std::span<double> Y) const { tree_.fill(qd, qdd, Y); }

  /// Rates of all joints of the tree at the last motion.
  std::span<const double> joint_rates() const { return closed_ ? closed_->qd() : qd_; }
  /// Loops are followed from where they were assembled again.
  void return_to_start() {
    if (closed_) closed_->map().return_to_start();
  }
  /// How the base moves, kept until changed.
  BaseMotion<double>& base() { return tree_.base; }

 private:
  Regressor<double> tree_;
  int nv_;
  std::optional<ClosedMotion> closed_;
  std::vector<double> qd_, Y_;
};

}  // namespace torsor
