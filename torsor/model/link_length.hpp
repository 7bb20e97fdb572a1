// The measure of a robot's lengths: what is zero, or a point, is so beside the robot's own size, a micrometre or a kilometre.
#pragma once

#include <algorithm>
#include <cmath>

#include "torsor/model/description.hpp"

namespace torsor {

/// The length of the links together, m; of a robot whose joints are all in one place the farthest tool or mass centre, and 1
/// where there is none.
inline double link_length(const Description& robot) {
  double length = 0, farthest = 0;
  for (const LinkDescription& l : robot.links) {
    if (const auto* row = std::get_if<DhRow>(&l.geometry))
      length += abs(row->d) + abs(row->a);
    else
      length += norm(std::get<JointPlacement>(l.geometry).X_parent_joint.p);
    for (const Part& part : l.parts) farthest = std::max(farthest, norm(part.com));
  }
  for (const ToolDescription& tool : robot.tools) farthest = std::max(farthest, norm(tool.X_link_tool.p));
  const double found = length > 0 ? length : farthest;
  return found > 0 && std::isfinite(found) ? found : 1;
}

}  // namespace torsor
