// The moving picture of the README: a PUMA 560 along a motion, and beside it the torques of its first joints. One SVG that plays
// by itself, without scripts, so that it moves wherever a picture can stand, in the colours of a light or a dark page.
#pragma once

#include <iosfwd>
#include <span>

#include "torsor/report/robot_view.hpp"

namespace torsor {

/// model: that of puma560; motion: instants from its start to its end, evenly spaced, with torques.
void write_puma_picture(const Model<double>& model, std::span<const RobotMotion::Instant> motion, std::ostream& out);

}  // namespace torsor
