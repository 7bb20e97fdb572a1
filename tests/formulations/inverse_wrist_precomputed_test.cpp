#include "torsor/formulations/inverse_wrist_precomputed.hpp"

#include "tests/support/wrist_arm.hpp"

using namespace torsor;
using namespace torsor::testing;

namespace {

template <class Inertia>
Figures executed_precomputed() {
  return executed<PrecomputedWristWork<Trace, Inertia>>(shipped_arm("rotary_hollerbach"),
                                                        inverse_wrist_precomputed<Trace, Inertia>);
}

}  // namespace

TEST_CASE("given kinematics bring the count to 371 multiplications and 293 additions") {
  const DhArm<double> arm = shipped_arm("rotary_hollerbach");
  const WristCount count = count_wrist(WristVariant::precomputed, arm);
  CHECK(figures(count.all) == Figures{371, 293});
  CHECK(figures(count.live) == Figures{348, 273});
}

TEST_CASE("gravity comes into the given acceleration of the wrist by additions alone") {
  const DhArm<double> arm = shipped_arm("rotary_hollerbach");
  const WristCount count = count_wrist(WristVariant::precomputed, arm, {.weightless = true});
  CHECK(figures(count.all) == Figures{371, 293 + 3});
  CHECK(figures(count.live) == Figures{348, 273 + 3});

  // (g s2, g c2, 0) has two components
  const WristCount without = count_wrist(WristVariant::precomputed, arm, {.gravity_along_z0 = true});
  const WristCount with = count_wrist(WristVariant::precomputed, arm, {.gravity_along_z0 = true, .weightless = true});
  CHECK(figures(with.all) == Figures{without.all.multiplications, without.all.additions + 2});
}

TEST_CASE("one multiplication more in the precomputed wrist is counted") {
  const Figures as_it_is = executed_precomputed<FullInertia<Trace>>();
  const Figures wasteful = executed_precomputed<OneMore<FullInertia<Trace>>>();
  CHECK(wasteful == Figures{as_it_is.first + 1, as_it_is.second});
}

TEST_CASE("the precomputed wrist agrees with the tree on random arms, with and without offsets") {
  Random random(76);
  for (int k = 0; k < draws(40); ++k)
    CHECK(row_disagreement("wrist-precomputed", random_wrist_arm(random, {.offsets = k % 2 == 1}), random) < 1e-12);
}

TEST_CASE("the motion of the hand relative to the forearm is that of the last three joints") {
  Random random(77);
  const DhArm<double> arm = *dh_arm(random_wrist_arm(random, {}), Convention::standard_dh);
  const Numbers q = random.numbers(6, 3), qd = random.numbers(6, 2), qdd = random.numbers(6, 2);
  PrecomputedWristWork<double> work(arm);
  DhPosition<double> position(6);
  position.set(arm, q);
  Numbers tau(6);
  inverse_wrist_precomputed<double, FullInertia<double>>(arm, position, qd, qdd, work, tau);

  // (58) and (76)
  const double c5 = position.c[5], s5 = position.s[5];
  CHECK(apart(work.tool.wh_4, {-qd[5] * s5, qd[3] + qd[5] * c5, qd[4]}) < 1e-13);
  CHECK(apart(work.tool.whd_4, {qd[3] * qd[4] - qd[4] * qd[5] * c5 - qdd[5] * s5,
                                -qd[4] * qd[5] * s5 + qdd[5] * c5 + qdd[3], qd[3] * qd[5] * s5 + qdd[4]}) < 1e-13);
}

TEST_CASE("a wrist acceleration with gravity in it is taken as it is") {
  Random random(78);
  for (const bool offsets : {false, true}) {
    const DhArm<double> arm = *dh_arm(random_wrist_arm(random, {.offsets = offsets}), Convention::standard_dh);
    const Numbers q = random.numbers(6, 3), qd = random.numbers(6, 2), qdd = random.numbers(6, 2);
    PrecomputedWristWork<double> work(arm);
    DhPosition<double> position(6);
    position.set(arm, q);
    Numbers expected(6), tau(6);
    inverse_wrist_precomputed<double, FullInertia<double>>(arm, position, qd, qdd, work, expected);

    WristKinematics<double> given = wrist_kinematics<double, FullInertia<double>>(qd, qdd, work);
    given.pdd4_2 += work.A[2].back(work.A[1].back(work.base.a));
    given.weightless = false;
    inverse_wrist_given<double, FullInertia<double>>(arm, given, qd, qdd, work, tau);
    CHECK(relative(tau, expected) < 1e-13);
  }
}
