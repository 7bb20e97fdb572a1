// Regrouping: inertia that a joint cannot feel is moved to the body before it. A part G of a body's inertia can be
// moved where the joint's motion gives it no momentum, G S = 0, and turns it into itself as seen from the parent. Then
// every torque stays as it was, though reactions and energies do not. Per kind of joint that is
//
//   fixed       all of it                       spherical          m
//   revolute    m, mz, Ixx = Iyy                helical, planar    Ixx = Iyy
//   prismatic   the tensor                      free               nothing
//
// so that a revolute link keeps the seven numbers [mx my Ixx-Iyy Ixy Ixz Iyz Izz], a slide [m mx my mz] (Gautier &
// Khalil, Direct calculation of minimum set of inertial parameters of serial robots, IEEE Trans. RA 6 (1990) 368-373,
// whose rules these are, here for trees of any joints). How much of Ixx = Iyy goes is free: with all of Iyy gone the
// parameters are theirs, with as much as its extent along the axis makes, (Ixx + Iyy - Izz) / 2, the link is flat, and
// recursions by moments of mass are shortest. O(n), over any ring. What the base, standing still, makes superfluous
// besides is left to the rank: base_parameters.hpp.
#pragma once

#include "torsor/model/model.hpp"

namespace torsor {

/// What links that turn are left with: Iyy = 0, or no extent along their axis.
enum class RegroupedLinks { without_iyy, flat };

/// The part of an inertia, in the body frame, that a joint of this kind cannot feel; `around` is how much of Ixx = Iyy.
template <class T>
Inertia<T> unfelt_inertia(JointKind kind, const Inertia<T>& J, const T& around) {
  const Sym3<T> across{around, around, T(0), T(0), T(0), T(0)};
  switch (kind) {
    case JointKind::fixed: return J;
    case JointKind::revolute: return {J.m, {T(0), T(0), J.h.z}, across};
    case JointKind::prismatic: return {T(0), {}, J.I};
    case JointKind::helical:
    case JointKind::planar: return {T(0), {}, across};
    case JointKind::spherical: return {J.m, {}, {}};
    case JointKind::free: break;
  }
  return {};
}

/// The model (or its Tree alone) with the same torques and as few inertial parameters as the joints allow; what reaches
/// the base is dropped.
template <RegroupedLinks links = RegroupedLinks::without_iyy, class AnyTree>
AnyTree regrouped(AnyTree model) {
  for (int i = model.size() - 1; i >= 0; --i) {
    auto& b = model.bodies[i];
    auto around = b.inertia.I.yy;
    if constexpr (links == RegroupedLinks::flat) around = (b.inertia.I.xx + b.inertia.I.yy - b.inertia.I.zz) / 2;
    const auto G = unfelt_inertia(b.kind, b.inertia, around);
    b.inertia.m -= G.m;
    b.inertia.h -= G.h;
    b.inertia.I = b.inertia.I - G.I;
    if (b.parent >= 0) model.bodies[b.parent].inertia += b.placement * G;
  }
  return model;
}

}  // namespace torsor
