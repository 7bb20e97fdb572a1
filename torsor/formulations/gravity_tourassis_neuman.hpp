// The gravitational coefficients in their geometrical form (Tourassis & Neuman 1985, eq. (40), with the sign that V of
// (8) asks for): standard DH frames, vectors in base axes, M_i = m_i + ... + m_N, sigma = 1 where the joint slides.
//
//   G_i = -M_i { sigma_i g . z_{i-1} + sigma_i* g . (z_{i-1} x p_i) }                                          (40)
//
// p_i: mass centre of links i..N from the origin of frame i-1; only M_i p_i is formed. G_i = dV/dq_i holds the arm up.
// O(N).
#pragma once

#include "torsor/model/configuration.hpp"
#include "torsor/model/dh_matrix.hpp"
#include "torsor/scalar/stage.hpp"

namespace torsor {

template <class T>
struct GravityTourassisNeumanWork {
  explicit GravityTourassisNeumanWork(const DhArm<T>& arm) : M(arm.links.size() + 2, T(0)), mr(M.size()), X(M.size()) {
    for (int i = arm.n(); i >= 1; --i) {
      M[i] = arm[i].m + M[i + 1];
      mr[i] = arm[i].r * arm[i].m;
    }
  }

  std::vector<T> M;             // mass of links i..N, off-line
  std::vector<Vec3<T>> mr;      // first moment of link i in its own frame, off-line
  std::vector<Transform<T>> X;  // frame i in the base: X.R.z is z_i; i = 0 .. N
};

/// G (N) by (40). Never allocates.
template <Ring T>
void gravity_tourassis_neuman(const DhArm<T>& arm, const DhPosition<T>& q, GravityTourassisNeumanWork<T>& w,
                              Rates<T> G) {
  const int N = arm.n();
  mark_stage<T>("axes");
  w.X[0] = {};
  for (int i = 1; i <= N; ++i) w.X[i] = w.X[i - 1] * dh_matrix(arm, q, i);

  mark_stage<T>("eq. 40");
  Vec3<T> Mp;  // of links i..N from the origin of frame i-1
  for (int i = N; i >= 1; --i) {
    Mp = w.X[i].R * w.mr[i] + (w.X[i].p - w.X[i - 1].p) * w.M[i] + Mp;
    const Vec3<T>& z = w.X[i - 1].R.z;
    G[i - 1] = arm[i].prismatic ? -(w.M[i] * dot(arm.g, z)) : -dot(arm.g, cross(z, Mp));
  }
}

}  // namespace torsor
