#include "torsor/kinematics/base_motion.hpp"

#include <doctest/doctest.h>

#include "tests/support/measure.hpp"
#include "tests/support/random.hpp"

using namespace torsor;
using namespace torsor::testing;

TEST_CASE("the motion of the base is given in the world and used in the base frame") {
  Model<double> model;
  // the base's x axis is the world's y axis, its y axis the world's -x axis
  model.base = {rotation_z(0.0, 1.0), {5, 6, 7}};
  model.gravity = {0, 0, -10};
  const BaseMotion<double> base{{1, 2, 3}, {4, 5, 6}, {7, 8, 9}};
  CHECK(apart(base_velocity(model, base), Motion<double>{{2, -1, 3}, {0, 0, 0}}) == 0);
  CHECK(apart(base_acceleration(model, base), Motion<double>{{5, -4, 6}, {8, -7, 9}}) == 0);
  CHECK(apart(base_acceleration_against_gravity(model, base), Motion<double>{{5, -4, 6}, {8, -7, 19}}) == 0);
}
