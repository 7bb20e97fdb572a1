// FastDerivatives: the first derivatives of a model's dynamics, one state at a time, as fast as the machine allows: in
// limbs of four bodies side by side (limb_plan.hpp) where there are registers for it; models that share a coordinate
// between joints, and other machines, by the recursion of trees. Answers as TreeDerivatives.
#pragma once

#include "torsor/dynamics/tree_derivatives.hpp"
#include "torsor/dynamics/tree_dynamics.hpp"
#include "torsor/fast/limb_dynamics.hpp"

namespace torsor {

class FastDerivatives {
 public:
  explicit FastDerivatives(const Model<double>& model, InstructionSet set = widest_instruction_set());
  FastDerivatives(const Model<double>&&, InstructionSet = {}) = delete;  // the model must outlive its derivatives

  /// tau (nv) and its derivatives for q (nq), qd, qdd (nv); friction, rotors and loads included. An empty qd or qdd
  /// stands for zero.
  void inverse(std::span<const double> q, Rates<const double> qd, Rates<const double> qdd, Rates<double> tau,
               const InverseDerivatives<double>& out);

  /// qdd (nv) under tau and its derivatives; -1, or the coordinate that makes M singular: as TreeDerivatives, and wherever
  /// forward dynamics has no answer either.
  int forward(std::span<const double> q, Rates<const double> qd, Rates<const double> tau, Rates<double> qdd,
              const ForwardDerivatives<double>& out);

  /// Whether the model runs on lanes.
  bool on_lanes() const { return static_cast<bool>(limbs_); }

  const Model<double>& model() const { return tree_.model(); }

  Loads<double> loads;  // base motion and external forces (fixed in their bodies), kept until changed

 private:
  TreeDerivatives<double> tree_;
  LimbDynamics limbs_;
  TreeDynamics<double> judge_;  // of what has no mass
};

}  // namespace torsor
