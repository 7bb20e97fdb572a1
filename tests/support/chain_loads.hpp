// A recursion along a standard DH arm with damping and a load at its tip, against the tree with forces from outside.
#pragma once

#include "tests/support/random_robot.hpp"
#include "tests/support/terms.hpp"

namespace torsor::testing {

template <class Work>
using LoadedRecursion = void (*)(const DhArm<double>&, const DhPosition<double>&, Rates<const double> qd,
                                 Rates<const double> qdd, const ChainLoads<double>&, Work&, Rates<double> tau);

template <class Work>
void check_chain_loads(LoadedRecursion<Work> recursion) {
  Random random(43);
  for (int k = 0; k < draws(50); ++k) {
    CAPTURE(k);
    const int n = 1 + k % 8;
    const Description robot = random_dh_arm(random, n, Convention::standard_dh, 0.3);
    const Model<double> model = built(robot);
    const auto arm = dh_arm(robot, Convention::standard_dh);
    REQUIRE(arm);
    const auto [q, qd, qdd] = random_state(random, model);
    const Numbers b = random.numbers(n, 3);
    const Force<double> tip = random.force(20);

    // the last link pushes on its surroundings, so they push back on it
    std::vector<Force<double>> external(model.bodies.size());
    external.back() = model.bodies.back().link * -tip;
    Numbers expected = inverse(model, q, qd, qdd, {{}, external});
    for (int i = 0; i < n; ++i) expected[i] += b[i] * qd[i];

    DhPosition<double> position(n);
    position.set(*arm, q);
    Work work(*arm);
    Numbers tau(n);
    recursion(*arm, position, qd, qdd, {b, tip}, work, tau);
    CHECK(relative(tau, expected) < 1e-12);
    // and without them, after them
    recursion(*arm, position, qd, qdd, {}, work, tau);
    CHECK(relative(tau, inverse(model, q, qd, qdd)) < 1e-12);
  }
}

}  // namespace torsor::testing
