// The inertial coefficients in their geometrical form (Tourassis & Neuman 1985, eq. (22)): each is a mass times what
// the axes z_{i-1}, z_{j-1} and the mass centre of the links beyond them have to do with each other. Standard DH
// frames, vectors in base axes, i <= j, M_j = m_j + ... + m_N; sigma = 1 where the joint slides.
//
//   d_ij = M_j { sigma_i  sigma_j   z_{i-1} . z_{j-1}
//              + sigma_i  sigma_j*  (z_{i-1} x z_{j-1}) . p_j
//              + sigma_i* sigma_j   (z_{j-1} x z_{i-1}) . p_i
//              + sigma_i* sigma_j*  K_ij }                                                                   (22)
//
// p_j, p_i: mass centre of links j..N from the origins of frames j-1 and i-1, so p_i = R_ij + p_j depends on j (20).
// M_j K_ij is the projected inertia (21), sum m_a (z_{i-1} x p_ia).(z_{j-1} x p_ja), which comes to
//
//   J_ij = z_{i-1} . I_j z_{j-1} + (z_{i-1} x R_ij) . (z_{j-1} x M_j p_j)
//
// with the inertia tensor I_j of links j..N about the origin of frame j-1. Masses may be zero: only M_j p_j is formed,
// never p_j. O(N^2).
#pragma once

#include "torsor/model/dh_matrix.hpp"
#include "torsor/scalar/stage.hpp"
#include "torsor/spatial/inertia.hpp"

namespace torsor {

template <class T>
struct TourassisNeumanWork {
  explicit TourassisNeumanWork(const DhArm<T>& arm)
      : link(arm.links.size() + 1), X(link.size()), beyond(link.size() + 1) {
    for (int k = 1; k <= arm.n(); ++k) link[k] = inertia_about_centre(arm[k].m, arm[k].r, arm[k].I);
  }

  std::vector<Inertia<T>> link;    // of link k in its own frame, off-line
  std::vector<Transform<T>> X;     // frame k in the base: X.R.z is z_k, X.p its origin; k = 0 .. N
  std::vector<Inertia<T>> beyond;  // of links j..N about the origin of frame j-1, base axes
};

/// D (row-major N x N) by (22). Never allocates.
template <Ring T>
void inertia_tourassis_neuman(const DhArm<T>& arm, const DhPosition<T>& q, TourassisNeumanWork<T>& w, std::span<T> D) {
  const int N = arm.n();
  mark_stage<T>("axes");
  w.X[0] = {};
  for (int k = 1; k <= N; ++k) w.X[k] = w.X[k - 1] * dh_matrix(arm, q, k);

  mark_stage<T>("links j..N");  // (18), (19) and I_j
  w.beyond[N + 1] = {};
  for (int j = N; j >= 1; --j) {
    const Vec3<T> p_star = w.X[j].p - w.X[j - 1].p;
    w.beyond[j] = Transform<T>{w.X[j].R, p_star} * w.link[j];
    if (j < N) w.beyond[j] += Transform<T>{Mat3<T>::identity(), p_star} * w.beyond[j + 1];
  }

  mark_stage<T>("eq. 22");
  for (int j = 1; j <= N; ++j) {
    const Inertia<T>& B = w.beyond[j];
    const Vec3<T>&zj = w.X[j - 1].R.z, &Mp_j = B.h;
    const Vec3<T> I_zj = B.I * zj, lever_j = cross(zj, Mp_j);
    for (int i = 1; i <= j; ++i) {
      const Vec3<T>& zi = w.X[i - 1].R.z;
      const bool slides_i = arm[i].prismatic, slides_j = arm[j].prismatic;
      const Vec3<T> R_ij = i == j ? Vec3<T>{} : w.X[j - 1].p - w.X[i - 1].p;
      T d(0);
      if (slides_i && slides_j)
        d = i == j ? B.m : B.m * dot(zi, zj);
      else if (slides_i)
        d = dot(zi, lever_j);  // (z_i x z_j).p_j = z_i.(z_j x p_j)
      else if (slides_j)
        d = i == j ? T(0) : dot(cross(zj, zi), R_ij * B.m + Mp_j);
      else
        d = dot(zi, I_zj) + dot(cross(zi, R_ij), lever_j);
      D[(i - 1) * N + j - 1] = D[(j - 1) * N + i - 1] = d;
    }
  }
}

}  // namespace torsor
