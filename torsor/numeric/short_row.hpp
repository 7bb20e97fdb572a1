// m numbers side by side, m small and known when this is compiled, held two by two so that the processor does two at once;
// an odd last one has a zero beside it. Any x86-64 and AArch64 processor has such pairs, and each number is rounded as it
// would be alone: results do not depend on the machine.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <limits>

namespace torsor::detail {

typedef double Two __attribute__((vector_size(16)));
typedef std::int64_t TwoBits __attribute__((vector_size(16)));
inline constexpr std::int64_t all_but_sign = std::numeric_limits<std::int64_t>::max();

template <int m>
struct ShortRow {
  static constexpr int pairs = (m + 1) / 2;
  Two x[pairs];

  static ShortRow load(const double* from) {
    ShortRow row;
    for (std::ptrdiff_t k = 0; k < m / 2; ++k) std::memcpy(&row.x[k], from + 2 * k, sizeof(Two));
    if constexpr (m % 2 == 1) row.x[m / 2] = Two{from[m - 1], 0};
    return row;
  }

  void store(double* to) const {
    for (std::ptrdiff_t k = 0; k < m / 2; ++k) std::memcpy(to + 2 * k, &x[k], sizeof(Two));
    if constexpr (m % 2 == 1) to[m - 1] = x[m / 2][0];
  }

  ShortRow& operator+=(const ShortRow& b) {
    for (int k = 0; k < pairs; ++k) x[k] += b.x[k];
    return *this;
  }
  ShortRow& operator-=(const ShortRow& b) {
    for (int k = 0; k < pairs; ++k) x[k] -= b.x[k];
    return *this;
  }
  friend ShortRow operator*(const ShortRow& a, double s) {
    ShortRow out;
    for (int k = 0; k < pairs; ++k) out.x[k] = a.x[k] * s;
    return out;
  }
  /// Each times its fellow.
  friend ShortRow operator*(const ShortRow& a, const ShortRow& b) {
    ShortRow out;
    for (int k = 0; k < pairs; ++k) out.x[k] = a.x[k] * b.x[k];
    return out;
  }
  /// Raises both of `largest` to what is larger here, signs left out; what is no number is passed over.
  void raise(Two& largest) const {
    for (int k = 0; k < pairs; ++k) {
      const Two size = reinterpret_cast<Two>(reinterpret_cast<TwoBits>(x[k]) & all_but_sign);
      largest = size > largest ? size : largest;
    }
  }
  /// The sum, two by two.
  Two sum() const {
    Two sum = x[0];
    for (int k = 1; k < pairs; ++k) sum += x[k];
    return sum;
  }
  friend double dot(const ShortRow& a, const ShortRow& b) {
    Two sum = a.x[0] * b.x[0];
    for (int k = 1; k < pairs; ++k) sum += a.x[k] * b.x[k];
    return sum[0] + sum[1];
  }
};

}  // namespace torsor::detail
