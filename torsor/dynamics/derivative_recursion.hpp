// The recursion of inverse_derivatives.hpp with its workspace, sized once: over double, plain chains go the way of
// chain_derivatives.hpp where the machine has vectors of four doubles.
#pragma once

#include <algorithm>
#include <memory>

#include "torsor/dynamics/inverse_derivatives.hpp"

namespace torsor {

template <Ring T>
class DerivativeRecursion {
 public:
  explicit DerivativeRecursion(const Tree<T>& model) : work_(model) {}

  /// Efforts and derivatives as inverse_derivatives gives them; model is the one it was made for.
  void run(const Tree<T>& model, const Configuration<T>& configuration, Rates<const T> qd, Rates<const T> qdd,
           const Loads<T>& loads, Rates<T> tau, const InverseDerivatives<T>& out) {
    inverse_derivatives(model, configuration, qd, qdd, loads, work_, tau, out);
  }

 private:
  InverseDerivativesWork<T> work_;
};

/// The same for a plain chain, rotors apart, compiled for one set of instructions.
class ChainRecursion {
 public:
  virtual ~ChainRecursion() = default;
  virtual void run(const Tree<double>&, const Configuration<double>&, Rates<const double> qd, Rates<const double> qdd,
                   const Loads<double>&, Rates<double> tau, const InverseDerivatives<double>& out) = 0;
};

/// The one for this machine and model, or none.
std::unique_ptr<ChainRecursion> chain_recursion(const Tree<double>& model);

template <>
class DerivativeRecursion<double> {
 public:
  explicit DerivativeRecursion(const Tree<double>& model)
      : work_(model),
        chain_(chain_recursion(model)),
        rotors_(!model.rotor_coupling.empty() || std::ranges::any_of(model.rotor, [](double r) { return r != 0; })) {}

  void run(const Tree<double>& model, const Configuration<double>& configuration, Rates<const double> qd,
           Rates<const double> qdd, const Loads<double>& loads, Rates<double> tau,
           const InverseDerivatives<double>& out) {
    if (!chain_) return inverse_derivatives(model, configuration, qd, qdd, loads, work_, tau, out);
    chain_->run(model, configuration, qd, qdd, loads, tau, out);
    if (rotors_) detail::add_rotors(model, qdd, tau, out.dqdd);
  }

 private:
  InverseDerivativesWork<double> work_;
  std::unique_ptr<ChainRecursion> chain_;
  bool rotors_;
};

}  // namespace torsor
