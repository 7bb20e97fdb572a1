// The recursion of inverse_derivatives.hpp with its workspace, sized once.
#pragma once

#include "torsor/dynamics/inverse_derivatives.hpp"

namespace torsor {

template <Ring T>
class DerivativeRecursion {
 public:
  explicit DerivativeRecursion(const Model<T>& model) : work_(model) {}

  /// Efforts and derivatives as inverse_derivatives gives them.
  void run(const Model<T>& model, const Configuration<T>& configuration, Rates<const T> qd, Rates<const T> qdd,
           const Loads<T>& loads, Rates<T> tau, const InverseDerivatives<T>& out) {
    inverse_derivatives(model, configuration, qd, qdd, loads, work_, tau, out);
  }

 private:
  InverseDerivativesWork<T> work_;
};

}  // namespace torsor
