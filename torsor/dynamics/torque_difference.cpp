#include "torsor/dynamics/torque_difference.hpp"

#include <algorithm>
#include <cmath>
#include <random>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "torsor/dynamics/tree_dynamics.hpp"
#include "torsor/model/random_position.hpp"

namespace torsor {
namespace {

/// Where each name is in the whole; all of them must be there.
std::vector<std::size_t> places_among(const std::vector<std::string>& names, const std::vector<std::string>& whole) {
  std::unordered_map<std::string_view, std::size_t> index;
  for (std::size_t i = 0; i < whole.size(); ++i) index.emplace(whole[i], i);
  std::vector<std::size_t> out;
  for (const std::string& name : names) out.push_back(index.at(name));
  return out;
}

}  // namespace

TorqueDifference compare_torques(const Model<double>& a, const Model<double>& b, int states) {
  const std::vector<std::size_t> position = places_among(b.position_names, a.position_names),
                                 velocity = places_among(b.velocity_names, a.velocity_names);
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

}  // namespace torsor
