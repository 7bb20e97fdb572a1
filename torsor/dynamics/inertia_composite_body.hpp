// Mass matrix of a tree by the composite-rigid-body algorithm (Walker & Orin 1982; Featherstone 2008, Table 6.2).
// O(n d), d the depth.
//
//   C_i = I_i + sum over children C_c        M_ji = S_j^T (C_i S_i moved to body j), j any ancestor of i
#pragma once

#include "torsor/dynamics/plain_turn.hpp"
#include "torsor/model/configuration.hpp"
#include "torsor/numeric/row_major.hpp"

namespace torsor {

template <class T>
struct CompositeBodyWork {
  explicit CompositeBodyWork(const Tree<T>& model) : X(model.bodies.size()), C(model.bodies.size()) {}

  std::vector<Transform<T>> X;
  std::vector<Inertia<T>> C;  // everything outward of a joint as one rigid body
};

/// Mass matrix M, row-major nv x nv, both triangles; rotors included.
template <Ring T>
void inertia_composite_body(const Tree<T>& model, const Configuration<T>& configuration, CompositeBodyWork<T>& work,
                            std::span<T> M) {
  const int n = model.nv;
  TORSOR_EXPECT(M.size() == cells(n, n));
  auto& [X, C] = work;
  const auto add = [&](int j, int k, const T& value) {
    M[j * n + k] += value;
    M[k * n + j] += value;
  };

  for (T& entry : M) entry = T(0);
  for (int k = 0; k < n; ++k) M[k * n + k] = model.rotor[k];
  for (const auto& [j, k, value] : model.rotor_coupling) add(j, k, value);
  for (int i = 0; i < model.size(); ++i) {
    X[i] = pose_in_parent(model, configuration, i);
    C[i] = model[i].inertia;
  }

  for (int i = model.size() - 1; i >= 0; --i) {
    const Body<T>& b = model[i];
    for (int c = 0; c < b.nv; ++c) {
      const auto& [m, h, I] = C[i];
      Force<T> f = detail::plain_turn(model, b) ? Force<T>{{I.xz, I.yz, I.zz}, {-h.y, h.x, T(0)}}
                                                : C[i] * model.S[b.column + c];
      M[(b.v + c) * n + b.v + c] += dot(model.S[b.column + c], f);
      for (int l = 0; l < c; ++l) add(b.v + l, b.v + c, dot(model.S[b.column + l], f));

      // carry the force inward to every ancestor; a joint that shares the coordinate meets itself there: twice
      for (int j = i; model[j].parent >= 0;) {
        f = X[j] * f;
        j = model[j].parent;
        const Body<T>& a = model[j];
        if (detail::plain_turn(model, a))
          add(a.v, b.v + c, f.n.z);
        else
          for (int l = 0; l < a.nv; ++l) add(a.v + l, b.v + c, dot(model.S[a.column + l], f));
      }
    }
    if (b.parent >= 0) C[b.parent] += X[i] * C[i];
  }
}

// over double it is compiled once, for speed (tree_recursions.cpp)
extern template void inertia_composite_body(const Tree<double>&, const Configuration<double>&,
                                            CompositeBodyWork<double>&, std::span<double>);

}  // namespace torsor
