// From one DH convention to the other without a look at the axes: measured along them and their normals an arm is
// base J_1 L_1 J_2 L_2 ... J_n, J_i = Rz(theta_i) Tz(d_i), L_i = Tx(a_i) Rx(alpha_i), and standard rows are J_i L_i,
// modified ones L_{i-1} J_i. The numbers of a table stay what they are; only mass centres and tensors change frames.
#pragma once

#include "torsor/model/dh_arm.hpp"

namespace torsor {

namespace detail {

template <class T>
bool is_zero(const T& x) {
  if constexpr (std::is_same_v<T, double>)
    return x == 0;
  else
    return x.is_zero();
}

/// Length and twist of another row, or none.
template <class T>
void take_link(DhLink<T>& l, const DhLink<T>* from) {
  l.a = from ? from->a : T(0);
  l.ca = from ? from->ca : T(1);
  l.sa = from ? from->sa : T(0);
  l.structure.a = from && from->structure.a;
  l.structure.quarter_turns = from ? from->structure.quarter_turns : 0;
}

template <class T>
bool has_products(const Sym3<T>& I) {
  return !is_zero(I.xy) || !is_zero(I.xz) || !is_zero(I.yz);
}

}  // namespace detail

/// Modified frame i is standard frame i before its length and twist.
template <class T>
DhArm<T> to_modified(const DhArm<T>& from) {
  DhArm<T> out{Convention::modified_dh, from.links, from.g, from.level, from.X_base_0};
  for (int i = 1; i <= from.n(); ++i) {
    DhLink<T>& l = out.links[static_cast<std::size_t>(i - 1)];
    const Mat3<T> R = rotation_x(from[i].ca, from[i].sa);
    l.r = R * from[i].r + Vec3<T>{from[i].a, T(0), T(0)};
    l.I = rotate(R, from[i].I);
    detail::take_link(l, i > 1 ? &from[i - 1] : nullptr);
    l.structure.products = detail::has_products(l.I);
  }
  return out;
}

/// And the other way; what stands before the first axis belongs to the base, and of the arm only gravity feels it.
template <class T>
DhArm<T> to_standard(const DhArm<T>& from) {
  const Mat3<T> R0 = rotation_x(from[1].ca, from[1].sa);
  DhArm<T> out{Convention::standard_dh, from.links, ~R0 * from.g, false,
               from.X_base_0 * Transform<T>{R0, {from[1].a, T(0), T(0)}}};
  out.level = detail::is_zero(out.g.x) && detail::is_zero(out.g.y) && from.level;
  for (int i = 1; i <= from.n(); ++i) {
    DhLink<T>& l = out.links[static_cast<std::size_t>(i - 1)];
    detail::take_link(l, i < from.n() ? &from[i + 1] : nullptr);
    const Mat3<T> Rt = ~rotation_x(l.ca, l.sa);
    l.r = Rt * (from[i].r - Vec3<T>{l.a, T(0), T(0)});
    l.I = rotate(Rt, from[i].I);
    l.structure.products = detail::has_products(l.I);
  }
  return out;
}

}  // namespace torsor
