// Independent joints: tau = diag(m) (kp (q_d - q) + kv (qd_d - qd)), m the constant inertia that each joint feels at
// the start while the others are free. Nothing of the arm is known but these numbers; what its weight asks for is an
// error.
#pragma once

#include "torsor/control/control_law.hpp"

namespace torsor {

class PdLaw : public ControlLaw {
 public:
  explicit PdLaw(const ControlSetup& setup) : ControlLaw(setup), inertia_(free_inertias(setup.dynamics, setup.start)) {}

 protected:
  void compute(const ControlState& s, const ControlReference& r, std::span<double> tau) override {
    std::fill(tau.begin(), tau.end(), 0.0);
    add_feedback(s, r, tau);
  }

  void add_feedback(const ControlState& s, const ControlReference& r, std::span<double> tau) const {
    for (int i = 0; i < n_; ++i)
      tau[i] += inertia_[i] * (gains_.kp * (r.q[i] - s.q[i]) + gains_.kv * (r.qd[i] - s.qd[i]));
  }

 private:
  std::vector<double> inertia_;
};

}  // namespace torsor
