// The inertial coefficients in the Q-matrix form (Uicker 1965, Kahn 1969; as in Tourassis & Neuman 1985, (A-11)):
// traces of 4x4 matrices, differentiated by a factor Q at the joint. Standard DH frames, i <= j:
//
//   d_ij = sum_{k=j}^N Tr{ (A_i ... A_{j-1} Q_j A_j ... A_k) J_k (Q_i A_i ... A_k)^T }                         
//
//   Q of a turning joint: rows (0 -1 0 0), (1 0 0 0), 0, 0; of a sliding one: 1 in row 3, column 4, else 0
//
//         | S    m r |   S = 1/2 tr(I) 1 - I, the second moments, from the tensor I about the origin of frame k
//   J_k = | m r^T  m |
//
// The last rows (0 0 0 1 of an A, zeros behind a Q) are left out: a matrix is the Transform of its upper three rows,
// and Transform's product is that of any such matrix with an A on its right. O(N^3).
#pragma once

#include "torsor/model/dh_matrix.hpp"
#include "torsor/scalar/stage.hpp"
#include "torsor/spatial/inertia.hpp"

namespace torsor {

template <class T>
struct QMatrixWork {
  struct PseudoInertia {
    Sym3<T> S;
    Vec3<T> mr;
    T m{0};
  };

  explicit QMatrixWork(const DhArm<T>& arm) : J(arm.links.size() + 1), A(J.size()) {
    const T half = T(1) / T(2);
    for (int k = 1; k <= arm.n(); ++k) {
      const auto [m, mr, I] = inertia_about_centre(arm[k].m, arm[k].r, arm[k].I);
      J[k] = {
          {(I.yy + I.zz - I.xx) * half, (I.xx + I.zz - I.yy) * half, (I.xx + I.yy - I.zz) * half, -I.xy, -I.xz, -I.yz},
          mr,
          m};
    }
  }

  std::vector<PseudoInertia> J;  // of link k in its own frame, off-line
  std::vector<Transform<T>> A;
};

namespace detail {

/// A Q of the joint.
template <Ring T>
Transform<T> q_after(const Transform<T>& A, bool prismatic) {
  if (prismatic) return {{}, A.R.z};
  return {{A.R.y, -A.R.x, {}}, {}};
}

/// Q A.
template <Ring T>
Transform<T> q_before(bool prismatic, const Transform<T>& A) {
  if (prismatic) return {{}, {T(0), T(0), T(1)}};
  const auto turned = [](const Vec3<T>& v) { return Vec3<T>{-v.y, v.x, T(0)}; };
  return {{turned(A.R.x), turned(A.R.y), turned(A.R.z)}, turned(A.p)};
}

/// Tr(U J V^T).
template <Ring T>
T q_trace(const Transform<T>& U, const typename QMatrixWork<T>::PseudoInertia& J, const Transform<T>& V) {
  const Mat3<T> UJ = U.R * full(J.S) + outer(U.p, J.mr);
  const Vec3<T> UJ_4 = U.R * J.mr + U.p * J.m;
  return dot(UJ.x, V.R.x) + dot(UJ.y, V.R.y) + dot(UJ.z, V.R.z) + dot(UJ_4, V.p);
}

}  // namespace detail

/// D (row-major N x N) by. Never allocates.
template <Field T>
void inertia_q_matrix(const DhArm<T>& arm, const DhPosition<T>& q, QMatrixWork<T>& w, std::span<T> D) {
  const int N = arm.n();
  mark_stage<T>("A");
  for (int k = 1; k <= N; ++k) w.A[k] = dh_matrix(arm, q, k);
  mark_stage<T>("eq. A-11");
  for (int i = 1; i <= N; ++i) {
    Transform<T> before;  // A_i ... A_{j-1}
    for (int j = i; j <= N; ++j) {
      Transform<T> U = detail::q_after(before, arm[j].prismatic), V = detail::q_before(arm[i].prismatic, before);
      T d(0);
      for (int k = j; k <= N; ++k) {
        U = U * w.A[k];
        V = V * w.A[k];
        const T share = detail::q_trace<T>(U, w.J[k], V);
        d = k == j ? share : d + share;
      }
      D[(i - 1) * N + j - 1] = D[(j - 1) * N + i - 1] = d;
      before = j == i ? w.A[i] : before * w.A[j];
    }
  }
}

}  // namespace torsor
