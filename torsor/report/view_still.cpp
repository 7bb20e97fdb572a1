// The still picture of a moving view: several instants of its first clip, the earlier the paler, the joints at the last one.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <ostream>

#include "torsor/report/joint_symbol.hpp"
#include "torsor/report/moving_view.hpp"
#include "torsor/report/page_view.hpp"
#include "torsor/report/svg.hpp"
#include "torsor/text/html.hpp"

namespace torsor {
namespace {

constexpr double still_width = 760, still_height = 430, still_margin = 40;
constexpr std::size_t still_instants = 5;

JointKind drawn_as(const std::string& kind) {
  if (kind == "revolute" || kind == "cylindrical" || kind == "disc") return JointKind::revolute;
  if (kind == "prismatic") return JointKind::prismatic;
  if (kind == "helical") return JointKind::helical;
  if (kind == "planar") return JointKind::planar;
  if (kind == "fixed" || kind == "coil") return JointKind::fixed;
  if (kind == "free") return JointKind::free;
  return JointKind::spherical;
}

class Still {
 public:
  Still(const MovingView& v, const MovingView::Clip& c)
      : view(v), clip(c), page(v.plane ? PageView(v.gravity, *v.plane) : PageView(v.gravity)) {
    const std::size_t count = std::min(still_instants, clip.t.size());
    // of joints that go through their ranges the position itself, not a fan of others
    if (clip.start > 0)
      frames = {clip.start};
    else
      for (std::size_t k = 0; k < count; ++k) frames.push_back(count < 2 ? 0 : k * (clip.t.size() - 1) / (count - 1));
    std::vector<Vec3<double>> points;
    for (const std::size_t f : frames) {
      const std::vector<Vec3<double>> more = points_of(view, clip, f);
      points.insert(points.end(), more.begin(), more.end());
    }
    page.fit(points, {still_margin, still_margin}, {still_width - still_margin, still_height - still_margin});
  }

  void write(std::ostream& out) const {
    for (std::size_t k = 0; k < frames.size(); ++k) {
      const double age = frames.size() > 1 ? static_cast<double>(k) / static_cast<double>(frames.size() - 1) : 1;
      out << fmt::format("<g opacity='{:.2f}'>\n", 0.18 + 0.82 * age * age * age);
      write_part(view.base, -1, frames[k], out);
      for (std::size_t p = 0; p < view.parts.size(); ++p)
        write_part(view.parts[p], static_cast<int>(p), frames[k], out);
      std::string bars;
      for (const MovingView::Bar& bar : view.bars)
        bars += outline(std::array{at(bar.i, bar.at_i, frames[k]), at(bar.j, bar.at_j, frames[k])}, false);
      out << svg_path("bar", bars) << "\n</g>\n";
    }
    if (clip.start == 0) write_traces(out);
    for (const MovingView::Symbol& s : view.symbols) {
      const Transform<double> X = view.pose(clip, frames.back(), s.part) * s.X;
      const PagePoint p = page.page(X.p);
      if (s.kind == "ground")
        out << svg_path("hatch", fmt::format("M{0:.1f} {1:.1f}h36m-30 0l-6 7m14 -7l-6 7m14 -7l-6 7m14 -7l-6 7",
                                             p.x - 18, p.y + 14))
            << '\n';
      else
        out << joint_symbol(page, drawn_as(s.kind), s.name, X.p, X.R);
    }
  }

 private:
  PagePoint at(int part, const Vec3<double>& s, std::size_t frame) const {
    const Transform<double> X = view.pose(clip, frame, part);
    return page.page(X.R * s + X.p);
  }

  void write_part(const MovingView::Part& part, int index, std::size_t frame, std::ostream& out) const {
    std::string path;
    for (const auto& [a, b] : part.strokes)
      path += outline(std::array{at(index, a, frame), at(index, b, frame)}, false);
    std::vector<PagePoint> plate;
    for (const Vec3<double>& s : part.plate) plate.push_back(at(index, s, frame));
    if (plate.size() > 1) path += outline(convex_hull(std::move(plate)), true);
    if (path.empty()) return;
    const std::string colour = part.colour < 0 ? "link" : fmt::format("link line c{}", part.colour % 8);
    out << svg_path("rim", path) << svg_path(colour, path) << '\n';
  }

  void write_traces(std::ostream& out) const {
    for (const MovingView::Trace& trace : view.traces) {
      std::vector<PagePoint> way;
      for (std::size_t f = 0; f < clip.t.size(); ++f) way.push_back(at(trace.part, trace.X.p, f));
      if (way.size() > 1) out << svg_path("way", outline(way, false)) << '\n';
    }
  }

  const MovingView& view;
  const MovingView::Clip& clip;
  PageView page;
  std::vector<std::size_t> frames;
};

}  // namespace

void write_still(const MovingView& view, std::ostream& out) {
  out << fmt::format("<svg class='plot still-view' viewBox='0 0 {:.0f} {:.0f}' role='img' aria-label='{}'>\n",
                     still_width, still_height, escape_html(view.title));
  const bool finite =
      view.has_frames() && std::ranges::all_of(view.clips.front().poses, [](const Transform<double>& X) {
        return std::isfinite(norm(X.p)) && norm(X.p) < 1e9 && std::isfinite(norm(X.R.x) + norm(X.R.y) + norm(X.R.z));
      });
  if (finite) Still(view, view.clips.front()).write(out);
  out << "</svg>\n";
}

}  // namespace torsor
