// The motion file: a motion of the joints or of the tool in a few lines of TOML. docs/motion-file.md describes every
// key.
#pragma once

#include <array>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "torsor/model/model.hpp"
#include "torsor/result.hpp"
#include "torsor/trajectory/trajectory.hpp"
#include "torsor/trajectory/path_motion.hpp"
#include "torsor/trajectory/time_scaling.hpp"

namespace torsor {

/// A motion of the joints (SI units and radians, in the order of the robot's coordinates) or of a frame in the world.
struct PlannedMotion {
  std::string name, source;
  std::variant<Trajectory, PathMotion> motion;
  std::optional<TimeScaling> scaling = {};  // where the file asks for one; unless it is `ok` the motion is as it was
  std::optional<ScalingRequest> tool_scaling = {};  // of a motion of the tool: for whoever finds the joints
  bool tool_limited = false;                     // the file limits the tool itself: it must not become faster
  std::optional<std::array<double, 6>> start = {};  // [rad]: where a publication has the joints of a motion of the tool
  std::vector<std::string> notes = {};           // what the author should know: positions beyond the robot's limits
  std::vector<std::size_t> corners = {};         // points, from 1, at which the velocity jumps: no drive follows there

  const Trajectory* joints() const { return std::get_if<Trajectory>(&motion); }
  const PathMotion* tool() const { return std::get_if<PathMotion>(&motion); }
  double duration() const;
};

/// The fault of corners that no drive can follow, for whoever needs drives that do; `file` names the motion.
Fault corner_fault(const PlannedMotion& planned, const std::string& file);

/// The motion a text describes, or all faults, by line. With a robot, positions have as many entries as it has
/// coordinates, slides are told from turns, and time can be scaled to its limits. `file` names the text in messages.
Result<PlannedMotion> read_motion_toml(std::string_view text, const std::string& file,
                                       const Model<double>* robot = nullptr);

}  // namespace torsor
