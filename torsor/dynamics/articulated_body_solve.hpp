// M x = b by the articulated bodies that forward dynamics has left behind: the same eliminations once more, for another
// right side and without velocities. O(n).
#pragma once

#include "torsor/dynamics/forward_articulated_body.hpp"

namespace torsor {

/// x (nv) of M x = b by what forward_articulated_body left in `work`: M at its position, rotors included. May be b itself.
template <Field T>
void articulated_body_solve(const Tree<T>& model, Rates<const T> b, ArticulatedBodyWork<T>& work, Rates<T> x) {
  auto& [X, v, c, a, A, p, U, d, u] = work;
  for (Force<T>& force : p) force = {};
  for (int i = model.size() - 1; i >= 0; --i) {
    const Body<T>& body = model[i];
    for (int k = body.nv - 1; k >= 0; --k) {
      const int col = body.column + k;
      u[col] = b[body.v + k] - dot(model.S[col], p[i]);
      p[i] += U[col] * (u[col] / d[col]);
    }
    if (body.parent >= 0) p[body.parent] += X[i] * p[i];
  }
  for (int i = 0; i < model.size(); ++i) {
    const Body<T>& body = model[i];
    a[i] = body.parent < 0 ? Motion<T>{} : ~X[i] * a[body.parent];
    for (int k = 0; k < body.nv; ++k) {
      const int col = body.column + k;
      x[body.v + k] = (u[col] - dot(a[i], U[col])) / d[col];
      a[i] += model.S[col] * x[body.v + k];
    }
  }
}

// over double it is compiled once, for speed (tree_recursions.cpp)
extern template void articulated_body_solve(const Tree<double>&, Rates<const double>, ArticulatedBodyWork<double>&,
                                            Rates<double>);

}  // namespace torsor
