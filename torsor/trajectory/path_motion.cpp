#include "torsor/trajectory/path_motion.hpp"

#include <algorithm>
#include <utility>
#include <vector>

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

Result<PathMotion> pose_motion(std::span<const Transform<double>> poses, double rounding, const Pace& pace,
                               Blend blend) {
  std::vector<Vec3<double>> points;
  std::vector<Mat3<double>> orientations;
  for (const Transform<double>& X : poses) {
    points.push_back(X.p);
    orientations.push_back(X.R);
  }
  const Result<PolygonPath> polygon = polygon_path(points, rounding, blend);
  if (!polygon) return polygon.errors();
  const Result<TurnsPath> turns = turns_path(orientations, polygon->schedule());
  if (!turns) return turns.errors();
  return PathMotion(*polygon, *turns, pace);
}

}  // namespace torsor
