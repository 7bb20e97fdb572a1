// A robot as a stick figure: links as strokes from joint to joint and to the tools, joints as symbols of their kind, the
// base hatched, the axes of the tools in colour, a shadow on the floor, a length for scale.
#pragma once

#include <iosfwd>
#include <span>

#include "torsor/model/model.hpp"

namespace torsor {

/// Writes the robot at position q (model.nq numbers, finite) as one self-contained SVG, up being against gravity.
void write_stick_figure(const Model<double>& model, std::span<const double> q, std::ostream& out);

}  // namespace torsor
