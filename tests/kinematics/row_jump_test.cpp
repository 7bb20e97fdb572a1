#include "torsor/kinematics/row_jump.hpp"

#include <doctest/doctest.h>

using namespace torsor;

TEST_CASE("a smooth motion in rows close enough is told by its speeds, a step between rows is not") {
  const double h = 0.01;
  for (int i = 0; i < 300; ++i) {
    const double a = 2 * std::sin(0.02 * i), b = 2 * std::sin(0.02 * (i + 1));
    CHECK(std::abs(b - a) <= change_told(h, 4 * std::cos(0.02 * i), 4 * std::cos(0.02 * (i + 1)), 1e-3));
  }
  // a wrist that turns over between two rows: q = atan(x), x = t v / d from -3 to 3
  const double rate = 6 / h, speed = rate / 10;
  CHECK(2 * std::atan(3.0) > change_told(h, speed, speed, 0.1));
  CHECK(0.05 <= change_told(h, 0, 0, 0.1));
}
