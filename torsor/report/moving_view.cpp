#include "torsor/report/moving_view.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <ostream>

#include "torsor/report/page_view.hpp"
#include "torsor/spatial/quaternion.hpp"
#include "torsor/text/base64.hpp"
#include "torsor/text/json.hpp"

namespace torsor {
namespace {

bool is_near(const Vec3<double>& p) {
  return std::isfinite(p.x) && std::isfinite(p.y) && std::isfinite(p.z) && norm(p) < 1e9;
}

// lengths are written to a millionth of the picture, directions to six digits: what no eye sees is left out
class RoundedNumbers {
 public:
  RoundedNumbers(JsonWriter& json, double size)
      : json_(json), unit_(std::pow(10, std::floor(std::log10(std::max(size, 1e-9))) - 6)) {}

  void lengths(const char* key, const Vec3<double>& p) { json_.key(key), array({p.x, p.y, p.z}, unit_); }
  void axes(const char* key, const Mat3<double>& R) {
    json_.key(key);
    array({R.x.x, R.x.y, R.x.z, R.y.x, R.y.y, R.y.z, R.z.x, R.z.y, R.z.z}, 1e-6);
  }
  void points(const char* key, std::span<const Vec3<double>> all) {
    json_.key(key).begin_array();
    for (const Vec3<double>& p : all) array({p.x, p.y, p.z}, unit_);
    json_.end_array();
  }
  void strokes(const char* key, std::span<const std::array<Vec3<double>, 2>> all) {
    json_.key(key).begin_array();
    for (const auto& [a, b] : all) array({a.x, a.y, a.z, b.x, b.y, b.z}, unit_);
    json_.end_array();
  }

 private:
  void array(std::initializer_list<double> numbers, double unit) {
    json_.begin_array();
    // a division by a power of ten, so that 0.3 is written as 0.3
    const double per = std::round(1 / unit);
    for (const double x : numbers)
      json_.value(unit < 1 ? std::round(x * per) / per + 0.0 : std::round(x / unit) * unit);
    json_.end_array();
  }
  JsonWriter& json_;
  double unit_;
};

void write_part(const MovingView::Part& part, JsonWriter& json, RoundedNumbers& numbers) {
  json.begin_object().field("name", part.name).field("colour", part.colour);
  numbers.strokes("strokes", part.strokes);
  numbers.points("plate", part.plate);
  json.end_object();
}

}  // namespace

std::vector<Vec3<double>> points_of(const MovingView& view, const MovingView::Clip& clip, std::size_t frame) {
  std::vector<Vec3<double>> all;
  const auto add = [&](int part, const Vec3<double>& s) {
    const Transform<double> X = view.pose(clip, frame, part);
    const Vec3<double> p = X.R * s + X.p;
    if (is_near(p)) all.push_back(p);
  };
  const auto add_part = [&](int index, const MovingView::Part& part) {
    for (const auto& [a, b] : part.strokes) add(index, a), add(index, b);
    for (const Vec3<double>& p : part.plate) add(index, p);
  };
  add_part(-1, view.base);
  for (std::size_t k = 0; k < view.parts.size(); ++k) add_part(static_cast<int>(k), view.parts[k]);
  for (const MovingView::Symbol& s : view.symbols) {
    add(s.part, s.X.p);
    // what has a size is as large in every direction
    for (const double side : {-s.radius, s.radius})
      if (s.radius > 0)
        for (const Vec3<double>& e : {Vec3<double>{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}) add(s.part, s.X.p + e * side);
  }
  for (const MovingView::Bar& b : view.bars) add(b.i, b.at_i), add(b.j, b.at_j);
  for (const MovingView::Trace& t : view.traces) add(t.part, t.X.p);
  return all;
}

void write_drawing(const MovingView& view, std::ostream& out) {
  out << "<div class='view'>\n<div class='still'>\n";
  write_still(view, out);
  out << "</div>\n</div>\n";
}

void write_data(const MovingView& view, JsonWriter& json, PageColumns&) {
  // a ball around everything at every instant
  constexpr double infinite = std::numeric_limits<double>::infinity();
  Vec3<double> low{infinite, infinite, infinite}, high = -low;
  std::vector<Vec3<double>> all;
  for (const MovingView::Clip& clip : view.clips)
    for (std::size_t f = 0; f < clip.t.size(); ++f) {
      if (view.fits_start && f != clip.start) continue;
      for (const Vec3<double>& p : points_of(view, clip, f)) {
        low = {std::min(low.x, p.x), std::min(low.y, p.y), std::min(low.z, p.z)};
        high = {std::max(high.x, p.x), std::max(high.y, p.y), std::max(high.z, p.z)};
        all.push_back(p);
      }
    }
  if (all.empty()) low = high = {0, 0, 0};
  const Vec3<double> centre = (low + high) * 0.5;
  const PageView page(view.gravity);
  double radius = 0, floor = infinite;
  for (const Vec3<double>& p : all) {
    radius = std::max(radius, norm(p - centre));
    floor = std::min(floor, dot(p, page.vertical()));
  }
  if (!(radius > 1e-9)) radius = 1;
  if (view.fits_start) radius *= 1.3;  // and some room to move

  RoundedNumbers numbers(json, radius);
  json.begin_object().field("kind", "view").field("title", view.title);
  json.key("axis").begin_object().field("label", view.axis).field("unit", view.unit).end_object();
  numbers.lengths("centre", centre);
  json.field("radius", radius);
  json.key("up").begin_array().value(page.vertical().x).value(page.vertical().y).value(page.vertical().z).end_array();
  json.key("front").begin_array().value(page.north().x).value(page.north().y).value(page.north().z).end_array();
  if (view.stands && !all.empty())
    json.field("floor", floor);
  else
    json.field("floor", nullptr);
  if (view.plane) {
    const PageView across(view.gravity, *view.plane);
    json.key("planar").begin_object();
    const auto direction = [&json](const char* key, const Vec3<double>& d) {
      json.key(key).begin_array().value(d.x).value(d.y).value(d.z).end_array();
    };
    direction("normal", across.towards());
    direction("up", across.up());
    json.end_object();
  } else {
    json.field("planar", nullptr);
  }
  json.field("share", view.share).field("clip_label", view.clip_label);
  json.field("fits_start", view.fits_start).field("loops", view.loops).field("plays", view.plays);
  json.key("base");
  write_part(view.base, json, numbers);
  json.key("parts").begin_array();
  for (const MovingView::Part& part : view.parts) write_part(part, json, numbers);
  json.end_array().key("bars").begin_array();
  for (const MovingView::Bar& bar : view.bars) {
    json.begin_object().field("name", bar.name).field("kind", bar.kind).field("i", bar.i).field("j", bar.j);
    numbers.lengths("at_i", bar.at_i);
    numbers.lengths("at_j", bar.at_j);
    json.field("share", bar.share).end_object();
  }
  json.end_array().key("symbols").begin_array();
  for (const MovingView::Symbol& s : view.symbols) {
    json.begin_object().field("name", s.name).field("kind", s.kind).field("part", s.part);
    numbers.lengths("at", s.X.p);
    numbers.axes("axes", s.X.R);
    json.field("share", s.share).field("radius", s.radius).end_object();
  }
  json.end_array().key("traces").begin_array();
  for (const MovingView::Trace& t : view.traces) {
    json.begin_object().field("name", t.name).field("part", t.part);
    numbers.lengths("at", t.X.p);
    if (t.axes)
      numbers.axes("axes", t.X.R);
    else
      json.key("axes").begin_array().end_array();
    json.end_object();
  }
  json.end_array().key("clips").begin_array();
  for (const MovingView::Clip& clip : view.clips) {
    std::vector<double> poses;
    for (const Transform<double>& X : clip.poses) {
      const Quaternion<double> e = quaternion(X.R);
      for (const double x : {X.p.x, X.p.y, X.p.z, e.e0, e.e1, e.e2, e.e3}) poses.push_back(x);
    }
    json.begin_object().field("name", clip.name).key("t").value(std::span<const double>(clip.t));
    if (clip.start > 0) json.field("start", clip.start);
    if (clip.unit) json.field("unit", *clip.unit);
    json.field("poses", base64_of<float>(poses)).field("shares", base64_of<float>(clip.shares)).end_object();
  }
  json.end_array().end_object();
}

std::vector<std::string> drawing_notes(const MovingView& view) {
  if (!view.has_frames() && view.note.empty()) return {"There is no instant to draw."};
  return {};
}

}  // namespace torsor
