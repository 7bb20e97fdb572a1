// Passivity-based control (Slotine & Li 1987): nothing is cancelled; the energy of the error falls.
//
//   qd_r = qd_d + l (q_d - q),   s = qd - qd_r,   l = kp / kv
//   tau  = M(q) qdd_r + C(q, qd) qd_r + g(q) + f(qd_d) - diag(m) kv s
//
// With the true model d/dt (s^T M s / 2) = s^T (M sd + Md s / 2) = -s^T diag(m) kv s, since Md - 2C is skew: C must be
// the one made of Christoffel coefficients, any other with the same C qd will not do.
#pragma once

#include "torsor/control/control_law.hpp"

namespace torsor {

class PassivityLaw final : public ControlLaw {
 public:
  explicit PassivityLaw(const ControlSetup& setup)
      : ControlLaw(setup),
        inertia_(free_inertias(setup.dynamics, setup.start)),
        qd_r_(inertia_.size()),
        qdd_r_(inertia_.size()),
        coriolis_(inertia_.size()) {}

 private:
  void compute(const ControlState& state, const ControlReference& r, std::span<double> tau) override {
    const double l = gains_.kp / gains_.kv;
    for (int i = 0; i < n_; ++i) {
      qd_r_[i] = r.qd[i] + l * (r.q[i] - state.q[i]);
      qdd_r_[i] = r.qdd[i] + l * (r.qd[i] - state.qd[i]);
    }
    dynamics_.inverse(state.q, {}, qdd_r_, tau);
    dynamics_.coriolis(state.q, state.qd, qd_r_, coriolis_);
    dynamics_.add_friction(state.q, r.qd, tau);
    for (int i = 0; i < n_; ++i) tau[i] += coriolis_[i] - inertia_[i] * gains_.kv * (state.qd[i] - qd_r_[i]);
  }

  std::vector<double> inertia_, qd_r_, qdd_r_, coriolis_;
};

}  // namespace torsor
