// Singular values of a matrix with few rows, by rotations of pairs of rows until all are orthogonal (Hestenes 1958;
// Golub & Van Loan, Matrix Computations, 4th ed., sec. 8.6.3):
//
//   A = U B,   B B^T = diag(sigma^2),   x = sum_i b_i (u_i . y) / sigma_i^2   is the shortest minimiser of |y - A x|
//
// Nothing is squared but in the rotations' angles, so that small singular values keep their digits: no A A^T is formed.
// About m^2 n multiplications a sweep, five sweeps or so.
#pragma once

#include <span>
#include <utility>

#include "torsor/numeric/dense.hpp"

namespace torsor {

namespace detail {

template <class T>
T row_dot(const DenseView<T>& a, int i, int j, int n) {
  T sum(0);
  for (int k = 0; k < n; ++k) sum += a(i, k) * a(j, k);
  return sum;
}

}  // namespace detail

/// Replaces the m x n row-major A by B with orthogonal rows, the longest first; sigma (m) are their lengths, and column i
/// of U (m x m) is the direction that row i stands for. Any m and n; entries must be finite.
template <Decidable T>
void singular_values(std::span<T> A, int m, int n, std::span<T> U, std::span<T> sigma) {
  const detail::DenseView<T> a(A, m, n), u(U, m, m), s(sigma, m, 1);
  for (int i = 0; i < m; ++i)
    for (int j = 0; j < m; ++j) u(i, j) = T(i == j ? 1 : 0);

  constexpr int most_sweeps = 30;
  for (int sweep = 0, turned = 1; sweep < most_sweeps && turned > 0; ++sweep) {
    turned = 0;
    for (int p = 0; p < m; ++p)
      for (int q = p + 1; q < m; ++q) {
        const T pp = detail::row_dot(a, p, p, n), qq = detail::row_dot(a, q, q, n), pq = detail::row_dot(a, p, q, n);
        if (!(abs(pq) > detail::epsilon<T>() * sqrt(pp) * sqrt(qq)) || !(abs(pq) > T(0))) continue;
        ++turned;
        const T theta = (qq - pp) / (T(2) * pq);
        const T size = T(1) / (abs(theta) + sqrt(theta * theta + T(1))), t = theta < T(0) ? -size : size;
        const T c = T(1) / sqrt(t * t + T(1)), sine = t * c;
        const auto turn = [&](T& x, T& y) {
          const T x_old = x;
          x = c * x - sine * y;
          y = sine * x_old + c * y;
        };
        for (int k = 0; k < n; ++k) turn(a(p, k), a(q, k));
        for (int k = 0; k < m; ++k) turn(u(k, p), u(k, q));
      }
  }

  for (int i = 0; i < m; ++i) s(i) = sqrt(detail::row_dot(a, i, i, n));
  for (int i = 0; i < m; ++i) {
    int longest = i;
    for (int k = i + 1; k < m; ++k)
      if (s(k) > s(longest)) longest = k;
    if (longest == i) continue;
    std::swap(s(i), s(longest));
    for (int k = 0; k < n; ++k) std::swap(a(i, k), a(longest, k));
    for (int k = 0; k < m; ++k) std::swap(u(k, i), u(k, longest));
  }
}

/// How many of the lengths, the greatest first, exceed tolerance times the greatest.
template <Decidable T>
int rank_of(std::span<const T> sigma, const T& tolerance) {
  int rank = 0;
  for (const T& length : sigma)
    if (length > tolerance * sigma[0]) ++rank;
  return rank;
}

/// The shortest x (n) among the minimisers of |y - A x|, from singular_values; rows of B no longer than `least` are left
/// out. Returns how many were kept.
template <Decidable T>
int shortest_solution(std::span<const T> B, std::span<const T> U, std::span<const T> sigma, int m, int n,
                      const T& least, std::span<const T> y, std::span<T> x) {
  const detail::DenseView<const T> b(B, m, n), u(U, m, m), s(sigma, m, 1), right(y, m, 1);
  const detail::DenseView<T> solution(x, n, 1);
  for (int k = 0; k < n; ++k) solution(k) = T(0);
  int rank = 0;
  for (; rank < m && s(rank) > least; ++rank) {
    T share(0);
    for (int i = 0; i < m; ++i) share += u(i, rank) * right(i);
    share = share / s(rank) / s(rank);
    for (int k = 0; k < n; ++k) solution(k) += b(rank, k) * share;
  }
  return rank;
}

/// Takes out of x (n) what lies along the first `rank` rows of B: what remains changes nothing of A x.
template <Decidable T>
void project_to_null_space(std::span<const T> B, std::span<const T> sigma, int n, int rank, std::span<T> x) {
  const detail::DenseView<const T> b(B, rank, n), s(sigma, rank, 1);
  const detail::DenseView<T> v(x, n, 1);
  for (int i = 0; i < rank; ++i) {
    T share(0);
    for (int k = 0; k < n; ++k) share += b(i, k) * v(k);
    share = share / s(i) / s(i);
    for (int k = 0; k < n; ++k) v(k) -= b(i, k) * share;
  }
}

}  // namespace torsor
