// Pack<double, N>: N numbers side by side, every operation on all of them at once. It is a scalar like any other: what is
// written over Ordered runs on N inputs for little more than the price of one. Lanes live in the widest vectors that the
// translation unit may use, by the compilers' vector extensions; no instruction set is named. Units with other widths
// have other types, so that none of their code is taken for another's.
//
// No branch on values: a comparison gives a mask per lane, select picks by it, all and any ask it as a whole.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>

#include "torsor/scalar/concepts.hpp"

namespace torsor {

#ifdef __AVX__
#define TORSOR_LANE_BYTES 32
inline namespace lanes_of_32_bytes {
#else
#define TORSOR_LANE_BYTES 16
inline namespace lanes_of_16_bytes {
#endif

namespace pack_detail {

typedef double Lanes __attribute__((vector_size(TORSOR_LANE_BYTES)));
typedef std::int64_t LaneBits __attribute__((vector_size(TORSOR_LANE_BYTES)));
inline constexpr int lane_count = TORSOR_LANE_BYTES / 8;

}  // namespace pack_detail
#undef TORSOR_LANE_BYTES

template <class T, int N>
class Pack;

template <int N>
class Pack<double, N> {
  static_assert(N % pack_detail::lane_count == 0);
  static constexpr int words = N / pack_detail::lane_count;

 public:
  using Word = pack_detail::Lanes;
  using Bits = pack_detail::LaneBits;

  /// Of a comparison: which lanes.
  struct Mask {
    Bits bits[words];

    friend Mask operator&(const Mask& a, const Mask& b) {
      Mask r;
      for (int k = 0; k < words; ++k) r.bits[k] = a.bits[k] & b.bits[k];
      return r;
    }
    friend Mask operator|(const Mask& a, const Mask& b) {
      Mask r;
      for (int k = 0; k < words; ++k) r.bits[k] = a.bits[k] | b.bits[k];
      return r;
    }
    Mask operator!() const {
      Mask r;
      for (int k = 0; k < words; ++k) r.bits[k] = ~bits[k];
      return r;
    }
    bool operator[](int i) const { return bits[i / pack_detail::lane_count][i % pack_detail::lane_count] != 0; }
    friend bool any(const Mask& m) {
      std::int64_t sum = 0;
      for (int i = 0; i < N; ++i) sum |= m.bits[i / pack_detail::lane_count][i % pack_detail::lane_count];
      return sum != 0;
    }
    friend bool all(const Mask& m) { return !any(!m); }
  };

  Pack() = default;
  /// The same number in every lane.
  Pack(double x) {
    for (Word& w : word) w = x - Word{};
  }
  explicit Pack(int x) : Pack(static_cast<double>(x)) {}
  explicit Pack(const std::array<double, N>& lanes) { std::memcpy(word, lanes.data(), sizeof word); }

  double operator[](int i) const { return word[i / pack_detail::lane_count][i % pack_detail::lane_count]; }
  std::array<double, N> lanes() const {
    std::array<double, N> out;
    std::memcpy(out.data(), word, sizeof word);
    return out;
  }

  friend Pack operator+(const Pack& a, const Pack& b) {
    Pack r;
    for (int k = 0; k < words; ++k) r.word[k] = a.word[k] + b.word[k];
    return r;
  }
  friend Pack operator-(const Pack& a, const Pack& b) {
    Pack r;
    for (int k = 0; k < words; ++k) r.word[k] = a.word[k] - b.word[k];
    return r;
  }
  friend Pack operator*(const Pack& a, const Pack& b) {
    Pack r;
    for (int k = 0; k < words; ++k) r.word[k] = a.word[k] * b.word[k];
    return r;
  }
  friend Pack operator/(const Pack& a, const Pack& b) {
    Pack r;
    for (int k = 0; k < words; ++k) r.word[k] = a.word[k] / b.word[k];
    return r;
  }
  Pack operator-() const {
    Pack r;
    for (int k = 0; k < words; ++k) r.word[k] = -word[k];
    return r;
  }
  Pack& operator+=(const Pack& b) { return *this = *this + b; }
  Pack& operator-=(const Pack& b) { return *this = *this - b; }

  friend Mask operator<(const Pack& a, const Pack& b) {
    Mask r;
    for (int k = 0; k < words; ++k) r.bits[k] = a.word[k] < b.word[k];
    return r;
  }
  friend Mask operator>(const Pack& a, const Pack& b) { return b < a; }
  friend Mask operator==(const Pack& a, const Pack& b) {
    Mask r;
    for (int k = 0; k < words; ++k) r.bits[k] = a.word[k] == b.word[k];
    return r;
  }

  friend Pack select(const Mask& m, const Pack& a, const Pack& b) {
    Pack r;
    for (int k = 0; k < words; ++k) r.word[k] = m.bits[k] ? a.word[k] : b.word[k];
    return r;
  }
  friend Pack abs(const Pack& a) {
    Pack r;
    for (int k = 0; k < words; ++k)
      r.word[k] = reinterpret_cast<Word>(reinterpret_cast<Bits>(a.word[k]) & (~Bits{} ^ sign_bits()));
    return r;
  }
  /// The size of a with the sign of b, of zeros, too.
  friend Pack copysign(const Pack& a, const Pack& b) {
    Pack r;
    for (int k = 0; k < words; ++k)
      r.word[k] = reinterpret_cast<Word>((reinterpret_cast<Bits>(a.word[k]) & ~sign_bits()) |
                                         (reinterpret_cast<Bits>(b.word[k]) & sign_bits()));
    return r;
  }
  friend Pack sqrt(const Pack& a) {
    Pack r;
    for (int i = 0; i < N; ++i) r.word[i / pack_detail::lane_count][i % pack_detail::lane_count] = std::sqrt(a[i]);
    return r;
  }
  friend Pack sin(const Pack& a) {
    return each(a, [](double x) { return std::sin(x); });
  }
  friend Pack cos(const Pack& a) {
    return each(a, [](double x) { return std::cos(x); });
  }
  friend Pack exp(const Pack& a) {
    return each(a, [](double x) { return std::exp(x); });
  }

 private:
  static Bits sign_bits() { return reinterpret_cast<Bits>(-Word{}); }

  template <class F>
  static Pack each(const Pack& a, const F& f) {
    std::array<double, N> out = a.lanes();
    for (double& x : out) x = f(x);
    return Pack(out);
  }

  Word word[words];
};

namespace pack_detail {

/// m pi/4 + atan t turned into the octant, for |t| <= tan(pi/8): atan t = t + t z P(z) with z = t^2 and P minimax
/// (relative error 1.3e-18), pi/4 in two parts.
template <class P, class Mask>
[[gnu::always_inline]] inline P angle_in_octant(const P& t, const Mask& oblique, const Mask& steep, const Mask& left,
                                                const P& y) {
  const P z = t * t, z2 = z * z, z4 = z2 * z2;
  const P p01 = P(-0.333333333333332) + z * P(0.1999999999995318);
  const P p23 = P(-0.14285714280160172) + z * P(0.11111110781844913);
  const P p45 = P(-0.09090897716486658) + z * P(0.07692059562932979);
  const P p67 = P(-0.06663097454281855) + z * P(0.05847846546723714);
  const P p8 = P(-0.050391329554841324) + z * P(0.038060674033791486) + z2 * P(-0.017903426020146693);
  const P rest = t * (z * ((p01 + z2 * p23) + z4 * ((p45 + z2 * p67) + z4 * p8)));

  // the angle is m pi/4 + sense atan t
  const P none(0.0), one(1.0);
  const P over_x = select(oblique, one, none), over_right = select(steep, P(2.0) - over_x, over_x);
  const P m = select(left, P(4.0) - over_right, over_right);
  const P steep_sense = select(steep, -one, one), sense = select(left, -steep_sense, steep_sense);
  constexpr double quarter_high = 0x1.921fb54442d18p-1, quarter_low = 0x1.1a62633145c07p-55;
  return copysign(m * P(quarter_high) + (sense * t + (m * P(quarter_low) + sense * rest)), y);
}

inline constexpr double tan_eighth = 0.41421356237309503;  // of pi/8

}  // namespace pack_detail

/// Angle of (x, y), -pi .. pi, within 2 ulp; zeros, infinities and signs as in std::atan2. The smaller of |x| and |y| per
/// the larger is brought below tan(pi/8) by atan t = pi/4 + atan((t - 1)/(t + 1)), in the one division.
template <int N>
Pack<double, N> atan2(const Pack<double, N>& y, const Pack<double, N>& x) {
  using P = Pack<double, N>;
  const P ax = abs(x), ay = abs(y);
  const auto steep = ax < ay;
  // what would overflow when added is scaled
  const P larger = select(steep, ay, ax), scale = select(P(0x1p1000) < larger, P(0x1p-2), P(1.0));
  const P small = select(steep, ax, ay) * scale, large = larger * scale;
  // equal ones, infinite ones too, lie on the diagonal, but for 0/0
  const auto equal = small == large;
  const auto oblique = (large * P(pack_detail::tan_eighth) < small) | (equal & (P(0.0) < large));
  const P numerator = select(oblique, small - large, small), denominator = select(oblique, small + large, large);
  const P t = select(equal, P(0.0), numerator / denominator);
  return pack_detail::angle_in_octant(t, oblique, steep, copysign(P(1.0), x) < P(0.0), y);
}

/// The same for points of the unit circle, where nothing is zero over zero and nothing overflows.
template <int N>
Pack<double, N> angle_of(const Pack<double, N>& c, const Pack<double, N>& s) {
  using P = Pack<double, N>;
  const P ac = abs(c), as = abs(s);
  const auto steep = ac < as;
  const P small = select(steep, ac, as), large = select(steep, as, ac);
  const auto oblique = large * P(pack_detail::tan_eighth) < small;
  const P t = select(oblique, small - large, small) / select(oblique, small + large, large);
  return pack_detail::angle_in_octant(t, oblique, steep, c < P(0.0), s);
}

static_assert(Ordered<Pack<double, 4>>);

}  // namespace

/// The questions to a mask, for one number.
inline bool any(bool mask) { return mask; }
inline bool all(bool mask) { return mask; }

}  // namespace torsor
