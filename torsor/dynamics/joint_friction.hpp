// Efforts taken by the friction of all joints, in the model's coordinates. One function for inverse and forward
// dynamics.
#pragma once

#include "torsor/model/configuration.hpp"

namespace torsor {

/// effort += sign * friction(q, qd): sign +1 in inverse dynamics, -1 in forward. q (nq) and qd (nv) as the algorithms
/// take them.
template <Ordered T>
void add_joint_friction(const Model<T>& model, std::span<const T> q, Rates<const T> qd, const T& sign,
                        Rates<T> effort) {
  if (qd.empty()) return;
  for (const auto& [body, law] : model.friction) {
    const Body<T>& b = model[body];
    // a mimic joint rubs at its own speed; its master feels it through the ratio
    effort[b.v] += sign * b.ratio * friction_effort(law, T(b.ratio * q[b.q] + b.offset), T(b.ratio * qd[b.v]));
  }
}

}  // namespace torsor
