// Sine and cosine of lanes. The angle is brought to |r| <= pi/4 by the nearest multiple n of pi/2, held in three parts
// (Cody & Waite 1980; fused, every product n P_k is exact where it matters; unfused, the parts are short enough), then
//
//   sin r = r + r z S(z),    cos r = 1 - z/2 + z^2 C(z),    z = r^2
//
// with S, C near-minimax (2e-17 and 1e-18; single precision 2e-8 and 1e-9), swapped and signed by n mod 4. Registers of
// eight doubles take multiples of pi/8 instead, |r| <= pi/16, and a table of sixteen sines held in two registers:
// sin(a + r) = sin a + (sin a (cos r - 1) + cos a sin r). Within 2.5 units in the last place
// up to largest_angle; beyond, and where x is no number, the caller asks the C library.
#pragma once

#include "torsor/fast/lanes.hpp"

#ifdef __AVX2__
#include <immintrin.h>
#endif

namespace torsor {

/// Largest angle that sine_cosine takes; of single precision, larger ones are hardly angles.
template <class Real>
inline constexpr Real largest_angle = sizeof(Real) == 8 ? Real(1e6) : Real(1e4);

/// Sine and cosine of n angles of any size, by the C library.
void sine_cosine_of_any(const double* x, int n, double* s, double* c);
void sine_cosine_of_any(const float* x, int n, float* s, float* c);

inline namespace TORSOR_MACHINE {
namespace lanes_detail {

template <class To, class From>
TORSOR_INLINE To same_bits(const From& x) {
  To y;
  static_assert(sizeof x == sizeof y);
  std::memcpy(&y, &x, sizeof y);
  return y;
}

#ifdef __FMA__
/// a - b c with one rounding, whatever the compiler is told about fusing: the reduction of angles rests on it.
template <class T>
TORSOR_INLINE T minus_product(const T& a, typename T::Real b, const T& c) {
  using Vector = typename T::Vector;
  if constexpr (T::count == 1) {
    if constexpr (sizeof(typename T::Real) == 8)
      return T(__builtin_fma(-b, c.v, a.v));
    else
      return T(__builtin_fmaf(-b, c.v, a.v));
  }
#ifdef __AVX512F__
  else if constexpr (sizeof(Vector) == 64 && sizeof(typename T::Real) == 8)
    return T::of(Vector(_mm512_fnmadd_pd(_mm512_set1_pd(b), __m512d(c.v), __m512d(a.v))));
  else if constexpr (sizeof(Vector) == 64)
    return T::of(Vector(_mm512_fnmadd_ps(_mm512_set1_ps(b), __m512(c.v), __m512(a.v))));
#endif
  else if constexpr (sizeof(Vector) == 32 && sizeof(typename T::Real) == 8)
    return T::of(Vector(_mm256_fnmadd_pd(_mm256_set1_pd(b), __m256d(c.v), __m256d(a.v))));
  else if constexpr (sizeof(Vector) == 32)
    return T::of(Vector(_mm256_fnmadd_ps(_mm256_set1_ps(b), __m256(c.v), __m256(a.v))));
  else if constexpr (sizeof(typename T::Real) == 8)
    return T::of(Vector(_mm_fnmadd_pd(_mm_set1_pd(b), __m128d(c.v), __m128d(a.v))));
  else
    return T::of(Vector(_mm_fnmadd_ps(_mm_set1_ps(b), __m128(c.v), __m128(a.v))));
}
#endif

/// Exchanges the two where the lowest bit of n is set.
template <class Bits, class T>
TORSOR_INLINE void swap_where_odd(const Bits& n, T& a, T& b) {
#ifdef __AVX2__
  if constexpr (sizeof(Bits) == 32) {
    // a blend looks at signs alone
    const auto choose = [&](const T& even, const T& odd) TORSOR_INLINED {
      if constexpr (sizeof(typename T::Real) == 8)
        return T::of(same_bits<typename T::Vector>(
            _mm256_blendv_pd(__m256d(even.v), __m256d(odd.v), same_bits<__m256d>(n << 63))));
      else
        return T::of(
            same_bits<typename T::Vector>(_mm256_blendv_ps(__m256(even.v), __m256(odd.v), same_bits<__m256>(n << 31))));
    };
    const T first = choose(a, b);
    b = choose(b, a);
    a = first;
    return;
  }
#endif
  const Bits odd = -(n & 1), a_bits = same_bits<Bits>(a.v), b_bits = same_bits<Bits>(b.v);
  a.v = same_bits<typename T::Vector>((a_bits & ~odd) | (b_bits & odd));
  b.v = same_bits<typename T::Vector>((b_bits & ~odd) | (a_bits & odd));
}

/// z -> c0 + z c1 + z^2 c2 + ...
template <class T, class Real>
TORSOR_INLINE T horner(T, Real c0) {
  return T(c0);
}
template <class T, class Real, class... Rest>
TORSOR_INLINE T horner(T z, Real c0, Rest... rest) {
  return z * horner(z, rest...) + c0;
}

template <int N>
TORSOR_INLINE void circle_by_octant(Lanes<double, N> x, Lanes<double, N>& s, Lanes<double, N>& c) {
  using T = Lanes<double, N>;
  using Bits = typename Register<std::int64_t, N>::Vector;
  constexpr double shift = 0x1.8p52;  // adding it leaves the nearest whole number in the low bits
  const T t = x * T(0x1.45f306dc9c883p-1) + shift, n = t - T(shift);
  const Bits quarter = same_bits<Bits>(t.v);
#ifdef __FMA__
  T r = minus_product(x, 0x1.921fb54442d18p+0, n);
  r = minus_product(r, 0x1.1a62633145c07p-54, n);
  r = minus_product(r, -0x1.f1976b7ed8fbcp-110, n);
#else
  T r = x - 0x1.921fb54400000p+0 * n;
  r = r - 0x1.0b4611a600000p-34 * n;
  r = r - 0x1.3198a2e000000p-69 * n;
  r = r - 0x1.b839a252049c1p-104 * n;
#endif
  const T z = r * r;
  const T S = horner(z, -0x1.5555555555555p-3, 0x1.1111111110bb2p-7, -0x1.a01a019e837fep-13, 0x1.71de379652d08p-19,
                     -0x1.ae600ac975afdp-26, 0x1.5e0b056bed933p-33);
  const T C = horner(z, 0x1.5555555555555p-5, -0x1.6c16c16c16966p-10, 0x1.a01a019f4e9a8p-16, -0x1.27e4fa17be639p-22,
                     0x1.1eeb68cc944c8p-29, -0x1.907d8ed5e8657p-37);
  T sine = r + (r * z) * S, cosine = (z * z) * C + (T(1.0) - 0.5 * z);
  swap_where_odd(quarter, sine, cosine);
  using Vector = typename T::Vector;
  s.v = same_bits<Vector>(same_bits<Bits>(sine.v) ^ ((quarter & 2) << 62));
  c.v = same_bits<Vector>(same_bits<Bits>(cosine.v) ^ (((quarter + 1) & 2) << 62));
}

template <int N>
TORSOR_INLINE void circle_by_octant(Lanes<float, N> x, Lanes<float, N>& s, Lanes<float, N>& c) {
  using T = Lanes<float, N>;
  using Bits = typename Register<std::int32_t, N>::Vector;
  constexpr float shift = 0x1.8p23f;
  const T t = x * T(0x1.45f306p-1f) + shift, n = t - T(shift);
  const Bits quarter = same_bits<Bits>(t.v);
#ifdef __FMA__
  T r = minus_product(x, 0x1.921fb6p+0f, n);
  r = minus_product(r, -0x1.777a5cp-25f, n);
  r = minus_product(r, -0x1.ee59dap-50f, n);
#else
  T r = x - 0x1.92p+0f * n;
  r = r - 0x1.fb4p-12f * n;
  r = r - 0x1.444p-24f * n;
  r = r - 0x1.68c234p-39f * n;
#endif
  const T z = r * r;
  const T S = horner(z, -0x1.555552p-3f, 0x1.110c28p-7f, -0x1.9ac956p-13f);
  const T C = horner(z, 0x1.555554p-5f, -0x1.6c12d2p-10f, 0x1.9bd852p-16f);
  T sine = r + (r * z) * S, cosine = (z * z) * C + (T(1.0f) - 0.5f * z);
  swap_where_odd(quarter, sine, cosine);
  using Vector = typename T::Vector;
  s.v = same_bits<Vector>(same_bits<Bits>(sine.v) ^ ((quarter & 2) << 30));
  c.v = same_bits<Vector>(same_bits<Bits>(cosine.v) ^ (((quarter + 1) & 2) << 30));
}

#ifdef __AVX512F__
TORSOR_INLINE void circle_by_table(Lanes<double, 8> x, Lanes<double, 8>& s, Lanes<double, 8>& c) {
  using T = Lanes<double, 8>;
  constexpr double shift = 0x1.8p52, s1 = 0x1.87de2a6aea963p-2, s2 = 0x1.6a09e667f3bcdp-1, s3 = 0x1.d906bcf328d46p-1;
  const __m512d low = _mm512_setr_pd(0, s1, s2, s3, 1, s3, s2, s1),
                high = _mm512_setr_pd(-0.0, -s1, -s2, -s3, -1, -s3, -s2, -s1);
  const T t = x * T(0x1.45f306dc9c883p+1) + shift, n = t - T(shift);
  const __m512i sector = same_bits<__m512i>(t.v);
  T r = minus_product(x, 0x1.921fb54442d18p-2, n);
  r = minus_product(r, 0x1.1a62633145c07p-56, n);
  r = minus_product(r, -0x1.f1976b7ed8fbcp-112, n);
  const T z = r * r;
  const T S = horner(z, -0x1.5555555555546p-3, 0x1.11111110de8ebp-7, -0x1.a019fb3ab9588p-13, 0x1.719bdec65d408p-19);
  const T C =
      horner(z, -0.5, 0x1.5555555555514p-5, -0x1.6c16c16bad88bp-10, 0x1.a019fa29db3e0p-16, -0x1.27adaf3afd3e0p-22);
  const T sine = r + (r * z) * S, versine = z * C;
  const T sin_a = T::of(same_bits<T::Vector>(_mm512_permutex2var_pd(low, sector, high)));
  const T cos_a = T::of(same_bits<T::Vector>(
      _mm512_permutex2var_pd(low, _mm512_add_epi64(sector, _mm512_set1_epi64(4)), high)));
  s = sin_a + (sin_a * versine + cos_a * sine);
  c = cos_a + (cos_a * versine - sin_a * sine);
}
#endif

/// Watches for angles larger than a limit, or no numbers, in any lane: those have the larger bits, signs apart.
template <class Real, int N>
struct AngleWatch {
  Real limit = largest_angle<Real>;
  using Bits = typename Register<typename IntegerOf<Real>::Type, N>::Vector;
  static constexpr bool by_bits = sizeof(Bits) == 64;
  Bits outside{};

  TORSOR_INLINE void look(Lanes<Real, N> x) {
    if constexpr (by_bits) {
      // compares of registers this wide end in masks, and those in too few places
      const Bits size = same_bits<Bits>(x.v) << 1;
#ifdef __AVX512F__
      if constexpr (sizeof(Real) == 8)
        outside = same_bits<Bits>(_mm512_max_epu64(same_bits<__m512i>(outside), same_bits<__m512i>(size)));
      else
        outside = same_bits<Bits>(_mm512_max_epu32(same_bits<__m512i>(outside), same_bits<__m512i>(size)));
#endif
    } else if constexpr (N == 1) {
      outside |= !(x.v <= limit) | !(x.v >= -limit);
    } else {
      constexpr auto magnitude = sizeof(Real) == 8 ? std::int64_t{0x7fffffffffffffff} : std::int64_t{0x7fffffff};
      const auto size = same_bits<typename Register<Real, N>::Vector>(
          same_bits<Bits>(x.v) & static_cast<typename IntegerOf<Real>::Type>(magnitude));
      outside |= ~(size <= limit);
    }
  }
  TORSOR_INLINE bool any() const {
    if constexpr (N == 1) {
      return outside != 0;
#ifdef __AVX512F__
    } else if constexpr (by_bits) {
      const auto largest = same_bits<typename IntegerOf<Real>::Type>(limit) << 1;
      if constexpr (sizeof(Real) == 8)
        return _mm512_cmpgt_epu64_mask(same_bits<__m512i>(outside), _mm512_set1_epi64(largest)) != 0;
      else
        return _mm512_cmpgt_epu32_mask(same_bits<__m512i>(outside), _mm512_set1_epi32(largest)) != 0;
#endif
#ifdef __AVX2__
    } else if constexpr (sizeof(Bits) == 32) {
      return !_mm256_testz_si256(same_bits<__m256i>(outside), same_bits<__m256i>(outside));
#endif
    } else {
      using Words = typename Register<std::int64_t, sizeof(Bits) / 8>::Vector;
      const Words words = same_bits<Words>(outside);
      std::int64_t some = 0;
      for (std::size_t k = 0; k < sizeof(Bits) / 8; ++k) some |= words[k];
      return some != 0;
    }
  }
};

}  // namespace lanes_detail

/// Sine and cosine of every lane, |x| <= largest_angle.
template <class Real, int N>
TORSOR_INLINE void sine_cosine(Lanes<Real, N> x, Lanes<Real, N>& s, Lanes<Real, N>& c) {
#ifdef __AVX512F__
  if constexpr (N == 8 && sizeof(Real) == 8) return lanes_detail::circle_by_table(x, s, c);
#endif
  lanes_detail::circle_by_octant(x, s, c);
}

/// Sine and cosine of angles of any size.
template <class Real, int N>
TORSOR_INLINE void set_sine_cosine(const Lanes<Real, N>& x, Lanes<Real, N>& s, Lanes<Real, N>& c) {
  lanes_detail::AngleWatch<Real, N> watch;
  watch.look(x);
  if (watch.any()) [[unlikely]] {
    Real angle[N], sine[N], cosine[N];
    x.store(angle);
    sine_cosine_of_any(angle, N, sine, cosine);
    s = Lanes<Real, N>::load(sine), c = Lanes<Real, N>::load(cosine);
  } else {
    sine_cosine(x, s, c);
  }
}
template <class Real, int N>
TORSOR_INLINE Lanes<Real, N> sin(const Lanes<Real, N>& x) {
  Lanes<Real, N> s, c;
  set_sine_cosine(x, s, c);
  return s;
}
template <class Real, int N>
TORSOR_INLINE Lanes<Real, N> cos(const Lanes<Real, N>& x) {
  Lanes<Real, N> s, c;
  set_sine_cosine(x, s, c);
  return c;
}

}  // namespace TORSOR_MACHINE
}  // namespace torsor
