// FastDerivatives: the first derivatives of a model's dynamics, one state at a time, as fast as the machine allows: plain
// chains (every body on the one before it, joints of one degree of freedom with a coordinate each) four links at a time
// where there are registers for it, every other model by the recursion of trees. Answers as TreeDerivatives.
#pragma once

#include <memory>

#include "torsor/dynamics/tree_derivatives.hpp"
#include "torsor/fast/derivative_call.hpp"
#include "torsor/fast/instruction_set.hpp"

namespace torsor {

class FastDerivatives {
 public:
  explicit FastDerivatives(const Model<double>& model, InstructionSet set = widest_instruction_set());
  FastDerivatives(const Model<double>&&, InstructionSet = {}) = delete;  // the model must outlive its derivatives

  /// tau (nv) and its derivatives for q (nq), qd, qdd (nv); friction, rotors and loads included. An empty qd or qdd
  /// stands for zero.
  void inverse(std::span<const double> q, Rates<const double> qd, Rates<const double> qdd, Rates<double> tau,
               const InverseDerivatives<double>& out);

  /// qdd (nv) under tau and its derivatives; -1, or the coordinate that makes M singular: as TreeDerivatives.
  int forward(std::span<const double> q, Rates<const double> qd, Rates<const double> tau, Rates<double> qdd,
              const ForwardDerivatives<double>& out);

  /// Whether the model runs on lanes.
  bool on_lanes() const { return chain_ != nullptr; }

  const Model<double>& model() const { return tree_.model(); }

  Loads<double> loads;  // base motion and external forces (fixed in their bodies), kept until changed

 private:
  TreeDerivatives<double> tree_;
  ForwardDerivativesWork<double> work_;
  DerivativeKernels kernels_;
  std::unique_ptr<void, void (*)(void*)> chain_;
  Vec3<double> against_gravity_;  // acceleration of a base at rest minus gravity, along its axes
  bool rotors_;
};

}  // namespace torsor
