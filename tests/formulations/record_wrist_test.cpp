#include "torsor/formulations/record_wrist.hpp"

#include "tests/support/named_tape.hpp"
#include "tests/support/wrist_arm.hpp"

using namespace torsor;
using namespace torsor::testing;

namespace {

/// A state of the arm, with everything that some variant takes as given.
struct ArmState {
  Named values;
  Numbers tau = Numbers(6);
  WristEndEffectorMotion<double> tool;

  ArmState(const DhArm<double>& arm, Random& random) {
    const Numbers q = random.numbers(6, 3), qd = random.numbers(6, 2), qdd = random.numbers(6, 2);
    DhPosition<double> position(6);
    position.set(arm, q);
    PrecomputedWristWork<double> work(arm);
    inverse_wrist_precomputed<double, FullInertia<double>>(arm, position, qd, qdd, work, tau);
    tool = work.tool;
    const WristKinematics<double> given = wrist_kinematics<double, FullInertia<double>>(qd, qdd, work);

    for (int i = 1; i <= 6; ++i) {
      const std::string k = std::to_string(i);
      values["c" + k] = position.c[i];
      values["s" + k] = position.s[i];
      values["qd" + k] = qd[std::size_t(i - 1)];
      values["qdd" + k] = qdd[std::size_t(i - 1)];
    }
    put(values, "w0", {});
    put(values, "wd0", {});
    put(values, "pdd0", -arm.g);
    put(values, "W6_x", given.W6.x), put(values, "W6_y", given.W6.y), put(values, "W6_z", given.W6.z);
    put(values, "w6", given.w6), put(values, "wd6", given.wd6);
    put(values, "w2", given.w2_2), put(values, "wd2", given.wd2_2);
    put(values, "w3", given.w3_3), put(values, "wd3", given.wd3_3);
    put(values, "pdd4", given.pdd4_2);
    const auto to_base = [&](const Vec3<double>& v) { return work.A[1].forth(work.A[2].forth(work.A[3].forth(v))); };
    put(values, "W3_x", to_base({1, 0, 0})), put(values, "W3_y", to_base({0, 1, 0}));
    put(values, "W3_z", to_base({0, 0, 1}));
  }
};

}  // namespace

TEST_CASE("what is counted of the wrist's formulations computes the torques") {
  Random random(80);
  const DhArm<double> general = shipped_arm("rotary_hollerbach"), simple = shipped_arm("rotary_hollerbach_simple");
  const std::pair<WristVariant, WristRecordOptions> cases[] = {
      {WristVariant::general, {}},
      {WristVariant::spherical, {}},
      {WristVariant::fixed_base, {}},
      {WristVariant::fixed_base, {.base_moment = true}},
      {WristVariant::fixed_base, {.gravity_along_z0 = true}},
      {WristVariant::precomputed, {.weightless = true}},
      {WristVariant::precomputed, {.gravity_along_z0 = true, .weightless = true}},
      {WristVariant::simple, {.weightless = true}}};
  for (const auto& tested : cases) {
    const auto& [variant, options] = tested;
    const DhArm<double>& arm = variant == WristVariant::simple ? simple : general;
    const ArmState state(arm, random);
    const Named out = evaluated_by_name(record_wrist(variant, arm, options), state.values);
    Numbers tau;
    for (int i = 1; i <= 6; ++i) tau.push_back(out.at("tau" + std::to_string(i)));
    INFO("variant ", static_cast<int>(tested.first));
    CHECK(relative(tau, state.tau) < 1e-12);
  }
}

TEST_CASE(
    "inverse kinematics by itself finds the same relative motion of the hand at 30 multiplications and 26 additions") {
  Random random(81);
  const ArmState state(shipped_arm("rotary_hollerbach"), random);
  const Tape alone = record_tool_alone();
  CHECK(figures(count(alone, Rule::structured)) == Figures{30, 26});
  const Named out = evaluated_by_name(alone, state.values);
  CHECK(apart(Vec3<double>{out.at("whx"), out.at("why"), out.at("whz")}, state.tool.wh_4) < 1e-13);
  CHECK(apart(Vec3<double>{out.at("whdx"), out.at("whdy"), out.at("whdz")}, state.tool.whd_4) < 1e-13);
}
