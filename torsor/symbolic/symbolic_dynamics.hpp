// The equations of motion as polynomials: D, the Christoffel coefficients and G of
//
//   sum_j d_ij qdd_j + sum_jm c_jm(i) qd_j qd_m + G_i = tau_i
//
// D by composite bodies and G by Newton-Euler, the same text as for numbers, in body frames, where expressions stay
// shortest; c by differentiation, 2 c_jm(i) = d d_ij / dq_m + d d_im / dq_j - d d_jm / dq_i.
#pragma once

#include "torsor/numeric/row_major.hpp"
#include "torsor/scalar/poly.hpp"
#include "torsor/symbolic/symbolic_robot.hpp"

namespace torsor {

struct SymbolicDynamics {
  int n = 0;
  std::vector<Poly> D, c, G;  // D row-major n x n; c_jm(i) at [(i n + j) n + m]

  const Poly& d(int i, int j) const { return D[cell(i, n, j)]; }
  const Poly& christoffel(int i, int j, int m) const { return c[cell(i * n + j, n, m)]; }
};

/// The equations, rotors included; a fault where a polynomial grows beyond its limits.
Result<SymbolicDynamics> symbolic_dynamics(const SymbolicRobot&, SymbolicParts = {});

/// c_jm(i) of a mass matrix, row-major.
std::vector<Poly> christoffel_of(std::span<const Poly> D, std::span<const SymbolicJoint>);

/// The velocity torques h (n): sum over j, m of c_jm(i) qd_j qd_m.
std::vector<Poly> velocity_torques(const SymbolicDynamics&, std::span<const Poly> qd);

}  // namespace torsor
