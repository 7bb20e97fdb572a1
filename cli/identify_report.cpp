#include "cli/identify_report.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iostream>

#include "cli/parameter_arguments.hpp"
#include "torsor/dynamics.hpp"
#include "torsor/identification/identification_result.hpp"
#include "torsor/text/result_json.hpp"
#include "torsor/text/result_table.hpp"
#include "torsor/report/thinned_series.hpp"
#include "torsor/model/coordinate_kind.hpp"
#include "torsor/model/transmission.hpp"

namespace torsor {
namespace {

constexpr double much_inflated = 30;  // deviation over what it would be if the other parameters were known
constexpr double usually_good = 100;  // condition numbers up to here are those of designed motions
constexpr double significant = 2;     // deviations
constexpr double well_known = 0.1;    // deviation over value

struct TorqueNames {
  std::vector<std::string> names, units;
};

TorqueNames torque_names(const Model<double>& model, bool at_motors) {
  TorqueNames out{at_motors ? motor_names(model) : model.velocity_names, {}};
  for (const CoordinateKind kind : velocity_kinds(model)) out.units.emplace_back(torque_unit(kind));
  if (at_motors)
    for (const int k : motor_coordinates(model)) out.units[k] = motor_torque_unit;
  return out;
}

/// What is left of a joint's torque; or why that cannot be said.
std::string left_text(const JointFit& joint, double size, double share) {
  if (joint.rows == 0) return "does not move";
  return size > 0 ? share_text(share) : "no torque";
}

TextTable joint_fit_table(const Model<double>& model, const Identification& found, const IdentifyView& view,
                          const PrintArguments& print) {
  const auto [names, units] = torque_names(model, view.at_motors);
  TextTable table{view.at_motors ? "motor by motor" : "joint by joint"};
  for (const char* name : {view.at_motors ? "motor" : "joint", "unit", "equations", "rms", "noise", "left"})
    table.columns.push_back(column(name, "", print));
  if (found.held_out > 0)
    for (const char* name : {"left, held out", "with the file's"}) table.columns.push_back(column(name, "", print));
  for (std::size_t j = 0; j < found.joints.size(); ++j) {
    const JointFit& joint = found.joints[j];
    TextTable::Row row{names[j],   units[j],    joint.rows,
                       joint.size, joint.noise, left_text(joint, joint.size, joint.fit)};
    if (found.held_out > 0)
      for (const double share : {joint.held_fit, joint.held_file})
        row.emplace_back(left_text(joint, joint.held_size, share));
    table.add(std::move(row));
  }
  return table;
}

TextTable parameter_table(const Model<double>& model, const Identification& found, const IdentifiedSet& set,
                          const GroupTexts& texts, const PrintArguments& print) {
  TextTable table{""};
  for (const char* name :
       {"parameter", "combination", "unit", "in the file", "identified", "deviation", "relative"})
    table.columns.push_back(column(name, "", print));
  if (set.constrained) table.columns.push_back(column("written", "", print));
  table.columns.push_back(column("", "", print));
  for (int k = 0; k < found.count(); ++k) {
    const DynamicParameter& p = found.base.parameters[found.base.kept[k]];
    const bool known = std::ranges::count(found.unexcited, k) == 0;
    TextTable::Row row{parameter_name(model, p), texts.combinations[k], std::string(parameter_unit(model, p)),
                       found.file[k]};
    if (known)
      row.insert(row.end(),
                 {format_number(found.value[k], print.significant()), fmt::format("{:.2g}", found.deviation[k]),
                  found.deviation[k] < std::abs(found.value[k])
                      ? share_text(found.deviation[k] / std::abs(found.value[k]))
                      : std::string("> 100 %")});
    else
      row.insert(row.end(), {std::string("-"), std::string("-"), std::string()});
    if (set.constrained) row.emplace_back(format_number(set.base[k], print.significant()));
    row.emplace_back(verdict(found, k));
    table.add(std::move(row));
  }
  return without_noise(std::move(table));
}

std::string names_with(const Model<double>& model, const Identification& found, std::string_view said) {
  std::string text;
  for (int k = 0; k < found.count(); ++k)
    if (verdict(found, k) == said)
      text += (text.empty() ? "" : ", ") + parameter_name(model, found.base.parameters[found.base.kept[k]]);
  return text;
}

/// Recorded and computed torques, one plot per joint.
PlotGrid torque_plots(const Robot& file, const Robot& identified, const Identification& found,
                      const IdentifyView& view) {
  const Model<double>& model = file.coordinates();
  const auto [names, units] = torque_names(model, view.at_motors);
  const std::size_t n = names.size();
  std::vector<ThinnedSeries> recorded(n), computed(n), left(n);
  Dynamics dynamics(identified, {.questions = Questions::all_but_forward});
  std::vector<double> tau(n), motor(n);
  const bool timed = view.record.notes().timed;
  double row = 0, mark = 0;
  view.record.rewind();
  while (const TorqueSample* sample = view.record.next()) {
    const double at = timed ? view.record.t() : row + 1;
    if (row++ == static_cast<double>(found.fitted)) mark = at;
    dynamics.inverse(sample->q, sample->qd, sample->qdd, tau);
    if (view.at_motors) motor_torques(model, tau, motor), tau = motor;
    for (std::size_t j = 0; j < n; ++j) {
      recorded[j].push(at, sample->tau[j]);
      computed[j].push(at, tau[j]);
      left[j].push(at, sample->tau[j] - tau[j]);
    }
  }
  PlotGrid grid{"Recorded and computed torques",
                found.held_out > 0 ? "What is right of the mark was held out of the fit." : "", {}, 2};
  for (std::size_t j = 0; j < n; ++j) {
    SvgPlot plot{names[j],
                 "",
                 timed ? PlotAxis{"time", "s"} : PlotAxis{"row", ""},
                 {"torque", units[j]},
                 {{"recorded", recorded[j].x(), recorded[j].y()},
                  {"computed", computed[j].x(), computed[j].y()},
                  {"left", left[j].x(), left[j].y()}}};
    if (found.held_out > 0) plot.markers.push_back({mark, "held out"});
    grid.plots.push_back(std::move(plot));
  }
  return grid;
}

/// Levels that the fit holds at their bound: `Fv3 (-0.02, 4.1 deviations from it)`.
std::string bound_list(const Model<double>& model, const Identification& found, const IdentifiedSet& set) {
  std::string text;
  for (const int place : set.at_bound) {
    text += (text.empty() ? "" : ", ") + parameter_name(model, found.base.parameters[place]);
    const auto kept = std::ranges::find(found.base.kept, place);
    if (kept == found.base.kept.end()) continue;
    const auto k = static_cast<int>(kept - found.base.kept.begin());
    text += fmt::format(" ({:.3g}, {:.2g} deviations from it)", found.value[k], set.off(found, k));
  }
  return text;
}

/// What it costs that the written links are possible bodies, and no friction is negative.
void describe_price(const Robot& file, const Identification& found, const IdentifiedSet& set, ReportSection& section) {
  std::string bodies;
  for (const int i : set.impossible) bodies += (bodies.empty() ? "" : ", ") + file.tree().link_names[i];
  section.text(fmt::format(
      "The estimates, by themselves, are of no possible robot{}: noise does that. The consistent robot has the "
      "possible "
      "links, with positive definite pseudo-inertias, and the friction and rotors, none of them negative, that fit the "
      "record best; what the record does not determine is as near to the file as that allows.",
      bodies.empty() ? "" : " (impossible links: " + bodies + ")"));
  if (!set.at_bound.empty())
    section.text(fmt::format("At their bound (zero, or for breakaway the level of sliding): {}.",
                             bound_list(file.tree(), found, set)));
  std::string flat;
  for (const BoundaryBody& each : set.on_boundary)
    flat += fmt::format("{}{} ({:.1g})", flat.empty() ? "" : ", ", file.tree().link_names[each.body], each.margin);
  if (!flat.empty())
    section.text(
        fmt::format(
            "On the boundary of possible bodies, because noise, or something that is no parameter, would have them "
            "beyond it (least eigenvalue of the pseudo-inertia over the largest): {}. Such a link has no "
            "extent along some direction, and a check of its density says little.",
            flat),
        Tone::warning);
  int farthest = 0, beyond = 0;
  for (int k = 0; k < found.count(); ++k) {
    if (set.off(found, k) > set.off(found, farthest)) farthest = k;
    if (set.off(found, k) > significant) ++beyond;
  }
  std::size_t worst = 0;
  for (std::size_t j = 1; j < set.fit.size(); ++j)
    if (set.fit[j] - found.joints[j].fit > set.fit[worst] - found.joints[worst].fit) worst = j;
  section.text(
      fmt::format(
          "What that costs: the weighted sum of squares goes up by {:.3g}, the residual of {} from {} to {}, that "
          "of all others by less. {} base parameters move by more than {} deviations, {} by the most, {:.2g}.",
          set.misfit, file.coordinates().velocity_names[worst], share_text(found.joints[worst].fit),
          share_text(set.fit[worst]), beyond, significant,
          parameter_name(file.tree(), found.base.parameters[found.base.kept[farthest]]), set.off(found, farthest)),
      beyond > 0 ? Tone::warning : Tone::plain);
}

void describe_consistency(const Robot& file, const Identification& found, const IdentifiedRobot& identified,
                          ReportSection& section) {
  if (identified.set.constrained)
    describe_price(file, found, identified.set, section);
  else
    section.text(
        "The base parameters are mapped back to the parameters of all links with the least change of the robot file, "
        "which has the identified torques.");
  if (!identified.faults.empty()) {
    section.text("No robot file can hold this set:", Tone::bad);
    for (const Fault& fault : identified.faults)
      section.text(to_string({{}, fault.offender, fault.rule, fault.what, ""}), Tone::bad);
    return;
  }
  bool sound = true;
  for (const Finding& finding : identified.findings) {
    if (finding.severity == Severity::note) continue;
    sound = false;
    section.text(to_string({{}, finding.error.offender, finding.error.rule, finding.error.what, ""}),
                 finding.severity == Severity::error ? Tone::bad : Tone::warning);
  }
  if (sound) section.text("All links are possible bodies, and the mass matrix is positive definite.", Tone::good);
}

}  // namespace

std::string verdict(const Identification& found, int k) {
  if (std::ranges::count(found.unexcited, k) > 0) return "not excited";
  if (found.inflation[k] > much_inflated) return "badly excited";
  if (!(std::abs(found.value[k]) > significant * found.deviation[k])) return "lost in noise";
  if (found.deviation[k] > well_known * std::abs(found.value[k])) return "uncertain";
  return "";
}

Report identify_report(const Robot& robot, const Identification& found, const GroupTexts& texts,
                       const IdentifiedRobot& identified, const IdentifyView& view, const PrintArguments& print) {
  // parameters are those of the tree, torques of the coordinates
  const Model<double>& model = robot.tree();
  Report report{fmt::format("{}: parameters identified from {}", model.name, view.log),
                fmt::format("{} instants to fit with, {} held out; {} base parameters of {}", found.fitted,
                            found.held_out, found.count(), found.base.parameters.size())};
  double worst = 0;
  std::size_t worst_joint = 0;
  for (std::size_t j = 0; j < found.joints.size(); ++j) {
    const double left = found.held_out > 0 ? found.joints[j].held_fit : found.joints[j].fit;
    if (left > worst) worst = left, worst_joint = j;
  }
  const std::vector<std::string> names = torque_names(robot.coordinates(), view.at_motors).names;
  report.highlights.push_back({found.held_out > 0 ? "largest residual, held out" : "largest residual",
                               fmt::format("{:.3g}", 100 * worst), "%", names.empty() ? "" : names[worst_joint],
                               Tone::plain});
  report.highlights.push_back({"condition of the excitation", fmt::format("{:.3g}", found.condition), "",
                               "columns of unit length", found.condition > usually_good ? Tone::warning : Tone::good});

  report.verdict = {fmt::format("The model found leaves at most {:.3g} % of a torque unexplained{}.", 100 * worst,
                                found.unexcited.empty() ? "" : ", and the motion does not excite every parameter"),
                    found.unexcited.empty() && found.condition <= usually_good ? Tone::good : Tone::warning};
  if (const Faults doubts = implausible(robot.coordinates(), found); !doubts.empty())
    report.verdict = {fmt::format("These are no parameters of the robot. {}: {}.", doubts.front().offender,
                                  doubts.front().what),
                      Tone::bad};
  ReportSection& fit = report.section("Fit");
  if (!view.derivation.empty()) fit.text(view.derivation + ".");
  fit.table(joint_fit_table(robot.coordinates(), found, view, print));
  fit.text(
      fmt::format("noise: standard deviation of the residual; left: rms of it over the rms of the torque. Equations "
                  "weighted by the "
                  "noise of their joint, {} rounds{}. Condition number {:.3g}, columns of unit length.",
                  found.rounds, found.settled ? "" : " (not settled)", found.condition));
  for (std::size_t j = 0; j < found.joints.size(); ++j)
    if (found.joints[j].resting > 0)
      fit.text(fmt::format("{}: {} instants at rest left out, where dry friction may be anything.", names[j],
                           found.joints[j].resting));

  if (identified.robot) fit.figure(torque_plots(robot, *identified.robot, found, view));

  ReportSection& parameters = report.section("Base parameters");
  parameters.table(parameter_table(model, found, identified.set, texts, print));
  parameters.text(
      "Deviations are those of noise that is independent from row to row; a record that was filtered, or sampled "
      "faster "
      "than its noise changes, promises too much.");
  if (const std::string list = names_with(model, found, "not excited"); !list.empty())
    parameters.text(fmt::format("Not excited, left as in the file: {}.", list), Tone::bad);
  if (const std::string list = names_with(model, found, "badly excited"); !list.empty())
    parameters.text(fmt::format("Badly excited (more than {} times as uncertain as if the others were known): {}.",
                                much_inflated, list),
                    Tone::warning);
  if (const std::string list = names_with(model, found, "lost in noise"); !list.empty())
    parameters.text(fmt::format("Not distinguishable from zero (within {} deviations): {}.", significant, list));

  describe_consistency(robot, found, identified, report.section("Physical consistency"));
  ReportSection& legend = report.section("Letters");
  legend.table(body_table(model, print));
  if (!texts.letters.empty()) legend.table(letter_table(texts, print));
  return report;
}

int print_identify_json(const Robot& robot, const Identification& found, const GroupTexts& texts,
                        const IdentifiedRobot& identified, const IdentifyView& view) {
  // parameters are those of the tree, torques of the coordinates
  const Model<double>& model = robot.tree();
  const auto [names, units] = torque_names(robot.coordinates(), view.at_motors);
  const IdentifiedSet& set = identified.set;
  const auto parameter = [&](int place) -> const DynamicParameter& {
    return found.base.parameters[static_cast<std::size_t>(place)];
  };
  IdentificationResult out;
  out.robot = model.name;
  out.log = view.log;
  out.fitted = found.fitted;
  out.held_out = found.held_out;
  out.derived = bool(view.record.notes().derived);
  out.at_motors = view.at_motors;
  out.condition = found.condition;
  out.rounds = found.rounds;
  out.settled = found.settled;
  const auto residual = [](double size, double share) { return size > 0 ? std::optional(share) : std::nullopt; };
  for (std::size_t j = 0; j < found.joints.size(); ++j) {
    const JointFit& joint = found.joints[j];
    IdentifiedJoint& row = out.joints.emplace_back(IdentifiedJoint{names[j],
                                                                   units[j],
                                                                   joint.rows,
                                                                   joint.resting,
                                                                   joint.size,
                                                                   joint.noise,
                                                                   residual(joint.size, joint.fit),
                                                                   residual(joint.size, set.fit[j]),
                                                                   {},
                                                                   {}});
    if (found.held_out == 0) continue;
    row.held_out.emplace(residual(joint.held_size, joint.held_fit));
    row.held_out_file.emplace(residual(joint.held_size, joint.held_file));
  }
  for (int k = 0; k < found.count(); ++k) {
    const DynamicParameter& p = parameter(found.base.kept[k]);
    out.base_parameters.push_back({parameter_name(model, p), std::string(parameter_unit(model, p)),
                                   texts.combinations[k], found.file[k], found.value[k], found.deviation[k],
                                   found.inflation[k], set.base[k], verdict(found, k)});
  }
  for (std::size_t k = 0; k < set.phi.size(); ++k) {
    const DynamicParameter& p = found.base.parameters[k];
    out.parameters.push_back(
        {parameter_name(model, p), std::string(parameter_unit(model, p)), parameter_value(model, p), set.phi[k]});
  }
  out.constrained = set.constrained;
  out.misfit = set.misfit;
  for (const int place : set.at_bound) out.at_bound.push_back(parameter_name(model, parameter(place)));
  for (const BoundaryBody& each : set.on_boundary)
    out.on_boundary.push_back({model.link_names[each.body], each.margin});
  out.physically_consistent =
      identified.faults.empty() && std::ranges::none_of(identified.findings, [](const Finding& finding) {
        return finding.severity == Severity::error;
      });
  for (const Fault& fault : identified.faults) out.findings.push_back(to_string(fault));
  for (const Finding& finding : identified.findings)
    if (finding.severity != Severity::note) out.findings.push_back(to_string(finding.error));
  JsonWriter json(std::cout);
  write_json(json, out);
  return finish_json(json);
}

}  // namespace torsor
