// The inertial coefficients from the elements of DH matrices (Tourassis & Neuman 1985, appendix A): for i <= j, with
// n, o, a, p the columns of A_{i-1}^{j-1} = A_i ... A_{j-1}, M_j = m_j + ... + m_N, and sigma = 1 for a slide,
//
//   d_ij = sigma_i  sigma_j   M_j a_z
//        + sigma_i  sigma_j*  M_j (o_z x_j - n_z y_j)
//        + sigma_i* sigma_j   M_j [(n_z y_j - o_z x_j) + (p_x a_y - a_x p_y)]
//        + sigma_i* sigma_j*  {a_z I_jzz - o_z I_jyz - n_z I_jxz
//                              + M_j [(n_x p_y - n_y p_x) y_j - (o_x p_y - o_y p_x) x_j]}                      
//
// where (x_j, y_j, z_j) is the mass centre of links j..N in frame j-1, and I_jzz = sum m (x^2 + y^2), I_jyz =
// sum m y z, I_jxz = sum m x z their moments about its origin: products with a plus sign, minus the
// tensor's entries. (As printed the factor M_j also multiplies the last line's moments.) Links are moved from frame
// to frame by, J^(j-1) = A J A^T, one frame at a time for all that lie beyond; mass, first moments
// and tensor are what J holds. O(N^2).
#pragma once

#include "torsor/model/dh_matrix.hpp"
#include "torsor/scalar/stage.hpp"
#include "torsor/spatial/inertia.hpp"

namespace torsor {

template <class T>
struct TourassisNeumanDhWork {
  explicit TourassisNeumanDhWork(const DhArm<T>& arm)
      : link(arm.links.size() + 1), A(link.size()), beyond(link.size() + 1) {
    for (int k = 1; k <= arm.n(); ++k) link[k] = inertia_about_centre(arm[k].m, arm[k].r, arm[k].I);
  }

  std::vector<Inertia<T>> link;    // of link k in its own frame, off-line
  std::vector<Transform<T>> A;     // A_k
  std::vector<Inertia<T>> beyond;  // of links j..N in frame j-1
};

/// D (row-major N x N) by. Never allocates.
template <Ring T>
void inertia_tourassis_neuman_dh(const DhArm<T>& arm, const DhPosition<T>& q, TourassisNeumanDhWork<T>& w,
                                 std::span<T> D) {
  const int N = arm.n();
  mark_stage<T>("eq. A-12");
  for (int j = N; j >= 1; --j) {
    w.A[j] = dh_matrix(arm, q, j);
    w.beyond[j] = w.A[j] * (j == N ? w.link[j] : w.link[j] + w.beyond[j + 1]);
  }

  for (int i = 1; i <= N; ++i) {
    Transform<T> A;  // A_{i-1}^{j-1}
    for (int j = i; j <= N; ++j) {
      mark_stage<T>("eq. A-1");
      if (j > i) A = j == i + 1 ? w.A[i] : A * w.A[j - 1];
      const auto& [n, o, a] = A.R;
      const Vec3<T>& p = A.p;
      const auto& [M, Mp, I] = w.beyond[j];
      const T &Mx = Mp.x, &My = Mp.y, &Izz = I.zz, Iyz = -I.yz, Ixz = -I.xz;

      mark_stage<T>("eq. A-10");
      const bool slides_i = arm[i].prismatic, slides_j = arm[j].prismatic;
      T d(0);
      if (slides_i && slides_j)
        d = M * a.z;
      else if (slides_i)
        d = o.z * Mx - n.z * My;
      else if (slides_j)
        d = n.z * My - o.z * Mx + M * (p.x * a.y - a.x * p.y);
      else
        d = a.z * Izz - o.z * Iyz - n.z * Ixz + (n.x * p.y - n.y * p.x) * My - (o.x * p.y - o.y * p.x) * Mx;
      D[(i - 1) * N + j - 1] = D[(j - 1) * N + i - 1] = d;
    }
  }
}

}  // namespace torsor
