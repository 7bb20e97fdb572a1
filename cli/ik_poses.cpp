#include "cli/ik_poses.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iostream>

#include "cli/motion_job.hpp"
#include "cli/row_output.hpp"
#include "cli/state_report.hpp"
#include "torsor/how_many.hpp"

namespace torsor {

int solve_into_csv(const PosesArguments& a, const InverseKinematics& solver, const IkChoice& wanted,
                   const PrintArguments& print) {
  const Model<double>& model = solver.model();
  if (!solver.closed() && !solver.gives_all() && !wanted.redundancy && !solver.chooses_redundancy(wanted)) {
    Faults faults = solver.refusal();
    faults.front().remedy = "--pose finds one solution by descents, --path follows a path";
    return complain(faults, exit_impossible);
  }
  auto path = read_tool_path(*a.input, {}, {}, model, false);
  if (!path) return complain(path.faults(), exit_bad_input);
  for (const std::string& sentence : path->notes) note(sentence);
  std::vector<Transform<double>> poses;
  for (double u = 0; u < path->duration + path->period / 2; u += path->period)
    poses.push_back(path->at(std::min(u, path->duration)).X);
  const IkBatch found = solve_poses(solver, poses, wanted, a.threads);

  std::vector<std::string> header{"pose", "solution"};
  add_names(header, "q", model.position_names);
  header.insert(header.end(), {"inside_limits", "residual"});
  RowOutput output(a.output, print.json, header, false, [&](JsonWriter& json) {
    json.field("robot", model.name).field("poses", *a.input).field("tool", solver.tool().name);
  }, {}, false, print.degrees ? &model : nullptr);
  if (!output.faults().empty()) return complain(output.faults(), exit_not_written);
  std::vector<double> row;
  long long solutions = 0, inside = 0, without = 0;
  bool written = true;
  for (std::size_t pose = 0; pose < found.poses() && written; ++pose) {
    without += found.count[pose] <= 0;
    for (int k = 0; k < std::min(found.count[pose], found.most) && written; ++k) {
      const std::size_t at = pose * static_cast<std::size_t>(found.most) + static_cast<std::size_t>(k);
      row = {static_cast<double>(pose + 1), static_cast<double>(k + 1)};
      row.insert(row.end(), found.at(pose, k).begin(), found.at(pose, k).end());
      row.insert(row.end(), {found.inside_limits[at] ? 1.0 : 0.0, found.residual[at]});
      written = output.row(row);
      ++solutions;
      inside += found.inside_limits[at];
    }
  }
  if (!output.finish_rows(true)) return output.complain_unwritten();
  if (print.json) {
    JsonWriter& json = output.begin_summary(a.output);
    json.field("pose_count", static_cast<long long>(found.poses())).field("solution_count", solutions);
    json.field("inside_limits_count", inside).field("without_solution_count", without);
    json.end_object();
    return finish_json(json);
  }
  if (output.is_standard()) return exit_done;
  std::cout << fmt::format("{}: {}, {}, {} of them inside the limits{}\n", model.name,
                           how_many(static_cast<long long>(found.poses()), "pose"), how_many(solutions, "solution"), inside,
                           output.arrow());
  if (without > 0) std::cout << fmt::format("{} without a solution\n", how_many(without, "pose"));
  return finish_standard_output();
}

}  // namespace torsor
