#include "torsor/model/common_normal.hpp"

#include <doctest/doctest.h>

#include <numbers>

using namespace torsor;

TEST_CASE("the common normal of two lines is across both, and joins its feet") {
  const AxisLine line{{1, 2, 3}, unit(Vec3<double>{1, 1, 0})}, next{{-2, 0.5, 4}, unit(Vec3<double>{0.2, -1, 0.7})};
  const auto [on_line, on_next] = common_normal(line, next);
  const Vec3<double> normal = next.at(on_next) - line.at(on_line);
  CHECK(norm(normal) > 0.1);
  CHECK(dot(normal, line.z) == doctest::Approx(0).epsilon(1e-13));
  CHECK(dot(normal, next.z) == doctest::Approx(0).epsilon(1e-13));
}

TEST_CASE("a turn about an axis has the axis's sense") {
  const Vec3<double> x{1, 0, 0}, y{0, 1, 0}, z{0, 0, 1};
  CHECK(turn_about(z, x, y) == doctest::Approx(std::numbers::pi / 2));
  CHECK(turn_about(-z, x, y) == doctest::Approx(-std::numbers::pi / 2));
  CHECK(norm(across({1, 2, 3}, z) - Vec3<double>{1, 2, 0}) == 0);
}
