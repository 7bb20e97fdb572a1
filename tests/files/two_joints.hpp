#pragma once

#include <string>
#include <vector>

#include "torsor/files/motion_columns.hpp"

namespace torsor::testing {

using Names = std::vector<std::string>;
inline const MotionNames two_joints = motion_names(Names{"waist", "elbow"}, Names{"waist", "elbow"});

}  // namespace torsor::testing
