// dq/dt from the velocities: the same numbers for one-dof joints, Euler-parameter rates for quaternions,
// world-of-the-joint rates for positions.
#pragma once

#include "torsor/model/configuration.hpp"

namespace torsor {

/// Time derivative of q (nq) for velocities qd (nv). Quaternions in q are taken as unit.
template <Analytic T>
void configuration_rate(const Model<T>& model, std::span<const T> q, Rates<const T> qd, std::span<T> q_rate) {
  TORSOR_EXPECT(q.size() == q_rate.size() && qd.size() == static_cast<std::size_t>(model.nv));
  for (const Body<T>& b : model.bodies)
    joint_position_rate(b.kind, q.data() + b.q, qd.data() + b.v, q_rate.data() + b.q);
}

}  // namespace torsor
