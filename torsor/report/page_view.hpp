// A parallel view of the world on a page, for figures of robots: up is against gravity, the viewer stands in front, a
// little to the right and above, so that x runs to the right, y away and z upwards where gravity pulls along -z.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "torsor/spatial/vec3.hpp"

namespace torsor {

/// A place on the page, in pixels; y counts downwards.
struct PagePoint {
  double x = 0, y = 0;
};

class PageView {
 public:
  /// The directions of the view; without gravity z is up. One metre is a hundred pixels until fit() is called.
  explicit PageView(const Vec3<double>& gravity);
  /// Straight onto a plane of that normal: up is against gravity as far as the plane allows, x to the right rather than left.
  PageView(const Vec3<double>& gravity, const Vec3<double>& normal);

  /// Scales and shifts so that the points fill the rectangle as far as the proportions allow.
  void fit(std::span<const Vec3<double>> points, PagePoint top_left, PagePoint bottom_right);

  PagePoint page(const Vec3<double>& point) const;
  /// A point of the world that is seen there.
  Vec3<double> world(PagePoint place) const;
  /// How near to the viewer a point is, in metres.
  double nearness(const Vec3<double>& point) const { return dot(point, towards_); }
  /// The length of so many pixels, in metres.
  double metres(double pixels) const { return pixels / scale_; }
  /// Against gravity, unit.
  const Vec3<double>& vertical() const { return vertical_; }
  /// Horizontal, away from the front: where a viewer who stands straight before it looks. And up on the page, unit.
  const Vec3<double>& north() const { return north_; }
  const Vec3<double>& up() const { return up_; }
  /// To the viewer, unit.
  const Vec3<double>& towards() const { return towards_; }

 private:
  Vec3<double> vertical_, north_, right_, up_, towards_;
  double scale_ = 100;
  PagePoint origin_;
};

/// The convex hull of the points, anticlockwise as seen with y upwards.
std::vector<PagePoint> convex_hull(std::vector<PagePoint> points);

/// `M1 2L3 4...`, with a Z at the end if closed: the outline of an SVG path.
std::string outline(std::span<const PagePoint> points, bool closed);

}  // namespace torsor
