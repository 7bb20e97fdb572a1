// A path of the hand to be followed: a motion file, the motion of a publication, or a CSV file of poses. Shared by ik and
// track.
#pragma once

#include <array>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "cli/motion_source.hpp"
#include "torsor/ik/follow_path.hpp"
#include "torsor/trajectory/cartesian.hpp"

namespace torsor {

/// The path is a function of u: the time of a motion given by a formula; of a file with n rows u runs from 0 to n - 1, a
/// whole number at each row. At the rows it is what the file says; between them it is only there to keep the branch.
struct HandPath {
  std::string name, source;
  double duration = 0, period = 0;           // of u
  std::function<CartesianState(double)> at;  // by u, rates per u
  std::function<double(double)> time;        // [s] by u; without times in the file the number of the row
  std::function<double(double)> step;        // dt/du behind u
  int derivatives = 2;                       // how many of velocity and acceleration are known
  bool timed = true;
  bool sampled = false;                        // rows of a file: nothing lies between them
  std::optional<std::array<double, 6>> start;  // [rad] of a published path
  std::optional<HandScaling> scaling;          // what a motion file asks for
  bool limited = false;                        // a motion file limits the hand: time may be stretched, not shrunk
  std::vector<double> breaks = {};             // of u, inside: where accelerations, or even velocities, may jump
  std::vector<std::string> notes;
};

/// name: as load_motion's, or a CSV file with the columns of hand_csv.hpp. Or every fault. Joint motions are refused. The
/// robot is the one whose limits a motion file may ask for.
Result<HandPath> load_hand_path(const std::string& name, const std::optional<std::string>& variant,
                                const SamplingArguments& sampling, const Model<double>& robot);

/// A motion that was read; or the fault that it is one of the joints, or of the sampling.
Result<HandPath> hand_path_of(const PlannedMotion& planned, const std::string& name, const SamplingArguments& sampling);

}  // namespace torsor
