// FastDynamics: the dynamics of a model, one state at a time, as fast as the machine allows. A serial arm runs on its
// canonical chain; every other model, mass matrix and accelerations of a long chain, and what the chain leaves out, in
// limbs (limb_plan.hpp) or on the tree algorithms. Efforts, masses and accelerations are the model's either way. It
// satisfies the concept Dynamics; one object per thread, the model shared, nothing allocated after set-up.
#pragma once

#include <optional>

#include "torsor/dynamics/tree_dynamics.hpp"
#include "torsor/fast/aligned_room.hpp"
#include "torsor/fast/limb_dynamics.hpp"
#include "torsor/fast/prepared_chain.hpp"

namespace torsor {

class FastDynamics {
 public:
  explicit FastDynamics(const Model<double>& model, InstructionSet set = widest_instruction_set());
  FastDynamics(const Model<double>&&, InstructionSet = {}) = delete;  // the model must outlive its dynamics

  /// tau (nv) for q (nq), qd, qdd (nv); friction, rotors and loads included. An empty qd or qdd stands for zero.
  void inverse(std::span<const double> q, Rates<const double> qd, Rates<const double> qdd, Rates<double> tau);

  /// Everything but M qdd: Coriolis, centrifugal, gravity, friction, loads.
  void bias(std::span<const double> q, Rates<const double> qd, Rates<double> tau) { inverse(q, qd, {}, tau); }

  /// Efforts that hold the robot still.
  void gravity(std::span<const double> q, Rates<double> tau) { inverse(q, {}, {}, tau); }

  /// C(q, qd) qd: Coriolis and centrifugal efforts alone, without gravity, friction and loads.
  void coriolis(std::span<const double> q, Rates<const double> qd, Rates<double> tau);

  /// M(q), row-major nv x nv, rotors included.
  void mass(std::span<const double> q, std::span<double> M);

  /// qdd (nv) under tau; the same friction law as inverse(). -1, or a coordinate that moves no mass: as TreeDynamics.
  int forward(std::span<const double> q, Rates<const double> qd, Rates<const double> tau, Rates<double> qdd);

  /// Pose of the default tool (else of the last body) in the world, and its Jacobian: row-major 6 x nv, angular rows
  /// first, components in the world.
  Transform<double> tool_pose_and_jacobian(std::span<const double> q, std::span<double> J);

  /// Whether the model runs on a canonical chain; why_not() says what kept it from one.
  bool canonical() const { return chain_.has_value(); }
  const Faults& why_not() const { return why_not_; }

  const Model<double>& model() const { return tree_.model(); }

  /// Base motion and external forces (copied), kept until changed; in all questions but the mass matrix and the tool. A base
  /// that moves and forces on the last link stay on the chain, other forces do not.
  void set_loads(const Loads<double>&);

 private:
  void add_other_friction(std::span<const double> q, Rates<const double> qd, double sign, Rates<double> effort) const;

  TreeDynamics<double> tree_;
  LimbDynamics limbs_;
  bool tool_in_limbs_ = false;
  std::optional<CanonicalChain> chain_;
  std::optional<PreparedChain<double>> prepared_;
  Faults why_not_;
  std::vector<int> other_friction_;  // laws that the kernels leave to us
  ChainKernels<double> kernels_;
  ChainCall<double> call_, weightless_;  // and without gravity, friction and loads
  ChainSurroundings<double> surroundings_;
  bool on_chain_ = false;  // with the loads there are
  std::vector<Force<double>> external_;
  std::vector<double> driving_;
  Configuration<double> configuration_;  // and poses, for tools of trees
  std::vector<Transform<double>> X_;
  NewtonEulerWork<double> newton_euler_;  // for the Coriolis efforts of trees
  AlignedRoom work_;
};

static_assert(Dynamics<FastDynamics>);

}  // namespace torsor
