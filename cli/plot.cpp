// torsor plot FILE: the columns of any CSV motion or result as curves, on a page or in a drawing that need nothing but
// themselves.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <iostream>
#include <iterator>
#include <utility>

#include "cli/column_groups.hpp"
#include "cli/curves.hpp"
#include "cli/files.hpp"
#include "cli/print.hpp"
#include "torsor/how_many.hpp"
#include "torsor/report/svg_file.hpp"
#include "torsor/text/utf8.hpp"

namespace torsor {
namespace {

struct PlotArguments {
  std::string input;
  std::optional<std::string> output, x, columns, title;
  bool svg = false, separate = false;
  PrintArguments print;
};

// where the result goes, and as what
struct Target {
  std::string path;
  bool svg = false;
};

Result<Target> find_target(const PlotArguments& a) {
  const std::string ending = a.svg ? ".svg" : ".html";
  if (!a.output) {
    if (a.input == "-") return Target{"-", a.svg};
    const std::filesystem::path input = a.input;
    return Target{(input.parent_path() / (input.stem().string() + "-plot" + ending)).string(), a.svg};
  }
  if (*a.output == "-" || a.output->ends_with(ending)) return Target{*a.output, a.svg};
  if (a.output->ends_with(".svg")) return Target{*a.output, true};
  return fault_of(fmt::format("--output \"{}\"", *a.output), "plot-format",
                  a.svg ? "does not end in .svg" : "ends neither in .html nor in .svg",
                  "a plot is a page (.html) or a drawing (.svg)");
}

SvgPlot plot_of(std::string title, std::string quantity, const std::string& unit, const Curves& curves,
                const std::vector<int>& columns) {
  const ColumnHeading x = plot_heading(curves.x);
  SvgPlot plot{std::move(title), "", {x.name, printed_unit(x.unit)}, {std::move(quantity), printed_unit(unit)}};
  for (const int column : columns) {
    const Curve& curve = curves.all[static_cast<std::size_t>(column)];
    plot.series.push_back({plot_heading(curve.name).name, curve.points.x(), curve.points.y()});
  }
  // a curve alone is named by the title
  if (columns.size() == 1) plot.y.label = plot.series.front().name = "";
  return plot;
}

// a picture for each quantity, or with --separate for each column
std::vector<SvgPlot> plots_of(const ColumnGroup& group, const Curves& curves, bool separate) {
  if (!separate) return {plot_of(group.title, group.quantity, group.unit, curves, group.columns)};
  std::vector<SvgPlot> plots;
  for (const int column : group.columns)
    plots.push_back(plot_of(plot_heading(curves.all[static_cast<std::size_t>(column)].name).name, "", group.unit,
                            curves, {column}));
  return plots;
}

std::string counted(std::int64_t count, const char* what) {
  return fmt::format("{} {}{}", count, what, count == 1 ? "" : "s");
}

// what was drawn: 801 rows, 24 columns over t
std::string size_of(const Curves& curves) {
  return fmt::format("{}, {} over {}", counted(curves.rows, "row"), counted(std::ssize(curves.all), "column"),
                     curves.x);
}

// what is rounding beside the other columns of its quantity is shown as 0, as the other tables do
TextTable summary_table(const Curves& curves, const std::vector<ColumnGroup>& groups, const PrintArguments& print) {
  std::vector<double> noise(curves.all.size(), 0);
  for (const ColumnGroup& group : groups) {
    double largest = 0;
    for (const int k : group.columns) {
      const Curve& c = curves.all[static_cast<std::size_t>(k)];
      largest = std::max({largest, std::abs(c.least), std::abs(c.greatest)});
    }
    for (const int k : group.columns) noise[static_cast<std::size_t>(k)] = rounding_noise * largest;
  }
  const auto number = [&print](const std::string& name) { return column(name, "", print); };
  const std::string at = "at " + curves.x;
  TextTable table{
      "",
      {number("column"), number("first"), number("last"), number("least"), number(at), number("greatest"), number(at)}};
  for (std::size_t k = 0; k < curves.all.size(); ++k) {
    const Curve& c = curves.all[k];
    const auto shown = [&](double x) { return std::abs(x) < noise[k] ? 0 : x; };
    table.add({c.name, shown(c.first), shown(c.last), shown(c.least), c.least_at, shown(c.greatest), c.greatest_at});
  }
  return table;
}

Report report_of(const PlotArguments& a, const std::string& title, const std::vector<ColumnGroup>& groups,
                 const Curves& curves) {
  Report report{title, size_of(curves)};
  if (const std::int64_t faults = curves.faults.count(); faults > 0)
    report.section("").text(fmt::format("The file has {}, where the curves are interrupted.", counted(faults, "fault")),
                            Tone::bad);
  const auto drawn = static_cast<long long>(curves.all.size());
  report.verdict = curves.faults.empty()
                       ? Paragraph{fmt::format("{} drawn over {}; every number of {} was read.",
                                               how_many(drawn, "curve"), curves.x, how_many(curves.rows, "row")),
                                   Tone::good}
                       : Paragraph{fmt::format("{}; the file has faults.", how_many(drawn, "curve")), Tone::warning};
  const bool thinned = curves.all.front().points.thinned();

  // lone columns share a grid, each with an axis of its own
  PlotGrid alone{"", thinned ? "Long curves are thinned; every peak is kept." : "", {}, 3};
  for (const ColumnGroup& group : groups) {
    std::vector<SvgPlot> plots = plots_of(group, curves, a.separate);
    if (group.columns.size() == 1) {
      alone.plots.push_back(std::move(plots.front()));
      continue;
    }
    ReportSection& section = report.section(group.title);
    if (a.separate) {
      section.figure(PlotGrid{"", alone.note, std::move(plots), 3});
    } else {
      plots.front().title.clear();
      plots.front().note = alone.note;
      section.figure(std::move(plots.front()));
    }
  }
  if (!alone.plots.empty()) {
    alone.columns = std::min(3, static_cast<int>(alone.plots.size()));
    report.section(report.sections.size() > 1 ? "Others" : "Curves").figure(std::move(alone));
  }
  report.section("Numbers").table(summary_table(curves, groups, a.print));
  report.footer = "Made by torsor plot.";
  return report;
}

std::optional<int> write_drawing(const PlotArguments& a, const Target& target, const std::vector<ColumnGroup>& groups,
                                 const Curves& curves) {
  std::vector<SvgPlot> plots;
  for (const ColumnGroup& group : groups)
    for (SvgPlot& plot : plots_of(group, curves, a.separate)) plots.push_back(std::move(plot));
  OutputFile file(target.path);
  if (file.faults().empty())
    write_svg_file(a.title.value_or(""), plots, a.separate && plots.size() > 1 ? 2 : 1, file.stream());
  if (file.finish()) return std::nullopt;
  return complain(file.faults(), exit_not_written);
}

int print_summary(const PlotArguments& a, const std::string& input, const Target& target, const Curves& curves,
                  const std::vector<ColumnGroup>& groups) {
  if (a.print.json) {
    JsonWriter json(std::cout);
    json.begin_object().field("input", input).field("output", target.path).field("x", curves.x);
    json.field("row_count", curves.rows).key("columns").begin_array();
    for (const Curve& c : curves.all) {
      json.begin_object().field("name", c.name).field("first", c.first).field("last", c.last);
      json.field("least", c.least).field("least_at", c.least_at);
      json.field("greatest", c.greatest).field("greatest_at", c.greatest_at).field("gaps", curves.gaps(c)).end_object();
    }
    json.end_array();
    field(json, "skipped", curves.skipped);
    json.field("complete", curves.faults.empty()).end_object();
    return finish_json(json);
  }
  if (target.path == "-") return exit_done;
  std::cout << printable(fmt::format("{}: {} -> {}", input, size_of(curves), target.path)) << "\n\n"
            << to_text(summary_table(curves, groups, a.print));
  if (!target.svg) say_page(target.path);
  return finish_standard_output();
}

// how the file was read, where that is not plain to see
void say_notes(const CsvReader& reader, const Curves& curves) {
  if (!reader.made_up_names().empty())
    note(fmt::format("columns without a name of their own in the first line: {}", first_few(reader.made_up_names())));
  for (const std::string& sentence : curves.sentences) note(sentence);
  std::vector<std::string> broken;
  for (const Curve& curve : curves.all)
    if (curves.gaps(curve) > 0)
      broken.push_back(fmt::format("{} ({})", excerpt(curve.name), counted(curves.gaps(curve), "row")));
  if (!broken.empty()) note(fmt::format("interrupted where there is no number: {}", first_few(broken)));
}

// a file without numbers may be any file, whose contents are not for the screen
std::string without_contents(const std::string& sentence) {
  const std::size_t first = sentence.find('"'), last = sentence.rfind('"');
  return first == last ? sentence : sentence.substr(0, first) + "\"...\"" + sentence.substr(last + 1);
}

// whether any row has one
bool holds_numbers(CsvReader& reader) {
  std::vector<double> row(reader.header().size());
  std::vector<FaultLog> logs(row.size());
  while (reader.next(row, logs))
    if (!std::ranges::all_of(row, [](double x) { return std::isnan(x); })) return true;
  return false;
}

int complain_of_no_numbers(Faults faults, const std::string& file, std::int64_t rows = 0) {
  for (Fault& fault : faults) {
    fault.offender = without_contents(fault.offender);
    fault.what = without_contents(fault.what);
  }
  if (rows > 0 || faults.empty())
    faults.push_back({{file, 0}, "", "plot-numbers", "no row has a number to draw", "rows of numbers are needed"});
  return complain(faults, exit_bad_input);
}

int plot_file(const PlotArguments& a, const Target& target, InputFile& input) {
  constexpr std::size_t told = 5;
  CsvReader reader(input.stream(), input.name(), CsvNames::made_up);
  if (!reader.ok()) return complain(reader.faults(), exit_bad_input);
  const auto choice = choose_columns(reader.header(), a.x, a.columns);
  if (!choice && !holds_numbers(reader)) return complain_of_no_numbers({}, input.name());
  if (!choice) return complain(choice.faults(), exit_bad_input);

  const Curves curves = read_curves(reader, *choice, !a.x, input.size());
  if (curves.all.empty()) return complain_of_no_numbers(curves.faults.faults(told), input.name(), curves.rows);
  std::vector<std::string> names;
  for (const Curve& curve : curves.all) names.push_back(curve.name);
  const std::vector<ColumnGroup> groups = group_columns(names);
  const std::string title = a.title.value_or(std::filesystem::path(input.name()).filename().string());
  const auto failed = target.svg ? write_drawing(a, target, groups, curves)
                                 : write_page(report_of(a, title, groups, curves), target.path);
  if (failed) return *failed;

  // what came through is drawn, and told before the faults
  const int code = print_summary(a, input.name(), target, curves, groups);
  if (code != exit_done) return code;
  complain(curves.faults.faults(told), exit_bad_input);
  say_notes(reader, curves);
  return curves.faults.empty() ? exit_done : exit_bad_input;
}

}  // namespace

int plot_verb(Arguments arguments) {
  PlotArguments a;
  Options options("plot", "The columns of any CSV motion or result as curves: a page (HTML) or a drawing (SVG).");
  options.positional("FILE", a.input, "CSV, best with a header line; - for standard input")
      .writes("-o,--output", "FILE", a.output,
              "NAME.html, NAME.svg or - (standard output); default FILE-plot.html beside the file")
      .flag("--svg", a.svg, "a drawing where the name of the output does not say so")
      .text("--x", "COLUMN", a.x,
            "what runs along the x axis; default the time (t, time, t (ms), ...), or else the number of the row")
      .text("--columns", "LIST", a.columns,
            "what to draw, separated by commas: columns, with or without their units, or quantities (tau for tau1, "
            "tau2, ... or "
            "tau.NAME)")
      .flag("--separate", a.separate, "a small plot for each column, not one for each quantity")
      .text("--title", "TEXT", a.title, "heading; default the name of the file");
  a.print.add_to(options);
  options.example("torques.csv", "writes torques-plot.html")
      .example("torques.csv -o torques.svg --columns tau --title \"Joint torques\"", "a figure for a paper")
      .example("motion.csv --x q1 --columns q2", "one joint over another");
  if (const auto code = options.parse(arguments)) return *code;

  const auto target = find_target(a);
  if (!target) return complain(target.faults(), exit_bad_input);
  Faults errors;
  refuse_if(a.print.json && target->path == "-", "--json", "while the plot goes to standard output, too", errors);
  if (!errors.empty()) return complain(errors, exit_bad_input);
  if (!a.output && !(errors = options.also_writes(target->path)).empty()) return complain(errors, exit_bad_input);
  InputFile input(a.input);
  if (!input.faults().empty()) return complain(input.faults(), exit_bad_input);
  return plot_file(a, *target, input);
}

}  // namespace torsor
