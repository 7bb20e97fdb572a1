#include "cli/path_scaling.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "cli/motion_source.hpp"
#include "cli/tool_arguments.hpp"

namespace torsor {

Result<std::optional<ScalingRequest>> wanted_scaling(const std::optional<std::string>& words, const ToolPath& path,
                                                     const Model<double>& model) {
  using Wanted = std::optional<ScalingRequest>;
  if (!words) return Wanted(path.scaling);
  Faults errors;
  const auto fault = [&errors](std::string offender, const char* rule, std::string what, std::string remedy) {
    errors.push_back({{}, std::move(offender), rule, std::move(what), std::move(remedy)});
  };
  refuse_if(path.scaling.has_value(), "--scale", "with a motion file that has [scale]", errors);
  if (path.derivatives < 2 || !path.timed)
    fault(path.name, "motion-column", "has no times, velocities or accelerations of the tool: time cannot be scaled",
          "give t, wx..vz, wdx..az (torsor path writes them)");
  ScalingRequest wanted;
  wanted.only_slower = path.limited;
  const ScalingLimits own = limits_of(model);
  std::string rest = *words;
  std::replace(rest.begin(), rest.end(), ',', ' ');
  for (std::size_t at = rest.find_first_not_of(' '); at != std::string::npos; at = rest.find_first_not_of(' ', at)) {
    const std::size_t end = std::min(rest.find(' ', at), rest.size());
    const std::string word = rest.substr(at, end - at);
    at = end;
    const auto bound = scaling_bound(word);
    if (!bound) {
      fault(fmt::format("--scale \"{}\"", word), "option-value", "is no limit of a robot file",
            "write \"velocity\", \"acceleration\", \"effort\", or several: \"velocity,effort\"");
      continue;
    }
    const std::vector<double>& limits = own.*bound;
    if (std::none_of(limits.begin(), limits.end(), [](double x) { return std::isfinite(x); }))
      fault("--scale", "motion-limit", fmt::format("{} has no {} limits", model.name, word),
            "give limits in the robot file, or [scale] in a motion file");
    wanted.limits.*bound = limits;
  }
  if (errors.empty() && wanted.limits.velocity.empty() && wanted.limits.acceleration.empty() &&
      wanted.limits.effort.empty())
    fault("--scale", "option-value", "names no limit",
          "write \"velocity\", \"acceleration\", \"effort\", or several: \"velocity,effort\"");
  if (!errors.empty()) return errors;
  return Wanted(wanted);
}

std::optional<int> scale_to_limits(const std::optional<ScalingRequest>& wanted, const InverseKinematics& solver,
                                   std::span<const double> start, const Model<double>& model, const Loads& loads,
                                   const std::string& input, ToolPath& path, std::optional<PathScaling>& scaling) {
  if (!wanted) return std::nullopt;
  if (!rests(loads.base))
    return complain(
        {{{}, "--base-motion", "option-mode", "does not become slower with the path", "leave one of them out"}},
        exit_bad_input);
  const auto found = scale_path(*wanted, solver, start, model, loads.external, path);
  if (!found) return complain_of_request(by_options(found.faults()));
  scaling = *found ? **found : nothing_scaled(path);
  if (!scaling->possible) return complain({scaling->refusal(input)}, exit_impossible);
  return std::nullopt;
}

void scaling_fields(JsonWriter& json, const PathScaling& scaling) {
  json.field("time_factor", scaling.factor).field("scaling", scaling.sentence);
  if (!scaling.warning.empty()) json.field("scaling_warning", scaling.warning);
}

std::string scaling_text(const std::optional<PathScaling>& scaling) {
  if (!scaling) return "";
  std::string text = fmt::format(" Time is scaled {}.", scaling->sentence);
  if (!scaling->warning.empty()) text += fmt::format(" But {}.", scaling->warning);
  return text;
}

}  // namespace torsor
