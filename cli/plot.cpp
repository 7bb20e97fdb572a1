// torsor plot FILE: the columns of any CSV motion or result as curves, on a page or in a drawing that need nothing but
// themselves. The file is read once, in memory that does not grow with it.
#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <filesystem>
#include <iostream>
#include <iterator>
#include <limits>
#include <utility>

#include "cli/column_choice.hpp"
#include "cli/column_groups.hpp"
#include "cli/files.hpp"
#include "cli/print.hpp"
#include "cli/progress.hpp"
#include "torsor/io/csv_reader.hpp"
#include "torsor/io/svg_file.hpp"
#include "torsor/io/thinned_series.hpp"

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
  return Error{{},
               fmt::format("--output \"{}\"", *a.output),
               "plot-format",
               a.svg ? "does not end in .svg" : "ends neither in .html nor in .svg",
               "a plot is a page (.html) or a drawing (.svg)"};
}

// one column as it passes: its curve, and the numbers of its ends and extremes
struct Curve {
  std::string name;
  ThinnedSeries points;
  double first = 0, last = 0, least = 0, least_at = 0, greatest = 0, greatest_at = 0;

  void push(double x, double y, bool is_first) {
    points.push(x, y);
    last = y;
    if (is_first) first = y;
    if (is_first || y < least) least = y, least_at = x;
    if (is_first || y > greatest) greatest = y, greatest_at = x;
  }
};

struct Curves {
  std::string x;  // the name of its axis
  std::vector<Curve> all;
  std::int64_t rows = 0;
};

// reads to the end; rows with faults are left out, and leave gaps
Curves read_curves(CsvReader& reader, const ColumnChoice& choice, std::optional<std::int64_t> size) {
  Curves curves;
  curves.x = choice.x ? reader.header()[static_cast<std::size_t>(*choice.x)] : "row";
  // as fine as the memory for all of them allows
  const std::size_t runs =
      std::clamp(std::bit_floor(std::size_t{32768} / choice.y.size()), std::size_t{128}, std::size_t{1024});
  for (const int column : choice.y)
    curves.all.push_back({reader.header()[static_cast<std::size_t>(column)], ThinnedSeries(runs)});

  std::vector<int> selected = choice.y;
  if (choice.x) selected.push_back(*choice.x);
  reader.select(selected);
  std::vector<double> row(selected.size());
  constexpr double gap = std::numeric_limits<double>::quiet_NaN();
  std::int64_t faults = reader.fault_count();
  for (Progress progress(size); reader.next(row); progress.update(reader.bytes(), curves.rows)) {
    const bool broken = std::exchange(faults, reader.fault_count()) != reader.fault_count();
    const double x = choice.x ? row.back() : static_cast<double>(curves.rows + 1);
    for (std::size_t k = 0; k < curves.all.size(); ++k) {
      if (broken && curves.rows > 0) curves.all[k].points.push(gap, gap);
      curves.all[k].push(x, row[k], curves.rows == 0);
    }
    ++curves.rows;
  }
  return curves;
}

SvgPlot plot_of(std::string title, std::string quantity, const Curves& curves, const std::vector<int>& columns) {
  SvgPlot plot{
      std::move(title), "", {curves.x, "", false, {}, {}}, {std::move(quantity), "", false, {}, {}}, {}, {}, {}};
  for (const int column : columns) {
    const Curve& curve = curves.all[static_cast<std::size_t>(column)];
    plot.series.push_back({curve.name, curve.points.x(), curve.points.y()});
  }
  // a curve alone is named by the title
  if (columns.size() == 1) plot.y.label = plot.series.front().name = "";
  return plot;
}

// a picture for each quantity, or with --separate for each column
std::vector<SvgPlot> plots_of(const ColumnGroup& group, const Curves& curves, bool separate) {
  if (!separate) return {plot_of(group.title, group.quantity, curves, group.columns)};
  std::vector<SvgPlot> plots;
  for (const int column : group.columns)
    plots.push_back(plot_of(curves.all[static_cast<std::size_t>(column)].name, "", curves, {column}));
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

TextTable summary_table(const Curves& curves, const PrintArguments& print) {
  const auto number = [&print](const std::string& name) { return column(name, "", print); };
  const std::string at = "at " + curves.x;
  TextTable table{
      "",
      {number("column"), number("first"), number("last"), number("least"), number(at), number("greatest"), number(at)},
      {}};
  for (const Curve& c : curves.all)
    table.add({c.name, c.first, c.last, c.least, c.least_at, c.greatest, c.greatest_at});
  return table;
}

Report report_of(const PlotArguments& a, const std::string& title, const std::vector<ColumnGroup>& groups,
                 const Curves& curves, std::int64_t faults) {
  Report report{title, size_of(curves), {}, {}, {}};
  if (faults > 0)
    report.section("").text(
        fmt::format("The file has {}: the rows concerned are left out, and leave gaps.", counted(faults, "fault")),
        Tone::bad);
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
  report.section("Numbers").table(summary_table(curves, a.print));
  report.footer = "Made by torsor plot.";
  return report;
}

std::optional<int> write_drawing(const PlotArguments& a, const Target& target, const std::vector<ColumnGroup>& groups,
                                 const Curves& curves) {
  std::vector<SvgPlot> plots;
  for (const ColumnGroup& group : groups)
    for (SvgPlot& plot : plots_of(group, curves, a.separate)) plots.push_back(std::move(plot));
  OutputFile file(target.path);
  if (file.errors().empty())
    write_svg_file(a.title.value_or(""), plots, a.separate && plots.size() > 1 ? 2 : 1, file.stream());
  if (file.finish()) return std::nullopt;
  return complain(file.errors(), exit_not_written);
}

int print_summary(const PlotArguments& a, const std::string& input, const Target& target, const Curves& curves,
                  bool complete) {
  if (a.print.json) {
    JsonWriter json(std::cout);
    json.begin_object().field("input", input).field("output", target.path).field("x", curves.x);
    json.field("row_count", curves.rows).key("columns").begin_array();
    for (const Curve& c : curves.all) {
      json.begin_object().field("name", c.name).field("first", c.first).field("last", c.last);
      json.field("least", c.least).field("least_at", c.least_at);
      json.field("greatest", c.greatest).field("greatest_at", c.greatest_at).end_object();
    }
    json.end_array().field("complete", complete).end_object();
    return finish_json(json);
  }
  if (target.path == "-") return exit_done;
  std::cout << fmt::format("{}: {} -> {}\n\n", input, size_of(curves), target.path)
            << to_text(summary_table(curves, a.print));
  return finish_standard_output();
}

int plot_file(const PlotArguments& a, const Target& target, InputFile& input) {
  CsvReader reader(input.stream(), input.name());
  if (!reader.ok()) return complain(reader.errors(), exit_bad_input);
  const auto choice = choose_columns(reader.header(), a.x, a.columns);
  if (!choice) return complain(choice.errors(), exit_bad_input);

  const Curves curves = read_curves(reader, *choice, input.size());
  if (curves.rows == 0) {
    const Errors errors = reader.errors();
    complain(errors, exit_bad_input);
    const bool text = std::any_of(errors.begin(), errors.end(), [](const Error& e) { return e.rule == "number"; });
    if (text && !a.columns) note("--columns leaves out columns that hold no numbers");
    return exit_bad_input;
  }
  std::vector<std::string> names;
  for (const Curve& curve : curves.all) names.push_back(curve.name);
  const std::vector<ColumnGroup> groups = group_columns(names);
  const std::string title = a.title.value_or(std::filesystem::path(input.name()).filename().string());
  const auto failed = target.svg ? write_drawing(a, target, groups, curves)
                                 : write_page(report_of(a, title, groups, curves, reader.fault_count()), target.path);
  if (failed) return *failed;

  // what came through is drawn, and told before the faults
  const int code = print_summary(a, input.name(), target, curves, reader.ok());
  if (reader.ok() || code != exit_done) return code;
  complain(reader.errors(), exit_bad_input);
  note(fmt::format("the faults leave gaps; drawn: {}", counted(curves.rows, "row")));
  return exit_bad_input;
}

}  // namespace

int plot_verb(Arguments arguments) {
  PlotArguments a;
  Options options("plot", "The columns of any CSV motion or result as curves: a page (HTML) or a drawing (SVG).");
  options.positional("FILE", a.input, "CSV with a header line; - for standard input")
      .text("-o,--output", "FILE", a.output,
            "NAME.html, NAME.svg or - (standard output); default FILE-plot.html beside the file")
      .flag("--svg", a.svg, "a drawing where the name of the output does not say so")
      .text("--x", "COLUMN", a.x, "what runs along the x axis; default t or time, or else the number of the row")
      .text("--columns", "LIST", a.columns,
            "what to draw, separated by commas: columns, or quantities (tau for tau1, tau2, ... or tau.NAME)")
      .flag("--separate", a.separate, "a small plot for each column, not one for each quantity")
      .text("--title", "TEXT", a.title, "heading; default the name of the file");
  a.print.add_to(options);
  options.example("torques.csv", "writes torques-plot.html")
      .example("torques.csv -o torques.svg --columns tau --title \"Joint torques\"", "a figure for a paper")
      .example("motion.csv --x q1 --columns q2", "one joint over another");
  if (const auto code = options.parse(arguments)) return *code;

  const auto target = find_target(a);
  if (!target) return complain(target.errors(), exit_bad_input);
  Errors errors;
  refuse_if(a.print.json && target->path == "-", "--json", "while the plot goes to standard output, too", errors);
  if (!errors.empty()) return complain(errors, exit_bad_input);
  InputFile input(a.input);
  if (!input.errors().empty()) return complain(input.errors(), exit_bad_input);
  if (const Errors same = check_different(a.input, target->path); !same.empty()) return complain(same, exit_bad_input);
  return plot_file(a, *target, input);
}

}  // namespace torsor
