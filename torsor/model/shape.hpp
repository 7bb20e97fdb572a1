// Homogeneous solids: volume, and the inertia tensor about the centre per unit of mass. Box along the axes; cylinder
// and tube along z; with a, b the outer and inner radius and l the length (any text on mechanics):
//
//   box       V = x y z                 I/m = diag(y^2 + z^2, x^2 + z^2, x^2 + y^2) / 12
//   tube      V = pi (a^2 - b^2) l      I/m = diag(t, t, (a^2 + b^2)/2),  t = (a^2 + b^2)/4 + l^2/12
//   cylinder  a tube with b = 0
//   sphere    V = 4/3 pi a^3            I/m = 2/5 a^2 on the diagonal
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

}  // namespace torsor
