// A motion to look at a robot along where none is given.
#pragma once

#include <string>
#include <string_view>

#include "torsor/model/model.hpp"
#include "torsor/trajectory/trajectory.hpp"

namespace torsor {

/// A motion, and what it is for those who read the results.
struct NamedMotion {
  std::string name;
  Trajectory motion;
};

/// Pick and place for a PUMA 560, the motion that was published for a robot of this name, and else a sweep through half
/// of every joint's range. For models whose coordinates are all joint positions (nq = nv).
NamedMotion usual_motion(const Model<double>& model, std::string_view robot_name);

}  // namespace torsor
