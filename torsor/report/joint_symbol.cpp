#include "torsor/report/joint_symbol.hpp"

#include <fmt/format.h>

#include <cmath>
#include <numbers>

#include "torsor/text/html.hpp"
#include "torsor/report/svg.hpp"
#include "torsor/spatial/mat3.hpp"

namespace torsor {
namespace {

constexpr double thickness = 9;  // half of it, in pixels

// draws solids around a centre, their sizes in pixels
class Pen {
 public:
  Pen(const PageView& v, const Vec3<double>& c, const Mat3<double>& axes) : view(v), centre(c), R(axes) {}

  PagePoint at(double x, double y, double z) const {
    return view.page(centre + R * (Vec3<double>{x, y, z} * view.metres(1)));
  }

  // the circle of that radius at height z of the axis
  std::vector<PagePoint> ring(double radius, double z) const {
    constexpr int steps = 32;
    std::vector<PagePoint> points;
    for (int k = 0; k < steps; ++k) {
      const double angle = 2 * std::numbers::pi * k / steps;
      points.push_back(at(radius * std::cos(angle), radius * std::sin(angle), z));
    }
    return points;
  }

  // its silhouette, then the end that faces the viewer
  std::string cylinder(double radius, double half) const {
    const std::vector<PagePoint> near_end = ring(radius, dot(R.z, view.towards()) > 0 ? half : -half);
    std::vector<PagePoint> both = ring(radius, half), other = ring(radius, -half);
    both.insert(both.end(), other.begin(), other.end());
    return svg_path("side", outline(convex_hull(std::move(both)), true)) + svg_path("end", outline(near_end, true));
  }

  // the faces that can be seen
  std::string box(double x, double y, double z) const {
    const double size[3] = {x, y, z};
    const Vec3<double> axes[3] = {R.x, R.y, R.z};
    std::string faces;
    for (int k = 0; k < 3; ++k) {
      const double side = dot(axes[k], view.towards()) > 0 ? 1 : -1;
      std::vector<PagePoint> corners;
      for (const auto& [u, v] : {std::pair{1, 1}, {1, -1}, {-1, -1}, {-1, 1}}) {
        double corner[3];
        corner[k] = side * size[k];
        corner[(k + 1) % 3] = u * size[(k + 1) % 3];
        corner[(k + 2) % 3] = v * size[(k + 2) % 3];
        corners.push_back(at(corner[0], corner[1], corner[2]));
      }
      faces += svg_path(k == 2 ? "end" : "side", outline(corners, true));
    }
    return faces;
  }

  // one winding and a half on the side of a cylinder that is seen
  std::string thread(double radius, double half) const {
    std::string windings;
    constexpr int steps = 48, turns = 3;
    std::vector<PagePoint> seen;
    for (int k = 0; k <= steps; ++k) {
      const double angle = 2 * std::numbers::pi * turns * k / steps, c = std::cos(angle), s = std::sin(angle);
      if (dot(R * Vec3<double>{c, s, 0}, view.towards()) > 0) {
        seen.push_back(at(radius * c, radius * s, half * (2.0 * k / steps - 1)));
      } else {
        windings += outline(seen, false);
        seen.clear();
      }
    }
    return svg_path("thread", windings + outline(seen, false));
  }

  std::string circle(std::string_view style, double radius) const {
    const PagePoint p = view.page(centre);
    return fmt::format("<circle class='{}' cx='{:.1f}' cy='{:.1f}' r='{}'/>", style, p.x, p.y, radius);
  }

 private:
  const PageView& view;
  const Vec3<double>& centre;
  const Mat3<double>& R;
};

std::string solid(const Pen& pen, JointKind kind) {
  switch (kind) {
    case JointKind::fixed: return pen.circle("end", 3.5);
    case JointKind::revolute: return pen.cylinder(thickness, symbol_reach);
    case JointKind::prismatic: return pen.box(thickness - 1, thickness - 1, symbol_reach);
    case JointKind::helical: return pen.cylinder(thickness, symbol_reach) + pen.thread(thickness, symbol_reach);
    case JointKind::planar: return pen.box(symbol_reach, symbol_reach, 2);
    case JointKind::spherical: return pen.circle("side", symbol_reach - 2) + pen.circle("end", thickness - 2);
    case JointKind::free: return pen.circle("ring", symbol_reach);
  }
  return {};
}

}  // namespace

std::string joint_symbol(const PageView& view, JointKind kind, std::string_view name, const Vec3<double>& centre,
                         const Mat3<double>& R) {
  return fmt::format("<g class='joint {}'><title>{}</title>{}</g>\n", row(kind).name, escape_html(name),
                     solid(Pen(view, centre, R), kind));
}

std::string_view joint_symbol_css() {
  return ".joint{stroke:#5c3b06;stroke-width:1.3;stroke-linejoin:round}.joint .side{fill:#e0942b}.joint "
         ".end{fill:#f7cf7d}"
         ".prismatic,.planar{stroke:#123c69}.prismatic .side,.planar .side{fill:#4a90c9}.prismatic .end,.planar "
         ".end{fill:#a9d3f2}.thread{fill:none}.spherical{stroke:#1f4d2b}.spherical .side{fill:#cfe8d4}.spherical "
         ".end{fill:#4f9d69}.ring{fill:#fff;fill-opacity:.6;stroke:#7a4a9e;stroke-width:2;stroke-dasharray:4 3}.fixed "
         "{stroke:#334e68}.fixed .end{fill:#334e68}";
}

std::string_view symbol_of(MechanismJointKind kind) {
  switch (kind) {
    case MechanismJointKind::revolute:
    case MechanismJointKind::revolute_spherical: return "revolute";
    case MechanismJointKind::universal: return "universal";
    case MechanismJointKind::fixed: return "fixed";
    case MechanismJointKind::cylindrical: return "cylindrical";
    case MechanismJointKind::screw: return "helical";
    case MechanismJointKind::translational: return "prismatic";
    case MechanismJointKind::planar: return "planar";
    case MechanismJointKind::orientation:
    case MechanismJointKind::free: return "free";
    case MechanismJointKind::rolling_ball: return "ball";
    case MechanismJointKind::rolling_disc: return "disc";
    case MechanismJointKind::spherical:
    case MechanismJointKind::distance:
    case MechanismJointKind::point_on_line:
    case MechanismJointKind::point_on_plane: return "spherical";
  }
  return "free";
}

}  // namespace torsor
