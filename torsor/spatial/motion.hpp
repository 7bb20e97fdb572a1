// Motion and Force: spatial vectors (Featherstone, Rigid Body Dynamics Algorithms, ch. 2), angular part first.
// A Motion (w, v) is an angular velocity and the velocity of the body point at the frame's origin; likewise
// accelerations. A Force (n, f) is a moment about the frame's origin and a force.
#pragma once

#include "torsor/spatial/vec3.hpp"

namespace torsor {

template <class T>
struct Motion {
  Vec3<T> w, v;

  Motion& operator+=(const Motion& b) {
    w += b.w;
    v += b.v;
    return *this;
  }
};

template <class T>
struct Force {
  Vec3<T> n, f;

  Force& operator+=(const Force& b) {
    n += b.n;
    f += b.f;
    return *this;
  }
  Force& operator-=(const Force& b) {
    n -= b.n;
    f -= b.f;
    return *this;
  }
};

template <class T>
Motion<T> operator+(const Motion<T>& a, const Motion<T>& b) {
  return {a.w + b.w, a.v + b.v};
}
template <class T>
Motion<T> operator-(const Motion<T>& a, const Motion<T>& b) {
  return {a.w - b.w, a.v - b.v};
}
template <class T>
Motion<T> operator*(const Motion<T>& a, const T& s) {
  return {a.w * s, a.v * s};
}
template <class T>
Force<T> operator+(const Force<T>& a, const Force<T>& b) {
  return {a.n + b.n, a.f + b.f};
}
template <class T>
Force<T> operator-(const Force<T>& a, const Force<T>& b) {
  return {a.n - b.n, a.f - b.f};
}
template <class T>
Force<T> operator-(const Force<T>& a) {
  return {-a.n, -a.f};
}
template <class T>
Force<T> operator*(const Force<T>& a, const T& s) {
  return {a.n * s, a.f * s};
}

/// Power of a force on a motion.
template <class T>
T dot(const Motion<T>& m, const Force<T>& f) {
  return dot(m.w, f.n) + dot(m.v, f.f);
}

/// Rate of change of the motion b fixed in a frame that moves with a (crm).
template <class T>
Motion<T> cross(const Motion<T>& a, const Motion<T>& b) {
  return {cross(a.w, b.w), cross(a.w, b.v) + cross(a.v, b.w)};
}

/// Rate of change of the force b fixed in a frame that moves with a (crf).
template <class T>
Force<T> cross(const Motion<T>& a, const Force<T>& b) {
  return {cross(a.w, b.n) + cross(a.v, b.f), cross(a.w, b.f)};
}

template <class U, class T, class Convert>
Motion<U> cast(const Motion<T>& a, const Convert& convert) {
  return {cast<U>(a.w, convert), cast<U>(a.v, convert)};
}

template <class U, class T, class Convert>
Force<U> cast(const Force<T>& f, const Convert& convert) {
  return {cast<U>(f.n, convert), cast<U>(f.f, convert)};
}

}  // namespace torsor
