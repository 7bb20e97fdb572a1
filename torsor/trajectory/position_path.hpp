// Paths of a point: p(s), s from 0 to 1, and its derivatives by s. A row of the variant is a path.
//
//   line     p = a + (b - a) s
//   arc      p = c + x cos(phi s) + y sin(phi s),  x and y of the radius' length and perpendicular
//   polygon  straight lines with their corners rounded (blend.hpp); s is proportional to the length of the polygon
#pragma once

#include <span>
#include <variant>
#include <vector>

#include "torsor/result.hpp"
#include "torsor/spatial/vec3.hpp"
#include "torsor/trajectory/blend.hpp"

namespace torsor {

/// A point and its derivatives by the path's parameter.
template <class T>
struct PathPoint {
  Vec3<T> p, d, dd;
};

namespace detail {

template <class T>
Vec3<T> lifted(const Vec3<double>& v) {
  return cast<T>(v, [](double x) { return T(x); });
}

}  // namespace detail

struct LinePath {
  Vec3<double> from, to;

  double length() const { return norm(to - from); }

  template <Ring T>
  PathPoint<T> at(const T& s) const {
    const Vec3<T> way = detail::lifted<T>(to - from);
    return {detail::lifted<T>(from) + way * s, way, {}};
  }
};

struct ArcPath {
  Vec3<double> centre, x, y;  // x: from the centre to the start; y: where a quarter turn leads
  double angle = 0;           // positive

  double length() const { return norm(x) * angle; }

  template <Analytic T>
  PathPoint<T> at(const T& s) const {
    const T phi(angle), c = cos(phi * s), n = sin(phi * s);
    const Vec3<T> u = detail::lifted<T>(x), v = detail::lifted<T>(y), out = u * c + v * n;
    return {detail::lifted<T>(centre) + out, (v * c - u * n) * phi, -(out * (phi * phi))};
  }
};

class PolygonPath {
 public:
  double length() const { return schedule_.end(); }
  const BlendSchedule& schedule() const { return schedule_; }

  template <Decidable T>
  PathPoint<T> at(const T& s) const {
    const T L(length());
    const BlendValue<T> at = schedule_.at(s * L);
    const Vec3<T> before = detail::lifted<T>(direction_[at.knot]), after = detail::lifted<T>(direction_[at.knot + 1]);
    return {detail::lifted<T>(points_[at.knot]) + before * at.before + after * at.after,
            (before * at.before_d + after * at.after_d) * L, (before * at.before_dd + after * at.after_dd) * (L * L)};
  }

 private:
  friend Result<PolygonPath> polygon_path(std::span<const Vec3<double>>, double, Blend);

  std::vector<Vec3<double>> points_,
      direction_;  // directions of the lines; before the first and after the last as theirs
  BlendSchedule schedule_;
};

struct PositionPath : std::variant<LinePath, ArcPath, PolygonPath> {
  using variant::variant;
};

/// The arc from a through b to c; or the fault that they are in a line.
Result<ArcPath> arc_through(const Vec3<double>& a, const Vec3<double>& b, const Vec3<double>& c);

/// The arc of a point that turns by an angle [rad], of either sign, about an axis through a point; or all faults.
Result<ArcPath> arc_about(const Vec3<double>& start, const Vec3<double>& point, const Vec3<double>& axis, double angle);

/// Straight lines through points, two or more, no two neighbours alike; each corner begins to round at `rounding` [m]
/// before it, or at half of a line that is shorter. All faults are named.
Result<PolygonPath> polygon_path(std::span<const Vec3<double>> points, double rounding,
                                 Blend blend = Blend::polynomial);

}  // namespace torsor
