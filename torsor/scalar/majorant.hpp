// Majorant: how large the result of a computation can be at most, when all its terms add up. Every number stands for its
// magnitude, and a difference for a sum: run over any formula with cosines and sines at 1 it bounds the formula at
// every position. A Ring, so the algorithms take it as they take any other number.
#pragma once

#include "torsor/scalar/concepts.hpp"

namespace torsor {

struct Majorant {
  double size = 0;

  Majorant() = default;
  explicit Majorant(int k) : size(k < 0 ? -k : k) {}
  explicit Majorant(double x) : size(abs(x)) {}

  friend Majorant operator+(Majorant a, Majorant b) { return Majorant(a.size + b.size); }
  friend Majorant operator-(Majorant a, Majorant b) { return a + b; }
  friend Majorant operator-(Majorant a) { return a; }
  friend Majorant operator*(Majorant a, Majorant b) { return Majorant(a.size * b.size); }
  Majorant& operator+=(Majorant b) { return *this = *this + b; }
  Majorant& operator-=(Majorant b) { return *this = *this + b; }
};

static_assert(Ring<Majorant> && !Field<Majorant>);

}  // namespace torsor
