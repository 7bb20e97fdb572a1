#include "cli/mechanism_argument.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "cli/file_use.hpp"
#include "cli/quantity.hpp"
#include "torsor/files/load_mechanism.hpp"
#include "torsor/mechanism/torque_limit.hpp"
#include "torsor/mechanism/freedoms.hpp"

namespace torsor {

void add_mechanism_to(Options& options, std::string& name) {
  options.positional(
      "FILE", name,
      "a mechanism file (docs/mechanism-file.md), a built-in mechanism such as four_bar, or - for standard "
      "input");
}

namespace {

/// What was passed over: of each rule the first ten, as ten thousand bodies alike make ten thousand notes alike.
void tell(const Faults& notes) {
  constexpr std::size_t listed = 10;
  std::map<std::string, std::size_t> times;
  for (const Fault& each : notes)
    if (++times[each.rule] <= listed) note(to_string(each));
  for (const auto& [rule, count] : times)
    if (count > listed) note(fmt::format("and {} more like it [{}]", count - listed, rule));
}

}  // namespace

Result<Mechanism> read_mechanism(const std::string& name) {
  std::vector<std::string> named;
  const auto description = load_mechanism(name, &named);
  for (const std::string& each : named) file_use().reads(each, each);
  if (Faults errors = file_use().conflicts(); !errors.empty()) return errors;
  if (!description) return description.faults();
  tell(description->notes);
  return build(*description);
}

void MechanismRunArguments::add_to(Options& options, const std::string& columns, const std::string& page_has) {
  add_mechanism_to(options, name);
  options.text("--time", "S", time, "seconds to run, or 500ms; default: what the file says")
      .text("--every", "S", every, "seconds between rows, or 10ms; default: what the file says")
      .writes("-o,--output", "FILE", output, fmt::format("CSV of {}; default - (standard output)", columns))
      .writes("--html", "FILE", page, fmt::format("a page: {}", page_has));
  print.add_to(options);
}

Result<RunTimes> read_run_times(const MechanismRunArguments& a, const MechanismRun& file) {
  constexpr double most_rows = 1e7;
  Faults errors;
  const auto time = read_quantity("--time", a.time, quantities::time, file.time),
             every = read_quantity("--every", a.every, quantities::time, file.interval);
  collect(time, errors);
  collect(every, errors);
  refuse_if(a.page == "-" && (a.print.json || !a.output), "--html -", a.print.json ? "with --json" : "without --output",
            errors);
  if (!errors.empty()) return errors;
  if (!(*time > 0 && *time < 1e9))
    errors.push_back({{}, "--time", "option-value", fmt::format("it is {} s", *time), "give seconds above zero"});
  if (!(*every > 0))
    errors.push_back({{}, "--every", "option-value", fmt::format("it is {} s", *every), "give seconds above zero"});
  if (errors.empty() && !(*time / *every <= most_rows))
    errors.push_back({{},
                      "--every",
                      "option-value",
                      fmt::format("there would be {:.3g} rows", *time / *every),
                      fmt::format("give {:.3g} s at least", *time / most_rows)});
  if (!errors.empty()) return errors;
  return RunTimes{*time, *every};
}

std::vector<std::string> limit_sentences(const MechanismDescription& d, double from, double to) {
  std::vector<std::string> sentences;
  for (const LimitedTorque& each : limited_torques(d, from, to)) {
    const MechanismActuator& a = d.actuators[static_cast<std::size_t>(each.actuator)];
    const std::string limit =
        format_number(*a.effort_limit, 4) + (a.measure.what == Measure::What::angle ? " N m" : " N");
    sentences.push_back(
        to > from ? fmt::format("Actuator \"{}\" was at its limit of {} for {} s, from {} s on: its torque was asked to "
                                "be larger.",
                                a.name, limit, format_number(each.seconds, 3), format_number(each.first, 4))
                  : fmt::format("Actuator \"{}\" is at its limit of {}: its torque is asked to be larger.", a.name,
                                limit));
  }
  return sentences;
}

void limits_field(JsonWriter& json, const MechanismDescription& d, double from, double to) {
  json.key("limited").begin_array();
  for (const LimitedTorque& each : limited_torques(d, from, to))
    json.begin_object()
        .field("actuator", d.actuators[static_cast<std::size_t>(each.actuator)].name)
        .field("first", each.first)
        .field("seconds", each.seconds)
        .end_object();
  json.end_array();
}

std::string spin_sentence(const Mechanism& m, const MechanismState& assembled, EquationSet set) {
  if (std::none_of(m.borrowed.begin(), m.borrowed.end(), [](const Sym3<double>& b) { return b.xx > 0; })) return "";
  std::string list;
  for (const int body : spinning_bodies(m, assembled, set))
    list +=
        fmt::format("{}\"{}\"", list.empty() ? "" : ", ", m.description.bodies[static_cast<std::size_t>(body)].name);
  if (list.empty()) return "";
  return fmt::format(
      "Nothing holds the turning of body {}, and it has no inertia against it: such degrees of freedom count, but nothing drives "
      "or "
      "depends on them, and small motions are given without them.",
      list);
}

}  // namespace torsor
