#include "torsor/report/puma_picture.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>
#include <ostream>
#include <tuple>

#include "torsor/kinematics/forward_kinematics.hpp"

namespace torsor {
namespace {

using Point = Vec3<double>;
using Line = std::array<Point, 2>;

constexpr int frames = 100;
constexpr double seconds = 8;  // of one turn of the picture
// where upper arm and forearm stand beside the shoulder, along its axis (m)
constexpr double upper_arm_beside = 0.2435, forearm_beside = 0.15005;

constexpr const char* head =
    R"(<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 880 440" width="880" height="440" role="img" font-family="system-ui, -apple-system, 'Segoe UI', Helvetica, Arial, sans-serif" fill="none" stroke-linecap="round" stroke-linejoin="round">
<title>A PUMA 560 picks and places; beside it the torques of waist, shoulder and elbow</title>
<!-- written by torsor demo -->
<style>
  :root { --ink: #24292f; --faint: #d5dae1; --soft: #8b949e; --edge: #33404d; --metal: #8fa1b3; --light: #c4d0db; --dark: #5d6f80 }
  @media (prefers-color-scheme: dark) { :root { --ink: #e6edf3; --faint: #30363d; --edge: #0d1117; --metal: #8094a8; --light: #b7c6d4; --dark: #56687a } }
  text { fill: var(--ink); font-size: 13px } .soft { fill: var(--soft); font-size: 11px }
  .grid { stroke: var(--faint) } .zero { stroke: var(--soft) }
  .edge { stroke: var(--edge) } .metal { stroke: var(--metal) } .dark { stroke: var(--dark) } .light { stroke: var(--light); opacity: .75 }
  .red { stroke: #e5534b } .trail { stroke: #e5534b; stroke-width: 1.6; stroke-dasharray: 1 5 }
</style>
)";

/// A stretch of the arm: an outline, a body, and light on it, each a line of its width; 0: none.
struct Stretch {
  const char* name;
  const char* colour;
  double width, light;
  bool flat;  // its ends are
};
// as they cover each other, those behind first
constexpr std::array<Stretch, 6> stretches{{{"shoulder", "dark", 52, 0, true},
                                            {"forearm", "metal", 30, 9, false},
                                            {"wrist", "dark", 18, 0, false},
                                            {"tip", "red", 7, 0, false},
                                            {"elbow", "dark", 36, 0, true},
                                            {"upper-arm", "metal", 44, 13, false}}};
constexpr std::size_t tip = 3;

/// Seen from the front right and above, without perspective.
struct Eye {
  double azimuth = -38 * std::numbers::pi / 180, elevation = 20 * std::numbers::pi / 180;
  Point right{-std::sin(azimuth), std::cos(azimuth), 0};
  Point up{-std::sin(elevation) * std::cos(azimuth), -std::sin(elevation) * std::sin(azimuth), std::cos(elevation)};

  std::string operator()(const Point& p) const {
    constexpr double scale = 330;
    return fmt::format("{:.1f} {:.1f}", 180 + scale * dot(p, right), 372 - scale * dot(p, up));
  }
  std::string line(const Point& a, const Point& b) const { return "M" + (*this)(a) + "L" + (*this)(b); }
};

class Drawing {
 public:
  Drawing(const Model<double>& model, std::span<const RobotMotion::Instant> motion, std::ostream& out)
      : model_(model), motion_(motion), out_(out), at_(model), X_(static_cast<std::size_t>(model.size())) {}

  void write() {
    out_ << head;
    floor();
    arm();
    // the torques, uncovered by a clip that grows with time
    out_ << fmt::format(
        "<clipPath id=\"so-far\"><rect x=\"{}\" y=\"0\" height=\"440\" width=\"0\">{}</rect></clipPath>\n", left,
        along("width", "0", fmt::format("{}", width)));
    constexpr std::array colours{"#d9822b", "#2b7de9", "#1f9d6b"};
    for (std::size_t joint = 0; joint < colours.size(); ++joint) torque(joint, colours[joint]);
    const double end = motion_.back().t;
    for (int t = 0; t <= end + 1e-9; t += 2)
      out_ << fmt::format("<text class=\"soft\" x=\"{:.0f}\" y=\"{}\" text-anchor=\"middle\">{} s</text>\n",
                          left + width * t / end, top + 3 * height + 2 * gap + 22, t);
    out_ << "</svg>\n";
  }

 private:
  static constexpr double left = 520, width = 330, height = 92, gap = 34, top = 44;

  const Model<double>& model_;
  std::span<const RobotMotion::Instant> motion_;
  std::ostream& out_;
  const Eye eye_;
  Configuration<double> at_;
  std::vector<Transform<double>> X_;

  std::size_t instant(int frame) const {
    return static_cast<std::size_t>(
        std::llround(static_cast<double>(frame) * static_cast<double>(motion_.size() - 1) / frames));
  }

  Transform<double> link(int body) const { return X_[static_cast<std::size_t>(body)] * model_[body].link; }

  std::array<Line, stretches.size()> lines(std::size_t k) {
    at_.set(model_, std::span<const double>(motion_[k].q));
    forward_kinematics(model_, at_, std::span(X_));
    const Transform<double> elbow = link(1), wrist = link(3), flange = link(5);
    const Point shoulder = link(0).p, axis = elbow.R.z, approach = flange.R.z;
    const Point yoke = flange.p + 0.07 * approach;
    return {{{shoulder + 0.02 * axis, shoulder + (upper_arm_beside + 0.06) * axis},
             {elbow.p + forearm_beside * axis, wrist.p},
             {wrist.p, yoke},
             {yoke, flange.p + 0.14 * approach},
             {elbow.p + (upper_arm_beside + 0.06) * axis, elbow.p + (forearm_beside - 0.05) * axis},
             {shoulder + upper_arm_beside * axis, elbow.p + upper_arm_beside * axis}}};
  }

  static std::string along(const char* attribute, const std::string& from, const std::string& to) {
    return fmt::format("<animate attributeName=\"{}\" from=\"{}\" to=\"{}\" dur=\"{}s\" repeatCount=\"indefinite\"/>",
                       attribute, from, to, seconds);
  }
  static std::string through(const char* attribute, const std::string& values) {
    return fmt::format("<animate attributeName=\"{}\" values=\"{}\" dur=\"{}s\" repeatCount=\"indefinite\"/>",
                       attribute, values, seconds);
  }

  void floor() {
    std::string lines;
    for (int k = 0; k < 6; ++k) {
      const double x = 0.25 * k - 0.4, y = 0.2 * k - 0.5;
      lines += eye_.line({x, -0.5, 0}, {x, 0.5, 0}) + eye_.line({-0.4, y, 0}, {0.85, y, 0});
    }
    out_ << fmt::format("<path class=\"grid\" d=\"{}\"/>\n", lines);
    const std::string foot = eye_.line({0, 0, 0.04}, {0, 0, 0.06}), column = eye_.line({0, 0, 0.1}, {0, 0, 0.67});
    for (const auto& [line, colour, size] :
         {std::tuple{foot, "edge", 68}, {foot, "dark", 64}, {column, "edge", 52}, {column, "metal", 48}})
      out_ << fmt::format("<path class=\"{}\" stroke-width=\"{}\" d=\"{}\"/>\n", colour, size, line);
    const Point aside = -0.04 * eye_.right;
    out_ << fmt::format("<path class=\"light\" stroke-width=\"6\" d=\"{}\"/>\n",
                        eye_.line(aside + Point{0, 0, 0.1}, aside + Point{0, 0, 0.67}));
  }

  void arm() {
    std::array<std::string, stretches.size()> first, values;
    for (int frame = 0; frame <= frames; ++frame) {
      const auto at = lines(instant(frame));
      for (std::size_t s = 0; s < at.size(); ++s) {
        const std::string line = eye_.line(at[s][0], at[s][1]);
        if (frame == 0) first[s] = line;
        values[s] += (frame == 0 ? "" : ";") + line;
      }
    }
    // each is given once, and drawn in several widths
    out_ << "<defs>\n";
    for (std::size_t s = 0; s < stretches.size(); ++s)
      out_ << fmt::format("<path id=\"{}\" d=\"{}\">{}</path>\n", stretches[s].name, first[s], through("d", values[s]));
    out_ << "</defs>\n";
    for (const Stretch& s : stretches) {
      const auto draw = [&](const char* colour, double size) {
        out_ << fmt::format("<use href=\"#{}\" class=\"{}\" stroke-width=\"{}\"{}/>\n", s.name, colour, size,
                            s.flat ? " stroke-linecap=\"butt\"" : "");
      };
      if (&s != &stretches[tip]) draw("edge", s.width + 4);
      draw(s.colour, s.width);
      if (s.light > 0) draw("light", s.light);
    }
    std::string trail;
    for (std::size_t k = 0; k < motion_.size(); k += 6) trail += (k == 0 ? "M" : "L") + eye_(lines(k)[tip][1]);
    out_ << fmt::format("<path class=\"trail\" d=\"{}\"/>\n", trail);
  }

  void torque(std::size_t joint, const char* colour) {
    double low = 0, high = 0;
    for (const auto& row : motion_) low = std::min(low, row.tau[joint]), high = std::max(high, row.tau[joint]);
    const double base = top + static_cast<double>(joint) * (height + gap), end = motion_.back().t;
    const auto y = [&](double tau) { return base + height * (high - tau) / (high - low); };
    out_ << fmt::format(
        "<text x=\"{0}\" y=\"{1}\">{2}</text><text class=\"soft\" x=\"{3}\" y=\"{1}\" text-anchor=\"end\">peak {4:.1f} "
        "N m</text>\n"
        "<path class=\"zero\" d=\"M{0} {5:.1f}H{3}\"/>\n",
        left, base - 10, model_.velocity_names[joint], left + width, high > -low ? high : low, y(0));
    std::string curve, values;
    for (std::size_t k = 0; k < motion_.size(); k += 4)
      curve += fmt::format("{}{:.1f} {:.1f}", k == 0 ? "M" : "L", left + width * motion_[k].t / end,
                           y(motion_[k].tau[joint]));
    for (int frame = 0; frame <= frames; ++frame)
      values += fmt::format("{}{:.1f}", frame == 0 ? "" : ";", y(motion_[instant(frame)].tau[joint]));
    out_ << fmt::format(
        "<g stroke=\"{0}\"><path id=\"torque{1}\" d=\"{2}\" stroke-width=\"1.4\" opacity=\".28\"/>"
        "<path d=\"{2}\" stroke-width=\"2.4\" clip-path=\"url(#so-far)\"/></g>\n",
        colour, joint, curve);
    out_ << fmt::format("<circle r=\"4.5\" cx=\"{}\" cy=\"{:.1f}\" fill=\"{}\">{}{}</circle>\n", left,
                        y(motion_[0].tau[joint]), colour,
                        along("cx", fmt::format("{}", left), fmt::format("{}", left + width)), through("cy", values));
  }
};

}  // namespace

void write_puma_picture(const Model<double>& model, std::span<const RobotMotion::Instant> motion, std::ostream& out) {
  TORSOR_EXPECT(model.size() == 6 && motion.size() > 1);
  Drawing(model, motion, out).write();
}

}  // namespace torsor
