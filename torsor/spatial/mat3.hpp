// Mat3: a 3x3 matrix held by its columns, and Sym3: a symmetric one held by its six entries.
// The columns of a rotation are the axes of the rotated frame, so R.z reads "the z axis of the frame".
#pragma once

#include "torsor/spatial/vec3.hpp"

namespace torsor {

template <class T>
struct Mat3 {
  Vec3<T> x, y, z;  // columns

  /// The unit matrix: also the rotation between frames with the same axes.
  static Mat3 identity() { return {{T(1), T(0), T(0)}, {T(0), T(1), T(0)}, {T(0), T(0), T(1)}}; }

  Mat3& operator+=(const Mat3& b) {
    x += b.x;
    y += b.y;
    z += b.z;
    return *this;
  }
};

template <class T>
Mat3<T> operator+(const Mat3<T>& a, const Mat3<T>& b) {
  return {a.x + b.x, a.y + b.y, a.z + b.z};
}
template <class T>
Mat3<T> operator-(const Mat3<T>& a, const Mat3<T>& b) {
  return {a.x - b.x, a.y - b.y, a.z - b.z};
}
template <class T>
Mat3<T> operator*(const Mat3<T>& a, const T& s) {
  return {a.x * s, a.y * s, a.z * s};
}
template <class T>
Vec3<T> operator*(const Mat3<T>& a, const Vec3<T>& v) {
  return a.x * v.x + a.y * v.y + a.z * v.z;
}
template <class T>
Mat3<T> operator*(const Mat3<T>& a, const Mat3<T>& b) {
  return {a * b.x, a * b.y, a * b.z};
}

/// Transpose; of a rotation, the rotation the other way.
template <class T>
Mat3<T> operator~(const Mat3<T>& a) {
  return {{a.x.x, a.y.x, a.z.x}, {a.x.y, a.y.y, a.z.y}, {a.x.z, a.y.z, a.z.z}};
}

/// skew(a) b = a x b.
template <class T>
Mat3<T> skew(const Vec3<T>& a) {
  return {{T(0), a.z, -a.y}, {-a.z, T(0), a.x}, {a.y, -a.x, T(0)}};
}

/// a b^T.
template <class T>
Mat3<T> outer(const Vec3<T>& a, const Vec3<T>& b) {
  return {a * b.x, a * b.y, a * b.z};
}

template <class T>
struct Sym3 {
  T xx{0}, yy{0}, zz{0}, xy{0}, xz{0}, yz{0};

  Sym3& operator+=(const Sym3& b) {
    xx += b.xx;
    yy += b.yy;
    zz += b.zz;
    xy += b.xy;
    xz += b.xz;
    yz += b.yz;
    return *this;
  }
};

template <class T>
Sym3<T> operator+(const Sym3<T>& a, const Sym3<T>& b) {
  return {a.xx + b.xx, a.yy + b.yy, a.zz + b.zz, a.xy + b.xy, a.xz + b.xz, a.yz + b.yz};
}

template <class T>
Sym3<T> operator-(const Sym3<T>& a, const Sym3<T>& b) {
  return {a.xx - b.xx, a.yy - b.yy, a.zz - b.zz, a.xy - b.xy, a.xz - b.xz, a.yz - b.yz};
}

template <class T>
Sym3<T> operator*(const Sym3<T>& a, const T& s) {
  return {a.xx * s, a.yy * s, a.zz * s, a.xy * s, a.xz * s, a.yz * s};
}

template <class T>
Vec3<T> operator*(const Sym3<T>& a, const Vec3<T>& v) {
  return {a.xx * v.x + a.xy * v.y + a.xz * v.z, a.xy * v.x + a.yy * v.y + a.yz * v.z,
          a.xz * v.x + a.yz * v.y + a.zz * v.z};
}

/// All nine entries.
template <class T>
Mat3<T> full(const Sym3<T>& a) {
  return {{a.xx, a.xy, a.xz}, {a.xy, a.yy, a.yz}, {a.xz, a.yz, a.zz}};
}

/// The upper triangle of a matrix known to be symmetric.
template <class T>
Sym3<T> symmetric(const Mat3<T>& a) {
  return {a.x.x, a.y.y, a.z.z, a.y.x, a.z.x, a.z.y};
}

/// R a R^T.
template <class T>
Sym3<T> rotate(const Mat3<T>& R, const Sym3<T>& a) {
  const Mat3<T> B = R * full(a), Rt = ~R;  // columns of Rt are the rows of R
  const auto entry = [&](const Vec3<T>& row_of_R, int i) {
    const auto pick = [i](const Vec3<T>& v) -> const T& { return i == 0 ? v.x : i == 1 ? v.y : v.z; };
    return pick(B.x) * row_of_R.x + pick(B.y) * row_of_R.y + pick(B.z) * row_of_R.z;
  };
  return {entry(Rt.x, 0), entry(Rt.y, 1), entry(Rt.z, 2), entry(Rt.y, 0), entry(Rt.z, 0), entry(Rt.z, 1)};
}

template <class U, class T, class Convert>
Mat3<U> cast(const Mat3<T>& a, const Convert& convert) {
  return {cast<U>(a.x, convert), cast<U>(a.y, convert), cast<U>(a.z, convert)};
}

template <class U, class T, class Convert>
Sym3<U> cast(const Sym3<T>& a, const Convert& convert) {
  return {convert(a.xx), convert(a.yy), convert(a.zz), convert(a.xy), convert(a.xz), convert(a.yz)};
}

}  // namespace torsor
