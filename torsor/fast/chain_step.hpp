// What every recursion along a canonical chain is made of: turning a vector from one link's frame into the next and
// back, and reaching the next joint's origin. The structure of a link picks one of seventeen texts, so that quarter turns
// and offsets that are not there cost nothing.
#pragma once

#include "torsor/fast/canonical_chain.hpp"
#include "torsor/fast/lanes.hpp"

namespace torsor {
inline namespace TORSOR_MACHINE {

constexpr bool has_a(LinkOffset r) { return r == LinkOffset::a || r == LinkOffset::a_d || r == LinkOffset::any; }
constexpr bool has_d(LinkOffset r) { return r == LinkOffset::d || r == LinkOffset::a_d || r == LinkOffset::any; }

/// Twist and offset as one number, for one jump.
constexpr int structure(Twist t, LinkOffset r) { return static_cast<int>(t) * 5 + static_cast<int>(r); }

/// Calls step.template operator()<twist, offset>() with both known to the compiler.
template <class Step>
TORSOR_INLINE void with_structure(Twist twist, LinkOffset offset, const Step& step) {
  switch (structure(twist, offset)) {
    case structure(Twist::none, LinkOffset::none): return step.template operator()<Twist::none, LinkOffset::none>();
    case structure(Twist::none, LinkOffset::a): return step.template operator()<Twist::none, LinkOffset::a>();
    case structure(Twist::none, LinkOffset::d): return step.template operator()<Twist::none, LinkOffset::d>();
    case structure(Twist::none, LinkOffset::a_d): return step.template operator()<Twist::none, LinkOffset::a_d>();
    case structure(Twist::quarter, LinkOffset::none):
      return step.template operator()<Twist::quarter, LinkOffset::none>();
    case structure(Twist::quarter, LinkOffset::a): return step.template operator()<Twist::quarter, LinkOffset::a>();
    case structure(Twist::quarter, LinkOffset::d): return step.template operator()<Twist::quarter, LinkOffset::d>();
    case structure(Twist::quarter, LinkOffset::a_d): return step.template operator()<Twist::quarter, LinkOffset::a_d>();
    case structure(Twist::minus_quarter, LinkOffset::none):
      return step.template operator()<Twist::minus_quarter, LinkOffset::none>();
    case structure(Twist::minus_quarter, LinkOffset::a):
      return step.template operator()<Twist::minus_quarter, LinkOffset::a>();
    case structure(Twist::minus_quarter, LinkOffset::d):
      return step.template operator()<Twist::minus_quarter, LinkOffset::d>();
    case structure(Twist::minus_quarter, LinkOffset::a_d):
      return step.template operator()<Twist::minus_quarter, LinkOffset::a_d>();
    case structure(Twist::any, LinkOffset::none): return step.template operator()<Twist::any, LinkOffset::none>();
    case structure(Twist::any, LinkOffset::a): return step.template operator()<Twist::any, LinkOffset::a>();
    case structure(Twist::any, LinkOffset::d): return step.template operator()<Twist::any, LinkOffset::d>();
    case structure(Twist::any, LinkOffset::a_d): return step.template operator()<Twist::any, LinkOffset::a_d>();
    default: return step.template operator()<Twist::any, LinkOffset::any>();  // any text serves every twist and offset
  }
}

/// The same where only the twist matters.
template <class Step>
TORSOR_INLINE void with_twist(Twist twist, const Step& step) {
  switch (twist) {
    case Twist::none: return step.template operator()<Twist::none>();
    case Twist::quarter: return step.template operator()<Twist::quarter>();
    case Twist::minus_quarter: return step.template operator()<Twist::minus_quarter>();
    case Twist::any: return step.template operator()<Twist::any>();
  }
}

/// The same for what is left of a link's moments.
template <class Step>
TORSOR_INLINE void with_inertia(LinkInertia inertia, const Step& step) {
  switch (inertia) {
    case LinkInertia::any: return step.template operator()<LinkInertia::any>();
    case LinkInertia::mirrored_x: return step.template operator()<LinkInertia::mirrored_x>();
    case LinkInertia::mirrored_y: return step.template operator()<LinkInertia::mirrored_y>();
    case LinkInertia::bare: return step.template operator()<LinkInertia::bare>();
  }
}

/// R^T v + (0, 0, e): from the frame before into the link's.
template <Twist t, class T, class S, class P>
TORSOR_INLINE Vec3<T> into_link(const CanonicalLink<S, P>& l, const T& c, const T& s, const Vec3<T>& v, const T& e) {
  if constexpr (t == Twist::none)
    return {c * v.x + s * v.y, c * v.y - s * v.x, v.z + e};
  else if constexpr (t == Twist::quarter)
    return {c * v.x + s * v.z, c * v.z - s * v.x, e - v.y};
  else if constexpr (t == Twist::minus_quarter)
    return {c * v.x - s * v.z, -(c * v.z) - s * v.x, v.y + e};
  else {
    const T y = l.ca * v.y + l.sa * v.z;
    return {c * v.x + s * y, c * y - s * v.x, l.ca * v.z + (e - l.sa * v.y)};
  }
}

/// R^T v.
template <Twist t, class T, class S, class P>
TORSOR_INLINE Vec3<T> into_link(const CanonicalLink<S, P>& l, const T& c, const T& s, const Vec3<T>& v) {
  if constexpr (t == Twist::none)
    return {c * v.x + s * v.y, c * v.y - s * v.x, v.z};
  else if constexpr (t == Twist::quarter)
    return {c * v.x + s * v.z, c * v.z - s * v.x, -v.y};
  else if constexpr (t == Twist::minus_quarter)
    return {c * v.x - s * v.z, -(c * v.z) - s * v.x, v.y};
  else {
    const T y = l.ca * v.y + l.sa * v.z;
    return {c * v.x + s * y, c * y - s * v.x, l.ca * v.z - l.sa * v.y};
  }
}

/// R v + e: from the link's frame into the one before.
template <Twist t, class T, class S, class P>
TORSOR_INLINE Vec3<T> out_of_link(const CanonicalLink<S, P>& l, const T& c, const T& s, const Vec3<T>& v,
                                  const Vec3<T>& e) {
  const T x = c * v.x + (e.x - s * v.y);
  if constexpr (t == Twist::none)
    return {x, c * v.y + (s * v.x + e.y), v.z + e.z};
  else if constexpr (t == Twist::quarter)
    return {x, e.y - v.z, c * v.y + (s * v.x + e.z)};
  else if constexpr (t == Twist::minus_quarter)
    return {x, v.z + e.y, (e.z - s * v.x) - c * v.y};
  else {
    const T y = s * v.x + c * v.y;
    return {x, l.ca * y + (e.y - l.sa * v.z), l.sa * y + (l.ca * v.z + e.z)};
  }
}

/// R v.
template <Twist t, class T, class S, class P>
TORSOR_INLINE Vec3<T> out_of_link(const CanonicalLink<S, P>& l, const T& c, const T& s, const Vec3<T>& v) {
  const T x = c * v.x - s * v.y, y = s * v.x + c * v.y;
  if constexpr (t == Twist::none)
    return {x, y, v.z};
  else if constexpr (t == Twist::quarter)
    return {x, -v.z, y};
  else if constexpr (t == Twist::minus_quarter)
    return {x, v.z, -y};
  else
    return {x, l.ca * y - l.sa * v.z, l.sa * y + l.ca * v.z};
}

/// n + p x f, p = (a, b, d) of the link.
template <LinkOffset r, class T, class S, class P>
TORSOR_INLINE Vec3<T> add_moment(const CanonicalLink<S, P>& l, const Vec3<T>& f, Vec3<T> n) {
  if constexpr (has_d(r)) {
    n.x = n.x - l.d * f.y;
    n.y = n.y + l.d * f.x;
  }
  if constexpr (has_a(r)) {
    n.y = n.y - l.a * f.z;
    n.z = n.z + l.a * f.y;
  }
  if constexpr (r == LinkOffset::any) {
    n.x = n.x + l.b * f.z;
    n.z = n.z - l.b * f.x;
  }
  return n;
}

}  // namespace TORSOR_MACHINE
}  // namespace torsor
