// Between rows and lanes. Callers hold one state per row; the recursions want one coordinate of N states per register. N
// rows of N columns are turned over in registers by log2 N rounds of exchanges, which costs a fraction of gathering.
#pragma once

#include <cstddef>
#include <utility>

#include "torsor/fast/lanes.hpp"

#if defined(__AVX512F__) || defined(__AVX2__)
#include <immintrin.h>
#endif

namespace torsor {
inline namespace TORSOR_MACHINE {
namespace lanes_detail {

/// Lane k of the first result: a[k], or b[k - d] where bit d of k is set; of the second: a[k + d], or b[k].
template <int N, int d, class Vector, std::size_t... k>
TORSOR_INLINE void exchange(Vector& a, Vector& b, std::index_sequence<k...>) {
  const Vector low = __builtin_shufflevector(a, b, (int(k) & d ? N + int(k) - d : int(k))...);
  b = __builtin_shufflevector(a, b, (int(k) & d ? N + int(k) : int(k) + d)...);
  a = low;
}

template <int N, int d, class T>
TORSOR_INLINE void exchange_all(T* v) {
  if constexpr (d < N) {
    for (int i = 0; i < N; ++i)
      if (!(i & d)) exchange<N, d>(v[i].v, v[i + d].v, std::make_index_sequence<N>{});
    exchange_all<N, 2 * d>(v);
  }
}

/// The first `columns` (1 .. N) numbers at `from`, zeros after.
template <class T>
TORSOR_INLINE T load_part(const typename T::Real* from, int columns) {
  constexpr int N = T::count;
  if (columns == N) return T::load(from);
#if defined(__AVX512F__)
  if constexpr (N == 8 && sizeof(typename T::Real) == 8)
    return T::of(typename T::Vector(_mm512_maskz_loadu_pd(static_cast<__mmask8>((1u << columns) - 1), from)));
  if constexpr (N == 16)
    return T::of(typename T::Vector(_mm512_maskz_loadu_ps(static_cast<__mmask16>((1u << columns) - 1), from)));
#elif defined(__AVX2__)
  if constexpr (N == 4 && sizeof(typename T::Real) == 8)
    return T::of(typename T::Vector(_mm256_maskload_pd(
        from, _mm256_cmpgt_epi64(_mm256_set1_epi64x(columns), _mm256_setr_epi64x(0, 1, 2, 3)))));
  if constexpr (N == 8)
    return T::of(typename T::Vector(_mm256_maskload_ps(
        from, _mm256_cmpgt_epi32(_mm256_set1_epi32(columns), _mm256_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7)))));
#endif
  typename T::Real part[N] = {};
  for (int k = 0; k < columns; ++k) part[k] = from[k];
  return T::load(part);
}

template <class T>
TORSOR_INLINE void store_part(const T& v, typename T::Real* to, int columns) {
  constexpr int N = T::count;
  if (columns == N) return v.store(to);
#if defined(__AVX512F__)
  if constexpr (N == 8 && sizeof(typename T::Real) == 8)
    return _mm512_mask_storeu_pd(to, static_cast<__mmask8>((1u << columns) - 1), __m512d(v.v));
  if constexpr (N == 16)
    return _mm512_mask_storeu_ps(to, static_cast<__mmask16>((1u << columns) - 1), __m512(v.v));
#elif defined(__AVX2__)
  if constexpr (N == 4 && sizeof(typename T::Real) == 8)
    return _mm256_maskstore_pd(to, _mm256_cmpgt_epi64(_mm256_set1_epi64x(columns), _mm256_setr_epi64x(0, 1, 2, 3)),
                               __m256d(v.v));
  if constexpr (N == 8)
    return _mm256_maskstore_ps(
        to, _mm256_cmpgt_epi32(_mm256_set1_epi32(columns), _mm256_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7)), __m256(v.v));
#endif
  typename T::Real part[N];
  v.store(part);
  for (int k = 0; k < columns; ++k) to[k] = part[k];
}

}  // namespace lanes_detail

/// Columns 0 .. n - 1 of `rows` (1 .. N) rows, `stride` apart, one register each; lanes beyond repeat the last row.
template <class T>
TORSOR_INLINE void load_rows(const typename T::Real* from, std::ptrdiff_t stride, int rows, int n, T* columns) {
  constexpr int N = T::count;
  for (int j = 0; j < n; j += N) {
    const int some = n - j < N ? n - j : N;
    T block[N];
    for (int k = 0; k < N; ++k) block[k] = lanes_detail::load_part<T>(from + (k < rows ? k : rows - 1) * stride + j, some);
    lanes_detail::exchange_all<N, 1>(block);
    for (int k = 0; k < some; ++k) columns[j + k] = block[k];
  }
}

/// The other way: lanes beyond `rows` are dropped.
template <class T>
TORSOR_INLINE void store_rows(const T* columns, int n, typename T::Real* to, std::ptrdiff_t stride, int rows) {
  constexpr int N = T::count;
  for (int j = 0; j < n; j += N) {
    const int some = n - j < N ? n - j : N;
    T block[N];
    for (int k = 0; k < N; ++k) block[k] = columns[j + (k < some ? k : 0)];
    lanes_detail::exchange_all<N, 1>(block);
    for (int k = 0; k < rows; ++k) lanes_detail::store_part(block[k], to + k * stride + j, some);
  }
}

}  // namespace TORSOR_MACHINE
}  // namespace torsor
