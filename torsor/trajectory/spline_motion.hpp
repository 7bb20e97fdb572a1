// Joint motions through given positions at given times by interpolating splines, cubic (q, qd, qdd continuous) or
// quintic (four derivatives continuous). Between the knots lies the polynomial that has q, qd, qdd of its ends; the
// splines differ in how qd and qdd at the knots are found: from the continuity of q'' (cubic) or of q''' and q''''
// (quintic), and from what is said of the ends:
//
//   given velocity, given acceleration   as given; a cubic has room for one of the two
//   natural                              what is left open is free: q'' = 0 (cubic); q''' = 0 for want of an
//                                        acceleration, q'''' = 0 for want of a velocity (quintic); the least integral
//                                        of q''^2 or q'''^2
//   clamped                              velocity (and, quintic, acceleration) zero
//   periodic                             all that is continuous at a knot is so from the end to the start
//
// de Boor, A Practical Guide to Splines, 1978, chapter IV; block tridiagonal, O(points).
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "torsor/numeric/smoothing_spline.hpp"
#include "torsor/result.hpp"
#include "torsor/trajectory/trajectory.hpp"

namespace torsor {

enum class SplineDegree { cubic, quintic };

/// What is demanded at one end: one number per coordinate, or none (natural).
struct SplineEnd {
  std::vector<double> velocity, acceleration;
};

struct SplineEnds {
  SplineEnd start, end;
  bool periodic = false;

  static SplineEnds natural() { return {}; }
  /// At rest at both ends.
  static SplineEnds clamped(SplineDegree degree, std::size_t coordinates) {
    SplineEnd rest{std::vector<double>(coordinates, 0.0), {}};
    if (degree == SplineDegree::quintic) rest.acceleration = rest.velocity;
    return {rest, rest, false};
  }
  static SplineEnds cycle() { return {{}, {}, true}; }
};

class SplineMotion {
 public:
  std::size_t size() const { return spline_.channels; }
  double duration() const { return spline_.t.empty() ? 0 : spline_.t.back() - spline_.t.front(); }

  /// Position, velocity, acceleration at time t [s] after the first knot; at rest before 0 and after duration().
  void sample(double t, std::span<double> q, std::span<double> qd, std::span<double> qdd) const;

  /// Values and derivatives at the knots.
  const SmoothingSpline& spline() const { return spline_; }

 private:
  friend Result<SplineMotion> spline_motion(std::span<const double>, std::span<const std::vector<double>>, SplineDegree,
                                            const SplineEnds&);
  friend Result<SplineMotion> sampled_motion(std::span<const MotionRow>);
  SmoothingSpline spline_;
};

/// Through positions (two or more, equally long) at increasing times [s]; or all faults. Periodic: the last position is
/// the first again, three positions at least.
Result<SplineMotion> spline_motion(std::span<const double> times, std::span<const std::vector<double>> positions,
                                   SplineDegree degree, const SplineEnds& ends = {});

/// Through samples whose derivatives are known, two or more at increasing times: between two of them the quintic with
/// q, qd and qdd of both. Or all faults. So a path that was followed becomes a joint motion again.
Result<SplineMotion> sampled_motion(std::span<const MotionRow> rows);

/// Through rows in pieces, one row or more in each: within a piece as sampled_motion, which fits where a motion is
/// smooth; across the gap between two, where accelerations jump, quintics would overshoot. Its breaks lie half way
/// between the last row of a piece and the first of the next; its time begins at the first row of all.
Result<Trajectory> piecewise_motion(std::span<const std::vector<MotionRow>> pieces);

}  // namespace torsor
