// The axes of joints as lines, and the common normal of two of them: what DH rows and canonical frames are measured along.
//
//   feet of the normal, from the points p and p' along unit z and z':  t = (w x z').n / n^2,  t' = (w x z).n / n^2
//   with w = p' - p, n = z x z'
//
// Of nearly parallel axes n is small and its rounding moves both feet alike, along both axes, which no pose feels; what is
// between them is off by eps |w| / |n| only. The dot products of w with z and z' would give eps |w| / n^2.
#pragma once

#include <cmath>

#include "torsor/spatial/vec3.hpp"

namespace torsor {

/// The line a joint acts about or along; z is of unit length.
struct AxisLine {
  Vec3<double> p, z;

  Vec3<double> at(double t) const { return p + z * t; }
};

/// How far along each of two lines that are not parallel the foot of their common normal is.
struct CommonNormal {
  double on_line, on_next;
};

inline CommonNormal common_normal(const AxisLine& line, const AxisLine& next) {
  const Vec3<double> w = next.p - line.p, n = cross(line.z, next.z);
  const double n2 = dot(n, n);
  return {dot(cross(w, next.z), n) / n2, dot(cross(w, line.z), n) / n2};
}

/// What is left of v across the unit vector z.
inline Vec3<double> across(const Vec3<double>& v, const Vec3<double>& z) { return v - z * dot(v, z); }

/// Turn about the unit vector z that takes the direction of a onto that of b.
inline double turn_about(const Vec3<double>& z, const Vec3<double>& a, const Vec3<double>& b) {
  return std::atan2(dot(cross(a, b), z), dot(a, b));
}

}  // namespace torsor
