// Steps in time of many states at once, under torques held constant; the formulas are those of discrete_step.hpp, here
// without Jacobians. Where accelerations come from is the caller's to say: one state or many, one robot or several.
#pragma once

#include <algorithm>
#include <vector>

#include "torsor/dynamics/step_method.hpp"
#include "torsor/model/joint_displacement.hpp"

namespace torsor {

class RowSteps {
 public:
  /// Room for `most` states of this model, which must outlive it.
  RowSteps(const Model<double>& model, StepMethod method, std::int64_t most)
      : model_(model),
        method_(method),
        plain_(std::ranges::all_of(model.bodies, [](const Body<double>& b) { return b.nv <= 1 && b.ratio == 1; }) &&
               model.nq == model.nv),
        q_(static_cast<std::size_t>(most * model.nq)),
        qdd_(static_cast<std::size_t>(most * model.nv)),
        d_(qdd_) {
    if (method == StepMethod::runge_kutta_4) v_ = d_rate_ = d_sum_ = v_sum_ = d_;
  }
  RowSteps(const Model<double>&&, StepMethod, std::int64_t) = delete;

  /// Takes `states` states a step of length h: q (nq) and qd (nv) of one after the other, where they are.
  /// accelerate(q, qd, qdd) writes the accelerations of all of them, at that position and those rates; all are rows that lie
  /// together. A state that has none is lost for good: not a number.
  template <class Accelerate>
  void step(std::int64_t states, double* q, double* qd, double h, const Accelerate& accelerate) {
    const std::size_t n = static_cast<std::size_t>(states * model_.nv);
    if (method_ == StepMethod::semi_implicit) {
      accelerate(q, qd, qdd_.data());
      for (std::size_t k = 0; k < n; ++k) {
        qd[k] += h * qdd_[k];
        d_[k] = h * qd[k];
      }
      displace(states, q, q);
      return;
    }
    constexpr double part[] = {0.5, 0.5, 1}, weight[] = {1.0 / 6, 1.0 / 3, 1.0 / 3, 1.0 / 6};
    std::fill_n(d_sum_.data(), n, 0.0);
    std::fill_n(v_sum_.data(), n, 0.0);
    std::fill_n(d_.data(), n, 0.0);
    std::copy_n(qd, n, v_.data());
    for (int stage = 0; stage < 4; ++stage) {
      displace(states, q, q_.data());
      accelerate(q_.data(), v_.data(), qdd_.data());
      const double* const d_rate = find_rates(states);
      const double w = h * weight[stage], c = stage < 3 ? h * part[stage] : 0;
      for (std::size_t k = 0; k < n; ++k) {
        d_sum_[k] += w * d_rate[k];
        v_sum_[k] += w * qdd_[k];
        d_[k] = c * d_rate[k];
        v_[k] = qd[k] + c * qdd_[k];
      }
    }
    std::copy_n(d_sum_.data(), n, d_.data());
    displace(states, q, q);
    for (std::size_t k = 0; k < n; ++k) qd[k] += v_sum_[k];
  }

 private:
  /// to = q (+) d; to may be q.
  void displace(std::int64_t states, const double* q, double* to) {
    const std::size_t n = static_cast<std::size_t>(states * model_.nv);
    if (plain_) {
      for (std::size_t k = 0; k < n; ++k) to[k] = q[k] + d_[k];
      return;
    }
    // joints may share coordinates, which are to be displaced once
    double* const apart = to == q ? q_.data() : to;
    for (std::int64_t s = 0; s < states; ++s)
      for (const Body<double>& b : model_.bodies)
        displace_joint(b.kind, q + s * model_.nq + b.q, d_.data() + s * model_.nv + b.v, apart + s * model_.nq + b.q);
    if (apart != to) std::copy_n(apart, states * model_.nq, to);
  }

  /// The rates of d under the rates v.
  const double* find_rates(std::int64_t states) {
    if (plain_) return v_.data();
    std::copy_n(v_.data(), states * model_.nv, d_rate_.data());
    for (std::int64_t s = 0; s < states; ++s)
      for (const Body<double>& b : model_.bodies) {
        if (b.nv <= 1) continue;
        const std::size_t at = static_cast<std::size_t>(s * model_.nv + b.v);
        const Motion<double> rate =
            Displacement<double>(b.kind, d_.data() + at).rate(joint_displacement(b.kind, v_.data() + at));
        for (int k = 0; k < b.nv; ++k) {
          const Motion<double>& S = model_.S[static_cast<std::size_t>(b.column + k)];
          d_rate_[at + static_cast<std::size_t>(k)] = dot(S.w, rate.w) + dot(S.v, rate.v);
        }
      }
    return d_rate_.data();
  }

  const Model<double>& model_;
  StepMethod method_;
  bool plain_;  // every number of a position is one of a joint of its own, and adds
  std::vector<double> q_, qdd_, d_, v_, d_rate_, d_sum_, v_sum_;
};

}  // namespace torsor
