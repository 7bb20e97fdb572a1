// Cartesian impedance without a force sensor (Hogan & Cotter 1982; Hogan 1985): the hand keeps the inertia L(q) that
// the arm has there, and gets the chosen spring and damper,
//
//   L (xdd - xdd_d) + K1 (xd - xd_d) + K2 (x - x_d) = f_e
//   tau = tau_0 + J^T L (xdd_d - Jd qd - J qdd_0) + J^T (K1 (xd_d - xd) + K2 (x_d - x))
//
// with tau_0 and L as in operational_space.hpp. The spring and the damper are forces, which no singular position makes
// large.
#pragma once

#include "torsor/control/impedance_force.hpp"
#include "torsor/control/operational_space.hpp"

namespace torsor {

class ImpedanceLaw final : public OperationalSpaceLaw {
 public:
  explicit ImpedanceLaw(const ControlSetup& setup)
      : OperationalSpaceLaw(setup), impedance_(detail::chosen_impedance(setup)) {}

 private:
  void compute(const ControlState& s, const ControlReference& r, std::span<double> tau) override {
    hand_.set(s.q, s.qd);
    accelerate(s, r, r.hand.acceleration, tau);
    hand_.add_transposed(detail::times(impedance_.stiffness, r.hand.X.R, pose_error(r.hand.X, hand_.X)) +
                             detail::times(impedance_.damping, r.hand.X.R, r.hand.twist - hand_.twist),
                         tau);
  }

  Impedance impedance_;
};

}  // namespace torsor
