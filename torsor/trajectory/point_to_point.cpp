#include "torsor/trajectory/point_to_point.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <utility>

namespace torsor {

Result<PointToPoint> point_to_point(std::vector<double> q0, std::vector<double> q1, double duration,
                                    std::string_view law) {
  Errors errors;
  const auto fault = [&errors](std::string offender, std::string rule, std::string what, std::string remedy) {
    errors.push_back({{}, std::move(offender), std::move(rule), std::move(what), std::move(remedy)});
  };
  const auto finite = [](const std::vector<double>& q) {
    return std::all_of(q.begin(), q.end(), [](double x) { return std::isfinite(x); });
  };
  if (q0.size() != q1.size())
    fault("positions", "motion-size", fmt::format("the start has {} coordinates, the goal {}", q0.size(), q1.size()),
          "give as many as the robot has");
  if (!finite(q0)) fault("start", "motion-finite", "has a coordinate that is not finite", "give finite positions");
  if (!finite(q1)) fault("goal", "motion-finite", "has a coordinate that is not finite", "give finite positions");
  if (!(duration > 0 && std::isfinite(duration)))
    fault("duration", "motion-duration", fmt::format("is {}", duration), "give a positive number of seconds");
  const TimeLaw<double>* const found = find_time_law(law);
  if (!found) {
    std::string names;
    for (const auto& row : time_laws<double>) names += (names.empty() ? "" : ", ") + std::string(row.name);
    fault("time law", "time-law", fmt::format("unknown law \"{}\"", law), "use " + names);
  }
  if (!errors.empty()) return errors;

  PointToPoint motion;
  motion.from_ = std::move(q0);
  motion.to_ = std::move(q1);
  motion.duration_ = duration;
  motion.law_ = found;
  return motion;
}

}  // namespace torsor
