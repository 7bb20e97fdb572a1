// Vectors side by side: a Vec3 or Motion over L holds as many of them as L has lanes. What follows reads and writes one
// of them. A number that is no Pack is its own only lane, so that one text serves both.
#pragma once

#include "torsor/scalar/pack.hpp"
#include "torsor/spatial/inertia.hpp"

namespace torsor {

template <class L>
struct LanesOf {
  using Number = L;
  static constexpr int count = 1;
  static const L& take(const L& x, int) { return x; }
  static void put(L& x, int, const L& value) { x = value; }
};

template <int N>
struct LanesOf<Pack<double, N>> {
  using Number = double;
  static constexpr int count = N;
  static double take(const Pack<double, N>& x, int k) { return x[k]; }
  static void put(Pack<double, N>& x, int k, double value) { x.set(k, value); }
};

template <class L>
using LaneNumber = typename LanesOf<L>::Number;

/// Number k of those side by side.
template <Ring L>
LaneNumber<L> take(const L& x, int k) {
  return LanesOf<L>::take(x, k);
}
template <class L>
Vec3<LaneNumber<L>> take(const Vec3<L>& a, int k) {
  return {take(a.x, k), take(a.y, k), take(a.z, k)};
}
template <class L>
Mat3<LaneNumber<L>> take(const Mat3<L>& a, int k) {
  return {take(a.x, k), take(a.y, k), take(a.z, k)};
}
template <class L>
Sym3<LaneNumber<L>> take(const Sym3<L>& a, int k) {
  return {take(a.xx, k), take(a.yy, k), take(a.zz, k), take(a.xy, k), take(a.xz, k), take(a.yz, k)};
}
template <class L>
Motion<LaneNumber<L>> take(const Motion<L>& a, int k) {
  return {take(a.w, k), take(a.v, k)};
}
template <class L>
Force<LaneNumber<L>> take(const Force<L>& a, int k) {
  return {take(a.n, k), take(a.f, k)};
}

/// Replaces number k of those side by side.
template <Ring L>
void put(L& x, int k, const LaneNumber<L>& value) {
  LanesOf<L>::put(x, k, value);
}
template <class L>
void put(Vec3<L>& a, int k, const Vec3<LaneNumber<L>>& value) {
  put(a.x, k, value.x);
  put(a.y, k, value.y);
  put(a.z, k, value.z);
}
template <class L>
void put(Mat3<L>& a, int k, const Mat3<LaneNumber<L>>& value) {
  put(a.x, k, value.x);
  put(a.y, k, value.y);
  put(a.z, k, value.z);
}
template <class L>
void put(Sym3<L>& a, int k, const Sym3<LaneNumber<L>>& value) {
  put(a.xx, k, value.xx);
  put(a.yy, k, value.yy);
  put(a.zz, k, value.zz);
  put(a.xy, k, value.xy);
  put(a.xz, k, value.xz);
  put(a.yz, k, value.yz);
}
template <class L>
void put(Motion<L>& a, int k, const Motion<LaneNumber<L>>& value) {
  put(a.w, k, value.w);
  put(a.v, k, value.v);
}
template <class L>
void put(Force<L>& a, int k, const Force<LaneNumber<L>>& value) {
  put(a.n, k, value.n);
  put(a.f, k, value.f);
}
template <class L>
void put(Transform<L>& X, int k, const Transform<LaneNumber<L>>& value) {
  put(X.R, k, value.R);
  put(X.p, k, value.p);
}
template <class L>
void put(Inertia<L>& J, int k, const Inertia<LaneNumber<L>>& value) {
  put(J.m, k, value.m);
  put(J.h, k, value.h);
  put(J.I, k, value.I);
}

/// The first `count` of four side by side to an array, one after the other, or so far apart.
inline void put_first(double* to, const Pack<double, 4>& x, int count) {
  if (count == 4) {
    std::memcpy(to, &x, sizeof x);
    return;
  }
  to[0] = x[0];
  if (count > 1) to[1] = x[1];
  if (count > 2) to[2] = x[2];
}
inline void put_first(double* to, const Pack<double, 4>& x, int count, std::ptrdiff_t apart) {
  if (count > 0) to[0] = x[0];
  if (count > 1) to[apart] = x[1];
  if (count > 2) to[2 * apart] = x[2];
  if (count > 3) to[3 * apart] = x[3];
}

/// The same vector in every lane.
template <class L>
Vec3<L> everywhere(const Vec3<LaneNumber<L>>& a) {
  return {L(a.x), L(a.y), L(a.z)};
}
template <class L>
Force<L> everywhere(const Force<LaneNumber<L>>& a) {
  return {everywhere<L>(a.n), everywhere<L>(a.f)};
}

}  // namespace torsor
