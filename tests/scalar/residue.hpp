// The integers modulo 7919, for tests: a Field with no analysis and no order, in which every result is exact.
#pragma once

namespace torsor {

struct Residue {
  static constexpr long modulus = 7919;
  long r = 0;

  constexpr Residue(long x = 0) : r(((x % modulus) + modulus) % modulus) {}
  friend constexpr Residue operator+(Residue a, Residue b) { return a.r + b.r; }
  friend constexpr Residue operator-(Residue a, Residue b) { return a.r - b.r; }
  friend constexpr Residue operator-(Residue a) { return -a.r; }
  friend constexpr Residue operator*(Residue a, Residue b) { return a.r * b.r; }
  friend constexpr Residue operator/(Residue a, Residue b) {
    // b^(p-2) is the inverse of b
    for (long e = modulus - 2; e > 0; e /= 2, b = b * b)
      if (e % 2 == 1) a = a * b;
    return a;
  }
  constexpr Residue& operator+=(Residue b) { return *this = *this + b; }
  constexpr Residue& operator-=(Residue b) { return *this = *this - b; }
  friend constexpr bool operator==(Residue, Residue) = default;
};

}  // namespace torsor
