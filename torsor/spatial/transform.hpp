// Transform X_AB: the pose of frame B in frame A. x_A = R x_B + p, and the same for spatial vectors:
//
//   X_AB * m     components of a motion or force from B to A
//   ~X_AB * m    from A to B, without forming the inverse
//   X_AB * X_BC  = X_AC
//
// Mat3{} is the zero matrix, so that sums can start from it; Transform{} has R = 1. A displacement alone is therefore
// translation(p), never {{}, p}, whose rotation would be zero.
#pragma once

#include "torsor/spatial/mat3.hpp"
#include "torsor/spatial/motion.hpp"

namespace torsor {

template <class T>
struct Transform {
  Mat3<T> R = Mat3<T>::identity();
  Vec3<T> p;

  /// B displaced by p, its axes parallel to those of A.
  static Transform translation(const Vec3<T>& p) { return {Mat3<T>::identity(), p}; }
  /// B turned by R, its origin that of A.
  static Transform rotation(const Mat3<T>& R) { return {R, {}}; }
};

/// ~X: the transform the other way, kept as a view of X so that applying it costs no more than applying X.
template <class T>
struct InverseTransform {
  const Transform<T>& X;

  operator Transform<T>() const { return {~X.R, ~X.R * -X.p}; }
};

template <class T>
InverseTransform<T> operator~(const Transform<T>& X) {
  return {X};
}
template <class T>
InverseTransform<T> operator~(Transform<T>&&) = delete;  // the view must not outlive its transform

template <class T>
Transform<T> inverse(const Transform<T>& X) {
  return ~X;
}
template <class T>
Transform<T> operator*(const Transform<T>& a, const Transform<T>& b) {
  return {a.R * b.R, a.R * b.p + a.p};
}
template <class T>
Transform<T> operator*(const InverseTransform<T>& a, const Transform<T>& b) {
  return {~a.X.R * b.R, ~a.X.R * (b.p - a.X.p)};
}

/// A point given in B, in A.
template <class T>
Vec3<T> operator*(const Transform<T>& X, const Vec3<T>& point) {
  return X.R * point + X.p;
}
template <class T>
Vec3<T> operator*(const InverseTransform<T>& i, const Vec3<T>& point) {
  return ~i.X.R * (point - i.X.p);
}

template <class T>
Motion<T> operator*(const Transform<T>& X, const Motion<T>& m) {
  const Vec3<T> w = X.R * m.w;
  return {w, X.R * m.v + cross(X.p, w)};
}

template <class T>
Motion<T> operator*(const InverseTransform<T>& i, const Motion<T>& m) {
  const Mat3<T> Rt = ~i.X.R;
  return {Rt * m.w, Rt * (m.v - cross(i.X.p, m.w))};
}

template <class T>
Force<T> operator*(const Transform<T>& X, const Force<T>& f) {
  const Vec3<T> force = X.R * f.f;
  return {X.R * f.n + cross(X.p, force), force};
}

template <class T>
Force<T> operator*(const InverseTransform<T>& i, const Force<T>& f) {
  const Mat3<T> Rt = ~i.X.R;
  return {Rt * (f.n - cross(i.X.p, f.f)), Rt * f.f};
}

template <class U, class T, class Convert>
Transform<U> cast(const Transform<T>& X, const Convert& convert) {
  return {cast<U>(X.R, convert), cast<U>(X.p, convert)};
}

}  // namespace torsor
