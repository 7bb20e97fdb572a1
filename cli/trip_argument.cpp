#include "cli/trip_argument.hpp"

#include <fmt/format.h>

#include "cli/motion_source.hpp"
#include "torsor/files/motion_columns.hpp"
#include "torsor/model/degree_watch.hpp"
#include "torsor/simulate/followed_motion.hpp"

namespace torsor {
namespace {

Result<NamedMotion> trip_of_table(const Model<double>& model, const std::string& path, bool degrees) {
  const auto table = load_motion_table(model, path, std::size_t(-1), degrees);
  if (!table) return table.faults();
  auto motion = trajectory_of(*table);
  if (!motion) return motion.faults();
  if (table->derived != Derived::nothing)
    note(fmt::format("{}: torsor id --motion says more", derived_from(table->derived)));
  if (!table->degree_suspicion.empty()) note(degrees_sentence(table->degree_suspicion, "--degrees"));
  return NamedMotion{table->name, *std::move(motion)};
}

Result<NamedMotion> trip_of_tool(const std::string& name, const SolutionArguments& solution, const Robot& robot,
                          const Frame<double>& tool, const PlannedMotion& planned) {
  Faults errors;
  auto choice = read_solution(solution);
  collect(choice, errors);
  const auto near = read_near(solution, robot.model());
  collect(near, errors);
  auto path = sampled(*tool_path_of(planned, name), {});
  collect(path, errors);
  if (!errors.empty()) return errors;
  choice->wanted.near = *near;
  const InverseKinematics solver(robot.model(), robot.description(), tool, choice->task);
  errors = check_solution(solution, *choice, solver);
  if (!errors.empty()) return errors;
  const auto start = read_start(solver, *path, *choice);
  if (!start) return start.faults();
  FollowOptions options;
  options.weights = choice->task.weights;
  if (path->guide) options.guide = &path->guide;
  auto motion =
      followed_motion(robot.model(), tool, solver.labels(), path->at, path->duration, path->breaks, *start, options);
  if (!motion) return motion.faults();
  return NamedMotion{planned.name, *std::move(motion)};
}

}  // namespace

Result<NamedMotion> read_trip(const std::string& name, const std::optional<std::string>& variant,
                       const SolutionArguments& solution, const Robot& robot, const Frame<double>& tool) {
  const Model<double>& model = robot.model();
  if (model.nq != model.nv)
    return Fault{{}, model.name, "motion-joints", "has joints of several degrees of freedom", "take a robot without"};
  if (name == "-" || name.ends_with(".csv")) return trip_of_table(model, name, solution.near.degrees);
  const auto planned = read_motion(name, variant, &model);
  if (!planned) return planned.faults();
  for (const std::string& sentence : planned->notes) note(sentence);
  if (planned->tool()) return trip_of_tool(name, solution, robot, tool, *planned);
  const Trajectory& motion = *planned->joints();
  if (motion.size() != static_cast<std::size_t>(model.nv))
    return fault_of(fmt::format("MOTION {}", name), "option-value",
                    fmt::format("moves {} coordinates, and {} has {}", motion.size(), model.name, model.nv),
                    "take a motion of this robot");
  return NamedMotion{planned->name, motion};
}

}  // namespace torsor
