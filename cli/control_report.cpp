#include "cli/control_report.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "torsor/control/control_plan.hpp"
#include "torsor/reduction/reduced_model.hpp"
#include "torsor/report/decimate.hpp"
#include "torsor/report/robot_view.hpp"
#include "torsor/text/result_json.hpp"
#include "torsor/text/result_table.hpp"
#include "torsor/model/coordinate_kind.hpp"
#include "torsor/numeric/integrator.hpp"
#include "torsor/simulate/control_result.hpp"

namespace torsor {
namespace {

std::string_view need_text(ModelNeed need) {
  constexpr std::string_view names[] = {"nothing", "gravity", "all"};
  return names[static_cast<std::size_t>(need)];
}

/// What a run that ended early, or had no rest, has no figure of is a dash.
TextTable::Cell if_known(double value) { return std::isnan(value) ? TextTable::Cell("-") : TextTable::Cell(value); }

TextTable::Cell seconds_or_never(double seconds) {
  return std::isinf(seconds) ? TextTable::Cell("never") : if_known(seconds);
}

std::string vector_text(const Vec3<double>& v) {
  return fmt::format("({}, {}, {})", format_number(v.x, 4), format_number(v.y, 4), format_number(v.z, 4));
}

std::string task_text(const ControlSetting& s) {
  const ControlTask& t = s.experiment.task;
  const std::string length = format_number(s.plan->length(), 4), time = format_number(t.duration, 4);
  switch (t.kind) {
    case TaskKind::line: return fmt::format("a line of {} m in {} s, by {} m", length, time, vector_text(t.way));
    case TaskKind::arc:
      return fmt::format("an arc of {} rad and {} m in {} s", format_number(t.angle, 4), length, time);
    case TaskKind::contact:
      return fmt::format("a line of {} m in {} s that ends {} mm behind a wall of {} N/m and {} N s/m", length, time,
                         format_number(1e3 * dot(t.wall.normal, t.wall.point - s.plan->tool(t.duration).X.p), 3),
                         format_number(t.wall.stiffness, 4), format_number(t.wall.damping, 4));
    case TaskKind::payload:
      return fmt::format("a line of {} m in {} s, from {} s on with a further {} kg at the tool", length, time,
                         format_number(t.payload_time, 4), format_number(t.payload, 4));
  }
  return {};
}

std::string model_text(ControllerKind kind) {
  switch (kind) {
    case ControllerKind::full: return "the whole";
    case ControllerKind::no_coriolis: return "without Coriolis and centrifugal terms";
    case ControllerKind::gravity: return "gravity and one constant inertia per joint";
    case ControllerKind::reduced: return "reduced";
  }
  return {};
}

SvgPlot time_plot(std::string title, std::string quantity, std::string unit, bool log) {
  return {std::move(title),
          "",
          {"time", "s"},
          {std::move(quantity), std::move(unit), log, {}, {}},
          {},
          {},
          {}};
}

}  // namespace

TextTable law_table() {
  TextTable table{"", {{"law"}, {"what"}, {"around"}, {"needs of the model"}, {"force"}, {"source"}}};
  for (const ControlLawRow& row : control_laws())
    table.add({std::string(row.name), std::string(row.title), row.tool ? "tool" : "joints",
               std::string(need_text(row.need)), row.force ? "measured" : "-", std::string(row.source)});
  return table;
}

std::vector<std::string> law_sentences() {
  std::vector<std::string> out;
  std::vector<std::string_view> told;
  for (const ControlLawRow& row : control_laws()) {
    if (!row.tool || std::ranges::find(told, row.singular) != told.end()) continue;
    told.push_back(row.singular);
    std::vector<std::string_view> laws;
    for (const ControlLawRow& other : control_laws())
      if (other.singular == row.singular) laws.push_back(other.name);
    out.push_back(fmt::format("near a singular position, {}: {}", fmt::join(laws, ", "), row.singular));
  }
  out.emplace_back("at torque limits, all: the torque is cut at the limit of its joint, and the joints are counted");
  return out;
}

void law_fields(JsonWriter& json) {
  write_json(json.key("laws"), control_laws());
}

std::vector<std::string> experiment_sentences(const ControlSetting& s) {
  const ControlExperiment& e = s.experiment;
  std::vector<std::string> out{
      fmt::format("{}: {}, then {} s of rest", s.model.name, task_text(s), format_number(e.task.rest, 4))};
  std::string model = model_text(e.model);
  if (e.model == ControllerKind::reduced)
    model += fmt::format(" to {}, {} terms", share_text(e.reduced_tolerance), s.reduced ? s.reduced->terms.size() : 0);
  out.push_back(fmt::format("the controller's model: {}; ", model) +
                (e.model_error > 0
                     ? fmt::format("the arm differs from it by up to {} in masses, mass centres, inertias, "
                                   "rotors and friction (seed {})",
                                   share_text(e.model_error), e.seed)
                     : "the numbers of the arm are the same"));
  out.push_back(e.rate > 0 ? fmt::format("sampled at {} Hz, the torque {} ms later and held; kp {} 1/s^2, kv {} 1/s",
                                         format_number(e.rate, 6), format_number(1e3 * e.delay, 4),
                                         format_number(e.gains.kp, 6), format_number(e.gains.kv, 6))
                           : fmt::format("evaluated inside the integrator; kp {} 1/s^2, kv {} 1/s",
                                         format_number(e.gains.kp, 6), format_number(e.gains.kv, 6)));
  if (e.impedance.mass[0] > 0)
    out.emplace_back("the impedance of the tool is as given");
  else if (e.impedance_bandwidth != 1)
    out.push_back(fmt::format("impedance laws have {} of that bandwidth", format_number(e.impedance_bandwidth, 3)));
  if (!e.limits) out.emplace_back("effort limits are ignored");
  if (e.integrator != ControlExperiment{}.integrator)
    out.push_back(fmt::format("the arm's motion by {}{}", e.integrator,
                              find_integrator(e.integrator)->adaptive
                                  ? std::string()
                                  : fmt::format(" in steps of {} ms", format_number(1e3 * e.step, 4))));
  out.push_back(fmt::format("least singular value on the way {} of the greatest",
                            format_number(s.plan->smallest_singular_value(), 3)));
  return out;
}

TextTable figure_table(const ControlSetting& s, std::span<const ControlRun> runs, const PrintArguments& print) {
  const bool turns = s.model.nv >= 6, contact = s.experiment.task.kind == TaskKind::contact;
  const auto number = [&print](const char* name, const char* unit) { return column(name, unit, print); };
  TextTable table{"tool errors, torques and power",
                  {number("law", ""), number("peak", "mm"), number("rms", "mm"), number("steady", "mm")}};
  if (turns) table.columns.insert(table.columns.end(), {number("peak", "mrad"), number("steady", "mrad")});
  table.columns.push_back(number("settling", "s"));
  const std::vector<CoordinateKind> kinds = velocity_kinds(s.model);
  const auto slides = std::ranges::count(kinds, CoordinateKind::length);
  const bool any_turns = slides<std::ssize(kinds), any_slides = slides> 0;
  if (any_turns) table.columns.insert(table.columns.end(), {number("rms torque", "N m"), number("peak torque", "N m")});
  if (any_slides) table.columns.insert(table.columns.end(), {number("rms force", "N"), number("peak force", "N")});
  table.columns.insert(table.columns.end(), {number("peak power", "W"), number("cycle", "%")});
  if (contact) table.columns.insert(table.columns.end(), {number("peak force", "N"), number("steady", "N")});
  table.columns.insert(table.columns.end(), {number("cut", ""), number("lost", "")});
  for (const ControlRun& run : runs) {
    const ControlFigures& f = run.figures;
    TextTable::Row row{run.law + (run.ended.empty() && !f.swings() ? "" : " *"), 1e3 * f.peak_position,
                       1e3 * f.rms_position, if_known(1e3 * f.steady_position)};
    if (turns) row.insert(row.end(), {1e3 * f.peak_angle, if_known(1e3 * f.steady_angle)});
    row.push_back(seconds_or_never(f.settling));
    if (any_turns) row.insert(row.end(), {f.rms_torque, f.peak_torque});
    if (any_slides) row.insert(row.end(), {f.rms_thrust, f.peak_thrust});
    row.insert(row.end(), {f.peak_power, if_known(100 * f.limit_cycle)});
    if (contact) row.insert(row.end(), {f.peak_force, if_known(f.steady_force)});
    // rounding is no loss
    row.insert(row.end(), {static_cast<long long>(f.saturated), f.lost < 1e-9 ? 0 : f.lost});
    table.add(std::move(row));
  }
  return table;
}

std::vector<std::string> swing_sentences(std::span<const ControlRun> runs) {
  std::vector<std::string> out;
  for (const ControlRun& run : runs)
    if (run.figures.swings())
      out.push_back(
          fmt::format("* {}: torques still swing by {} of their peak in the last half of the rest: a limit cycle, or "
                      "not yet at rest",
                      run.law, share_text(run.figures.limit_cycle)));
  return out;
}

std::vector<std::string> passed_sentences(const Model<double>& model, std::span<const ControlRun> runs) {
  std::vector<std::string> out;
  for (const ControlRun& run : runs)
    for (const std::string& sentence : limit_sentences(run.passed, model, InstantsBy::time))
      out.push_back(fmt::format("{}: {}", run.law, sentence));
  return out;
}

TextTable speed_table(const std::string& law, std::span<const SpeedRun> speeds, std::span<const ControllerKind> kinds,
                      const PrintArguments& print) {
  TextTable table{fmt::format("peak error of the tool against speed, {}", law),
                  {column("speed", "", print), column("duration", "s", print), column("of the tool", "m/s", print)}};
  for (const ControllerKind kind : kinds) table.columns.push_back(column(std::string(kind_name(kind)), "mm", print));
  table.columns.push_back(column("cut", "", print));
  for (const SpeedRun& speed : speeds) {
    TextTable::Row row{speed.factor, speed.duration, speed.peak_speed};
    long long cut = 0;
    for (const ControlRun& run : speed.runs) {
      row.emplace_back(run.ended.empty() ? TextTable::Cell(1e3 * run.figures.peak_position) : TextTable::Cell("lost"));
      cut += run.figures.saturated;
    }
    row.emplace_back(cut);
    table.add(std::move(row));
  }
  return table;
}

void experiment_fields(JsonWriter& json, const ControlSetting& s) {
  write_fields(json, s);
  field(json, "sentences", experiment_sentences(s));
}

void run_fields(JsonWriter& json, const std::vector<ControlRun>& runs) {
  write_json(json.key("runs"), runs);
}

void speed_fields(JsonWriter& json, std::span<const SpeedRun> speeds, std::span<const ControllerKind> kinds) {
  json.key("speeds").begin_array();
  for (const SpeedRun& speed : speeds) write_json(json, speed_figures(speed, kinds));
  json.end_array();
}

namespace {

/// A curve of a page that has dozens of them: as many points as its width can show, every peak among them.
PlotSeries law_curve(const ControlRun& run, const std::vector<double>& values, double factor = 1) {
  constexpr std::size_t most_points = 700;
  const std::vector<std::size_t> kept = thin(run.trace.t, values, most_points);
  PlotSeries series{run.law, pick(run.trace.t, kept), pick(values, kept)};
  for (double& y : series.y) y *= factor;
  return series;
}

}  // namespace

/// The law that stays nearest, and what went wrong.
Paragraph runs_verdict(const ControlSetting& s, std::span<const ControlRun> runs) {
  const ControlRun* best = nullptr;
  std::size_t ended = 0;
  for (const ControlRun& run : runs) {
    if (!run.ended.empty()) ++ended;
    else if (!best || run.figures.peak_position < best->figures.peak_position) best = &run;
  }
  if (!best) return {"No law brought the tool to the end of its task.", Tone::bad};
  std::string text = runs.size() == 1
                         ? fmt::format("{} keeps the tool within {} mm of its way", best->law,
                                       format_number(1e3 * best->figures.peak_position, 3))
                         : fmt::format("Of {} laws {} keeps the tool nearest: within {} mm of its way", runs.size(),
                                       best->law, format_number(1e3 * best->figures.peak_position, 3));
  if (ended > 0) text += fmt::format("; {} did not come to the end", ended);
  const std::vector<std::string> passed = passed_sentences(s.model, runs);
  if (!passed.empty()) text += fmt::format("; limits are passed: {}", passed.front());
  return {text + ".", ended > 0 || !passed.empty() ? Tone::warning : Tone::good};
}

void describe_runs(Report& report, const ControlSetting& s, std::span<const ControlRun> runs,
                   const PrintArguments& print) {
  ReportSection& section = report.section("The laws on one task");
  for (const std::string& sentence : experiment_sentences(s)) section.text(sentence + ".");
  report.verdict = runs_verdict(s, runs);
  std::vector<RobotMotion> motions;
  for (const ControlRun& run : runs) {
    RobotMotion& motion = motions.emplace_back(run.law);
    std::vector<double> tau(run.trace.tau.size());
    for (std::size_t k = 0; k < run.trace.t.size(); ++k) {
      for (std::size_t i = 0; i < tau.size(); ++i) tau[i] = run.trace.tau[i][k];
      motion.add(run.trace.t[k], run.trace.q[k], tau);
    }
  }
  MovingView view = robot_view(s.model, "The robot under each law", motions);
  view.clip_label = "law";
  if (view.has_frames()) section.figure(std::move(view));
  section.table(figure_table(s, runs, print));
  for (const ControlRun& run : runs)
    if (!run.ended.empty()) section.text(fmt::format("{}: {}.", run.law, run.ended), Tone::bad);
  for (const std::string& sentence : swing_sentences(runs)) section.text(sentence + ".", Tone::bad);
  for (const std::string& sentence : passed_sentences(s.model, runs)) section.text(sentence + ".", Tone::bad);

  SvgPlot position = time_plot("Error of the tool's position", "error", "mm", true);
  SvgPlot angle = time_plot("Error of its orientation", "error", "mrad", true);
  SvgPlot power = time_plot("Power of all motors", "power", "W", false);
  SvgPlot force = time_plot("Force at the wall", "force", "N", false);
  for (const ControlRun& run : runs) {
    position.series.push_back(law_curve(run, run.trace.position_error, 1e3));
    angle.series.push_back(law_curve(run, run.trace.angle_error, 1e3));
    power.series.push_back(law_curve(run, run.trace.power));
    force.series.push_back(law_curve(run, run.trace.force));
  }
  for (SvgPlot* plot : {&position, &angle, &power, &force})
    plot->markers.push_back({s.plan->duration(), "end of the motion"});
  section.figure(position);
  if (s.model.nv >= 6) section.figure(angle);
  if (s.experiment.task.kind == TaskKind::contact) section.figure(force);
  section.figure(power);

  PlotGrid torques{"Torques of the joints", "", {}, 2};
  const std::vector<CoordinateKind> kinds = velocity_kinds(s.model);
  for (std::size_t i = 0; i < kinds.size(); ++i) {
    SvgPlot plot = time_plot(s.model.velocity_names[i], "torque", std::string(torque_unit(kinds[i])), false);
    for (const ControlRun& run : runs) plot.series.push_back(law_curve(run, run.trace.tau[i]));
    torques.plots.push_back(std::move(plot));
  }
  section.figure(torques);
}

void describe_speeds(Report& report, const std::string& law, std::span<const SpeedRun> speeds,
                     std::span<const ControllerKind> kinds, const PrintArguments& print) {
  ReportSection& section = report.section("Error against speed");
  section.text(
      "The same task at several speeds, with what the controller's model keeps: where leaving out Coriolis and "
      "centrifugal terms begins to show.");
  section.table(speed_table(law, speeds, kinds, print));
  if (!speeds.empty() && report.verdict.text.empty()) {
    const SpeedRun& fastest = speeds.back();
    std::string text = fmt::format("At {} m/s, the fastest, {} errs by", format_number(fastest.peak_speed, 3), law);
    for (std::size_t k = 0; k < kinds.size(); ++k)
      text += fmt::format(
          "{} {} mm with the model \"{}\"",
          k == 0                  ? ""
          : k + 1 == kinds.size() ? " and"
                                  : ",",
          fastest.runs[k].ended.empty() ? format_number(1e3 * fastest.runs[k].figures.peak_position, 3) : "too many",
          kind_name(kinds[k]));
    report.verdict = {text + ".", Tone::plain};
  }
  SvgPlot plot{"Peak error of the tool against its speed", "", {"peak speed of the tool", "m/s", true, {}, {}},
               {"peak error", "mm", true, {}, {}}};
  for (std::size_t k = 0; k < kinds.size(); ++k) {
    PlotSeries series{std::string(kind_name(kinds[k])), {}, {}};
    for (const SpeedRun& speed : speeds) {
      if (!speed.runs[k].ended.empty()) continue;
      series.x.push_back(speed.peak_speed);
      series.y.push_back(1e3 * speed.runs[k].figures.peak_position);
    }
    plot.series.push_back(std::move(series));
  }
  section.figure(plot);
}

}  // namespace torsor
