#include "torsor/formulations/inverse_wrist_fixed_base.hpp"

#include "tests/support/wrist_arm.hpp"

using namespace torsor;
using namespace torsor::testing;

namespace {

template <class Inertia>
Figures executed_fixed_base() {
  return executed<FixedBaseWork<Trace, Inertia>>(shipped_arm("rotary_hollerbach"),
                                                 inverse_wrist_fixed_base<Trace, Inertia>);
}

}  // namespace

TEST_CASE("a base that does not spin brings the count to 412 multiplications and 321 additions") {
  const DhArm<double> arm = shipped_arm("rotary_hollerbach");
  const WristCount count = count_wrist(WristVariant::fixed_base, arm);
  CHECK(figures(count.all) == Figures{412, 321});
  CHECK(figures(count.live) == Figures{389, 301});

  const WristCount with_moment = count_wrist(WristVariant::fixed_base, arm, {.base_moment = true});
  CHECK(figures(with_moment.all) == Figures{414, 323});
  CHECK(figures(with_moment.live) == Figures{389, 301});

  CHECK(figures(count_wrist(WristVariant::fixed_base, arm, {.gravity_along_z0 = true}).live) == Figures{383, 294});
}

TEST_CASE("one multiplication more in the fixed-base wrist is counted") {
  const Figures as_it_is = executed_fixed_base<FullInertia<Trace>>();
  const Figures wasteful = executed_fixed_base<OneMore<FullInertia<Trace>>>();
  CHECK(wasteful == Figures{as_it_is.first + 1, as_it_is.second});
}

TEST_CASE("the fixed-base wrist agrees with the tree on random arms, with and without offsets") {
  Random random(74);
  for (int k = 0; k < draws(40); ++k)
    CHECK(row_disagreement("wrist-fixed-base", random_wrist_arm(random, {.offsets = k % 2 == 1}), random) < 1e-12);
}

TEST_CASE("the fixed-base wrist gives the whole moment on the base when asked to") {
  Random random(75);
  for (int k = 0; k < draws(10); ++k) {
    Description description = random_wrist_arm(random, {.offsets = k % 2 == 1});
    description.base = {};
    const Model<double> model = built(description);
    const DhArm<double> arm = *dh_arm(description, Convention::standard_dh);
    const Numbers q = random.numbers(6, 3), qd = random.numbers(6, 2), qdd = random.numbers(6, 2);

    FixedBaseWork<double> work(arm, true);
    DhPosition<double> position(6);
    position.set(arm, q);
    Numbers tau(6);
    inverse_wrist_fixed_base<double, FullInertia<double>>(arm, position, qd, qdd, work, tau);

    NewtonEulerWork<double> tree(model);
    inverse_newton_euler<double>(model, configured(model, q), qd, qdd, {}, tree, tau);
    const Force<double> on_link_1 = tree.X[0] * tree.f[0];
    CHECK(relative(flat(work.A[1].forth(work.n[1])), flat(on_link_1.n)) < 1e-12);
    CHECK(relative(flat(work.A[1].forth(work.f[1])), flat(on_link_1.f)) < 1e-12);
  }
}
