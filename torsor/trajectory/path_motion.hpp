// A Cartesian motion: a path of the origin and a path of the orientation, both of s, run through at a pace s(t):
//
//   v = p' sd,   a = p'' sd^2 + p' sdd,   w = w_s sd,   wd = wd_s sd^2 + w_s sdd
#pragma once

#include <span>
#include <string_view>
#include <vector>

#include "torsor/trajectory/cartesian.hpp"
#include "torsor/trajectory/orientation_path.hpp"
#include "torsor/trajectory/pace.hpp"
#include "torsor/trajectory/position_path.hpp"

namespace torsor {

class PathMotion {
 public:
  PathMotion() = default;
  PathMotion(PositionPath position, OrientationPath orientation, Pace pace)
      : position_(std::move(position)), orientation_(std::move(orientation)), pace_(std::move(pace)) {}

  double duration() const { return pace_.duration(); }
  double length() const;  // [m]; of a rounded polygon, that of the polygon

  /// Pose, twist and acceleration at time t [s]; at rest before 0 and after duration().
  CartesianState sample(double t) const;

  /// The time derivative of the acceleration, where there is one: angular, and of the origin. The angular part of a rotation
  /// given as a function lacks what its third derivative would add.
  Motion<double> jerk(double t) const;

  /// The instants [s] at which the velocity jumps: corners that are passed without rounding and without a stop.
  std::vector<double> velocity_jumps() const;

  /// The instants [s] inside the duration at which derivatives may jump: of the time law, of corners and their blends.
  std::vector<double> breaks() const;

  /// The same path in a time longer by a factor > 0: velocities / factor, accelerations / factor^2.
  PathMotion stretched(double factor) const { return {position_, orientation_, pace_.stretched(factor)}; }

  const PositionPath& position() const { return position_; }
  const OrientationPath& orientation() const { return orientation_; }
  const Pace& pace() const { return pace_; }

 private:
  PositionPath position_;
  OrientationPath orientation_;
  Pace pace_;
};

static_assert(CartesianMotion<PathMotion>);

/// Through poses, two or more, in straight lines with corners rounded from `rounding` [m] on, orientations turning
/// along with the way; or all faults. Neighbouring poses must differ in position.
Result<PathMotion> pose_motion(std::span<const Transform<double>> poses, double rounding, const Pace& pace,
                               Blend blend = Blend::polynomial);

}  // namespace torsor
