// TreeProducts: products of vectors with the derivatives of a model's inverse and forward dynamics, friction included,
// workspaces owned. One object per thread, the model shared. Derivatives by q are along the velocity coordinates.
//
//   M qdd + bias(q, qd) = tau:   dqdd = M^-1 (dtau - D_q dq - D_qd dqd),   D the derivatives of inverse dynamics at that qdd
//   u . dqdd = lambda . dtau - (lambda D_q) . dq - (lambda D_qd) . dqd,    M lambda = u
//
// so that either needs one more solution with the factors of M that gave the accelerations.
#pragma once

#include "torsor/dynamics/inverse_products.hpp"
#include "torsor/dynamics/tree_dynamics.hpp"

namespace torsor {

template <Ordered T>
class TreeProducts {
 public:
  explicit TreeProducts(const Model<T>& model)
      : dynamics(model),
        configuration_(model),
        work_(model),
        qdd_(static_cast<std::size_t>(model.nv), T(0)),
        spare_(qdd_) {}

  TreeProducts(const Model<T>&&) = delete;  // the model must outlive its products

  /// dtau (nv) for a change of the motion; friction, rotors and loads included. An empty qd or qdd stands for zero.
  void inverse_jvp(std::span<const T> q, Rates<const T> qd, Rates<const T> qdd, const MotionChange<T>& change,
                   Rates<T> dtau) {
    configuration_.set(model(), q);
    inverse_jacobian_vector<T>(model(), configuration_, qd, qdd, dynamics.loads, change, work_, dtau);
    for_friction_slopes(model(), q, qd, [&](int v, const T& by_q, const T& by_qd) {
      if (!change.q.empty()) dtau[v] += by_q * change.q[v];
      if (!change.qd.empty()) dtau[v] += by_qd * change.qd[v];
    });
  }

  /// The gradient of w . tau, w (nv) not among the answers.
  void inverse_vjp(std::span<const T> q, Rates<const T> qd, Rates<const T> qdd, Rates<const T> w,
                   const InverseGradient<T>& out) {
    configuration_.set(model(), q);
    inverse_vector_jacobian<T>(model(), configuration_, qd, qdd, dynamics.loads, w, work_, out);
    for_friction_slopes(model(), q, qd, [&](int v, const T& by_q, const T& by_qd) {
      out.q[v] += by_q * w[v];
      out.qd[v] += by_qd * w[v];
    });
  }

  /// dqdd (nv) for a change of position, velocity and torques. -1, or a coordinate that moves no mass, as TreeDynamics: then
  /// nothing is to be used.
  int forward_jvp(std::span<const T> q, Rates<const T> qd, Rates<const T> tau, const DriveChange<T>& change,
                  Rates<T> dqdd) {
    if (const int massless = dynamics.forward(q, qd, tau, qdd_); massless >= 0) return massless;
    inverse_jvp(q, qd, qdd_, {change.q, change.qd, {}}, spare_);
    for (int k = 0; k < model().nv; ++k) spare_[k] = change.tau.empty() ? -spare_[k] : change.tau[k] - spare_[k];
    dynamics.solve(spare_, dqdd);
    return -1;
  }

  /// The gradient of u . qdd, u (nv) not among the answers.
  int forward_vjp(std::span<const T> q, Rates<const T> qd, Rates<const T> tau, Rates<const T> u,
                  const ForwardGradient<T>& out) {
    if (const int massless = dynamics.forward(q, qd, tau, qdd_); massless >= 0) return massless;
    dynamics.solve(u, out.tau);
    inverse_vjp(q, qd, qdd_, out.tau, {out.q, out.qd, spare_});
    for (int k = 0; k < model().nv; ++k) {
      out.q[k] = -out.q[k];
      out.qd[k] = -out.qd[k];
    }
    return -1;
  }

  const Model<T>& model() const { return dynamics.model(); }

  TreeDynamics<T> dynamics;  // base motion and external forces are its loads

 private:
  Configuration<T> configuration_;
  InverseProductsWork<T> work_;
  std::vector<T> qdd_, spare_;
};

}  // namespace torsor
