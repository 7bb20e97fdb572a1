#include "cli/control_experiment.hpp"

#include <fmt/format.h>

#include <filesystem>
#include <iterator>

#include "cli/files.hpp"
#include "cli/quantity.hpp"
#include "torsor/control/control_law.hpp"
#include "torsor/control/control_plan.hpp"
#include "torsor/files/experiment_toml.hpp"
#include "torsor/text/suggest.hpp"
#include "torsor/numeric/integrator.hpp"

namespace torsor {
namespace {

/// The word of a list that an option names.
template <class Find>
auto find_word(const std::string& option, const std::string& word, std::span<const std::string_view> known,
               const Find& find) -> Result<typename decltype(find(word))::value_type> {
  if (const auto found = find(word)) return *found;
  const std::string hint = did_you_mean(word, {known.begin(), known.end()});
  return fault_of(fmt::format("{} \"{}\"", option, word), "option-value", "there is no such one",
                  fmt::format("{}{}use {}", hint, hint.empty() ? "" : " ", fmt::join(known, ", ")));
}

std::vector<std::string> law_names(const std::string& text) {
  std::vector<std::string> names;
  for (std::size_t from = 0; from <= text.size();) {
    const std::size_t to = std::min(text.find_first_of(", ", from), text.size());
    if (to > from) names.push_back(text.substr(from, to - from));
    from = to + 1;
  }
  return names;
}

/// The one number of an option.
Result<double> single(const std::string& option, const std::optional<std::vector<double>>& numbers, double fallback) {
  if (!numbers) return fallback;
  if (numbers->size() == 1) return numbers->front();
  return count_error(option, numbers->size(), "1", "give one number");
}

}  // namespace

Result<ControlExperiment> experiment_of(const ControlArguments& a, TaskKind kind) {
  Faults errors;
  const auto take = [&errors](const auto& result, auto& target) {
    collect(result, errors);
    if (result) target = *result;
  };
  std::vector<std::string_view> laws;
  for (const ControlLawRow& row : control_laws()) laws.push_back(row.name);
  ControlExperiment e = usual_experiment(kind);
  e.robot = a.robot.name;
  e.tool = a.robot.chain.tool.value_or("");
  // against speed one law tells enough, unless others are asked for
  if (a.speeds && !a.laws) e.laws = {"computed-torque"};
  if (a.laws && *a.laws != "all") e.laws = law_names(*a.laws);
  e.speeds = a.speeds.value_or(std::vector<double>{});
  for (const std::string& law : e.laws)
    collect(find_word("--laws", law, laws,
                      [](const std::string& name) {
                        const ControlLawRow* row = find_control_law(name);
                        return row ? std::optional(row) : std::nullopt;
                      }),
            errors);
  e.limits = !a.no_limits;
  take(find_word("--controller-model", a.model.value_or("full"), controller_kind_names, controller_kind), e.model);
  take(read_quantity("--model-error", a.error, quantities::share, e.model_error), e.model_error);
  if (a.rate == "continuous")
    e.rate = 0;
  else
    take(read_quantity("--rate", a.rate, quantities::frequency, e.rate), e.rate);
  take(read_quantity("--delay", a.delay, quantities::time, e.delay), e.delay);
  take(single("--bandwidth", a.bandwidth, e.impedance_bandwidth), e.impedance_bandwidth);
  if (a.gains && a.gains->size() != 2)
    errors.push_back(count_error("--gains", a.gains->size(), "2", "give kp [1/s^2] and kv [1/s]"));
  else if (a.gains)
    e.gains = {(*a.gains)[0], (*a.gains)[1]};
  if (a.seed) e.seed = static_cast<std::uint64_t>(*a.seed);
  std::vector<std::string_view> methods;
  for (const IntegratorRow& row : integrators()) methods.push_back(row.name);
  const auto method = find_word("--integrator", a.integrator.value_or(e.integrator), methods,
                                [](const std::string& name) {
                                  const IntegratorRow* row = find_integrator(name);
                                  return row ? std::optional(row) : std::nullopt;
                                });
  collect(method, errors);
  if (method) e.integrator = (*method)->name;
  refuse_if(method && a.step && (*method)->adaptive, "--step",
            fmt::format("with {}, which chooses its steps", e.integrator), errors);
  take(read_quantity("--step", a.step, quantities::time, e.step), e.step);
  if (!errors.empty()) return errors;
  return e;
}

Result<TaskKind> task_kind_of(const ControlArguments& a) {
  return find_word("--task", a.task.value_or("line"), task_kind_names, task_kind);
}

Result<ControlTask> task_of(const ControlArguments& a, TaskKind kind, const Model<double>& model,
                            const Frame<double>& tool) {
  auto task = default_task(kind, model, tool, a.q.value_or(std::vector<double>{}));
  if (!task) return task;
  Faults errors;
  const auto duration = read_quantity("--duration", a.duration, quantities::time, task->duration);
  const auto rest = read_quantity("--rest", a.rest, quantities::time, task->rest);
  const auto payload = single("--payload", a.payload, task->payload);
  for (const auto* result : {&duration, &rest, &payload}) collect(*result, errors);
  if (!errors.empty()) return errors;
  ControlTask timed = in_duration(*std::move(task), *duration);
  timed.rest = *rest;
  timed.payload = *payload;
  return timed;
}

namespace {

/// Whether a robot is named by a path; else it is a built-in one.
bool is_robot_path(const std::string& robot) {
  return robot.find('/') != std::string::npos || std::filesystem::path(robot).has_extension();
}

}  // namespace

Result<ControlExperiment> read_experiment(const std::string& path) {
  InputFile file(path);
  if (!file.faults().empty()) return file.faults();
  const std::string text{std::istreambuf_iterator<char>(file.stream()), {}};
  auto experiment = read_experiment_toml(text, file.name());
  if (experiment && is_robot_path(experiment->robot) && path != "-")
    experiment->robot = (std::filesystem::path(path).parent_path() / experiment->robot).string();
  return experiment;
}

ControlExperiment experiment_beside(ControlExperiment e, const std::string& path) {
  std::error_code none;
  if (!is_robot_path(e.robot) && !std::filesystem::is_regular_file(e.robot, none)) return e;
  const auto folder = std::filesystem::absolute(path == "-" ? "." : path, none).parent_path();
  const auto robot =
      std::filesystem::proximate(e.robot, path == "-" ? std::filesystem::current_path(none) : folder, none);
  if (!none && !robot.empty()) e.robot = robot.string();
  if (!is_robot_path(e.robot)) e.robot.insert(0, "./");
  return e;
}

}  // namespace torsor
