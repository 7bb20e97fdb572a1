// Finite displacements of a joint: x (+) d takes the joint at x through d, one number for each velocity coordinate, so
// that quaternions stay unit. As motions (theta, r) = sum S_k d_k with components in the body frame at x,
//
//   R <- R exp(theta x),   p <- p + R r
//
// A displacement before (delta at x) or in d shows at the end, in body components there, as
//
//   delta_end = (~X) delta + (Jr delta_theta, E^T delta_r)        X = (E, r),  E = exp(theta x)
//   E = 1 + A theta x + B (theta x)^2,   Jr = 1 - B theta x + C (theta x)^2
//   A = sin t / t,  B = (1 - cos t) / t^2,  C = (t - sin t) / t^3,  t = |theta|
//
// and a motion with body velocity (w, u) moves d at the rate theta' = Jr^-1 w, r' = E u; of Jr^-1 the terms up to theta^2
// are taken, 1 + theta x / 2 + (theta x)^2 / 12: the next is of fourth order. A joint of one degree of freedom just adds.
// Chirikjian, Stochastic Models, Information Theory, and Lie Groups 2, ch. 10.
#pragma once

#include "torsor/model/model.hpp"

namespace torsor {

/// The coefficients A, B, C above.
template <Ordered T>
struct TurnSeries {
  T A, B, C;

  explicit TurnSeries(const Vec3<T>& theta) {
    const T t2 = dot(theta, theta), one(1);
    const auto small = t2 < T(0.01);
    const T t = sqrt(select(small, one, t2)), half = sin(t / T(2));
    const auto series = [&](double first, double k) {  // 1/k! steps, alternating
      T sum(0), term(first);
      for (int i = 0; i < 6; ++i) {
        sum += term;
        term = term * t2 * T(-1 / ((k + 1) * (k + 2)));
        k += 2;
      }
      return sum;
    };
    A = select(small, series(1, 1), sin(t) / t);
    B = select(small, series(1.0 / 2, 2), T(2) * half * half / (t * t));
    C = select(small, series(1.0 / 6, 3), (t - sin(t)) / (t * t * t));
  }
};

/// The displacement d (nv numbers) of a joint of several degrees of freedom as a motion in the body frame.
template <Ring T>
Motion<T> joint_displacement(JointKind kind, const T* d) {
  Motion<T> m;
  for (int k = 0; k < row(kind).nv; ++k) m += joint_motion(kind, k, T(0)) * d[k];
  return m;
}

/// exp(theta x).
template <Ordered T>
Mat3<T> turned_by(const Vec3<T>& theta) {
  const TurnSeries<T> s(theta);
  const Mat3<T> K = skew(theta);
  return Mat3<T>::identity() + K * s.A + K * K * s.B;
}

/// out = x (+) d; quaternions are normalised.
template <Ordered T>
void displace_joint(JointKind kind, const T* x, const T* d, T* out) {
  if (row(kind).nv == 1) out[0] = x[0] + d[0];
  if (row(kind).nv <= 1) return;
  if (kind == JointKind::planar) {
    const Vec3<T> p = rotation_z(cos(x[0]), sin(x[0])) * Vec3<T>{d[1], d[2], T(0)};
    out[0] = x[0] + d[0];
    out[1] = x[1] + p.x;
    out[2] = x[2] + p.y;
    return;
  }
  const Quaternion<T> e = normalized(Quaternion<T>{x[0], x[1], x[2], x[3]});
  const Vec3<T> half = Vec3<T>{d[0], d[1], d[2]} * T(0.5);
  const TurnSeries<T> s(half);
  const T t2 = dot(half, half);
  const Vec3<T> u = half * s.A;
  const Quaternion<T> turned = normalized(e * Quaternion<T>{T(1) - t2 * s.B, u.x, u.y, u.z});
  out[0] = turned.e0;
  out[1] = turned.e1;
  out[2] = turned.e2;
  out[3] = turned.e3;
  if (kind == JointKind::spherical) return;
  const Vec3<T> p = rotation(e) * Vec3<T>{d[3], d[4], d[5]};
  out[4] = x[4] + p.x;
  out[5] = x[5] + p.y;
  out[6] = x[6] + p.z;
}

/// A displacement d of a joint of several degrees of freedom with what its derivatives need.
template <Ordered T>
class Displacement {
 public:
  Displacement(JointKind kind, const T* d)
      : d_(joint_displacement(kind, d)), series_(d_.w), X_{turned_by(d_.w), d_.v} {}

  /// What a displacement delta at x becomes at x (+) d.
  Motion<T> carried(const Motion<T>& delta) const { return ~X_ * delta; }
  /// What a change of d does there.
  Motion<T> changed(const Motion<T>& delta) const { return {right(delta.w), ~X_.R * delta.v}; }

  /// The rate of d under the body velocity v at x (+) d.
  Motion<T> rate(const Motion<T>& v) const {
    const Vec3<T> c = cross(d_.w, v.w);
    return {v.w + c * T(0.5) + cross(d_.w, c) * T(1.0 / 12), X_.R * v.v};
  }
  /// Its derivative along a change of d.
  Motion<T> rate_changed(const Motion<T>& v, const Motion<T>& delta) const {
    const Vec3<T> c = cross(delta.w, v.w);
    return {c * T(0.5) + (cross(delta.w, cross(d_.w, v.w)) + cross(d_.w, c)) * T(1.0 / 12),
            X_.R * cross(right(delta.w), v.v)};
  }

 private:
  Vec3<T> right(const Vec3<T>& x) const {
    const Vec3<T> c = cross(d_.w, x);
    return x - c * series_.B + cross(d_.w, c) * series_.C;
  }

  Motion<T> d_;
  TurnSeries<T> series_;
  Transform<T> X_;
};

}  // namespace torsor
