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

/// Rounds of exchanges at distances d, 2 d, ... of all pairs whose bit d is clear; written out, so that all stay in registers.
template <int N, int d, class T, std::size_t... i>
TORSOR_INLINE void exchange_pairs(T* v, std::index_sequence<i...>) {
  ((int(i) & d ? void() : exchange<N, d>(v[i].v, v[(i + d) % N].v, std::make_index_sequence<N>{})), ...);
}
template <int N, int d, class T>
TORSOR_INLINE void exchange_all(T* v) {
  if constexpr (d < N) {
    exchange_pairs<N, d>(v, std::make_index_sequence<N>{});
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
  // in pieces: some machines take a dozen cycles for a masked store
  if constexpr (N == 4 && sizeof(typename T::Real) == 8) {
    __m128d piece = _mm256_castpd256_pd128(__m256d(v.v));
    if (columns & 2) {
      _mm_storeu_pd(to, piece);
      piece = _mm256_extractf128_pd(__m256d(v.v), 1), to += 2;
    }
    if (columns & 1) _mm_store_sd(to, piece);
    return;
  }
  if constexpr (N == 8) {
    __m128 piece = _mm256_castps256_ps128(__m256(v.v));
    if (columns & 4) {
      _mm_storeu_ps(to, piece);
      piece = _mm256_extractf128_ps(__m256(v.v), 1), to += 4;
    }
    if (columns & 2) {
      const double two = _mm_cvtsd_f64(_mm_castps_pd(piece));
      std::memcpy(to, &two, sizeof two);
      piece = _mm_movehl_ps(piece, piece), to += 2;
    }
    if (columns & 1) _mm_store_ss(to, piece);
    return;
  }
#endif
  typename T::Real part[N];
  v.store(part);
  for (int k = 0; k < columns; ++k) to[k] = part[k];
}

}  // namespace lanes_detail

/// f(0), f(1), ... f(N - 1), written out.
template <int N, class Function>
TORSOR_INLINE void each_of(const Function& f) {
  [&]<std::size_t... k>(std::index_sequence<k...>) TORSOR_INLINED {
    (f(int(k)), ...);
  }(std::make_index_sequence<N>{});
}

/// Rows that will be written once they are computed: their lines of memory are fetched meanwhile.
template <class Real>
TORSOR_INLINE void expect_rows(Real* to, std::ptrdiff_t stride, int n, int rows) {
  constexpr int line = 64 / static_cast<int>(sizeof(Real));
  for (int k = 0; k < rows; ++k)
    for (int j = 0; j < n + line - 1; j += line) __builtin_prefetch(to + k * stride + (j < n ? j : n - 1), 1);
}

/// Columns 0 .. n - 1 of `rows` (1 .. N) rows, `stride` apart, one register each; lanes beyond repeat the last row.
template <class T>
TORSOR_INLINE void load_rows(const typename T::Real* from, std::ptrdiff_t stride, int rows, int n, T* columns) {
  constexpr int N = T::count;
  const auto row = [&](int k) TORSOR_INLINED { return from + (k < rows ? k : rows - 1) * stride; };
  int j = 0;
  for (; j + N <= n; j += N) {
    T block[N];
    each_of<N>([&](int k) TORSOR_INLINED { block[k] = T::load(row(k) + j); });
    lanes_detail::exchange_all<N, 1>(block);
    each_of<N>([&](int k) TORSOR_INLINED { columns[j + k] = block[k]; });
  }
  if (j == n) return;
  T block[N];
  each_of<N>([&](int k) TORSOR_INLINED { block[k] = lanes_detail::load_part<T>(row(k) + j, n - j); });
  lanes_detail::exchange_all<N, 1>(block);
  each_of<N>([&](int k) TORSOR_INLINED {
    if (k < n - j) columns[j + k] = block[k];
  });
}

/// The other way: numbers column(0) .. column(n - 1) of every row; lanes beyond `rows` are dropped.
template <class T, class Column>
TORSOR_INLINE void store_rows(const Column& column, int n, typename T::Real* to, std::ptrdiff_t stride, int rows) {
  constexpr int N = T::count;
  int j = 0;
#pragma GCC unroll 16
  for (; j + N <= n; j += N) {
    T block[N];
    each_of<N>([&](int k) TORSOR_INLINED { block[k] = column(j + k); });
    lanes_detail::exchange_all<N, 1>(block);
    each_of<N>([&](int k) TORSOR_INLINED {
      if (k < rows) block[k].store(to + k * stride + j);
    });
  }
  if (j == n) return;
  T block[N];
  each_of<N>([&](int k) TORSOR_INLINED { block[k] = column(j + k < n ? j + k : j); });
  lanes_detail::exchange_all<N, 1>(block);
  each_of<N>([&](int k) TORSOR_INLINED {
    if (k < rows) lanes_detail::store_part(block[k], to + k * stride + j, n - j);
  });
}
template <class T>
TORSOR_INLINE void store_rows(const T* columns, int n, typename T::Real* to, std::ptrdiff_t stride, int rows) {
  store_rows<T>([&](int k) TORSOR_INLINED { return columns[k]; }, n, to, stride, rows);
}

}  // namespace TORSOR_MACHINE
}  // namespace torsor
