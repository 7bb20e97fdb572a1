// Results of an experiment with control laws, for the screen, as JSON and as a page. Shared by the parts of `torsor
// control`.
#pragma once

#include "cli/limit_report.hpp"
#include "cli/print.hpp"
#include "torsor/simulate/control_run.hpp"

namespace torsor {

/// The laws themselves: `torsor control --list`.
TextTable law_table();
/// What they do near singular positions, each sentence once with the laws it is about; and at torque limits.
std::vector<std::string> law_sentences();
void law_fields(JsonWriter&);

/// What is run, in sentences.
std::vector<std::string> experiment_sentences(const ControlSetting&);

/// One row per law.
TextTable figure_table(const ControlSetting&, std::span<const ControlRun>, const PrintArguments&);
/// What the laws are marked for whose torques do not come to rest.
std::vector<std::string> swing_sentences(std::span<const ControlRun>);
/// Limits of the robot that a law passed.
std::vector<std::string> passed_sentences(const Model<double>&, std::span<const ControlRun>);
/// One row per speed: the peak error with each kind of model.
TextTable speed_table(const std::string& law, std::span<const SpeedRun>, std::span<const ControllerKind>,
                      const PrintArguments&);

/// Members of a JSON object, all numbers in SI.
void experiment_fields(JsonWriter&, const ControlSetting&);
void run_fields(JsonWriter&, const std::vector<ControlRun>&);
void speed_fields(JsonWriter&, std::span<const SpeedRun>, std::span<const ControllerKind>);

/// Table and curves over time: errors, power, contact force, torques of the joints.
void describe_runs(Report&, const ControlSetting&, std::span<const ControlRun>, const PrintArguments&);
/// Table and curve over speed.
void describe_speeds(Report&, const std::string& law, std::span<const SpeedRun>, std::span<const ControllerKind>,
                     const PrintArguments&);

}  // namespace torsor
