// The regressor of a tree: its torques are linear in the ten inertial parameters of each body,
//
//   tau = Y(q, qd, qdd) phi,    phi_i = [m, mx, my, mz, Ixx, Ixy, Ixz, Iyy, Iyz, Izz]
//
// mass, first moments and tensor entries about the origin of the body frame (that of its joint), in its axes. The
// wrench of body i on a joint j inward of it, per unit of a parameter, is Newton's and Euler's law with that parameter
// alone (Atkeson, An & Hollerbach, Estimation of inertial parameters of manipulator loads and links, IJRR 5 (1986)
// 101-119). Instead of wrenches carried inward, the allowed motion s = (u, x) of the joint is carried outward into the
// frame of the body, where w, wd and a (that of the origin, minus gravity) are, and each column is a power:
//
//   m      x . a                                       mx..mz   x x wd + w x (w x x) + a x u
//   Iab    u_a wd_b + u_b wd_a + k_a w_b + k_b w_a     Iaa      u_a wd_a + k_a w_a           with k = u x w
//
// O(n * depth). Only + - *: it runs over every scalar.
#pragma once

#include <array>
#include <string_view>

#include "torsor/kinematics/body_motions.hpp"
#include "torsor/numeric/row_major.hpp"

namespace torsor {

/// The ten inertial parameters of a body, in the order of the columns.
inline constexpr std::array<std::string_view, 10> inertial_letters{"m",   "mx",  "my",  "mz",  "Ixx",
                                                                   "Ixy", "Ixz", "Iyy", "Iyz", "Izz"};
inline constexpr int inertial_count = static_cast<int>(inertial_letters.size());

/// Parameter k of an Inertia, const or not, as a place to read or to write.
template <class AnyInertia>
auto& inertial_parameter(AnyInertia& J, int k) {
  const std::array all{&J.m, &J.h.x, &J.h.y, &J.h.z, &J.I.xx, &J.I.xy, &J.I.xz, &J.I.yy, &J.I.yz, &J.I.zz};
  return *all[static_cast<std::size_t>(k)];
}

namespace detail {

/// Adds the powers of a motion s on what the ten parameters of one body make of its movement; all in the body frame.
template <class T>
void add_inertial_powers(const Motion<T>& s, const Vec3<T>& w, const Vec3<T>& wd, const Vec3<T>& a, T* y) {
  const auto& [u, x] = s;
  const Vec3<T> k = cross(u, w), h = cross(x, wd) + cross(w, cross(w, x)) + cross(a, u);
  y[0] += dot(x, a);
  y[1] += h.x;
  y[2] += h.y;
  y[3] += h.z;
  y[4] += u.x * wd.x + k.x * w.x;
  y[5] += u.x * wd.y + u.y * wd.x + k.x * w.y + k.y * w.x;
  y[6] += u.x * wd.z + u.z * wd.x + k.x * w.z + k.z * w.x;
  y[7] += u.y * wd.y + k.y * w.y;
  y[8] += u.y * wd.z + u.z * wd.y + k.y * w.z + k.z * w.y;
  y[9] += u.z * wd.z + k.z * w.z;
}

}  // namespace detail

/// Y (row-major, nv rows, ten columns per body in the order of the bodies) at a motion; rotors, friction and forces
/// from outside apart. An empty qd or qdd stands for zero. work holds the motions of the bodies afterwards.
template <Ring T>
void inertial_regressor(const Tree<T>& model, const Configuration<T>& configuration, Rates<const T> qd,
                        Rates<const T> qdd, const BaseMotion<T>& base, BodyMotions<T>& work, std::span<T> Y) {
  const int columns = inertial_count * model.size();
  TORSOR_EXPECT(Y.size() == cells(model.nv, columns));
  for (T& entry : Y) entry = T(0);
  body_motions(model, configuration, qd, qdd, base_velocity(model, base),
               base_acceleration_against_gravity(model, base), work);

  for (int i = 0; i < model.size(); ++i) {
    const Vec3<T>&w = work.v[i].w, &wd = work.a[i].w;
    const Vec3<T> a = point_acceleration(work.v[i], work.a[i], Vec3<T>{});
    Transform<T> X;  // pose of body i in body j
    for (int j = i; j >= 0; j = model[j].parent) {
      const Body<T>& joint = model[j];
      for (int c = 0; c < joint.nv; ++c)
        detail::add_inertial_powers(Motion<T>(~X * model.S[joint.column + c]), w, wd, a,
                                    Y.data() + cell(joint.v + c, columns, inertial_count * i));
      if (joint.parent >= 0) X = work.X[j] * X;
    }
  }
}

}  // namespace torsor
