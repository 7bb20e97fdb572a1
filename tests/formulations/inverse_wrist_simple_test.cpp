#include "torsor/formulations/inverse_wrist_simple.hpp"

#include "tests/support/wrist_arm.hpp"

using namespace torsor;
using namespace torsor::testing;

namespace {

template <class Inertia>
Figures executed_simple() {
  return executed<PrecomputedWristWork<Trace, Inertia>>(shipped_arm("rotary_hollerbach_simple"),
                                                        inverse_wrist_precomputed<Trace, Inertia>);
}

}  // namespace

TEST_CASE("simple inertias bring the count to 210 multiplications and 141 additions") {
  const WristCount count = count_wrist(WristVariant::simple, shipped_arm("rotary_hollerbach_simple"));
  CHECK(figures(count.all) == Figures{210, 141});
  CHECK(figures(count.live) == Figures{188, 124});
}

TEST_CASE("with gravity in the wrist's acceleration, parts of it that no torque of simple links needed come alive") {
  const DhArm<double> arm = shipped_arm("rotary_hollerbach_simple");
  const WristCount count = count_wrist(WristVariant::simple, arm, {.weightless = true});
  CHECK(figures(count.all) == Figures{210, 141 + 3});
  CHECK(figures(count.live) == Figures{188 + 2, 124 + 4});
}

TEST_CASE("one multiplication more in the simple wrist is counted") {
  const Figures as_it_is = executed_simple<DiagonalInertia<Trace>>();
  const Figures wasteful = executed_simple<OneMore<DiagonalInertia<Trace>>>();
  CHECK(wasteful == Figures{as_it_is.first + 1, as_it_is.second});
}

TEST_CASE("the simple wrist agrees with the tree on random arms, with and without offsets") {
  Random random(79);
  for (int k = 0; k < draws(40); ++k) {
    const Description arm = random_wrist_arm(random, {.offsets = k % 2 == 1, .simple = true});
    CHECK(row_disagreement("wrist-simple", arm, random) < 1e-12);
  }
}
