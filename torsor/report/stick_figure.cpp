#include "torsor/report/stick_figure.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <ostream>

#include "torsor/text/html.hpp"
#include "torsor/report/joint_symbol.hpp"
#include "torsor/text/number.hpp"
#include "torsor/report/page_view.hpp"
#include "torsor/report/robot_sketch.hpp"
#include "torsor/report/svg.hpp"
#include "torsor/kinematics/forward_kinematics.hpp"

namespace torsor {
namespace {

using Point = Vec3<double>;

constexpr double figure_width = 480, figure_height = 420;
constexpr PagePoint top_left{52, 76}, bottom_right{figure_width - 52, figure_height - 94};
constexpr double apart = 1.9 * symbol_reach;  // pixels between symbols that do not hide each other

class StickFigure : RobotSketch {
 public:
  StickFigure(const Model<double>& m, std::span<const double> q, const LoopModel* loops)
      : RobotSketch(m, q, ends_of(m, loops)), view(m.gravity) {
    std::vector<Point> points;
    if (!floats()) points.push_back(model.base.p);
    for (const Stroke& s : strokes) points.insert(points.end(), {s.from, s.to});
    for (const Transform<double>& pose : X) points.push_back(pose.p);
    for (const Point& p : points) floor = std::min(floor, dot(p, view.vertical()));
    for (std::size_t k = points.size(); k-- > 0;) points.push_back(dropped(points[k]));
    view.fit(points, top_left, bottom_right);
    add_symbols();
    add_base();
  }

  void write(std::ostream& out) const {
    out << fmt::format(
        "<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 {0} {1}' width='{0}' height='{1}' role='img' "
        "aria-label='{2}'>\n<title>{2}</title>\n<style>{3}{4}</style>\n<rect class='page' width='{0}' height='{1}' "
        "rx='8'/>\n",
        figure_width, figure_height, escape_html(model.name), css, joint_symbol_css());
    out << svg_path("shadow", shadow()) << '\n' << svg_path("hatch", hatch) << '\n';
    std::string links, rods;
    for (const Stroke& s : strokes) (s.rod ? rods : links) += line(s.from, s.to);
    out << svg_path("edge", links) << svg_path("rod", rods) << svg_path("link", links) << '\n';
    for (const Symbol& s : symbols)
      out << joint_symbol(view, model[s.body].kind, model.joint_names[s.body], s.at, X[s.body].R);
    for (const Frame<double>& frame : model.frames)
      out << triad(frame_pose(frame, std::span<const Transform<double>>(X)), 30, false);
    out << triad({Mat3<double>::identity(), view.world({40, figure_height - 34})}, 26, true) << scale_bar()
        << svg_text(18, 30, "start", model.name, "name") << "\n</svg>\n";
  }

 private:
  static constexpr const char* css =
      ".page{fill:#fff}text{font:13px "
      "system-ui,sans-serif;fill:#334e68}.name{font-size:17px;font-weight:600}.edge,.link,"
      ".rod{fill:none;stroke-linecap:round;stroke-linejoin:round}.edge{stroke:#334e68;stroke-width:8}.link{stroke:"
      "#a9bccf;stroke-width:5}.rod{stroke:#334e68;stroke-width:3.5}.shadow{fill:none;stroke:#e4e9ef;stroke-width:6;"
      "stroke-linecap:round;stroke-linejoin:round}.hatch,.bar{fill:none;stroke:#334e68;stroke-width:1.6}.x,.y,.z{fill:"
      "none;"
      "stroke-width:2.4;stroke-linecap:round}.x{stroke:#d64545}.y{stroke:#2f8f46}.z{stroke:#2b6cb0}";

  PageView view;
  double floor = std::numeric_limits<double>::infinity();
  std::string hatch;

  /// The nearest ones last, on top of the others.
  void add_symbols() {
    place_symbols(view.metres(apart));
    std::ranges::stable_sort(symbols, {}, [this](const Symbol& each) { return view.nearness(each.at); });
  }

  void add_base() {
    if (floats()) return;
    double mean = 0;
    for (const Stroke& s : strokes) mean += dot(s.from + s.to - model.base.p * 2.0, view.vertical());
    const double side = mean < -1e-9 ? -1 : 1;  // -1: it hangs
    // room for a joint at the very base
    Point foot = model.base.p;
    const bool crowded = std::ranges::any_of(
        symbols, [&](const Symbol& s) { return norm(s.at - model.base.p) < view.metres(1.4 * symbol_reach); });
    if (crowded) {
      foot = foot - view.vertical() * (side * view.metres(1.7 * symbol_reach));
      strokes.push_back({-1, model.base.p, foot});
    }
    const PagePoint p = view.page(foot);
    hatch = horizontal(p.x - 30, p.y, p.x + 30);
    for (double x = -24; x <= 31; x += 9)
      hatch += fmt::format("M{:.1f} {:.1f}l{:.1f} {:.1f}", p.x + x, p.y, -8.0, side * 8);
  }

  std::string line(const Point& a, const Point& b) const {
    return outline(std::vector{view.page(a), view.page(b)}, false);
  }

  /// Straight below a point, at the level of the lowest.
  Point dropped(const Point& p) const { return p - view.vertical() * (dot(p, view.vertical()) - floor); }

  std::string shadow() const {
    std::string text;
    for (const Stroke& s : strokes) text += line(dropped(s.from), dropped(s.to));
    return text;
  }

  std::string triad(const Transform<double>& pose, double pixels, bool labelled) const {
    std::string text;
    const Point axes[3] = {pose.R.x, pose.R.y, pose.R.z};
    for (int k = 0; k < 3; ++k) {
      const char name[2] = {"xyz"[k], 0};
      text += svg_path(name, line(pose.p, pose.p + axes[k] * view.metres(pixels)));
      const PagePoint label = view.page(pose.p + axes[k] * view.metres(pixels + 9));
      if (labelled) text += svg_text(label.x, label.y + 4, "middle", name);
    }
    return text + '\n';
  }

  /// A round length of about a hundred pixels.
  std::string scale_bar() const {
    const double wanted = view.metres(100), decade = std::pow(10, std::floor(std::log10(wanted)));
    double bar = decade;
    for (const double step : {2.0, 5.0})
      if (step * decade <= wanted) bar = step * decade;
    const double pixels = bar / view.metres(1), right = figure_width - 24, y = figure_height - 24;
    return svg_path("bar", horizontal(right - pixels, y, right) + vertical(right - pixels, y - 4, y + 4) +
                               vertical(right, y - 4, y + 4)) +
           svg_text(right - pixels / 2, y - 8, "middle", print_number(bar) + " m") + '\n';
  }
};

}  // namespace

void write_stick_figure(const Model<double>& model, std::span<const double> q, std::ostream& out,
                        const LoopModel* loops) {
  TORSOR_EXPECT(q.size() == static_cast<std::size_t>(model.nq));
  StickFigure(model, q, loops).write(out);
}

}  // namespace torsor
