#include "torsor/model/geometry.hpp"

#include <doctest/doctest.h>

#include <cmath>

using namespace torsor;

TEST_CASE("what is within the tolerance is taken as special and reported with its residual") {
  GeometryClassifier classify;
  CHECK(classify.angle(1.5708, "twist") == std::numbers::pi / 2);
  CHECK(classify.length(3e-7, "offset") == 0);
  REQUIRE(classify.snaps().size() == 2);
  CHECK(classify.snaps()[0].what == "twist is 90 degrees");
  CHECK(classify.snaps()[0].is_angle);
  CHECK(classify.snaps()[0].residual == doctest::Approx(3.67e-6).epsilon(0.01));
  CHECK(classify.snaps()[1].residual == doctest::Approx(3e-7));
  CHECK(classify.parallel({0, 0, 1}, {5e-6, 0, 1}));
  CHECK(classify.parallel({0, 0, 1}, {0, 0, -1}));
}

TEST_CASE("what is beyond the tolerance stays as it is, unreported") {
  GeometryClassifier classify({.angle = 1e-8, .length = 1e-9});
  CHECK(classify.angle(1.5708, "twist") == 1.5708);
  CHECK(classify.length(3e-7, "offset") == 3e-7);
  CHECK(!classify.parallel({0, 0, 1}, {5e-6, 0, 1}));
  CHECK(classify.snaps().empty());
}

TEST_CASE("without snapping only rounding is forgiven, and counted with the largest residual") {
  GeometryClassifier classify({.snap = false});
  CHECK(classify.angle(1.5708, "twist") == 1.5708);
  CHECK(classify.angle(std::numbers::pi / 2 + 4e-16, "twist") == std::numbers::pi / 2);
  CHECK(classify.length(1e-16, "offset") == 0);
  CHECK(classify.length(-5e-15, "offset") == 0);
  CHECK(classify.length(1e-12, "offset") == 1e-12);
  CHECK(classify.snaps().empty());
  CHECK(classify.rounded_away().count == 3);
  CHECK(classify.rounded_away().length == 5e-15);
  CHECK(classify.rounded_away().angle == std::numbers::pi / 2 + 4e-16 - std::numbers::pi / 2);
}

TEST_CASE("the angle between two lines is the angle, not its sine") {
  for (const double angle : {1e-9, 1e-5, 0.09, 0.8, 1.5}) {
    const Vec3<double> v{std::sin(angle), 0, std::cos(angle)};
    CHECK(GeometryClassifier::between({0, 0, 1}, v) == doctest::Approx(angle).epsilon(1e-12));
    CHECK(GeometryClassifier::between({0, 0, 1}, -v) == doctest::Approx(angle).epsilon(1e-12));
  }
  // between sine and angle
  const GeometryClassifier classify({.angle = 0.09995});
  CHECK(!classify.parallel({0, 0, 1}, {std::sin(0.1), 0, std::cos(0.1)}));
}
