// torsor roundtrip ROBOT MOTION: inverse dynamics and back. Torques along a motion, as a function or as samples with an
// interpolation, drive the robot from the start of the motion, and the table says how far from its target the tool ends.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <iostream>

#include "cli/files.hpp"
#include "cli/limit_report.hpp"
#include "cli/print.hpp"
#include "cli/progress.hpp"
#include "cli/robot_argument.hpp"
#include "cli/simulation_arguments.hpp"
#include "cli/trip_argument.hpp"
#include "torsor/report/column_curves.hpp"
#include "torsor/report/robot_summary.hpp"
#include "torsor/report/robot_view.hpp"
#include "torsor/simulate/roundtrip.hpp"
#include "torsor/text/result_json.hpp"
#include "torsor/text/result_table.hpp"
#include "torsor/simulate/simulation_result.hpp"

namespace torsor {
namespace {

struct RoundtripArguments {
  RobotArgument robot;
  std::string motion;
  std::optional<std::string> variant, interpolation, output, page;
  std::optional<std::vector<double>> samples;
  SolutionArguments solution;
  SimulationArguments simulation;
  LimitArguments limits;
  PrintArguments print;
};

/// What a publication says of its own way back.
struct Quoted {
  std::string_view robot, what;
  double position_error;  // m
};
constexpr Quoted quoted_results[] = {
    {"sixr_sim", "Sim, Yoo & Lee 1985, section 6: spline functions for the torques, their knots not stated", 0.15e-3}};

const Quoted* find_quoted(const std::string& robot, const std::string& motion) {
  const std::string stem = std::filesystem::path(robot).stem().string();
  for (const Quoted& q : quoted_results)
    if (stem == q.robot && motion == q.robot) return &q;
  return nullptr;
}

/// Which ways back: the one asked for, or all rules with growing numbers of samples.
Result<std::vector<RoundTripInput>> read_inputs(const RoundtripArguments& a) {
  Faults errors;
  std::vector<int> numbers{51, 101, 201, 401, 801, 1601};
  if (a.samples) {
    numbers.clear();
    for (const double x : *a.samples) {
      if (x >= 2 && x <= 1e6 && x == std::floor(x))
        numbers.push_back(static_cast<int>(x));
      else
        errors.push_back(fault_of("--samples", "option-value", fmt::format("{} is not allowed", x),
                                  "give whole numbers from 2 to 1000000"));
    }
  }
  std::vector<RoundTripInput> inputs;
  const std::string word = a.interpolation.value_or("all");
  const bool all = word == "all";
  refuse_if(a.samples && word == "exact", "--samples", "with --interpolation exact", errors);
  if (all || word == "exact") inputs.push_back({});
  for (const Interpolation rule : {Interpolation::hold, Interpolation::linear, Interpolation::cubic})
    for (const bool pieces : {false, true})
      if (const std::string full = std::string(name(rule)) + (pieces ? "-pieces" : "");
          (all && (!pieces || rule == Interpolation::cubic)) || word == full)
        for (const int n : numbers) inputs.push_back({rule, n, pieces});
  if (inputs.empty() && errors.empty())
    errors.push_back(fault_of(fmt::format("--interpolation \"{}\"", word), "option-value", "there is no such rule",
                              "use exact, hold, linear, cubic, one of these with -pieces, or all"));
  if (!errors.empty()) return errors;
  return inputs;
}

struct Row {
  RoundTripInput input;
  RoundTrip trip;
};

TextTable error_table(const std::vector<Row>& rows, const Model<double>& model, const Quoted* source) {
  std::vector<RoundTripRow> shown;
  for (const auto& [input, trip] : rows) shown.push_back(round_trip_row(input, trip, model));
  if (source) {
    RoundTripRow& published = shown.emplace_back();
    published.interpolation = "as published";
    published.position_error = source->position_error;
  }
  return table_of<RoundTripRow>("the tool at the end", shown,
                                {{"interpolation", "torques"}, "samples", "position_error", "orientation_error",
                                 {"largest_position_error", "largest on the way"}, "steps", "end"});
}

/// Why even the exact torques end elsewhere, where they do.
std::string instability(const std::vector<Row>& rows, const Trajectory& motion) {
  constexpr double far = 1e-4;  // m
  for (const auto& [input, trip] : rows)
    if (!input.interpolation && (trip.end || trip.end.kind == EndKind::lost) && trip.position_error > far &&
        trip.tenfold_time > 0)
      return fmt::format(
          "the open loop is unstable: along this motion an error grows tenfold every {} s, {:.0e} times in {:.4g} s, "
          "so "
          "that rounding alone leads the exact torques astray; a control law closes the loop (torsor control)",
          format_number(trip.tenfold_time, 2), std::pow(10, motion.duration() / trip.tenfold_time), motion.duration());
  return {};
}

/// How near the best and the worst of the torques lead.
Paragraph trip_verdict(const std::vector<Row>& rows) {
  const Row *best = nullptr, *worst = nullptr;
  for (const Row& row : rows) {
    if (!row.trip.end) return {fmt::format("{} did not come to the end.", describe(row.input)), Tone::bad};
    if (!best || row.trip.position_error < best->trip.position_error) best = &row;
    if (!worst || row.trip.position_error > worst->trip.position_error) worst = &row;
  }
  if (!best) return {};
  const auto told = [](const Row& row) {
    return fmt::format("{} mm with {}", format_number(1e3 * row.trip.position_error, 3), describe(row.input));
  };
  if (best == worst) return {fmt::format("The tool ends {} from where it should.", told(*best)), Tone::plain};
  return {fmt::format("The tool ends {} from where it should, and {}.", told(*best), told(*worst)), Tone::plain};
}

/// Our drawing of the torques, exact and as the named samples give them, and of where the tool goes.
Report page(const Model<double>& model, const Frame<double>& tool, const NamedMotion& trip,
            const std::vector<Row>& rows, const Quoted* source, const SimulationRules& rules) {
  Report report{fmt::format("{}: there and back along {}", model.name, trip.name),
                "Torques by inverse dynamics drive a forward simulation from the start of the motion: an open loop.",
                "Made by torsor roundtrip."};
  for (const auto& [input, result] : rows)
    if (!input.interpolation && result.end)
      report.highlights.push_back({"exact torque function", format_number(1e3 * result.position_error, 3), "mm", ""});
  if (source)
    report.highlights.push_back(
        {"published", format_number(1e3 * source->position_error, 3), "mm", std::string(source->what)});
  ReportSection& errors = report.section("Error of the tool");
  errors.table(error_table(rows, model, source));
  if (const std::string why = instability(rows, trip.motion); !why.empty()) errors.text(why + ".");

  const TorqueSamples samples = sample_torques(model, trip.motion, 801, true);
  const auto nv = static_cast<std::size_t>(model.nv);
  RobotMotion motion;
  std::vector<double> q(static_cast<std::size_t>(model.nq)), qd(nv), qdd(nv);
  for (std::size_t i = 0; i < samples.t.size(); ++i) {
    trip.motion.sample(samples.t[i], q, qd, qdd);
    motion.add(samples.t[i], q, std::span(samples.tau).subspan(i * nv, nv));
  }
  errors.figure(robot_view(model, "The motion that is asked for", motion));
  report.verdict = trip_verdict(rows);

  ReportSection& torques = report.section("Torques along the motion");
  const std::vector<CoordinateKind> kinds = velocity_kinds(model);
  if (source) torques.text("Actuators 2 and 3 are those of figures 6 and 7 of the publication.");
  PlotGrid grid{"Torque of each actuator", "", {}, static_cast<int>(std::clamp<std::size_t>(nv, 1, 3))};
  for (std::size_t k = 0; k < nv; ++k) {
    std::vector<double> y;
    for (std::size_t i = 0; i < samples.t.size(); ++i) y.push_back(samples.tau[i * nv + k]);
    std::string title = fmt::format("{} {}", k + 1, model.velocity_names[k]);
    if (source && (k == 1 || k == 2)) title += fmt::format(", figure {} of the publication", k + 5);
    grid.plots.push_back(SvgPlot{std::move(title),
                                 "",
                                 {"time", "s"},
                                 {"torque", std::string(torque_unit(kinds[k]))},
                                 {{"", samples.t, std::move(y)}}});
  }
  torques.figure(std::move(grid));

  // the way of the tool, and how it leaves the one it should go
  SvgPlot way{"Distance of the tool from where it should be", "", {"time", "s"}, {"distance", "m", true, {}, {}}};
  for (const auto& [input, result] : rows) {
    if (way.series.size() == 8) break;
    PlotSeries series{describe(input), {}, {}};
    SimulationRules close = rules;
    close.every = trip.motion.duration() / 300;
    roundtrip(model, tool, trip.motion, input, close,
               [&](double t, const Transform<double>& X, const Transform<double>& wanted) {
                 const Vec3<double> off = X.p - wanted.p;
                 series.x.push_back(t);
                 series.y.push_back(std::sqrt(dot(off, off)));
               });
    way.series.push_back(std::move(series));
  }
  report.section("The tool on its way").figure(std::move(way));
  return report;
}

/// What the motion asks for beyond the limits of the robot file, which a round trip does not mind.
LimitWatch watch_limits(const Model<double>& model, const Trajectory& motion) {
  constexpr int instants = 801;
  const TorqueSamples samples = sample_torques(model, motion, instants, false);
  const auto nv = static_cast<std::size_t>(model.nv);
  std::vector<double> q(static_cast<std::size_t>(model.nq)), qd(nv), qdd(nv);
  LimitWatch watch(model);
  for (std::size_t i = 0; i < samples.t.size(); ++i) {
    motion.sample(samples.t[i], q, qd, qdd);
    watch.add(samples.t[i], {q, qd, qdd, std::span(samples.tau).subspan(i * nv, nv)});
  }
  return watch;
}

int roundtrip(const RoundtripArguments& a, const Robot& robot, const Frame<double>& tool, const NamedMotion& trip,
              const std::vector<RoundTripInput>& inputs, SimulationRules rules) {
  const Model<double>& model = robot.model();
  rules.every = trip.motion.duration() / 100;
  std::vector<Row> rows;
  // in hundredths of a way back
  constexpr std::int64_t parts = 100;
  const auto total = parts * static_cast<std::int64_t>(inputs.size());
  std::optional<Progress> progress(std::in_place, total);
  for (const RoundTripInput& input : inputs) {
    const auto before = parts * static_cast<std::int64_t>(rows.size());
    rows.push_back({input, roundtrip(model, tool, trip.motion, input, rules,
                                     [&](double t, const Transform<double>&, const Transform<double>&) {
                                       const double part = std::clamp(t / trip.motion.duration(), 0.0, 1.0);
                                       progress->update_slow(before + static_cast<std::int64_t>(parts * part),
                                                        static_cast<std::int64_t>(rows.size()));
                                     })});
    // said at once: the others may take their time, and lead no better
    if (rows.size() == 1 && inputs.size() > 1 && !instability(rows, trip.motion).empty()) {
      progress.reset();
      note(fmt::format("the open loop is unstable: the exact torques lead astray already, {} other ways back follow",
                       inputs.size() - 1));
      progress.emplace(total);
    }
  }
  progress.reset();
  const Quoted* source = find_quoted(a.robot.name, a.motion);
  const LimitWatch watch = watch_limits(model, trip.motion);

  if (a.page) {
    Report report = page(model, tool, trip, rows, source, rules);
    if (!watch.kept()) {
      ReportSection& section = report.section("Limits");
      for (const std::string& sentence : limit_sentences(watch, InstantsBy::time, a.print.degrees))
        section.text(sentence + ".", Tone::bad);
    }
    describe_robot(report, robot, a.print);
    if (const auto code = write_page(report, *a.page)) return *code;
  }
  if (a.print.json) {
    JsonWriter json(std::cout);
    json.begin_object().field("robot", model.name).field("motion", trip.name).field("tool", tool.name);
    json.field("duration", trip.motion.duration()).field("integrator", rules.integrator);
    json.key("rows").begin_array();
    for (const auto& [input, result] : rows) write_json(json, round_trip_row(input, result, model));
    json.end_array();
    if (source)
      json.key("published")
          .begin_object()
          .field("position_error", source->position_error)
          .field("source", source->what)
          .end_object();
    angle_unit_field(json, a.print.degrees);
    limit_fields(json, watch, InstantsBy::time, a.print.degrees);
    if (a.page) json.field("html", *a.page);
    json.end_object();
    if (const int code = finish_json(json); code != exit_done) return code;
  } else {
    std::cout << fmt::format("{} along {}, {:.4g} s: torques by inverse dynamics, back by {}\n\n", model.name,
                             trip.name, trip.motion.duration(), rules.integrator)
              << to_text(error_table(rows, model, source));
    if (std::ranges::any_of(rows, [](const Row& row) { return row.trip.astray; }))
      std::cout << "astray: the tool ends farther off than a tenth of its largest distance from the base, or turned by "
                   "more than 0.5 rad\n";
    if (const std::string why = instability(rows, trip.motion); !why.empty()) std::cout << why << '\n';
    if (source) std::cout << fmt::format("published: {}\n", source->what);
    say_page(a.page);
    if (const int code = finish_standard_output(); code != exit_done) return code;
  }
  const int limits = finish_limits(a.limits, watch, InstantsBy::time, exit_done);
  if (!watch.kept()) note("nothing is cut here: the way back is run as if there were no limits");
  for (const auto& [input, result] : rows)
    if (result.end.kind == EndKind::lost)  // an answer, not a failure: where the open loop leads
      note(fmt::format("{}: {}; {}", describe(input), describe(result.end, model), stop_remedy(result.end, rules)));
    else if (!result.end)
      return complain(
          {{{}, describe(input), "simulation-stop", describe(result.end, model), stop_remedy(result.end, rules)}},
          exit_impossible);
  return limits;
}

}  // namespace

int roundtrip_verb(Arguments arguments) {
  RoundtripArguments a;
  Options options(
      "roundtrip",
      "Inverse dynamics and back: the torques along a motion, as a function of time or as samples with a named "
      "interpolation, drive a forward simulation, and the table says how far from its target the tool ends.");
  a.robot.add_to(options, ToolMeans::frame);
  options.positional(
      "MOTION", a.motion,
      "of the joints or of the tool: a motion file (docs/motion-file.md), a CSV file of joint positions, or "
      "a published motion: stanford, sixr_angeles, sixr_sim");
  options.text("--variant", "NAME", a.variant, "of a published motion: how what it leaves open is read")
      .text("--interpolation", "RULE", a.interpolation,
            "exact, hold, linear, cubic, or one of these between jumps of acceleration as cubic-pieces; default all")
      .one_of({"exact", "hold", "linear", "cubic", "hold-pieces", "linear-pieces", "cubic-pieces", "all"})
      .numbers("--samples", "LIST", a.samples, "numbers of samples along the motion; default 51 to 1601");
  a.solution.add_to(options, true);
  options.group("How");
  a.simulation.add_method_to(options);
  options.writes("--html", "FILE", a.page, "a page: errors, torques, the tool on its way");
  a.limits.add_to(options);
  a.print.add_to(options);
  options.example("sixr_sim sixr_sim --html there-and-back.html", "beside the 0.15 mm of Sim, Yoo & Lee 1985")
      .example("stanford stanford --interpolation cubic --samples 101,201", "two ways back")
      .example("puma560 motion.csv --interpolation exact --integrator gauss", "a motion of your own");
  if (const auto code = options.parse(arguments)) return *code;
  a.print.degrees = a.limits.degrees = a.solution.near.degrees;
  Faults errors;
  refuse_if(a.motion == "-" && a.robot.name == "-", "MOTION -", "while the robot is read from standard input, too",
            errors);
  refuse_if(a.page == "-", "--html -", "while the table goes to standard output, too", errors);
  const auto inputs = read_inputs(a);
  collect(inputs, errors);
  if (!errors.empty()) return complain(errors, exit_bad_input);
  const auto robot = read_robot(a.robot, RobotUse::dynamics);
  if (!robot) return complain(robot.faults(), exit_bad_input);
  const auto tool = find_tool(*robot, a.robot.chain.tool, errors);
  auto rules = read_rules(robot->model(), a.simulation);
  collect(rules, errors);
  if (!errors.empty()) return complain(errors, exit_bad_input);
  if (!a.simulation.tolerance) rules->steps.relative = 1e-12, rules->steps.absolute = 1e-12;
  const auto trip = read_trip(a.motion, a.variant, a.solution, *robot, *tool);
  if (!trip) return complain_of_request(trip.faults());
  errors = check_work(*rules, trip->motion.duration());
  if (!errors.empty()) return complain(errors, exit_bad_input);
  return roundtrip(a, *robot, *tool, *trip, *inputs, *rules);
}

}  // namespace torsor
