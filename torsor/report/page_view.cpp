#include "torsor/report/page_view.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>

namespace torsor {
namespace {

constexpr double degree = std::numbers::pi / 180;
constexpr double to_the_right = 30 * degree, above = 22 * degree;


double turn(PagePoint a, PagePoint b, PagePoint c) { return (b.x - a.x) * (c.y - a.y) - (b.y - a.y) * (c.x - a.x); }

}  // namespace

PageView::PageView(const Vec3<double>& gravity) {
  vertical_ = norm(gravity) > 0 ? unit(-gravity) : Vec3<double>{0, 0, 1};
  // the horizontal direction of x, or of y where x is vertical
  const Vec3<double> x{1, 0, 0}, y{0, 1, 0};
  const Vec3<double> along = std::abs(dot(x, vertical_)) < 0.9 ? x : y;
  const Vec3<double> east = unit(along - vertical_ * dot(along, vertical_)), south = cross(east, vertical_);
  const Vec3<double> viewer = south * std::cos(to_the_right) + east * std::sin(to_the_right);
  towards_ = viewer * std::cos(above) + vertical_ * std::sin(above);
  north_ = -south;
  right_ = cross(vertical_, viewer);
  up_ = cross(towards_, right_);
}

PageView::PageView(const Vec3<double>& gravity, const Vec3<double>& normal) : PageView(gravity) {
  towards_ = unit(normal);
  const Vec3<double> x{1, 0, 0}, y{0, 1, 0};
  const auto within = [this](const Vec3<double>& d) { return d - towards_ * dot(d, towards_); };
  // seen from above, y is up
  const Vec3<double> level = norm(within(vertical_)) > 0.1 ? vertical_ : norm(within(y)) > 0.1 ? y : x;
  up_ = unit(within(level));
  right_ = cross(up_, towards_);
  if (dot(right_, x) < -1e-9 || (std::abs(dot(right_, x)) < 1e-9 && dot(right_, y) < 0)) {
    towards_ = -towards_;
    right_ = -right_;
  }
}

void PageView::fit(std::span<const Vec3<double>> points, PagePoint top_left, PagePoint bottom_right) {
  origin_ = {};
  scale_ = 1;
  PagePoint low{0, 0}, high{0, 0};
  for (std::size_t k = 0; k < points.size(); ++k) {
    const PagePoint p = page(points[k]);
    low = k == 0 ? p : PagePoint{std::min(low.x, p.x), std::min(low.y, p.y)};
    high = k == 0 ? p : PagePoint{std::max(high.x, p.x), std::max(high.y, p.y)};
  }
  // a robot without extent is drawn as if it were a metre large
  const double width = high.x - low.x, height = high.y - low.y, smallest = width + height > 1e-9 ? 1e-9 : 1;
  scale_ = std::min((bottom_right.x - top_left.x) / std::max(width, smallest),
                    (bottom_right.y - top_left.y) / std::max(height, smallest));
  origin_ = {(top_left.x + bottom_right.x) / 2 - scale_ * (low.x + high.x) / 2,
             (top_left.y + bottom_right.y) / 2 - scale_ * (low.y + high.y) / 2};
}

PagePoint PageView::page(const Vec3<double>& point) const {
  return {origin_.x + scale_ * dot(point, right_), origin_.y - scale_ * dot(point, up_)};
}

Vec3<double> PageView::world(PagePoint place) const {
  return right_ * ((place.x - origin_.x) / scale_) - up_ * ((place.y - origin_.y) / scale_);
}

std::vector<PagePoint> convex_hull(std::vector<PagePoint> points) {
  if (points.size() < 3) return points;
  std::ranges::sort(points, [](PagePoint a, PagePoint b) { return a.x < b.x || (a.x == b.x && a.y < b.y); });
  // the lower side from left to right, then the upper side back
  std::vector<PagePoint> hull;
  const auto side = [&hull](auto begin, auto end) {
    const std::size_t start = hull.size();
    for (auto p = begin; p != end; ++p) {
      while (hull.size() >= start + 2 && turn(hull[hull.size() - 2], hull.back(), *p) <= 0) hull.pop_back();
      hull.push_back(*p);
    }
    hull.pop_back();
  };
  side(points.begin(), points.end());
  side(points.rbegin(), points.rend());
  return hull;
}

std::string outline(std::span<const PagePoint> points, bool closed) {
  std::string text;
  for (const PagePoint& p : points) text += fmt::format("{}{:.1f} {:.1f}", text.empty() ? 'M' : 'L', p.x, p.y);
  return closed ? text + 'Z' : text;
}

}  // namespace torsor
