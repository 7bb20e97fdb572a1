// Motions that a publication prescribes for a shipped robot, so that its figures can be drawn again.
#pragma once

#include <span>
#include <string_view>

#include "torsor/trajectory/point_to_point.hpp"

namespace torsor {

struct PublishedMotion {
  std::string_view robot;   // name of the shipped robot
  std::string_view source;  // where it is printed, and which figures show it
  PointToPoint (*make)();
};

std::span<const PublishedMotion> published_motions();

/// The motion published for a shipped robot, or null.
const PublishedMotion* published_motion(std::string_view robot);

}  // namespace torsor
