// The arm of Hollerbach & Sahar against branches computed with forty digits, and the poses at which solvers go wrong.
#include <doctest/doctest.h>

#include "tests/closed_form_ik/golden_branch.hpp"
#include "tests/support/shipped_robot.hpp"

using namespace torsor;
using namespace torsor::testing;

namespace {

/// The arm of the golden files, with lengths of its own where a case has them.
Witness golden_arm(double a2 = 0.43, double s4 = 0.47) {
  Description robot = shipped_robot("rotary_hollerbach");
  dh_row(robot, 1).a = a2;
  dh_row(robot, 3).d = s4;
  Witness w = witness(robot);
  CHECK(w.arm.family->name == "rotary");
  return w;
}

/// How far the branch of that label is from the expected one; infinite if there is none.
double branch_apart(const WristArm& arm, const IkAnswer& answer, const Json& expected) {
  const IkBranch* b = find_branch(answer, expected);
  return b ? apart_modulo_turns(arm, b->q, golden_joints(expected.at("q"))) : INFINITY;
}

/// The special case of that number, solved.
struct Case {
  Json json;
  Witness w;
  IkAnswer answer;

  explicit Case(int id, double a2 = 0.43, double s4 = 0.47) : w(golden_arm(a2, s4)) {
    const Json file = golden("wrist_special_cases");
    for (const Json& c : file.at("cases"))
      if (c.at("id") == id) json = c;
    REQUIRE(json.is_object());
    answer = solve_position(w.arm, golden_pose(json.at("input")));
  }

  /// Every branch reproduces the pose.
  void check_branches(int count) {
    CHECK(answer.status == PoseStatus::solved);
    CHECK(answer.count == count);
    for (const IkBranch& b : answer.branches()) CHECK(apart(w.tool(b.q), golden_pose(json.at("input"))) < 1e-11);
  }
};

bool has(const IkBranch& b, IkPart part) { return b.singular[static_cast<std::size_t>(part)]; }

}  // namespace

TEST_CASE("all eight branches of every golden pose are found under their labels") {
  Witness w = golden_arm();
  const Json file = golden("wrist_ik_200");
  double worst = 0;
  for (const Json& p : file.at("poses")) {
    const IkAnswer answer = solve_position(w.arm, golden_pose(p));
    REQUIRE(answer.count == 8);
    for (const Json& b : p.at("branches"))
      worst = std::max(worst, branch_apart(w.arm, answer, b) / double(b.at("cond_J")));
  }
  CHECK(worst < 1e-14);
}

TEST_CASE("near a singularity the branches keep the digits that the pose has") {
  for (const int id : {3, 4, 9, 10, 21, 22, 27}) {
    CAPTURE(id);
    Case c(id);
    c.check_branches(8);
    for (const Json& b : c.json.at("expect").at("branches"))
      CHECK(branch_apart(c.w.arm, c.answer, b) < 1e-14 * double(b.at("cond_J")));
    if (id != 27)
      CHECK(std::ranges::any_of(c.answer.branches(),
                                [](const IkBranch& b) { return b.status == IkStatus::near_singular; }));
    else
      for (const IkBranch& b : c.answer.branches()) CHECK(b.status == IkStatus::ok);
  }
}

TEST_CASE("with the wrist on axis 1 the waist is free and two elbows and two wrists remain") {
  for (const int id : {0, 1, 6}) {
    CAPTURE(id);
    Case c(id);
    c.check_branches(4);
    for (const IkBranch& b : c.answer.branches()) {
      CHECK(b.status == IkStatus::singular);
      CHECK(has(b, IkPart::shoulder));
      CHECK(b.free[0]);
      CHECK(b.label.shoulder == 0);
    }
  }
}

TEST_CASE("a stretched or folded arm has one elbow") {
  for (const int id : {7, 15}) {
    CAPTURE(id);
    Case c(id);
    c.check_branches(4);
    const bool stretched = id == 7;
    CHECK(std::ranges::any_of(c.answer.branches(), [](const IkBranch& b) { return b.label.shoulder == 1; }));
    for (const IkBranch& b : c.answer.branches()) {
      CHECK(has(b, IkPart::elbow));
      CHECK(!has(b, IkPart::shoulder));
      CHECK(b.q[2] == doctest::Approx(stretched ? -quarter : quarter).epsilon(1e-15));
      if (stretched && b.label.shoulder == 1) CHECK(b.q[1] == doctest::Approx(0.9272952180016122).epsilon(1e-14));
    }
  }
}

TEST_CASE("out of reach is told in metres, with the nearest pose") {
  struct Short {
    int id;
    double by;
  };
  for (const Short& row : {Short{12, 1e-9}, {13, 1e-3}, {16, 0.02}}) {
    const int id = row.id;
    const double excess = row.by;
    CAPTURE(id);
    Case c(id);
    CHECK(c.answer.status == PoseStatus::unreachable);
    CHECK(c.answer.count == 0);
    CHECK(c.answer.short_by == doctest::Approx(excess).epsilon(1e-6));
    // the nearest pose turns the tool as asked and is short by just that
    const Transform<double> X = c.w.tool(c.answer.nearest.q), wanted = golden_pose(c.json.at("input"));
    CHECK(apart(X.R, wanted.R) < 1e-14);
    CHECK(norm(X.p - wanted.p) == doctest::Approx(excess).epsilon(1e-6));
    CHECK(c.answer.nearest.position_residual == doctest::Approx(excess).epsilon(1e-6));
  }
}

TEST_CASE("with the wrist at the shoulder waist and shoulder are free") {
  Case c(18, 0.45, 0.45);
  CHECK(c.answer.status == PoseStatus::solved);
  for (const IkBranch& b : c.answer.branches()) {
    CHECK((has(b, IkPart::shoulder) && has(b, IkPart::elbow)));
    CHECK((b.free[0] && b.free[1]));
    CHECK(b.q[2] == doctest::Approx(quarter));
    CHECK(apart(c.w.tool(b.q), golden_pose(c.json.at("input"))) < 1e-11);
  }
}

TEST_CASE("at a wrist singularity the sum of the outer angles is stated, and the other branches stay as they are") {
  for (const int id : {19, 24, 25}) {
    CAPTURE(id);
    Case c(id);
    c.check_branches(6);
    const Json& expect = c.json.at("expect");
    int singular = 0;
    for (const IkBranch& b : c.answer.branches()) {
      if (!has(b, IkPart::wrist)) continue;
      ++singular;
      // turned over at shoulder and elbow the forearm lies where it lay, half a turn about itself
      const bool upright = b.label == BranchLabel{1, 1, 0, 0};
      CHECK((upright || b.label == BranchLabel{-1, -1, 0, 0}));
      CHECK(b.wrist_sign == 1);
      CHECK(b.wrist_sum == doctest::Approx(upright ? 0.7 : 0.7 - 2 * quarter).epsilon(1e-12));
      CHECK((b.free[3] && b.free[5] && !b.free[4]));
      // any member of the family holds the pose
      Joints q = b.q;
      q[3] += 1.234;
      q[5] -= 1.234;
      CHECK(apart(c.w.tool(q), golden_pose(c.json.at("input"))) < 1e-11);
    }
    CHECK(singular == 2);
    if (expect.contains("regular_branches"))
      for (const Json& b : expect.at("regular_branches")) CHECK(branch_apart(c.w.arm, c.answer, b) < 1e-13);
  }
}

TEST_CASE("the candle is singular in all three ways, and only the sum of three angles is determined") {
  Case c(28);
  c.check_branches(1);
  const IkBranch& b = c.answer.branch[0];
  CHECK((has(b, IkPart::shoulder) && has(b, IkPart::elbow) && has(b, IkPart::wrist)));
  CHECK(std::remainder(b.q[0] + b.q[3] + b.q[5] - 1.5, 4 * quarter) == doctest::Approx(0).epsilon(1e-14));
  CHECK(b.q[1] == doctest::Approx(quarter));
  CHECK(b.q[2] == doctest::Approx(-quarter));
}

TEST_CASE("what is no pose is not solved") {
  for (const int id : {30, 31}) CHECK(Case(id).answer.status == PoseStatus::not_a_pose);
  Witness w = golden_arm();
  for (const double bad : {double(NAN), double(INFINITY), 1e300}) {
    Transform<double> X = w.tool({0.1, 0.2, 0.3, 0.4, 0.5, 0.6});
    X.p.y = bad;
    // a place may be as far away as numbers go, an axis not
    CHECK(solve_position(w.arm, X).status == (bad == 1e300 ? PoseStatus::unreachable : PoseStatus::not_a_pose));
    X = w.tool({0.1, 0.2, 0.3, 0.4, 0.5, 0.6});
    X.R.y.z = bad;
    CHECK(solve_position(w.arm, X).status == PoseStatus::not_a_pose);
  }
}
