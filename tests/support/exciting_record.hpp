// A record for identification: every joint moves along sines of several frequencies, and the torques are those of a
// model, with noise of a given size for each joint.
#pragma once

#include <numbers>

#include "tests/support/random_robot.hpp"
#include "torsor/dynamics/other_tool.hpp"
#include "torsor/dynamics/tree_dynamics.hpp"

namespace torsor::testing {

/// A draw of the normal distribution (Box & Muller).
inline double normal(Random& random) {
  const double u = random.uniform(0, 1), angle = random.uniform(0, 2 * std::numbers::pi);
  return std::sqrt(-2 * std::log(1 - u)) * std::cos(angle);
}

/// `instants` rows `period` seconds apart; joints of one degree of freedom only. noise: per joint, or none.
inline std::vector<TorqueSample> exciting_record(const Model<double>& model, Random& random, int instants,
                                                 double period, const Numbers& noise = {}) {
  constexpr int harmonics = 4;
  struct Wave {
    double size, rate, phase;
  };
  std::vector<std::vector<Wave>> waves(static_cast<std::size_t>(model.nv));
  for (auto& joint : waves)
    for (int k = 1; k <= harmonics; ++k) joint.push_back({random.uniform(0.3, 0.8) / k, 1.3 * k, random.uniform(0, 6)});
  TreeDynamics<double> dynamics(model, Questions::all_but_forward);
  std::vector<TorqueSample> record;
  for (int row = 0; row < instants; ++row) {
    TorqueSample sample;
    const std::size_t n = waves.size();
    sample.q.assign(n, 0.0), sample.qd = sample.qdd = sample.tau = sample.q;
    for (std::size_t j = 0; j < n; ++j)
      for (const auto& [size, rate, phase] : waves[j]) {
        const double angle = rate * period * row + phase;
        sample.q[j] += size * std::sin(angle);
        sample.qd[j] += size * rate * std::cos(angle);
        sample.qdd[j] -= size * rate * rate * std::sin(angle);
      }
    dynamics.inverse(sample.q, sample.qd, sample.qdd, sample.tau);
    for (std::size_t j = 0; j < n && !noise.empty(); ++j) sample.tau[j] += noise[j] * normal(random);
    record.push_back(std::move(sample));
  }
  return record;
}

/// The same robot with every parameter of its file changed at random by up to a share.
inline Description slightly_wrong(const Description& robot, Random& random, double share) {
  Description wrong = robot;
  for (LinkDescription& link : wrong.links) {
    for (Part& part : link.parts) {
      part.mass *= random.uniform(1 - share, 1 + share);
      part.com = part.com * random.uniform(1 - share, 1 + share);
      part.tensor = part.tensor * random.uniform(1 - share, 1 + share);
    }
    if (link.friction) link.friction->viscous *= random.uniform(1 - share, 1 + share);
    if (link.rotor) link.rotor->inertia *= random.uniform(1 - share, 1 + share);
  }
  return wrong;
}

}  // namespace torsor::testing
