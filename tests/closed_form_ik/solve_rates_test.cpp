// Joint rates of regular positions: every family against duals, the rotary arm against branches computed with forty
// digits, any point of the tool.
#include <doctest/doctest.h>

#include "tests/closed_form_ik/golden_branch.hpp"
#include "tests/closed_form_ik/moving_tool.hpp"
#include "tests/closed_form_ik/random_arms.hpp"
#include "tests/support/shipped_robot.hpp"

using namespace torsor;
using namespace torsor::testing;

namespace {

ToolMotion golden_motion(const Json& p) {
  return {{vector(p.at("w6")), vector(p.at("v7"))}, {vector(p.at("al6")), vector(p.at("a7"))}, {}};
}

/// Largest difference from the rates of the golden branch, per condition number; infinite where there is none.
std::array<double, 2> rates_apart(const WristArm& arm, const Json& input, const Json& branch) {
  const IkAnswer answer = solve_position(arm, golden_pose(input));
  const IkBranch* b = find_branch(answer, branch);
  if (!b) return {INFINITY, INFINITY};
  const JointRates rates = solve_rates(arm, *b, golden_motion(input));
  const Joints qd = golden_joints(branch.at("qd")), qdd = golden_joints(branch.at("qdd"));
  const double condition = branch.at("cond_J");
  // rates that happen to vanish are differences of others of order one
  return {difference(rates.qd, qd) / (condition * std::max(1.0, largest(qd))),
          difference(rates.qdd, qdd) / (condition * std::max(1.0, largest(qdd)))};
}

}  // namespace

TEST_CASE("rates of every family are those that duals say move the hand so") {
  for (const ArmKind& kind : arm_kinds) {
    CAPTURE(kind.what);
    Random random(1);
    double worst_velocity = 0, worst_acceleration = 0;
    for (int states = 0; states < draws(4000, 200'000);) {
      Witness w = witness(random_arm(random, kind));
      REQUIRE(w.arm.family->name == kind.family);
      REQUIRE(w.arm.backwards == kind.backwards);
      MovingTool tool(w.model);
      for (int i = 0; i < 60; ++i) {
        const IkAnswer answer = solve_position(w.arm, w.tool(random_joints(random, w.arm)));
        for (const IkBranch& b : answer.branches()) {
          if (b.status == IkStatus::singular) continue;
          ++states;
          const Joints qd = random_rates(random, 1), qdd = random_rates(random, 2);
          const ToolMotion motion = tool.at(b.q, qd, qdd, i % 2 ? random.vector(0.3) : Vec3<double>{});
          const JointRates rates = solve_rates(w.arm, b, motion);
          const double condition = tool.condition(b.q);
          worst_velocity = std::max(worst_velocity, difference(rates.qd, qd) / condition);
          // the error of the velocities enters the accelerations, and is multiplied once more
          worst_acceleration =
              std::max(worst_acceleration, difference(rates.qdd, qdd) / condition / std::max(1.0, 1e-6 * condition));
          CHECK(rates.status == (rates.factor < near_singular_factor ? RateStatus::near_singular : RateStatus::ok));
          CHECK(apart(rates.missed_twist, {}) == 0);
        }
      }
    }
    CHECK(worst_velocity < 1e-13);
    CHECK(worst_acceleration < 1e-9);
  }
}

TEST_CASE("the rates of the golden branches come out with the digits that their conditions leave") {
  Witness w = witness(shipped_robot("rotary_hollerbach"));
  const Json file = golden("wrist_ik_200");
  double worst_velocity = 0, worst_acceleration = 0;
  for (const Json& p : file.at("poses"))
    for (const Json& branch : p.at("branches")) {
      const auto [velocity, acceleration] = rates_apart(w.arm, p, branch);
      worst_velocity = std::max(worst_velocity, velocity);
      worst_acceleration = std::max(worst_acceleration, acceleration);
    }
  CHECK(worst_velocity < 1e-14);
  CHECK(worst_acceleration < 1e-13);
}

TEST_CASE("near a singularity the golden rates keep the digits that the pose has") {
  Witness w = witness(shipped_robot("rotary_hollerbach"));
  const Json file = golden("wrist_special_cases");
  int cases = 0;
  for (const Json& c : file.at("cases")) {
    const int id = c.at("id");
    const bool near = id == 3 || id == 4 || id == 9 || id == 10 || id == 21 || id == 22 || id == 27;
    if (!near) continue;
    CAPTURE(id);
    for (const Json& branch : c.at("expect").at("branches")) {
      if (!branch.contains("qd")) continue;
      ++cases;
      const auto [velocity, acceleration] = rates_apart(w.arm, c.at("input"), branch);
      // positions lose digits to the condition before the rates do
      CHECK(velocity < 1e-13 * double(branch.at("cond_J")));
      CHECK(acceleration < 1e-13 * double(branch.at("cond_J")));
    }
  }
  CHECK(cases > 0);
}

TEST_CASE("motions that are not finite are refused, and those that overflow") {
  Witness w = witness(shipped_robot("rotary_hollerbach"));
  const IkAnswer answer = solve_position(w.arm, w.tool({0.1, 0.2, 0.3, 0.4, 0.5, 0.6}));
  REQUIRE(answer.count == 8);
  for (const double bad : {double(NAN), double(INFINITY), 1e200}) {
    ToolMotion motion;
    motion.twist.w = {0, bad, 1};
    const JointRates rates = solve_rates(w.arm, answer.branch[0], motion);
    CHECK(rates.status == RateStatus::not_finite);
    CHECK(largest(rates.qd) == 0);
    CHECK(largest(rates.qdd) == 0);
  }
}
