// Inverse dynamics of an arm of n revolute joints by the recursive Newton-Euler equations (80)-(88) of Hollerbach &
// Sahar (1983), section 7.1, for any twists and lengths, on a base that may move. O(n).
#pragma once

#include "torsor/formulations/inverse_rotary_steps.hpp"

namespace torsor {

template <class T, class Inertia = FullInertia<T>>
using GeneralRotaryWork = RotaryWork<T, TwistedTurn<T>, Inertia>;

/// Joint torques tau (n) for a motion. The base moves as work.base says: at rest, under gravity, unless changed.
template <Ring T, class Turn, class Inertia>
void inverse_rotary(const DhArm<T>& arm, const DhPosition<T>& position, Rates<const T> qd, Rates<const T> qdd,
                    RotaryWork<T, Turn, Inertia>& work, Rates<T> tau) {
  TORSOR_EXPECT(work.size() == arm.n() && tau.size() == arm.links.size());
  work.place(arm, position);
  mark_stage<T>("outward");
  for (int i = 1; i <= arm.n(); ++i) {
    const BaseMotion<T> before = i == 1 ? work.base : BaseMotion<T>{work.w[i - 1], work.wd[i - 1], work.pdd[i - 1]};
    detail::outward(i, before, qd[i - 1], qdd[i - 1], work);
  }
  detail::inward(work, tau);
}

}  // namespace torsor
