#include "torsor/trajectory/path_motion.hpp"

#include <utility>
#include <vector>

namespace torsor {

double PathMotion::length() const {
  return std::visit([](const auto& path) { return path.length(); }, position_);
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
