// Cartesian impedance with a measured force (Hogan & Cotter 1982): the tool answers a force f_e from outside as a body
// of chosen mass M_d on a spring K2 and a damper K1. Hollerbach & Sahar 1983, (6), about a plan that moves; for one at
// rest it is (6):
//
//   xdd = xdd_d + M_d^-1 (f_e + K1 (xd_d - xd) + K2 (x_d - x))
//   tau = M qdd + C qd + g + f(qd_d) - J^T f_e
//
// M_d, K1 and K2 are diagonal along the axes of the wanted tool. The arm's own inertia is replaced by M_d, which the
// measured force makes possible.
#pragma once

#include "torsor/control/tool_law.hpp"

namespace torsor {

namespace detail {

/// A diagonal along the axes of R, from motions to forces, both in the world.
inline Force<double> times(const std::array<double, 6>& d, const Mat3<double>& R, const Motion<double>& m) {
  const Vec3<double> w = ~R * m.w, v = ~R * m.v;
  return {R * Vec3<double>{d[0] * w.x, d[1] * w.y, d[2] * w.z}, R * Vec3<double>{d[3] * v.x, d[4] * v.y, d[5] * v.z}};
}

/// The inverse of such a diagonal, from forces to motions.
inline Motion<double> over(const std::array<double, 6>& d, const Mat3<double>& R, const Force<double>& force) {
  const Vec3<double> n = ~R * force.n, f = ~R * force.f;
  return {R * Vec3<double>{n.x / d[0], n.y / d[1], n.z / d[2]}, R * Vec3<double>{f.x / d[3], f.y / d[4], f.z / d[5]}};
}

inline bool is_chosen(const Impedance& impedance) { return impedance.mass[3] > 0; }

/// The gains of the arm's own impedance.
inline ControlGains own_gains(const ControlSetup& setup) {
  const double b = setup.impedance_bandwidth;
  return {setup.gains.kp * b * b, setup.gains.kv * b};
}

/// The impedance asked for, or else the arm's own.
inline Impedance chosen_impedance(const ControlSetup& setup) {
  if (is_chosen(setup.impedance)) return setup.impedance;
  return natural_impedance(setup.model, setup.tool, setup.dynamics, setup.start, own_gains(setup));
}

}  // namespace detail

class ForceImpedanceLaw final : public ToolAccelerationLaw {
 public:
  explicit ForceImpedanceLaw(const ControlSetup& setup)
      : ToolAccelerationLaw(setup), impedance_(detail::chosen_impedance(setup)) {}

 private:
  Motion<double> asked(const ControlState& s, const ControlReference& r) override {
    const Mat3<double>& R = r.tool.X.R;
    const Force<double> spring = detail::times(impedance_.stiffness, R, pose_error(r.tool.X, tool_.X));
    const Force<double> damper = detail::times(impedance_.damping, R, r.tool.twist - tool_.twist);
    return r.tool.acceleration + detail::over(impedance_.mass, R, s.tool_force + spring + damper);
  }

  void compute(const ControlState& s, const ControlReference& r, std::span<double> tau) override {
    ToolAccelerationLaw::compute(s, r, tau);
    tool_.add_transposed(-s.tool_force, tau);
  }

  Impedance impedance_;
};

}  // namespace torsor
