// Do two models of one robot give the same efforts? Largest difference over random states, measured as
// max_i |tau_i - tau'_i| / max_i (|M qdd| + |h| + |g|)_i, so that a joint that happens to be at rest weighs nothing.
#pragma once

#include "torsor/dynamics/tree_dynamics.hpp"
#include "torsor/model/random_position.hpp"

namespace torsor {

/// Over `states` seeded states inside the limits of a; velocities and accelerations of order one. The models must have
/// the same coordinates in the same order.
inline double torque_difference(const Model<double>& a, const Model<double>& b, int states = 64) {
  TORSOR_EXPECT(a.nq == b.nq && a.nv == b.nv);
  const auto n = static_cast<std::size_t>(a.nv);
  TreeDynamics<double> first(a, Questions::all_but_forward), second(b, Questions::all_but_forward);
  std::mt19937_64 engine(1);
  std::vector<double> qd(n), qdd(n), g(n), bias(n), tau(n), tau_b(n);
  double worst = 0;
  for (int state = 0; state < states; ++state) {
    const std::vector<double> q = random_position(a, engine);
    for (double& x : qd) x = 2 * uniform(engine) - 1;
    for (double& x : qdd) x = 2 * uniform(engine) - 1;
    first.gravity(q, g);
    first.bias(q, qd, bias);
    first.inverse(q, qd, qdd, tau);
    second.inverse(q, qd, qdd, tau_b);
    double difference = 0, scale = 0;
    for (std::size_t i = 0; i < n; ++i) {
      difference = std::max(difference, abs(tau[i] - tau_b[i]));
      scale = std::max(scale, abs(tau[i] - bias[i]) + abs(bias[i] - g[i]) + abs(g[i]));
    }
    if (difference > 0) worst = std::max(worst, difference / scale);
  }
  return worst;
}

}  // namespace torsor
