#include "torsor/model/link_scale.hpp"

#include <algorithm>

#include "torsor/model/mass_spread.hpp"

namespace torsor {
namespace {

/// Distance between the z axis and the line through p along the unit vector u.
double distance_from_z(const Vec3<double>& p, const Vec3<double>& u) {
  const Vec3<double> normal{-u.y, u.x, 0};  // z x u
  const double sine = norm(normal);
  return sine > 1e-6 ? std::abs(dot(p, normal)) / sine : std::hypot(p.x, p.y);
}

}  // namespace

double LinkScale::distance(const Vec3<double>& com) const { return norm(X_body_link * com); }

double LinkScale::extent(const Vec3<double>& com) const {
  // a small link may well be half as large as the largest
  return std::max({joints, 2 * distance(com), others / 2});
}

double LinkScale::least_extent(const Vec3<double>& com) const {
  if (!axis) return 0;
  const Vec3<double> c = X_body_link * com;
  return std::max(axes, std::hypot(c.x, c.y));
}

std::vector<LinkScale> link_scales(const Model<double>& model, double longest) {
  std::vector<LinkScale> scales(model.bodies.size() + 1);
  double robot = 0;
  for (int i = 0; i < model.size(); ++i) {
    const Body<double>& b = model[i];
    // a link frame that is out of reach of its joint is a wrong length of its own
    if (norm(b.link.p) <= longest) scales[i].X_body_link = b.link;
    scales[i].axis = row(b.kind).nv == 1;
    const double length = norm(b.placement.p);
    if (length > longest) continue;
    // where the only joint stands tells nothing about what it carries
    if (model.size() > 1) robot = std::max(robot, length);
    LinkScale& parent = b.parent < 0 ? scales.back() : scales[b.parent];
    parent.joints = std::max(parent.joints, length);
    if (row(b.kind).nv == 1) parent.axes = std::max(parent.axes, distance_from_z(b.placement.p, b.placement.R.z));
  }

  // the largest two extents: each link is compared with the largest of the others
  std::vector<double> extents;
  for (int i = 0; i < model.size(); ++i)
    extents.push_back(std::max(scales[i].joints, 2 * norm(mass_centre(model[i].inertia))));
  extents.push_back(scales.back().joints);
  std::vector<double> largest = extents;
  std::ranges::sort(largest, std::greater<>());
  for (std::size_t i = 0; i < scales.size(); ++i) {
    scales[i].robot = robot;
    if (largest.size() > 1) scales[i].others = extents[i] == largest[0] ? largest[1] : largest[0];
  }
  return scales;
}

std::vector<char> bodies_that_matter(const Model<double>& model) {
  constexpr double negligible = 0.01;
  struct Largest {
    double mass = 0, moment = 0;
  };
  std::vector<Largest> own, group(model.bodies.size());
  for (const Body<double>& b : model.bodies)
    own.push_back({b.inertia.m, mass_spread(b.inertia.m, tensor_about_centre(b.inertia)).moments[2]});
  const auto raise = [](Largest& a, const Largest& b) { a = {std::max(a.mass, b.mass), std::max(a.moment, b.moment)}; };
  // a body and all that is fixed to it
  for (int i = model.size() - 1; i >= 0; --i) {
    raise(group[i], own[i]);
    if (model[i].kind == JointKind::fixed && model[i].parent >= 0) raise(group[model[i].parent], group[i]);
  }
  std::vector<char> matters;
  for (int i = 0; i < model.size(); ++i) {
    const bool fixed = model[i].kind == JointKind::fixed;
    if (fixed && model[i].parent >= 0) group[i] = group[model[i].parent];
    matters.push_back(!fixed || own[i].mass > negligible * group[i].mass ||
                      own[i].moment > negligible * group[i].moment);
  }
  return matters;
}

}  // namespace torsor
