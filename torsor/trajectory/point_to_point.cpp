#include "torsor/trajectory/point_to_point.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <utility>

#include "torsor/numeric/finite.hpp"

namespace torsor {
namespace {

Faults position_faults(const std::vector<double>& q0, const std::vector<double>& q1) {
  Faults errors;
  const auto fault = [&errors](std::string offender, std::string rule, std::string what, std::string remedy) {
    errors.push_back({{}, std::move(offender), std::move(rule), std::move(what), std::move(remedy)});
  };
  if (q0.size() != q1.size())
    fault("positions", "motion-size", fmt::format("the start has {} coordinates, the goal {}", q0.size(), q1.size()),
          "give as many as the robot has");
  if (!all_finite(q0)) fault("start", "motion-finite", "has a coordinate that is not finite", "give finite positions");
  if (!all_finite(q1)) fault("goal", "motion-finite", "has a coordinate that is not finite", "give finite positions");
  return errors;
}

}  // namespace

Result<PointToPoint> point_to_point(std::vector<double> q0, std::vector<double> q1, double duration,
                                    std::string_view law) {
  Faults errors = position_faults(q0, q1);
  const Result<Pace> in_time = pace(law, duration);
  errors.insert(errors.end(), in_time.faults().begin(), in_time.faults().end());
  if (!errors.empty()) return errors;

  PointToPoint motion;
  motion.from_ = std::move(q0);
  motion.to_ = std::move(q1);
  motion.pace_ = *in_time;
  return motion;
}

Result<PointToPoint> fastest_point_to_point(std::vector<double> q0, std::vector<double> q1,
                                            std::span<const MotionLimits> limits, std::string_view law) {
  Faults errors = position_faults(q0, q1);
  if (limits.size() != q0.size())
    errors.push_back({{},
                      "limits",
                      "motion-size",
                      fmt::format("there are {} for {} coordinates", limits.size(), q0.size()),
                      "give one set per coordinate"});
  if (!errors.empty()) return errors;
  // the joint that has the longest way for its limits sets the pace, for each limit by itself
  MotionLimits least;
  bool moves = false;
  for (std::size_t i = 0; i < q0.size(); ++i) {
    const double way = std::abs(q1[i] - q0[i]);
    moves = moves || way > 0;
    // a joint that rests has no say, but its limits are still read
    for (const auto bound : {&MotionLimits::velocity, &MotionLimits::acceleration, &MotionLimits::jerk})
      if (!(limits[i].*bound > 0))
        errors.push_back({{},
                          fmt::format("limits of coordinate {}", i + 1),
                          "motion-limit",
                          fmt::format("one is {}", limits[i].*bound),
                          "give positive numbers"});
      else if (way > 0)
        least.*bound = std::min(least.*bound, limits[i].*bound / way);
  }
  if (!moves) errors.push_back({{}, "goal", "motion-way", "is the start: there is no least time", "give a duration"});
  if (!errors.empty()) return errors;

  const Result<Pace> in_time = fastest_pace(law, least);
  if (!in_time) return in_time.faults();
  PointToPoint motion;
  motion.from_ = std::move(q0);
  motion.to_ = std::move(q1);
  motion.pace_ = *in_time;
  return motion;
}

}  // namespace torsor
