// One step of the motion under torques held constant, x+ = f(x, tau, h) with x = (q, qd), and its Jacobians
//
//   dx+ = A dx + B dtau        A 2nv x 2nv, B 2nv x nv
//
// as model predictive control and estimators ask for them: exact derivatives of the step itself, not of the equations of
// motion it approximates. Changes of q are along the velocity coordinates, at the start and at the end of the step;
// quaternions stay unit (joint_displacement.hpp).
//
//   semi-implicit  qd+ = qd + h qdd(q, qd, tau),   q+ = q (+) h qd+                                   order 1
//   runge-kutta-4  the classical method on the displacement d and qd, d' = rate(d) qd, qd' = qdd(q (+) d, qd, tau);
//                  q+ = q (+) d(h)  (Munthe-Kaas 1998)                                                order 4
#pragma once

#include <algorithm>

#include "torsor/dynamics/step_method.hpp"
#include "torsor/dynamics/tree_derivatives.hpp"
#include "torsor/model/joint_displacement.hpp"

namespace torsor {

/// Where a step ends, and its Jacobians: row-major, A 2nv x 2nv, B 2nv x nv.
template <class T>
struct StepResult {
  std::span<T> q, qd, A, B;
};

/// The coordinate that makes the accelerations undetermined, -1: none, of what derivatives answer; see also Status.
inline int massless(int coordinate) { return coordinate; }

/// Derivatives: TreeDerivatives<T>, or another that answers like it: for doubles, Dynamics.
template <Ordered T, class Derivatives = TreeDerivatives<T>>
class DiscreteStep {
 public:
  DiscreteStep(const Model<T>& model, StepMethod method)
      : derivatives(model),
        model_(model),
        method_(method),
        n_(model.nv),
        q_(static_cast<std::size_t>(model.nq), T(0)),
        v_(static_cast<std::size_t>(n_), T(0)),
        d_(v_),
        d_rate_(v_),
        qdd_(v_),
        d_sum_(v_),
        v_sum_(v_),
        Fq_(cells(n_, n_), T(0)),
        Fv_(Fq_),
        Ft_(Fq_),
        at_(cells(n_, 3 * n_), T(0)),
        V_(at_),
        D_(at_),
        D_rate_(at_),
        V_rate_(at_),
        D_sum_(at_),
        V_sum_(at_) {}

  DiscreteStep(const Model<T>&&, StepMethod) = delete;  // the model must outlive its steps

  /// The step of length h from q (nq), qd (nv) under tau (nv). -1 when the accelerations are determined; else as
  /// TreeDerivatives::forward says, and nothing is to be used. Ends may not be where starts are.
  int run(std::span<const T> q, Rates<const T> qd, Rates<const T> tau, const T& h, const StepResult<T>& out) {
    TORSOR_EXPECT(out.A.size() == cells(2 * n_, 2 * n_) && out.B.size() == cells(2 * n_, n_));
    return method_ == StepMethod::semi_implicit ? semi_implicit(q, qd, tau, h, out) : runge_kutta(q, qd, tau, h, out);
  }

  Derivatives derivatives;  // its loads are those of the step

 private:
  using Matrix = std::vector<T>;  // n x 3n: derivatives by q, qd and tau at the start

  int semi_implicit(std::span<const T> q, Rates<const T> qd, Rates<const T> tau, const T& h,
                    const StepResult<T>& out) {
    start(qd);
    if (const int bad = accelerate(q, qd, tau); bad >= 0) return bad;
    for (int k = 0; k < n_; ++k) {
      out.qd[k] = qd[k] + h * qdd_[k];
      d_[k] = h * out.qd[k];
    }
    for (std::size_t e = 0; e < V_.size(); ++e) {
      V_[e] += h * V_rate_[e];
      D_[e] = h * V_[e];
    }
    end(q, out);
    return -1;
  }

  int runge_kutta(std::span<const T> q, Rates<const T> qd, Rates<const T> tau, const T& h, const StepResult<T>& out) {
    start(qd);
    for (T& x : D_sum_) x = T(0);
    for (T& x : V_sum_) x = T(0);
    for (int k = 0; k < n_; ++k) d_sum_[k] = v_sum_[k] = T(0);
    constexpr double part[] = {0, 0.5, 0.5, 1}, weight[] = {1.0 / 6, 1.0 / 3, 1.0 / 3, 1.0 / 6};
    for (int stage = 0; stage < 4; ++stage) {
      if (stage > 0) {
        const T c = h * T(part[stage]);
        for (int k = 0; k < n_; ++k) {
          d_[k] = c * d_rate_[k];
          v_[k] = qd[k] + c * qdd_[k];
        }
        for (std::size_t e = 0; e < V_.size(); ++e) {
          D_[e] = c * D_rate_[e];
          V_[e] = c * V_rate_[e];
        }
        for (int k = 0; k < n_; ++k) V_[cell(k, 3 * n_, n_ + k)] += T(1);
      }
      displace(q, q_);
      carry(at_);
      if (const int bad = accelerate(q_, v_, tau); bad >= 0) return bad;
      rates();
      const T w = h * T(weight[stage]);
      for (int k = 0; k < n_; ++k) {
        d_sum_[k] += w * d_rate_[k];
        v_sum_[k] += w * qdd_[k];
      }
      for (std::size_t e = 0; e < V_.size(); ++e) {
        D_sum_[e] += w * D_rate_[e];
        V_sum_[e] += w * V_rate_[e];
      }
    }
    for (int k = 0; k < n_; ++k) {
      out.qd[k] = qd[k] + v_sum_[k];
      d_[k] = d_sum_[k];
    }
    std::copy(D_sum_.begin(), D_sum_.end(), D_.begin());
    std::copy(V_sum_.begin(), V_sum_.end(), V_.begin());
    for (int k = 0; k < n_; ++k) V_[cell(k, 3 * n_, n_ + k)] += T(1);
    end(q, out);
    return -1;
  }

  /// Nothing displaced yet: changes of q are changes of q.
  void start(Rates<const T> qd) {
    for (std::size_t e = 0; e < V_.size(); ++e) D_[e] = V_[e] = at_[e] = T(0);
    for (int k = 0; k < n_; ++k) {
      d_[k] = T(0);
      v_[k] = qd[k];
      at_[cell(k, 3 * n_, k)] = V_[cell(k, 3 * n_, n_ + k)] = T(1);
    }
  }

  /// qdd and its derivatives by the start: V_rate = Fq at + Fv V + Ft [0 0 1].
  int accelerate(std::span<const T> q, Rates<const T> qd, Rates<const T> tau) {
    if (const int bad = massless(derivatives.forward(q, qd, tau, qdd_, {Fq_, Fv_, Ft_})); bad >= 0) return bad;
    for (int i = 0; i < n_; ++i)
      for (int j = 0; j < 3 * n_; ++j) {
        T sum = j < 2 * n_ ? T(0) : Ft_[cell(i, n_, j - 2 * n_)];
        for (int k = 0; k < n_; ++k)
          sum += Fq_[cell(i, n_, k)] * at_[cell(k, 3 * n_, j)] + Fv_[cell(i, n_, k)] * V_[cell(k, 3 * n_, j)];
        V_rate_[cell(i, 3 * n_, j)] = sum;
      }
    return -1;
  }

  void displace(std::span<const T> q, std::span<T> to) const {
    for (const Body<T>& b : model_.bodies) displace_joint(b.kind, q.data() + b.q, d_.data() + b.v, to.data() + b.q);
  }

  /// Motion of joint b in column j of a matrix, and back.
  Motion<T> column(const Body<T>& b, const Matrix& matrix, int j) const {
    Motion<T> m;
    for (int k = 0; k < b.nv; ++k) m += model_.S[b.column + k] * matrix[cell(b.v + k, 3 * n_, j)];
    return m;
  }
  void set_column(const Body<T>& b, Matrix& matrix, int j, const Motion<T>& m) const {
    for (int k = 0; k < b.nv; ++k) {
      const Motion<T>& S = model_.S[b.column + k];
      matrix[cell(b.v + k, 3 * n_, j)] = dot(S.w, m.w) + dot(S.v, m.v);
    }
  }

  /// What a change of the start has become at q (+) d.
  void carry(Matrix& at) const {
    std::copy(D_.begin(), D_.end(), at.begin());
    for (const Body<T>& b : model_.bodies) {
      if (b.nv == 1) at[cell(b.v, 3 * n_, b.v)] = D_[cell(b.v, 3 * n_, b.v)] + T(1);
      if (b.nv <= 1) continue;
      const Displacement<T> displacement(b.kind, d_.data() + b.v);
      for (int j = 0; j < 3 * n_; ++j) {
        Motion<T> end = displacement.changed(column(b, D_, j));
        if (b.v <= j && j < b.v + b.nv) end += displacement.carried(model_.S[b.column + j - b.v]);
        set_column(b, at, j, end);
      }
    }
  }

  /// The rates of d and of its derivatives.
  void rates() {
    std::copy(v_.begin(), v_.end(), d_rate_.begin());
    std::copy(V_.begin(), V_.end(), D_rate_.begin());
    for (const Body<T>& b : model_.bodies) {
      if (b.nv <= 1) continue;
      const Displacement<T> displacement(b.kind, d_.data() + b.v);
      const Motion<T> v = joint_displacement(b.kind, v_.data() + b.v), rate = displacement.rate(v);
      for (int k = 0; k < b.nv; ++k) {
        const Motion<T>& S = model_.S[b.column + k];
        d_rate_[b.v + k] = dot(S.w, rate.w) + dot(S.v, rate.v);
      }
      for (int j = 0; j < 3 * n_; ++j)
        set_column(b, D_rate_, j,
                   displacement.rate(column(b, V_, j)) + displacement.rate_changed(v, column(b, D_, j)));
    }
  }

  void end(std::span<const T> q, const StepResult<T>& out) {
    displace(q, out.q);
    carry(at_);
    for (int i = 0; i < n_; ++i)
      for (int j = 0; j < 3 * n_; ++j) {
        const std::span<T> to = j < 2 * n_ ? out.A : out.B;
        const int columns = j < 2 * n_ ? 2 * n_ : n_, c = j < 2 * n_ ? j : j - 2 * n_;
        to[cell(i, columns, c)] = at_[cell(i, 3 * n_, j)];
        to[cell(n_ + i, columns, c)] = V_[cell(i, 3 * n_, j)];
      }
  }

  const Model<T>& model_;
  StepMethod method_;
  int n_;
  std::vector<T> q_, v_, d_, d_rate_, qdd_, d_sum_, v_sum_, Fq_, Fv_, Ft_;
  Matrix at_, V_, D_, D_rate_, V_rate_, D_sum_, V_sum_;
};

}  // namespace torsor
