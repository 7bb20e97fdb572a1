// Motions of a tool that a publication prescribes for a shipped robot, so that its figures can be drawn again. Poses
// are those of the robot's default tool frame in its base.
#pragma once

#include <array>
#include <span>
#include <string_view>

#include "torsor/trajectory/path_motion.hpp"

namespace torsor {

struct PublishedPath {
  std::string_view robot;    // name of the shipped robot
  std::string_view variant;  // how what the publication leaves open is read
  std::string_view source;   // where it is printed, and which figures show it
  PathMotion (*make)();
  std::array<double, 6> start_deg;  // the publication's joint angles at the start, or (rounded) those that are meant
};

/// All of them; of the variants for one robot the first is preferred.
std::span<const PublishedPath> published_paths();

/// The motion published for a shipped robot, in a variant or (empty) the preferred one; or null.
const PublishedPath* published_path(std::string_view robot, std::string_view variant = {});

}  // namespace torsor
