// A motion through several joint positions, at rest at each: point-to-point motions one after the other, and waits.
#pragma once

#include <cstddef>
#include <span>
#include <string_view>
#include <vector>

#include "torsor/result.hpp"
#include "torsor/trajectory/point_to_point.hpp"

namespace torsor {

/// Where to go next, how long to take [s], how long to stay there [s].
struct ViaPoint {
  std::vector<double> q;
  double duration = 1;
  double wait = 0;
};

class ViaPointMotion {
 public:
  std::size_t size() const { return legs_.empty() ? 0 : legs_.front().motion.size(); }
  double duration() const { return duration_; }

  /// Position, velocity, acceleration at time t [s], size() entries each; at rest before 0 and after duration().
  void sample(double t, std::span<double> q, std::span<double> qd, std::span<double> qdd) const;

 private:
  friend Result<ViaPointMotion> via_point_motion(std::vector<double>, std::span<const ViaPoint>, std::string_view);
  friend Result<ViaPointMotion> fastest_via_point_motion(std::vector<double>, std::span<const ViaPoint>,
                                                         std::span<const MotionLimits>, std::string_view);
  template <class MakeLeg>
  static Result<ViaPointMotion> joined(std::vector<double> start, std::span<const ViaPoint> points,
                                       const MakeLeg& make_leg);

  struct Leg {
    double start = 0;
    PointToPoint motion;
  };
  std::vector<Leg> legs_;
  double duration_ = 0;
};

/// From start through the points in their order, each leg by the time law of that name; or every fault of every leg.
Result<ViaPointMotion> via_point_motion(std::vector<double> start, std::span<const ViaPoint> points,
                                        std::string_view law = "quintic");

/// The same, each leg in the least time in which every joint keeps its limits (one each); durations are not looked at.
Result<ViaPointMotion> fastest_via_point_motion(std::vector<double> start, std::span<const ViaPoint> points,
                                                std::span<const MotionLimits> limits,
                                                std::string_view law = "s-curve");

}  // namespace torsor
