#include "torsor/loops/dyad_plan.hpp"

#include <algorithm>
#include <cmath>

#include "torsor/loops/cluster_kinematics.hpp"
#include "torsor/loops/dyad_forms.hpp"
#include "torsor/loops/planar_dyads.hpp"

namespace torsor {
namespace {

constexpr double planar_tolerance = 1e-13;  // of directions; of heights beside the cluster's length

/// The plane of a cluster, and what lies in it.
struct LoopPlane {
  Vec3<double> normal, x, y;

  PlanePoint point(const Vec3<double>& p) const { return {dot(p, x), dot(p, y)}; }
  bool is_along(const Vec3<double>& axis) const { return norm(cross(axis, normal)) <= planar_tolerance; }
  bool is_in(const Vec3<double>& direction) const { return std::abs(dot(direction, normal)) <= planar_tolerance; }
};

LoopPlane plane_across(const Vec3<double>& normal) {
  const Vec3<double> any = std::abs(normal.x) < 0.6 ? Vec3<double>{1, 0, 0} : Vec3<double>{0, 1, 0};
  const Vec3<double> across = cross(normal, any), x = across * (1 / norm(across));
  return {normal, x, cross(normal, x)};
}

/// The sides that no joint changes, from the reference.
void set_sides(DyadPlan::Loop& loop) {
  using Forms = DyadForms<double>;
  Forms::Place place = Forms::place_of(loop);
  for (std::size_t k = 0; k < loop.links.size(); ++k) place.c[k] = loop.links[k].slides ? 0 : 1;
  Forms::pose(loop, place);
  // a side ends at the next joint outward, or where the loop closes
  const auto is_one_link = [&](int from, int to) {
    const int end = Forms::on_j(loop, from) ? static_cast<int>(loop.links.size()) : loop.of_i;
    return from + 1 == (to < 0 ? end : to);
  };
  const Forms::Sides sides = Forms::sides_of(loop, place);
  const bool slides = loop.links[loop.first].slides || loop.links[loop.second].slides;
  if (slides) {
    const int hinge = loop.links[loop.first].slides ? loop.second : loop.first;
    // the slide moves the far end of what the hinge turns: then the side is the rest of the loop
    const bool rest = hinge == loop.first && Forms::on_j(loop, loop.first) == Forms::on_j(loop, loop.second);
    if (!rest && is_one_link(hinge, -1)) loop.r = sides.r;
    return;
  }
  const bool one_side = Forms::on_j(loop, loop.first) == Forms::on_j(loop, loop.second);
  if (is_one_link(loop.first, one_side ? loop.second : -1)) loop.r = sides.r;
  if (is_one_link(loop.second, -1)) loop.s = sides.s;
}

int place_of(const std::vector<int>& columns, int column) {
  const auto at = std::ranges::lower_bound(columns, column);
  return at != columns.end() && *at == column ? static_cast<int>(at - columns.begin()) : -1;
}

}  // namespace

std::optional<DyadPlan> plan_dyads(const Tree<double>& tree, const LoopCluster& c, std::span<const double> reference) {
  ClusterKinematics<double> kinematics(tree, c);
  kinematics.place(reference);
  const auto axis_of = [&](std::size_t b) { return kinematics.body(static_cast<int>(b)).R.z; };

  // one plane for all joints
  std::optional<LoopPlane> plane;
  for (std::size_t b = 0; b < c.bodies.size() && !plane; ++b)
    if (tree[c.bodies[b]].kind == JointKind::revolute) plane = plane_across(axis_of(b));
  if (!plane) return std::nullopt;
  for (std::size_t b = 0; b < c.bodies.size(); ++b) {
    const JointKind kind = tree[c.bodies[b]].kind;
    const bool fits = kind == JointKind::fixed || (kind == JointKind::revolute && plane->is_along(axis_of(b))) ||
                      (kind == JointKind::prismatic && plane->is_in(axis_of(b)));
    if (!fits) return std::nullopt;
  }

  // each loop closes by a hinge of it
  std::vector<DyadPlan::Loop> loops;
  for (std::size_t l = 0; l < c.loops.size(); ++l) {
    const ClusterLoop& given = c.loops[l];
    const Transform<double> i = kinematics.frame(l, false), j = kinematics.frame(l, true);
    const bool hinge = given.kind == MechanismJointKind::revolute && plane->is_along(i.R.z) && plane->is_along(j.R.z);
    if (!hinge && given.kind != MechanismJointKind::spherical) return std::nullopt;
    if (std::abs(dot(j.p - i.p, plane->normal)) > planar_tolerance * c.length) return std::nullopt;
    DyadPlan::Loop loop;
    loop.end[0] = plane->point(i.p), loop.end[1] = plane->point(j.p);
    for (const bool of_j : {false, true}) {
      // from the tip inward, as the way was found; here outward
      for (auto way = given.way.rbegin(); way != given.way.rend(); ++way) {
        if (way->of_j != of_j) continue;
        const LoopCluster::Entry& entry = c.entries[way->entry];
        const Body<double>& body = tree[c.bodies[entry.body]];
        const Transform<double> X = kinematics.body(entry.body);
        DyadPlan::Link link;
        link.q = body.q, link.v = body.v, link.at_reference = reference[body.q];
        link.slides = body.kind == JointKind::prismatic;
        link.gain = link.slides || dot(X.R.z, plane->normal) > 0 ? body.ratio : -body.ratio;
        link.place = plane->point(link.slides ? X.R.z : X.p);
        link.independent = place_of(c.independent, entry.column), link.dependent = place_of(c.dependent, entry.column);
        loop.links.push_back(link);
      }
      if (!of_j) loop.of_i = static_cast<int>(loop.links.size());
    }
    loops.push_back(std::move(loop));
  }

  // one after the other, each by two joints that are known from then on and that no other joint follows
  std::vector<int> followers(c.coordinates.size());
  for (const LoopCluster::Entry& entry : c.entries) ++followers[entry.column];
  std::vector<bool> known(c.dependent.size());
  DyadPlan plan;
  while (!loops.empty()) {
    const auto next = std::ranges::find_if(loops, [&](const DyadPlan::Loop& loop) {
      return 2 == std::ranges::count_if(loop.links, [&](const DyadPlan::Link& link) {
        return link.dependent >= 0 && !known[link.dependent];
      });
    });
    if (next == loops.end()) return std::nullopt;
    DyadPlan::Loop loop = std::move(*next);
    loops.erase(next);
    bool any = false;
    for (int k = 0; k < static_cast<int>(loop.links.size()); ++k) {
      const DyadPlan::Link& link = loop.links[k];
      if (link.dependent < 0 || known[link.dependent]) continue;
      if (followers[c.dependent[link.dependent]] != 1 || std::abs(link.gain) != 1) return std::nullopt;
      (any ? loop.second : loop.first) = k;
      any = true;
    }
    for (const int k : {loop.first, loop.second}) known[loop.links[k].dependent] = true;
    if (loop.links[loop.first].slides && loop.links[loop.second].slides) return std::nullopt;
    plan.loops.push_back(std::move(loop));
  }
  if (std::ranges::find(known, false) != known.end()) return std::nullopt;

  // the branch is that of the reference
  for (DyadPlan::Loop& loop : plan.loops) set_sides(loop);
  LoopCluster planned = c;
  planned.dyads = std::move(plan);
  PlanarDyads dyads(planned);
  if (!dyads.look(reference)) return std::nullopt;
  for (std::size_t l = 0; l < planned.dyads->loops.size(); ++l) planned.dyads->loops[l].sign = dyads.branch(l);
  return std::move(planned.dyads);
}

}  // namespace torsor
