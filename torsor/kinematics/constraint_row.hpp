// One scalar equation, or one measure, between a frame on body i and a frame on body j: its value, its gradients and its
// second derivative when nothing accelerates. All joints are made of these few.
//
//   value'  = J_i . V_i + J_j . V_j              V = (w, v of the mass centre), world components
//   value'' = J_i . A_i + J_j . A_j + bias       A = V'
//
// J_i and J_j are written as forces (moment about the mass centre, force): lambda of them is what the equation does to its
// bodies. A vector a that is fixed in a body has a' = w x a and, where w' = 0, a'' = w x (w x a). Over any number, so that
// duals can check every gradient and bias.
//
//   in line    a . d     a on i, d = P_j - P_i       square   a . b     a on i, b on j
//   length     |d|                                   angle    atan2(y_i . x_j, x_i . x_j)
//
// Haug 1989, secs. 9.2 to 9.4; Sim, Yoo & Lee 1985 (4), (5), and (31) in the form that keeps all digits.
#pragma once

#include <type_traits>

#include "torsor/scalar/concepts.hpp"
#include "torsor/spatial/mat3.hpp"
#include "torsor/spatial/motion.hpp"

namespace torsor {

/// A joint frame as it stands and moves: origin P, its way s from the mass centre of its body, axes R, angular velocity w,
/// velocity of P, and its acceleration while the body's own are zero.
template <class T>
struct JointPlace {
  Vec3<T> P, s;
  Mat3<T> R;
  Vec3<T> w, Pd, Pdd;
};

template <class T>
struct ConstraintRow {
  T value{0};
  Force<T> J_i, J_j;
  T bias{0};
};

namespace detail {

/// A vector fixed in a body, with its derivatives while the body's angular acceleration is zero.
template <class T>
struct Fixed {
  Vec3<T> a, ad, add;

  Fixed(const Vec3<T>& a_, const Vec3<T>& w) : a(a_), ad(cross(w, a_)), add(cross(w, ad)) {}
};

}  // namespace detail

/// a . b of a vector on i and one on j.
template <class T>
ConstraintRow<T> square_row(const Vec3<T>& a, const Vec3<T>& b, const JointPlace<T>& i, const JointPlace<T>& j) {
  const detail::Fixed<T> on_i(a, i.w), on_j(b, j.w);
  const Vec3<T> axb = cross(a, b);
  return {dot(a, b), {axb, {}}, {-axb, {}}, dot(on_i.add, b) + T(2) * dot(on_i.ad, on_j.ad) + dot(a, on_j.add)};
}

/// a . (P_j - P_i) of a vector on i.
template <class T>
ConstraintRow<T> in_line_row(const Vec3<T>& a, const JointPlace<T>& i, const JointPlace<T>& j) {
  const detail::Fixed<T> on_i(a, i.w);
  const Vec3<T> d = j.P - i.P, dd = j.Pd - i.Pd, ddd = j.Pdd - i.Pdd;
  return {dot(a, d),
          {cross(a, d) - cross(i.s, a), -a},
          {cross(j.s, a), a},
          dot(on_i.add, d) + T(2) * dot(on_i.ad, dd) + dot(a, ddd)};
}

/// |P_j - P_i|: its gradient does not shrink with the length, and lambda is the force. Where the points meet it has no
/// direction: along z_i then, so that an assembly finds a way out.
template <Analytic T>
ConstraintRow<T> length_row(const JointPlace<T>& i, const JointPlace<T>& j) {
  const Vec3<T> d = j.P - i.P, dd = j.Pd - i.Pd;
  const T l = norm(d);
  if constexpr (std::is_same_v<T, double>)
    if (l == 0) return {l, {-cross(i.s, i.R.z), -i.R.z}, {cross(j.s, i.R.z), i.R.z}, 0};
  const Vec3<T> u = d * (T(1) / l);
  const T ld = dot(u, dd);
  return {l, {-cross(i.s, u), -u}, {cross(j.s, u), u}, dot(u, j.Pdd - i.Pdd) + (dot(dd, dd) - ld * ld) / l};
}

/// The angle of x_j from x_i about z_i, within half a turn either way; x_j need not be exactly across z_i.
template <Analytic T>
ConstraintRow<T> angle_row(const JointPlace<T>& i, const JointPlace<T>& j) {
  const ConstraintRow<T> x = square_row(i.R.x, j.R.x, i, j), y = square_row(i.R.y, j.R.x, i, j);
  // theta' = (x y' - y x') / (x^2 + y^2)
  const T k = T(1) / (x.value * x.value + y.value * y.value), kx = k * x.value, ky = k * y.value;
  const Vec3<T> g = y.J_i.n * kx - x.J_i.n * ky;
  const Vec3<T> relative = i.w - j.w;
  const T xd = dot(x.J_i.n, relative), yd = dot(y.J_i.n, relative);
  return {atan2(y.value, x.value),
          {g, {}},
          {-g, {}},
          kx * y.bias - ky * x.bias - T(2) * (kx * yd - ky * xd) * (kx * xd + ky * yd)};
}

}  // namespace torsor
