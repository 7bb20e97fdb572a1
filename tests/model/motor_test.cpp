#include "torsor/model/motor.hpp"

#include <doctest/doctest.h>

using namespace torsor;

TEST_CASE("a torque curve is straight between its corners, the same both ways, and ends at the last") {
  const TorqueCurve curve{{0, 100, 300}, {5, 4, 1}};
  CHECK(*curve.at(0) == 5);
  CHECK(*curve.at(50) == 4.5);
  CHECK(*curve.at(-200) == 2.5);
  CHECK(*curve.at(300) == 1);
  CHECK_FALSE(curve.at(300.001));
  CHECK(curve.top_speed() == 300);
  CHECK(TorqueCurve{}.empty());
}
