#include "cli/simulation_arguments.hpp"

#include <fmt/format.h>

#include <cmath>

#include "torsor/text/suggest.hpp"

namespace torsor {

std::optional<double> one_quantity(const std::string& option, const std::optional<std::string>& given,
                                   std::span<const QuantityUnit> units, const QuantityRange& range, Faults& errors) {
  if (!given) return std::nullopt;
  const auto x = read_quantity(option, given, units, 0);
  collect(x, errors);
  if (!x) return std::nullopt;
  if ((range.above ? *x > range.least : *x >= range.least) && *x <= range.most && std::isfinite(*x)) return *x;
  const std::string lower = range.above ? fmt::format("above {}", range.least) : fmt::format("from {} up", range.least);
  errors.push_back(fault_of(option, "option-value", fmt::format("{} is not allowed", *given),
                            std::isfinite(range.most) ? fmt::format("give a number {}, {} at most", lower,
                                range.most) : fmt::format("give a number {}", lower)));
  return std::nullopt;
}

Faults check_work(const SimulationRules& rules, double seconds) {
  Faults errors;
  const auto bound = static_cast<double>(rules.most_steps);
  const auto fault = [&](const char* option, const std::string& what, const std::string& remedy) {
    errors.push_back({{}, option, "option-value", what, remedy + ", or a shorter time"});
  };
  if (const double steps = seconds / rules.steps.step;
      !find_integrator(rules.integrator)->adaptive && !(steps <= bound))
    fault("--step", fmt::format("{:.9g} s would take {:.3g} steps, and {:.3g} are the most", seconds, steps, bound),
          fmt::format("give {:.3g} s at least", seconds / bound));
  if (const double samples = seconds / rules.sampling.period; rules.sampling.period > 0 && !(samples <= bound))
    fault("--rate", fmt::format("{:.9g} s would take {:.3g} samples, and {:.3g} are the most", seconds, samples, bound),
          fmt::format("give {:.3g} Hz at most", bound / seconds));
  return errors;
}

std::string stop_remedy(const RunEnd& end, const SimulationRules& rules) {
  if (end.kind == EndKind::no_convergence)
    return rules.integrator == "radau" ? "use a looser --tolerance"
                                       : "use a smaller --step, or --integrator radau for stiff friction and springs";
  const bool fixed = !find_integrator(rules.integrator)->adaptive;
  if (end.kind == EndKind::too_many_steps && !fixed && rules.integrator != "radau")
    return "--integrator radau takes long steps through stiff friction and springs";
  if (end.kind == EndKind::made_up)
    return fixed ? "use a smaller --step, or --integrator radau"
                 : fmt::format("steps do not get shorter than {} s", rules.shortest);
  if (end.kind == EndKind::lost) return "an open loop that is unstable needs a control law: torsor control";
  return end.kind == EndKind::not_finite && fixed ? "a smaller --step may do, or --integrator radau if it is stiff"
                                                  : "";
}

void SimulationArguments::add_method_to(Options& options) {
  std::vector<std::string_view> names;
  for (const IntegratorRow& row : integrators()) names.push_back(row.name);
  options.text("--integrator", "NAME", integrator, fmt::format("{}; default dormand-prince", fmt::join(names, ", ")))
      .one_of_names(names)
      .text("--step", "S", step, "of a method with fixed steps; default 1ms")
      .text("--tolerance", "X", tolerance,
            "relative error of a step, of a method that chooses its steps; from 1e-15 up, default 1e-10");
}

void SimulationArguments::add_plant_to(Options& options) {
  options
      .text("--stops", "none|stiff|error", stops,
            "at a joint's limits: nothing, a stiff spring with a damper, or the end of the run; default none")
      .one_of({"none", "stiff", "error"})
      .flag("--no-saturation", no_saturation, "torques beyond the limits of the robot file are applied all the same")
      .flag("--no-stick", no_stick, "dry friction only opposes motion and does not hold a joint at rest");
}

void SimulationArguments::add_sampling_to(Options& options) {
  options
      .text("--rate", "HZ", rate,
            "torques are computed so many times a second and held: 1kHz; 1 MHz at most; default: all the time")
      .text("--delay", "S", delay,
            "with --rate: from the instant of a sample until its torque acts: 0.5ms; default 0; before the first "
            "arrives, it acts already");
}

Result<SimulationRules> read_rules(const Model<double>& model, const SimulationArguments& a) {
  SimulationRules rules;
  Faults errors;
  const auto pick = [&](const char* option, const std::string& word, const std::vector<std::string_view>& words) {
    for (std::size_t k = 0; k < words.size(); ++k)
      if (words[k] == word) return static_cast<int>(k);
    const std::string hint = did_you_mean(word, words);
    errors.push_back(fault_of(fmt::format("{} \"{}\"", option, word), "option-value", "there is no such choice",
                              fmt::format("{}{}use {}", hint, hint.empty() ? "" : " ", fmt::join(words, ", "))));
    return 0;
  };
  std::vector<std::string_view> names;
  for (const IntegratorRow& row : integrators()) names.push_back(row.name);
  if (a.integrator) rules.integrator = names[static_cast<std::size_t>(pick("--integrator", *a.integrator, names))];
  if (a.stops) rules.stops = static_cast<Stops>(pick("--stops", *a.stops, {"none", "stiff", "error"}));
  const bool adaptive = find_integrator(rules.integrator)->adaptive;
  refuse_if(a.step && adaptive, "--step", fmt::format("with {}, which chooses its steps", rules.integrator), errors);
  refuse_if(a.tolerance && !adaptive, "--tolerance", fmt::format("with {}, whose steps are fixed", rules.integrator),
            errors);
  refuse_if(a.delay && !a.rate, "--delay", "without --rate", errors);
  if (const auto x = one_quantity("--step", a.step, quantities::time, {}, errors)) rules.steps.step = *x;
  // below the rounding of a step no step is good enough
  if (const auto x = one_quantity("--tolerance", a.tolerance, {}, {1e-15, 1, false}, errors)) {
    rules.steps.relative = *x;
    rules.steps.absolute = *x / 100;
  }
  if (const auto x = one_quantity("--rate", a.rate, quantities::frequency, {0, 1e6}, errors))
    rules.sampling.period = 1 / *x;
  if (const auto x = one_quantity("--delay", a.delay, quantities::time, {.above = false}, errors))
    rules.sampling.delay = *x;
  rules.saturate = !a.no_saturation;
  rules.stick = !a.no_stick;
  if (errors.empty()) errors = check(model, rules);
  if (!errors.empty()) return errors;
  return rules;
}

}  // namespace torsor
