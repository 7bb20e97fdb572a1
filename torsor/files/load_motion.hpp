// A motion by the name that a user gives it: a motion file (TOML), a CSV file of joint positions or of the tool's
// poses, or the motion that was published for a shipped robot.
#pragma once

#include <optional>
#include <string>

#include "torsor/files/motion_toml.hpp"
#include "torsor/trajectory/motion_jump.hpp"
#include "torsor/trajectory/tool_path.hpp"

namespace torsor {

enum class Derived;  // motion_columns.hpp

/// `-`, an existing file, and what has a '/' or ends in .toml or .csv is a file; any other word names a published
/// motion.
bool names_file(const std::string& name);

/// A motion file, or a published motion; or every fault. variant: how what a publication leaves open is read; robot:
/// may be null.
Result<PlannedMotion> load_motion(const std::string& name, const std::optional<std::string>& variant = std::nullopt,
                                  const Model<double>* robot = nullptr);

/// A table of joint positions, in memory.
struct MotionTable {
  std::string name;
  std::vector<MotionRow> rows;
  bool has_time = false;
  Derived derived = {};
  RowJumps jumps = {};                     // of rows that do not belong together, by rates of the file's own
  std::string degree_suspicion = {};  // degree_watch.hpp
};

/// A CSV file of joint positions with the columns of motion_stream.hpp; or every fault, also that it has more rows than
/// `most`. degrees: angles whose columns name no unit are in degrees.
Result<MotionTable> load_motion_table(const Model<double>& model, const std::string& path,
                                      std::size_t most = std::size_t(-1), bool degrees = false);

/// The rows of a table, two or more with times, as a motion that begins at 0: quintics with q, qd and qdd of both ends.
Result<Trajectory> trajectory_of(const MotionTable& table);

/// A path of the tool: as load_motion's, or a CSV file with the columns of tool_csv.hpp, which is followed at its rows.
/// Or every fault. The robot is the one whose limits a motion file may ask for; degrees: as above, of a CSV file.
Result<ToolPath> load_tool_path(const std::string& name, const std::optional<std::string>& variant,
                                const Model<double>& robot, bool degrees = false);

/// The path of a motion that was read; or the fault that it is one of the joints.
Result<ToolPath> tool_path_of(const PlannedMotion& planned, const std::string& name);

}  // namespace torsor
