#include "torsor/spatial/turn.hpp"

#include <doctest/doctest.h>

#include "tests/support/measure.hpp"
#include "torsor/spatial/rotation.hpp"

using namespace torsor;
using namespace torsor::testing;

TEST_CASE("a turn about an axis is its rotation matrix at work") {
  const Vec3<double> v{0.3, -0.7, 1.1};
  CHECK(apart(turn_x(0.6, 0.8, v), rotation_x(0.6, 0.8) * v) < 1e-15);
  CHECK(apart(turn_z(0.6, 0.8, v), rotation_z(0.6, 0.8) * v) < 1e-15);
}

TEST_CASE("quarter turns about x are turns by their cosine and sine, either way round") {
  const Vec3<double> v{0.3, -0.7, 1.1};
  const double c[] = {1, 0, -1, 0}, s[] = {0, 1, 0, -1};
  for (int k = -5; k <= 5; ++k) CHECK(apart(quarter_turn_x(k, v), turn_x(c[k & 3], s[k & 3], v)) == 0);
}
