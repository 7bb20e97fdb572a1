#include "torsor/trajectory/position_path.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <string>
#include <utility>

namespace torsor {
namespace {

bool finite(const Vec3<double>& v) { return std::isfinite(v.x) && std::isfinite(v.y) && std::isfinite(v.z); }

}  // namespace

Result<ArcPath> arc_through(const Vec3<double>& a, const Vec3<double>& b, const Vec3<double>& c) {
  const Fault fault{{}, "arc", "arc-points", "its three points are in a line", "give points that are not"};
  if (!finite(a) || !finite(b) || !finite(c))
    return Fault{{}, "arc", "motion-finite", "a point is not finite", "give finite points"};
  // the centre is a + m, as far from the end of either chord as from a
  const Vec3<double> u = b - a, v = c - a, n = cross(u, v);
  const double area = dot(n, n), scale = dot(u, u) * dot(v, v);
  // a sine below 1e-9 leaves no digits for the centre
  if (!(area > 1e-18 * scale) || !(dot(c - b, c - b) > 1e-18 * dot(u, u))) return fault;
  const Vec3<double> m = cross(n, u * dot(v, v) - v * dot(u, u)) * (1 / (2 * area));
  ArcPath arc;
  arc.centre = a + m;
  arc.x = -m;
  const Vec3<double> axis = unit(n);
  arc.y = cross(axis, arc.x);
  const Vec3<double> end = c - arc.centre;
  arc.angle = std::atan2(dot(end, arc.y), dot(end, arc.x));
  if (arc.angle <= 0) arc.angle += 2 * std::numbers::pi;
  return arc;
}

Result<ArcPath> arc_about(const Vec3<double>& start, const Vec3<double>& point, const Vec3<double>& axis,
                          double angle) {
  Faults errors;
  const auto fault = [&errors](std::string offender, std::string what, std::string remedy) {
    errors.push_back({{}, std::move(offender), "arc-axis", std::move(what), std::move(remedy)});
  };
  if (!finite(start) || !finite(point)) fault("arc", "a point is not finite", "give finite points");
  if (!finite(axis) || (axis.x == 0 && axis.y == 0 && axis.z == 0))
    fault("axis", "has no direction", "give a vector that is not zero");
  if (!(std::isfinite(angle) && angle != 0))
    fault("angle", fmt::format("is {}", angle), "give an angle that is not zero");
  if (!errors.empty()) return errors;
  Vec3<double> u = unit(axis);
  ArcPath arc;
  arc.centre = point + u * dot(start - point, u);
  arc.x = start - arc.centre;
  if (!(norm(arc.x) > 1e-12 * (norm(start - point) + norm(start))))
    fault("start", "lies on the axis", "give a start beside the axis");
  if (!errors.empty()) return errors;
  if (angle < 0) u = -u;
  arc.y = cross(u, arc.x);
  arc.angle = std::abs(angle);
  return arc;
}

Result<PolygonPath> polygon_path(std::span<const Vec3<double>> points, double rounding, Blend blend) {
  Faults errors;
  const auto fault = [&errors](std::string offender, std::string rule, std::string what, std::string remedy) {
    errors.push_back({{}, std::move(offender), std::move(rule), std::move(what), std::move(remedy)});
  };
  if (points.size() < 2) fault("path", "motion-points", "has nowhere to go", "give at least two points");
  if (!(rounding >= 0))
    fault("rounding", "motion-blend", fmt::format("is {}", rounding), "give a length, not negative");
  for (std::size_t i = 0; i < points.size(); ++i) {
    if (!finite(points[i]))
      fault(fmt::format("point {}", i + 1), "motion-finite", "is not finite", "give finite points");
    if (i > 0 && norm(points[i] - points[i - 1]) == 0)
      fault(fmt::format("point {}", i + 1), "motion-points", "is the point before it", "leave it out");
  }
  if (!errors.empty()) return errors;

  PolygonPath path;
  path.points_.assign(points.begin(), points.end());
  std::vector<double> knots{0}, half{0};
  for (std::size_t i = 1; i < points.size(); ++i) {
    const Vec3<double> way = points[i] - points[i - 1];
    path.direction_.push_back(unit(way));
    knots.push_back(knots.back() + norm(way));
  }
  for (std::size_t i = 1; i + 1 < points.size(); ++i)
    half.push_back(std::min({rounding, (knots[i] - knots[i - 1]) / 2, (knots[i + 1] - knots[i]) / 2}));
  half.push_back(0);
  path.direction_.insert(path.direction_.begin(), path.direction_.front());
  path.direction_.push_back(path.direction_.back());
  path.schedule_ = BlendSchedule(std::move(knots), std::move(half), blend);
  return path;
}

}  // namespace torsor
