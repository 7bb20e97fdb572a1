// An experiment with control laws, as plain numbers: a robot, a task of its tool, the laws to be compared, what their
// model leaves out, how often they are asked, and by how much the arm differs from their model. It can be written to a
// file and run again to the last digit (io/experiment_toml.hpp).
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "torsor/control/control_gains.hpp"
#include "torsor/model/model.hpp"
#include "torsor/result.hpp"
#include "torsor/spatial/vec3.hpp"

namespace torsor {

/// What the tool does: a straight line; a circle; a line into a wall; a line on which it takes up a payload.
enum class TaskKind { line, arc, contact, payload };

inline constexpr std::string_view task_kind_names[] = {"line", "arc", "contact", "payload"};

constexpr std::string_view kind_name(TaskKind kind) { return task_kind_names[static_cast<std::size_t>(kind)]; }

/// The kind of that name.
constexpr std::optional<TaskKind> task_kind(std::string_view name) {
  for (std::size_t k = 0; k < std::size(task_kind_names); ++k)
    if (task_kind_names[k] == name) return static_cast<TaskKind>(k);
  return std::nullopt;
}

/// A plane that pushes back what has passed it, with a spring and a damper, and never pulls:
/// f = n max(0, k d - c v . n), d: how far the tool's origin is behind it.
struct Wall {
  Vec3<double> point, normal{0, 0, 1};    // world; the unit normal points to where the tool may be
  double stiffness = 1e4, damping = 200;  // N/m, N s/m
};

/// A motion of the tool's origin from where the joints have it at the start, in a minimum-jerk time law, then rest.
struct ControlTask {
  TaskKind kind = TaskKind::line;
  std::vector<double> start;        // joint positions
  Vec3<double> way;                 // m, world: from the start to the end of a line
  Vec3<double> turn;                // rad, world: rotation vector of the tool's turn on the way
  Vec3<double> centre;              // m, world: of an arc
  Vec3<double> axis{0, 0, 1};       // of an arc, unit
  double angle = 0;                 // rad, of an arc
  double duration = 1, rest = 0.5;  // s
  Wall wall;                        // of contact
  double payload = 0;               // kg, at the tool's origin
  double payload_time = 0;          // s, from when on it is carried
};

struct ControlExperiment {
  std::string robot, tool;  // tool: empty for the robot's default
  std::string digest;       // of the robot it was written for (io/robot_toml_writer.hpp); empty: not told
  ControlTask task;
  std::vector<std::string> laws;
  std::vector<double> speeds;  // relative to the task's own, to compare the models at; empty: the laws are compared
  ControlGains gains;
  Impedance impedance;             // all zero: that of the arm itself, with the gains,
  double impedance_bandwidth = 1;  // kp times the square of this and kv times this
  ControllerKind model = ControllerKind::full;
  double reduced_tolerance = 0.01;  // of a reduced model, made for the task
  double rate = 1000, delay = 0;    // Hz; s from a sample to its torque. Rate 0: inside the integrator
  bool limits = true;               // torques are cut at the limits of the joints
  int knots = 5;                    // at which inverse Jacobians are computed beforehand
  double model_error = 0;           // relative: by how much the arm differs from the controller's model, at most
  std::uint64_t seed = 1;           // of these differences
  std::string integrator = "dormand-prince";  // of the arm's motion, a name of integrators()
  double step = 1e-3;                         // s, of one with fixed steps
};

/// An experiment of a kind where nothing is asked for: every law, on an arm that differs from the model by a tenth;
/// impedances that give way in contact. Robot and task are left to the caller (default_task).
ControlExperiment usual_experiment(TaskKind kind);

/// A task of that kind that suits the robot, far from singular positions, in proportion to its size: from the given
/// start (nq), or from one that is looked for if that is empty. Or why there is none.
Result<ControlTask> default_task(TaskKind, const Model<double>&, const Frame<double>& tool, std::vector<double> start);

/// The same task in another time: a payload is taken up in the same place.
ControlTask in_duration(ControlTask task, double duration);

/// Every number of a task that makes no sense for any robot; the offender is `task: ` and the name of the number.
Faults check_task(const ControlTask&);

/// The same of an experiment, its task included; the offender is the name of the number, or of the law.
Faults check_experiment(const ControlExperiment&);

}  // namespace torsor
