// Lagrange-Euler with 4x4 matrices (Fu, Gonzalez & Lee 1987, section 3.2; their letters and equation numbers), taken at
// its word: every trace is computed from scratch. O(n^4), revolute and prismatic joints. For understanding and as a
// witness; inverse_lagrange_euler_cached.hpp has the same sums for use.
//
//   (3.2-11)  U_jk  = 0A_{k-1} Q_k k-1A_j
//   (3.2-13)  U_jkm = 0A_{k-1} Q_k k-1A_{m-1} Q_m m-1A_j,   k <= m
//   (3.2-31)  D_ik  = sum_j Tr(U_jk J_j U_ji^T),            j = max(i, k) .. n
//   (3.2-33)  h_ikm = sum_j Tr(U_jkm J_j U_ji^T),           j = max(i, k, m) .. n
//   (3.2-34)  c_i   = sum_j -m_j g U_ji r_j,                j = i .. n
//   (3.2-25)  tau_i = sum_k D_ik qdd_k + sum_km h_ikm qd_k qd_m + c_i
//
// What is done, and so counted: the matrices iA_j, i < j, are made once, each from its predecessor by a full 4x4 product
// (64 multiplications, 48 additions); for every trace both U are made anew, a Q moving rows and a unit matrix not
// multiplied by; U J and (U J) U^T are full products and the trace sums the diagonal. D for i <= k and h for k <= m, the
// rest by symmetry. Each qd_k qd_m is made once, each h_ikm qd_k qd_m with k < m once and added twice.
#pragma once

#include <vector>

#include "torsor/model/configuration.hpp"
#include "torsor/model/dh_matrices.hpp"
#include "torsor/scalar/stage.hpp"

namespace torsor {

/// Sized for an arm in standard DH frames; one per thread.
template <Field T>
struct LagrangeEulerWork {
  explicit LagrangeEulerWork(const DhArm<T>& arm)
      : n(arm.n()),
        transforms(size(n + 1, n + 1)),
        J(size(n + 1)),
        D(size(n, n)),
        h_ikm(size(n, n, n)),
        h(size(n)),
        c(size(n)) {
    TORSOR_EXPECT(arm.convention == Convention::standard_dh);
    for (int j = 1; j <= n; ++j) J[j] = pseudo_inertia(arm[j]);
  }

  /// iA_j: pose of frame j in frame i.
  Mat4<T>& A(int i, int j) { return transforms[size(i, n + 1) + size(j)]; }
  const Mat4<T>& A(int i, int j) const { return transforms[size(i, n + 1) + size(j)]; }

  int n;
  std::vector<Mat4<T>> transforms, J;
  std::vector<T> D, h_ikm, h, c;

 private:
  static std::size_t size(int a, int b = 1, int d = 1) {
    return static_cast<std::size_t>(a) * static_cast<std::size_t>(b) * static_cast<std::size_t>(d);
  }
};

namespace detail {

/// The sum of f(first) .. f(last), of which there is at least one.
template <class F>
auto sum_over(int first, int last, const F& f) {
  auto total = f(first);
  for (int j = first + 1; j <= last; ++j) total += f(j);
  return total;
}

/// (3.2-4): all iA_j with i < j.
template <Field T>
void lagrange_transforms(const DhArm<T>& arm, const DhPosition<T>& position, LagrangeEulerWork<T>& w) {
  mark_stage<T>("A");
  for (int j = 1; j <= w.n; ++j) w.A(j - 1, j) = homogeneous_matrix(arm, position, j);
  for (int i = 0; i < w.n; ++i)
    for (int j = i + 2; j <= w.n; ++j) w.A(i, j) = w.A(i, j - 1) * w.A(j - 1, j);
}

/// iA_j X, and X itself where i = j.
template <Field T>
Mat4<T> apply_transform(const LagrangeEulerWork<T>& w, int i, int j, const Mat4<T>& X) {
  return i == j ? X : w.A(i, j) * X;
}

/// (3.2-11), k <= j.
template <Field T>
Mat4<T> lagrange_U(const DhArm<T>& arm, const LagrangeEulerWork<T>& w, int j, int k) {
  return apply_transform(w, 0, k - 1, DhRate(arm[k]) * w.A(k - 1, j));
}

/// (3.2-13), k <= m <= j.
template <Field T>
Mat4<T> lagrange_U(const DhArm<T>& arm, const LagrangeEulerWork<T>& w, int j, int k, int m) {
  return apply_transform(w, 0, k - 1,
                         DhRate(arm[k]) * apply_transform(w, k - 1, m - 1, DhRate(arm[m]) * w.A(m - 1, j)));
}

/// (3.2-31)
template <Field T>
void lagrange_D(const DhArm<T>& arm, const LagrangeEulerWork<T>& w, std::span<T> D) {
  mark_stage<T>("D");
  const int n = w.n;
  for (int i = 1; i <= n; ++i)
    for (int k = i; k <= n; ++k)
      D[(i - 1) * n + k - 1] = D[(k - 1) * n + i - 1] =
          sum_over(k, n, [&](int j) { return trace(lagrange_U(arm, w, j, k) * w.J[j] * ~lagrange_U(arm, w, j, i)); });
}

/// (3.2-33)
template <Field T>
void lagrange_h_ikm(const DhArm<T>& arm, const LagrangeEulerWork<T>& w, std::span<T> h) {
  mark_stage<T>("h");
  const int n = w.n;
  for (int i = 1; i <= n; ++i)
    for (int k = 1; k <= n; ++k)
      for (int m = k; m <= n; ++m)
        h[((i - 1) * n + k - 1) * n + m - 1] = h[((i - 1) * n + m - 1) * n + k - 1] =
            sum_over(i > m ? i : m, n,
                     [&](int j) { return trace(lagrange_U(arm, w, j, k, m) * w.J[j] * ~lagrange_U(arm, w, j, i)); });
}

/// (3.2-34)
template <Field T>
void lagrange_c(const DhArm<T>& arm, const LagrangeEulerWork<T>& w, Rates<T> c) {
  mark_stage<T>("c");
  const Vec4<T> g{arm.g.x, arm.g.y, arm.g.z, T(0)};
  for (int i = 1; i <= w.n; ++i)
    c[i - 1] = sum_over(i, w.n, [&](int j) {
      const Vec4<T> r{arm[j].r.x, arm[j].r.y, arm[j].r.z, T(1)};
      return -(arm[j].m * dot(~lagrange_U(arm, w, j, i) * g, r));
    });
}

/// (3.2-32): h_i, the sum over k and m of h_ikm qd_k qd_m.
template <Ring T>
void contract_h_ikm(std::span<const T> h_ikm, Rates<const T> qd, Rates<T> h) {
  const int n = static_cast<int>(qd.size());
  for (int k = 0; k < n; ++k)
    for (int m = k; m < n; ++m) {
      const T qd_k_qd_m = qd[k] * qd[m];
      for (int i = 0; i < n; ++i) {
        const T term = h_ikm[(i * n + k) * n + m] * qd_k_qd_m;
        h[i] = m == 0 ? term : h[i] + term;
        if (k != m) h[i] += term;
      }
    }
}

/// (3.2-25)
template <Ring T>
void assemble_lagrange(std::span<const T> D, Rates<const T> h, Rates<const T> c, Rates<const T> qdd, Rates<T> tau) {
  const int n = static_cast<int>(qdd.size());
  for (int i = 0; i < n; ++i) tau[i] = sum_over(0, n - 1, [&](int k) { return D[i * n + k] * qdd[k]; }) + h[i] + c[i];
}

}  // namespace detail

/// D (n x n, row-major), h and c (n) of tau = D qdd + h + c, in SI units; the arm in standard DH frames.
/// (3.2-31), (3.2-32), (3.2-34).
template <Field T>
void coefficients_lagrange_euler(const DhArm<T>& arm, const DhPosition<T>& position, Rates<const T> qd,
                                 LagrangeEulerWork<T>& work, std::span<T> D, Rates<T> h, Rates<T> c) {
  detail::lagrange_transforms(arm, position, work);
  detail::lagrange_D(arm, work, D);
  detail::lagrange_h_ikm(arm, work, std::span<T>(work.h_ikm));
  detail::lagrange_c(arm, work, c);
  mark_stage<T>("tau");
  detail::contract_h_ikm<T>(work.h_ikm, qd, h);
}

/// tau (n) of a motion, in N m and N; the arm in standard DH frames.
/// (3.2-25).
template <Field T>
void inverse_lagrange_euler(const DhArm<T>& arm, const DhPosition<T>& position, Rates<const T> qd, Rates<const T> qdd,
                            LagrangeEulerWork<T>& work, Rates<T> tau) {
  coefficients_lagrange_euler<T>(arm, position, qd, work, work.D, work.h, work.c);
  detail::assemble_lagrange<T>(work.D, work.h, work.c, qdd, tau);
}

/// h_ikm (n x n x n, row-major), symmetric in k and m; the arm in standard DH frames.
/// (3.2-33).
template <Field T>
void christoffel_lagrange_euler(const DhArm<T>& arm, const DhPosition<T>& position, LagrangeEulerWork<T>& work,
                                std::span<T> h_ikm) {
  detail::lagrange_transforms(arm, position, work);
  detail::lagrange_h_ikm(arm, work, h_ikm);
}

/// The mass matrix D (n x n, row-major); the arm in standard DH frames.
/// (3.2-31).
template <Field T>
void inertia_lagrange_euler(const DhArm<T>& arm, const DhPosition<T>& position, LagrangeEulerWork<T>& work,
                            std::span<T> D) {
  detail::lagrange_transforms(arm, position, work);
  detail::lagrange_D(arm, work, D);
}

/// c (n): what holds the arm still, in N m and N; the arm in standard DH frames.
/// (3.2-34).
template <Field T>
void gravity_lagrange_euler(const DhArm<T>& arm, const DhPosition<T>& position, LagrangeEulerWork<T>& work,
                            Rates<T> c) {
  detail::lagrange_transforms(arm, position, work);
  detail::lagrange_c(arm, work, c);
}

}  // namespace torsor
