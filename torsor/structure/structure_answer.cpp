#include "torsor/structure/structure_answer.hpp"

namespace torsor {

Result<StructureAnswer> analyse_structure(const Description& description, const StructureOptions& options) {
  Result<ExactRobot> robot = exact_robot(description, options.geometry);
  if (!robot) return robot.faults();
  StructureAnswer out;
  out.robot = *std::move(robot);
  for (const Level level : levels)
    out.exact[static_cast<std::size_t>(level)] = exact_structure(out.robot, level, options.exact);
  out.facts = axis_facts(out.robot, Level::numbers, options.exact);
  out.table = structure_table(out.numbers(), out.robot.model);
  if (!out.robot.snaps.empty()) {
    GeometryTolerance as_typed = options.geometry;
    as_typed.snap = false;
    Result<ExactRobot> typed = exact_robot(description, as_typed);
    if (!typed) return typed.faults();
    out.typed_robot = *std::move(typed);
    out.typed = exact_structure(*out.typed_robot, Level::numbers, options.exact);
    out.snap_effect = compare_torques(out.typed_robot->model, out.robot.model);
  }
  out.survey = workspace_survey(out.robot.model, options.survey);
  return out;
}

}  // namespace torsor
