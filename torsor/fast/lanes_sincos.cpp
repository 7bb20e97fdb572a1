#include "torsor/fast/lanes_sincos.hpp"

#include <cmath>

namespace torsor {
namespace {

template <class Real>
void by_library(const Real* x, int n, Real* s, Real* c) {
  for (int k = 0; k < n; ++k) {
    const Real angle = x[k];  // a copy: s or c may be where x is
    s[k] = std::sin(angle);
    c[k] = std::cos(angle);
  }
}

}  // namespace

void sine_cosine_of_any(const double* x, int n, double* s, double* c) { by_library(x, n, s, c); }
void sine_cosine_of_any(const float* x, int n, float* s, float* c) { by_library(x, n, s, c); }

}  // namespace torsor
