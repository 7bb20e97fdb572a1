#include "cli/course_argument.hpp"

#include <fmt/format.h>

#include <filesystem>

#include "cli/motion_job.hpp"
#include "cli/motion_source.hpp"
#include "torsor/model/degree_watch.hpp"
#include "torsor/trajectory/usual_motion.hpp"

namespace torsor {
namespace {

Result<Course> course_of_table(const Model<double>& model, const std::string& path, bool degrees) {
  constexpr std::size_t most = 100'000;
  auto table = load_motion_table(model, path, most, degrees);
  if (!table) return table.faults();
  if (table->rows.empty() || !table->has_time)
    return Fault{{table->name, 0}, "", "motion-time", "has no rows with times", "give a column t and at least one row"};
  if (table->derived != Derived::nothing)
    note(fmt::format("{}: torsor id --motion says more", derived_from(table->derived)));
  if (!table->degree_suspicion.empty()) note(degrees_sentence(table->degree_suspicion, "--degrees"));
  if (table->jumps) note(describe(table->jumps, model));
  return course_through(std::move(table->rows));
}

}  // namespace

void CourseArgument::add_to(Options& options, const std::string& note, bool own_degrees) {
  options.reads(
      "--motion", "MOTION", motion,
      "CSV with columns t, q1.. (or joint names), qd1.., qdd1..; a motion file (TOML); a published motion by name; "
      "or built-in; " +
          note);
  if (own_degrees)
    options.flag("--degrees", degrees, "angles of a CSV file whose columns name no unit are in degrees");
}

Result<NamedCourse> read_course(const Robot& robot, const std::string& robot_name, const CourseArgument& argument) {
  const Model<double>& model = robot.model();
  if (model.nq != model.nv)
    return Fault{
        {}, model.name, "motion-joints", "has joints of several degrees of freedom", "take a robot without them"};
  if (!argument.motion || *argument.motion == "built-in") {
    const NamedMotion usual = usual_motion(model, std::filesystem::path(robot_name).stem().string());
    return NamedCourse{usual.name, course_of(usual.motion)};
  }
  const std::string& name = *argument.motion;
  if (name == "-" || name.ends_with(".csv")) {
    if (name == "-" && robot_name == "-")
      return Fault{
          {}, "--motion -", "option-mode", "while the robot is read from standard input, too", "give one as a file"};
    const Result<Course> course = course_of_table(model, name, argument.degrees);
    if (!course) return course.faults();
    return NamedCourse{name == "-" ? "standard input" : name, *course};
  }
  const auto planned = read_motion(name, std::nullopt, &model);
  if (!planned) return planned.faults();
  for (const std::string& sentence : planned->notes) note(sentence);
  const Trajectory* joints = planned->joints();
  if (joints == nullptr)
    return fault_of(fmt::format("--motion {}", name), "option-value",
                    "is a motion of the tool, and one of the joints is needed", "torsor track gives the joints as CSV");
  if (joints->size() != static_cast<std::size_t>(model.nv))
    return fault_of(fmt::format("--motion {}", name), "option-value",
                    fmt::format("moves {} coordinates, and {} has {}", joints->size(), model.name, model.nv),
                    "take a motion of this robot");
  return NamedCourse{name, course_of(*joints)};
}

}  // namespace torsor
