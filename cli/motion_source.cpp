#include "cli/motion_source.hpp"

#include <fmt/format.h>

namespace torsor {

Faults by_options(Faults faults) {
  for (Fault& fault : faults) {
    const std::string name = fault.offender.substr(0, fault.offender.find(' '));
    if (name == "variant" || name == "step" || name == "scale") fault.offender.insert(0, "--");
  }
  return faults;
}

Result<PlannedMotion> read_motion(const std::string& name, const std::optional<std::string>& variant,
                                  const Model<double>* robot) {
  auto planned = load_motion(name, variant, robot);
  if (!planned) return by_options(planned.faults());
  return planned;
}

Result<ToolPath> read_tool_path(const std::string& name, const std::optional<std::string>& variant,
                                const SamplingArguments& sampling, const Model<double>& robot, bool degrees) {
  auto path = load_tool_path(name, variant, robot, degrees);
  if (!path) return by_options(path.faults());
  return sampled(*std::move(path), sampling);
}

Result<ToolPath> sampled(ToolPath path, const SamplingArguments& sampling) {
  Faults errors;
  refuse_if(path.sampled && sampling.any(), "--step or --rate", "with a CSV file: its rows are followed", errors);
  if (!errors.empty()) return errors;
  if (path.sampled) return path;
  const auto period = sampling.period(path.duration);
  if (!period) return period.faults();
  path.period = *period;
  return path;
}

void SamplingArguments::add_to(Options& options) {
  options.numbers("--step", "S", step, "seconds between samples; default 0.01")
      .numbers("--rate", "HZ", rate, "samples per second, instead");
}

Result<double> SamplingArguments::period(double duration) const {
  Faults errors;
  refuse_if(step && rate, "--rate", "with --step", errors);
  double period = 0.01;
  const auto take = [&](const char* option, const std::optional<std::vector<double>>& given, bool inverse) {
    if (!given) return;
    if (given->size() != 1)
      errors.push_back(count_error(option, given->size(), "1", "give one number"));
    else if (!(given->front() > 0))
      errors.push_back(
          {{}, option, "option-value", fmt::format("{} is not allowed", given->front()), "give a number above zero"});
    else
      period = inverse ? 1 / given->front() : given->front();
  };
  take("--step", step, false);
  take("--rate", rate, true);
  constexpr double most = 1e7;
  if (errors.empty() && !(duration / period <= most))
    errors.push_back(fault_of(rate ? "--rate" : "--step", "option-value",
                              fmt::format("{:.4g} s of motion would have {:.3g} samples", duration, duration / period),
                              fmt::format("give a step of {:.3g} s at least", duration / most)));
  if (!errors.empty()) return errors;
  return period;
}

}  // namespace torsor
