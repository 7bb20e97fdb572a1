// Which entries of dtau/dq, dtau/dqd, dtau/dqdd are zero whatever the lengths, masses and the motion, friction included:
// what the tree and the kinds of its joints alone say. Solvers use it to skip work; what the numbers of one robot add
// (axes that are parallel, a vertical first axis) the exact structure finds.
//
//   all      joints of different branches do not meet, but for rotors coupled by a transmission
//   dq       a slide carried by slides alone: the robot shifted as a whole feels no difference
//            whatever the base carries, where there is no weight: turned as a whole, likewise
//            a turn carried by slides alone, on the force along its own axis in the same joint: weights have no such part
//   dqd      a prismatic joint carried by slides alone: uniform motion is not felt
//            a slide on itself: the mass it moves is always the same; likewise on a slide of the same coordinate, with
//            slides alone between them
//            a joint of one degree of freedom on itself, with nothing that moves outward of it: so is its inertia
//   dqdd     of one joint: slides at right angles, and a slide and the turn about its direction
#pragma once

#include "torsor/dynamics/loads.hpp"
#include "torsor/numeric/row_major.hpp"

namespace torsor {

/// Row-major nv x nv each: 1 where an entry may be other than zero.
struct DerivativeSparsity {
  std::vector<char> dq, dqd, dqdd;
};

namespace detail {

/// An allowed motion as far as its kind tells: about or along which axis of its joint; a screw is a turn.
struct JointColumn {
  int body = -1, coordinate = -1, axis = 2;
  bool turns = false;
};

inline JointColumn joint_column(const Body<double>& b, int body, int k) {
  const Motion<double> S = joint_motion(b.kind, k, 0.0);
  const Vec3<double>& u = b.kind == JointKind::prismatic || dot(S.w, S.w) == 0 ? S.v : S.w;
  return {body, b.v + k, u.x != 0 ? 0 : u.y != 0 ? 1 : 2, dot(S.w, S.w) != 0};
}

}  // namespace detail

/// What friction adds: of each joint on itself.
inline void add_friction_entries(const Model<double>& model, DerivativeSparsity& out) {
  for (const auto& [body, law] : model.friction) {
    const std::size_t e = cell(model[body].v, model.nv, model[body].v);
    out.dqd[e] = 1;
    if (!law.table.q.empty() || law.function) out.dq[e] = 1;
  }
}

/// The pattern for a model on a base that moves so; a base at rest has more zeros than one that turns.
inline DerivativeSparsity derivative_sparsity(const Model<double>& model, const BaseMotion<double>& base = {}) {
  const int n = model.nv, bodies = model.size();
  const auto nothing = [](const Vec3<double>& a) { return a.x == 0 && a.y == 0 && a.z == 0; };
  const bool turning_base = !nothing(base.w) || !nothing(base.wd);
  const bool weightless = nothing(model.gravity - base.a);

  // of each body: its parent may turn; its parent may move; something outward of it moves
  std::vector<char> turned(bodies), moved(bodies), moves_outward(bodies);
  std::vector<detail::JointColumn> columns;
  for (int i = 0; i < bodies; ++i) {
    const Body<double>& b = model[i];
    for (int k = 0; k < b.nv; ++k) columns.push_back(detail::joint_column(b, i, k));
    if (b.parent < 0) {
      turned[i] = turning_base;
      continue;
    }
    const Body<double>& p = model[b.parent];
    turned[i] = turned[b.parent] || (p.nv > 0 && p.kind != JointKind::prismatic);
    moved[i] = moved[b.parent] || p.nv > 0;
  }
  for (int i = bodies - 1; i >= 0; --i)
    if (const int p = model[i].parent; p >= 0 && (model[i].nv > 0 || moves_outward[i])) moves_outward[p] = 1;
  const auto inward = [&](int i, int of) {
    while (of > i) of = model[of].parent;
    return of == i;
  };

  const auto slides_between = [&](int a, int b) {
    for (int i = model[std::max(a, b)].parent; i > std::min(a, b); i = model[i].parent)
      if (model[i].nv > 0 && model[i].kind != JointKind::prismatic) return false;
    return true;
  };

  DerivativeSparsity out{std::vector<char>(cells(n, n)), {}, {}};
  out.dqd = out.dqdd = out.dq;
  for (const auto& r : columns)
    for (const auto& c : columns) {
      if (!inward(r.body, c.body) && !inward(c.body, r.body)) continue;
      const bool same_joint = r.body == c.body, same = same_joint && r.coordinate == c.coordinate;
      const JointKind kind = model[c.body].kind;
      const bool carried_by_slides = !turned[c.body];
      const bool shift = carried_by_slides && !c.turns;
      const bool own_weight = same_joint && carried_by_slides && c.turns && !r.turns && c.axis == r.axis;
      const bool afloat = weightless && carried_by_slides && !moved[c.body];
      const bool constant_inertia = same && c.turns && model[c.body].nv == 1 && !moves_outward[c.body];
      const bool paired_slides = r.coordinate == c.coordinate && !r.turns && !c.turns && slides_between(r.body, c.body);
      const bool apart = same_joint && (r.turns == c.turns ? !r.turns && r.axis != c.axis : r.axis == c.axis);
      const std::size_t e = cell(r.coordinate, n, c.coordinate);
      out.dq[e] |= static_cast<char>(!shift && !own_weight && !afloat);
      out.dqd[e] |= static_cast<char>(!(shift && kind == JointKind::prismatic) && !constant_inertia && !paired_slides);
      out.dqdd[e] |= static_cast<char>(!apart);
    }
  for (const auto& [i, j, value] : model.rotor_coupling) out.dqdd[cell(i, n, j)] = out.dqdd[cell(j, n, i)] = 1;
  add_friction_entries(model, out);
  return out;
}

}  // namespace torsor
