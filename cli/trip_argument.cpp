#include "cli/trip_argument.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "cli/files.hpp"
#include "cli/motion_source.hpp"
#include "torsor/io/motion_stream.hpp"
#include "torsor/simulate/followed_motion.hpp"
#include "torsor/trajectory/spline_motion.hpp"

namespace torsor {
namespace {

Result<Trip> trip_of_table(const Model<double>& model, const std::string& path) {
  InputFile input(path);
  if (!input.faults().empty()) return input.faults();
  MotionStream stream(model, input.stream(), input.name());
  std::vector<MotionRow> rows;
  for (MotionRow row; stream.next(row);) rows.push_back(row);
  if (!stream.reader().ok()) return stream.reader().faults();
  if (rows.size() < 2 || !stream.reader().has_time())
    return Fault{{input.name(), 0}, "", "motion-time", "has not two rows with times", "give a column t and more rows"};
  if (stream.reader().derived()) note("qd and qdd come from a smoothing spline of q: torsor id --motion says more");
  auto spline = sampled_motion(rows);
  if (!spline) return spline.faults();
  const auto motion = std::make_shared<const SplineMotion>(*std::move(spline));
  return Trip{
      input.name(),
      {motion->duration(), [motion](double t, auto q, auto qd,
                                    auto qdd) { motion->sample(std::clamp(t, 0.0, motion->duration()), q, qd, qdd); }},
      motion};
}

Result<Trip> trip_of_hand(const std::string& name, const std::optional<std::string>& variant,
                          const SolutionArguments& solution, const Robot& robot, const Frame<double>& tool,
                          const PlannedMotion& planned) {
  Faults errors;
  const auto choice = read_solution(solution);
  collect(choice, errors);
  const auto near = read_near(solution, robot.model());
  collect(near, errors);
  const auto path = load_hand_path(name, variant, {}, robot.model());
  collect(path, errors);
  if (!errors.empty()) return errors;
  const HandSolver solver(robot, tool, choice->task);
  errors = check_solution(solution, *choice, solver);
  if (!errors.empty()) return errors;
  auto start = choose_start(solver, *path, choice->branch, *near);
  if (!start) return start.faults();
  const auto hand = std::make_shared<const PathMotion>(*planned.hand());
  FollowOptions options;
  options.weights = choice->task.weights;
  auto motion = followed_motion(robot.model(), tool, solver.closed(), path_of(*hand), hand->duration(), hand->breaks(),
                                solver.aimed(*path, *std::move(start)), options);
  if (!motion) return motion.faults();
  return Trip{planned.name, *std::move(motion), hand};
}

}  // namespace

Result<Trip> read_trip(const std::string& name, const std::optional<std::string>& variant,
                       const SolutionArguments& solution, const Robot& robot, const Frame<double>& tool) {
  const Model<double>& model = robot.model();
  if (model.nq != model.nv)
    return Fault{{}, model.name, "motion-joints", "has joints of several degrees of freedom", "take a robot without"};
  if (name == "-" || name.ends_with(".csv")) return trip_of_table(model, name);
  const auto planned = load_motion(name, variant, &model);
  if (!planned) return planned.faults();
  for (const std::string& sentence : planned->notes) note(sentence);
  if (planned->hand()) return trip_of_hand(name, variant, solution, robot, tool, *planned);
  const auto motion = std::make_shared<const AnyMotion>(*planned->joints());
  if (motion->size() != static_cast<std::size_t>(model.nv))
    return Fault{{},
                 fmt::format("MOTION {}", name),
                 "option-value",
                 fmt::format("moves {} coordinates, and {} has {}", motion->size(), model.name, model.nv),
                 "take a motion of this robot"};
  return Trip{planned->name,
              {motion->duration(), [motion](double t, auto q, auto qd, auto qdd) { motion->sample(t, q, qd, qdd); }},
              motion};
}

}  // namespace torsor
