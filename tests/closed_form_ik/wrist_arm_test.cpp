// Which arms are recognised, and what the others are told.
#include "torsor/closed_form_ik/wrist_arm.hpp"

#include <doctest/doctest.h>

#include "tests/closed_form_ik/round_trip.hpp"
#include "tests/support/contains.hpp"
#include "tests/support/count_allocations.hpp"
#include "tests/support/shipped_robot.hpp"
#include "torsor/model/dh_chain.hpp"

using namespace torsor;
using namespace torsor::testing;

TEST_CASE("arms that are no wrist-partitioned ones are refused with the reason") {
  CHECK(contains(first_fault(wrist_arm(shipped_robot("scara"))), "joints, and the closed form is for six"));
  CHECK(contains(first_fault(wrist_arm(shipped_robot("iiwa14"))), "it has 7 joints"));
  CHECK(contains(first_fault(wrist_arm(shipped_robot("ur5"))), "parallel"));
  // a tool that is not the tool's
  Description elsewhere = shipped_robot("puma560");
  elsewhere.tools.push_back({"lamp", "forearm", {}, {}});
  CHECK(contains(first_fault(wrist_arm(elsewhere)), "\"lamp\" is not on the last link"));
  // a slide among the wrist joints
  Description slide = shipped_robot("puma560");
  slide.links[5].kind = JointKind::prismatic;
  CHECK(contains(first_fault(wrist_arm(slide)), "the last three axes one is prismatic"));
}

TEST_CASE("drives do not matter, also where a rotor is a body of its own") {
  Description robot = shipped_robot("puma560");
  robot.links[2].rotor = Rotor{.inertia = 1e-3, .gear = 50, .as_body = true};
  const auto arm = wrist_arm(robot);
  REQUIRE(arm);
  Witness plain = witness(shipped_robot("puma560"));
  const Joints q{0.1, 0.2, 0.3, 0.4, 0.5, 0.6};
  CHECK(apart(tool_pose(*arm, q), plain.tool(q)) < 1e-15);
}

TEST_CASE("a wrist whose axes nearly meet is refused with the distances, and snapped within the tolerance") {
  Description robot = shipped_robot("puma560");
  dh_row(robot, 4).d = 3e-4;
  CHECK(contains(first_fault(wrist_arm(robot)), "0.0003 m apart on the middle one"));
  dh_row(robot, 4).d = 0;
  dh_row(robot, 3).a = -2e-5;
  CHECK(contains(first_fault(wrist_arm(robot)), "pass at 2e-05 m"));

  dh_row(robot, 3).a = 5e-7;
  const auto snapped = wrist_arm(robot);
  REQUIRE(snapped);
  REQUIRE(snapped->snaps.size() == 1);
  CHECK(snapped->snaps[0].residual == doctest::Approx(5e-7));
  CHECK(contains(first_fault(wrist_arm(robot, {.snap = false})), "pass at 5e-07 m"));
}

TEST_CASE("tilted axes are classified as the tolerance says, and the round trip holds for what is taken") {
  for (const double tilt : {1e-3, 1e-4, 1e-6, 1e-9, 1e-12, 1e-15}) {
    CAPTURE(tilt);
    Description robot = shipped_robot("puma560");
    for (LinkDescription& l : robot.links) l.limits = {};
    dh_row(robot, 0).alpha += tilt;
    const auto arm = wrist_arm(robot);
    REQUIRE(arm);
    CHECK(arm->family->name == (tilt > 1e-5 ? "pieper" : "elbow"));
    CHECK(arm->snaps.size() == (tilt > 1e-5 || tilt < 1e-14 ? 0u : 1u));
    // what was snapped moves the tool by at most itself times the arm
    Witness w = witness(robot);
    Random random(1);
    for (int i = 0; i < 100; ++i) {
      const Joints q = random_joints(random, w.arm);
      CHECK(apart(tool_pose(w.arm, q), w.tool(q)) < (arm->snaps.empty() ? 1e-14 : 3 * tilt + 1e-14));
      const IkAnswer answer = solve_position(w.arm, tool_pose(w.arm, q));
      CHECK(std::ranges::any_of(answer.branches(),
                                [&](const IkBranch& b) { return apart_modulo_turns(w.arm, b.q, q) < 1e-6; }));
    }
  }
}

TEST_CASE("the same arm by placements is solved like the table, whatever frames its author chose") {
  const Description table = shipped_robot("puma560");
  const auto placed = to_placements(table);
  REQUIRE(placed);
  Witness a = witness(table), b = witness(*placed);
  Random random(2);
  for (int i = 0; i < 200; ++i) {
    const Joints q = random_joints(random, a.arm);
    const Transform<double> X = a.tool(q);
    const IkAnswer one = solve_position(a.arm, X), other = solve_position(b.arm, X);
    REQUIRE(one.count == other.count);
    for (const IkBranch& x : one.branches())
      CHECK(std::ranges::any_of(other.branches(),
                                [&](const IkBranch& y) { return apart_modulo_turns(a.arm, x.q, y.q) < 1e-9; }));
  }
}

TEST_CASE("angles are turned into the limits, and what stays outside is told with its sign") {
  Witness w = witness(shipped_robot("puma560"));  // shoulder from -45 to 225 degrees
  const Joints inside{0.1, 3.8, -2.5, 0.2, 0.3, 0.4};
  const IkAnswer answer = solve_position(w.arm, w.tool(inside));
  bool found = false;
  int outside = 0;
  for (const IkBranch& b : answer.branches()) {
    found = found || difference(b.q, inside) < 1e-9;
    for (std::size_t i = 0; i < 6; ++i) {
      const Limits& limits = w.model.limits[i];
      const double beyond = b.q[i] > limits.upper   ? b.q[i] - limits.upper
                            : b.q[i] < limits.lower ? b.q[i] - limits.lower
                                                    : 0;
      CHECK(b.beyond_limits[i] == doctest::Approx(beyond));
      outside += beyond != 0;
      if (beyond != 0 && b.factor[2] > 1e-9) CHECK(b.status == IkStatus::outside_limits);
      // no turn more or less would be nearer
      for (const double turn : {-4 * quarter, 4 * quarter}) {
        const double x = b.q[i] + turn;
        CHECK(std::max({0.0, x - limits.upper, limits.lower - x}) >= std::abs(beyond) - 1e-12);
      }
    }
  }
  CHECK(found);
  CHECK(outside > 0);
}

TEST_CASE("an orientation that an oblique wrist does not reach is told in radians") {
  Random random(3);
  Witness w = witness(robot_of(random, "RRRRRR",
                               {DhRow{0, 0.4, 0, quarter},
                                {0, 0, 0.4, 0},
                                {0, 0, 0, -quarter},
                                {0, 0.4, 0, 1.0},
                                {0, 0, 0, -0.8},
                                {0, 0.1, 0, 0}}));
  // axes 4 and 6 can enclose 0.2 to 1.8 rad
  int beyond = 0;
  for (int i = 0; i < 500; ++i) {
    const Transform<double> X{random.rotation(), w.tool(random_joints(random, w.arm)).p};
    const IkAnswer answer = solve_position(w.arm, X);
    if (answer.status != PoseStatus::orientation_unreachable) continue;
    ++beyond;
    CHECK(answer.short_by > 0);
    CHECK(answer.nearest.angle_residual > 0.5 * answer.short_by);
    // the nearest one is off by just that angle
    const Mat3<double> off = ~X.R * w.tool(answer.nearest.q).R;
    const double angle = std::acos(std::clamp((off.x.x + off.y.y + off.z.z - 1) / 2, -1.0, 1.0));
    CHECK(angle == doctest::Approx(answer.short_by).epsilon(1e-6));
  }
  CHECK(beyond > 10);
}

TEST_CASE("solving allocates nothing") {
  Random random(4);
  for (const Description& robot :
       {shipped_robot("rotary_hollerbach"), shipped_robot("puma560"), shipped_robot("stanford"), shipped_robot("ur5"),
        robot_of(random, "RRRRRR", general_rows), robot_of(random, "RRPRRR", general_rows)}) {
    const auto solver = arm_solver(robot);
    REQUIRE(solver);
    Transform<double> X = solver->tool_pose({0.1, 0.2, 0.3, 0.4, 0.5, 0.6});
    for (const double shift : {0.0, 10.0}) {
      X.p.x += shift;
      const long before = allocations;
      const IkAnswer answer = solver->position(X);
      CHECK(allocations == before);
      CHECK((answer.count > 0 || shift > 0));
    }
  }
}
