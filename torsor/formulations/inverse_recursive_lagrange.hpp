// Recursive Lagrange with 4x4 matrices (Hollerbach 1980, after Waters), in standard DH frames, revolute and prismatic
// joints alike. W_j is the pose of frame j in the base, J_j the pseudo-inertia of link j, r_j its mass centre, both in
// frame j. O(n).
//
// Backward recursion, from the base to the tip:
//   W_j   = W_{j-1} A_j
//   Wd_j  = Wd_{j-1} A_j + W_{j-1} dA_j/dq_j qd_j
//   Wdd_j = Wdd_{j-1} A_j + 2 Wd_{j-1} dA_j/dq_j qd_j + W_{j-1} d2A_j/dq_j2 qd_j^2 + W_{j-1} dA_j/dq_j qdd_j
// Forward recursion, from the tip to the base:
//   D_i   = J_i Wdd_i^T + A_{i+1} D_{i+1}
//   c_i   = m_i r_i + A_{i+1} c_{i+1}
//   tau_i = Tr(dW_i/dq_i D_i) - g^T dW_i/dq_i c_i
//
// Since dW_j/dq_i = dW_i/dq_i iW_j, the sums over the links j >= i of Lagrange's equations are carried by D_i and c_i.
#pragma once

#include <vector>

#include "torsor/model/configuration.hpp"
#include "torsor/model/dh_matrices.hpp"
#include "torsor/scalar/stage.hpp"

namespace torsor {

/// Sized for an arm in standard DH frames; one per thread.
template <Field T>
struct RecursiveLagrangeWork {
  explicit RecursiveLagrangeWork(const DhArm<T>& arm)
      : J(arm.links.size() + 1), mr(J.size()), A(J.size()), W(J.size()), Wd(J.size()), Wdd(J.size()), dW(J.size()) {
    TORSOR_EXPECT(arm.convention == Convention::standard_dh);
    for (int j = 1; j <= arm.n(); ++j) {
      J[j] = pseudo_inertia(arm[j]);
      mr[j] = {J[j](0, 3), J[j](1, 3), J[j](2, 3), J[j](3, 3)};
    }
    W[0] = Mat4<T>::identity();  // Wd and Wdd of the base stay zero
  }

  std::vector<Mat4<T>> J;                  // pseudo-inertias
  std::vector<Vec4<T>> mr;                 // m_j r_j
  std::vector<Mat4<T>> A, W, Wd, Wdd, dW;  // dW_i = dW_i/dq_i
};

/// tau (n) of a motion, in N m and N; the arm in standard DH frames.
template <Field T>
void inverse_recursive_lagrange(const DhArm<T>& arm, const DhPosition<T>& position, Rates<const T> qd,
                                Rates<const T> qdd, RecursiveLagrangeWork<T>& work, Rates<T> tau) {
  auto& [J, mr, A, W, Wd, Wdd, dW] = work;
  const int n = arm.n();

  for (int j = 1; j <= n; ++j) {
    mark_stage<T>("backward", j);
    const DhRate Q(arm[j]);
    const T &v = qd[j - 1], &a = qdd[j - 1];
    A[j] = homogeneous_matrix(arm, position, j);
    const Mat4<T> dA = Q * A[j], d2A = Q * dA;
    W[j] = W[j - 1] * A[j];
    dW[j] = W[j - 1] * dA;
    Wd[j] = Wd[j - 1] * A[j] + dW[j] * v;
    Wdd[j] = Wdd[j - 1] * A[j] + (Wd[j - 1] * dA) * (v + v) + (W[j - 1] * d2A) * (v * v) + dW[j] * a;
  }

  const Vec4<T> g{arm.g.x, arm.g.y, arm.g.z, T(0)};
  Mat4<T> D;
  Vec4<T> c;
  for (int i = n; i >= 1; --i) {
    mark_stage<T>("forward", i);
    D = i == n ? J[i] * ~Wdd[i] : J[i] * ~Wdd[i] + A[i + 1] * D;
    c = i == n ? mr[i] : mr[i] + A[i + 1] * c;
    tau[i - 1] = trace_of(dW[i], ~D) - dot(g, dW[i] * c);
  }
}

}  // namespace torsor
