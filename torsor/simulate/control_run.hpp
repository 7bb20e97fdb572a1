// An experiment with control laws, run: every law of it on the same task, sampled and held, on an arm that its model
// describes only roughly; and the figures by which laws are compared.
#pragma once

#include <memory>
#include <span>
#include <string>
#include <vector>

#include "torsor/control/control_law.hpp"
#include "torsor/control/experiment.hpp"
#include "torsor/dynamics/passed_limit.hpp"
#include "torsor/model/description.hpp"
#include "torsor/simulate/rules.hpp"

namespace torsor {

class ControlPlan;
struct ReducedModel;

/// What all laws of an experiment have in common.
struct ControlSetting {
  ControlExperiment experiment;
  Model<double> model, plant, loaded;  // what the controller believes; the arm; the arm with its payload
  Frame<double> tool;
  std::shared_ptr<const ControlPlan> plan;
  std::shared_ptr<const ReducedModel> reduced;  // null: the controller has the whole one
};

/// The setting of an experiment on the robot it names; or all faults, of numbers, names, and tasks that cannot be
/// followed.
Result<ControlSetting> prepare(const ControlExperiment&, const Description&);

/// What was recorded, an entry per instant.
struct ControlTrace {
  std::vector<double> t;                            // s
  std::vector<double> position_error, angle_error;  // m, rad: of the tool
  std::vector<double> power, force;                 // W of all motors, N at the wall
  std::vector<std::vector<double>> tau;             // per joint
  std::vector<std::vector<double>> q;               // per instant: the position
};

/// Steady: over the last half of the rest. Settling: from the end of the motion until the error stays within 0.1 % of
/// the way and 1 mrad. Both and the limit cycle are not a number without a rest, and where a run ended early.
struct ControlFigures {
  double peak_position = 0, rms_position = 0, steady_position = 0;  // m
  double peak_angle = 0, steady_angle = 0;                          // rad
  // the greatest of any one joint, not a number where there is none of its kind: N m of joints that turn, N of slides
  double rms_torque = 0, peak_torque = 0, rms_thrust = 0, peak_thrust = 0;
  double peak_power = 0;                    // W, of all motors together, either way
  double settling = 0;                      // s; infinite: never
  double peak_force = 0, steady_force = 0;  // N
  double limit_cycle = 0;  // half the range of an torque while steady, per greatest torque of the joint: the largest
  double lost = 0;         // greatest loss near singular positions, see ControlReport
  long samples = 0, saturated = 0;  // times the law was asked; times a joint was cut

  /// Whether the torques of a tool at rest still swing by more than a tenth of their greatest.
  bool swings() const { return limit_cycle > 0.1; }
};

struct ControlRun {
  std::string law;
  ControlFigures figures;  // of what was run
  ControlTrace trace;
  RunEnd end;
  std::vector<PassedLimit> passed;  // limits of the robot that the arm passed
  std::string
      ended;  // why, where it did not reach the end: stopped, or the tool farther from its plan than its way is long
};

/// One law on the task.
ControlRun run_law(const ControlSetting&, const ControlLawRow&);

/// The same task at several speeds, by one law with several models: how the error grows with speed.
struct SpeedRun {
  double factor = 1, duration = 0, peak_speed = 0;  // s, m/s of the plan
  std::vector<ControlRun> runs;                     // per kind of model, without traces
};
/// factors: speeds relative to the experiment's own.
Result<std::vector<SpeedRun>> run_speeds(const ControlExperiment&, const Description&, const ControlLawRow&,
                                         std::span<const double> factors, std::span<const ControllerKind> kinds);

}  // namespace torsor
