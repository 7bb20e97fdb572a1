#include "torsor/report/size_report.hpp"

#include <fmt/format.h>

#include <cmath>

#include "torsor/report/limit_tables.hpp"
#include "torsor/report/robot_summary.hpp"
#include "torsor/report/size_tables.hpp"
#include "torsor/model/coordinate_kind.hpp"
#include "torsor/model/transmission.hpp"

namespace torsor {
namespace {

/// A motor's curve, down to the axis at its top speed.
PlotSeries outline(std::string name, const TorqueCurve& curve) {
  PlotSeries series{std::move(name), curve.speed, curve.torque};
  series.x.push_back(curve.top_speed());
  series.y.push_back(0);
  return series;
}

}  // namespace

SizingCurves::SizingCurves(const Sizing& sizing, const Model<double>& model)
    : sizing_(sizing),
      model_(model),
      joints_(static_cast<std::size_t>(model.nv)),
      motors_(sizing.drives().size()),
      power_([&] {
        std::vector<std::string> names{"all"};
        names.insert(names.end(), model.velocity_names.begin(), model.velocity_names.end());
        return names;
      }()),
      now_(joints_.size() + 1) {}

void SizingCurves::add(double t, std::span<const double> instant) {
  now_[0] = sizing_.total_power(instant);
  for (int k = 0; k < model_.nv; ++k) {
    const double w = sizing_.speed(instant, k), tau = sizing_.effort(instant, k);
    joints_[k].push(std::abs(w), std::abs(tau));
    now_[k + 1] = w * tau;
  }
  power_.add(t, now_);
  for (std::size_t d = 0; d < motors_.size(); ++d)
    motors_[d].push(std::abs(sizing_.motor_speed(instant, d)), std::abs(sizing_.motor_torque(instant, d)));
}

PlotGrid SizingCurves::joint_clouds(bool degrees) const {
  const std::vector<CoordinateKind> kinds = velocity_kinds(model_);
  PlotGrid grid{"Torque over speed at the joints", "Magnitudes; the robot file's limits beside them.", {}, 3};
  for (int k = 0; k < model_.nv; ++k) {
    SvgPlot plot{model_.velocity_names[k],
                 "",
                 {"speed", std::string(coordinate_unit(kinds[k], 1, degrees)), false, 0.0, {}},
                 {"torque", std::string(torque_unit(kinds[k])), false, 0.0, {}},
                 {{"motion", in_units(joints_[k].x(), kinds[k], degrees), joints_[k].y()}}};
    const Limits& limits = model_.limits[k];
    if (std::isfinite(limits.velocity)) plot.markers.push_back({in_unit(limits.velocity, kinds[k], degrees), "limit"});
    if (std::isfinite(limits.effort))
      plot.limits.push_back({limits.effort, "limit " + format_number(limits.effort, 4)});
    grid.plots.push_back(std::move(plot));
  }
  return grid;
}

PlotGrid SizingCurves::motor_clouds() const {
  PlotGrid grid{
      "Torque over speed at the motors",
      "Magnitudes: the curves hold in all four quadrants. The thermal point is the rms torque at the mean speed; "
      "it belongs under the continuous curve, the motion under the peak curve.",
      {},
      3};
  for (std::size_t d = 0; d < motors_.size(); ++d) {
    const AssignedDrive& drive = sizing_.drives()[d];
    const ShaftDemand& shaft = sizing_.motor(d).shaft;
    SvgPlot plot{drive.name, drive.motor ? drive.motor->name : "", {"speed", "rad/s", false, 0.0, {}},
                 {"torque", std::string(motor_torque_unit), false, 0.0, {}},
                 {{"motion", motors_[d].x(), motors_[d].y()}}};
    if (drive.motor) {
      const Motor& motor = *drive.motor;
      if (!motor.peak.empty()) plot.series.push_back(outline("peak", motor.peak));
      if (!motor.continuous.empty()) plot.series.push_back(outline("continuous", motor.continuous));
    }
    // a point as the corner of two lines to the axes
    const double rms = shaft.rms_torque(), mean = shaft.mean_speed();
    plot.series.push_back({"thermal point", {0, mean, mean}, {rms, rms, 0}});
    grid.plots.push_back(std::move(plot));
  }
  return grid;
}

SvgPlot SizingCurves::power() const {
  SvgPlot plot = power_.plot("Power over time", "power", "W", columns_from(0, now_.size()));
  plot.note = "Below zero power comes back. All: motors, and joints without one, sharing one supply.";
  return plot;
}

namespace {

/// Torque of one motor over the ratio of its gear.
SvgPlot ratio_plot(const Sizing& sizing, std::size_t d) {
  const AssignedDrive& drive = sizing.drives()[d];
  SvgPlot plot{drive.name, "", {"gear ratio", "", true, {}, {}},
               {"motor torque", std::string(motor_torque_unit), true, {}, {}}, {{"peak", {}, {}}, {"rms", {}, {}}}};
  for (std::size_t r = 0; r < sizing.ratios().size(); ++r) {
    const ShaftDemand& shaft = sizing.sweep(d)[r].shaft;
    for (PlotSeries& series : plot.series) series.x.push_back(sizing.ratios()[r]);
    plot.series[0].y.push_back(std::abs(shaft.torque.value));
    plot.series[1].y.push_back(shaft.rms_torque());
  }
  const double low = sizing.ratios().front(), high = sizing.ratios().back();
  const auto mark = [&](double ratio, const char* label) {
    if (ratio >= low && ratio <= high) plot.markers.push_back({ratio, label});
  };
  mark(sizing.best_ratio(d), "least rms");
  mark(std::abs(*drive.gear), "as it is");
  if (drive.motor && !drive.motor->continuous.empty())
    plot.limits.push_back({drive.motor->continuous.torque.front(), "continuous at rest"});
  if (drive.motor && !drive.motor->peak.empty())
    plot.limits.push_back({drive.motor->peak.torque.front(), "peak at rest"});
  return plot;
}

/// How much of a motor each ratio uses: below 1 it fits.
SvgPlot use_plot(const Sizing& sizing) {
  SvgPlot plot{
      "How much of its motor each ratio uses",
      "The largest of: torque / peak torque at that speed, speed / top speed, rms torque / continuous torque at the "
      "mean speed.",
      {"gear ratio", "", true, {}, {}},
      {"use", "", true, {}, 10.0},
      {},
      {},
      {{1, "all of it"}}};
  for (std::size_t d = 0; d < sizing.drives().size(); ++d) {
    const AssignedDrive& drive = sizing.drives()[d];
    if (!drive.motor || !drive.gear) continue;
    PlotSeries series{drive.name, sizing.ratios(), {}};
    for (const MotorUse& use : sizing.sweep(d)) series.y.push_back(use.use(*drive.motor));
    plot.series.push_back(std::move(series));
  }
  return plot;
}

void add_highlights(Report& report, const SizingResult& sized, const LimitWatch& limits) {
  const auto show = [](double x) { return format_number(x, 4); };
  std::size_t judged = 0, fitting = 0;
  for (const DriveSizing& drive : sized.drives) {
    judged += drive.motor.has_value();
    fitting += drive.shares.fits.value_or(false);
  }
  if (judged > 0)
    report.highlights.push_back({"motors that fit", fmt::format("{} of {}", fitting, judged), "", "",
                                 fitting == judged ? Tone::good : Tone::bad});
  if (const auto [share, remark] = nearest_limit(limits); share > 0)
    report.highlights.push_back(
        {"nearest to its limit", fmt::format("{:.0f}", 100 * share), "%", remark,
         !limits.kept()     ? Tone::bad
         : just_kept(share) ? Tone::warning
                            : Tone::good});
  const ShaftDemand& total = sized.total.all;
  report.highlights.push_back(
      {"peak power, all", show(total.power.value), "W", fmt::format("at {} s", show(total.power.time)), Tone::plain});
  report.highlights.push_back(
      {"energy per cycle", show(total.net_energy()), "J",
       fmt::format("{} taken, {} back", show(total.energy_taken()), show(total.energy_returned())), Tone::plain});
  report.highlights.push_back({"cycle", show(sized.duration + sized.dwell), "s",
                               sized.dwell > 0 ? fmt::format("{} s of it at rest", show(sized.dwell)) : "",
                               Tone::plain});
}

}  // namespace

void add_sized(RobotMotion& pictures, Sizing& sizing, const MotionRow& row) {
  std::vector<double> instant(sizing.width()), tau(row.qd.size());
  sizing.evaluate(row.q, row.qd, row.qdd, instant);
  for (std::size_t k = 0; k < tau.size(); ++k) tau[k] = sizing.effort(instant, static_cast<int>(k));
  pictures.add(row.t, row.q, tau);
}

void describe_sizing(Report& report, const Sizing& sizing, const SizingResult& sized, const LimitWatch& limits,
                     const SizingCurves& curves, const SizingFacts& facts, const PrintStyle& print) {
  add_highlights(report, sized, limits);
  ReportSection& verdicts = report.section("Verdict");
  for (const Paragraph& verdict : sizing_verdicts(sized, limits)) verdicts.text(verdict.text, verdict.tone);
  verdicts.text(headline(sized, facts));
  if (const std::vector<Paragraph> all = sizing_verdicts(sized, limits); !all.empty())
    report.verdict = *std::ranges::max_element(all, {}, [](const Paragraph& p) { return static_cast<int>(p.tone); });
  ReportSection& joints = report.section("Joints");
  for (TextTable& table : joint_tables(sized, limits, facts, print)) joints.table(std::move(table));
  joints.figure(curves.joint_clouds(print.degrees));
  if (!sizing.drives().empty()) {
    ReportSection& motors = report.section("Motors");
    for (TextTable& table : motor_tables(sized, print)) motors.table(std::move(table));
    motors.figure(curves.motor_clouds());
  }
  if (!sizing.ratios().empty()) {
    ReportSection& ratios = report.section("Gear ratios");
    PlotGrid grid{"Motor torque over gear ratio", "", {}, 3};
    for (std::size_t d = 0; d < sizing.drives().size(); ++d)
      if (sizing.drives()[d].gear) grid.plots.push_back(ratio_plot(sizing, d));
    std::vector<TextTable> tables = ratio_tables(sized, print);
    ratios.table(tables.front());
    ratios.figure(std::move(grid));
    if (SvgPlot use = use_plot(sizing); !use.series.empty()) ratios.figure(std::move(use));
    for (std::size_t k = 1; k < tables.size(); ++k) ratios.table(std::move(tables[k]));
  }
  report.section("Power").figure(curves.power());
}

Report sizing_report(const Robot& robot, const Model<double>& model, const Sizing& sizing, const SizingResult& sized,
                     const SizingCurves& curves, const SizingFacts& facts, const LimitWatch& limits,
                     const RobotMotion& motion, bool finished, const PrintStyle& print) {
  Report report{fmt::format("{}: drives along {}", model.name, facts.motion),
                fmt::format("{}", fmt::join(facts.remarks, "; ")),
                "Made by torsor size."};
  if (!finished) report.section("").text("The motion ended early: this is of what came before.", Tone::bad);
  describe_sizing(report, sizing, sized, limits, curves, facts, print);
  if (finished && !motion.empty()) report.sections.front().figure(robot_view(robot, "The robot as it moves", motion));
  for (const std::string& sentence : limit_sentences(limits, InstantsBy::time, print.degrees))
    report.sections.back().text(sentence + ".", Tone::bad);
  describe_robot(report, robot, print);
  return report;
}

}  // namespace torsor
