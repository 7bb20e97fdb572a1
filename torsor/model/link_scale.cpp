#include "torsor/model/link_scale.hpp"

#include <algorithm>

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
    robot = std::max(robot, length);
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

}  // namespace torsor
