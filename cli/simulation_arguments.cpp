#include "cli/simulation_arguments.hpp"

#include <fmt/format.h>

#include "torsor/io/suggest.hpp"

namespace torsor {

std::optional<double> one_number(const std::string& option, const std::optional<std::vector<double>>& given,
                                 double least, bool above, Errors& errors) {
  if (!given) return std::nullopt;
  if (given->size() != 1) {
    errors.push_back(count_error(option, given->size(), "1", "give one number"));
    return std::nullopt;
  }
  const double x = given->front();
  if (above ? x > least : x >= least) return x;
  errors.push_back({{},
                    option,
                    "option-value",
                    fmt::format("{} is not allowed", x),
                    fmt::format("give a number {} {}", above ? "above" : "from",
                                above ? fmt::format("{}", least) : fmt::format("{} up", least))});
  return std::nullopt;
}

void SimulationArguments::add_method_to(Options& options) {
  std::vector<std::string_view> names;
  for (const IntegratorRow& row : integrators()) names.push_back(row.name);
  options.text("--integrator", "NAME", integrator, fmt::format("{}; default dormand-prince", fmt::join(names, ", ")))
      .numbers("--step", "S", step, "of a method with fixed steps; default 0.001")
      .numbers("--tolerance", "X", tolerance,
               "relative error of a step, of a method that chooses its steps; default 1e-10");
}

void SimulationArguments::add_plant_to(Options& options) {
  options
      .text("--stops", "none|stiff|error", stops,
            "at a joint's limits: nothing, a stiff spring with a damper, or the end of the run; default none")
      .flag("--no-saturation", no_saturation, "efforts beyond the limits of the robot file are applied all the same")
      .flag("--no-stick", no_stick, "dry friction only opposes motion and does not hold a joint at rest");
}

void SimulationArguments::add_sampling_to(Options& options) {
  options.numbers("--rate", "HZ", rate, "efforts are computed so many times a second and held; default: all the time")
      .numbers("--delay", "S", delay, "with --rate: from the instant of a sample until its effort acts; default 0");
}

Result<SimulationRules> read_rules(const Model<double>& model, const SimulationArguments& a) {
  SimulationRules rules;
  Errors errors;
  const auto pick = [&](const char* option, const std::string& word, const std::vector<std::string_view>& words) {
    for (std::size_t k = 0; k < words.size(); ++k)
      if (words[k] == word) return static_cast<int>(k);
    const std::string hint = did_you_mean(word, words);
    errors.push_back({{},
                      fmt::format("{} \"{}\"", option, word),
                      "option-value",
                      "there is no such choice",
                      fmt::format("{}{}use {}", hint, hint.empty() ? "" : " ", fmt::join(words, ", "))});
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
  if (const auto x = one_number("--step", a.step, 0, true, errors)) rules.steps.step = *x;
  if (const auto x = one_number("--tolerance", a.tolerance, 0, true, errors)) {
    rules.steps.relative = *x;
    rules.steps.absolute = *x / 100;
  }
  if (const auto x = one_number("--rate", a.rate, 0, true, errors)) rules.sampling.period = 1 / *x;
  if (const auto x = one_number("--delay", a.delay, 0, false, errors)) rules.sampling.delay = *x;
  rules.saturate = !a.no_saturation;
  rules.stick = !a.no_stick;
  if (errors.empty()) errors = check(model, rules);
  if (!errors.empty()) return errors;
  return rules;
}

}  // namespace torsor
