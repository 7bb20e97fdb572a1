// Rotations about an axis, from an angle or from its cosine and sine; roll-pitch-yaw; the rotation that brings z onto a
// given axis. A rotation R_AB holds the axes of B in components of A: v_A = R_AB v_B.
#pragma once

#include "torsor/spatial/mat3.hpp"

namespace torsor {

template <class T>
Mat3<T> rotation_x(const T& c, const T& s) {
  return {{T(1), T(0), T(0)}, {T(0), c, s}, {T(0), -s, c}};
}
template <class T>
Mat3<T> rotation_y(const T& c, const T& s) {
  return {{c, T(0), -s}, {T(0), T(1), T(0)}, {s, T(0), c}};
}
template <class T>
Mat3<T> rotation_z(const T& c, const T& s) {
  return {{c, s, T(0)}, {-s, c, T(0)}, {T(0), T(0), T(1)}};
}

template <Analytic T>
Mat3<T> rotation_x(const T& angle) {
  return rotation_x(cos(angle), sin(angle));
}
template <Analytic T>
Mat3<T> rotation_y(const T& angle) {
  return rotation_y(cos(angle), sin(angle));
}
template <Analytic T>
Mat3<T> rotation_z(const T& angle) {
  return rotation_z(cos(angle), sin(angle));
}

/// R Rz(c, s) without the products by structural zeros.
template <class T>
Mat3<T> times_rotation_z(const Mat3<T>& R, const T& c, const T& s) {
  return {R.x * c + R.y * s, R.y * c - R.x * s, R.z};
}

/// R Rx(c, s), likewise.
template <class T>
Mat3<T> times_rotation_x(const Mat3<T>& R, const T& c, const T& s) {
  return {R.x, R.y * c + R.z * s, R.z * c - R.y * s};
}

/// Rotation by an angle about a unit axis (Rodrigues).
template <Analytic T>
Mat3<T> rotation_about(const Vec3<T>& u, const T& angle) {
  const T c = cos(angle), s = sin(angle);
  return Mat3<T>::identity() * c + skew(u) * s + outer(u, u) * (T(1) - c);
}

/// Rz(yaw) Ry(pitch) Rx(roll): fixed-axis roll, pitch, yaw as in URDF.
template <Analytic T>
Mat3<T> rotation_rpy(const T& roll, const T& pitch, const T& yaw) {
  return rotation_z(yaw) * rotation_y(pitch) * rotation_x(roll);
}

/// A rotation whose z axis is the unit vector u. Exact (a permutation) when u is a coordinate axis, so that zeros stay
/// zeros.
inline Mat3<double> rotation_z_onto(const Vec3<double>& u) {
  if (u.x == 0 && u.y == 0) return u.z > 0 ? Mat3<double>::identity() : rotation_x(-1.0, 0.0);
  if (u.y == 0 && u.z == 0) return rotation_y(0.0, u.x);
  if (u.x == 0 && u.z == 0) return rotation_x(0.0, -u.y);
  // the axis least along u gives the best conditioned x
  const double ax = abs(u.x), ay = abs(u.y), az = abs(u.z);
  const Vec3<double> helper = ax <= ay && ax <= az ? Vec3<double>{1, 0, 0}
                              : ay <= az           ? Vec3<double>{0, 1, 0}
                                                   : Vec3<double>{0, 0, 1};
  Vec3<double> x = cross(helper, u);
  x = x * (1 / norm(x));
  return {x, cross(u, x), u};
}

}  // namespace torsor
