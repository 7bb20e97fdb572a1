// Another engine of dynamics, installed as a Python package on the user's machine: its torques for a robot at given states.
#pragma once

#include <optional>
#include <string>

#include "torsor/codegen/work_folder.hpp"
#include "torsor/robot.hpp"

namespace torsor {

/// Whether --against names an engine: pinocchio, mujoco, drake. A file of such a name is ./mujoco.
bool is_engine(const std::string& name);

struct EngineRequest {
  std::string engine;
  std::string python = "python3";  // found on PATH, or a path
  std::string robot_file;          // as given: a URDF or MJCF, for Drake an SDF, is handed on as it is
  int states = 100;
  std::uint64_t seed = 1;
};

/// What it answered: a record as `agree --against FILE` takes it, in the folder.
struct EngineRecord {
  std::string file, version;
  std::string note;  // what was handed to it instead of the file, if anything
};

/// Runs it in a child process without a shell. Faults: Python or the package is not there (with the remedy), or the engine does
/// not take this robot.
Result<EngineRecord> run_engine(const EngineRequest& request, const Robot& robot, const WorkFolder& folder);

/// The script that it runs.
const char* engine_script();

}  // namespace torsor
