// Vec3: three components and the operators of vector algebra, over any ring.
#pragma once

#include <cmath>

#include "torsor/scalar/concepts.hpp"

namespace torsor {

template <class T>
struct Vec3 {
  T x{0}, y{0}, z{0};

  Vec3& operator+=(const Vec3& b) {
    x += b.x;
    y += b.y;
    z += b.z;
    return *this;
  }
  Vec3& operator-=(const Vec3& b) {
    x -= b.x;
    y -= b.y;
    z -= b.z;
    return *this;
  }
};

template <class T>
Vec3<T> operator+(const Vec3<T>& a, const Vec3<T>& b) {
  return {a.x + b.x, a.y + b.y, a.z + b.z};
}
template <class T>
Vec3<T> operator-(const Vec3<T>& a, const Vec3<T>& b) {
  return {a.x - b.x, a.y - b.y, a.z - b.z};
}
template <class T>
Vec3<T> operator-(const Vec3<T>& a) {
  return {-a.x, -a.y, -a.z};
}
template <class T>
Vec3<T> operator*(const Vec3<T>& a, const T& s) {
  return {a.x * s, a.y * s, a.z * s};
}
template <class T>
Vec3<T> operator*(const T& s, const Vec3<T>& a) {
  return a * s;
}

template <class T>
T dot(const Vec3<T>& a, const Vec3<T>& b) {
  return a.x * b.x + a.y * b.y + a.z * b.z;
}

template <class T>
Vec3<T> cross(const Vec3<T>& a, const Vec3<T>& b) {
  return {a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}

template <Analytic T>
T norm(const Vec3<T>& a) {
  return sqrt(dot(a, a));
}

/// The direction of a vector of any length but zero: scaled by a power of two first, so that no square over- or
/// underflows, and a vector along a coordinate axis comes out exact.
inline Vec3<double> unit(const Vec3<double>& a) {
  int exponent = 0;
  std::frexp(std::fmax(std::fmax(std::fabs(a.x), std::fabs(a.y)), std::fabs(a.z)), &exponent);
  const Vec3<double> b{std::ldexp(a.x, -exponent), std::ldexp(a.y, -exponent), std::ldexp(a.z, -exponent)};
  const double length = norm(b);
  return {b.x / length, b.y / length, b.z / length};
}

/// The same vector over another scalar: each component through `convert`.
template <class U, class T, class Convert>
Vec3<U> cast(const Vec3<T>& a, const Convert& convert) {
  return {convert(a.x), convert(a.y), convert(a.z)};
}

}  // namespace torsor
