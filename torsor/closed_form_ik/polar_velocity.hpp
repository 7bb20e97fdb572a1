// Joint rates of the Stanford arm, two turns and a slide before a spherical wrist, by the wrist partition: the four steps
// of Featherstone 1983 as Hollerbach & Sahar 1983, section 1.2, rework them, the linear velocity of the wrist given. In
// standard DH frames
//
//   alpha = (-90, 90, 0, -90, 90) degrees, lengths d_2 and the slide d_3 and no others
//
//   2pd4 = (d_3 qd2 - d_2 c2 qd1, d_3 s2 qd1, qd3 - d_2 s2 qd1)       3w3 = (-s2 qd1, qd2, c2 qd1)
//   4wh  = (s5 qd6, -qd4 - c5 qd6, qd5)
//
// where 2pd4 = (A1A2)^T pd4 and frame 3 has the axes of frame 2.
#pragma once

#include <array>

#include "torsor/scalar/stage.hpp"
#include "torsor/spatial/mat3.hpp"
#include "torsor/spatial/turn.hpp"

namespace torsor {

/// What positions have left behind.
template <class T>
struct PolarPosition {
  Mat3<T> A1A2;  // axes of link 2
  T d_2, d_3;    // m
  T c2, s2, c4, s4, c5, s5, c6, s6;
};

namespace detail {

/// Joints 1 to 3, and 3w3.
template <Field T>
Vec3<T> polar_forearm(const PolarPosition<T>& at, const Vec3<T>& pd4, std::array<T, 6>& qd) {
  mark_stage<T>("velocity 2");
  const Vec3<T> pd4_2 = ~at.A1A2 * pd4;
  qd[0] = pd4_2.y / (at.d_3 * at.s2);
  const T d2qd1 = at.d_2 * qd[0];
  qd[1] = (pd4_2.x + at.c2 * d2qd1) / at.d_3;
  qd[2] = pd4_2.z + at.s2 * d2qd1;
  mark_stage<T>("velocity 3");
  return {-(at.s2 * qd[0]), qd[1], at.c2 * qd[0]};
}

/// A4^T v.
template <class T>
Vec3<T> polar_back_4(const PolarPosition<T>& at, const Vec3<T>& v) {
  return quarter_turn_x(1, turn_z(at.c4, -at.s4, v));
}

/// Joints 4 to 6.
template <Field T>
void polar_wrist(const PolarPosition<T>& at, const Vec3<T>& wh_4, std::array<T, 6>& qd) {
  mark_stage<T>("velocity 4");
  qd[4] = wh_4.z;
  qd[5] = wh_4.x / at.s5;
  qd[3] = -wh_4.y - at.c5 * qd[5];
}

}  // namespace detail

/// Joint rates (rad/s, m/s) from the velocity of the wrist and the angular velocity of the tool, both in the base.
template <Field T>
std::array<T, 6> polar_velocity(const PolarPosition<T>& at, const Vec3<T>& pd4, const Vec3<T>& w6) {
  std::array<T, 6> qd;
  const Vec3<T> w3_3 = detail::polar_forearm(at, pd4, qd);
  detail::polar_wrist(at, detail::polar_back_4(at, ~at.A1A2 * w6 - w3_3), qd);
  return qd;
}

/// The same from the rates of the tool's axes, Paul's dT6: 6w6 = (z6 . yd6, x6 . zd6, y6 . xd6).
template <Field T>
std::array<T, 6> polar_velocity(const PolarPosition<T>& at, const Vec3<T>& pd4, const Mat3<T>& W6, const Mat3<T>& Wd6) {
  std::array<T, 6> qd;
  const Vec3<T> w3_3 = detail::polar_forearm(at, pd4, qd);
  const Vec3<T> w6_6{dot(W6.z, Wd6.y), dot(W6.x, Wd6.z), dot(W6.y, Wd6.x)};
  const Vec3<T> w6_5 = turn_z(at.c6, at.s6, w6_6), w6_4 = turn_z(at.c5, at.s5, quarter_turn_x(1, w6_5));
  detail::polar_wrist(at, w6_4 - detail::polar_back_4(at, w3_3), qd);
  return qd;
}

}  // namespace torsor
