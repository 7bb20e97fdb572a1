// Inertia: the ten inertial parameters of a rigid body in some frame: mass m, first moment h = m c, and the inertia
// tensor I about the frame's origin (entries of the tensor: I_xy = -integral of x y dm). Linear in the parameters, so
// bodies joined rigidly add.
#pragma once

#include "torsor/spatial/transform.hpp"

namespace torsor {

template <class T>
struct Inertia {
  T m{0};
  Vec3<T> h;
  Sym3<T> I;

  Inertia& operator+=(const Inertia& b) {
    m += b.m;
    h += b.h;
    I += b.I;
    return *this;
  }
};

template <class T>
Inertia<T> operator+(Inertia<T> a, const Inertia<T>& b) {
  return a += b;
}

/// Momentum of a velocity; force that goes with an acceleration.
template <class T>
Force<T> operator*(const Inertia<T>& J, const Motion<T>& a) {
  return {J.I * a.w + cross(J.h, a.v), a.v * J.m - cross(J.h, a.w)};
}

/// The same body seen from A: I_A = R I R^T + (p.(h' + h_A)) 1 - p h_A^T - h' p^T with h' = R h, h_A = h' + m p.
template <class T>
Inertia<T> operator*(const Transform<T>& X, const Inertia<T>& J) {
  const Vec3<T>& p = X.p;
  const Vec3<T> h = X.R * J.h, hA = h + p * J.m;
  const T xx = p.x * (h.x + hA.x), yy = p.y * (h.y + hA.y), zz = p.z * (h.z + hA.z);
  const Sym3<T> shift{
      yy + zz, xx + zz, xx + yy, -(p.x * hA.y + h.x * p.y), -(p.x * hA.z + h.x * p.z), -(p.y * hA.z + h.y * p.z)};
  return {J.m, hA, rotate(X.R, J.I) + shift};
}

/// A body with its tensor given about the mass centre c, axes parallel to the frame.
template <class T>
Inertia<T> inertia_about_centre(const T& mass, const Vec3<T>& c, const Sym3<T>& I_c) {
  return Transform<T>::translation(c) * Inertia<T>{mass, {}, I_c};
}

/// Mass centre; a body without mass has none and answers the origin.
inline Vec3<double> mass_centre(const Inertia<double>& J) { return J.m == 0 ? Vec3<double>{} : J.h * (1 / J.m); }

/// Tensor about the mass centre, axes parallel to the frame.
inline Sym3<double> tensor_about_centre(const Inertia<double>& J) {
  const Vec3<double> c = mass_centre(J);
  return {J.I.xx - J.m * (c.y * c.y + c.z * c.z),
          J.I.yy - J.m * (c.x * c.x + c.z * c.z),
          J.I.zz - J.m * (c.x * c.x + c.y * c.y),
          J.I.xy + J.m * c.x * c.y,
          J.I.xz + J.m * c.x * c.z,
          J.I.yz + J.m * c.y * c.z};
}

template <class U, class T, class Convert>
Inertia<U> cast(const Inertia<T>& J, const Convert& convert) {
  return {convert(J.m), cast<U>(J.h, convert), cast<U>(J.I, convert)};
}

}  // namespace torsor
