// TreeDerivatives: the first derivatives of a model's inverse and forward dynamics behind two calls, friction included,
// workspaces owned. One object per thread, the model shared. Derivatives by q are along the velocity coordinates
// (inverse_derivatives.hpp).
//
//   M qdd + bias(q, qd) = tau:   dqdd/dtau = M^-1,   dqdd/dq = -M^-1 dtau/dq,   dqdd/dqd = -M^-1 dtau/dqd at that qdd
#pragma once

#include "torsor/dynamics/inverse_derivatives.hpp"
#include "torsor/dynamics/joint_friction.hpp"
#include "torsor/numeric/dense.hpp"
#include "torsor/numeric/ldlt.hpp"

namespace torsor {

/// From the derivatives of inverse dynamics to those of forward dynamics.
template <Ordered T>
class ForwardDerivativesWork {
 public:
  explicit ForwardDerivativesWork(int nv)
      : n_(nv), Dq_(cells(nv, nv), T(0)), Dqd_(Dq_), M_(Dq_), bias_(static_cast<std::size_t>(nv), T(0)) {}

  /// inverse(qdd, tau, derivatives) is inverse dynamics at the state in question; the rest as TreeDerivatives::forward.
  template <class Inverse>
  int run(const Inverse& inverse, Rates<const T> tau, Rates<T> qdd, const ForwardDerivatives<T>& out) {
    const int n = n_;
    const std::span<T> M(M_);
    inverse(Rates<const T>(), Rates<T>(bias_), InverseDerivatives<T>{Dq_, Dqd_, M});
    ldlt_factor(M, n);
    if constexpr (Decidable<T>)
      if (const int bad = ldlt_first_bad_pivot<T>(M, n); bad >= 0) return bad;
    for (int k = 0; k < n; ++k) qdd[k] = tau[k] - bias_[k];
    ldlt_solve<T>(M, n, qdd);

    // M is known: what comes with the derivatives at these accelerations is written over by its inverse
    inverse(Rates<const T>(qdd), Rates<T>(bias_), InverseDerivatives<T>{Dq_, Dqd_, out.dtau});
    for (int k = 0; k < n; ++k) {
      const std::span<T> row = out.dtau.subspan(cell(k, n, 0), static_cast<std::size_t>(n));
      for (T& x : row) x = T(0);
      row[k] = T(1);
      ldlt_solve<T>(M, n, row);
    }
    for (int i = 0; i < n; ++i) {
      for (int j = 0; j < n; ++j) out.dq[cell(i, n, j)] = out.dqd[cell(i, n, j)] = T(0);
      for (int k = 0; k < n; ++k)
        for (int j = 0; j < n; ++j) {
          out.dq[cell(i, n, j)] -= out.dtau[cell(i, n, k)] * Dq_[cell(k, n, j)];
          out.dqd[cell(i, n, j)] -= out.dtau[cell(i, n, k)] * Dqd_[cell(k, n, j)];
        }
    }
    return -1;
  }

 private:
  int n_;
  std::vector<T> Dq_, Dqd_, M_, bias_;
};

template <Ordered T>
class TreeDerivatives {
 public:
  explicit TreeDerivatives(const Model<T>& model)
      : model_(model), configuration_(model), work_(model), forward_(model.nv) {}

  TreeDerivatives(const Model<T>&&) = delete;  // the model must outlive its derivatives

  /// tau (nv) and its derivatives for q (nq), qd, qdd (nv); friction, rotors and loads included. An empty qd or qdd
  /// stands for zero.
  void inverse(std::span<const T> q, Rates<const T> qd, Rates<const T> qdd, Rates<T> tau,
               const InverseDerivatives<T>& out) {
    configuration_.set(model_, q);
    inverse_derivatives<T>(model_, configuration_, qd, qdd, loads, work_, tau, out);
    add_joint_friction(model_, q, qd, T(1), tau);
    add_joint_friction_slopes(model_, q, qd, out.dq, out.dqd);
  }

  /// qdd (nv) under tau and its derivatives. -1 when the accelerations are determined; else the first coordinate that,
  /// with those before it, can move without moving any mass, and nothing is to be used.
  int forward(std::span<const T> q, Rates<const T> qd, Rates<const T> tau, Rates<T> qdd,
              const ForwardDerivatives<T>& out) {
    return forward_.run(
        [&](Rates<const T> at, Rates<T> torques, const InverseDerivatives<T>& derivatives) {
          inverse(q, qd, at, torques, derivatives);
        },
        tau, qdd, out);
  }

  const Model<T>& model() const { return model_; }

  LoadsOf<T> loads;  // base motion and external forces (fixed in their bodies), kept until changed

 private:
  const Model<T>& model_;
  Configuration<T> configuration_;
  InverseDerivativesWork<T> work_;
  ForwardDerivativesWork<T> forward_;
};

}  // namespace torsor
