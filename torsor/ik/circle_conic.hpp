// Where a joint's equation vanishes. A Form is a polynomial in the joint's own numbers: (u, v) = (cos, sin) of a turn, up to
// second degree, or u = d of a slide, up to fourth. On the circle u = (1 - t^2)/(1 + t^2), v = 2t/(1 + t^2) with t = tan(theta/2)
// makes it a quartic in t (Pieper 1968). The angle is first measured from where the form is largest, opposite t = infinity.
#pragma once

#include <cmath>
#include <numbers>

#include "torsor/numeric/polynomial_roots.hpp"

namespace torsor {

struct Form {
  double k = 0, u = 0, v = 0, uu = 0, uv = 0, vv = 0, u3 = 0, u4 = 0;

  double operator()(double x, double y) const {
    return k + y * (v + vv * y) + x * (u + uv * y + x * (uu + x * (u3 + x * u4)));
  }
};

inline Form operator+(const Form& a, const Form& b) {
  return {a.k + b.k, a.u + b.u, a.v + b.v, a.uu + b.uu, a.uv + b.uv, a.vv + b.vv, a.u3 + b.u3, a.u4 + b.u4};
}
inline Form operator*(const Form& a, double f) {
  return {a.k * f, a.u * f, a.v * f, a.uu * f, a.uv * f, a.vv * f, a.u3 * f, a.u4 * f};
}
inline Form operator-(const Form& a, const Form& b) { return a + b * -1; }
inline Form operator+(const Form& a, double x) { return a + Form{.k = x}; }

/// The product, as far as degree two in v or four in u.
inline Form operator*(const Form& a, const Form& b) {
  Form p;
  p.k = a.k * b.k;
  p.u = a.k * b.u + a.u * b.k;
  p.v = a.k * b.v + a.v * b.k;
  p.uu = a.k * b.uu + a.u * b.u + a.uu * b.k;
  p.uv = a.k * b.uv + a.u * b.v + a.v * b.u + a.uv * b.k;
  p.vv = a.k * b.vv + a.v * b.v + a.vv * b.k;
  p.u3 = a.k * b.u3 + a.u * b.uu + a.uu * b.u + a.u3 * b.k;
  p.u4 = a.k * b.u4 + a.u * b.u3 + a.uu * b.uu + a.u3 * b.u + a.u4 * b.k;
  return p;
}

/// Zeros of a form: (u, v) of each.
struct FormZeros {
  std::array<double, 4> u{}, v{};
  int count = 0;
};

inline FormZeros zeros_along_slide(const Form& f, double tolerance) {
  const RealRoots roots = real_roots({f.k, f.u, f.uu, f.u3, f.u4}, tolerance);
  FormZeros zeros;
  zeros.count = roots.count;
  zeros.u = roots.x;
  return zeros;
}

inline FormZeros zeros_on_circle(const Form& f, double tolerance) {
  // measured from b, the form is largest where t is infinite
  double cb = 1, sb = 0, largest = -1;
  for (int i = 0; i < 8; ++i) {
    const double angle = i * std::numbers::pi / 4 + 0.1, c = std::cos(angle), s = std::sin(angle);
    if (const double size = std::fabs(f(c, s)); size > largest) {
      largest = size;
      cb = -c;
      sb = -s;
    }
  }
  const double A = f.uu * cb * cb + f.uv * cb * sb + f.vv * sb * sb;
  const double C = f.uu * sb * sb - f.uv * cb * sb + f.vv * cb * cb;
  const double B = 2 * (f.vv - f.uu) * cb * sb + f.uv * (cb * cb - sb * sb);
  const double D = f.u * cb + f.v * sb, E = f.v * cb - f.u * sb, G = f.k;
  const RealRoots roots =
      real_roots({A + D + G, 2 * (B + E), 4 * C + 2 * (G - A), 2 * (E - B), A - D + G}, tolerance);
  FormZeros zeros;
  zeros.count = roots.count;
  for (std::size_t i = 0; i < static_cast<std::size_t>(roots.count); ++i) {
    const double t = roots.x[i], norm = 1 + t * t, c = (1 - t * t) / norm, s = 2 * t / norm;
    zeros.u[i] = cb * c - sb * s;
    zeros.v[i] = sb * c + cb * s;
  }
  return zeros;
}

}  // namespace torsor
