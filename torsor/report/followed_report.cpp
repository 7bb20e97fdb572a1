#include "torsor/report/followed_report.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "torsor/model/coordinate_kind.hpp"
#include "torsor/report/column_curves.hpp"
#include "torsor/trajectory/jump_watch.hpp"
#include "torsor/trajectory/tool_path.hpp"

namespace torsor {
namespace {

double least_of(const PathSample& sample, bool closed) {
  return closed ? *std::min_element(sample.factor.begin(), sample.factor.end()) : sample.smallest_singular_value;
}

void add_singularity(Report& report, const FollowedPath& followed) {
  ColumnCurves curves(followed.closed_form ? std::vector<std::string>{"shoulder", "elbow", "wrist"}
                                           : std::vector<std::string>{"smallest singular value"});
  for (const PathSample& sample : followed.samples)
    if (followed.closed_form)
      curves.add(sample.t, sample.factor);
    else
      curves.add(sample.t, std::array{sample.smallest_singular_value});
  SvgPlot plot =
      curves.plot("Distance to singular positions", followed.closed_form ? "factor of det J" : "singular value", "",
                  columns_from(0, followed.closed_form ? 3 : 1));
  if (followed.closed_form) plot.limits = {{near_singular_factor, "near-singular"}};
  plot.note = followed.closed_form
                  ? "1 far from the singular set of each part, 0 on it."
                  : "Of the Jacobian, shifts in units of half the arm's length; 0 where a direction is lost.";
  report.section("Distance to singular positions").figure(std::move(plot));
}

/// Every branch that the first pose has, as far as it goes; limits are drawn, not kept.
void add_branches(Report& report, const InverseKinematics& solver, const std::vector<BranchAlong>& drawn,
                  bool degrees) {
  const Model<double>& model = solver.model();
  const auto kinds = position_kinds(model);
  PlotGrid grid{"Joint positions of every branch", "", {}, 3};
  for (std::size_t k = 0; k < kinds.size(); ++k) {
    SvgPlot plot{
        model.position_names[k], "", {"time", "s"}, {"position", std::string(coordinate_unit(kinds[k], 0, degrees))}};
    for (const BranchAlong& each : drawn) {
      PlotSeries series{each.name, {}, {}};
      for (const PathSample& sample : each.path.samples) {
        series.x.push_back(sample.t);
        series.y.push_back(in_unit(sample.q[k], kinds[k], degrees));
      }
      if (!series.x.empty()) plot.series.push_back(std::move(series));
    }
    const Limits& limits = model.limits[k];
    if (std::isfinite(limits.lower)) plot.limits.push_back({in_unit(limits.lower, kinds[k], degrees), "lower limit"});
    if (std::isfinite(limits.upper)) plot.limits.push_back({in_unit(limits.upper, kinds[k], degrees), "upper limit"});
    grid.plots.push_back(std::move(plot));
  }
  ReportSection& section = report.section("Branches");
  section.text(fmt::format(
      "The branch that was followed is drawn first: {}. The others are drawn as far as they go, limits or not.",
      drawn.front().name));
  section.figure(std::move(grid));
  TextTable table{"how far each branch goes", {{"branch"}, {"to"}, {"because"}}};
  for (const BranchAlong& each : drawn)
    table.add({each.name, each.path.stop_time,
               each.path.finished() ? std::string("the end") : explanation(each.path, model)});
  if (drawn.size() > 1) section.table(std::move(table));
}

/// The least factor of each branch: which of them stays away from singular positions.
void add_branch_distances(Report& report, const std::vector<BranchAlong>& drawn, bool closed) {
  SvgPlot plot{"Distance of every branch",
               "",
               {"time", "s"},
               {closed ? "least factor of det J" : "smallest singular value", ""}};
  if (closed) plot.limits = {{near_singular_factor, "near-singular"}};
  for (const BranchAlong& each : drawn) {
    PlotSeries series{each.name, {}, {}};
    for (const PathSample& sample : each.path.samples) {
      series.x.push_back(sample.t);
      series.y.push_back(least_of(sample, closed));
    }
    if (!series.x.empty()) plot.series.push_back(std::move(series));
  }
  report.section("Distance of every branch").figure(std::move(plot));
}

void add_rates(Report& report, const InverseKinematics& solver, const FollowedPath& followed, bool degrees) {
  const Model<double>& model = solver.model();
  ColumnCurves curves(model.velocity_names);
  for (const PathSample& sample : followed.samples) curves.add(sample.t, sample.qdd);
  const auto kinds = velocity_kinds(model);
  for (const CoordinateKind kind : {CoordinateKind::angle, CoordinateKind::length}) {
    std::vector<std::size_t> columns;
    for (std::size_t k = 0; k < kinds.size(); ++k)
      if (kinds[k] == kind) columns.push_back(k);
    if (!columns.empty())
      report.section(kind == CoordinateKind::angle ? "Accelerations" : "Accelerations of the prismatic joints")
          .figure(curves.plot("Joint accelerations", "acceleration", kind, 2, columns, degrees));
  }
}

void add_residual(Report& report, const FollowedPath& followed) {
  ColumnCurves curves({"position (m)", "angle (rad)"});
  for (const PathSample& sample : followed.samples)
    curves.add(sample.t, std::array{sample.position_residual, sample.angle_residual});
  report.section("Residual of the path")
      .figure(curves.plot("Tracking residual, recomputed from the joints", "residual", "m, rad", columns_from(0, 2)));
}

}  // namespace

bool has_undetermined(const FollowedPath& followed) {
  return std::any_of(followed.samples.begin(), followed.samples.end(),
                     [](const PathSample& sample) { return sample.rates != RatesFrom::tool; });
}

double undetermined_mark(const PathSample& sample) { return static_cast<double>(sample.rates); }

std::string nearest_singularity(const FollowedPath& followed) {
  if (followed.samples.empty()) return "";
  const bool closed = followed.closed_form;
  const auto nearest = std::min_element(
      followed.samples.begin(), followed.samples.end(),
      [closed](const PathSample& a, const PathSample& b) { return least_of(a, closed) < least_of(b, closed); });
  const std::string number = format_number(least_of(*nearest, closed), 3);
  if (!closed) return fmt::format("at {} s, smallest singular value {}", format_number(nearest->t, 4), number);
  const auto part = std::min_element(nearest->factor.begin(), nearest->factor.end()) - nearest->factor.begin();
  return fmt::format("the {} at {} s, factor {}", part_name(static_cast<std::size_t>(part)),
                     format_number(nearest->t, 4), number);
}

WorstResidual worst_residual(const FollowedPath& followed) {
  WorstResidual worst;
  for (const PathSample& sample : followed.samples) {
    worst.position = std::max(worst.position, sample.position_residual);
    worst.angle = std::max(worst.angle, sample.angle_residual);
  }
  return worst;
}

RowJumps jumps_along(const FollowedPath& followed, const ToolPath& path, const Model<double>& model) {
  if (path.derivatives < 2 || !path.timed) return {};
  JumpWatch watch(model);
  for (const PathSample& sample : followed.samples) watch.add({sample.t, sample.q, sample.qd, sample.qdd});
  return watch.jumps();
}

void describe_followed(Report& report, const InverseKinematics& solver, const ToolPath& path,
                       const FollowedPath& followed, const PrintStyle& print) {
  const std::string why = explanation(followed, solver.model());
  report.highlights.push_back({"followed to", format_number(followed.stop_time, 4), "s",
                               followed.finished() ? "the end of the path" : std::string(stop_name(followed.stop)),
                               followed.finished() ? Tone::good : Tone::bad});
  if (!followed.finished()) {
    report.section("Where it ended").text(why, Tone::bad);
    report.verdict = {fmt::format("The path is not followed to its end: {}.", why), Tone::bad};
  } else if (report.verdict.text.empty()) {
    report.verdict = {
        fmt::format("The path is followed to its end; nearest to singular: {}.", nearest_singularity(followed)),
        Tone::good};
  }
  if (followed.samples.empty()) return;
  if (const RowJumps jumps = jumps_along(followed, path, solver.model())) {
    report.section("Rows that jump").text(describe(jumps, solver.model()) + ".", Tone::bad);
    if (followed.finished())
      report.verdict = {fmt::format("The path is followed to its end, but not smoothly: {}.",
                                    describe(*jumps.first, solver.model())), Tone::bad};
  }
  const std::vector<BranchAlong> drawn = solver.follow_others(path, followed);
  add_branches(report, solver, drawn, print.degrees);
  if (path.derivatives > 1) add_rates(report, solver, followed, print.degrees);
  add_singularity(report, followed);
  if (drawn.size() > 1) add_branch_distances(report, drawn, followed.closed_form);
  add_residual(report, followed);
}

}  // namespace torsor
