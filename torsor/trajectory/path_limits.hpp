// How fast a path may be run through when the magnitudes of velocity, acceleration and jerk of a frame are limited, of its
// origin and of its turning. With p(s) and s(t) the origin has
//
//   v = p' sd,    a = p'' sd^2 + p' sdd,    j = p''' sd^3 + 3 p'' sd sdd + p' sddd
//
// so that a curve costs acceleration and jerk at constant speed already. A polygon under the laws of constant jerk (s-curve,
// trapezoid) goes through each rounded corner at the constant speed that its curvature allows, and changes speed on the
// straight lines alone, where p'' = 0: there the limits are those of a single coordinate. At a corner that is not rounded
// it stops. On any other path, and under any other law, the pace is one law over the whole way, made slower as a whole until
// all norms are kept; the speed that it strives for is tried at several shares of what the sharpest curve allows.
#pragma once

#include <string_view>
#include <vector>

#include "torsor/trajectory/orientation_path.hpp"
#include "torsor/trajectory/pace.hpp"
#include "torsor/trajectory/path_motion.hpp"
#include "torsor/trajectory/position_path.hpp"

namespace torsor {

/// Largest magnitudes of velocity, acceleration and jerk: of the origin in m/s.., of the turning in rad/s..; infinite where
/// there is no limit, or where one jumps.
struct PathLimits {
  MotionLimits way, turn;
};

/// What a motion reaches: largest norms of velocity, acceleration and jerk. Where a velocity jumps acceleration and jerk are
/// infinite, where an acceleration jumps the jerk is. The angular jerk of a rotation given as a function counts as infinite.
PathLimits largest_rates(const PathMotion& motion);

/// A pace that keeps limits, and the knots of a polygon (from 0) at which it comes to rest because they are not rounded.
struct PathPace {
  Pace pace;
  std::vector<std::size_t> stops = {};
};

/// Under a law of the table; or all faults: no bound on acceleration and jerk, a jerk limit where accelerations jump, corners
/// that are not rounded under a law that cannot stop there.
Result<PathPace> pace_within(std::string_view law, const PositionPath& position, const OrientationPath& orientation,
                             const PathLimits& limits);

}  // namespace torsor
