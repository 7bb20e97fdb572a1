#include "torsor/trajectory/via_points.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

namespace torsor {

void ViaPointMotion::sample(double t, std::span<double> q, std::span<double> qd, std::span<double> qdd) const {
  TORSOR_EXPECT(!legs_.empty());
  // the last leg that has begun; after its end it rests, which makes the wait
  auto leg = std::upper_bound(legs_.begin(), legs_.end(), t, [](double time, const Leg& l) { return time < l.start; });
  if (leg != legs_.begin()) --leg;
  leg->motion.sample(t - leg->start, q, qd, qdd);
}

template <class MakeLeg>
Result<ViaPointMotion> ViaPointMotion::joined(std::vector<double> start, std::span<const ViaPoint> points,
                                              const MakeLeg& make_leg) {
  Faults errors;
  const auto fault = [&errors](std::string offender, std::string rule, std::string what, std::string remedy) {
    errors.push_back({{}, std::move(offender), std::move(rule), std::move(what), std::move(remedy)});
  };
  if (points.empty()) fault("motion", "motion-points", "has nowhere to go", "give at least one point");
  ViaPointMotion motion;
  for (std::size_t i = 0; i < points.size(); ++i) {
    const ViaPoint& point = points[i];
    const std::string name = fmt::format("point {}", i + 1);
    if (!(point.wait >= 0 && std::isfinite(point.wait)))
      fault(name, "motion-wait", fmt::format("the wait is {}", point.wait), "give a number of seconds, not negative");
    Result<PointToPoint> leg = make_leg(start, point);
    for (Fault error : leg.faults()) {
      error.offender = name + ", " + error.offender;
      errors.push_back(std::move(error));
    }
    if (leg) {
      motion.legs_.push_back({motion.duration_, *std::move(leg)});
      motion.duration_ += motion.legs_.back().motion.duration() + point.wait;
    }
    start = point.q;
  }
  if (!errors.empty()) return errors;
  return motion;
}

Result<ViaPointMotion> via_point_motion(std::vector<double> start, std::span<const ViaPoint> points,
                                        std::string_view law) {
  return ViaPointMotion::joined(std::move(start), points, [law](const std::vector<double>& from, const ViaPoint& to) {
    return point_to_point(from, to.q, to.duration, law);
  });
}

Result<ViaPointMotion> fastest_via_point_motion(std::vector<double> start, std::span<const ViaPoint> points,
                                                std::span<const MotionLimits> limits, std::string_view law) {
  return ViaPointMotion::joined(std::move(start), points, [&](const std::vector<double>& from, const ViaPoint& to) {
    return fastest_point_to_point(from, to.q, limits, law);
  });
}

}  // namespace torsor
