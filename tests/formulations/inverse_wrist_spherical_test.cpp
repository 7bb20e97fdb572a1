#include "torsor/formulations/inverse_wrist_spherical.hpp"

#include "tests/support/wrist_arm.hpp"

using namespace torsor;
using namespace torsor::testing;

TEST_CASE("a spherical wrist brings the count to 454 multiplications and 362 additions") {
  const DhArm<double> arm = shipped_arm("rotary_hollerbach");
  CHECK(figures(count_wrist(WristVariant::spherical, arm).all) == Figures{454, 362});
  CHECK(figures(count_wrist(WristVariant::spherical, arm).live) == Figures{420, 330});
}

TEST_CASE("the rotary recursion itself, for a spherical wrist on a base that may spin anyhow, counts 464 and 370") {
  const WristCount count = count_wrist(WristVariant::general, shipped_arm("rotary_hollerbach"));
  CHECK(figures(count.all) == Figures{464, 370});
  CHECK(figures(count.live) == Figures{428, 336});
}

TEST_CASE("the spherical wrist agrees with the tree on random arms, with and without offsets") {
  Random random(72);
  for (int k = 0; k < draws(40); ++k)
    CHECK(row_disagreement("wrist-spherical", random_wrist_arm(random, {.offsets = k % 2 == 1}), random) < 1e-12);
}

TEST_CASE("the spherical wrist agrees with the tree on a base that spins about the first axis") {
  Random random(73);
  for (int k = 0; k < draws(20); ++k) {
    const Description description = random_wrist_arm(random, {.offsets = k % 2 == 1});
    const Model<double> model = built(description);
    const DhArm<double> arm = *dh_arm(description, Convention::standard_dh);
    const Numbers q = random.numbers(6, 3), qd = random.numbers(6, 2), qdd = random.numbers(6, 2);
    const Vec3<double> w0{0, 0, random.uniform(-2, 2)}, wd0{0, 0, random.uniform(-2, 2)}, a0 = random.vector(5);

    SphericalWristWork<double> work(arm);
    work.base = {w0, wd0, a0 + work.base.a};
    DhPosition<double> position(6);
    position.set(arm, q);
    Numbers tau(6);
    inverse_wrist_spherical<double, FullInertia<double>>(arm, position, qd, qdd, work, tau);
    const Mat3<double>& R = model.base.R;
    CHECK(relative(tau, inverse(model, q, qd, qdd, {{R * w0, R * wd0, R * a0}, {}})) < 1e-12);
  }
}
