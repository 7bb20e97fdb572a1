#include "cli/mechanism_argument.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "cli/file_use.hpp"
#include "cli/quantity.hpp"
#include "torsor/files/load_mechanism.hpp"

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
  const FilesRead opened;
  const auto description = load_mechanism(name);
  if (Faults errors = file_use().also_reads(opened); !errors.empty()) return errors;
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
