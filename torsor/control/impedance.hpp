// Cartesian impedance without a force sensor (Hogan & Cotter 1982; Hogan 1985): the tool keeps the inertia L(q) that
// the arm has there, and gets the chosen spring and damper,
//
//   L (xdd - xdd_d) + K1 (xd - xd_d) + K2 (x - x_d) = f_e
//   tau = tau_0 + J^T L (xdd_d - Jd qd - J qdd_0) + J^T (K1 (xd_d - xd) + K2 (x_d - x))
//
// with tau_0 and L as in operational_space.hpp. The spring and the damper are forces, which no singular position makes
// large. Where none are chosen they are the arm's own, K1 = kv L and K2 = kp L: what is diagonal along the axes of the
// tool would swing slowly on the rest of L, which joins them.
#pragma once

#include "torsor/control/impedance_force.hpp"
#include "torsor/control/operational_space.hpp"

namespace torsor {

class ImpedanceLaw final : public OperationalSpaceLaw {
 public:
  explicit ImpedanceLaw(const ControlSetup& setup)
      : OperationalSpaceLaw(setup),
        chosen_(detail::is_chosen(setup.impedance)),
        impedance_(setup.impedance),
        own_(detail::own_gains(setup)) {}

 private:
  void compute(const ControlState& s, const ControlReference& r, std::span<double> tau) override {
    tool_.set(s.q, s.qd);
    const Motion<double> error = pose_error(r.tool.X, tool_.X), rate = r.tool.twist - tool_.twist;
    if (!chosen_) return accelerate(s, r, r.tool.acceleration + rate * own_.kv + error * own_.kp, tau);
    accelerate(s, r, r.tool.acceleration, tau);
    tool_.add_transposed(detail::times(impedance_.stiffness, r.tool.X.R, error) +
                             detail::times(impedance_.damping, r.tool.X.R, rate),
                         tau);
  }

  bool chosen_;
  Impedance impedance_;
  ControlGains own_;
};

}  // namespace torsor
