#include "torsor/numeric_ik/nearest_solution.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "torsor/closed_form_ik/measure_branch.hpp"

namespace torsor {
namespace {

/// By whole turns as near as the limits allow; what is outside of them stays.
void turn_towards(const JointChain& chain, std::span<const double> near, IkSolution& s) {
  constexpr double turn = 2 * std::numbers::pi;
  for (std::size_t k = 0; k < chain.coordinate.size(); ++k) {
    const auto at = static_cast<std::size_t>(chain.coordinate[k]);
    const Limits& limits = chain.limits[k];
    double& q = s.q[at];
    if (chain.slides[k] || outside(q, limits) != 0) continue;
    const double turns = std::clamp(std::nearbyint((near[at] - q) / turn), std::ceil((limits.lower - q) / turn),
                                    std::floor((limits.upper - q) / turn));
    if (turns != 0) q = std::clamp(q + turn * turns, limits.lower, limits.upper);
  }
}

}  // namespace

double farthest_apart(const JointChain& chain, std::span<const double> q, std::span<const double> near) {
  double most = 0;
  for (std::size_t k = 0; k < q.size(); ++k)
    most = std::max(most, std::abs(q[k] - near[static_cast<std::size_t>(chain.coordinate[k])]));
  return most;
}

std::optional<IkSolution> nearest_solution(const JointChain& chain, std::span<const IkSolution> found,
                                           std::span<const double> near) {
  std::optional<IkSolution> best;
  double least = 0;
  for (IkSolution s : found) {
    turn_towards(chain, near, s);
    std::vector<double> q;
    for (const int k : chain.coordinate) q.push_back(s.q[static_cast<std::size_t>(k)]);
    const double cost = farthest_apart(chain, q, near) + (s.inside_limits ? 0 : 1e9);
    if (best && cost >= least) continue;
    best = std::move(s);
    least = cost;
  }
  return best;
}

}  // namespace torsor
