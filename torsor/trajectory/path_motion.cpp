#include "torsor/trajectory/path_motion.hpp"

#include <algorithm>
#include <utility>
#include <vector>

#include "torsor/trajectory/corner_pace.hpp"
#include "torsor/trajectory/orientation_path.hpp"
#include "torsor/trajectory/pace.hpp"
#include "torsor/trajectory/position_path.hpp"

namespace torsor {

struct PathMotion::Parts {
  PositionPath position;
  OrientationPath orientation;
  Pace pace;
};

PathMotion::PathMotion() : parts_(std::make_shared<const Parts>()) {}
PathMotion::PathMotion(PositionPath position, OrientationPath orientation, Pace pace)
    : parts_(std::make_shared<const Parts>(Parts{std::move(position), std::move(orientation), std::move(pace)})) {}

double PathMotion::duration() const {
  return parts_->pace.duration();
}

PathMotion PathMotion::stretched(double factor) const {
  return {parts_->position, parts_->orientation, parts_->pace.stretched(factor)};
}

const PositionPath& PathMotion::position() const {
  return parts_->position;
}
const OrientationPath& PathMotion::orientation() const {
  return parts_->orientation;
}
const Pace& PathMotion::pace() const {
  return parts_->pace;
}

double PathMotion::length() const {
  return std::visit([](const auto& path) { return path.length(); }, parts_->position);
}

std::vector<double> PathMotion::breaks() const {
  std::vector<double> all = parts_->pace.breaks();
  if (const auto* const polygon = std::get_if<PolygonPath>(&parts_->position)) {
    const BlendSchedule& corners = polygon->schedule();
    for (std::size_t i = 1; i + 1 < corners.size(); ++i)
      for (const double side : {-1.0, 1.0})
        all.push_back(parts_->pace.time_of((corners.knots()[i] + side * corners.half_widths()[i]) / corners.end()));
  }
  std::sort(all.begin(), all.end());
  // what differs by rounding is one instant
  std::vector<double> apart;
  for (const double t : all)
    if (t - (apart.empty() ? 0 : apart.back()) > 1e-9 * duration() && t < duration() * (1 - 1e-9)) apart.push_back(t);
  return apart;
}

CartesianState PathMotion::sample(double t) const {
  const auto [s, sd, sdd] = parts_->pace.at(t);
  const PathPoint<double> point = std::visit([s = s](const auto& path) { return path.at(s); }, parts_->position);
  const Turning<double> turning = std::visit([s = s](const auto& path) { return path.at(s); }, parts_->orientation);
  const double sd2 = sd * sd;
  return {{turning.R, point.p},
          {turning.w * sd, point.d * sd},
          {turning.wd * sd2 + turning.w * sdd, point.dd * sd2 + point.d * sdd}};
}

Motion<double> PathMotion::jerk(double t) const {
  const auto [s, sd, sdd] = parts_->pace.at(t);
  const double sddd = parts_->pace.jerk(t);
  const PathPoint<double> point = std::visit([s = s](const auto& path) { return path.at(s); }, parts_->position);
  const Turning<double> turning = std::visit([s = s](const auto& path) { return path.at(s); }, parts_->orientation);
  const detail::PathThirds third = detail::third_derivatives(parts_->position, parts_->orientation, s);
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

Result<PathMotion> pose_motion(std::span<const Transform<double>> poses, double rounding, const Pace& pace) {
  return pose_motion(poses, rounding, pace, Blend::polynomial);
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
