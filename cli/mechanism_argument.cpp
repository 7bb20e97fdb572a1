#include "cli/mechanism_argument.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "cli/file_use.hpp"
#include "cli/quantity.hpp"
#include "torsor/files/load_mechanism.hpp"
#include "torsor/files/time_expression.hpp"
#include "torsor/text/utf8.hpp"

namespace torsor {

void MechanismChoice::add_to(Options& options) {
  options
      .positional("FILE", name,
                  "a mechanism file (docs/mechanism-file.md), a built-in mechanism such as four_bar, or - for standard "
                  "input")
      .texts("--set", "NAME=VALUE", settings, "a number of the file's [parameters], in place of what it says there");
}

namespace {

/// `crank=0.2`, the value any formula of numbers.
Result<ParameterSetting> read_setting(const std::string& text) {
  const std::size_t equals = text.find('=');
  const auto wrong = [&](const std::string& what, const std::string& remedy) {
    return fault_of(fmt::format("--set {}", excerpt(text)), "option-value", what, remedy);
  };
  if (equals == std::string::npos || equals == 0)
    return wrong("it is no name with a value", "write --set NAME=VALUE");
  const auto f = read_time_expression(text.substr(equals + 1));
  if (!f) return wrong(f.faults().front().what, "give a number behind the =");
  const double value = (*f)(0).f;
  if (!std::isfinite(value)) return wrong("its value is not finite", "give a finite number");
  return ParameterSetting{text.substr(0, equals), value};
}

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

Result<Mechanism> read_mechanism(const MechanismChoice& choice, bool tells) {
  std::vector<ParameterSetting> settings;
  Faults wrong;
  for (const std::string& text : choice.settings) {
    const auto setting = read_setting(text);
    collect(setting, wrong);
    if (!setting) continue;
    if (std::ranges::find(settings, setting->name, &ParameterSetting::name) != settings.end())
      wrong.push_back(fault_of("--set " + setting->name, "option-value", "it is set twice", "set it once"));
    settings.push_back(*setting);
  }
  if (!wrong.empty()) return wrong;
  const FilesRead opened;
  const auto description = load_mechanism(choice.name, settings);
  if (Faults errors = file_use().also_reads(opened); !errors.empty()) return errors;
  if (!description) return description.faults();
  if (tells) tell(description->notes);
  return build(*description);
}

void MechanismRunArguments::add_to(Options& options, const std::string& columns, const std::string& page_has) {
  mechanism.add_to(options);
  options.text("--time", "S", time, "seconds to run, or 500ms; default: what the file says")
      .text("--every", "S", every, "seconds between rows, or 10ms; default: what the file says")
      .writes("-o,--output", "FILE", output, fmt::format("CSV of {}; default - (standard output)", columns))
      .writes("--html", "FILE", page, fmt::format("a page: {}", page_has));
  print.add_to(options);
}

Result<DrivenRunRules> read_run_times(const MechanismRunArguments& a, const MechanismRun& file) {
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
    errors.push_back(fault_of("--every", "option-value", fmt::format("there would be {:.3g} rows", *time / *every),
                              fmt::format("give {:.3g} s at least", *time / most_rows)));
  if (!errors.empty()) return errors;
  return DrivenRunRules{*time, *every};
}

}  // namespace torsor
