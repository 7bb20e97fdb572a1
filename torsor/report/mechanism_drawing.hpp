// A mechanism at several instants in one drawing: bodies as strokes between their joints, the earlier the paler; places on
// the ground as squares. Seen as robots are (page_view.hpp), up being against gravity.
#pragma once

#include <iosfwd>
#include <string>
#include <vector>

#include "torsor/mechanism/mechanism.hpp"

namespace torsor {

class JsonWriter;

struct MechanismDrawing {
  struct Instant {
    double t = 0;
    std::vector<std::vector<Vec3<double>>> strokes = {};  // per body: pairs of points, m
  };

  std::string title = {};
  std::string note = {};
  Vec3<double> gravity = {};
  std::vector<std::string> bodies = {};
  std::vector<Vec3<double>> ground = {};  // where it is joined to the ground
  std::vector<Instant> instants = {};
};

/// The drawing of a mechanism, still without instants; and one instant of it.
MechanismDrawing mechanism_drawing(const Mechanism&, std::string title);
MechanismDrawing::Instant strokes_of(const Mechanism&, const MechanismState&);

/// What the report asks of a figure: its drawing as HTML, its data as one JSON object, what the reader must know of it.
void write_drawing(const MechanismDrawing&, std::ostream& out);
void write_data(const MechanismDrawing&, JsonWriter& json);
std::vector<std::string> drawing_notes(const MechanismDrawing&);

}  // namespace torsor
