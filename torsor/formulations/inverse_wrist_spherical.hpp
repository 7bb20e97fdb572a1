// Inverse dynamics of a six-joint arm with a spherical wrist and neighbouring axes parallel or perpendicular, by the
// Newton-Euler equations particularised to it: Hollerbach & Sahar (1983), section 7.2. O(1). What it saves:
//
//   A_i     has a twist of quarter turns: four products and two sums for a vector
//   pdd_i   = A_i^T pdd_i-1 where origins i - 1 and i coincide, at the wrist above all; the other p_i* are along axes
//   p_1*    along z_0 accelerates nothing and turns no joint, so that origin 1 may be slid down to origin 0
//
// The source takes the last line for granted before it assumes that the base does not spin; it holds while w_0 is
// along z_0.
#pragma once

#include "torsor/formulations/inverse_rotary.hpp"

namespace torsor {

template <class T, class Inertia = FullInertia<T>>
struct SphericalWristWork : RotaryWork<T, QuarterTurn<T>, Inertia> {
  /// An arm that wrist_premise() accepts.
  explicit SphericalWristWork(const DhArm<T>& arm) : RotaryWork<T, QuarterTurn<T>, Inertia>(arm) {
    // origin 1 to the foot of the common normal on z_0
    this->p[1] = {arm[1].a, T(0), T(0)};
    this->p_r[1] = this->p[1] + this->r[1];
    this->moves[1] = arm[1].structure.a;
    // origin 6 to the wrist: p_6* does not move in link 6
    if (this->moves[6]) {
      this->r[6] = this->p_r[6];
      this->p[6] = {};
      this->moves[6] = false;
    }
  }
};

/// Joint torques tau (6) for a motion. The base may move as work.base says, but spin about z_0 only.
template <Ring T, class Inertia>
void inverse_wrist_spherical(const DhArm<T>& arm, const DhPosition<T>& position, Rates<const T> qd, Rates<const T> qdd,
                             SphericalWristWork<T, Inertia>& work, Rates<T> tau) {
  inverse_rotary<T, QuarterTurn<T>, Inertia>(arm, position, qd, qdd, work, tau);
}

}  // namespace torsor
