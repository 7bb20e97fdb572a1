// LimbDynamics: the kernels of limbs on one model, for FastDynamics: what calls have in common, loads on links that are now
// part of others, and friction.
#pragma once

#include <memory>

#include "torsor/dynamics/loads.hpp"
#include "torsor/fast/kernel_tables.hpp"
#include "torsor/fast/limb_call.hpp"
#include "torsor/model/tame_quaternions.hpp"

namespace torsor {

class LimbDynamics {
 public:
  LimbDynamics(const Model<double>& model, InstructionSet set);

  /// Whether there are kernels for this model on this machine; the rest is for those alone.
  explicit operator bool() const { return tree_ != nullptr; }

  /// Takes inertias and gravity of the model once more; allocates nothing.
  void refill();

  /// A call at a state, with what acts from outside; an empty qd or qdd stands for zero. Valid until the next.
  LimbCall call(std::span<const double> q, std::span<const double> qd, std::span<const double> qdd,
                const BodyLoads<double>& loads);

  /// The same with tau less friction as what drives.
  LimbCall driven_call(std::span<const double> q, std::span<const double> qd, std::span<const double> tau,
                       const BodyLoads<double>& loads);
  /// Slopes of friction, for derivatives of what is driven.
  void add_friction_slopes(std::span<const double> q, std::span<const double> qd, LimbCall& call);

  void inverse(const LimbCall& call) { kernels_.inverse(tree_.get(), call); }
  void mass(const LimbCall& call) { kernels_.mass(tree_.get(), call); }
  bool forward(const LimbCall& call) { return kernels_.forward(tree_.get(), call); }
  void derivatives(const LimbCall& call) { kernels_.derivatives(tree_.get(), call); }
  /// Where all joints have one degree of freedom: tau, C in dqd, M in dqdd; and terms, if wanted, of a model whose base
  /// rests, with reactions where no link is fixed.
  bool has_coriolis() const { return tree_ && plain_rates_; }
  bool has_reactions() const { return plan_->tree.bodies.size() == model_.bodies.size(); }
  void coriolis(const LimbCall& call, LimbTerms* terms) {
    kernels_.coriolis(tree_.get(), call, terms);
    if (!terms) return;
    terms->mass += on_base_.m;
    terms->first += on_base_.h;
  }
  bool forward_derivatives(const LimbCall& call) { return kernels_.forward_derivatives(tree_.get(), call); }

  /// Pose of a frame of the model in the world and its Jacobian (row-major 6 x nv, angular rows first), once it is set; a
  /// frame that stays where the base is has none, and false is the answer.
  bool set_tool(const Frame<double>& tool);
  Transform<double> tool_pose_and_jacobian(std::span<const double> q, std::span<double> J) {
    TORSOR_EXPECT(J.size() == 6 * static_cast<std::size_t>(model_.nv));
    Transform<double> X;
    kernels_.kinematics(tree_.get(), tamed(q), tool_, X, J.data());
    return X;
  }

 private:
  /// q, or a copy with unit quaternions where the kernels could not divide by their lengths.
  const double* tamed(std::span<const double> q) {
    if (quaternions_.tame(q.data())) return q.data();
    q_.assign(q.begin(), q.end());  // never grows
    quaternions_.normalize(q_.data());
    return q_.data();
  }

  const Model<double>& model_;
  TameQuaternions quaternions_;
  std::optional<LimbPlan> plan_;  // the tree refers to it
  LimbKernels kernels_;
  std::unique_ptr<void, void (*)(void*)> tree_;
  Vec3<double> against_gravity_;  // acceleration of a base at rest minus gravity, along its axes
  std::vector<Force<double>> external_;
  std::vector<double> driving_, friction_q_, friction_qd_, q_;
  std::vector<int> path_;  // of the tool
  LimbTool tool_;
  bool plain_rates_ = false;
  Inertia<double> on_base_;  // of links that are fixed to it

  void weigh_base();
};

}  // namespace torsor
