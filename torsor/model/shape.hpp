// Homogeneous solids: volume, and the inertia tensor about the centre per unit of mass. Box along the axes; cylinder
// and tube along z; with a, b the outer and inner radius and l the length (any text on mechanics):
//
//   box       V = x y z                 I/m = diag(y^2 + z^2, x^2 + z^2, x^2 + y^2) / 12
//   tube      V = pi (a^2 - b^2) l      I/m = diag(t, t, (a^2 + b^2)/2),  t = (a^2 + b^2)/4 + l^2/12
//   cylinder  a tube with b = 0
//   sphere    V = 4/3 pi a^3            I/m = 2/5 a^2 on the diagonal
//   ellipsoid V = 4/3 pi a b c          I/m = diag(b^2 + c^2, a^2 + c^2, a^2 + b^2) / 5
//   capsule   a cylinder of length l with half a sphere at each end, whose centres lie 3/8 a beyond: with the share
//             k = 4a / (4a + 3l) of both halves, I/m = (1 - k) cylinder + k sphere + k l (3a + 2l)/8 across
#pragma once

#include <numbers>

#include "torsor/spatial/mat3.hpp"

namespace torsor {

/// A solid of unit density and unit mass at once: mass = density * volume, tensor = mass * tensor_per_mass. In m.
struct Solid {
  double volume = 0;
  Sym3<double> tensor_per_mass;
};

inline Solid solid_box(const Vec3<double>& size) {
  const double xx = size.x * size.x, yy = size.y * size.y, zz = size.z * size.z;
  return {size.x * size.y * size.z, {(yy + zz) / 12, (xx + zz) / 12, (xx + yy) / 12, 0, 0, 0}};
}

/// Along z.
inline Solid solid_tube(double outer, double inner, double length) {
  const double sum = outer * outer + inner * inner, across = sum / 4 + length * length / 12;
  return {std::numbers::pi * (outer - inner) * (outer + inner) * length, {across, across, sum / 2, 0, 0, 0}};
}

/// Along z.
inline Solid solid_cylinder(double radius, double length) { return solid_tube(radius, 0, length); }

inline Solid solid_sphere(double radius) {
  const double about_any = 0.4 * radius * radius;
  return {4 * std::numbers::pi / 3 * radius * radius * radius, {about_any, about_any, about_any, 0, 0, 0}};
}

/// By its half axes.
inline Solid solid_ellipsoid(const Vec3<double>& half) {
  const double xx = half.x * half.x, yy = half.y * half.y, zz = half.z * half.z;
  return {4 * std::numbers::pi / 3 * half.x * half.y * half.z, {(yy + zz) / 5, (xx + zz) / 5, (xx + yy) / 5, 0, 0, 0}};
}

/// Along z; the length is that between the centres of its ends.
inline Solid solid_capsule(double radius, double length) {
  const Solid middle = solid_cylinder(radius, length), ends = solid_sphere(radius);
  const double share = 4 * radius / (4 * radius + 3 * length), moved = share * length * (3 * radius + 2 * length) / 8;
  return {middle.volume + ends.volume,
          middle.tensor_per_mass * (1 - share) + ends.tensor_per_mass * share + Sym3<double>{moved, moved, 0, 0, 0, 0}};
}

}  // namespace torsor
