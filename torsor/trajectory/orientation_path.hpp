// Paths of an orientation: R(s), s from 0 to 1, with the angular velocity w and its derivative wd per unit of s, in the
// world. All but the last are turns one after the other about axes fixed in the frame turned so far, which add like the
// joints of an arm:
//
//   axis u, angle phi(s):  wd += R u phi'' + w x R u phi',   w += R u phi',   R := R Rot(u, phi)
//
//   turn     about one axis from one orientation to another, at constant rate: slerp
//   Euler    z-x-z, A = Rz(psi) Rx(theta) Rz(phi), the angles proportional to s (Sim, Yoo & Lee 1985, section 6)
//   turns    one after the other through several orientations, blended as a polygon's corners are (blend.hpp): before
//            a knot about the axis to it, after it about the axis from it, in a blend about both
//   matrix   any R(s), differentiated by duals: w~ = R' R^T,  wd~ = R'' R^T + R' R'^T (Hollerbach & Sahar 1983, (17),
//            (18), the first term of (18) with its second dot)
#pragma once

#include <array>
#include <functional>
#include <span>
#include <variant>
#include <vector>

#include "torsor/result.hpp"
#include "torsor/scalar/dual.hpp"
#include "torsor/spatial/quaternion.hpp"
#include "torsor/spatial/rotation.hpp"
#include "torsor/spatial/turning.hpp"
#include "torsor/trajectory/blend.hpp"

namespace torsor {

struct TurnPath {
  Mat3<double> from = Mat3<double>::identity();
  Vec3<double> axis{0, 0, 1};  // unit, in the frame `from`
  double angle = 0;

  template <Analytic T>
  Turning<T> at(const T& s) const {
    const auto lift = [](double x) { return T(x); };
    Turning<T> m{cast<T>(from, lift), {}, {}};
    m.turn(cast<T>(axis, lift), T(angle) * s, T(angle), T(0));
    return m;
  }
};

struct EulerPath {
  std::array<double, 3> from{}, to{};  // psi, theta, phi [rad]

  template <Analytic T>
  Turning<T> at(const T& s) const {
    const Vec3<T> x{T(1), T(0), T(0)}, z{T(0), T(0), T(1)};
    Turning<T> m;
    for (std::size_t i = 0; i < 3; ++i) {
      const T rate(to[i] - from[i]);
      m.turn(i == 1 ? x : z, T(from[i]) + rate * s, rate, T(0));
    }
    return m;
  }
};

class TurnsPath {
 public:
  template <Decidable T>
  Turning<T> at(const T& s) const {
    const auto lift = [](double x) { return T(x); };
    const T L(schedule_.end());
    const BlendValue<T> at = schedule_.at(s * L);
    const Turn &before = turns_[at.knot], &after = turns_[at.knot + 1];
    Turning<T> m{cast<T>(knots_[at.knot], lift), {}, {}};
    const T r0 = T(before.rate), r1 = T(after.rate);
    m.turn(cast<T>(before.axis, lift), r0 * at.before, r0 * at.before_d * L, r0 * at.before_dd * L * L);
    m.turn(cast<T>(after.axis, lift), r1 * at.after, r1 * at.after_d * L, r1 * at.after_dd * L * L);
    return m;
  }

 private:
  friend Result<TurnsPath> turns_path(std::span<const Mat3<double>>, const BlendSchedule&);

  struct Turn {
    Vec3<double> axis{0, 0, 1};
    double rate = 0;  // angle per unit of the schedule's parameter
  };
  std::vector<Mat3<double>> knots_;
  std::vector<Turn> turns_;  // of the segments; none before the first and after the last
  BlendSchedule schedule_;
};

/// A number with two derivatives along one direction: what a rotation given as a function is computed with.
using PathParameter = Dual<Dual<double>>;

struct MatrixPath {
  std::function<Mat3<PathParameter>(const PathParameter&)> rotation;  // orthonormal for every s in [0, 1]

  Turning<double> at(double s) const;
};

struct OrientationPath : std::variant<TurnPath, EulerPath, TurnsPath, MatrixPath> {
  using variant::variant;
};

/// The shortest turn from one orientation to another at constant rate (slerp); for the same orientation twice it stays.
TurnPath slerp(const Mat3<double>& from, const Mat3<double>& to);

/// The largest angular speed |w| along the path, per unit of s: of a turn at constant rate its angle.
double largest_turning(const OrientationPath& path);

/// Orientations at the knots of a schedule, as many as these; or the fault. A full half turn may go either way.
Result<TurnsPath> turns_path(std::span<const Mat3<double>> orientations, const BlendSchedule& schedule);

}  // namespace torsor
