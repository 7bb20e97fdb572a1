// FastDynamics, the part of Dynamics for one state: as fast as the machine allows. A serial arm runs on its canonical chain;
// every other model, mass matrix and accelerations of a long chain, derivatives, and what the chain leaves out, in limbs
// (limb_plan.hpp) or on the tree algorithms. Torques, masses and accelerations are the model's either way. One object per
// thread, the model shared, nothing allocated after set-up.
#pragma once

#include <optional>

#include "torsor/dynamics/term_spans.hpp"
#include "torsor/dynamics/tree_derivatives.hpp"
#include "torsor/dynamics/tree_dynamics.hpp"
#include "torsor/fast/aligned_room.hpp"
#include "torsor/fast/limb_dynamics.hpp"
#include "torsor/fast/prepared_chain.hpp"

namespace torsor {

class FastDynamics {
 public:
  explicit FastDynamics(const Model<double>& model, InstructionSet set = widest_instruction_set(),
                        Questions questions = Questions::all);
  FastDynamics(const Model<double>&&, InstructionSet = {},
               Questions = {}) = delete;  // the model must outlive its dynamics

  /// tau (nv) for q (nq), qd, qdd (nv); friction, rotors and loads included. An empty qd or qdd stands for zero.
  void inverse(std::span<const double> q, Rates<const double> qd, Rates<const double> qdd, Rates<double> tau) {
    if (!on_chain_) return inverse_off_chain(q, qd, qdd, tau);
    call_.q = q.data();
    call_.qd = qd.empty() ? nullptr : qd.data();
    call_.a = qdd.empty() ? nullptr : qdd.data();
    call_.out = tau.data();
    kernels_.inverse(call_);
    if (!other_friction_.empty()) add_other_friction(q, qd, 1, tau);
  }
  /// And its derivatives.
  void inverse(std::span<const double> q, Rates<const double> qd, Rates<const double> qdd, Rates<double> tau,
               const InverseDerivatives<double>& out);

  /// C(q, qd) qd: Coriolis and centrifugal torques alone, without gravity, friction and loads.
  void coriolis(std::span<const double> q, Rates<const double> qd, Rates<double> tau);

  /// Row-major nv x nv: M, C of Christoffel coefficients at qd; and the torques of qdd without friction, in one go;
  /// without loads. False, and nothing is written, where that cannot be: joints of several degrees of freedom, whose rates
  /// are no rates of coordinates, or no lane groups.
  bool mass_and_coriolis(std::span<const double> q, Rates<const double> qd, Rates<const double> qdd, Rates<double> tau,
                         std::span<double> M, std::span<double> C);
  /// These and the other terms, but for friction, load and bias, likewise; where a link is fixed without reactions.
  bool terms(std::span<const double> q, Rates<const double> qd, Rates<const double> qdd, const TermSpans& out);
  bool terms_have_reactions() const { return limbs_ && limbs_.has_reactions(); }

  /// M(q), row-major nv x nv, rotors included.
  void mass(std::span<const double> q, std::span<double> M) {
    if (!mass_on_chain_) return mass_off_chain(q, M);
    call_.q = q.data();
    call_.qd = call_.a = nullptr;
    call_.out = M.data();
    kernels_.mass(call_);
  }

  /// qdd (nv) under tau; the same friction law as inverse(). -1, or a coordinate that moves no mass: as TreeDynamics.
  int forward(std::span<const double> q, Rates<const double> qd, Rates<const double> tau, Rates<double> qdd) {
    if (!on_chain_ || !solved_on_chain_ || !other_friction_.empty()) return forward_otherwise(q, qd, tau, qdd);
    call_.q = q.data();
    call_.qd = qd.empty() ? nullptr : qd.data();
    call_.a = tau.data();
    call_.out = qdd.data();
    kernels_.forward(call_);
    if (qdd[0] == qdd[0]) [[likely]]
      return -1;
    // the tree tells a coordinate without mass from numbers that are none
    return tree_.forward(q, qd, tau, qdd);
  }
  /// And its derivatives; -1, or the coordinate that makes M singular, wherever forward dynamics has no answer either.
  int forward(std::span<const double> q, Rates<const double> qd, Rates<const double> tau, Rates<double> qdd,
              const ForwardDerivatives<double>& out);

  /// Pose of the default tool (else of the last body) in the world, and its Jacobian: row-major 6 x nv, angular rows
  /// first, components in the world.
  Transform<double> tool_pose_and_jacobian(std::span<const double> q, std::span<double> J);

  /// Whether the model runs on a canonical chain; why_not() says what kept it from one. Whether it runs in limbs.
  bool canonical() const { return chain_.has_value(); }
  const Faults& why_not() const { return why_not_; }
  bool in_limbs() const { return static_cast<bool>(limbs_); }

  /// Base motion and external forces (copied), kept until changed; in all questions but the mass matrix and the tool. A base
  /// that moves and forces on the last link stay on the chain, other forces do not.
  void set_loads(const BodyLoads<double>&);
  const Loads& loads() const { return tree_.loads; }

  /// Takes inertias and gravity of the model once more, after they have changed; allocates nothing.
  void refill();

  /// The reference, under the same loads.
  TreeDynamics<double>& tree() { return tree_; }

 private:
  const Model<double>& model() const { return tree_.model(); }
  void take_chain();
  void inverse_off_chain(std::span<const double> q, Rates<const double> qd, Rates<const double> qdd, Rates<double> tau);
  void mass_off_chain(std::span<const double> q, std::span<double> M);
  int forward_otherwise(std::span<const double> q, Rates<const double> qd, Rates<const double> tau, Rates<double> qdd);
  void add_other_friction(std::span<const double> q, Rates<const double> qd, double sign, Rates<double> effort) const;
  TreeDerivatives<double>& tree_derivatives();

  TreeDynamics<double> tree_;
  std::optional<TreeDerivatives<double>> tree_derivatives_;
  LimbDynamics limbs_;
  bool tool_in_limbs_ = false;
  std::optional<CanonicalChain> chain_;
  std::optional<PreparedChain<double>> prepared_;
  Faults why_not_;
  std::vector<int> other_friction_;  // laws that the kernels leave to us
  ChainKernels<double> kernels_;
  ChainCall<double> call_, weightless_;  // and without gravity, friction and loads
  ChainEnds<double> ends_;
  bool on_chain_ = false;                                // with the loads there are
  bool mass_on_chain_ = false, solved_on_chain_ = false;  // M and accelerations of a chain that is not too long for it
  std::vector<double> driving_;
  Configuration<double> configuration_;  // and poses, for tools of trees
  std::vector<Transform<double>> X_;
  NewtonEulerWork<double> newton_euler_;  // for the Coriolis torques of trees
  AlignedRoom work_;
};

}  // namespace torsor
