#include "torsor/report/mechanism_drawing.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <ostream>

#include "torsor/text/html.hpp"
#include "torsor/text/json.hpp"
#include "torsor/report/page_view.hpp"
#include "torsor/report/svg.hpp"
#include "torsor/text/text_table.hpp"

namespace torsor {
namespace {

constexpr double drawing_width = 760, drawing_height = 480, drawing_margin = 36;
constexpr std::size_t drawing_colours = 8;

bool is_drawable(const Vec3<double>& p) {
  return std::isfinite(p.x) && std::isfinite(p.y) && std::isfinite(p.z) && norm(p) < 1e9;
}

/// The places of a body's joints, from its mass centre along its own axes; those that coincide once.
std::vector<std::vector<Vec3<double>>> joint_places(const Mechanism& m) {
  std::vector<std::vector<Vec3<double>>> places(m.description.bodies.size());
  for (const std::vector<PlacedSide>* const sides : {&m.side_i, &m.side_j})
    for (const PlacedSide& side : *sides) {
      if (side.body == ground) continue;
      auto& known = places[static_cast<std::size_t>(side.body)];
      if (std::ranges::none_of(known, [&](const Vec3<double>& p) { return norm(p - side.s) < 1e-9; }))
        known.push_back(side.s);
    }
  return places;
}

}  // namespace

MechanismDrawing mechanism_drawing(const Mechanism& m, std::string title) {
  MechanismDrawing drawing;
  drawing.title = std::move(title);
  drawing.gravity = m.description.gravity;
  for (const MechanismBody& body : m.description.bodies) drawing.bodies.push_back(body.name);
  for (const std::vector<PlacedSide>* const sides : {&m.side_i, &m.side_j})
    for (const PlacedSide& side : *sides)
      if (side.body == ground && side.carrier < 0) drawing.ground.push_back(side.s);
  return drawing;
}

MechanismDrawing::Instant strokes_of(const Mechanism& m, const MechanismState& state) {
  MechanismDrawing::Instant instant;
  instant.t = state.t;
  const auto places = joint_places(m);
  for (std::size_t b = 0; b < places.size(); ++b) {
    const BodyState& body = state.bodies[b];
    const Mat3<double> R = rotation(body.p);
    const auto world = [&](const Vec3<double>& s) { return body.r + R * s; };
    std::vector<Vec3<double>> stroke;
    // two joints: from one to the other; else a star from the mass centre
    if (places[b].size() == 2)
      stroke = {world(places[b][0]), world(places[b][1])};
    else
      for (const Vec3<double>& s : places[b]) stroke.insert(stroke.end(), {body.r, world(s)});
    instant.strokes.push_back(std::move(stroke));
  }
  return instant;
}

void write_drawing(const MechanismDrawing& d, std::ostream& out) {
  std::vector<Vec3<double>> all;
  for (const Vec3<double>& p : d.ground)
    if (is_drawable(p)) all.push_back(p);
  for (const MechanismDrawing::Instant& instant : d.instants)
    for (const auto& stroke : instant.strokes) std::ranges::copy_if(stroke, std::back_inserter(all), is_drawable);
  // what lies in the plane of x and y without gravity is not looked at from its edge
  PageView view(norm(d.gravity) > 0 ? d.gravity : Vec3<double>{0, -1, 0});
  view.fit(all, {drawing_margin, drawing_margin}, {drawing_width - drawing_margin, drawing_height - drawing_margin});

  out << fmt::format(
      "<div class='drawing'>\n<svg class='plot' viewBox='0 0 {:.0f} {:.0f}' role='img' aria-label='{}'>\n",
      drawing_width, drawing_height, escape_html(d.title));
  for (std::size_t k = 0; k < d.instants.size(); ++k) {
    const double age = d.instants.size() > 1 ? static_cast<double>(k) / static_cast<double>(d.instants.size() - 1) : 1;
    out << fmt::format("<g opacity='{:.2f}' fill='none'>\n", 0.2 + 0.8 * age * age);
    for (std::size_t b = 0; b < d.instants[k].strokes.size(); ++b) {
      const auto& points = d.instants[k].strokes[b];
      std::string path;
      for (std::size_t i = 0; i + 1 < points.size(); i += 2) {
        if (!is_drawable(points[i]) || !is_drawable(points[i + 1])) continue;
        path += outline(std::array{view.page(points[i]), view.page(points[i + 1])}, false);
      }
      if (!path.empty()) out << svg_path(fmt::format("line c{}", b % drawing_colours), path) << '\n';
    }
    out << "</g>\n";
  }
  for (const Vec3<double>& p : d.ground) {
    if (!is_drawable(p)) continue;
    const PagePoint at = view.page(p);
    out << svg_rect(at.x - 3.5, at.y - 3.5, 7, 7, "#777777") << '\n';
  }
  out << "</svg>\n</div>\n";
}

void write_data(const MechanismDrawing& d, JsonWriter& json) {
  json.begin_object().field("kind", "mechanism").field("title", d.title);
  json.key("bodies").value(std::span<const std::string>(d.bodies)).key("instants").begin_array();
  for (const MechanismDrawing::Instant& instant : d.instants) {
    json.begin_object().field("t", instant.t).key("strokes").begin_array();
    for (const auto& stroke : instant.strokes) {
      std::vector<double> numbers;
      for (const Vec3<double>& p : stroke) numbers.insert(numbers.end(), {p.x, p.y, p.z});
      json.value(std::span<const double>(numbers));
    }
    json.end_array().end_object();
  }
  json.end_array().end_object();
}

std::vector<std::string> drawing_notes(const MechanismDrawing& d) {
  if (d.instants.empty()) return {"There is no instant to draw."};
  std::string times;
  for (const MechanismDrawing::Instant& instant : d.instants)
    times += (times.empty() ? "" : ", ") + format_number(instant.t, 3);
  return {fmt::format("At {} s, the earlier the paler; squares are places on the ground.", times)};
}

}  // namespace torsor
