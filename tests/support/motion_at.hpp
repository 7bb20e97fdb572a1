#pragma once

#include <vector>

#include "torsor/trajectory/motion.hpp"

namespace torsor::testing {

/// The row of a motion at one time, for joints with as many velocities as positions.
template <JointMotion Motion>
MotionRow at(const Motion& motion, double t) {
  const std::vector<double> zeros(motion.size());
  MotionRow row{t, zeros, zeros, zeros};
  motion.sample(t, row.q, row.qd, row.qdd);
  return row;
}

}  // namespace torsor::testing
