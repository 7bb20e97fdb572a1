#include "torsor/model/unit_quaternions.hpp"

#include <doctest/doctest.h>

#include "torsor/model/description.hpp"

using namespace torsor;

namespace {

// hinge, then ball: the quaternion starts at the second coordinate
Model<double> hinge_and_ball() {
  Description d;
  for (const JointKind kind : {JointKind::revolute, JointKind::spherical}) {
    LinkDescription link;
    link.name = link.joint_name = kind == JointKind::revolute ? "hinge" : "shoulder";
    link.kind = kind;
    link.parts.push_back({1.0, {}, {1, 1, 1}, InertiaAbout::mass_centre, {}});
    d.links.push_back(std::move(link));
  }
  auto model = build(d);
  REQUIRE(model);
  return *std::move(model);
}

}  // namespace

TEST_CASE("a quaternion that is slightly off is brought to unit length") {
  std::vector<double> q{7, 0.6004, 0, 0.8004, 0};
  CHECK_FALSE(normalize_quaternions(hinge_and_ball(), q));
  CHECK(q[0] == 7);
  CHECK(q[1] * q[1] + q[3] * q[3] == doctest::Approx(1).epsilon(1e-15));
  CHECK(q[1] / q[3] == doctest::Approx(0.6004 / 0.8004).epsilon(1e-15));
}

TEST_CASE("a quaternion that is no rotation is refused with its joint and its length") {
  std::vector<double> q{0, 1, 0, 0, 0.1};
  const auto fault = normalize_quaternions(hinge_and_ball(), q);
  REQUIRE(fault);
  CHECK(fault->what == "the quaternion of joint \"shoulder\" has length 1.00499");
  q = {0, 0, 0, 0, 0};
  CHECK(normalize_quaternions(hinge_and_ball(), q));
}
