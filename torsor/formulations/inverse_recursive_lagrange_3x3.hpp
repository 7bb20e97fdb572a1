// Recursive Lagrange with 3x3 matrices (Hollerbach 1980), in standard DH frames. W_j is the orientation of frame j in
// the base and p_j its origin; m_j r_j and J_j are the first and second moments of link j about p_j, and
// s_j = (a_j, d_j sin alpha_j, d_j cos alpha_j) leads from p_{j-1} to p_j; all three in frame j. O(n), without the zeros
// and ones that the 4x4 matrices carry along.
//
// Backward recursion, from the base to the tip; A_j is the rotation of frame j in frame j - 1:
//   W_j, Wd_j, Wdd_j   as in inverse_recursive_lagrange.hpp
//   p_j   = p_{j-1} + W_j s_j,  hence  pdd_j = pdd_{j-1} + Wdd_j s_j + (2 Wd_j qd_j + W_j qdd_j) ds_j/dq_j
// Forward recursion, from the tip to the base:
//   e_i   = e_{i+1} + m_i pdd_i + Wdd_i m_i r_i                          the forces of inertia of links i .. n
//   D_i   = A_{i+1} D_{i+1} + s_i e_i^T + m_i r_i pdd_i^T + J_i Wdd_i^T  their moments about p_{i-1}
//   c_i   = A_{i+1} c_{i+1} + M_i s_i + m_i r_i                          M_i = m_i + .. + m_n
//   tau_i = Tr(dW_i/dq_i D_i) - g . dW_i/dq_i c_i                        revolute
//   tau_i = z_{i-1} . (e_i - M_i g)                                      prismatic
//
// For a revolute joint ds/dq is zero, for a prismatic one dA/dq is.
#pragma once

#include <vector>

#include "torsor/model/configuration.hpp"
#include "torsor/model/dh_matrices.hpp"
#include "torsor/scalar/stage.hpp"

namespace torsor {

/// Sized for an arm in standard DH frames; one per thread.
template <Field T>
struct RecursiveLagrange3x3Work {
  explicit RecursiveLagrange3x3Work(const DhArm<T>& arm)
      : J(arm.links.size() + 1),
        mr(J.size()),
        M(J.size() + 1, T(0)),
        A(J.size()),
        W(J.size()),
        Wd(J.size()),
        Wdd(J.size()),
        dW(J.size()),
        s(J.size()),
        pdd(J.size()) {
    TORSOR_EXPECT(arm.convention == Convention::standard_dh);
    for (int j = arm.n(); j >= 1; --j) {
      J[j] = full(second_moments(arm[j]));
      mr[j] = arm[j].r * arm[j].m;
      M[j] = j == arm.n() ? arm[j].m : M[j + 1] + arm[j].m;
    }
    W[0] = Mat3<T>::identity();
  }

  std::vector<Mat3<T>> J;   // second moments
  std::vector<Vec3<T>> mr;  // m_j r_j
  std::vector<T> M;         // masses of links j .. n
  std::vector<Mat3<T>> A, W, Wd, Wdd, dW;  // dW_i = dW_i/dq_i
  std::vector<Vec3<T>> s, pdd;
};

namespace detail {

/// Q A for a turn: dA/dq.
template <Ring T>
Mat3<T> turn_rate(const Mat3<T>& A) {
  const auto column = [](const Vec3<T>& a) { return Vec3<T>{-a.y, a.x, T(0)}; };
  return {column(A.x), column(A.y), column(A.z)};
}

/// Tr(A B).
template <Ring T>
T trace_of_product(const Mat3<T>& A, const Mat3<T>& B) {
  const Mat3<T> rows = ~A;
  return dot(rows.x, B.x) + dot(rows.y, B.y) + dot(rows.z, B.z);
}

}  // namespace detail

/// tau (n) of a motion, in N m and N; the arm in standard DH frames.
template <Field T>
void inverse_recursive_lagrange_3x3(const DhArm<T>& arm, const DhPosition<T>& position, Rates<const T> qd,
                                    Rates<const T> qdd, RecursiveLagrange3x3Work<T>& work, Rates<T> tau) {
  auto& [J, mr, M, A, W, Wd, Wdd, dW, s, pdd] = work;
  const int n = arm.n();

  for (int j = 1; j <= n; ++j) {
    mark_stage<T>("backward", j);
    const DhLink<T>& l = arm[j];
    const T &v = qd[j - 1], &a = qdd[j - 1], &d = position.d[j];
    A[j] = dh_rotation(arm, position, j);
    s[j] = {l.a, d * l.sa, d * l.ca};
    W[j] = W[j - 1] * A[j];
    Wd[j] = Wd[j - 1] * A[j];
    Wdd[j] = Wdd[j - 1] * A[j];
    if (!l.prismatic) {
      const Mat3<T> dA = detail::turn_rate(A[j]), d2A = detail::turn_rate(dA);
      dW[j] = W[j - 1] * dA;
      Wd[j] += dW[j] * v;
      Wdd[j] += (Wd[j - 1] * dA) * (v + v) + (W[j - 1] * d2A) * (v * v) + dW[j] * a;
    }
    pdd[j] = pdd[j - 1] + Wdd[j] * s[j];
    if (l.prismatic) pdd[j] += (Wd[j] * (v + v) + W[j] * a) * Vec3<T>{T(0), l.sa, l.ca};
  }

  Mat3<T> D;
  Vec3<T> e, c;
  for (int i = n; i >= 1; --i) {
    mark_stage<T>("forward", i);
    e += pdd[i] * arm[i].m + Wdd[i] * mr[i];
    const Mat3<T> own = outer(s[i], e) + outer(mr[i], pdd[i]) + J[i] * ~Wdd[i];
    D = i == n ? own : A[i + 1] * D + own;
    const Vec3<T> own_c = s[i] * M[i] + mr[i];
    c = i == n ? own_c : A[i + 1] * c + own_c;
    tau[i - 1] = arm[i].prismatic ? dot(W[i - 1].z, e - arm.g * M[i])
                                  : detail::trace_of_product(dW[i], D) - dot(arm.g, dW[i] * c);
  }
}

}  // namespace torsor
