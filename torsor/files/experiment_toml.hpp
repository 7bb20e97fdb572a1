// The file of an experiment with control laws (control/experiment.hpp). docs/experiment-file.md describes every key.
//
//   robot = "puma560"
//   [task]        kind, start, way or centre ..., duration, rest
//   [controller]  laws, model, rate, delay, kp, kv
//   [impedance]   bandwidth, or mass, damping, stiffness
//   [arm]         error, seed
#pragma once

#include <string>
#include <string_view>

#include "torsor/control/experiment.hpp"

namespace torsor {

/// The experiment as a TOML text that is read back exactly.
std::string write_experiment_toml(const ControlExperiment&);

/// The experiment that a text describes, its numbers checked, or all faults, by line; `file` names the text in
/// messages.
Result<ControlExperiment> read_experiment_toml(std::string_view text, const std::string& file);

}  // namespace torsor
