// Regressors of many states, several of them in one register, on one thread or several: Regressor<double>
// (regressor.hpp) for rows. A state that is no number spoils its own answer and no other.
#pragma once

#include <memory>

#include "torsor/fast/batch_dynamics.hpp"
#include "torsor/identification/regressor.hpp"

namespace torsor {

class BatchTerms;

class RegressorRows {
 public:
  /// The model must outlive it. In registers where the first parameters are all inertial ones (dynamic_parameters), else
  /// one state after the other.
  RegressorRows(const Model<double>& model, std::vector<DynamicParameter> parameters, BatchOptions options = {});
  RegressorRows(const Model<double>&&, std::vector<DynamicParameter>, BatchOptions = {}) = delete;
  ~RegressorRows();

  int columns() const { return one_.columns(); }
  int rows() const { return one_.rows(); }

  using In = StateRows<const double>;
  using Out = StateRows<double>;

  /// Rows of Y, rows() x columns() numbers each; no qd or qdd stands for zeros.
  void at(std::int64_t states, In q, In qd, In qdd, Out Y);
  /// One state, as Regressor does it.
  void at(std::span<const double> q, Rates<const double> qd, Rates<const double> qdd, std::span<double> Y) {
    one_.at(q, qd, qdd, Y);
  }

 private:
  Regressor<double> one_;
  std::size_t nq_, nv_;
  std::unique_ptr<BatchTerms> lanes_;  // none where parameters have another order
};

}  // namespace torsor
