#include "cli/path_scaling.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "torsor/trajectory/spline_motion.hpp"

namespace torsor {
namespace {

constexpr double most_samples = 1e7;

/// Of the joint motion that the samples are of.
Result<TimeScaling> smallest_factor(const FollowedPath& followed, const ScalingLimits& limits,
                                    const Model<double>& model, const AppliedLoads& loads) {
  std::vector<MotionRow> rows;
  for (const PathSample& sample : followed.samples) rows.push_back({sample.t, sample.q, sample.qd, sample.qdd});
  const auto motion = sampled_motion(rows);
  if (!motion) return motion.errors();
  ScalingOptions options;
  options.samples = std::clamp(static_cast<int>(rows.size()), 1000, 20000);
  options.external = loads.external;
  return smallest_time_factor(model, *motion, limits, options);
}

}  // namespace

Result<std::optional<HandScaling>> wanted_scaling(const std::optional<std::string>& words, const HandPath& path,
                                                  const Model<double>& model) {
  using Wanted = std::optional<HandScaling>;
  if (!words) return Wanted(path.scaling);
  Errors errors;
  const auto fault = [&errors](std::string offender, const char* rule, std::string what, std::string remedy) {
    errors.push_back({{}, std::move(offender), rule, std::move(what), std::move(remedy)});
  };
  refuse_if(path.scaling.has_value(), "--scale", "with a motion file that has [scale]", errors);
  if (path.derivatives < 2 || !path.timed)
    fault(path.name, "motion-column", "has no times, velocities or accelerations of the hand: time cannot be scaled",
          "give t, wx..vz, wdx..az (torsor path writes them)");
  HandScaling wanted;
  const ScalingLimits own = limits_of(model);
  std::string rest = *words;
  std::replace(rest.begin(), rest.end(), ',', ' ');
  for (std::size_t at = rest.find_first_not_of(' '); at != std::string::npos; at = rest.find_first_not_of(' ', at)) {
    const std::size_t end = std::min(rest.find(' ', at), rest.size());
    const std::string word = rest.substr(at, end - at);
    at = end;
    if (word != "velocity" && word != "effort") {
      fault(fmt::format("--scale \"{}\"", word), "option-value", "is no limit of a robot file",
            "write velocity, effort, or both: velocity,effort");
      continue;
    }
    const std::vector<double>& limits = word == "velocity" ? own.velocity : own.effort;
    if (std::none_of(limits.begin(), limits.end(), [](double x) { return std::isfinite(x); }))
      fault("--scale", "motion-limit", fmt::format("{} has no {} limits", model.name, word),
            "give limits in the robot file, or [scale] in a motion file");
    (word == "velocity" ? wanted.limits.velocity : wanted.limits.effort) = limits;
  }
  if (errors.empty() && wanted.limits.velocity.empty() && wanted.limits.effort.empty())
    fault("--scale", "option-value", "names no limit", "write velocity, effort, or both: velocity,effort");
  if (!errors.empty()) return errors;
  return Wanted(wanted);
}

Result<std::optional<PathScaling>> scale_path(const HandScaling& wanted, const HandSolver& solver,
                                              std::span<const double> start, const Model<double>& model,
                                              const AppliedLoads& loads, HandPath& path) {
  using Found = std::optional<PathScaling>;
  if (loads.base_moves)
    return Error{{}, "--base-motion", "option-mode", "does not become slower with the path", "leave one of them out"};
  if (model.nq != model.nv)
    return Error{{},
                 "robot",
                 "scaling-coordinates",
                 "has joints whose position is a quaternion",
                 "time is scaled for robots of simple joints"};
  if (!(path.duration > 0)) return Found();
  // next to singular positions rates have narrow peaks: samples are set closer until the factor stays
  Result<TimeScaling> scaling = TimeScaling{};
  double change = 0;
  for (const double samples : {1000.0, 4000.0, 16000.0}) {
    HandPath fine = path;
    if (!path.sampled) fine.period = std::min(path.period, path.duration / samples);
    const FollowedPath followed = solver.follow(fine, start);
    if (!followed.finished() || followed.samples.size() < 2) return Found();
    const double before = scaling->factor;
    scaling = smallest_factor(followed, wanted.limits, model, loads);
    if (!scaling) return scaling.errors();
    if (path.sampled || scaling->status != ScalingStatus::ok) break;
    change = std::abs(scaling->factor - before) / scaling->factor;
    if (change <= 1e-6) break;
  }
  if (scaling->status != ScalingStatus::ok) return Found({1, describe(*scaling, model), false});
  const double t0 = path.time(0);
  scaling->time += t0;
  // limits of the hand itself hold already: they must not be passed
  if (wanted.only_slower && scaling->factor < 1)
    return Found({1,
                  fmt::format("times 1: the limits of the hand decide (for the joints {})", describe(*scaling, model)),
                  true});
  const double k = scaling->factor;
  if (!path.sampled && !(path.duration * k / path.period <= most_samples))
    return Error{{},
                 "--step",
                 "option-value",
                 fmt::format("the path would take {:.4g} s and have too many samples", path.duration * k),
                 "give a longer step, or other limits"};
  path.time = [time = path.time, k, t0](double u) { return t0 + k * (time(u) - t0); };
  path.step = [step = path.step, k](double u) { return k * step(u); };
  if (!path.sampled) path.period /= k;
  std::string sentence = describe(*scaling, model);
  if (change > 1e-3) sentence += fmt::format(" (to {:.1g} %: a peak is narrower than samples tell)", 100 * change);
  return Found({k, std::move(sentence), true});
}

int complain_of_scaling(const Errors& errors) {
  // a robot of other joints is no fault of the options
  const bool robot = !errors.empty() && errors.front().rule == "scaling-coordinates";
  return complain(errors, robot ? exit_impossible : exit_bad_input);
}

}  // namespace torsor
