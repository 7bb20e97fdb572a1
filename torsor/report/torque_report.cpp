#include "torsor/report/torque_report.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "torsor/model/coordinate_kind.hpp"
#include "torsor/model/transmission.hpp"
#include "torsor/report/coordinate_table.hpp"
#include "torsor/numeric/finite.hpp"
#include "torsor/text/result_table.hpp"

namespace torsor {

TorqueReport::TorqueReport(const Model<double>& model, bool curves)
    : model_(model),
      motors_(motor_coordinates(model)),
      motor_(static_cast<std::size_t>(model.nv)),
      joint_statistics_(model.nv),
      motor_statistics_(model.nv),
      limits_(model),
      keep_curves_(curves) {
  curves_.q.resize(static_cast<std::size_t>(model.nq));
  for (auto* each : {&curves_.qd, &curves_.qdd, &curves_.tau, &curves_.power}) each->resize(motor_.size());
}

void TorqueReport::add(double time, const SeenInstant& instant) {
  const auto& [q, qd, qdd, tau, alone] = instant;
  if (!motors_.empty()) motor_torques(model_, tau, motor_);
  // an instant that is beyond all numbers ends a run: it is no part of the statistics
  if (!all_finite(tau) || !all_finite(qd)) return;
  joint_statistics_.add(time, qd, tau);
  limits_.add(time, instant);
  if (!motors_.empty()) motor_statistics_.add(time, {}, motor_);
  if (!keep_curves_) return;
  curves_.motion.add(time, q, tau);
  for (std::size_t k = 0; k < q.size(); ++k) curves_.q[k].push(time, q[k]);
  for (std::size_t k = 0; k < tau.size(); ++k) {
    curves_.qd[k].push(time, qd[k]);
    if (!qdd.empty()) curves_.qdd[k].push(time, qdd[k]);
    curves_.tau[k].push(time, tau[k]);
    curves_.power[k].push(time, tau[k] * qd[k]);
  }
}

TorqueSummary TorqueReport::summary(bool has_time, bool degrees) const {
  TorqueSummary found = torque_summary(limits_, joint_statistics_, motor_statistics_, has_time);
  return degrees ? in_degrees(std::move(found), model_) : found;
}

std::vector<TextTable> TorqueReport::tables(bool has_time, const PrintStyle& print) const {
  const TorqueSummary found = summary(has_time, print.degrees);
  const FieldColumn at = has_time ? FieldColumn("peak_torque_time", "at") : FieldColumn("peak_torque_row", "at row");
  std::vector<TextTable> tables{without_noise(table_of<JointTorques>(
      "torques at the joints", found.joints,
      {{"name", "joint"}, "peak_torque", at, {"rms_torque", "rms"}, {"torque_unit", "unit"}, {"effort_limit", "limit"},
       {"of_effort_limit", "peak/limit"}, "peak_speed", {"speed_unit", "unit"}, "peak_power"},
      print.significant()))};
  std::vector<TorquePeak> motors;
  for (const JointTorques& joint : found.joints)
    if (joint.motor) motors.push_back(*joint.motor);
  for (TextTable& table : limit_tables(limits_, print)) tables.push_back(std::move(table));
  if (!motors.empty())
    tables.push_back(without_noise(table_of<TorquePeak>(
        "torques at the motors (motor torque = transmission^T joint torque)", motors,
        {{"name", "motor"}, "peak_torque", at, {"rms_torque", "rms"}, {"torque_unit", "unit"}}, print.significant())));
  return tables;
}

void TorqueReport::describe(Report& report, bool has_time, const PrintStyle& print) const {
  const auto moment = [&](const Peak& peak) {
    return has_time ? fmt::format("at {} s", format_number(peak.time, 4)) : fmt::format("in row {}", peak.time);
  };
  const auto show = [&print](double x) { return format_number(x, std::min(print.significant(), 4)); };

  const std::vector<std::string> over =
      limit_sentences(limits_, has_time ? InstantsBy::time : InstantsBy::row, print.degrees);

  // the joint nearest to its limit, or else the largest torque
  int worst = 0;
  const auto load = [&](int k) { return std::abs(joint_statistics_[k].effort.value) / model_.limits[k].effort; };
  const auto size = [&](int k) { return std::abs(joint_statistics_[k].effort.value); };
  const bool limited =
      std::any_of(model_.limits.begin(), model_.limits.end(), [](const Limits& l) { return std::isfinite(l.effort); });
  for (int k = 1; k < model_.nv; ++k)
    if (limited ? load(k) > load(worst) : size(k) > size(worst)) worst = k;
  if (model_.nv > 0) {
    // a card is of torques alone: the verdict judges all limits
    const Peak& peak = joint_statistics_[worst].effort;
    const std::string unit(torque_unit(velocity_kinds(model_)[worst]));
    const std::string remark = fmt::format("{} {}", model_.velocity_names[worst], moment(peak));
    if (limited)
      report.highlights.push_back({"nearest to its torque limit", fmt::format("{:.0f}", 100 * load(worst)), "%", remark,
                                   load(worst) > 1 ? Tone::bad : over.empty() ? Tone::good : Tone::plain});
    report.highlights.push_back(
        {limited ? "its peak torque" : "peak torque", show(peak.value), unit, remark, Tone::plain});
    report.highlights.push_back({"peak power, all joints", show(joint_statistics_.total_power().value), "W",
                                 moment(joint_statistics_.total_power()), Tone::plain});
  }
  if (has_time)
    report.highlights.push_back({"duration", show(joint_statistics_.end() - joint_statistics_.start()), "s",
                                 fmt::format("{} rows", joint_statistics_.count()), Tone::plain});

  if (!over.empty())
    report.verdict = {fmt::format("Limits are passed: {}.", over.front()), Tone::bad};
  else if (limited)
    report.verdict = {
        fmt::format("Every joint stays within its limits; {} comes nearest, to {:.0f} % of its torque limit.",
                    model_.velocity_names[worst], 100 * load(worst)),
        Tone::good};
  else if (model_.nv > 0)
    report.verdict = {fmt::format("{} works hardest: {} {} {}. The file gives no torque limits to judge by.",
                                  model_.velocity_names[worst], show(joint_statistics_[worst].effort.value),
                                  torque_unit(velocity_kinds(model_)[worst]), moment(joint_statistics_[worst].effort)),
                      Tone::plain};
  ReportSection& torques = report.section("Torques");
  if (!curves_.motion.empty()) {
    MovingView view = robot_view(model_, "The robot as it moves", curves_.motion);
    if (!has_time) {
      view.axis = "row";
      view.unit = "";
    }
    torques.figure(std::move(view));
  }
  for (const std::string& sentence : over)
    torques.text(sentence + ".", Tone::bad);
  for (TextTable& table : tables(has_time, print)) torques.table(std::move(table));
  add_plots(report, has_time, print.degrees);
}

void TorqueReport::add_plots(Report& report, bool has_time, bool degrees) const {
  const PlotAxis time = has_time ? PlotAxis{"time", "s"} : PlotAxis{"row", ""};
  const std::vector<CoordinateKind> kinds = velocity_kinds(model_);
  const auto series = [](const std::string& name, const ThinnedSeries& curve) {
    return PlotSeries{name, curve.x(), curve.y()};
  };

  // a torque per plot, its limits beside it
  PlotGrid grid{"Torques at the joints", "", {}, 3};
  if (!curves_.tau.empty() && curves_.tau.front().thinned()) grid.note = "Long curves are thinned; every peak is kept.";
  for (int k = 0; k < model_.nv; ++k) {
    SvgPlot plot{model_.velocity_names[k], "", time, {"torque", std::string(torque_unit(kinds[k]))},
                 {series("torque", curves_.tau[k])}};
    plot.limits = limit_lines(model_.limits[k], LimitKind::effort, kinds[k], degrees);
    grid.plots.push_back(std::move(plot));
  }
  report.sections.back().figure(std::move(grid));

  // angles and lengths do not share an axis, nor do joints with limits of their own
  ReportSection& motion = report.section("Motion");
  const auto plot_all = [&](const std::string& title, const std::vector<std::string>& names,
                            const std::vector<ThinnedSeries>& curves, const std::vector<CoordinateKind>& of,
                            CoordinateKind kind, int order) {
    const std::string label = order > 1                        ? "acceleration"
                              : order > 0                      ? "speed"
                              : kind == CoordinateKind::angle  ? "angle"
                              : kind == CoordinateKind::length ? "length"
                                                               : "";
    SvgPlot all{title, "", time, {label, std::string(coordinate_unit(kind, order, degrees))}};
    PlotGrid apart{title, "", {}, 3};
    bool limited = false;
    for (std::size_t k = 0; k < curves.size(); ++k) {
      if (of[k] != kind) continue;
      all.series.push_back({names[k], curves[k].x(), in_units(curves[k].y(), kind, degrees)});
      SvgPlot one{names[k], "", time, all.y, {{label, all.series.back().x, all.series.back().y}}};
      if (names.size() == model_.limits.size())
        one.limits = limit_lines(model_.limits[k], order > 1   ? LimitKind::acceleration
                                                   : order > 0 ? LimitKind::velocity
                                                               : LimitKind::position,
                                 kind, degrees);
      limited = limited || !one.limits.empty();
      apart.plots.push_back(std::move(one));
    }
    if (limited)
      motion.figure(std::move(apart));
    else if (!all.series.empty() && order < 2)  // accelerations without limits are seen in the torques
      motion.figure(std::move(all));
  };
  const std::vector<CoordinateKind> positions = position_kinds(model_);
  plot_all("Positions: angles", model_.position_names, curves_.q, positions, CoordinateKind::angle, 0);
  plot_all("Positions: lengths", model_.position_names, curves_.q, positions, CoordinateKind::length, 0);
  plot_all("Positions: quaternions", model_.position_names, curves_.q, positions, CoordinateKind::quaternion, 0);
  plot_all("Angular velocities", model_.velocity_names, curves_.qd, kinds, CoordinateKind::angle, 1);
  plot_all("Linear velocities", model_.velocity_names, curves_.qd, kinds, CoordinateKind::length, 1);
  plot_all("Angular accelerations", model_.velocity_names, curves_.qdd, kinds, CoordinateKind::angle, 2);
  plot_all("Linear accelerations", model_.velocity_names, curves_.qdd, kinds, CoordinateKind::length, 2);

  SvgPlot power{"Mechanical power at the joints (torque times speed)", "", time, {"power", "W"}};
  for (int k = 0; k < model_.nv; ++k) power.series.push_back(series(model_.velocity_names[k], curves_.power[k]));
  report.section("Power").figure(std::move(power));
}

}  // namespace torsor
