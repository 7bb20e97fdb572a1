// Torques taken by the friction of all joints, in the model's coordinates. One function for inverse and forward
// dynamics.
#pragma once

#include "torsor/model/configuration.hpp"
#include "torsor/numeric/row_major.hpp"

namespace torsor {

/// torque += sign * friction(q, qd): sign +1 in inverse dynamics, -1 in forward. q (nq) and qd (nv) as the algorithms
/// take them.
template <Ordered T>
void add_joint_friction(const Model<T>& model, std::span<const T> q, Rates<const T> qd, const T& sign,
                        Rates<T> effort) {
  if (qd.empty()) return;
  for (const auto& [body, law] : model.friction) {
    const Body<T>& b = model[body];
    // a mimic joint rubs at its own speed; its master feels it through the ratio
    effort[b.v] += sign * b.ratio * friction_torque(law, T(b.ratio * q[b.q] + b.offset), T(b.ratio * qd[b.v]));
  }
}

/// take(coordinate, slope by q, slope by qd) of every joint that rubs: a sum where joints share a coordinate.
template <Ordered T, class Take>
void for_friction_slopes(const Model<T>& model, std::span<const T> q, Rates<const T> qd, const Take& take) {
  for (const auto& [body, law] : model.friction) {
    const Body<T>& b = model[body];
    const T speed = qd.empty() ? T(0) : T(b.ratio * qd[b.v]), squared = b.ratio * b.ratio;
    const auto [by_q, by_qd] = friction_slopes(law, T(b.ratio * q[b.q] + b.offset), speed);
    take(b.v, squared * by_q, squared * by_qd);
  }
}

/// The derivatives of these torques by q and qd, added to the diagonals of dq and dqd (row-major nv x nv); an empty qd
/// stands for zero. What they are at rest: friction_slopes.
template <Ordered T>
void add_joint_friction_slopes(const Model<T>& model, std::span<const T> q, Rates<const T> qd, std::span<T> dq,
                               std::span<T> dqd) {
  for_friction_slopes(model, q, qd, [&](int v, const T& by_q, const T& by_qd) {
    dq[cell(v, model.nv, v)] += by_q;
    dqd[cell(v, model.nv, v)] += by_qd;
  });
}

}  // namespace torsor
