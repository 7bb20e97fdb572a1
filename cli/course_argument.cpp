#include "cli/course_argument.hpp"

#include <fmt/format.h>

#include <filesystem>

#include "cli/files.hpp"
#include "cli/motion_job.hpp"
#include "cli/motion_source.hpp"
#include "torsor/io/motion_stream.hpp"
#include "torsor/trajectory/pick_and_place.hpp"
#include "torsor/trajectory/published_motion.hpp"
#include "torsor/trajectory/range_sweep.hpp"

namespace torsor {
namespace {

Result<Course> from_table(const Model<double>& model, const std::string& path) {
  InputFile input(path);
  if (!input.faults().empty()) return input.faults();
  MotionStream stream(model, input.stream(), input.name());
  std::vector<CourseRow> rows;
  JumpWatch watch(model);
  for (MotionRow row; stream.next(row);) {
    constexpr std::size_t most = 100'000;
    if (rows.size() == most)
      return Fault{
          {input.name(), 0}, "", "motion-length", fmt::format("has more than {} rows", most), "give fewer rows"};
    if (stream.reader().has_time() && !stream.reader().derived()) watch.add(row);
    rows.push_back({row.t, row.q, row.qd, row.qdd});
  }
  if (!stream.reader().ok()) return stream.reader().faults();
  if (rows.empty() || !stream.reader().has_time())
    return Fault{
        {input.name(), 0}, "", "motion-time", "has no rows with times", "give a column t and at least one row"};
  if (stream.reader().derived()) note("qd and qdd come from a smoothing spline of q: torsor id --motion says more");
  if (watch.first()) note(jump_sentence(*watch.first(), watch.count(), model));
  return course_through(std::move(rows));
}

Result<NamedCourse> built_in(const Model<double>& model, const std::string& robot_name) {
  const std::string stem = std::filesystem::path(robot_name).stem().string();
  if ((stem == "puma560" || stem == "puma560_drives") && model.nv == 6)
    return NamedCourse{"the built-in pick and place", course_of(pick_and_place_puma560())};
  if (const PublishedMotion* published = published_motion(stem)) {
    PointToPoint motion = published->make();
    if (motion.size() == static_cast<std::size_t>(model.nv))
      return NamedCourse{fmt::format("the motion of {}", published->source), course_of(std::move(motion))};
  }
  ViaPointMotion sweep = range_sweep(model);
  std::string name = fmt::format("a sweep through half of every joint's range and back, {:.3g} s", sweep.duration());
  return NamedCourse{std::move(name), course_of(std::move(sweep))};
}

}  // namespace

void CourseArgument::add_to(Options& options, const std::string& note) {
  options.reads(
      "--motion", "MOTION", motion,
      "CSV with columns t, q1.. (or joint names), qd1.., qdd1..; a motion file (TOML); a published motion by name; "
      "or built-in; " +
          note);
}

Result<NamedCourse> read_course(const Robot& robot, const std::string& robot_name, const CourseArgument& argument) {
  const Model<double>& model = robot.model();
  if (model.nq != model.nv)
    return Fault{
        {}, model.name, "motion-joints", "has joints of several degrees of freedom", "take a robot without them"};
  if (!argument.motion || *argument.motion == "built-in") return built_in(model, robot_name);
  const std::string& name = *argument.motion;
  if (name == "-" || name.ends_with(".csv")) {
    if (name == "-" && robot_name == "-")
      return Fault{
          {}, "--motion -", "option-mode", "while the robot is read from standard input, too", "give one as a file"};
    const Result<Course> course = from_table(model, name);
    if (!course) return course.faults();
    return NamedCourse{name == "-" ? "standard input" : name, *course};
  }
  const auto planned = load_motion(name, std::nullopt, &model);
  if (!planned) return planned.faults();
  for (const std::string& sentence : planned->notes) note(sentence);
  const AnyMotion* joints = planned->joints();
  if (joints == nullptr)
    return Fault{{},
                 fmt::format("--motion {}", name),
                 "option-value",
                 "is a motion of the hand, and one of the joints is wanted",
                 "torsor track gives the joints as CSV"};
  if (joints->size() != static_cast<std::size_t>(model.nv))
    return Fault{{},
                 fmt::format("--motion {}", name),
                 "option-value",
                 fmt::format("moves {} coordinates, and {} has {}", joints->size(), model.name, model.nv),
                 "take a motion of this robot"};
  return NamedCourse{name, course_of(*joints)};
}

}  // namespace torsor
