// What regular positions of arms with few joints, a spherical wrist or a swivelling elbow are made of, over the
// scalar: one branch in a double, four in a Pack, the text of generated C from a Trace. Nothing branches on a value;
// which of two solutions is meant is a sign, and where a position is out of reach or beside a singular one masks say
// so.
//
//   a cos x + b sin x = c            TurnRoot
//   a x^2 + 2 b x + c = 0            ShiftRoot
//   Rz(a) C Rz(b) k = w              TurnsOnto, as two_turns.hpp has it with every case
#pragma once

#include <cmath>
#include <utility>

#include "torsor/spatial/transform.hpp"

namespace torsor {

inline constexpr double turns_edge = 1e-6;  // square of a sine below which the careful path serves

template <class T>
using MaskOf = decltype(std::declval<T>() < std::declval<T>());

/// A number for which constants of the arm stand.
template <class T>
Transform<T> constant_of(const Transform<double>& X) {
  return cast<T>(X, [](double x) { return T(x); });
}
template <class T>
Mat3<T> constant_of(const Mat3<double>& R) {
  return cast<T>(R, [](double x) { return T(x); });
}
template <class T>
Vec3<T> constant_of(const Vec3<double>& v) {
  return {T(v.x), T(v.y), T(v.z)};
}

/// v turned about z.
template <class T>
Vec3<T> turned_z(const T& c, const T& s, const Vec3<T>& v) {
  return {c * v.x - s * v.y, s * v.x + c * v.y, v.z};
}
template <class T>
Mat3<T> turned_z(const T& c, const T& s, const Mat3<T>& R) {
  return {turned_z(c, s, R.x), turned_z(c, s, R.y), turned_z(c, s, R.z)};
}

/// The place where two solutions are one is `clear` = 0, where they are farthest apart 1; negative out of reach.
template <class T>
struct TurnRoot {
  TurnRoot(const T& a, const T& b, const T& rest, double least, const T& sign) {
    using std::sqrt;
    const T square = a * a + b * b, left = square - rest * rest, per = T(1.0) / square;
    reached = T(0.0) < left;
    const T root = sign * sqrt(select(reached, left, T(0.0)));
    c = (a * rest - b * root) * per;
    s = (b * rest + a * root) * per;
    clear = left * per;
    blind = !(T(least * least) < square);
  }

  T c, s, clear;
  MaskOf<T> reached, blind;  // blind: the equation does not see x
};

template <class T>
struct ShiftRoot {
  /// a is the arm's; two solutions, or one where it is zero.
  ShiftRoot(double a, const T& b, const T& rest, double least, const T& sign) {
    using std::abs;
    using std::sqrt;
    if (a == 0) {
      x = -rest / (T(2.0) * b);
      clear = T(1.0);
      reached = T(0.0) < T(1.0);
      blind = !(T(least) < abs(b));
      return;
    }
    const T left = b * b - T(a) * rest, scale = b * b + abs(T(a) * rest);
    reached = T(0.0) < left;
    x = (sign * sqrt(select(reached, left, T(0.0))) - b) * T(1 / a);
    clear = left / scale;
    blind = !(T(0.0) < scale);
  }

  T x, clear;
  MaskOf<T> reached, blind;
};

template <class T>
struct TurnsOnto {
  /// Of the two angles b the one whose sine from the middle has the sign.
  TurnsOnto(const Mat3<double>& C, const Vec3<double>& k, const Vec3<T>& w, const T& sign) {
    const Vec3<double> h{C.x.z, C.y.z, C.z.z};
    const TurnRoot<T> root(T(h.x * k.x + h.y * k.y), T(h.y * k.x - h.x * k.y), w.z - T(h.z * k.z), 0, sign);
    cb = root.c;
    sb = root.s;
    reached = root.reached;
    const Vec3<T> v = constant_of<T>(C) * turned_z(cb, sb, constant_of<T>(k));
    // both have the same length across the first axis: of two such squares either mean will do, and this needs no root
    const T of_w = w.x * w.x + w.y * w.y, per = T(2.0) / (v.x * v.x + v.y * v.y + of_w);
    ca = (v.x * w.x + v.y * w.y) * per;
    sa = (v.x * w.y - v.y * w.x) * per;
    const T across = of_w / (of_w + w.z * w.z);
    clear = select(across < root.clear, across, root.clear);
  }

  T ca, sa, cb, sb, clear;
  MaskOf<T> reached;
};

}  // namespace torsor
