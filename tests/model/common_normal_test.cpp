#include "torsor/model/common_normal.hpp"

#include <doctest/doctest.h>

#include <limits>
#include <numbers>

#include "tests/support/random.hpp"

using namespace torsor;
using namespace torsor::testing;

TEST_CASE("the common normal of two lines is across both, and joins its feet") {
  const AxisLine line{{1, 2, 3}, unit(Vec3<double>{1, 1, 0})}, next{{-2, 0.5, 4}, unit(Vec3<double>{0.2, -1, 0.7})};
  const auto [on_line, on_next] = common_normal(line, next);
  const Vec3<double> normal = next.at(on_next) - line.at(on_line);
  CHECK(norm(normal) > 0.1);
  CHECK(dot(normal, line.z) == doctest::Approx(0).epsilon(1e-13));
  CHECK(dot(normal, next.z) == doctest::Approx(0).epsilon(1e-13));
}

TEST_CASE(
    "the feet on nearly parallel axes lie opposite each other to rounding over the angle between them, not over its "
    "square") {
  Random random(2301);
  for (int draw = 0; draw < draws(1000); ++draw) {
    const double angle = std::pow(10, random.uniform(-5, -1));
    const AxisLine line{random.vector(1), random.direction()};
    const AxisLine next{random.vector(1), rotation_about(unit(cross(line.z, random.direction())), angle) * line.z};
    const auto [on_line, on_next] = common_normal(line, next);
    // along the axes; each foot by itself is known to rounding over the square
    const double apart = dot(next.p - line.p, line.z) + on_next * dot(next.z, line.z) - on_line;
    const double eps = std::numeric_limits<double>::epsilon(), feet = std::abs(on_line) + std::abs(on_next);
    CHECK(std::abs(apart) < 20 * eps * (1 / angle + feet));
  }
}

TEST_CASE("a turn about an axis has the axis's sense") {
  const Vec3<double> x{1, 0, 0}, y{0, 1, 0}, z{0, 0, 1};
  CHECK(turn_about(z, x, y) == doctest::Approx(std::numbers::pi / 2));
  CHECK(turn_about(-z, x, y) == doctest::Approx(-std::numbers::pi / 2));
  CHECK(norm(across({1, 2, 3}, z) - Vec3<double>{1, 2, 0}) == 0);
}
