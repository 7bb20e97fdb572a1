#include "torsor/report/formulations_report.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "torsor/formulations/certificate.hpp"
#include "torsor/formulations/operation_census.hpp"
#include "torsor/model/configuration.hpp"
#include "torsor/model/dh_chain.hpp"
#include "torsor/report/dh_table.hpp"
#include "torsor/report/robot_summary.hpp"
#include "torsor/report/robot_view.hpp"

namespace torsor {
namespace {

/// The table in the conventions that the file is not written in.
void add_dh_tables(Report& report, const Robot& robot) {
  ReportSection& section = report.section("DH tables in other conventions");
  for (const Convention convention : {Convention::standard_dh, Convention::modified_dh}) {
    const auto converted = to_dh(robot.description(), convention);
    if (!converted) {
      section.text(fmt::format("There is none: {}: {}.", converted.faults()[0].offender, converted.faults()[0].what));
      return;
    }
    if (convention == robot.description().convention) continue;
    if (auto table = dh_table(converted->description, 6)) section.table(std::move(*table));
    for (const DhEnd& end : dh_ends(converted->description, robot.description().base)) section.text(to_text(end, 6));
    for (const Snap& snap : converted->snaps)
      section.text(fmt::format("Taken as exact: {} (off by {}).", snap.what, format_number(snap.residual, 3)));
  }
}

/// The worst disagreement of any two.
double add_agreement(Report& report, const Agreement& agreement) {
  const std::size_t count = agreement.inverse.size();
  double worst = 0;
  HeatMap map{"disagreement of each pair, as a power of ten",
              fmt::format("max |dtau| / max (|D qdd| + |h| + |g|) over {} random states; "
                          "a pair that agrees to the last digit is shown as -17",
                          agreement.states),
              "", {}, {}, {}, 3};
  for (std::size_t i = 0; i < count; ++i) {
    map.rows.emplace_back(agreement.inverse[i].name);
    map.columns.emplace_back(agreement.inverse[i].name);
    map.values.emplace_back();
    for (std::size_t j = 0; j < count; ++j) {
      const double measure = i == j ? 0 : agreement.pair(std::min(i, j), std::max(i, j)).measure;
      worst = std::max(worst, measure);
      map.values.back().push_back(std::log10(std::max(measure, 1e-17)));
    }
  }
  ReportSection& section = report.section("Agreement");
  report.highlights.push_back({"formulations", std::to_string(count), "", "run on this robot", Tone::plain});
  report.highlights.push_back({"worst disagreement", format_number(worst, 2), "", "between any two of them",
                               worst < 1e-12 ? Tone::good : Tone::bad});
  section.figure(std::move(map));
  TextTable rows{"formulations of inverse dynamics", {{"name"}, {"source"}, {"frames"}, {"order"}, {"worst"}}};
  for (const CertifiedRow& row : agreement.inverse)
    rows.add({std::string(row.name), std::string(row.source), std::string(frames_name(row.frames)),
              std::string(row.complexity), row.worst.measure});
  section.table(std::move(rows));
  TextTable others{"the other questions, held against the tree", {{"question"}, {"name"}, {"source"}, {"worst"}}};
  for (const CertifiedRow& row : agreement.others)
    others.add({std::string(question_name(row.question)), std::string(row.name), std::string(row.source),
                row.worst.measure});
  section.table(std::move(others));
  TextTable refused{"not for this robot", {{"question"}, {"name"}, {"because"}}};
  for (const CertifiedRow& row : agreement.refused)
    refused.add({std::string(question_name(row.question)), std::string(row.name), row.refused});
  if (!refused.rows.empty()) section.table(std::move(refused));
  return worst;
}

void add_counts(Report& report, const Description& robot, const RobotForms<double>& typed) {
  // zeros and quarter turns are what saves operations: of the robot that the numbers stand for
  const RobotForms<double> forms = *robot_forms(robot, GeometryTolerance{});
  const auto cell = [](int x) { return TextTable::Cell(static_cast<long long>(x)); };
  TextTable table{"multiplications and additions per call on this robot",
                  {{"formulation"}, {"dense *"}, {"+"}, {"structured *"}, {"+"}, {"live *"}, {"+"}, {"order"}}};
  for (const CensusRow& row : operation_census(forms)) {
    if (!row.refusal.empty()) continue;
    const OperationCount &d = row.dense.all, &s = row.structured.all, &l = row.structured.live;
    table.add({row.name, cell(d.multiplications), cell(d.additions), cell(s.multiplications), cell(s.additions),
               cell(l.multiplications), cell(l.additions), row.complexity});
  }
  ReportSection& section = report.section("Operation counts");
  section.table(std::move(table));
  for (const Snap& snap : forms.snaps)
    section.text(
        fmt::format("Taken as exact for the count: {} (off by {}).", snap.what, format_number(snap.residual, 3)));
  if (!forms.snaps.empty())
    section.text(fmt::format("The {}.", effect_sentence(compare_torques(typed.model, forms.model))));
  section.text(
      "Counted from a recording of each algorithm. Dense: zeros and ones inside run-time arithmetic are not exploited; "
      "structured: they are; live: without what no torque depends on.");
}

}  // namespace

double describe_formulations(Report& report, const Robot& robot, RobotForms<double>& forms, int states,
                             const PrintStyle& print) {
  describe_robot(report, robot, print);
  add_dh_tables(report, robot);
  const double worst = add_agreement(report, agree(forms, states));
  if (std::ranges::all_of(forms.model.bodies, [](const Body<double>& body) { return body.nv <= 1; }))
    add_counts(report, robot.description(), forms);
  else
    report.section("Operation counts").text("Counted for joints of one degree of freedom; this robot has others.");
  return worst;
}

void finish_formulations(Report& report, const Robot& robot, double worst, bool figure) {
  if (report.verdict.text.empty())
    report.verdict = {worst < 1e-12 ? "All formulations of its inverse dynamics agree."
                                    : "Formulations of its inverse dynamics disagree.",
                      worst < 1e-12 ? Tone::good : Tone::bad};
  if (!figure) return;
  report.sections.push_front({"Picture", {}});
  report.sections.front().figure(joint_range_view(robot, "The robot, one joint at a time through its range",
                                                  posture_of(robot)));
}

}  // namespace torsor
