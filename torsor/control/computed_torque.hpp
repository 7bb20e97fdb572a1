// Computed torque (Paul 1972; Markiewicz 1973): the model turns the arm into n double integrators, and each is steered
// alone,
//
//   tau = M(q) (qdd_d + kv (qd_d - qd) + kp (q_d - q)) + C(q, qd) qd + g(q) + f(qd_d)
//
// With the true model the error obeys e'' + kv e' + kp e = 0.
#pragma once

#include "torsor/control/control_law.hpp"

namespace torsor {

class ComputedTorqueLaw final : public ControlLaw {
 public:
  explicit ComputedTorqueLaw(const ControlSetup& setup) : ControlLaw(setup), asked_(static_cast<std::size_t>(n_)) {}

 private:
  void compute(const ControlState& s, const ControlReference& r, std::span<double> tau) override {
    for (int i = 0; i < n_; ++i) asked_[i] = r.qdd[i] + gains_.kv * (r.qd[i] - s.qd[i]) + gains_.kp * (r.q[i] - s.q[i]);
    dynamics_.inverse(s.q, s.qd, asked_, tau);
    dynamics_.add_friction(s.q, r.qd, tau);
  }

  std::vector<double> asked_;
};

}  // namespace torsor
