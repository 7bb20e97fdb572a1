#include "torsor/closed_form_ik/describe_branch.hpp"

#include <doctest/doctest.h>

#include "tests/closed_form_ik/random_arms.hpp"
#include "tests/support/contains.hpp"
#include "tests/support/shipped_robot.hpp"

using namespace torsor;
using namespace torsor::testing;

namespace {

std::string first_singular(Witness& w, const Joints& q) {
  for (const IkAnswer answer = solve_position(w.arm, w.tool(q)); const IkBranch& b : answer.branches())
    if (b.status == IkStatus::singular) return describe(w.arm, b);
  return "";
}

}  // namespace

TEST_CASE("a singular branch says what is lost, what remains and which joints idle") {
  Witness w = witness(without_limits("rotary_hollerbach"));
  std::string text = first_singular(w, {0.3, -0.5, 0.4, 0.2, 0, 0.5});
  CAPTURE(text);
  CHECK(contains(text, "singular at the wrist: lost is rotating the tool about ("));
  CHECK(contains(text, "5 of 6 directions remain; idle, the tool at rest: joints 4 and 6 as 1 : -1"));
  CHECK(contains(text, "q4 + q6 = 0.7 rad is all that is determined"));

  // stretched in the plane of the world's x and z: the wrist point cannot go along the arm
  text = first_singular(w, {0, 0.6, -quarter, 0.2, 0.8, 0.5});
  CAPTURE(text);
  CHECK(contains(text, "singular at the elbow: lost is moving the wrist point along"));
  CHECK((contains(text, "(0.8253, 0, 0.5646)") || contains(text, "(-0.8253, 0, -0.5646)")));

  // the wrist over the waist
  text = first_singular(w, {0, std::atan2(0.43 - 0.47 * std::sin(0.3), 0.47 * std::cos(0.3)), 0.3, 0.2, 0.8, 0.5});
  CAPTURE(text);
  CHECK(contains(text, "singular at the shoulder: lost is moving the wrist point along (0, "));
}

TEST_CASE("near-singular and limited branches carry their numbers") {
  Witness w = witness(without_limits("rotary_hollerbach"));
  const IkAnswer answer = solve_position(w.arm, w.tool({0.3, -0.5, 0.4, 0.2, 0.01, 0.5}));
  CHECK(std::ranges::any_of(answer.branches(), [&](const IkBranch& b) {
    return describe(w.arm, b) == "near a singularity of the wrist: 0.01 of what it is far away";
  }));
  IkBranch b = answer.branch[0];
  b.factor = {1, 1, 1};
  CHECK(describe(w.arm, b) == "regular, inside its limits");
  b.beyond_limits[2] = -0.25;
  CHECK(describe(w.arm, b) == "joint 3 is 0.25 rad below its lower limit");
  CHECK(describe(BranchLabel{1, -1, 1, 0}) == "shoulder +, elbow -, wrist +");
  CHECK(describe(BranchLabel{0, 0, -1, 2}) == "root 2, wrist -");
}

TEST_CASE("every singular branch of every kind of arm finds its sentence") {
  for (const ArmKind& kind : arm_kinds) {
    CAPTURE(kind.what);
    Random random(1);
    Witness w = witness(random_arm(random, kind));
    Joints q = random_joints(random, w.arm);
    q[w.arm.backwards ? 1 : 4] = (w.arm.backwards ? 1 : -1) * w.arm.joint[4].theta;
    const std::string text = first_singular(w, q);
    CAPTURE(text);
    CHECK(contains(text, "lost is rotating the tool about ("));
    CHECK(!contains(text, "nan"));
  }
}
