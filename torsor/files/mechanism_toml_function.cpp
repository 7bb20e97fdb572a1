// Functions of time in mechanism files: a number, a formula, or one of the kinds of time_function.hpp.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <sstream>

#include "torsor/text/csv_reader.hpp"
#include "torsor/files/mechanism_toml_blocks.hpp"
#include "torsor/text/number.hpp"
#include "torsor/text/suggest.hpp"
#include "torsor/files/time_expression.hpp"
#include "torsor/text/utf8.hpp"
#include "torsor/trajectory/time_law.hpp"

namespace torsor::detail {
namespace {

TimeFunction scaled(TimeFunction f, const UnitSuffix& suffix) {
  const double scale = suffix.times / suffix.by;
  return !f || scale == 1 ? f : scaled_in_time(std::move(f), scale);
}

TimeFunction read_formula(TomlTable& table, std::string_view key, std::string_view variable) {
  const auto text = table.text(key);
  if (!text) return {};
  auto f = read_time_expression(*text, variable);
  if (f) return *std::move(f);
  const Fault& error = f.faults().front();
  table.fault(key, error.rule, error.what, error.remedy);
  return {};
}

double needed(TomlTable& table, std::string_view key, std::string_view remedy) {
  const auto x = table.number(key);
  if (!table.has(key)) table.missing(key, std::string(remedy));
  return x.value_or(0);
}

TimeFunction read_harmonic(TomlTable& table) {
  const std::size_t before = table.fault_count();
  const double mean = table.number("mean").value_or(0), amplitude = needed(table, "amplitude", "give the half swing"),
               frequency = needed(table, "frequency", "give periods per second");
  const double phase = table.number("phase", units::angle).value_or(0);
  if (table.fault_count() != before) return {};
  return harmonic_in_time(mean, amplitude, frequency, phase);
}

TimeFunction read_law_in_time(TomlTable& table) {
  const std::size_t before = table.fault_count();
  Words<const TimeLaw<double>*> laws;
  for (const TimeLaw<double>& law : time_laws<double>) laws.emplace_back(law.name, &law);
  laws.emplace_back("cycloid", find_time_law("cycloidal"));  // as the curve is called
  const auto law = table.word("law", laws, "time-law");
  const double from = table.number("from").value_or(0), to = needed(table, "to", "give the value at the end");
  const double start = table.number("start").value_or(0), end = needed(table, "end", "give the second it ends at");
  const double ramp = table.number("ramp").value_or(0);
  if (table.fault_count() != before) return {};
  if (!(end > start)) {
    table.fault("end", "law-times",
                fmt::format("it ends at {} s and starts at {} s", print_number(end), print_number(start)),
                "give an end behind the start");
    return {};
  }
  const bool ramps = (*law)->shape.ramp() > 0;
  if (table.has("ramp") && (!ramps || !(ramp > 0) || 2 * ramp > end - start)) {
    table.fault("ramp", "law-ramp",
                ramps ? fmt::format("it is {} s of {} s", print_number(ramp), print_number(end - start))
                      : fmt::format("a {} law has no cruise", (*law)->name),
                ramps ? "give each ramp a part of the time, half of it at most" : "leave it out");
    return {};
  }
  return law_in_time((*law)->name, from, to, start, end, ramp);
}

enum class TableEnds { parabola, periodic };

struct Samples {
  std::vector<double> t, f;
};

/// Two columns of a CSV file.
std::optional<Samples> samples_of_csv(TomlTable& table, const std::string& name, const MechanismSources& sources) {
  const auto column = table.text("column");
  if (!sources.text) {
    table.fault("table", "file-read", fmt::format("the file \"{}\" cannot be read here", excerpt(name)),
                "give the points: table = [[0, 0], [1, 0.5], ...]");
    return std::nullopt;
  }
  const Result<std::string> text = sources.text(name);
  if (!text) {
    const Fault& error = text.faults().front();
    table.fault("table", error.rule, fmt::format("\"{}\": {}", excerpt(name), error.what), error.remedy);
    return std::nullopt;
  }
  std::istringstream in(*text);
  CsvReader csv(in, name);
  const auto& header = csv.header();
  int value = 1;
  if (column) value = static_cast<int>(std::ranges::find(header, *column) - header.begin());
  if (csv.ok() && value >= static_cast<int>(header.size())) {
    table.fault(column ? "column" : "table", "csv-column",
                column ? fmt::format("\"{}\" has no column \"{}\"", excerpt(name), excerpt(*column))
                       : fmt::format("\"{}\" has one column only", excerpt(name)),
                fmt::format("{} it has {}", column ? did_you_mean(*column, header) : "", fmt::join(header, ", ")));
    return std::nullopt;
  }
  Samples samples;
  if (csv.ok()) {
    const std::array<int, 2> columns{0, value};
    csv.select(columns);
    std::array<double, 2> row{};
    while (csv.next(row)) samples.t.push_back(row[0]), samples.f.push_back(row[1]);
  }
  if (csv.ok()) return samples;
  for (const Fault& error : csv.faults())
    table.fault("table", error.rule, fmt::format("\"{}\", line {}: {}", excerpt(name), error.where.line, error.what),
                error.remedy);
  return std::nullopt;
}

TimeFunction read_samples(TomlTable& table, const MechanismSources& sources, const FunctionOf& of) {
  const auto ends =
      table.word<TableEnds>("ends", {{"parabola", TableEnds::parabola}, {"periodic", TableEnds::periodic}})
          .value_or(TableEnds::parabola);
  const std::string_view key = of.of_angle && table.has("table_deg") ? "table_deg" : "table";
  Samples samples;
  if (table.is_array(key)) {
    if (table.has("column")) table.fault("column", "csv-column", "these points have no named columns", "leave it out");
    const auto rows = table.matrix(key);
    if (!rows) return {};
    if (!rows->empty() && rows->front().size() != 2) {
      table.fault(key, "array-length", fmt::format("its rows have {} numbers", rows->front().size()),
                  "give points: [[0, 0], [1, 0.5], ...]");
      return {};
    }
    for (const auto& row : *rows) samples.t.push_back(row[0]), samples.f.push_back(row[1]);
  } else {
    const auto name = table.text(key);
    if (!name) return {};
    auto read = samples_of_csv(table, *name, sources);
    if (!read) return {};
    samples = *std::move(read);
  }
  if (key == "table_deg")
    for (double& x : samples.t) x = x / 180 * std::numbers::pi;
  const std::size_t least = ends == TableEnds::periodic ? 3 : 4;
  if (samples.t.size() < least) {
    table.fault(key, "table-points", fmt::format("it has {} points", samples.t.size()),
                fmt::format("give {} at least", least));
    return {};
  }
  for (std::size_t i = 1; i < samples.t.size(); ++i)
    if (!(samples.t[i] > samples.t[i - 1])) {
      table.fault(key, "table-order",
                  fmt::format("{} comes after {}", print_number(samples.t[i]), print_number(samples.t[i - 1])),
                  "give the points in rising order");
      return {};
    }
  if (ends == TableEnds::parabola) return table_in_time(std::move(samples.t), std::move(samples.f));
  if (samples.f.front() != samples.f.back()) {
    table.fault(key, "table-periodic",
                fmt::format("it begins with {} and ends with {}", print_number(samples.f.front()),
                            print_number(samples.f.back())),
                "end a periodic table with the value it begins with");
    return {};
  }
  return periodic_table_in_time(samples.t, samples.f);
}

TimeFunction read_kind_of_function(TomlTable& table, const MechanismSources& sources, const FunctionOf& of) {
  std::vector<std::pair<std::string_view, Unit>> kinds{{"polynomial", units::plain},
                                                       {"harmonic", units::plain},
                                                       {"law", units::plain},
                                                       {"table", units::plain},
                                                       {"expression", units::plain}};
  if (of.of_angle) kinds.push_back({"table_deg", units::plain});
  if (table.at_most_one(kinds) == 0)
    table.fault("", "function-kind", "it says nothing of the function",
                "give polynomial, harmonic, law, table or expression");
  TimeFunction f;
  if (const auto c = table.numbers("polynomial")) f = polynomial_in_time(*c);
  table.table("harmonic", [&](TomlTable& t) { f = read_harmonic(t); });
  if (table.has("law")) f = read_law_in_time(table);
  if (table.has("table") || (of.of_angle && table.has("table_deg"))) f = read_samples(table, sources, of);
  if (table.has("expression")) f = read_formula(table, "expression", of.variable);
  return f;
}

}  // namespace

bool has_function(TomlTable& table, std::string_view key, Unit unit) {
  return std::ranges::any_of(unit, [&](const UnitSuffix& s) { return table.has(fmt::format("{}{}", key, s.text)); });
}

TimeFunction read_function(TomlTable& table, std::string_view key, Unit unit, const MechanismSources& sources,
                           const FunctionOf& of) {
  // the unit is that of what comes out: the numbers inside are seconds, too
  std::vector<std::string> spellings;
  for (const UnitSuffix& suffix : unit) spellings.push_back(fmt::format("{}{}", key, suffix.text));
  std::vector<std::pair<std::string_view, Unit>> ways;
  for (const std::string& spelling : spellings) ways.push_back({spelling, units::plain});
  table.at_most_one(ways);
  for (std::size_t k = 0; k < unit.size(); ++k) {
    const std::string& spelling = spellings[k];
    if (!table.has(spelling)) continue;
    const std::size_t before = table.fault_count();
    TimeFunction f;
    if (table.is_table(spelling))
      table.table(spelling, [&](TomlTable& t) { f = read_kind_of_function(t, sources, of); });
    else if (table.is_text(spelling))
      f = read_formula(table, spelling, of.variable);
    else if (const auto c = table.number(spelling))
      f = constant_in_time(*c);
    if (!f || table.fault_count() != before) return {};
    const TimeValue start = f(0);
    if (of.variable == "t" && !(std::isfinite(start.f) && std::isfinite(start.fd) && std::isfinite(start.fdd))) {
      table.fault(spelling, "function-finite", "it or a derivative of it is not finite at t = 0",
                  "give a function that is smooth from the start");
      return {};
    }
    return scaled(std::move(f), unit[k]);
  }
  return {};
}

}  // namespace torsor::detail
