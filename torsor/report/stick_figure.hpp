// A robot as a stick figure: links as strokes from joint to joint and to the tools, joints as symbols of their kind, the
// base hatched, the axes of the tools in colour, a shadow on the floor, a length for scale.
#pragma once

#include <iosfwd>
#include <span>

#include "torsor/model/model.hpp"

namespace torsor {

struct LoopModel;

/// Writes the robot at position q (model.nq numbers, finite) as one self-contained SVG, up being against gravity. loops: of a
/// tree that has some, closed at q.
void write_stick_figure(const Model<double>& model, std::span<const double> q, std::ostream& out,
                        const LoopModel* loops = nullptr);

}  // namespace torsor
