// A robot or mechanism that moves on a page: what its parts look like, each in its own frame, and the poses of the parts at some
// hundred instants, as forward kinematics gives them. The page's script (viewer.js) turns, plays and paints; it computes no
// pose. Without scripts and on paper there is a still picture of several instants (view_still.cpp).
//
//   data: {kind: "view", title, axis, up, front, floor, centre, radius, planar, share, parts, bars, symbols, traces,
//          clips: [{name, t, poses, shares}]}
//
// poses are float32, little-endian, as base64: per instant and part x y z (m) and the quaternion e0 e1 e2 e3; shares
// likewise, per instant and coloured joint, 1 at its limit and NaN where there is none.
#pragma once

#include <array>
#include <iosfwd>
#include <optional>
#include <string>
#include <vector>

#include "torsor/spatial/transform.hpp"

namespace torsor {

class JsonWriter;
class PageColumns;

/// At most so many instants of a motion are kept for the picture.
inline constexpr std::size_t max_view_frames = 400;

struct MovingView {
  /// What moves as one: strokes between two points, or the hull of several, in its own frame, m.
  struct Part {
    std::string name = {};
    int colour = -1;  // of the plots' eight; -1: that of all links
    std::vector<std::array<Vec3<double>, 2>> strokes = {};
    std::vector<Vec3<double>> plate = {};
  };
  /// A joint, drawn as a small solid along z; part -1 is the world.
  struct Symbol {
    std::string name = {}, kind = {};
    int part = -1;
    Transform<double> X = {};
    int share = -1;     // which of the shares colours it
    double radius = 0;  // m, of what has a size of its own: a ball or disc that rolls
  };
  /// What reaches from a point of one part to a point of another: rod, slide, spring, cylinder.
  struct Bar {
    std::string name = {}, kind = {};
    int i = -1, j = -1;
    Vec3<double> at_i = {}, at_j = {};
    int share = -1;
  };
  /// A frame whose way is drawn: a tool.
  struct Trace {
    std::string name = {};
    int part = -1;
    Transform<double> X = {};
    bool axes = true;  // drawn at it
  };
  /// One motion: instants, and at each the pose of every part and the share of every coloured joint.
  struct Clip {
    std::string name = {};
    std::vector<double> t = {};
    std::vector<Transform<double>> poses;
    std::vector<double> shares = {};
    std::size_t start = 0;                  // the instant that is shown first
    std::optional<std::string> unit = {};   // of its own t, where it is not the figure's
  };

  std::string title = {};
  std::string note = {};
  std::string axis = "time", unit = "s";  // what t counts; plots over the same are coupled
  Vec3<double> gravity = {};
  bool stands = true;  // on a floor
  std::optional<Vec3<double>> plane = {};  // normal of the plane that all moves in
  std::string share = {};                  // what a share is of: "torque limit"
  std::string clip_label = {};             // what the clips are: "mode", "joint"
  bool loops = false, plays = false;       // begins again at its end; begins by itself
  bool fits_start = false;                 // as large as where it starts asks for, not as all it reaches
  Part base = {};                          // fixed to the world
  std::vector<Part> parts;
  std::vector<Symbol> symbols;
  std::vector<Bar> bars;
  std::vector<Trace> traces;
  std::vector<Clip> clips;

  /// The pose of a part at an instant; part -1 is the world.
  Transform<double> pose(const Clip& clip, std::size_t frame, int part) const {
    return part < 0 ? Transform<double>{} : clip.poses[frame * parts.size() + static_cast<std::size_t>(part)];
  }
  /// There is an instant to be seen.
  bool has_frames() const { return !clips.empty() && !clips.front().t.empty(); }
};

/// All that is drawn at an instant, in the world.
std::vector<Vec3<double>> points_of(const MovingView&, const MovingView::Clip&, std::size_t frame);

/// What the report asks of a figure: its drawing as HTML, its data as one JSON object, what the reader must know of it.
void write_drawing(const MovingView&, std::ostream& out);
void write_data(const MovingView&, JsonWriter& json, PageColumns& columns);
std::vector<std::string> drawing_notes(const MovingView&);

/// The still picture: one <svg> of several instants of the first clip, the earlier the paler.
void write_still(const MovingView&, std::ostream& out);

/// The style rules of views, and the script that moves them, without its comments.
std::string_view view_css();
std::string_view viewer_script();

}  // namespace torsor
