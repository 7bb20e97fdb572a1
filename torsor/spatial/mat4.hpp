// Mat4 and Vec4: full 4x4 algebra for homogeneous coordinates (x, y, z, 1), as the classical texts write it. Nothing
// about a matrix is assumed, so each product takes 64 multiplications and 48 additions; poses as such are Transforms.
#pragma once

#include <array>

#include "torsor/spatial/vec3.hpp"

namespace torsor {

template <class T>
struct Vec4 {
  std::array<T, 4> entries{};

  T& operator[](int i) { return entries[static_cast<std::size_t>(i)]; }
  const T& operator[](int i) const { return entries[static_cast<std::size_t>(i)]; }
};

template <class T>
struct Mat4 {
  std::array<Vec4<T>, 4> rows{};

  static Mat4 identity() {
    const T o(0), l(1);
    return {{Vec4<T>{l, o, o, o}, {o, l, o, o}, {o, o, l, o}, {o, o, o, l}}};
  }

  T& operator()(int i, int j) { return rows[static_cast<std::size_t>(i)][j]; }
  const T& operator()(int i, int j) const { return rows[static_cast<std::size_t>(i)][j]; }
};

template <class T>
T dot(const Vec4<T>& a, const Vec4<T>& b) {
  return a[0] * b[0] + a[1] * b[1] + a[2] * b[2] + a[3] * b[3];
}

template <class T>
Vec4<T> operator+(const Vec4<T>& a, const Vec4<T>& b) {
  return {a[0] + b[0], a[1] + b[1], a[2] + b[2], a[3] + b[3]};
}

template <class T>
Vec4<T> operator-(const Vec4<T>& a) {
  return {-a[0], -a[1], -a[2], -a[3]};
}

template <class T>
Vec4<T> operator*(const Vec4<T>& a, const T& s) {
  return {a[0] * s, a[1] * s, a[2] * s, a[3] * s};
}

template <class T>
Vec4<T> operator*(const Mat4<T>& A, const Vec4<T>& v) {
  return {dot(A.rows[0], v), dot(A.rows[1], v), dot(A.rows[2], v), dot(A.rows[3], v)};
}

/// Transpose.
template <class T>
Mat4<T> operator~(const Mat4<T>& A) {
  Mat4<T> out;
  for (int i = 0; i < 4; ++i)
    for (int j = 0; j < 4; ++j) out(j, i) = A(i, j);
  return out;
}

template <class T>
Mat4<T> operator*(const Mat4<T>& A, const Mat4<T>& B) {
  const Mat4<T> columns = ~B;
  return {{columns * A.rows[0], columns * A.rows[1], columns * A.rows[2], columns * A.rows[3]}};
}

template <class T>
Mat4<T> operator*(const Mat4<T>& A, const T& s) {
  return {{A.rows[0] * s, A.rows[1] * s, A.rows[2] * s, A.rows[3] * s}};
}

template <class T>
Mat4<T> operator+(const Mat4<T>& A, const Mat4<T>& B) {
  return {{A.rows[0] + B.rows[0], A.rows[1] + B.rows[1], A.rows[2] + B.rows[2], A.rows[3] + B.rows[3]}};
}

template <class T>
T trace(const Mat4<T>& A) {
  return A(0, 0) + A(1, 1) + A(2, 2) + A(3, 3);
}

/// Tr(A B^T) by row dots, which needs no product of matrices.
template <class T>
T trace_of(const Mat4<T>& A, const Mat4<T>& B) {
  return dot(A.rows[0], B.rows[0]) + dot(A.rows[1], B.rows[1]) + dot(A.rows[2], B.rows[2]) + dot(A.rows[3], B.rows[3]);
}

}  // namespace torsor
