// How large the derivatives of the torques become over some random motions, entry by entry.
#pragma once

#include "tests/support/random_robot.hpp"
#include "torsor/dynamics/tree_derivatives.hpp"

namespace torsor::testing {

struct LargestDerivatives {
  Numbers q, qd, qdd;
};

inline LargestDerivatives largest_derivatives(const Model<double>& model, TreeDerivatives<double>& derivatives,
                                              Random& random, int motions) {
  const int n = model.nv;
  Numbers tau(n), dq(cells(n, n)), dqd(dq), dqdd(dq);
  LargestDerivatives most{dq, dq, dq};
  for (int motion = 0; motion < motions; ++motion) {
    const State s = random_state(random, model);
    derivatives.inverse(s.q, s.qd, s.qdd, tau, {dq, dqd, dqdd});
    for (std::size_t e = 0; e < dq.size(); ++e) {
      most.q[e] = std::max(most.q[e], std::abs(dq[e]));
      most.qd[e] = std::max(most.qd[e], std::abs(dqd[e]));
      most.qdd[e] = std::max(most.qdd[e], std::abs(dqdd[e]));
    }
  }
  return most;
}

}  // namespace torsor::testing
