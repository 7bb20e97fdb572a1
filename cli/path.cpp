// torsor path MOTION: a motion of the joints or of the tool, from a motion file or a publication, sampled to CSV.
#include <fmt/format.h>

#include <cmath>
#include <iostream>

#include "cli/files.hpp"
#include "cli/limit_report.hpp"
#include "cli/motion_job.hpp"
#include "cli/motion_source.hpp"
#include "cli/path_scaling.hpp"
#include "cli/print.hpp"
#include "cli/robot_argument.hpp"
#include "cli/row_output.hpp"
#include "cli/tool_arguments.hpp"
#include "torsor/report/column_curves.hpp"
#include "torsor/files/tool_csv.hpp"
#include "torsor/kinematics/row_jump.hpp"
#include "torsor/model/coordinate_kind.hpp"
#include "torsor/report/robot_view.hpp"
#include "torsor/trajectory/published_motion.hpp"

namespace torsor {
namespace {

struct PathVerbArguments {
  std::string motion;
  std::optional<std::string> robot, variant, output, page;
  XacroArguments load = {};
  ChainArguments chain = {};
  SamplingArguments sampling;
  LimitArguments limits;
  PrintArguments print;
};

/// The largest magnitude of a quantity, and when.
struct PathPeak {
  double value = 0, time = 0;

  void see(double t, double x) {
    if (std::abs(x) > std::abs(value)) *this = {x, t};
  }
};

/// Rows of the joints: q, qd, qdd in the columns that id reads.
struct JointRows {
  const Trajectory& motion;
  const Model<double>* robot;
  bool degrees;  // of what people read; without a robot every coordinate is taken as an angle
  std::vector<std::string> names = {}, header = {};
  std::vector<CoordinateKind> kinds = {};
  std::vector<PathPeak> speed = {}, acceleration = {};
  std::optional<LimitWatch> watch = {};  // with a robot
  std::string hidden = {};               // what rows too far apart do not tell
  MotionRow before = {};
  RobotMotion moved{};  // for the picture

  JointRows(const Trajectory& m, const Model<double>* r, bool in_degrees)
      : motion(m), robot(r), degrees(in_degrees), speed(m.size()), acceleration(m.size()) {
    kinds = robot ? velocity_kinds(*robot) : std::vector(motion.size(), CoordinateKind::angle);
    for (const char* prefix : {"q", "qd", "qdd"})
      for (std::size_t k = 0; k < motion.size(); ++k)
        header.push_back(robot ? fmt::format("{}.{}", prefix, robot->position_names[k])
                               : fmt::format("{}{}", prefix, k + 1));
    for (std::size_t k = 0; k < motion.size(); ++k) names.push_back(robot ? robot->position_names[k] : header[k]);
    if (robot) watch.emplace(*robot);
  }

  void look(const MotionRow& row) {
    if (watch) watch->add(row.t, {row.q, row.qd, row.qdd});
    constexpr double least = 0.1;  // rad or m: as the follower of paths has it
    for (std::size_t k = 0; k < before.q.size() && hidden.empty(); ++k)
      if (const double change = row.q[k] - before.q[k],
          told = change_told(row.t - before.t, before.qd[k], row.qd[k], least);
          std::abs(change) > told)
        hidden = fmt::format(
            "from {:.6g} s to {:.6g} s \"{}\" moves by {:.4g}, where the speeds of both rows allow {:.3g} at most: the "
            "rows "
            "are too far apart, give a shorter --step",
            before.t, row.t, names[k], change, told);
    before = row;
  }

  template <class Visit>
  void go(double period, const Visit& visit) {
    std::vector<double> numbers;
    bool more = true;
    sample_motion(motion, period, [&](const MotionRow& row) {
      if (!more) return;
      numbers.clear();
      for (const auto* part : {&row.q, &row.qd, &row.qdd}) numbers.insert(numbers.end(), part->begin(), part->end());
      for (std::size_t k = 0; k < motion.size(); ++k) {
        speed[k].see(row.t, row.qd[k]);
        acceleration[k].see(row.t, row.qdd[k]);
      }
      look(row);
      more = visit(row.t, numbers);
    });
  }

  TextTable table(const PrintArguments& print) const {
    TextTable table{
        "",
        {column("coordinate", "", print), column("from", "", print), column("to", "", print), column("unit", "", print),
         column("peak speed", "", print), column("at", "s", print), column("unit", "", print),
         column("peak acceleration", "", print), column("at", "s", print), column("unit", "", print)}};
    std::vector<double> from(motion.size()), to(from), rate(from), rate_rate(from);
    motion.sample(0, from, rate, rate_rate);
    motion.sample(motion.duration(), to, rate, rate_rate);
    const auto unit = [&](std::size_t k, int order) { return std::string(coordinate_unit(kinds[k], order, degrees)); };
    const auto shown = [&](std::size_t k, double x) { return in_unit(x, kinds[k], degrees); };
    for (std::size_t k = 0; k < motion.size(); ++k)
      table.add({names[k], shown(k, from[k]), shown(k, to[k]), unit(k, 0), shown(k, speed[k].value), speed[k].time,
                 unit(k, 1), shown(k, acceleration[k].value), acceleration[k].time, unit(k, 2)});
    return table;
  }

  /// Keeps an instant for the picture.
  void see(double t, std::span<const double> numbers) {
    if (robot && static_cast<std::size_t>(robot->nq) == kinds.size()) moved.add(t, numbers.first(kinds.size()));
  }
  void picture(ReportSection& section) const {
    if (!moved.empty()) section.figure(robot_view(*robot, "The robot as it moves", moved));
  }

  void plots(ReportSection& section, const ColumnCurves& curves) const {
    constexpr const char* quantities[] = {"position", "velocity", "acceleration"};
    for (int order = 0; order < 3; ++order)
      for (const CoordinateKind kind : {CoordinateKind::angle, CoordinateKind::length}) {
        std::vector<std::size_t> columns;
        for (std::size_t k = 0; k < kinds.size(); ++k)
          if (kinds[k] == kind) columns.push_back(static_cast<std::size_t>(order) * kinds.size() + k);
        if (columns.empty()) continue;
        const std::string what = quantities[order];
        const std::string title =
            fmt::format("{} of the {}", what, kind == CoordinateKind::angle ? "revolute joints" : "prismatic joints");
        // joints with limits have a plot each
        PlotGrid grid{title, "", {}, 3};
        bool limited = false;
        for (const std::size_t c : columns) {
          SvgPlot one = curves.plot(names[c % kinds.size()], what, kind, order, {c}, degrees);
          constexpr LimitKind limited_by[] = {LimitKind::position, LimitKind::velocity, LimitKind::acceleration};
          if (robot) one.limits = limit_lines(robot->limits[c % kinds.size()], limited_by[order], kind, degrees);
          limited = limited || !one.limits.empty();
          grid.plots.push_back(std::move(one));
        }
        if (limited)
          section.figure(std::move(grid));
        else
          section.figure(curves.plot(title, what, kind, order, columns, degrees));
      }
  }

  void fields(JsonWriter& json) const {
    json.field("kind", "joints");
    field(json, "coordinates", names);
    std::vector<double> v, a;
    for (std::size_t k = 0; k < motion.size(); ++k) {
      v.push_back(std::abs(in_unit(speed[k].value, kinds[k], degrees)));
      a.push_back(std::abs(in_unit(acceleration[k].value, kinds[k], degrees)));
    }
    field(json, "peak_speed", v);
    field(json, "peak_acceleration", a);
    if (watch) limit_fields(json, *watch, InstantsBy::time, degrees);
  }

  std::vector<TextTable> limits(const PrintArguments& print) const {
    return watch ? limit_tables(*watch, print) : std::vector<TextTable>();
  }

  Paragraph verdict() const {
    if (!watch) return {"No robot is given whose limits the motion could pass.", Tone::plain};
    const std::vector<std::string> passed = limit_sentences(*watch, InstantsBy::time, degrees);
    if (passed.empty()) return {"Every joint stays within its limits.", Tone::good};
    return {fmt::format("Limits are passed: {}.", passed.front()), Tone::bad};
  }

  int finish(const LimitArguments& arguments, int code) const {
    if (!hidden.empty()) note(hidden);
    return watch ? finish_limits(arguments, *watch, InstantsBy::time, code) : code;
  }
};

/// Rows of the tool: pose, twist and acceleration.
struct ToolRows {
  const PathMotion& motion;
  std::vector<std::string> header = tool_columns();
  PathPeak v = {}, w = {}, a = {}, wd = {};
  ThinnedFrames<std::pair<double, Transform<double>>> moved{max_view_frames};

  template <class Visit>
  void go(double period, const Visit& visit) {
    std::vector<double> numbers;
    Quaternion<double> before;
    bool more = true;
    sample_cartesian(motion, period, [&](double t, const CartesianState& state) {
      if (!more) return;
      numbers.clear();
      append_tool(state, before, numbers);
      v.see(t, norm(state.twist.v));
      w.see(t, norm(state.twist.w));
      a.see(t, norm(state.acceleration.v));
      wd.see(t, norm(state.acceleration.w));
      more = visit(t, numbers);
    });
  }

  TextTable table(const PrintArguments& print) const {
    TextTable table{"",
                    {column("quantity", "", print), column("peak", "", print), column("at", "s", print),
                     column("unit", "", print)}};
    table.add({std::string("speed"), v.value, v.time, std::string("m/s")});
    table.add({std::string("acceleration"), a.value, a.time, std::string("m/s²")});
    table.add({std::string("angular speed"), w.value, w.time, std::string("rad/s")});
    table.add({std::string("angular acceleration"), wd.value, wd.time, std::string("rad/s²")});
    return table;
  }

  /// Keeps an instant for the picture: the axes of the tool.
  void see(double t, std::span<const double> x) {
    moved.push({t, {rotation(Quaternion<double>{x[3], x[4], x[5], x[6]}), {x[0], x[1], x[2]}}});
  }
  void picture(ReportSection& section) const {
    MovingView view;
    view.title = "The tool as it moves";
    view.gravity = {0, 0, -1};
    view.parts.push_back({"tool"});
    view.traces.push_back({"tool", 0, {}});
    MovingView::Clip clip;
    for (const auto& [t, X] : moved.all()) {
      clip.t.push_back(t);
      clip.poses.push_back(X);
    }
    if (clip.t.empty()) return;
    view.clips.push_back(std::move(clip));
    section.figure(std::move(view));
  }

  void plots(ReportSection& section, const ColumnCurves& curves) const {
    section.figure(curves.plot("Position of the tool", "position", "m", columns_from(0, 3)))
        .figure(curves.plot("Orientation: Euler parameters", "", "", columns_from(3, 4)))
        .figure(curves.plot("Velocity", "velocity", "m/s", columns_from(10, 3)))
        .figure(curves.plot("Angular velocity", "velocity", "rad/s", columns_from(7, 3)))
        .figure(curves.plot("Acceleration", "acceleration", "m/s²", columns_from(16, 3)))
        .figure(curves.plot("Angular acceleration", "acceleration", "rad/s²", columns_from(13, 3)));
  }

  std::vector<TextTable> limits(const PrintArguments&) const { return {}; }
  Paragraph verdict() const {
    return {fmt::format("The tool goes {} m, at most {} m/s.", format_number(motion.length(), 4),
                        format_number(v.value, 4)),
            Tone::plain};
  }
  int finish(const LimitArguments&, int code) const { return code; }

  void fields(JsonWriter& json) const {
    json.field("kind", "tool").field("length", motion.length());
    json.field("peak_speed", v.value).field("peak_acceleration", a.value);
    json.field("peak_angular_speed", w.value).field("peak_angular_acceleration", wd.value);
  }
};

std::string headline(const PlannedMotion& planned, long long rows) {
  const std::string what = planned.joints()
                               ? fmt::format("{} joints", planned.joints()->size())
                               : fmt::format("the tool over {} m", format_number(planned.tool()->length(), 4));
  return fmt::format("{}: {} in {} s, {} rows", planned.name, what, format_number(planned.duration(), 6), rows);
}

template <class Rows>
int write(const PathVerbArguments& a, const PlannedMotion& planned, const std::optional<PathScaling>& scaling,
          double period, const Model<double>* degrees_of, Rows rows) {
  std::vector<std::string> header{"t"};
  header.insert(header.end(), rows.header.begin(), rows.header.end());
  RowOutput output(
      a.output, a.print.json, header, false,
      [&](JsonWriter& json) { json.field("motion", planned.name).field("input", a.motion); }, {}, false, degrees_of);
  if (!output.faults().empty()) return complain(output.faults(), exit_not_written);
  ColumnCurves curves(a.page ? rows.header : std::vector<std::string>{});
  std::optional<Fault> impossible;
  bool written = true;
  long long count = 0;
  std::vector<double> row;
  rows.go(period, [&](double t, const std::vector<double>& numbers) {
    row.assign(1, t);
    row.insert(row.end(), numbers.begin(), numbers.end());
    impossible = first_not_finite(row, header);
    if (impossible) return false;
    written = output.row(row);
    if (a.page) curves.add(t, numbers);
    if (a.page) rows.see(t, numbers);
    count += written;
    return written;
  });
  if (!output.finish_rows(!impossible && written) || !written) return output.complain_unwritten();

  if (a.page) {
    Report report{planned.name, planned.source, "Made by torsor path."};
    report.highlights.push_back(
        {"duration", format_number(planned.duration(), 4), "s", fmt::format("{} rows", count), Tone::plain});
    report.verdict = rows.verdict();
    ReportSection& section = report.section("Motion");
    if (scaling) section.text("Time is scaled: " + scaling->sentence + ".");
    if (scaling && !scaling->warning.empty()) section.text("But " + scaling->warning + ".", Tone::bad);
    rows.picture(section);
    section.table(rows.table(a.print));
    for (TextTable& table : rows.limits(a.print)) section.table(std::move(table));
    rows.plots(section, curves);
    if (const auto code = write_page(report, *a.page)) return *code;
  }
  if (a.print.json) {
    JsonWriter& json = output.begin_summary(a.output, a.page);
    json.field("duration", planned.duration()).field("row_count", count);
    if (scaling) scaling_fields(json, *scaling);
    rows.fields(json);
    json.field("complete", !impossible).end_object();
    if (const int code = finish_json(json); code != exit_done) return code;
  } else if (!output.is_standard()) {
    std::cout << headline(planned, count) << output.arrow() << '\n';
    if (scaling) std::cout << "scaled: " << scaling->sentence << '\n';
    std::cout << '\n' << to_text(without_noise(rows.table(a.print)));
    for (const TextTable& table : rows.limits(a.print)) std::cout << '\n' << to_text(table);
    say_page(a.page);
    if (const int code = finish_standard_output(); code != exit_done) return code;
  } else {
    say_page_beside(a.page);
  }
  return impossible ? complain({*impossible}, exit_impossible) : rows.finish(a.limits, exit_done);
}

/// Scales a motion of the tool to what its file asks of the robot's joints, on the branch that track would take. Ends
/// the verb where that cannot be.
std::optional<int> scale_tool(const PathVerbArguments& a, const Robot& robot, PlannedMotion& planned,
                              std::optional<PathScaling>& scaling) {
  auto path = sampled(*tool_path_of(planned, a.motion), a.sampling);
  if (!path) return complain(path.faults(), exit_bad_input);
  const auto tool = find_tool(robot, a.chain.tool);
  if (!tool) return complain(tool.faults(), exit_bad_input);
  const InverseKinematics solver(robot.model(), robot.description(), *tool);
  const auto start = read_start(solver, *path);
  if (!start) return complain(start.faults(), exit_impossible);
  const auto found = scale_path(*planned.tool_scaling, solver, *start, robot.model(), {}, *path);
  if (!found) return complain_of_request(by_options(found.faults()));
  if (!*found) {
    const std::string why = explanation(solver.follow(*path, *start), robot.model());
    return complain({{{a.motion, 0},
                      "scale",
                      "path-stop",
                      fmt::format("{} cannot follow the path: {}", robot.model().name, why),
                      "without [scale] the path is made for any robot"}},
                    exit_impossible);
  }
  scaling = **found;
  if (!scaling->warning.empty()) note(scaling->warning);
  planned.motion = planned.tool()->stretched(scaling->factor);
  return std::nullopt;
}

Faults check_mode(const PathVerbArguments& a) {
  Faults errors;
  refuse_if(!a.robot && (a.chain.tool || a.chain.cuts()), "--tool, --base, --hold or --followers", "without --robot",
            errors);
  refuse_if(a.motion == "-" && a.robot == "-", "--robot -", "while the motion is read from standard input, too",
            errors);
  refuse_if(a.page == "-" && (a.print.json || !a.output || a.output == "-"), "--html -",
            "while the rows or the JSON answer go to standard output, too", errors);
  return errors;
}

}  // namespace

int path_verb(Arguments arguments) {
  PathVerbArguments a;
  Options options(
      "path",
      "A motion of the joints or of the tool, described in a few lines of TOML (docs/motion-file.md) or taken "
      "from a publication, sampled to CSV: t, q, qd, qdd for torsor id; or t, pose, velocities and "
      "accelerations of the tool for torsor track. All derivatives are those of the formula.");
  options.positional("MOTION", a.motion,
                     "a motion file, - for standard input, or the robot of a published motion: sixr_angeles, sixr_sim, "
                     "stanford");
  a.load.add_to(options);
  a.chain.add_to(options);
  options
      .reads("--robot", "ROBOT", a.robot,
             "whose coordinates the joint positions are: it names the columns, says which joints are prismatic, and "
             "has the "
             "limits that time is scaled to")
      .text("--variant", "NAME", a.variant, "of a published motion: how what it leaves open is read");
  a.sampling.add_to(options);
  options
      .flag("--degrees", a.print.degrees,
            "positions and rates of joints that rotate are written in degrees; needs --robot")
      .writes("-o,--output", "FILE", a.output, "CSV of the motion; default - (standard output)")
      .writes("--html", "FILE", a.page, "a page with plots");
  a.limits.add_to(options);
  a.print.add_to(options);
  options
      .example("pick.toml --robot puma560 -o motion.csv --html motion.html",
               "then: torsor id puma560 --motion motion.csv")
      .example("sixr_angeles --step 0.005 -o line.csv", "the straight line of a publication")
      .example("pick.toml --rate 1000 --json", "as JSON, a thousand samples per second");
  if (const auto code = options.parse(arguments)) return *code;
  a.limits.degrees = a.print.degrees;
  Faults errors = check_mode(a);
  std::optional<Robot> robot;
  // a published motion has its robot's name
  if (!a.robot && published_motion(a.motion) && !names_file(a.motion)) a.robot = a.motion;
  if (errors.empty() && a.robot) {
    auto read = read_robot(*a.robot, RobotUse::kinematics, a.load, a.chain);
    collect(read, errors);
    if (read) robot = *std::move(read);
  }
  if (!errors.empty()) return complain(errors, exit_bad_input);
  const Model<double>* const model = robot ? &robot->model() : nullptr;
  auto planned = read_motion(a.motion, a.variant, model);
  if (!planned) return complain(planned.faults(), exit_bad_input);
  if (planned->joints() && model && planned->joints()->size() != static_cast<std::size_t>(model->nv))
    return complain(
        {fault_of("--robot", "motion-size",
                  fmt::format("{} has {} coordinates, the motion {}", model->name, model->nv,
                      planned->joints()->size()), "give the robot that the motion is for")},
        exit_bad_input);
  std::optional<PathScaling> scaling;
  if (planned->scaling)
    scaling = {planned->scaling->factor, describe(*planned->scaling, *model),
               planned->scaling->status == ScalingStatus::ok};
  if (planned->tool_scaling)
    if (const auto code = scale_tool(a, *robot, *planned, scaling)) return *code;
  if (scaling && !scaling->possible) return complain({scaling->refusal(a.motion)}, exit_impossible);
  const auto period = a.sampling.period(planned->duration());
  if (!period) return complain(period.faults(), exit_bad_input);
  for (const std::string& sentence : planned->notes) note(sentence);
  if (a.print.degrees && (!planned->joints() || !model))
    return complain({fault_of("--degrees", "option-mode",
                              planned->joints() ? "without --robot: it says which coordinates are angles" :
                                  "with a motion of the tool", planned->joints() ? "give --robot" : "leave it out")},
                    exit_bad_input);
  const Model<double>* const degrees_of = a.print.degrees ? model : nullptr;
  return planned->joints()
             ? write(a, *planned, scaling, *period, degrees_of, JointRows(*planned->joints(), model, a.print.degrees))
             : write(a, *planned, scaling, *period, nullptr, ToolRows{*planned->tool()});
}

}  // namespace torsor
