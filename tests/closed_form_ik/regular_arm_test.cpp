// All branches side by side say what the careful path says, member by member.
#include "torsor/closed_form_ik/regular_arm.hpp"

#include <doctest/doctest.h>

#include "tests/support/random_robot.hpp"
#include "torsor/closed_form_ik/measure_branch.hpp"
#include "torsor/closed_form_ik/parallel_arm.hpp"
#include "torsor/closed_form_ik/regular_lanes.hpp"
#include "torsor/closed_form_ik/wrist_arm.hpp"
#include "torsor/files/load_robot.hpp"

using namespace torsor;
using namespace torsor::testing;

namespace {

/// The same branches, to the digits that the factors leave.
void check_same(const IkBranch& a, const IkBranch& b) {
  const double digits = 1e-14 / (b.factor[0] * b.factor[1] * b.factor[2]);
  CHECK(a.label == b.label);
  CHECK(difference(a.q, b.q) < digits);
  CHECK(difference(a.c, b.c) < digits);
  CHECK(difference(a.s, b.s) < digits);
  CHECK(difference(a.beyond_limits, b.beyond_limits) < digits);
  CHECK(a.status == b.status);
  CHECK(a.singular == b.singular);
  CHECK(a.free == b.free);
  CHECK(a.wrist_sign == b.wrist_sign);
  CHECK(a.wrist_sum == b.wrist_sum);
  for (std::size_t i = 0; i < 3; ++i) CHECK(a.factor[i] == doctest::Approx(b.factor[i]).epsilon(1e-9));
  CHECK(a.position_residual < 1e-14);
  CHECK(a.angle_residual < 1e-14);
}

template <class Arm>
void check_arm(const Arm& arm, std::uint64_t seed) {
  REQUIRE(arm.regular.kind != RegularArm::Kind::none);
  Arm careful = arm;
  careful.regular.kind = RegularArm::Kind::none;
  Random random(seed);
  int served = 0, answered = 0;
  for (int k = 0; k < draws(1000); ++k) {
    std::array<double, 6> q{};
    for (double& x : q) x = random.uniform(-std::numbers::pi, std::numbers::pi);
    const Transform<double> X = tool_pose(arm, q);
    IkAnswer quick;
    if (!solve_regular(arm, arm.regular, X, quick)) continue;
    ++served;
    const IkAnswer plain = solve_position(careful, X);
    REQUIRE(quick.count == plain.count);
    // the lanes that every machine has, whatever this one has
    IkAnswer narrow;
    REQUIRE(solve_in_lanes<Pack<double, 4>>(arm.regular, pose_of_tool(arm, X), narrow));
    REQUIRE(narrow.count == plain.count);
    answered += quick.count;
    // in the same order, so that the first branch of a pose does not depend on who served it
    for (std::size_t i = 0; i < plain.branches().size(); ++i) {
      CHECK(quick.branch[i].label == plain.branch[i].label);
      CHECK(narrow.branch[i].label == plain.branch[i].label);
    }
    for (const IkBranch& b : plain.branches()) {
      IkBranch same;
      REQUIRE(quick.find(b.label, same));
      check_same(same, b);
      REQUIRE(narrow.find(b.label, same));
      check_same(same, b);
      IkBranch one;
      REQUIRE(solve_regular(arm, arm.regular, X, b.label, one));
      check_same(one, b);
    }
    // a label that the pose does not have
    IkBranch none;
    CHECK(!solve_regular(arm, arm.regular, X, {0, 1, 1, 0}, none));
  }
  CHECK(served > draws(1000) / 2);
  CHECK(answered > 3 * served);
}

}  // namespace

TEST_CASE("side by side the branches of the PUMA are those of the careful path, inside its limits") {
  const auto robot = load_robot("puma560");
  REQUIRE(robot);
  const auto arm = wrist_arm(*robot);
  REQUIRE(arm);
  check_arm(*arm, 1);
}

TEST_CASE("side by side the branches of the UR5 are those of the careful path") {
  const auto robot = load_robot("ur5");
  REQUIRE(robot);
  const auto arm = parallel_arm(*robot);
  REQUIRE(arm);
  check_arm(*arm, 2);
}

TEST_CASE("the order of branches is the same on both sides of the switch to the careful path") {
  const auto check = [](const auto& arm) {
    // theta_5 beyond and within the factor at which the lanes give up
    std::vector<BranchLabel> order[2];
    for (const bool near : {false, true}) {
      const Transform<double> X = tool_pose(arm, {0.3, -0.9, 1.2, 0.4, near ? 0.5e-3 : 2e-3, 0.6});
      IkAnswer lanes;
      CHECK(solve_regular(arm, arm.regular, X, lanes) == !near);
      const IkAnswer answer = solve_position(arm, X);
      for (const IkBranch& b : answer.branches()) order[near].push_back(b.label);
    }
    CHECK(order[0].size() == 8);
    CHECK(order[0] == order[1]);
  };
  const auto puma = load_robot("puma560"), ur5 = load_robot("ur5");
  REQUIRE(puma);
  REQUIRE(ur5);
  check(*wrist_arm(*puma));
  check(*parallel_arm(*ur5));
}

TEST_CASE("what is no pose, or typed with few digits, or out of reach, is left to the careful path") {
  const auto robot = load_robot("puma560");
  REQUIRE(robot);
  const auto arm = wrist_arm(*robot);
  REQUIRE(arm);
  const Transform<double> X = tool_pose(*arm, {0.1, 0.2, 0.3, 0.4, 0.5, 0.6});
  IkAnswer answer;
  CHECK(solve_regular(*arm, arm->regular, X, answer));
  const auto refused = [&](const Transform<double>& other) {
    IkAnswer none;
    IkBranch b;
    CHECK(!solve_regular(*arm, arm->regular, other, none));
    CHECK(none.count == 0);
    CHECK(!solve_regular(*arm, arm->regular, other, {1, 1, 1, 0}, b));
  };
  Random random(3);
  for (int k = 0; k < 1000; ++k) {
    Transform<double> typed = X;
    for (Vec3<double>* column : {&typed.R.x, &typed.R.y, &typed.R.z}) *column += random.vector(1e-9);
    refused(typed);
  }
  Transform<double> scaled = X, mirrored = X, far = X, nowhere = X, unknown = X;
  scaled.R = X.R * (1 + 1e-10);
  mirrored.R.y = -X.R.y;
  far.p.x = 1e300;
  nowhere.p.x = std::numeric_limits<double>::quiet_NaN();
  unknown.R.x.x = std::numeric_limits<double>::quiet_NaN();
  for (const Transform<double>& other : {scaled, mirrored, far, nowhere, unknown}) refused(other);
}

TEST_CASE("arms with oblique wrists or limits many turns away are left to the careful path") {
  auto robot = load_robot("puma560");
  REQUIRE(robot);
  robot->links[5].limits = {.lower = 10, .upper = 20};
  const auto far = wrist_arm(*robot);
  REQUIRE(far);
  CHECK(far->regular.kind == RegularArm::Kind::none);
  robot->links[5].limits = {};
  std::get<DhRow>(robot->links[3].geometry).alpha = 1;
  const auto oblique = wrist_arm(*robot);
  REQUIRE(oblique);
  CHECK(oblique->regular.kind == RegularArm::Kind::none);
}

TEST_CASE("one branch is found by its label on the careful path, too") {
  const auto robot = load_robot("puma560");
  REQUIRE(robot);
  const auto arm = wrist_arm(*robot);
  REQUIRE(arm);
  // the wrist aligned: singular, so not for the lanes
  const Transform<double> X = tool_pose(*arm, {0.1, 0.2, 0.3, 0.4, 0, 0.6});
  IkBranch b;
  CHECK(!solve_regular(*arm, arm->regular, X, {1, 1, 0, 0}, b));
  bool found = false;
  for (const IkAnswer answer = solve_position(*arm, X); const IkBranch& each : answer.branches()) {
    REQUIRE(solve_position(*arm, X, each.label, b));
    CHECK(difference(b.q, each.q) < 1e-12);
    found = found || each.singular[2];
  }
  CHECK(found);
}
