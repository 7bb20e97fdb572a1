// Denavit-Hartenberg rows as constant transforms. The joint's own motion about (or along) z commutes with theta and d,
// so it stands apart: in front of the standard row, behind the modified one.
//
//   standard  A_i = [motion] Rz(theta) Tz(d) Tx(a) Rx(alpha) Ry(beta)
//   modified  A_i = Tx(a) Rx(alpha) Ry(beta) Rz(theta) Tz(d) [motion]
//
// beta (Hayati 1983) is zero but for nearly parallel axes.
#pragma once

#include <numbers>

#include "torsor/model/description.hpp"

namespace torsor {

struct CosSin {
  double c, s;
};

/// Cosine and sine of a constant angle; an angle that is the double nearest to a multiple of pi/2 means the quarter
/// turn itself, so that the zeros of a right-angled arm are exact.
inline CosSin exact_cos_sin(double angle) {
  const double quarters = std::nearbyint(angle / (std::numbers::pi / 2));
  if (abs(quarters) < 1e6 && quarters * (std::numbers::pi / 2) == angle) {
    constexpr CosSin turns[4] = {{1, 0}, {0, 1}, {-1, 0}, {0, -1}};
    return turns[static_cast<long>(quarters) & 3];
  }
  return {cos(angle), sin(angle)};
}

/// Rz(yaw) Ry(pitch) Rx(roll) of constant angles, exact for quarter turns.
inline Mat3<double> exact_rotation_rpy(const Vec3<double>& rpy) {
  const auto [cr, sr] = exact_cos_sin(rpy.x);
  const auto [cp, sp] = exact_cos_sin(rpy.y);
  const auto [cy, sy] = exact_cos_sin(rpy.z);
  return rotation_z(cy, sy) * rotation_y(cp, sp) * rotation_x(cr, sr);
}

/// Rz(theta) Tz(d): along one axis.
inline Transform<double> along_axis(double theta, double d) {
  const auto [c, s] = exact_cos_sin(theta);
  return {rotation_z(c, s), {0, 0, d}};
}

/// Tx(a) Rx(alpha) Ry(beta): from one axis to the next.
inline Transform<double> across_link(double a, double alpha, double beta) {
  const auto [c, s] = exact_cos_sin(alpha);
  const Mat3<double> R = rotation_x(c, s);
  return {beta == 0 ? R : R * rotation_y(beta), {a, 0, 0}};
}

inline Transform<double> standard_dh(const DhRow& r) {
  return along_axis(r.theta, r.d) * across_link(r.a, r.alpha, r.beta);
}

inline Transform<double> modified_dh(const DhRow& r) {
  return across_link(r.a, r.alpha, r.beta) * along_axis(r.theta, r.d);
}

}  // namespace torsor
