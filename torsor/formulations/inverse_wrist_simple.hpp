// Inverse dynamics of a six-joint arm with a spherical wrist, kinematics given, and links whose principal axes are
// those of their frames: Hollerbach & Sahar (1983), section 7.4. O(1). The tensors are diagonal, and Euler's equations
//
//   n_x = Ixx wd_x + (Izz - Iyy) w_y w_z     and so on round
//
// have their differences of moments formed beforehand. Mass centres on an axis save more: their zeros are structural.
#pragma once

#include "torsor/formulations/inverse_wrist_precomputed.hpp"

namespace torsor {

/// The net torque of a link with a diagonal tensor.
template <class T>
struct DiagonalInertia {
  Vec3<T> I;  // principal moments
  Vec3<T> D;  // Izz - Iyy, Ixx - Izz, Iyy - Ixx

  DiagonalInertia() = default;
  explicit DiagonalInertia(const Sym3<T>& tensor)
      : I{tensor.xx, tensor.yy, tensor.zz}, D{I.z - I.y, I.x - I.z, I.y - I.x} {}

  /// (85).
  Vec3<T> n(const Vec3<T>& w, const Vec3<T>& wd) const {
    return {I.x * wd.x + D.x * (w.y * w.z), I.y * wd.y + D.y * (w.z * w.x), I.z * wd.z + D.z * (w.x * w.y)};
  }
  /// (85) where w and wd are along y.
  Vec3<T> n_about_y(const T&, const T& wd) const { return {T(0), I.y * wd, T(0)}; }
};

template <class T>
using SimpleWristWork = PrecomputedWristWork<T, DiagonalInertia<T>>;

/// Joint torques tau (6) for a motion of an arm that simple_inertia_premise() accepts.
template <Ring T>
void inverse_wrist_simple(const DhArm<T>& arm, const DhPosition<T>& position, Rates<const T> qd, Rates<const T> qdd,
                          SimpleWristWork<T>& work, Rates<T> tau) {
  inverse_wrist_precomputed<T, DiagonalInertia<T>>(arm, position, qd, qdd, work, tau);
}

}  // namespace torsor
