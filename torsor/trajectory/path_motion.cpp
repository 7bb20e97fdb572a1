#include "torsor/trajectory/path_motion.hpp"

#include <algorithm>
#include <utility>
#include <vector>

#include "torsor/trajectory/corner_pace.hpp"

namespace torsor {

double PathMotion::length() const {
  return std::visit([](const auto& path) { return path.length(); }, position_);
}

std::vector<double> PathMotion::breaks() const {
  std::vector<double> all = pace_.breaks();
  if (const auto* const polygon = std::get_if<PolygonPath>(&position_)) {
    const BlendSchedule& corners = polygon->schedule();
    for (std::size_t i = 1; i + 1 < corners.size(); ++i)
      for (const double side : {-1.0, 1.0})
        all.push_back(pace_.time_of((corners.knots()[i] + side * corners.half_widths()[i]) / corners.end()));
  }
  std::sort(all.begin(), all.end());
  // what differs by rounding is one instant
  std::vector<double> apart;
  for (const double t : all)
    if (t - (apart.empty() ? 0 : apart.back()) > 1e-9 * duration() && t < duration() * (1 - 1e-9)) apart.push_back(t);
  return apart;
}

CartesianState PathMotion::sample(double t) const {
  const auto [s, sd, sdd] = pace_.at(t);
  const PathPoint<double> point = std::visit([s = s](const auto& path) { return path.at(s); }, position_);
  const Turning<double> turning = std::visit([s = s](const auto& path) { return path.at(s); }, orientation_);
  const double sd2 = sd * sd;
  return {{turning.R, point.p},
          {turning.w * sd, point.d * sd},
          {turning.wd * sd2 + turning.w * sdd, point.dd * sd2 + point.d * sdd}};
}

Motion<double> PathMotion::jerk(double t) const {
  const auto [s, sd, sdd] = pace_.at(t);
  const double sddd = pace_.jerk(t);
  const PathPoint<double> point = std::visit([s = s](const auto& path) { return path.at(s); }, position_);
  const Turning<double> turning = std::visit([s = s](const auto& path) { return path.at(s); }, orientation_);
  const detail::PathThirds third = detail::third_derivatives(position_, orientation_, s);
  const auto along = [sd = sd, sdd = sdd, sddd](const Vec3<double>& d, const Vec3<double>& dd,
                                                const Vec3<double>& ddd) {
    return ddd * (sd * sd * sd) + dd * (3 * sd * sdd) + d * sddd;
  };
  return {along(turning.w, turning.wd, third.w), along(point.d, point.dd, third.p)};
}

std::vector<double> PathMotion::velocity_jumps() const {
  constexpr double rounding = 1e-6;  // of the fastest; at a stop what is left of the velocity is less
  const double side = 1e-12 * duration();
  const std::vector<double> instants = breaks();
  double v = 0, w = 0, last = 0;
  const auto see = [&](double t) {
    const Motion<double> twist = sample(t).twist;
    v = std::max(v, norm(twist.v));
    w = std::max(w, norm(twist.w));
  };
  for (const double t : instants) {
    for (const double at : {(last + t) / 2, t - side, t + side}) see(at);
    last = t;
  }
  see((last + duration()) / 2);
  std::vector<double> times;
  for (const double t : instants) {
    const Motion<double> jump = sample(t + side).twist - sample(t - side).twist;
    if (norm(jump.v) > rounding * v || norm(jump.w) > rounding * w) times.push_back(t);
  }
  return times;
}

Result<PathMotion> pose_motion(std::span<const Transform<double>> poses, double rounding, const Pace& pace,
                               Blend blend) {
  std::vector<Vec3<double>> points;
  std::vector<Mat3<double>> orientations;
  for (const Transform<double>& X : poses) {
    points.push_back(X.p);
    orientations.push_back(X.R);
  }
  const Result<PolygonPath> polygon = polygon_path(points, rounding, blend);
  if (!polygon) return polygon.faults();
  const Result<TurnsPath> turns = turns_path(orientations, polygon->schedule());
  if (!turns) return turns.faults();
  return PathMotion(*polygon, *turns, pace);
}

}  // namespace torsor
