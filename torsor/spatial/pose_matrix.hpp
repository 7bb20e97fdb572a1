// A pose as a row-major matrix of 4 x 4.
#pragma once

#include "torsor/spatial/transform.hpp"

namespace torsor {

/// Writes 16 numbers.
template <class T>
void write_pose_matrix(const Transform<T>& X, T* to) {
  const auto& [R, p] = X;
  to[0] = R.x.x, to[1] = R.y.x, to[2] = R.z.x, to[3] = p.x;
  to[4] = R.x.y, to[5] = R.y.y, to[6] = R.z.y, to[7] = p.y;
  to[8] = R.x.z, to[9] = R.y.z, to[10] = R.z.z, to[11] = p.z;
  to[12] = to[13] = to[14] = T(0), to[15] = T(1);
}

/// Writes 12 numbers: the rows of R, then p.
template <class T>
void write_pose_row(const Transform<T>& X, T* to) {
  const auto& [R, p] = X;
  to[0] = R.x.x, to[1] = R.y.x, to[2] = R.z.x;
  to[3] = R.x.y, to[4] = R.y.y, to[5] = R.z.y;
  to[6] = R.x.z, to[7] = R.y.z, to[8] = R.z.z;
  to[9] = p.x, to[10] = p.y, to[11] = p.z;
}

}  // namespace torsor
