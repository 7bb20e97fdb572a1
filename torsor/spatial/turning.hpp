// The acceleration of the points of a body that turns: with Omega x = w x x,
//
//   W = Omegad + Omega^2,    W x = wd x x + w x (w x x)    for x fixed in the body
//
// One matrix for all points, 6 multiplications and 9 additions; then each point takes 9 and 6, where cross products
// take 18 and 12.
#pragma once

#include "torsor/spatial/mat3.hpp"

namespace torsor {

/// W of angular velocity w and acceleration wd, in the axes of both.
template <class T>
Mat3<T> turning(const Vec3<T>& w, const Vec3<T>& wd) {
  const T xx = w.x * w.x, yy = w.y * w.y, zz = w.z * w.z, xy = w.x * w.y, xz = w.x * w.z, yz = w.y * w.z;
  return {{-(yy + zz), xy + wd.z, xz - wd.y}, {xy - wd.z, -(xx + zz), yz + wd.x}, {xz + wd.y, yz - wd.x, -(xx + yy)}};
}

}  // namespace torsor
