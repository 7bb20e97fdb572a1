#include "cli/rate_limits.hpp"

namespace torsor {
namespace {

/// One limit for every coordinate, or each its own; true where some were given and are sound.
bool take_limits(const std::string& option, const std::optional<std::vector<double>>& given, const Model<double>& model,
                 std::vector<double>& limits, Faults& errors) {
  if (!given) return false;
  if (given->size() != 1 && given->size() != limits.size()) {
    errors.push_back(
        count_error(option, given->size(), "1 or " + std::to_string(model.nv), "give one per joint, or one for all"));
    return false;
  }
  for (std::size_t l = 0; l < limits.size(); ++l) {
    limits[l] = given->size() == 1 ? given->front() : (*given)[l];
    if (limits[l] >= 0) continue;
    errors.push_back({{}, option, "option-value", "a limit below zero leaves nothing", "give numbers from zero on"});
    return false;
  }
  return true;
}

}  // namespace

void RateLimitArguments::add_to(Options& options) {
  options
      .numbers("--speeds", "LIST", speeds,
               "largest speeds, one per joint or one for all, rad/s or m/s; default those of the file, else 2 rad/s "
               "and 1 m/s")
      .numbers("--accelerations", "LIST", accelerations,
               "largest accelerations, likewise; default: the speed is reached in half a second");
}

RateLimits read_rate_limits(const Model<double>& model, const RateLimitArguments& a, Faults& errors) {
  RateLimits limits = usual_rate_limits(model);
  if (take_limits("--speeds", a.speeds, model, limits.speed, errors) && !a.accelerations)
    for (std::size_t l = 0; l < limits.speed.size(); ++l) limits.acceleration[l] = 2 * limits.speed[l];
  take_limits("--accelerations", a.accelerations, model, limits.acceleration, errors);
  return limits;
}

}  // namespace torsor
