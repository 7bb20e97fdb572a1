// The workspace of inverse_derivatives.hpp. A slot for each allowed motion, and one for a body that has none; the slots
// lie side by side in blocks, as many as L has lanes. The first slot of a body carries its inertia.
#pragma once

#include <vector>

#include "torsor/model/configuration.hpp"
#include "torsor/spatial/lanes.hpp"

namespace torsor {

template <class L>
struct DerivativeBlock {
  Motion<L> S;   // allowed motion in the body's frame, zero for a body that has none
  Inertia<L> I;  // in the body's frame; zero beyond the first slot of a body
  Transform<L> X;
  Motion<L> s, v_p, v, a_p, a;       // of the motion, its body and the parent
  Motion<L> sd, psid, psidd, both;   // both: psid + sd
  Inertia<L> C;                      // of the body, then of its subtree; likewise the next three
  Mat3<L> N;
  Vec3<L> p;
  Force<L> F;
  Force<L> C_s, by_q, by_qd;  // what the pairs of joints are multiplied from
  Vec3<L> B_s;                // angular part of B^T s; it has no other
  L tau;
};

namespace detail {

/// N of a body with inertia J and velocity (w, u): -w x (tr(I) 1 - 2 I) - 2 h x u x.
template <class L>
Mat3<L> turning_part(const Inertia<L>& J, const Motion<L>& v) {
  const auto& [m, h, I] = J;
  const L xy = I.xy + I.xy, xz = I.xz + I.xz, yz = I.yz + I.yz;
  const Vec3<L> x{I.yy + I.zz - I.xx, -xy, -xz}, y{-xy, I.xx + I.zz - I.yy, -yz}, z{-xz, -yz, I.xx + I.yy - I.zz};
  // h x (u x e) = u (h . e) - e (h . u)
  const Vec3<L> u = v.v + v.v;
  const L hu = dot(h, u);
  Mat3<L> N{cross(x, v.w) - u * h.x, cross(y, v.w) - u * h.y, cross(z, v.w) - u * h.z};
  N.x.x += hu;
  N.y.y += hu;
  N.z.z += hu;
  return N;
}

/// B m, which depends on the angular part w of m alone.
template <class L>
Force<L> turn(const DerivativeBlock<L>& b, const Vec3<L>& w) {
  return {b.N * w, cross(w, b.p + b.p)};
}

}  // namespace detail

template <class T, class L = T>
struct DerivativeSlots {
  struct Slot {
    int coordinate = -1;  // velocity coordinate; -1: none
    int path = 0;         // its stretch of the list below starts here
  };
  struct Step {
    int block;
    unsigned on_branch, inward;  // lanes whose motion acts on the slot; those of them that belong to another joint
  };

  explicit DerivativeSlots(const Model<T>& model);

  int size() const { return static_cast<int>(X.size()); }
  int count() const { return static_cast<int>(slot.size()) - 1; }

  Motion<T> s(int k) const { return take(blocks[k / lanes].s, k % lanes); }

  void add_force(int k, const Force<T>& f) {
    auto& F = blocks[k / lanes].F;
    put(F, k % lanes, take(F, k % lanes) + f);
  }

  /// The sums of a body's first slot, to another of its slots, or onto those of its parent.
  void copy_sums(int from, int to) { sums(from, to, [](const auto& x, const auto&) { return x; }); }
  void add_sums(int from, int to) { sums(from, to, [](const auto& x, const auto& y) { return x + y; }); }

  std::vector<DerivativeBlock<L>> blocks;
  std::vector<Slot> slot;  // and one more, where the last path ends
  std::vector<int> first;  // first slot of each body, and where the last one's end
  std::vector<Step> path;  // for each slot the blocks that hold what acts on it
  std::vector<Transform<T>> X;
  std::vector<Motion<T>> v, a;  // of the bodies
  Vec3<T> origin;               // of all vectors: where the first body is

 private:
  static constexpr int lanes = LanesOf<L>::count;

  template <class F>
  void sums(int from, int to, const F& f) {
    const DerivativeBlock<L>& x = blocks[from / lanes];
    DerivativeBlock<L>& y = blocks[to / lanes];
    const auto move = [&](const auto& given, auto& changed) {
      put(changed, to % lanes, f(take(given, from % lanes), take(changed, to % lanes)));
    };
    move(x.C.m, y.C.m);
    move(x.C.h, y.C.h);
    move(x.C.I, y.C.I);
    move(x.N, y.N);
    move(x.p, y.p);
    move(x.F, y.F);
  }
};

template <class T, class L>
DerivativeSlots<T, L>::DerivativeSlots(const Model<T>& model) : X(model.bodies.size()), v(X.size()), a(X.size()) {
  std::vector<int> body;  // of each slot
  for (int i = 0; i < model.size(); ++i) {
    first.push_back(static_cast<int>(slot.size()));
    for (int c = 0; c < std::max(1, model[i].nv); ++c) {
      slot.push_back({model[i].nv == 0 ? -1 : model[i].v + c, 0});
      body.push_back(i);
    }
  }
  first.push_back(static_cast<int>(slot.size()));
  blocks.resize((slot.size() + lanes - 1) / lanes);
  for (auto& b : blocks) b = DerivativeBlock<L>{};
  for (int i = 0; i < model.size(); ++i) {
    put(blocks[first[i] / lanes].I, first[i] % lanes, model[i].inertia);
    for (int c = 0; c < model[i].nv; ++c)
      put(blocks[(first[i] + c) / lanes].S, (first[i] + c) % lanes, model.S[model[i].column + c]);
  }

  // which motions act on a slot: those of its own joint and of all joints inward
  for (int j = 0; j < static_cast<int>(slot.size()); ++j) {
    slot[j].path = static_cast<int>(path.size());
    for (int i = body[j]; i >= 0 && slot[j].coordinate >= 0; i = model[i].parent)
      for (int k = first[i + 1] - 1; k >= first[i]; --k) {
        if (slot[k].coordinate < 0) continue;
        if (static_cast<int>(path.size()) == slot[j].path || path.back().block != k / lanes)
          path.push_back({k / lanes, 0, 0});
        path.back().on_branch |= 1U << k % lanes;
        if (i != body[j]) path.back().inward |= 1U << k % lanes;
      }
  }
  slot.push_back({-1, static_cast<int>(path.size())});
}

}  // namespace torsor
