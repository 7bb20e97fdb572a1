// A Cartesian motion: a path of the origin and a path of the orientation, both of s, run through at a pace s(t):
//
//   v = p' sd,   a = p'' sd^2 + p' sdd,   w = w_s sd,   wd = wd_s sd^2 + w_s sdd
#pragma once

#include <memory>
#include <span>
#include <vector>

#include "torsor/result.hpp"
#include "torsor/trajectory/cartesian.hpp"

namespace torsor {

enum class Blend;
struct OrientationPath;
class Pace;
struct PositionPath;

class PathMotion {
 public:
  PathMotion();
  PathMotion(PositionPath position, OrientationPath orientation, Pace pace);

  double duration() const;
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
  PathMotion stretched(double factor) const;

  const PositionPath& position() const;
  const OrientationPath& orientation() const;
  const Pace& pace() const;

 private:
  struct Parts;
  std::shared_ptr<const Parts> parts_;  // copies share them
};

static_assert(CartesianMotion<PathMotion>);

/// Through poses, two or more, in straight lines with corners rounded from `rounding` [m] on, orientations turning
/// along with the way; or all faults. Neighbouring poses must differ in position. Blends are polynomial unless said.
Result<PathMotion> pose_motion(std::span<const Transform<double>> poses, double rounding, const Pace& pace);
Result<PathMotion> pose_motion(std::span<const Transform<double>> poses, double rounding, const Pace& pace,
                               Blend blend);

}  // namespace torsor
