#include "torsor/dynamics/chatter_watch.hpp"

#include <doctest/doctest.h>

#include <cmath>

#include "torsor/files/load_robot.hpp"
#include "torsor/model/description.hpp"

using namespace torsor;

namespace {

Model<double> rubbing() {
  auto robot = load_robot("two_link");
  REQUIRE(robot);
  Friction<double> dry;
  dry.coulomb_positive = 1;
  dry.coulomb_negative = 2;
  robot->links[1].friction = dry;
  const auto model = build(*robot);
  REQUIRE(model);
  return *model;
}

}  // namespace

TEST_CASE("a speed that turns over within the reach of the spline is chatter, of joints with dry friction") {
  const Model<double> model = rubbing();
  ChatterWatch fast(model, 0.1), slow(model, 0.1), stop(model, 0.1);
  for (int k = 0; k < 200; ++k) {
    const double t = 0.01 * k, noise = k % 4 < 2 ? 1e-3 : -1e-3, swing = std::cos(2 * 3.14159 * 2 * t);
    fast.add(t, std::vector{noise, noise});
    slow.add(t, std::vector{noise, swing});                      // every quarter of a second
    stop.add(t, std::vector{noise, k > 20 && k < 26 ? noise : 0.0});  // rings, then rests
  }
  REQUIRE(fast.found().size() == 1);
  CHECK(fast.found()[0].coordinate == 1);
  CHECK(fast.found()[0].reversals == 98);
  CHECK(fast.found()[0].friction == doctest::Approx(3));
  CHECK(slow.found().empty());
  CHECK(stop.found().empty());
}

TEST_CASE("joints that mimic one another are one coordinate, with the friction of all of them") {
  auto robot = load_robot("two_link");
  REQUIRE(robot);
  Friction<double> dry;
  dry.coulomb_positive = dry.coulomb_negative = 1;
  for (LinkDescription& link : robot->links) link.friction = dry;
  robot->links[1].mimic = Mimic{robot->links[0].joint_name, -2, 0};
  const auto model = build(*robot);
  REQUIRE(model);
  REQUIRE(model->nv == 1);
  ChatterWatch watch(*model, 0.1);
  for (int k = 0; k < 200; ++k) watch.add(0.01 * k, std::vector{k % 4 < 2 ? 1e-3 : -1e-3});
  REQUIRE(watch.found().size() == 1);
  // 1 each way of the one, and of the other twice that, by its ratio
  CHECK(watch.found()[0].friction == doctest::Approx(2 + 4));
}
