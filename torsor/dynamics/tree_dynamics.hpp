// TreeDynamics: the whole of a model's dynamics behind a few calls over any number, friction included, workspaces owned: the
// reference of the engine (torsor/dynamics.hpp), which is what to take for doubles. One object per thread, the model shared.
#pragma once

#include <algorithm>
#include <optional>

#include "torsor/dynamics/articulated_body_solve.hpp"
#include "torsor/dynamics/forward_mass_matrix.hpp"
#include "torsor/dynamics/joint_friction.hpp"
#include "torsor/dynamics/questions.hpp"

namespace torsor {

template <Ordered T>
class TreeDynamics {
 public:
  explicit TreeDynamics(const Model<T>& model, Questions questions = Questions::all)
      : model_(model), configuration_(model), newton_euler_(model), composite_(model) {
    if (questions == Questions::all) prepare_forward();
  }

  TreeDynamics(const Model<T>&&, Questions = Questions::all) = delete;  // the model must outlive its dynamics

  /// tau (nv) for q (nq), qd, qdd (nv); friction, rotors and loads included. An empty qd or qdd stands for zero.
  void inverse(std::span<const T> q, Rates<const T> qd, Rates<const T> qdd, Rates<T> tau) {
    configuration_.set(model_, q);
    inverse_newton_euler<T>(model_, configuration_, qd, qdd, loads, newton_euler_, tau);
    add_joint_friction(model_, q, qd, T(1), tau);
  }

  /// Everything but M qdd: Coriolis, centrifugal, gravity, friction, loads.
  void bias(std::span<const T> q, Rates<const T> qd, Rates<T> tau) { inverse(q, qd, {}, tau); }

  /// Torques that hold the robot still.
  void gravity(std::span<const T> q, Rates<T> tau) { inverse(q, {}, {}, tau); }

  /// M(q), row-major nv x nv, rotors included.
  void mass(std::span<const T> q, std::span<T> M) {
    configuration_.set(model_, q);
    inertia_composite_body(model_, configuration_, composite_, M);
  }

  /// qdd (nv) under tau; the same friction law as inverse(). -1 when the accelerations are determined; else qdd is not
  /// to be used, and the answer is a coordinate that can move (perhaps with others) without moving any mass.
  int forward(std::span<const T> q, Rates<const T> qd, Rates<const T> tau, Rates<T> qdd) {
    if (!solve_ && !articulated_) prepare_forward();  // it was made for all but this
    configuration_.set(model_, q);
    driving_.assign(tau.begin(), tau.end());  // tau minus friction; never grows
    add_joint_friction(model_, q, qd, T(-1), Rates<T>(driving_));
    if (model_.coupled()) {
      forward_mass_matrix<T>(model_, configuration_, qd, Rates<const T>(driving_), loads, *solve_, qdd);
      if constexpr (Decidable<T>) return ldlt_first_bad_pivot<T>(solve_->M, model_.nv);
    } else {
      forward_articulated_body<T>(model_, configuration_, qd, Rates<const T>(driving_), loads, *articulated_, qdd);
      if constexpr (Decidable<T>) return massless_coordinate();
    }
    return -1;
  }

  /// x (nv) of M x = b at the position of the last forward(), where that had an answer. b may be x.
  void solve(Rates<const T> b, Rates<T> x) {
    if (!model_.coupled()) return articulated_body_solve<T>(model_, b, *articulated_, x);
    if (b.data() != x.data()) std::ranges::copy(b, x.begin());
    ldlt_solve<T>(solve_->M, model_.nv, x);
  }

  /// Where the last call left the robot.
  const Configuration<T>& configuration() const { return configuration_; }

  /// What the parent exerts on each body through its joint, in body frames, at the motion of the last inverse() or
  /// bias().
  std::span<const Force<T>> reactions() const { return newton_euler_.f; }

  const Model<T>& model() const { return model_; }

  LoadsOf<T> loads;  // base motion and external forces, kept until changed

 private:
  void prepare_forward() {
    driving_.assign(static_cast<std::size_t>(model_.nv), T(0));
    if (model_.coupled())
      solve_.emplace(model_);
    else
      articulated_.emplace(model_);
  }

  /// The pivots of the articulated bodies are inertias; one that is lost in the rounding of the largest is none.
  int massless_coordinate() const requires Decidable<T> {
    T largest(0);
    for (const T& d : articulated_->d)
      if (largest < d) largest = d;
    const T smallest = largest * T(64 * std::numeric_limits<T>::epsilon());
    for (int i = model_.size() - 1; i >= 0; --i)  // from the tips: what is lost there spoils what lies inward
      for (int k = model_[i].nv - 1; k >= 0; --k)
        if (!(articulated_->d[model_[i].column + k] > smallest)) return model_[i].v + k;
    return -1;
  }

  const Model<T>& model_;
  Configuration<T> configuration_;
  NewtonEulerWork<T> newton_euler_;
  CompositeBodyWork<T> composite_;
  std::optional<MassMatrixWork<T>> solve_;             // forward dynamics of a coupled model
  std::optional<ArticulatedBodyWork<T>> articulated_;  // and of any other
  std::vector<T> driving_;
};

}  // namespace torsor
