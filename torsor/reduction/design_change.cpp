#include "torsor/reduction/design_change.hpp"

#include <fmt/format.h>

#include <array>
#include <cmath>
#include <numbers>

namespace torsor {
namespace {

constexpr double quarter = std::numbers::pi / 2;

std::string degrees(double angle) { return fmt::format("{:.6g} degrees", angle * (180 / std::numbers::pi)); }

/// Whether every entry is 0, 1 or -1 to rounding; then it is made so.
bool make_square(Mat3<double>& R) {
  for (Vec3<double>* column : {&R.x, &R.y, &R.z})
    for (double* entry : {&column->x, &column->y, &column->z}) {
      if (abs(*entry - std::nearbyint(*entry)) > 1e-12) return false;
      *entry = std::nearbyint(*entry) + 0.0;
    }
  return true;
}

bool is_identity(const Mat3<double>& R) {
  const Mat3<double> E = R - Mat3<double>::identity();
  return norm(E.x) + norm(E.y) + norm(E.z) == 0;
}

class Geometry {
 public:
  Geometry(const Description& d, const Model<double>& model) : d_(d), model_(model) {}

  std::vector<DesignChange> run() {
    for (std::size_t k = 0; k < d_.links.size(); ++k) {
      if (std::holds_alternative<DhRow>(d_.links[k].geometry))
        of_row(k);
      else
        of_placement(k);
    }
    mount();
    return std::move(out_);
  }

 private:
  /// Adds the robot whose link k was changed by edit(geometry).
  template <class Shape, class Edit>
  void add(ChangeKind kind, std::size_t k, const std::string& text, const Edit& edit) {
    DesignChange change{kind, d_.links[k].name, text, 1, true, d_};
    edit(std::get<Shape>(change.robot.links[k].geometry));
    out_.push_back(std::move(change));
  }

  void of_row(std::size_t k) {
    const LinkDescription& link = d_.links[k];
    const DhRow& row = std::get<DhRow>(link.geometry);
    const auto length = [&](const char* name, double DhRow::*which) {
      if (row.*which != 0)
        add<DhRow>(ChangeKind::offset, k, fmt::format("{} of {}: {:.6g} m to 0", name, link.name, row.*which),
                   [which](DhRow& r) { r.*which = 0; });
    };
    const auto angle = [&](const char* name, double DhRow::*which, double to) {
      if (abs(row.*which - to) > 1e-12)
        add<DhRow>(ChangeKind::axis, k,
                   fmt::format("{} of {}: {} to {}", name, link.name, degrees(row.*which), degrees(to)),
                   [which, to](DhRow& r) { r.*which = to; });
    };
    const bool slides = link.kind == JointKind::prismatic, turns = row_turns(link.kind);
    length("a", &DhRow::a);
    if (!slides) length("d", &DhRow::d);
    const double quarters = row.alpha / quarter;
    if (abs(quarters - std::nearbyint(quarters)) > 1e-12) {
      angle("alpha", &DhRow::alpha, std::floor(quarters) * quarter);
      angle("alpha", &DhRow::alpha, std::ceil(quarters) * quarter);
    } else {
      angle("alpha", &DhRow::alpha, std::fmod(abs(std::nearbyint(quarters)), 2) == 1 ? 0 : quarter);
    }
    if (row.beta != 0) angle("beta", &DhRow::beta, 0);
    if (!turns) angle("theta", &DhRow::theta, std::nearbyint(row.theta / quarter) * quarter);
  }

  static bool row_turns(JointKind kind) { return kind == JointKind::revolute || kind == JointKind::helical; }

  void of_placement(std::size_t k) {
    const LinkDescription& link = d_.links[k];
    const JointPlacement& place = std::get<JointPlacement>(link.geometry);
    constexpr std::array<std::pair<const char*, double Vec3<double>::*>, 3> components{
        {{"x", &Vec3<double>::x}, {"y", &Vec3<double>::y}, {"z", &Vec3<double>::z}}};
    for (const auto& [name, which] : components)
      if (const double now = place.X_parent_joint.p.*which; now != 0)
        add<JointPlacement>(ChangeKind::offset, k,
                            fmt::format("{} of the joint of {}: {:.6g} m to 0", name, link.name, now),
                            [which = which](JointPlacement& p) { p.X_parent_joint.p.*which = 0; });
    Mat3<double> square = place.X_parent_joint.R;
    if (!make_square(square)) {
      // every axis to the nearest one of the parent, if that is a rotation
      for (Vec3<double>* column : {&square.x, &square.y, &square.z}) {
        const Vec3<double> size{abs(column->x), abs(column->y), abs(column->z)};
        const double most = std::max({size.x, size.y, size.z});
        *column = {size.x == most ? std::copysign(1, column->x) : 0, size.y == most ? std::copysign(1, column->y) : 0,
                   size.z == most ? std::copysign(1, column->z) : 0};
      }
      if (norm(cross(square.x, square.y) - square.z) == 0)
        add<JointPlacement>(ChangeKind::axis, k,
                            fmt::format("the joint of {}: turned square to the link before", link.name),
                            [square](JointPlacement& p) { p.X_parent_joint.R = square; });
    } else if (!is_identity(square)) {
      add<JointPlacement>(ChangeKind::axis, k,
                          fmt::format("the joint of {}: its axes along those of the link before", link.name),
                          [](JointPlacement& p) { p.X_parent_joint.R = Mat3<double>::identity(); });
    }
  }

  /// The base turned by a quarter about the normal of the first axis and gravity, where these are axes of the world.
  void mount() {
    const double g = norm(model_.gravity);
    if (!(g > 0) || model_.bodies.empty() || model_[0].nv != 1) return;
    const Mat3<double> R = model_.base.R * model_[0].placement.R;
    const Vec3<double> u{std::nearbyint(R.z.x), std::nearbyint(R.z.y), std::nearbyint(R.z.z)};
    Vec3<double> down = model_.gravity * (1 / g);
    down = {std::nearbyint(down.x), std::nearbyint(down.y), std::nearbyint(down.z)};
    if (norm(u - R.z) > 1e-12 || norm(down - model_.gravity * (1 / g)) > 1e-12 || norm(cross(u, down)) == 0) return;
    const Vec3<double> normal = cross(u, down);
    const auto turned = [&](const Vec3<double>& v) { return cross(normal, v) + normal * dot(normal, v); };
    Mat3<double> base{turned(d_.base.R.x), turned(d_.base.R.y), turned(d_.base.R.z)};
    make_square(base);
    DesignChange change{ChangeKind::mount,
                        "",
                        fmt::format("the base turned so that the axis of {} is along gravity", model_.joint_names[0]),
                        1,
                        true,
                        d_};
    change.robot.base.R = base;
    out_.push_back(std::move(change));
  }

  const Description& d_;
  const Model<double>& model_;
  std::vector<DesignChange> out_;
};

}  // namespace

std::string_view to_text(ChangeKind kind) {
  switch (kind) {
    case ChangeKind::offset: return "offset";
    case ChangeKind::axis: return "axis";
    case ChangeKind::mount: return "mount";
    case ChangeKind::mass_centre: return "mass centre";
    case ChangeKind::mass_shape: return "mass shape";
    case ChangeKind::counterbalance: return "counterbalance";
    case ChangeKind::several: break;
  }
  return "several";
}

std::vector<DesignChange> design_changes(const Description& d, const Model<double>& model) {
  std::vector<DesignChange> out = mass_changes(d, model);
  for (DesignChange& change : Geometry(d, model).run()) out.push_back(std::move(change));
  return out;
}

}  // namespace torsor
