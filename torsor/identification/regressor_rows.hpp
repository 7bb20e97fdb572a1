// Regressors of many states, several of them in one register, on one thread or several: RobotRegressor
// (robot_regressor.hpp) for rows; with loops one state after the other. A state that is no number, or does not close, spoils
// its own answer and no other.
#pragma once

#include <memory>

#include "torsor/fast/batch_dynamics.hpp"
#include "torsor/identification/robot_regressor.hpp"

namespace torsor {

class BatchTerms;

class RegressorRows {
 public:
  /// The subject must outlive it. In registers where the first parameters are all inertial ones (dynamic_parameters), else
  /// one state after the other.
  RegressorRows(const RegressorSubject& subject, std::vector<DynamicParameter> parameters, BatchOptions options = {});
  ~RegressorRows();

  int columns() const { return one_.columns(); }
  int rows() const { return one_.rows(); }

  using In = StateRows<const double>;
  using Out = StateRows<double>;

  /// Rows of Y, rows() x columns() numbers each; no qd or qdd stands for zeros.
  void at(std::int64_t states, In q, In qd, In qdd, Out Y);
  /// With loops: the next state is reached from where they were assembled.
  void return_to_start() { one_.return_to_start(); }
  /// One state, as RobotRegressor does it.
  void at(std::span<const double> q, Rates<const double> qd, Rates<const double> qdd, std::span<double> Y) {
    one_.at(q, qd, qdd, Y);
  }

 private:
  RobotRegressor one_;
  std::size_t nq_, nv_;
  std::unique_ptr<BatchTerms> lanes_;  // none where parameters have another order
};

}  // namespace torsor
