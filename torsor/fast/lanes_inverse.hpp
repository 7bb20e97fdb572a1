// The inverse of a symmetric positive definite matrix and products with it, in lanes: A = L D L^T, W = L^-1, A^-1 = W^T D^-1 W. One division for each
// pivot, which take lanes longer than all products of a row.
#pragma once

#include <span>

#include "torsor/fast/lanes.hpp"
#include "torsor/numeric/row_major.hpp"

namespace torsor {
inline namespace TORSOR_MACHINE {

/// A, row-major n x n, of which the lower triangle is read, is lost; inverse: both triangles. No number where a pivot is none.
template <class T>
void invert_positive(T* A, int n, T* inverse) {
  const auto a = [=](int i, int j) TORSOR_INLINED -> T& { return A[i * n + j]; };
  const auto w = [=](int i, int j) TORSOR_INLINED -> T& { return inverse[i * n + j]; };
  for (int i = 0; i < n; ++i) {
    for (int j = 0; j < i; ++j) {
      T c = a(i, j);
      for (int k = 0; k < j; ++k) c -= a(i, k) * a(j, k);
      a(i, j) = c;
    }
    // the row is not yet divided; pivots are kept as their reciprocals
    T pivot = a(i, i);
    for (int j = 0; j < i; ++j) {
      const T l = a(i, j) * a(j, j);
      pivot -= l * a(i, j);
      a(i, j) = l;
    }
    a(i, i) = T(1) / pivot;
  }
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < i; ++j) {
      T sum = a(i, j);
      for (int k = j + 1; k < i; ++k) sum += a(i, k) * w(k, j);
      w(i, j) = -sum;
    }
  // A^-1 above and on the diagonal, while W is read below it; A is not needed but for the reciprocals
  for (int i = 0; i < n; ++i) {
    T* const scaled = &a(i, 0);
    const T reciprocal = a(i, i);
    for (int k = i + 1; k < n; ++k) scaled[k] = a(k, k) * w(k, i);
    for (int j = 0; j < i; ++j) {
      T sum = reciprocal * w(i, j);
      for (int k = i + 1; k < n; ++k) sum += scaled[k] * w(k, j);
      w(j, i) = sum;
    }
    T sum = reciprocal;
    for (int k = i + 1; k < n; ++k) sum += scaled[k] * w(k, i);
    w(i, i) = sum;
  }
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < i; ++j) w(i, j) = w(j, i);
}

/// Rows and columns of a product, summed side by side: out(i, j) = -sum over k of A(i, k) B(k, j).
template <int rows, int columns, class T>
TORSOR_INLINE void negative_product_tile(const T* A, const T* B, int n, T* out) {
  T sum[rows][columns];
  for (int i = 0; i < rows; ++i)
    for (int j = 0; j < columns; ++j) sum[i][j] = T(0);
  for (int k = 0; k < n; ++k)
    for (int j = 0; j < columns; ++j)
      for (int i = 0; i < rows; ++i) sum[i][j] -= A[i * n + k] * B[k * n + j];
  for (int i = 0; i < rows; ++i)
    for (int j = 0; j < columns; ++j) out[i * n + j] = sum[i][j];
}

/// out = -A B, all row-major n x n.
template <class T>
void negative_product(const T* A, const T* B, int n, T* out) {
  constexpr int rows = 3, columns = 4;  // as many sums as registers of any machine hold
  const auto of_rows = [&]<int count>(int i) TORSOR_INLINED {
    int j = 0;
    for (; j + columns <= n; j += columns) negative_product_tile<count, columns>(A + i * n, B + j, n, out + i * n + j);
    for (; j < n; ++j) negative_product_tile<count, 1>(A + i * n, B + j, n, out + i * n + j);
  };
  int i = 0;
  for (; i + rows <= n; i += rows) of_rows.template operator()<rows>(i);
  for (; i < n; ++i) of_rows.template operator()<1>(i);
}

}  // namespace TORSOR_MACHINE
}  // namespace torsor
