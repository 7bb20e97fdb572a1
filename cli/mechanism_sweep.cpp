// torsor mechanism sweep: a run for each value of parameters of the file, and of each the least, the largest and the last of all that
// the run reports.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iostream>

#include "cli/mechanism_report.hpp"
#include "cli/quantity.hpp"
#include "torsor/how_many.hpp"
#include "torsor/text/number.hpp"
#include "torsor/text/utf8.hpp"

namespace torsor {
namespace {

constexpr std::size_t most_runs = 100'000;

struct SweptParameter {
  std::string name;
  std::vector<double> values;
};

/// `crank=0.1:0.2:11`, both ends among the values; or `crank=0.1,0.15,0.3`.
Result<SweptParameter> read_swept(const std::string& text) {
  const auto wrong = [&](std::string what) {
    return fault_of("--sweep " + excerpt(text), "option-value", std::move(what),
                    "write --sweep NAME=FROM:TO:COUNT, or NAME=VALUE,VALUE,...");
  };
  const std::size_t equals = text.find('=');
  if (equals == std::string::npos || equals == 0) return wrong("it is no name with values");
  SweptParameter out{text.substr(0, equals), {}};
  const bool range = text.find(':', equals) != std::string::npos;
  std::vector<double> numbers;
  for (std::size_t from = equals + 1; from <= text.size();) {
    const std::size_t to = std::min(text.find(range ? ':' : ',', from), text.size());
    const ParsedNumber number = parse_number(std::string_view(text).substr(from, to - from));
    if (!number) return wrong(fmt::format("\"{}\" is no number", excerpt(text.substr(from, to - from))));
    numbers.push_back(number.value);
    from = to + 1;
  }
  if (!range) return out.values = std::move(numbers), out;
  if (numbers.size() != 3) return wrong("a range has three numbers");
  const double count = numbers[2];
  if (!(count >= 2 && count <= static_cast<double>(most_runs) && count == std::floor(count)))
    return wrong(fmt::format("{} is no count from 2 to {}", count, most_runs));
  for (int k = 0; k < static_cast<int>(count); ++k)
    out.values.push_back(numbers[0] + (numbers[1] - numbers[0]) * k / (count - 1));
  out.values.back() = numbers[1];
  return out;
}

/// Least, largest and last of every column.
struct ColumnSpans {
  std::vector<double> least, most, last;

  void add(std::span<const double> numbers) {
    if (least.empty()) least = most = {numbers.begin(), numbers.end()};
    last.assign(numbers.begin(), numbers.end());
    for (std::size_t k = 0; k < numbers.size(); ++k) {
      if (!(least[k] <= numbers[k])) least[k] = std::isnan(numbers[k]) ? least[k] : numbers[k];
      if (!(most[k] >= numbers[k])) most[k] = std::isnan(numbers[k]) ? most[k] : numbers[k];
    }
  }
};

/// A run of one mechanism; how it ended. Faults: it could not begin.
Result<MechanismRunEnd> run_once(const Mechanism& m, const std::string& of, const DrivenRunRules& times,
                                 ColumnSpans& spans) {
  const MechanismRowSink sink = [&](const MechanismState&, std::span<const double> numbers, Gaps,
                                    std::span<const double>) {
    spans.add(numbers);
    return true;
  };
  if (of == "simulate") {
    const MechanismRun& file = m.description.run;
    ForwardRunRules rules;
    rules.time = times.time, rules.interval = times.interval;
    rules.integrator = file.integrator, rules.step = file.step, rules.tolerance = file.tolerance;
    rules.formulation = file.partitioned ? MechanismFormulation::partitioned : MechanismFormulation::augmented;
    return MechanismRunEnd(run_simulation(m, rules, sink).run);
  }
  auto start = driven_start(m);
  if (!start) return start.faults();
  if (of == "kinematics") return MechanismRunEnd(run_kinematics(m, *std::move(start), times, sink).run);
  InverseRows inverse(m, start->state, start->joints.freedoms, false, false);
  return MechanismRunEnd(run_inverse(m, *std::move(start), times, inverse, sink).motion.run);
}

std::vector<MechanismColumns> columns_of(const Mechanism& m, const std::string& of, Faults& errors) {
  if (of == "simulate") return simulation_columns(m);
  if (of == "kinematics") return kinematics_columns(m);
  const auto start = driven_start(m);
  if (!start) return errors = start.faults(), std::vector<MechanismColumns>{};
  return inverse_columns(m, InverseRows(m, start->state, start->joints.freedoms, false, false));
}

}  // namespace

int mechanism_sweep(Arguments arguments) {
  MechanismChoice choice;
  std::vector<std::string> sweeps;
  std::optional<std::string> of_text, time, every, output;
  bool json = false;
  Options options("mechanism sweep",
                  "A run for each value of a parameter of the file's [parameters] (of several, for all their "
                  "combinations), and a table: the values, whether the run came to its end and when it ended, and the "
                  "least, the largest and the last value of every column that the run reports.");
  choice.add_to(options);
  options
      .texts("--sweep", "NAME=FROM:TO:COUNT", sweeps,
             "values of a parameter, both ends among them; or NAME=VALUE,VALUE,...")
      .text("--of", "RUN", of_text, "simulate (default), kinematics or inverse")
      .one_of({"simulate", "kinematics", "inverse"})
      .text("--time", "S", time, "seconds to run, or 500ms; default: what the file says")
      .text("--every", "S", every,
            "seconds between the instants that are looked at, or 10ms; default: what the file says")
      .writes("-o,--output", "FILE", output, "CSV of a row for each run; default - (standard output)")
      .flag("--json", json, "the table as JSON, on standard output")
      .example("my_press.toml --sweep crank=0.1:0.2:5 --of inverse -o torques.csv",
               "the torque over the length of a crank");
  if (const auto code = options.parse(arguments)) return *code;
  const std::string of = of_text.value_or("simulate");
  Faults errors;
  if (of != "simulate" && of != "kinematics" && of != "inverse")
    errors.push_back(
        {{}, "--of", "option-value", fmt::format("it is \"{}\"", of), "write simulate, kinematics or inverse"});
  if (sweeps.empty())
    errors.push_back(
        {{}, "--sweep", "option-value", "there is none", "name a parameter and its values: --sweep crank=0.1:0.2:5"});
  if (choice.name == "-")
    errors.push_back(
        {{}, "FILE", "option-value", "standard input is read once, and the file again for each run", "name a file"});
  std::vector<SweptParameter> swept;
  std::size_t runs = 1;
  for (const std::string& text : sweeps) {
    auto parameter = read_swept(text);
    collect(parameter, errors);
    if (!parameter) continue;
    if (std::ranges::find(swept, parameter->name, &SweptParameter::name) != swept.end())
      errors.push_back(fault_of("--sweep " + parameter->name, "option-value", "it is swept twice", "sweep it once"));
    runs *= parameter->values.size();
    if (runs > most_runs)
      errors.push_back(fault_of("--sweep", "option-value", fmt::format("there would be more than {} runs", most_runs),
                                "take fewer values"));
    swept.push_back(*std::move(parameter));
  }
  if (!errors.empty()) return complain(errors, exit_bad_input);

  std::optional<RowOutput> table;
  std::string name;
  std::size_t unfinished = 0;
  std::optional<Fault> first_stop;
  const auto at_run = [&](std::size_t run) {
    std::vector<double> values(swept.size());
    for (std::size_t k = swept.size(); k-- > 0; run /= swept[k].values.size())
      values[k] = swept[k].values[run % swept[k].values.size()];
    return values;
  };
  for (std::size_t run = 0; run < runs; ++run) {
    const std::vector<double> values = at_run(run);
    MechanismChoice each = choice;
    std::string where;
    for (std::size_t k = 0; k < swept.size(); ++k) {
      each.settings.push_back(fmt::format("{}={}", swept[k].name, values[k]));
      where += fmt::format("{}{} = {}", k == 0 ? "" : ", ", swept[k].name, print_number(values[k]));
    }
    const auto mechanism = read_mechanism(each, run == 0);
    const auto with_place = [&](Faults faults) {
      for (Fault& fault : faults) fault.what += fmt::format(" ({})", where);
      return faults;
    };
    if (!mechanism) return complain(with_place(mechanism.faults()), exit_bad_input);
    MechanismRunArguments times_wanted;
    times_wanted.time = time, times_wanted.every = every;
    const auto times = read_run_times(times_wanted, mechanism->description.run);
    if (!times) return complain(times.faults(), exit_bad_input);
    if (!table) {
      name = mechanism->description.name;
      Faults none;
      const std::vector<MechanismColumns> groups = columns_of(*mechanism, of, none);
      if (!none.empty()) return complain(with_place(none), exit_impossible);
      std::vector<std::string> header;
      for (const SweptParameter& parameter : swept) header.push_back(parameter.name);
      header.insert(header.end(), {"finished", "end_time"});
      for (const std::string& column : header_of(groups, false))
        for (const char* what : {"least", "most", "end"}) header.push_back(fmt::format("{}.{}", column, what));
      table.emplace(output, json, header, false, [&](JsonWriter& writer) { writer.field("mechanism", name); });
      if (!table->faults().empty()) return complain(table->faults(), exit_not_written);
    }
    ColumnSpans spans;
    const auto end = run_once(*mechanism, of, *times, spans);
    if (!end) return complain(with_place(end.faults()), exit_impossible);
    const std::size_t columns = table->width() - swept.size() - 2;
    std::vector<double> row = values;
    row.insert(row.end(), {end->finished ? 1.0 : 0.0, end->t});
    for (std::size_t k = 0; 3 * k < columns; ++k)
      for (const std::vector<double>* of_column : {&spans.least, &spans.most, &spans.last})
        row.push_back(k < of_column->size() ? (*of_column)[k] : std::nan(""));
    if (!end->finished && ++unfinished == 1)
      first_stop = Fault{{},
                         where,
                         std::string(run_stop(end->stop).rule),
                         fmt::format("at {} s {}", format_number(end->t, 8), end->why),
                         std::string(run_stop(end->stop).remedy)};
    if (!table->row(row, Gaps::no_value)) return table->complain_unwritten();
  }
  if (!table->finish_rows(true)) return table->complain_unwritten();
  if (json) {
    JsonWriter& writer = table->begin_summary(output);
    writer.field("row_count", static_cast<long long>(runs));
    writer.field("unfinished", static_cast<long long>(unfinished));
    writer.end_object();
    if (const int code = finish_json(writer); code != exit_done) return code;
  } else if (!table->is_standard()) {
    std::cout << fmt::format("{}: {} of {}{}\n", name, how_many(static_cast<long long>(runs), "run"), of,
                             table->arrow());
  }
  if (first_stop && unfinished > 1)
    first_stop->what += fmt::format("; and {} more", how_many(static_cast<long long>(unfinished) - 1, "run"));
  return first_stop ? complain({*first_stop}, exit_impossible) : json ? exit_done : finish_standard_output();
}

}  // namespace torsor
