// Chains of the golden files of inverse kinematics: placements between revolute joints.
#pragma once

#include <algorithm>
#include <cmath>
#include <numbers>
#include <span>

#include "tests/support/golden.hpp"
#include "torsor/closed_form_ik/joint_chain.hpp"

namespace torsor::testing {

inline Transform<double> golden_placement(const Json& rows) {
  const Numbers v = numbers(rows);
  return {{{v[0], v[4], v[8]}, {v[1], v[5], v[9]}, {v[2], v[6], v[10]}}, {v[3], v[7], v[11]}};
}

/// Without limits, unless the arm has some.
inline JointChain golden_chain(const Json& arm) {
  JointChain chain;
  for (const Json& rows : arm.at("B")) chain.B.push_back(golden_placement(rows));
  const std::size_t n = chain.B.size() - 1;
  chain.slides.assign(n, false);
  chain.limits.assign(n, {});
  chain.size = 0;
  for (std::size_t k = 1; k < n; ++k) chain.size += norm(chain.B[k].p);
  if (!(chain.size > 0)) chain.size = std::max(norm(chain.B.back().p), 1e-3);
  for (std::size_t k = 0; k < n; ++k) chain.coordinate.push_back(static_cast<int>(k));
  if (arm.contains("limits"))
    for (std::size_t k = 0; k < n; ++k) {
      const Json& limits = arm.at("limits").at(k);
      if (!limits.at(0).is_null()) chain.limits[k].lower = limits.at(0);
      if (!limits.at(1).is_null()) chain.limits[k].upper = limits.at(1);
    }
  return chain;
}

/// The greatest difference of two positions, by whole turns.
inline double turns_apart(std::span<const double> a, const Json& b) {
  double most = 0;
  for (std::size_t k = 0; k < b.size(); ++k)
    most = std::max(most, std::abs(std::remainder(a[k] - b.at(k).get<double>(), 2 * std::numbers::pi)));
  return most;
}

}  // namespace torsor::testing
