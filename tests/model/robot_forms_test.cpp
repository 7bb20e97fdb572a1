#include "torsor/model/robot_forms.hpp"

#include <doctest/doctest.h>

#include "tests/support/random_robot.hpp"
#include "torsor/model/general_arm.hpp"

using namespace torsor;
using namespace torsor::testing;

TEST_CASE("a tree has no DH forms, and the reason is kept") {
  Random random(4200);
  Description robot = random_dh_arm(random, 3, Convention::standard_dh);
  robot.links[2].parent = "link1";
  const auto forms = robot_forms(robot);
  REQUIRE(forms);
  CHECK(!forms->standard);
  CHECK(!forms->modified);
  REQUIRE(forms->not_serial.size() == 1);
  CHECK(forms->not_serial[0].rule == "not-serial");
  CHECK(forms->model.nv == 3);
}

TEST_CASE("rotors that are not zero are listed, couplings with them") {
  Random random(4201);
  Description robot = random_dh_arm(random, 3, Convention::standard_dh);
  robot.links[1].rotor = Rotor{.inertia = 2e-4, .gear = 100};
  const auto forms = robot_forms(robot);
  REQUIRE(forms);
  REQUIRE(forms->rotors.size() == 1);
  CHECK(forms->rotors[0].i == 1);
  CHECK(forms->rotors[0].value == doctest::Approx(2));
}

TEST_CASE("forms are of the robot as typed; where snapping is asked for, the tree is that of the snapped table, too") {
  Random random(4202);
  Description robot = random_dh_arm(random, 3, Convention::standard_dh);
  robot.convention = Convention::placement;
  for (LinkDescription& l : robot.links) l.geometry = JointPlacement{{rotation_x(1.5708), {0.3, 0.1, 0}}, {0, 0, 1}};
  const auto forms = robot_forms(robot, GeometryTolerance{});
  REQUIRE(forms);
  REQUIRE(forms->standard);
  CHECK(!forms->snaps.empty());
  CHECK((*forms->standard)[1].ca == 0);
  const auto typed = robot_forms(robot);
  REQUIRE(typed);
  CHECK(typed->snaps.empty());
  CHECK(typed->nearly.size() == forms->snaps.size());
  CHECK((*typed->standard)[1].ca != 0);
  CHECK(apart(typed->model[1].placement, built(robot)[1].placement) == 0);
}

TEST_CASE("no number of the general arm is special") {
  for (const int n : {1, 2, 6, 12}) {
    const RobotForms<double> forms = general_forms(n);
    for (const DhArm<double>* arm : {&*forms.standard, &*forms.modified})
      for (int i = 1; i <= n; ++i) {
        const DhLink<double>& l = (*arm)[i];
        for (const double x : {l.a, l.ca, l.sa, l.c, l.s, l.d, l.m, l.r.x, l.r.y, l.r.z, l.I.xx, l.I.yy, l.I.zz, l.I.xy,
                               l.I.xz, l.I.yz}) {
          CHECK(x != 0);
          CHECK(std::abs(x) != 1);
        }
      }
    CHECK(general_forms(n).standard->links.size() == static_cast<std::size_t>(n));
  }
  CHECK((*general_forms(3, "RPR").modified)[2].prismatic);
}
