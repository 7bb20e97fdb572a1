#include "cli/ik_parallel.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iostream>
#include <numbers>

#include "cli/files.hpp"
#include "cli/state_report.hpp"
#include "torsor/numeric_ik/parallel_result.hpp"
#include "torsor/text/result_json.hpp"

namespace torsor {
namespace {

std::string branch_text(const std::vector<int>& branch) { return fmt::format("{}", fmt::join(branch, " ")); }

}  // namespace

int ik_parallel(const Robot& robot, const Frame<double>& tool, const Transform<double>& X_world_tool,
                const TaskWeights& weights, bool all, const PrintArguments& print) {
  const auto solver = ParallelInverseKinematics::make(robot, tool, weights);
  if (!solver) return complain(solver.faults(), exit_bad_input);
  ParallelSolutions answer = solver->solve(X_world_tool);
  if (answer.status != PoseStatus::solved)
    return complain({{{},
                      "--pose",
                      "ik-unreachable",
                      answer.unreachable.empty() || answer.unreachable == "platform"
                          ? "the joints that carry the platform do not reach it"
                          : fmt::format("the leg of loop \"{}\" does not reach it", answer.unreachable),
                      "give a pose that the platform can have; --position-only where it does not turn freely"}},
                    exit_impossible);
  const std::size_t count = answer.found.size();
  if (!all) std::erase_if(answer.found, [](const ParallelSolution& s) { return !s.inside_limits; });
  if (answer.found.empty())
    return complain({{{},
                      "--pose",
                      "ik-limits",
                      fmt::format("all of its {} solutions are beyond the joint limits", count),
                      "see them by --all"}},
                    exit_impossible);
  const Model<double>& model = robot.coordinates();
  const std::vector<CoordinateKind> kinds = position_kinds(model);
  const auto shown = [&](const ParallelSolution& s, std::size_t k) {
    return print.degrees && kinds[k] == CoordinateKind::angle ? s.q[k] * 180 / std::numbers::pi : s.q[k];
  };
  if (print.json) {
    JsonWriter json(std::cout);
    json.begin_object().field("robot", model.name).field("tool", tool.name);
    const std::vector<CoordinateKind> of_tree = position_kinds(robot.tree());
    if (print.degrees)
      for (ParallelSolution& each : answer.found) {
        for (std::size_t k = 0; k < each.q.size(); ++k) each.q[k] = shown(each, k);
        for (std::size_t k = 0; k < each.all.size(); ++k)
          if (of_tree[k] == CoordinateKind::angle) each.all[k] *= 180 / std::numbers::pi;
      }
    write_fields(json, answer);
    angle_unit_field(json, print.degrees);
    json.end_object();
    return finish_json(json);
  }
  Report report(fmt::format("{}: inverse kinematics", model.name), "", "Made by torsor ik.");
  ReportSection& section = report.section("Solutions");
  std::vector<std::string> legs;
  for (const LegBranches& leg : answer.legs) legs.push_back(fmt::format("{} {}", leg.name, leg.count));
  section.text(fmt::format("branches of the platform's chain and of each leg: {}", fmt::join(legs, ", ")));
  TextTable table{"positions of the independent joints", {{""}}};
  for (std::size_t k = 0; k < model.position_names.size(); ++k)
    table.columns.push_back(column(model.position_names[k],
                                   kinds[k] == CoordinateKind::angle ? print.degrees ? "deg" : "rad" : "m", print));
  for (const char* name : {"branch", "mode", "limits"}) table.columns.push_back({name});
  for (std::size_t n = 0; n < answer.found.size(); ++n) {
    const ParallelSolution& s = answer.found[n];
    TextTable::Row row{fmt::format("{}", n + 1)};
    for (std::size_t k = 0; k < s.q.size(); ++k) row.emplace_back(shown(s, k));
    row.emplace_back(branch_text(s.branch));
    row.emplace_back(std::string(!s.inside_limits ? "" : s.assembled ? "as assembled" : "another"));
    row.emplace_back(std::string(s.inside_limits ? "kept" : "passed"));
    table.rows.push_back(std::move(row));
  }
  section.table(std::move(table));
  if (std::ranges::none_of(answer.found, &ParallelSolution::assembled))
    section.text(
        "none is in the mode in which the loops were assembled: at these positions other verbs find the platform "
        "elsewhere",
        Tone::bad);
  print_report(report, std::cout);
  return finish_standard_output();
}

}  // namespace torsor
