// Do two models of one robot give the same torques? Largest difference over random states, measured as
// max_i |tau_i - tau'_i| / max_i (|M qdd| + |h| + |g|)_i, so that a joint that happens to be at rest weighs nothing.
// The second may be a part of the first: then the coordinates that it lacks rest at zero.
#pragma once

#include <unordered_map>

#include "torsor/dynamics/tree_dynamics.hpp"
#include "torsor/model/random_position.hpp"

namespace torsor {

namespace detail {

/// Where each name is in the whole; all of them must be there.
inline std::vector<std::size_t> places(const std::vector<std::string>& names, const std::vector<std::string>& whole) {
  std::unordered_map<std::string_view, std::size_t> index;
  for (std::size_t i = 0; i < whole.size(); ++i) index.emplace(whole[i], i);
  std::vector<std::size_t> out;
  for (const std::string& name : names) out.push_back(index.at(name));
  return out;
}

}  // namespace detail

/// How far the torques of two models are apart: by the measure above, and the largest difference itself with its joint.
struct TorqueDifference {
  double relative = 0;
  double effort = 0;  // N m or N
  std::string joint;
};

/// Over `states` seeded states inside the limits; velocities and accelerations of order one. The coordinates of b must be
/// among those of a, by name; only their torques are compared.
inline TorqueDifference compare_torques(const Model<double>& a, const Model<double>& b, int states = 64) {
  const std::vector<std::size_t> position = detail::places(b.position_names, a.position_names),
                                 velocity = detail::places(b.velocity_names, a.velocity_names);
  const auto n = static_cast<std::size_t>(a.nv);
  TreeDynamics<double> first(a, Questions::all_but_forward), second(b, Questions::all_but_forward);
  std::mt19937_64 engine(1);
  std::vector<double> q = neutral_position(a), qd(n), qdd(n), g(n), bias(n), tau(n);
  std::vector<double> qd_b(velocity.size()), qdd_b(velocity.size()), tau_b(velocity.size());
  TorqueDifference worst;
  for (int state = 0; state < states; ++state) {
    const std::vector<double> q_b = random_position(b, engine);
    for (double& x : qd_b) x = 2 * uniform(engine) - 1;
    for (double& x : qdd_b) x = 2 * uniform(engine) - 1;
    for (std::size_t k = 0; k < position.size(); ++k) q[position[k]] = q_b[k];
    for (std::size_t k = 0; k < velocity.size(); ++k) {
      qd[velocity[k]] = qd_b[k];
      qdd[velocity[k]] = qdd_b[k];
    }
    first.gravity(q, g);
    first.bias(q, qd, bias);
    first.inverse(q, qd, qdd, tau);
    second.inverse(q_b, qd_b, qdd_b, tau_b);
    double difference = 0, scale = 0;
    for (std::size_t k = 0; k < velocity.size(); ++k) {
      const std::size_t i = velocity[k];
      const double off = abs(tau[i] - tau_b[k]);
      difference = std::max(difference, off);
      if (off > worst.effort) {
        worst.effort = off;
        worst.joint = b.velocity_names[k];
      }
      scale = std::max(scale, abs(tau[i] - bias[i]) + abs(bias[i] - g[i]) + abs(g[i]));
    }
    if (difference > 0) worst.relative = std::max(worst.relative, difference / scale);
  }
  return worst;
}

/// The measure alone.
inline double torque_difference(const Model<double>& a, const Model<double>& b, int states = 64) {
  return compare_torques(a, b, states).relative;
}

}  // namespace torsor
