#include "torsor/formulations/inverse_rotary.hpp"

#include "tests/support/wrist_arm.hpp"
#include "torsor/model/general_arm.hpp"

using namespace torsor;
using namespace torsor::testing;

namespace {

/// One multiplication more per link.
struct Wasteful : FullInertia<Trace> {
  using FullInertia<Trace>::FullInertia;
  Vec3<Trace> n(const Vec3<Trace>& w, const Vec3<Trace>& wd) const {
    const Vec3<Trace> n = FullInertia<Trace>::n(w, wd);
    return {n.x, n.y, Trace(2) * n.z};
  }
};

template <class Inertia>
Figures executed_rotary(const DhArm<double>& arm) {
  return executed<GeneralRotaryWork<Trace, Inertia>>(arm, inverse_rotary<Trace, TwistedTurn<Trace>, Inertia>);
}

}  // namespace

TEST_CASE("the rotary recursion counts 688 multiplications and 553 additions for six general joints") {
  const WristCount count = count_wrist(WristVariant::general, *general_forms(6).standard);
  CHECK(figures(count.all) == Figures{688, 553});
  CHECK(figures(count.live) == Figures{670, 535});
}

TEST_CASE("the count of the rotary recursion is linear in the number of joints") {
  for (int n = 2; n <= 12; ++n) {
    CAPTURE(n);
    const WristCount count = count_wrist(WristVariant::general, *general_forms(n).standard);
    CHECK(figures(count.all) == Figures{117 * n - 14, 95 * n - 17});
    CHECK(figures(count.live) == Figures{117 * n - 32, 95 * n - 35});
  }
}

TEST_CASE("a multiplication more per link in the rotary recursion is counted") {
  const DhArm<double> arm = *general_forms(6).standard;
  const Figures as_it_is = executed_rotary<FullInertia<Trace>>(arm), wasteful = executed_rotary<Wasteful>(arm);
  CHECK(wasteful.first - as_it_is.first == 6);
  CHECK(wasteful.second == as_it_is.second);
}

TEST_CASE("the rotary recursion agrees with the tree on a base that spins and is thrown about") {
  Random random(71);
  for (int k = 0; k < draws(20); ++k) {
    const int n = 1 + k % 8;
    CAPTURE(n);
    const Description description = random_dh_arm(random, n, Convention::standard_dh);
    const Model<double> model = built(description);
    const DhArm<double> arm = *dh_arm(description, Convention::standard_dh);
    const Numbers q = random.numbers(n, 3), qd = random.numbers(n, 2), qdd = random.numbers(n, 2);
    const BaseMotion<double> motion{random.vector(2), random.vector(2), random.vector(5)};

    GeneralRotaryWork<double> work(arm);
    const Mat3<double> R0 = ~model.base.R;
    work.base = {R0 * motion.w, R0 * motion.wd, R0 * (motion.a - model.gravity)};
    DhPosition<double> position(n);
    position.set(arm, q);
    Numbers tau(static_cast<std::size_t>(n));
    inverse_rotary<double, TwistedTurn<double>, FullInertia<double>>(arm, position, qd, qdd, work, tau);
    CHECK(relative(tau, inverse(model, q, qd, qdd, {motion, {}})) < 1e-12);
  }
}
