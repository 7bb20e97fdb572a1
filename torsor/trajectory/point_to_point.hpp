// From one joint position to another, at rest at both, all joints together along a time law:
//   q(t) = q0 + (q1 - q0) s(t),   qd = (q1 - q0) sd(t),   qdd = (q1 - q0) sdd(t).
#pragma once

#include <cstddef>
#include <span>
#include <string_view>
#include <vector>

#include "torsor/result.hpp"
#include "torsor/trajectory/pace.hpp"

namespace torsor {

class PointToPoint {
 public:
  std::size_t size() const { return from_.size(); }
  double duration() const { return pace_.duration(); }

  /// Position, velocity, acceleration at time t [s], size() entries each; at rest before 0 and after duration().
  void sample(double t, std::span<double> q, std::span<double> qd, std::span<double> qdd) const {
    TORSOR_EXPECT(q.size() == size() && qd.size() == size() && qdd.size() == size());
    const TimeLawValue<double> at = pace_.at(t);
    for (std::size_t i = 0; i < size(); ++i) {
      const double way = to_[i] - from_[i];
      // the ends are met exactly
      q[i] = at.s == 1 ? to_[i] : from_[i] + way * at.s;
      qd[i] = way * at.sd;
      qdd[i] = way * at.sdd;
    }
  }

 private:
  friend Result<PointToPoint> point_to_point(std::vector<double>, std::vector<double>, double, std::string_view);
  friend Result<PointToPoint> fastest_point_to_point(std::vector<double>, std::vector<double>,
                                                     std::span<const MotionLimits>, std::string_view);

  std::vector<double> from_, to_;
  Pace pace_;
};

/// From q0 to q1, equally many finite numbers, in duration [s] > 0 by the time law of that name; or all faults.
Result<PointToPoint> point_to_point(std::vector<double> q0, std::vector<double> q1, double duration,
                                    std::string_view law = "quintic");

/// From q0 to q1 in the least time in which every joint keeps its limits (one each), all arriving together; or all
/// faults.
Result<PointToPoint> fastest_point_to_point(std::vector<double> q0, std::vector<double> q1,
                                            std::span<const MotionLimits> limits, std::string_view law = "s-curve");

}  // namespace torsor
