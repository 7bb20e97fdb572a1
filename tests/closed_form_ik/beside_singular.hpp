#pragma once

#include "tests/closed_form_ik/round_trip.hpp"

namespace torsor::testing {

/// Visits joints on and beside a singular set: 0, then 1e-3 ... 1e-15 to either side, which place(q, by) puts them to,
/// the other joints anywhere.
template <class Place, class Visit>
void visit_beside(Random& random, const WristArm& arm, int times, const Place& place, const Visit& visit) {
  for (int k = -1; k < 26; ++k) {
    const double by = k < 0 ? 0 : (k % 2 ? -1 : 1) * std::pow(10, -3 - k / 2);
    CAPTURE(by);
    for (int i = 0; i < draws(times); ++i) {
      Joints q = random_joints(random, arm);
      place(q, by);
      visit(q);
    }
  }
}

}  // namespace torsor::testing
