// Quaternion: Euler parameters e = (e0; e1, e2, e3) of a rotation by phi about u: e0 = cos(phi/2), (e1, e2, e3) = u
// sin(phi/2). The rotation matrix is that of Nikravesh, A = 2[...] with the sign of element (2,3) as e2 e3 - e0 e1.
#pragma once

#include <algorithm>
#include <cmath>
#include <concepts>
#include <limits>

#include "torsor/spatial/mat3.hpp"

namespace torsor {

template <class T>
struct Quaternion {
  T e0{1}, e1{0}, e2{0}, e3{0};
};

template <class T>
Vec3<T> vector_part(const Quaternion<T>& e) {
  return {e.e1, e.e2, e.e3};
}

/// The quaternion of the rotation R(a) R(b).
template <class T>
Quaternion<T> operator*(const Quaternion<T>& a, const Quaternion<T>& b) {
  return {a.e0 * b.e0 - a.e1 * b.e1 - a.e2 * b.e2 - a.e3 * b.e3, a.e0 * b.e1 + a.e1 * b.e0 + a.e2 * b.e3 - a.e3 * b.e2,
          a.e0 * b.e2 - a.e1 * b.e3 + a.e2 * b.e0 + a.e3 * b.e1, a.e0 * b.e3 + a.e1 * b.e2 - a.e2 * b.e1 + a.e3 * b.e0};
}

/// The rotation the other way (of a unit quaternion).
template <class T>
Quaternion<T> operator~(const Quaternion<T>& e) {
  return {e.e0, -e.e1, -e.e2, -e.e3};
}

/// Squares of length from this to one over it have all their digits.
template <std::floating_point T>
inline constexpr T least_square = 16 * std::numeric_limits<T>::min() / std::numeric_limits<T>::epsilon();

template <class T>
T squared_norm(const Quaternion<T>& e) {
  return e.e0 * e.e0 + e.e1 * e.e1 + e.e2 * e.e2 + e.e3 * e.e3;
}

/// Of unit length. Lengths whose squares a double cannot hold are divided by the largest part first; length zero gives NaN.
template <Analytic T>
Quaternion<T> normalized(const Quaternion<T>& e) {
  if constexpr (std::floating_point<T>)
    if (const T s = squared_norm(e); !(s > least_square<T> && s < 1 / least_square<T>)) {
      const T largest = std::max({std::abs(e.e0), std::abs(e.e1), std::abs(e.e2), std::abs(e.e3)});
      const Quaternion<T> u{e.e0 / largest, e.e1 / largest, e.e2 / largest, e.e3 / largest};
      const T k = T(1) / sqrt(squared_norm(u));
      return {u.e0 * k, u.e1 * k, u.e2 * k, u.e3 * k};
    }
  const T k = T(1) / sqrt(squared_norm(e));
  return {e.e0 * k, e.e1 * k, e.e2 * k, e.e3 * k};
}

/// Rotation matrix of a unit quaternion; a polynomial, so defined over any ring.
template <class T>
Mat3<T> rotation(const Quaternion<T>& e) {
  const T d1 = e.e1 + e.e1, d2 = e.e2 + e.e2, d3 = e.e3 + e.e3, one(1);
  const T e01 = e.e0 * d1, e02 = e.e0 * d2, e03 = e.e0 * d3;
  const T e11 = e.e1 * d1, e12 = e.e1 * d2, e13 = e.e1 * d3, e22 = e.e2 * d2, e23 = e.e2 * d3, e33 = e.e3 * d3;
  return {{one - e22 - e33, e12 + e03, e13 - e02},
          {e12 - e03, one - e11 - e33, e23 + e01},
          {e13 + e02, e23 - e01, one - e11 - e22}};
}

/// Time derivative of the quaternion of a body that turns with angular velocity w, components in the body frame: 1/2 e
/// * (0, w).
template <Field T>
Quaternion<T> rate(const Quaternion<T>& e, const Vec3<T>& w) {
  const T half = T(1) / T(2);
  const Quaternion<T> r = e * Quaternion<T>{T(0), w.x, w.y, w.z};
  return {r.e0 * half, r.e1 * half, r.e2 * half, r.e3 * half};
}

/// Quaternion of a rotation by `angle` about the unit axis u.
template <Analytic T>
Quaternion<T> quaternion_about(const Vec3<T>& u, const T& angle) {
  const T half = angle / T(2), s = sin(half);
  return {cos(half), u.x * s, u.y * s, u.z * s};
}

/// Unit quaternion of a rotation matrix, e0 >= 0; the largest of the four is found first, so no accuracy is lost at
/// half turns.
inline Quaternion<double> quaternion(const Mat3<double>& R) {
  const double t0 = 1 + R.x.x + R.y.y + R.z.z, t1 = 1 + R.x.x - R.y.y - R.z.z, t2 = 1 - R.x.x + R.y.y - R.z.z,
               t3 = 1 - R.x.x - R.y.y + R.z.z;
  Quaternion<double> e;
  if (t0 >= t1 && t0 >= t2 && t0 >= t3)
    e = {t0, R.y.z - R.z.y, R.z.x - R.x.z, R.x.y - R.y.x};
  else if (t1 >= t2 && t1 >= t3)
    e = {R.y.z - R.z.y, t1, R.x.y + R.y.x, R.z.x + R.x.z};
  else if (t2 >= t3)
    e = {R.z.x - R.x.z, R.x.y + R.y.x, t2, R.y.z + R.z.y};
  else
    e = {R.x.y - R.y.x, R.z.x + R.x.z, R.y.z + R.z.y, t3};
  e = normalized(e);
  return e.e0 < 0 ? Quaternion<double>{-e.e0, -e.e1, -e.e2, -e.e3} : e;
}

/// The same rotation with the sign nearer to another quaternion: along a motion, to the one before.
inline Quaternion<double> nearer(const Quaternion<double>& e, const Quaternion<double>& to) {
  const bool same = e.e0 * to.e0 + e.e1 * to.e1 + e.e2 * to.e2 + e.e3 * to.e3 >= 0;
  return same ? e : Quaternion<double>{-e.e0, -e.e1, -e.e2, -e.e3};
}

}  // namespace torsor
