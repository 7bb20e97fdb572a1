// Every coefficient of the Lagrangian model of a tree at one position, without differentiation:
//
//   sum_j d_ij qdd_j + sum_jm c_jm(i) qd_j qd_m + G_i = tau_i              (Tourassis & Neuman 1985, eq. (11))
//
// from the screws s of the joints and the composite inertias C beyond them, all in one frame: that of the world. With k
// outward of i and j, or one of them,
//
//   d_jk = s_j . C_k s_k
//   2 c_jm(i) = s_i . [ C_k (s_j x s_m) + s_j x* C_k s_m + s_m x* C_k s_j ],  m outward of j, k outermost of the three
//   G_k = -s_k . (h_k x g, m_k g)
//
// because dC/dq_j = s_j x* C - C s_j x for every joint at or inward of the composite body, and ds_m/dq_j = s_j x s_m.
// Three joints that do not lie on one path to the base have no coefficient in common. On a path a, b, k from the base
// the symmetries (36) to (39) leave to compute
//
//   c_kk(a) = s_a . (s_k x* C_k s_k)     c_aa(k) = -c_ak(a) = -(s_a x s_k) . C_k s_a     c_kk(k) = c_ak(k) = 0
//   c_ab(k) = -c_ak(b)                   c_bk(a)
//
// c_ak(a) is the case i = min(j, m) that (37) leaves out. O(n d^2), d the depth: O(n^3) for a chain.
#pragma once

#include "torsor/kinematics/forward_kinematics.hpp"
#include "torsor/numeric/row_major.hpp"

namespace torsor {

/// Joints of one degree of freedom, or fixed. Several joints may share a coordinate; the symmetries then hold for the
/// joints, not for the coordinates.
template <class T>
struct CoefficientsWork {
  explicit CoefficientsWork(const Model<T>& model) requires Field<T> : CoefficientsWork(model, T(1) / T(2)) {}

  /// Over a ring without division, with its half.
  CoefficientsWork(const Model<T>& model, const T& half_)
      : half(half_),
        X(model.bodies.size()),
        C(X.size()),
        body(model.S.size()),
        inward(body.size()),
        s(body.size()),
        x(body.size() * body.size()),
        y(body.size()),
        path(body.size()) {
    for (int i = 0; i < model.size(); ++i) {
      if (model[i].nv == 0) continue;
      TORSOR_EXPECT(model[i].nv == 1);
      body[model[i].column] = i;
      int p = model[i].parent;
      while (p >= 0 && model[p].nv == 0) p = model[p].parent;
      inward[model[i].column] = p < 0 ? -1 : model[p].column;
    }
  }

  T half;
  std::vector<Transform<T>> X;    // per body, in the world
  std::vector<Inertia<T>> C;      // everything outward of a joint as one rigid body, in the world
  std::vector<int> body, inward;  // per moving joint: its body, the next moving joint towards the base (-1: none)
  std::vector<Motion<T>> s, x;    // the screws; x[k n + j] = s_j x s_k, j inward of k
  std::vector<Force<T>> y;        // C_k s_j for the joint k at hand
  std::vector<int> path;          // the joints from k to the base
};

namespace detail {

/// What has joint k as the outermost of its joints. Inward of k the screws s, their products x, and C_k and g are known in
/// one frame, which may be any.
template <Ring T>
void add_coefficients_of(int k, const Model<T>& model, const Vec3<T>& g, CoefficientsWork<T>& work, std::span<T> D,
                         std::span<T> c, Rates<T> G) {
  const std::size_t n = static_cast<std::size_t>(model.nv), columns = work.s.size();
  auto& [half, X, C, body, inward, s, x, y, path] = work;
  const auto v = [&](int j) { return static_cast<std::size_t>(model[work.body[j]].v); };
  const auto add_inertia = [&](std::size_t j, std::size_t m, const T& value) {
    D[j * n + m] += value;
    D[m * n + j] += value;
  };
  const auto add_centrifugal = [&](int j, int i, const T& value) { c[(v(i) * n + v(j)) * n + v(j)] += value; };
  const auto add_coriolis = [&](int j, int m, int i, const T& value) {
    c[(v(i) * n + v(j)) * n + v(m)] += value;
    c[(v(i) * n + v(m)) * n + v(j)] += value;
  };

  const Inertia<T>& C_k = C[body[k]];
  const Force<T> F = C_k * s[k];
  if (!G.empty()) G[v(k)] -= dot(s[k], Force<T>{cross(C_k.h, g), g * C_k.m});
  if (!D.empty()) D[v(k) * n + v(k)] += dot(s[k], F);

  int length = 0;
  for (int j = inward[k]; j >= 0; j = inward[j]) path[length++] = j;
  if (!D.empty())
    for (int l = 0; l < length; ++l) add_inertia(v(path[l]), v(k), dot(s[path[l]], F));
  if (c.empty()) return;

  // pairs: (36), (38), and c_ak(a)
  Motion<T>* const x_k = x.data() + static_cast<std::size_t>(k) * columns;
  const Force<T> centrifugal = cross(s[k], F);
  for (int l = 0; l < length; ++l) {
    const int a = path[l];
    x_k[a] = cross(s[a], s[k]);
    y[a] = C_k * s[a];
    add_centrifugal(k, a, dot(s[a], centrifugal));
    const T c_aak = -dot(x_k[a], y[a]);
    add_centrifugal(a, k, c_aak);
    add_coriolis(a, k, a, -c_aak);
  }

  // triples: (37), (39)
  for (int l = 0; l < length; ++l) {
    const int b = path[l];
    const Force<T> W = C_k * x_k[b] + cross(s[b], F) + cross(s[k], y[b]);
    const Motion<T>* const x_b = x.data() + static_cast<std::size_t>(b) * columns;
    for (int r = l + 1; r < length; ++r) {
      const int a = path[r];
      const T c_abk = half * (dot(x_b[a], F) - dot(x_k[a], y[b]) - dot(x_k[b], y[a]));
      add_coriolis(a, b, k, c_abk);
      add_coriolis(a, k, b, -c_abk);
      add_coriolis(b, k, a, half * dot(s[a], W));
    }
  }
}

}  // namespace detail

/// D (row-major nv x nv), c with c_jm(i) at [(i nv + j) nv + m], and G (nv); rotors included. An empty span is left out.
template <Ring T>
void coefficients_composite_body(const Model<T>& model, const Configuration<T>& configuration,
                                 CoefficientsWork<T>& work, std::span<T> D, std::span<T> c, Rates<T> G) {
  const std::size_t n = static_cast<std::size_t>(model.nv);
  TORSOR_EXPECT(D.empty() || D.size() == n * n);
  TORSOR_EXPECT(c.empty() || c.size() == n * n * n);
  TORSOR_EXPECT(G.empty() || G.size() == n);
  for (T& entry : D) entry = T(0);
  for (T& entry : c) entry = T(0);
  for (T& entry : G) entry = T(0);
  if (!D.empty()) {
    for (std::size_t k = 0; k < n; ++k) D[k * n + k] = model.rotor[k];
    for (const auto& [j, k, value] : model.rotor_coupling) {
      D[static_cast<std::size_t>(j) * n + static_cast<std::size_t>(k)] += value;
      D[static_cast<std::size_t>(k) * n + static_cast<std::size_t>(j)] += value;
    }
  }

  // screws and composite bodies
  auto& [half, X, C, body, inward, s, x, y, path] = work;
  forward_kinematics(model, configuration, std::span(X));
  for (int i = 0; i < model.size(); ++i) {
    C[i] = X[i] * model[i].inertia;
    if (model[i].nv == 1) s[model[i].column] = X[i] * model.S[model[i].column];
  }
  for (int i = model.size() - 1; i >= 0; --i)
    if (model[i].parent >= 0) C[model[i].parent] += C[i];

  for (int k = 0; k < static_cast<int>(s.size()); ++k)
    detail::add_coefficients_of<T>(k, model, model.gravity, work, D, c, G);
}

/// c and G of a chain of moving joints, each coefficient in the frame of its outermost joint: only the coordinates that
/// it depends on enter it. For formulas to be read; numbers are found faster in the one frame of the world.
template <Ring T>
void coefficients_in_link_frames(const Model<T>& model, const Configuration<T>& configuration,
                                 CoefficientsWork<T>& work, std::span<T> c, Rates<T> G) {
  const std::size_t n = static_cast<std::size_t>(model.nv);
  TORSOR_EXPECT(work.s.size() == n && model.bodies.size() == n);
  TORSOR_EXPECT(c.size() == n * n * n && G.size() == n);
  for (T& entry : c) entry = T(0);
  for (T& entry : G) entry = T(0);
  auto& [half, X, C, body, inward, s, x, y, path] = work;
  for (int k = 0; k < model.nv; ++k) {
    TORSOR_EXPECT(model[k].parent == k - 1 && model[k].v == k);
    X[k] = pose_in_parent(model, configuration, k);
    C[k] = model[k].inertia;
  }
  for (int k = model.nv - 1; k > 0; --k) C[k - 1] += X[k] * C[k];

  Vec3<T> g = ~model.base.R * model.gravity;
  for (int k = 0; k < model.nv; ++k) {
    g = ~X[k].R * g;
    for (int j = 0; j < k; ++j) s[j] = ~X[k] * s[j];
    s[k] = model.S[k];
    for (int b = 1; b < k; ++b)
      for (int a = 0; a < b; ++a) x[cell(b, model.nv, a)] = cross(s[a], s[b]);
    detail::add_coefficients_of<T>(k, model, g, work, {}, c, G);
  }
}

/// The Christoffel coefficients alone, c_jm(i) at [(i nv + j) nv + m], symmetric in j and m.
template <Ring T>
void christoffel_composite_body(const Model<T>& model, const Configuration<T>& configuration, CoefficientsWork<T>& work,
                                std::span<T> c) {
  coefficients_composite_body<T>(model, configuration, work, {}, c, {});
}

}  // namespace torsor
