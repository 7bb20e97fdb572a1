// The inverse of a symmetric positive definite matrix, in lanes: A = L D L^T, W = L^-1, A^-1 = W^T D^-1 W. One division for each
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
  // W is read below what is written: column by column from the first, rows downwards
  for (int i = 0; i < n; ++i)
    for (int j = 0; j <= i; ++j) {
      T sum = i == j ? a(i, i) : a(i, i) * w(i, j);
      for (int k = i + 1; k < n; ++k) {
        const T scaled = a(k, k) * w(k, i);
        sum += i == j ? scaled * w(k, i) : scaled * w(k, j);
      }
      w(j, i) = sum;
    }
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < i; ++j) w(i, j) = w(j, i);
}

}  // namespace TORSOR_MACHINE
}  // namespace torsor
