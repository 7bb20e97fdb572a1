// Oblique wrists at the edge of what they turn, before an arm that the wrist point does not hold to all digits.
#include "torsor/closed_form_ik/ease_wrist.hpp"

#include <doctest/doctest.h>

#include "tests/closed_form_ik/round_trip.hpp"

using namespace torsor;
using namespace torsor::testing;

namespace {

/// Every branch holds the pose, and there is one.
void check_reached(Witness& w, const Joints& q) {
  const Transform<double> X = w.tool(q);
  const IkAnswer answer = solve_position(w.arm, X);
  CAPTURE(answer.short_by);
  CHECK(answer.status == PoseStatus::solved);
  for (const IkBranch& b : answer.branches()) CHECK(apart(w.tool(b.q), X) < 1e-11);
}

}  // namespace

TEST_CASE("a wrist at the edge of its turning reaches behind an arm at the edge of its reach") {
  Random random(1);
  Witness w = witness(robot_of(random, "RRRRRR",
                               {DhRow{1.4, 0, 0.08, 0},
                                {0, 0, -0.09, quarter},
                                {1.5, 0, 0.52, quarter},
                                {0, -0.23, 0, -quarter},
                                {0, 0, 0, -2.2},
                                {2.8, -0.55, -0.23, 0}}));
  REQUIRE(w.arm.family->name == "pieper");
  for (int i = 0; i < 200; ++i)
    check_reached(w, {random.uniform(-3, 3), i % 2 ? pi : 0, random.uniform(-3, 3), random.uniform(-3, 3),
                      i % 4 < 2 ? pi : 0, random.uniform(-3, 3)});
}

TEST_CASE("a joint that the wrist point leaves free is turned to where an oblique wrist reaches") {
  Random random(2);
  Witness w = witness(robot_of(random, "RRRRPR",
                               {DhRow{0, -0.18, 0, -1.29},
                                {0, 0, 0, -2.41},
                                {2.5, 0, 0.07, -quarter},
                                {0, 0, 0, -quarter},
                                {0, 0.47, 0, 0},
                                {0, 0, -0.25, pi}}));
  REQUIRE(w.arm.backwards);
  // the point where axes 1 to 3 meet on axis 6: by joint 4, the slide anywhere
  for (int i = 0; i < 200; ++i) {
    const Joints q{random.uniform(-3, 3),     i % 2 ? pi : 0,
                   random.uniform(-3, 3),     i % 4 < 2 ? quarter : -quarter,
                   random.uniform(-0.2, 0.2), random.uniform(-3, 3)};
    check_reached(w, q);
  }
}
