#include "torsor/report/page_view.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <vector>

using namespace torsor;

namespace {
using Point = Vec3<double>;
}

TEST_CASE("up on the page is against gravity, and x runs to the right") {
  for (const Point& down : {Point{0, 0, -9.81}, Point{0, -9.8, 0}, Point{0, 0, 3}, Point{0.1, -0.2, -9}}) {
    const PageView view(down);
    const PagePoint origin = view.page({}), above = view.page(down * -0.1);
    CHECK(above.x == doctest::Approx(origin.x).epsilon(1e-12));
    CHECK(above.y < origin.y - 10);
    CHECK(view.page({1, 0, 0}).x > origin.x + 50);
  }
  // without gravity z is up; where x is vertical, y runs to the right
  CHECK(PageView({}).page({0, 0, 1}).y < -50);
  CHECK(PageView({-9.81, 0, 0}).page({0, 1, 0}).x > 50);
}

TEST_CASE("the points fill the rectangle and keep their proportions") {
  PageView view({0, 0, -9.81});
  const std::vector<Point> points{{0, 0, 0}, {0.5, 0.2, 2}, {-0.3, 1, 0.4}};
  view.fit(points, {50, 60}, {250, 360});
  double top = 1e9, bottom = -1e9, left = 1e9, right = -1e9;
  for (const Point& p : points) {
    const PagePoint at = view.page(p);
    top = std::min(top, at.y), bottom = std::max(bottom, at.y);
    left = std::min(left, at.x), right = std::max(right, at.x);
  }
  CHECK(top >= 60 - 1e-9);
  CHECK(bottom <= 360 + 1e-9);
  CHECK(left >= 50 - 1e-9);
  CHECK(right <= 250 + 1e-9);
  // one of the two sides is filled, the other is centred
  CHECK((std::abs(bottom - top - 300) < 1e-9 || std::abs(right - left - 200) < 1e-9));
  CHECK((top + bottom) / 2 == doctest::Approx(210));
  CHECK((left + right) / 2 == doctest::Approx(150));
  // a vertical metre has the length of a metre seen from 22 degrees above
  const double metre = view.page({0, 0, 0}).y - view.page({0, 0, 1}).y;
  CHECK(metre * view.metres(1) == doctest::Approx(std::cos(22 * std::acos(-1) / 180)));
}

TEST_CASE("points that coincide are centred at a finite scale") {
  PageView view({0, 0, -9.81});
  const std::vector<Point> points(3, Point{1, 2, 3});
  view.fit(points, {0, 0}, {200, 100});
  CHECK(view.page({1, 2, 3}).x == doctest::Approx(100));
  CHECK(view.page({1, 2, 3}).y == doctest::Approx(50));
  CHECK(view.metres(100) == doctest::Approx(1));
  view.fit({}, {0, 0}, {200, 100});
  CHECK(std::isfinite(view.page({}).x));
}

TEST_CASE("a place on the page leads back to a point that is seen there") {
  PageView view({0, -1, 0});
  const std::vector<Point> points{{0, 0, 0}, {3, 1, 2}};
  view.fit(points, {10, 20}, {400, 300});
  const PagePoint back = view.page(view.world({123, 45}));
  CHECK(back.x == doctest::Approx(123));
  CHECK(back.y == doctest::Approx(45));
}

TEST_CASE("the convex hull of a square and points inside it is the square") {
  const std::vector<PagePoint> hull =
      convex_hull({{0, 0}, {1, 1}, {2, 2}, {2, 0}, {0, 2}, {1, 0}, {0.5, 1.2}, {2, 2}, {0, 0}});
  REQUIRE(hull.size() == 4);
  double area = 0;
  for (std::size_t k = 0; k < 4; ++k) {
    const PagePoint a = hull[k], b = hull[(k + 1) % 4];
    area += (a.x * b.y - a.y * b.x) / 2;
  }
  CHECK(area == doctest::Approx(4));
}

TEST_CASE("an outline is a path of SVG") {
  CHECK(outline(std::vector<PagePoint>{{1, 2}, {3.25, -4}}, false) == "M1.0 2.0L3.2 -4.0");
  CHECK(outline(std::vector<PagePoint>{{0, 0}, {1, 0}, {0, 1}}, true).ends_with("Z"));
  CHECK(outline({}, false).empty());
}
