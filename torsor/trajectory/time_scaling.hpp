// A joint motion made slower or faster as a whole so that limits hold: with t' = k t, x = 1/k
//
//   qd' = x qd,   qdd' = x^2 qdd,   tau' = x^2 [M qdd + C qd] + x viscous + (gravity + Coulomb + forces from outside)
//
// For each joint and instant the x within an effort limit are intervals between the roots of two quadratics; the
// largest x common to all is looked for from above, each limit broken bringing x down to its nearest root, until none
// is. Gravity can be too much at rest and not in a fall: then only a window of x will do, or none. (Hollerbach 1984,
// Dynamic scaling of manipulator trajectories, without friction.) Where friction is no such law (Stribeck, table,
// function), roots are found by 256 steps and bisection, and a window narrower than a step is missed.
//
// Limits are looked at in instants evenly spread over the motion, on both sides of its breaks, in which accelerations
// are said to jump, and of those in which a joint turns back, where dry friction jumps; around those that come within 2
// % of the smallest x of all, the worst instant is found by golden section, to about 1e-9 of k. A peak that rises from
// 2 % below and falls within two steps is missed.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "torsor/dynamics/passed_limit.hpp"
#include "torsor/model/model.hpp"
#include "torsor/result.hpp"
#include "torsor/spatial/motion.hpp"
#include "torsor/trajectory/trajectory.hpp"

namespace torsor {

/// Bounds of magnitude, one per coordinate, positive, infinite where there is none; or empty for none at all.
struct ScalingLimits {
  std::vector<double> velocity, acceleration, effort;
};

/// The bounds that a word names: velocity, acceleration, torque; or null.
std::vector<double> ScalingLimits::*scaling_bound(std::string_view word);

/// The limits of velocity, acceleration (or deceleration, if it is less) and torque that the model has.
ScalingLimits limits_of(const Model<double>& model);

/// To which limits the time of a motion is to be scaled.
struct ScalingRequest {
  ScalingLimits limits;
  bool only_slower = false;  // limits of the tool itself hold already: time may be stretched, not shrunk
};

enum class ScalingStatus {
  ok,         // the limits hold at `factor`, and one is touched
  unlimited,  // nothing is limited that grows with speed
  impossible  // no factor will do: at the given instant the torque is too much even at rest
};

/// The smallest factor and what decides it: `value` is reached by a coordinate at an instant of the given motion, when
/// scaled; where no factor will do it is the torque that slowness leaves (gravity, dry friction, forces from outside).
struct TimeScaling {
  ScalingStatus status = ScalingStatus::unlimited;
  double factor = 0;  // duration after / before; below 1 the motion may be faster
  LimitKind kind = LimitKind::effort;
  int coordinate = -1;
  double time = 0;              // [s], of the motion as given
  double value = 0, limit = 0;  // signed; positive
};

/// In words: `times 1.3: torque of "elbow" at 0.55 s reaches 86 N m`, with the model's names. The instant is that of
/// the scaled motion, which begins at `start` [s]; where no factor will do, of the motion as given.
std::string describe(const TimeScaling& scaling, const Model<double>& model, double start = 0);

struct ScalingOptions {
  int samples = 1000;                        // steps along the motion
  std::vector<Force<double>> external = {};  // per body, in its frame, or none
};

/// The smallest factor on the time of a motion that keeps the limits; or all faults of the request. For models whose
/// coordinates are all joint positions (nq = nv).
Result<TimeScaling> smallest_time_factor(const Model<double>& model, const Trajectory& motion,
                                         const ScalingLimits& limits, const ScalingOptions& options = {});

}  // namespace torsor
