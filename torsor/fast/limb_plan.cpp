#include "torsor/fast/limb_plan.hpp"

#include <algorithm>

namespace torsor {
namespace {

constexpr int most_coordinates = 1000;

/// The tree with every fixed link as part of what carries it; what is fixed to the base is left out.
void fold_fixed_links(const Tree<double>& from, LimbPlan& plan) {
  Tree<double>& to = plan.tree;
  to = from;
  to.bodies.clear();
  for (const Body<double>& b : from.bodies) {
    const int carrier = b.parent < 0 ? -1 : plan.body_of[b.parent];
    const Transform<double> placement = b.parent < 0 ? b.placement : plan.X_body[b.parent] * b.placement;
    if (b.kind == JointKind::fixed) {
      plan.body_of.push_back(carrier);
      plan.X_body.push_back(placement);
      continue;
    }
    plan.body_of.push_back(to.size());
    plan.X_body.emplace_back();
    to.bodies.push_back(b);
    to.bodies.back().parent = carrier;
    to.bodies.back().placement = placement;
  }
}

bool has_own_coordinates(const Tree<double>& tree) {
  int v = 0, q = 0;
  for (const Body<double>& b : tree.bodies) {
    if (b.v != v || b.q != q || b.column != v || b.ratio != 1 || b.offset != 0) return false;
    v += b.nv;
    q += row(b.kind).nq;
  }
  return v == tree.nv && v > 0;
}

void cut_into_limbs(LimbPlan& plan) {
  const Tree<double>& tree = plan.tree;
  std::vector<int> children(tree.bodies.size(), 0), limb_of;
  for (const Body<double>& b : tree.bodies)
    if (b.parent >= 0) ++children[b.parent];
  for (int i = 0; i < tree.size(); ++i) {
    const Body<double>& b = tree[i];
    const int carrier = b.parent < 0 ? -1 : limb_of[b.parent];
    if (b.nv > 1) {
      for (int k = 0; k < b.nv; k += LimbPlan::lanes)
        plan.limbs.push_back({.parent = k == 0 ? carrier : plan.count() - 1,
                              .kind = k == 0 ? LimbKind::joint : LimbKind::rest_of_joint,
                              .count = std::min(b.nv - k, LimbPlan::lanes),
                              .parts = (b.nv - k + LimbPlan::lanes - 1) / LimbPlan::lanes,
                              .q = b.q,
                              .v = b.v + k,
                              .body = i});
    } else if (b.parent >= 0 && b.parent == i - 1 && children[b.parent] == 1 &&
               plan.limbs.back().kind == LimbKind::chain && plan.limbs.back().count < LimbPlan::lanes) {
      ++plan.limbs.back().count;
    } else {
      plan.limbs.push_back({.parent = carrier, .count = 1, .q = b.q, .v = b.v, .body = i});
    }
    limb_of.push_back(plan.count() - 1);
  }
}

}  // namespace

void refill(const Tree<double>& from, LimbPlan& plan) {
  for (int i = 0; i < from.size(); ++i) {
    if (plan.body_of[i] < 0) continue;
    Inertia<double>& inertia = plan.tree.bodies[plan.body_of[i]].inertia;
    if (from[i].kind == JointKind::fixed)
      inertia += plan.X_body[i] * from[i].inertia;
    else
      inertia = from[i].inertia;
  }
}

std::optional<LimbPlan> limb_plan(const Tree<double>& tree) {
  if (tree.nv > most_coordinates) return std::nullopt;
  LimbPlan plan;
  fold_fixed_links(tree, plan);
  refill(tree, plan);
  if (!has_own_coordinates(plan.tree)) return std::nullopt;
  cut_into_limbs(plan);

  const int n = plan.count();
  plan.children.resize(plan.limbs.size());
  plan.way_in.resize(plan.limbs.size());
  plan.beyond.resize(plan.limbs.size());
  plan.related.resize(plan.limbs.size());
  for (int outer = 0; outer < n; ++outer) {
    Limb& limb = plan.limbs[outer];
    limb.above = tree.rotor_coupling.empty() ? limb.parent : outer - 1;
    if (limb.parent >= 0) plan.children[limb.parent].push_back(outer);
    for (int k = outer; k >= 0; k = plan.limbs[k].above) {
      plan.way_in[outer].push_back(k);
      if (k != outer) plan.beyond[k].push_back(outer);
    }
    for (int inner = outer; inner >= 0; inner = plan.limbs[inner].parent) {
      const bool one_joint = limb.kind != LimbKind::chain && plan.limbs[inner].kind != LimbKind::chain &&
                             limb.body == plan.limbs[inner].body;
      plan.pairs.push_back({one_joint        ? LimbPair::same_joint
                            : inner == outer ? LimbPair::own
                                             : LimbPair::below,
                            inner, outer});
      if (one_joint && inner != outer) plan.pairs.push_back({LimbPair::same_joint, outer, inner});
      plan.related[outer].push_back(inner);
      if (inner != outer) plan.related[inner].push_back(outer);
    }
  }
  plan.branched = std::ranges::any_of(plan.related, [n](const auto& r) { return std::ssize(r) < n; });

  plan.meet.resize(plan.limbs.size() * plan.limbs.size());
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < n; ++j) {
      int a = i, b = j;
      while (a != b) (a > b ? a : b) = plan.limbs[std::max(a, b)].above;
      plan.meet[static_cast<std::size_t>(i) * plan.limbs.size() + static_cast<std::size_t>(j)] = a;
    }
  return plan;
}

}  // namespace torsor
