// What an implicit method solves with: s - J, J the slope's derivative by y, for one real s and one complex one. Dense by
// default; a system that knows who depends on whom brings its own.
#pragma once

#include <complex>
#include <memory>
#include <span>

#include "torsor/numeric/integrator.hpp"

namespace torsor {

class NewtonMatrix {
 public:
  virtual ~NewtonMatrix() = default;

  /// Finds J, or what is near enough to it, at (t, y), where the slope is f0. Returns how many slopes that took.
  virtual long differentiate(const Slope& f, double t, std::span<const double> y, std::span<const double> f0) = 0;

  /// Factors real - J and complex - J; false where one of them is singular.
  virtual bool factor(double real, std::complex<double> complex) = 0;

  /// Replaces b by (real - J)^-1 b, and re + i im by (complex - J)^-1 (re + i im).
  virtual void solve(std::span<double> b) = 0;
  virtual void solve(std::span<double> re, std::span<double> im) = 0;
};

/// By differences and dense factorisations; `least` is the least change of an entry of y that means something.
std::unique_ptr<NewtonMatrix> dense_newton_matrix(std::size_t size, double least);

/// The method of integrator.hpp with a matrix of the caller's.
std::unique_ptr<Integrator> radau(std::size_t size, const StepRules&, std::unique_ptr<NewtonMatrix>);

}  // namespace torsor
