// Lanes<Real, N>: N states side by side, every operation on all of them at once, in one vector register of the machine
// this translation unit is compiled for. One lane is a plain number. Everything here, and everything instantiated over
// it, lives in a namespace of that machine, so that the linker never takes one unit's code for another's.
//
// Only the operators that the recursions need; constants of a model stay plain numbers and are spread where they meet.
#pragma once

#include <cstdint>
#include <cstring>

#if defined(__AVX512F__)
#define TORSOR_MACHINE avx512
#elif defined(__AVX2__)
#define TORSOR_MACHINE avx2
#else
#define TORSOR_MACHINE baseline
#endif
// of functions and of lambdas. Sanitizers make so much of every access that all of it in one function takes half an hour
#if defined(__SANITIZE_ADDRESS__)
#define TORSOR_INLINE inline
#define TORSOR_INLINED
#else
#define TORSOR_INLINE [[gnu::always_inline]] inline
#define TORSOR_INLINED __attribute__((always_inline))
#endif

namespace torsor {
inline namespace TORSOR_MACHINE {

namespace lanes_detail {

template <class Real, int N>
struct Register {
  typedef Real Vector __attribute__((vector_size(N * sizeof(Real))));
};
template <class Real>
struct Register<Real, 1> {
  using Vector = Real;
};
template <class Real>
struct IntegerOf {
  using Type = std::int64_t;
};
template <>
struct IntegerOf<float> {
  using Type = std::int32_t;
};

}  // namespace lanes_detail

template <class Real_, int N>
struct Lanes {
  using Real = Real_;
  using Vector = typename lanes_detail::Register<Real, N>::Vector;
  static constexpr int count = N;

  Vector v;

  Lanes() = default;
  /// The same number in every lane.
  TORSOR_INLINE Lanes(Real x) : v(x - Vector{}) {}
  TORSOR_INLINE explicit Lanes(int x) : Lanes(static_cast<Real>(x)) {}
  TORSOR_INLINE explicit Lanes(double x) requires(sizeof(Real) < sizeof(double)) : Lanes(static_cast<Real>(x)) {}
  TORSOR_INLINE static Lanes of(Vector v) {
    Lanes r;
    r.v = v;
    return r;
  }
  TORSOR_INLINE static Lanes load(const Real* from) {
    Lanes r;
    std::memcpy(&r.v, from, sizeof r.v);
    return r;
  }
  TORSOR_INLINE void store(Real* to) const { std::memcpy(to, &v, sizeof v); }

  TORSOR_INLINE friend Lanes operator+(Lanes a, Lanes b) { return of(a.v + b.v); }
  TORSOR_INLINE friend Lanes operator-(Lanes a, Lanes b) { return of(a.v - b.v); }
  TORSOR_INLINE friend Lanes operator*(Lanes a, Lanes b) { return of(a.v * b.v); }
  TORSOR_INLINE friend Lanes operator/(Lanes a, Lanes b) { return of(a.v / b.v); }
  TORSOR_INLINE friend Lanes operator*(Real a, Lanes b) { return of(a * b.v); }
  TORSOR_INLINE friend Lanes operator+(Lanes a, Real b) { return of(a.v + b); }
  TORSOR_INLINE Lanes operator-() const { return of(-v); }
  TORSOR_INLINE Lanes& operator+=(Lanes b) { return v += b.v, *this; }
  TORSOR_INLINE Lanes& operator-=(Lanes b) { return v -= b.v, *this; }
};

/// x, kept as it is: compilers like to fuse a product into each of its sums, and make several products of one where
/// multipliers are what a machine is short of.
template <class T>
TORSOR_INLINE T rounded(const T& x) {
  return x;
}
template <class Real, int N>
TORSOR_INLINE Lanes<Real, N> rounded(Lanes<Real, N> x) requires(N > 1) {
#if defined(__AVX2__)
  asm("" : "+v"(x.v));
#endif
  return x;
}

/// Lane by lane: what recursions ask for once in a while, or never.
template <class Real, int N, class Function>
TORSOR_INLINE Lanes<Real, N> each_lane(const Lanes<Real, N>& x, const Function& f) {
  Real lane[N];
  x.store(lane);
  for (int k = 0; k < N; ++k) lane[k] = f(lane[k], k);
  return Lanes<Real, N>::load(lane);
}
template <class Real, int N>
TORSOR_INLINE Lanes<Real, N> sqrt(const Lanes<Real, N>& x) {
  return each_lane(x, [](Real y, int) TORSOR_INLINED {
    if constexpr (sizeof(Real) == 8) return __builtin_sqrt(y); else return __builtin_sqrtf(y);
  });
}
template <class Real, int N>
TORSOR_INLINE Lanes<Real, N> exp(const Lanes<Real, N>& x) {
  return each_lane(x, [](Real y, int) { return static_cast<Real>(__builtin_exp(static_cast<double>(y))); });
}
template <class Real, int N>
TORSOR_INLINE Lanes<Real, N> atan2(const Lanes<Real, N>& y, const Lanes<Real, N>& x) {
  Real right[N];
  x.store(right);
  return each_lane(y, [&](Real up, int k) {
    return static_cast<Real>(__builtin_atan2(static_cast<double>(up), static_cast<double>(right[k])));
  });
}

}  // namespace TORSOR_MACHINE
}  // namespace torsor
