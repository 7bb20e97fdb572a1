// Motions that a robot is known for.
#pragma once

#include <optional>
#include <string_view>

#include "torsor/trajectory/usual_motion.hpp"

namespace torsor {

/// Pick and place for a PUMA 560, or the motion that was published for a robot of this name. nq = nv.
std::optional<NamedMotion> known_motion(const Model<double>&, std::string_view robot_name);

}  // namespace torsor
