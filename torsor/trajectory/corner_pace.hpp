// A polygon in pieces of constant jerk: each corner at a constant speed, between them from one corner's speed to the next
// one's, as fast as limits allow. Used by path_limits.hpp.
//
// A ramp between two speeds v1, v2 that begins and ends without acceleration takes T = dv/a + a/j, or 2 sqrt(dv/j) where the
// acceleration does not get to its bound, and the way (v1 + v2) T / 2 (Biagiotti & Melchiorri 2008, section 3.4). A corner
// that cannot be reached, or left, at its own speed is passed more slowly: one pass forwards and one backwards settle that.
#pragma once

#include <functional>

#include "torsor/trajectory/orientation_path.hpp"
#include "torsor/trajectory/path_limits.hpp"
#include "torsor/trajectory/position_path.hpp"

namespace torsor::detail {

/// The height of the one peak that a function has between two places, by golden section.
double peak_between(const std::function<double(double)>& f, double low, double high);

/// The largest value of a smooth function between a and b: of many places, and by golden section around the largest.
double largest_of(const std::function<double(double)>& f, double a, double b);

/// The third derivatives by s: of the origin, and of the turning (the second of w). Of a rotation given as a function the
/// latter is not known, and zero.
struct PathThirds {
  Vec3<double> p, w;
};
PathThirds third_derivatives(const PositionPath& position, const OrientationPath& orientation, double s);

/// Largest norms of the first three derivatives by s, from s = a to b inside one formula of the path; of those that have no
/// limit zero.
PathLimits largest_by_parameter(const PositionPath& position, const OrientationPath& orientation,
                                const PathLimits& limits, double a, double b);

/// The limits are such that fastest_pace has no fault; the blends of the polygon are polynomial if jerk is limited.
PathPace corner_pace(const PolygonPath& polygon, const OrientationPath& orientation, const PathLimits& limits);

}  // namespace torsor::detail
