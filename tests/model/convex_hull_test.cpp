// Hulls hold all of their points, are convex and closed, and have the volume of shapes that are known.
#include "torsor/model/convex_hull.hpp"

#include <doctest/doctest.h>

#include "tests/support/meshes.hpp"
#include "torsor/model/mesh_solid.hpp"

using namespace torsor;
using namespace torsor::testing;

TEST_CASE("the hull of random points is closed, convex and holds them all") {
  Random random(1);
  for (int draw = 0; draw < draws(30); ++draw) {
    std::vector<Vec3<double>> points;
    const int n = 4 + random.below(200);
    for (int k = 0; k < n; ++k) points.push_back(random.vector(1));
    const auto hull = convex_hull(points);
    REQUIRE(hull);
    // Euler: a closed surface of triangles has 2 n - 4 of them
    CHECK(hull->triangles.size() == 2 * hull->vertices.size() - 4);
    for (const auto& [a, b, c] : hull->triangles) {
      const Vec3<double> normal =
          unit(cross(hull->vertices[b] - hull->vertices[a], hull->vertices[c] - hull->vertices[a]));
      for (const Vec3<double>& p : points) CHECK(dot(normal, p - hull->vertices[a]) <= 1e-11);
    }
  }
}

TEST_CASE("points on faces and edges, and many at one place, change nothing") {
  Random random(2);
  std::vector<Vec3<double>> points;
  for (int i = 0; i <= 6; ++i)
    for (int j = 0; j <= 6; ++j)
      for (int k = 0; k <= 6; ++k) points.push_back({i / 6.0, j / 6.0, k / 6.0});
  const auto cube = convex_hull(points);
  REQUIRE(cube);
  CHECK(enclosed_body(*cube).size == doctest::Approx(1).epsilon(1e-13));
  const Mat3<double> R = random.rotation();
  for (Vec3<double>& p : points) p = R * p + Vec3<double>{10, 20, 30};
  const auto turned = convex_hull(points);
  REQUIRE(turned);
  CHECK(enclosed_body(*turned).size == doctest::Approx(1).epsilon(1e-11));
}

TEST_CASE("flat and single points have no hull") {
  CHECK_FALSE(convex_hull({}));
  CHECK_FALSE(convex_hull(std::vector<Vec3<double>>(10, {1, 2, 3})));
  CHECK_FALSE(convex_hull(std::vector<Vec3<double>>{{0, 0, 0}, {1, 1, 1}, {2, 2, 2}, {3, 3, 3}}));
  CHECK_FALSE(convex_hull(std::vector<Vec3<double>>{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {1, 1, 0}, {3, 2, 0}}));
}
