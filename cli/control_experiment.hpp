// The experiment that `torsor control` runs: from its options, or from a file.
#pragma once

#include "cli/options.hpp"
#include "cli/limit_report.hpp"
#include "cli/print.hpp"
#include "cli/robot_argument.hpp"
#include "torsor/control/experiment.hpp"

namespace torsor {

struct ControlArguments {
  RobotArgument robot;
  bool list = false, no_limits = false;
  std::optional<std::string> experiment, task, laws, model, error, rate, delay, duration, rest, integrator, step;
  std::optional<std::vector<double>> q, gains, bandwidth, payload, speeds;
  bool degrees = false;  // of q
  std::optional<long long> seed;
  std::optional<std::string> write, output, page;
  LimitArguments limits;
  PrintArguments print;
};

/// What the options say of an experiment, but for the task.
Result<ControlExperiment> experiment_of(const ControlArguments&, TaskKind);

/// The kind that --task names.
Result<TaskKind> task_kind_of(const ControlArguments&);

/// The task that suits the robot, with what the options say of it.
Result<ControlTask> task_of(const ControlArguments&, TaskKind, const Model<double>&, const Frame<double>& tool);

/// The experiment of a file; a path of its robot begins where the file is.
Result<ControlExperiment> read_experiment(const std::string& path);

/// The same, to be written to that file.
ControlExperiment experiment_beside(ControlExperiment, const std::string& path);

}  // namespace torsor
