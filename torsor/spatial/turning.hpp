// The acceleration of the points of a body that turns: with Omega x = w x x,
//
//   W = Omegad + Omega^2,    W x = wd x x + w x (w x x)    for x fixed in the body
//
// One matrix for all points, 6 multiplications and 9 additions; then each point takes 9 and 6, where cross products
// take 18 and 12. And a rotation that turns, from its axes and angles or from its matrix and the derivatives of that.
#pragma once

#include "torsor/spatial/rotation.hpp"

namespace torsor {

/// W of angular velocity w and acceleration wd, in the axes of both.
template <class T>
Mat3<T> turning(const Vec3<T>& w, const Vec3<T>& wd) {
  const T xx = w.x * w.x, yy = w.y * w.y, zz = w.z * w.z, xy = w.x * w.y, xz = w.x * w.z, yz = w.y * w.z;
  return {{-(yy + zz), xy + wd.z, xz - wd.y}, {xy - wd.z, -(xx + zz), yz + wd.x}, {xz + wd.y, yz - wd.x, -(xx + yy)}};
}

/// A rotation with angular velocity and acceleration, components in the world.
template <class T>
struct Turning {
  Mat3<T> R = Mat3<T>::identity();
  Vec3<T> w, wd;

  /// Turns on about a unit axis u of the frame reached so far, by an angle with its first two derivatives.
  void turn(const Vec3<T>& u, const T& angle, const T& rate, const T& rate_rate) requires Analytic<T> {
    const Vec3<T> axis = R * u, added = axis * rate;
    wd += axis * rate_rate + cross(w, added);
    w += added;
    R = R * rotation_about(u, angle);
  }
};

/// Angular velocity and acceleration of a rotation matrix W by its derivatives: Hollerbach & Sahar 1983, (17), (18).
template <Field T>
Turning<T> turning_of(const Mat3<T>& W, const Mat3<T>& Wd, const Mat3<T>& Wdd) {
  // the skew part alone is taken: what rounding leaves of the symmetric part is not motion
  const auto axial = [](const Mat3<T>& A) {
    const T half = T(1) / T(2);
    return Vec3<T>{(A.y.z - A.z.y) * half, (A.z.x - A.x.z) * half, (A.x.y - A.y.x) * half};
  };
  return {W, axial(Wd * ~W), axial(Wdd * ~W + Wd * ~Wd)};
}

}  // namespace torsor
