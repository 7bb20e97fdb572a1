#include "torsor/numeric_ik/path_cost.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace torsor {

std::optional<double> turns_inside(double low, double high, const Limits& limits, bool turns) {
  constexpr double turn = 2 * std::numbers::pi, slack = 1e-9;
  const auto room = [&](double k) {
    return std::min(low + k * turn - limits.lower, limits.upper - high - k * turn);
  };
  double best = 0;
  if (turns && std::isfinite(limits.lower) && std::isfinite(limits.upper))
    best = std::nearbyint(((limits.lower + limits.upper) / 2 - (low + high) / 2) / turn);
  else if (turns && std::isfinite(limits.lower))
    best = std::max(0.0, std::ceil((limits.lower - low) / turn));
  else if (turns && std::isfinite(limits.upper))
    best = std::min(0.0, std::floor((limits.upper - high) / turn));
  if (room(best) < -slack) return std::nullopt;
  return best;
}

double cost_of(const FollowedPath& path, const Model<double>& model, std::span<const double> shift,
               std::string_view objective) {
  double way = 0, margin = 1, singular = 1e300;
  for (std::size_t k = 0; k < path.samples.size(); ++k) {
    const PathSample& sample = path.samples[k];
    singular = std::min(singular, sample.smallest_singular_value);
    double square = 0;
    for (std::size_t i = 0; i < sample.q.size(); ++i) {
      if (k > 0) square += std::pow(sample.q[i] - path.samples[k - 1].q[i], 2);
      if (i >= model.limits.size()) continue;
      const auto& [lower, upper] = std::pair{model.limits[i].lower, model.limits[i].upper};
      const double q = sample.q[i] + (shift.empty() ? 0 : shift[i]);
      if (std::isfinite(lower) && std::isfinite(upper) && upper > lower)
        margin = std::min({margin, (q - lower) / (upper - lower), (upper - q) / (upper - lower)});
    }
    way += std::sqrt(square);
  }
  return objective == "limits" ? -margin : objective == "singularity" ? -singular : way;
}

}  // namespace torsor
