// A path of the tool that joints are to follow: a motion by formulas, or the rows of a file.
#pragma once

#include <array>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "torsor/trajectory/path_motion.hpp"
#include "torsor/trajectory/time_scaling.hpp"

namespace torsor {

/// Of arms with a joint to spare, which of all joint positions of a pose is taken, and how it changes: that with c . (x - g) = 0,
/// x the joints that move the tool, from the base on. Rates per u.
struct GuideState {
  std::vector<double> g, gd, gdd, c, cd, cdd;
};
using JointGuide = std::function<void(double u, GuideState&)>;

/// The path is a function of u: the time of a motion given by a formula; of a file with n rows u runs from 0 to n - 1,
/// a whole number at each row. At the rows it is what the file says; between them it is only there to keep the branch.
struct ToolPath {
  std::string name = {}, source = {};
  double duration = 0, period = 0.01;                               // of u
  std::function<CartesianState(double)> at = {};                    // by u, rates per u
  std::function<double(double)> time = [](double u) { return u; };  // [s] by u; without times the number of the row
  std::function<double(double)> step = [](double) { return 1.0; };  // dt/du behind u
  int derivatives = 2;                              // how many of velocity and acceleration are known
  bool timed = true;
  bool sampled = false;                             // rows of a file: nothing lies between them
  std::optional<std::array<double, 6>> start = {};  // [rad] of a published path
  std::optional<ScalingRequest> scaling = {};       // what a motion file asks for
  bool limited = false;                             // a motion file limits the tool: time may be stretched, not shrunk
  std::vector<double> breaks = {};                  // of u, inside: where accelerations, or even velocities, may jump
  JointGuide guide = {};  // as planned for one robot: plan_path.hpp; empty: the shortest velocities
  std::vector<std::string> notes = {};

  /// Makes its time longer by a factor > 0; of a formula the samples stay as far apart in time as they were.
  void stretch(double factor);
};

/// One row of a file.
struct ToolRow {
  double t = 0;
  CartesianState state;
};

/// A motion by formulas, to be sampled every period [s].
ToolPath tool_path(PathMotion motion, double period = 0.01);

/// Rows, one or more, with so many derivatives, with times or counted.
ToolPath tool_path(std::vector<ToolRow> rows, int derivatives, bool timed);

/// Where velocities of rows with times contradict the poses, in a sentence: the first such place, and how many there
/// are.
std::optional<std::string> contradiction(const std::vector<ToolRow>& rows);

}  // namespace torsor
