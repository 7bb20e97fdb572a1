// The 4x4 matrices of an arm in standard DH frames (Fu, Gonzalez & Lee 1987, section 3.2; their equation numbers):
//
//   (3.2-5)   A_i = Rz(theta_i) Tz(d_i) Tx(a_i) Rx(alpha_i), of frame i in frame i - 1, revolute and prismatic alike
//   (3.2-9)   dA_i/dq_i = Q_i A_i
//   (3.2-18)  J_i = integral of r r^T dm over link i, r = (x, y, z, 1) in frame i; off the diagonal +integral of xy
//
// The book prints (3.2-6), the prismatic A_i, for a_i = 0 only, and (3.2-18) with I_xy for +integral of xy and moments
// about the origin; here the tensor I_c about the mass centre is given: J = (tr I_c / 2) 1 - I_c + m r r^T.
#pragma once

#include "torsor/model/dh_matrix.hpp"
#include "torsor/spatial/mat4.hpp"

namespace torsor {

/// A_i as a 4x4 matrix.
template <Ring T>
Mat4<T> homogeneous_matrix(const DhArm<T>& arm, const DhPosition<T>& position, int i) {
  const auto [R, p] = dh_matrix(arm, position, i);
  const T o(0);
  return {{Vec4<T>{R.x.x, R.y.x, R.z.x, p.x}, {R.x.y, R.y.y, R.z.y, p.y}, {R.x.z, R.y.z, R.z.z, p.z}, {o, o, o, T(1)}}};
}

/// Q_i: a factor that only moves and negates rows or columns, so that it takes no arithmetic.
struct DhRate {
  bool prismatic;

  explicit DhRate(bool is_prismatic) : prismatic(is_prismatic) {}
  template <class T>
  explicit DhRate(const DhLink<T>& link) : prismatic(link.prismatic) {}
};

template <Ring T>
Mat4<T> operator*(DhRate Q, const Mat4<T>& A) {
  const Vec4<T> none{T(0), T(0), T(0), T(0)};
  if (Q.prismatic) return {{none, none, A.rows[3], none}};
  return {{-A.rows[1], A.rows[0], none, none}};
}

template <Ring T>
Mat4<T> operator*(const Mat4<T>& A, DhRate Q) {
  Mat4<T> out;
  for (int i = 0; i < 4; ++i)
    out.rows[static_cast<std::size_t>(i)] =
        Q.prismatic ? Vec4<T>{T(0), T(0), T(0), A(i, 2)} : Vec4<T>{A(i, 1), -A(i, 0), T(0), T(0)};
  return out;
}

/// Second moments of a link about the origin of its frame: integral of r r^T dm.
template <Field T>
Sym3<T> second_moments(const DhLink<T>& l) {
  const T half = (l.I.xx + l.I.yy + l.I.zz) * (T(1) / T(2));
  const auto moment = [&](const T& about_centre, const T& x, const T& y) { return about_centre + l.m * x * y; };
  return {moment(half - l.I.xx, l.r.x, l.r.x), moment(half - l.I.yy, l.r.y, l.r.y), moment(half - l.I.zz, l.r.z, l.r.z),
          moment(-l.I.xy, l.r.x, l.r.y),       moment(-l.I.xz, l.r.x, l.r.z),       moment(-l.I.yz, l.r.y, l.r.z)};
}

/// J_i: the pseudo-inertia of a link in its frame.
template <Field T>
Mat4<T> pseudo_inertia(const DhLink<T>& l) {
  const Sym3<T> S = second_moments(l);
  const Vec3<T> h = l.r * l.m;
  return {{Vec4<T>{S.xx, S.xy, S.xz, h.x}, {S.xy, S.yy, S.yz, h.y}, {S.xz, S.yz, S.zz, h.z}, {h.x, h.y, h.z, l.m}}};
}

}  // namespace torsor
