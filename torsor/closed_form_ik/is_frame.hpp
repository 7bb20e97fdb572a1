// Whether numbers given as a pose are one.
#pragma once

#include "torsor/spatial/mat3.hpp"

namespace torsor {

/// Entries typed with seven digits pass; the residual of an answer tells.
inline constexpr double orthonormal_tolerance = 1e-6;

/// No component beyond the bound; false for what is not a number.
inline bool is_within(const Vec3<double>& v, double bound) {
  return abs(v.x) <= bound && abs(v.y) <= bound && abs(v.z) <= bound;
}

/// The columns of R are the axes of a right-handed frame.
inline bool is_frame(const Mat3<double>& R) {
  const Vec3<double> lengths{dot(R.x, R.x) - 1, dot(R.y, R.y) - 1, dot(R.z, R.z) - 1};
  return is_within(lengths, orthonormal_tolerance) && is_within(cross(R.x, R.y) - R.z, orthonormal_tolerance);
}

}  // namespace torsor
