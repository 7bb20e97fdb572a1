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
// All are linear in s, so what multiplies u and x is worked out once for each body. O(n * depth). Only + - *: it runs
// over every scalar.
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

/// What multiplies a motion in the powers of one body, and the motion that was carried there last.
template <class T>
struct InertialPowers {
  Vec3<T> a;                       // acceleration of the origin
  Mat3<T> turning;                 // x x wd + w x (w x x) = turning x: w w^T - |w|^2 1 - [wd x]
  Vec3<T> xx, xy, xz, yy, yz, zz;  // times u
  Motion<T> s;
  int joint = -1;  // whose motion that is

  void set(const Vec3<T>& w, const Vec3<T>& wd, const Vec3<T>& acceleration) {
    const T wxx = w.x * w.x, wyy = w.y * w.y, wzz = w.z * w.z, wxy = w.x * w.y, wxz = w.x * w.z, wyz = w.y * w.z;
    a = acceleration;
    turning.x = {-(wyy + wzz), wxy - wd.z, wxz + wd.y};
    turning.y = {wxy + wd.z, -(wxx + wzz), wyz - wd.x};
    turning.z = {wxz - wd.y, wyz + wd.x, -(wxx + wyy)};
    xx = {wd.x, wxz, -wxy};
    xy = {wd.y - wxz, wd.x + wyz, wxx - wyy};
    xz = {wd.z + wxy, wzz - wxx, wd.x - wyz};
    yy = {-wyz, wd.y, wxy};
    yz = {wyy - wzz, wd.z - wxy, wd.y + wxz};
    zz = {wyz, -wxz, wd.z};
    joint = -1;
  }

  /// Adds the ten powers of s.
  void add(T* y) const {
    const auto& [u, x] = s;
    const Vec3<T> h = turning * x + cross(a, u);
    y[0] += dot(x, a);
    y[1] += h.x;
    y[2] += h.y;
    y[3] += h.z;
    y[4] += dot(u, xx);
    y[5] += dot(u, xy);
    y[6] += dot(u, xz);
    y[7] += dot(u, yy);
    y[8] += dot(u, yz);
    y[9] += dot(u, zz);
  }
};

}  // namespace detail

template <class T>
struct InertialRegressorWork {
  explicit InertialRegressorWork(const Tree<T>& model) : motions(model), powers(model.bodies.size()) {}

  BodyMotions<T> motions;
  std::vector<detail::InertialPowers<T>> powers;
};

/// Y at a motion, row-major: nv rows of `columns` numbers, the first of them ten per body in the order of the bodies,
/// the others left as they are; rotors, friction and forces from outside apart. An empty qd or qdd stands for zero. work
/// holds the motions of the bodies afterwards.
template <Ring T>
void inertial_regressor(const Tree<T>& model, const Configuration<T>& configuration, Rates<const T> qd,
                        Rates<const T> qdd, const BaseMotion<T>& base, InertialRegressorWork<T>& work, int columns,
                        std::span<T> Y) {
  const int inertial = inertial_count * model.size();
  TORSOR_EXPECT(columns >= inertial && Y.size() == cells(model.nv, columns));
  auto& [motions, powers] = work;
  for (int row = 0; row < model.nv; ++row)
    for (int c = 0; c < inertial; ++c) Y[cell(row, columns, c)] = T(0);
  body_motions(model, configuration, qd, qdd, base_velocity(model, base),
               base_acceleration_against_gravity(model, base), motions);
  for (int i = 0; i < model.size(); ++i)
    powers[i].set(motions.v[i].w, motions.a[i].w, point_acceleration(motions.v[i], motions.a[i], Vec3<T>{}));

  // every allowed motion outward, from body to body
  for (int j = 0; j < model.size(); ++j)
    for (int c = 0; c < model[j].nv; ++c) {
      const int column = model[j].column + c;
      T* const row = Y.data() + cell(model[j].v + c, columns, 0);
      powers[j].s = model.S[column];
      powers[j].joint = column;
      powers[j].add(row + inertial_count * j);
      for (int i = j + 1; i < model.size(); ++i) {
        const int parent = model[i].parent;
        if (parent < j || powers[parent].joint != column) continue;
        powers[i].s = ~motions.X[i] * powers[parent].s;
        powers[i].joint = column;
        powers[i].add(row + inertial_count * i);
      }
    }
}

// over double it is compiled once, for speed (tree_recursions.cpp)
extern template void inertial_regressor(const Tree<double>&, const Configuration<double>&, Rates<const double>,
                                        Rates<const double>, const BaseMotion<double>&, InertialRegressorWork<double>&,
                                        int, std::span<double>);

}  // namespace torsor
