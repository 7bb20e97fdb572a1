// Where a joint's equation vanishes. A Form is a polynomial in the joint's own numbers: (u, v) = (cos, sin) of a turn,
// up to second degree, or u = d of a slide, up to fourth. On the circle u = (1 - t^2)/(1 + t^2), v = 2t/(1 + t^2) with
// t = tan(theta/2) makes it a quartic in t (Pieper 1968). The angle is first measured from where the form is largest,
// opposite t = infinity.
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

/// Where a form vanishes, (u, v) of each: `crossings` of them where it changes sign, behind them the places where it
/// comes near zero and turns back. Rounding decides whether two roots that have fallen together are there at all, so
/// these are places to look at, not answers.
struct FormZeros {
  std::array<double, 8> u{}, v{};
  int crossings = 0, count = 0;

  void add(double x, double y) {
    if (count == 8) return;
    u[static_cast<std::size_t>(count)] = x;
    v[static_cast<std::size_t>(count++)] = y;
  }
};

namespace detail {

/// Calls at(x) for each crossing of a polynomial, then between(), then at(x) for each turning point near zero. scale(x)
/// is what a value has been rounded by: coefficients are sums, and a small one is not better known than its terms.
template <class At, class Between, class Scale>
void crossings_and_turns(const std::array<double, 5>& a, const At& at, const Between& between, const Scale& scale) {
  constexpr double near_zero = 1e-8;
  const RealRoots roots = real_roots(a, 0);
  for (int i = 0; i < roots.count; ++i) at(roots.x[static_cast<std::size_t>(i)]);
  between();
  const RealRoots turns = real_roots({a[1], 2 * a[2], 3 * a[3], 4 * a[4], 0}, 1e-14);
  for (int i = 0; i < turns.count; ++i) {
    const double x = turns.x[static_cast<std::size_t>(i)];
    if (std::fabs(evaluate(a, 4, x).p) <= near_zero * scale(x)) at(x);
  }
}

}  // namespace detail

/// Shifts of a slide; `size` (m) is that of the lengths the form was made of, `far` that of the farthest shift to be expected:
/// in units of that all coefficients are of one kind.
inline FormZeros zeros_along_slide(const Form& f, double size, double far) {
  FormZeros zeros;
  const double f2 = far * far;
  const std::array<double, 5> a{f.k, f.u * far, f.uu * f2, f.u3 * f2 * far, f.u4 * f2 * f2};
  detail::crossings_and_turns(
      a, [&](double x) { zeros.add(x * far, 0); }, [&] { zeros.crossings = zeros.count; },
      [&](double x) { return detail::evaluate(a, 4, std::max(std::fabs(x), size / far)).scale; });
  return zeros;
}

/// Angles of a turn.
inline FormZeros zeros_on_circle(const Form& f) {
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
  const double terms =
      std::fabs(f.k) + std::fabs(f.u) + std::fabs(f.v) + std::fabs(f.uu) + std::fabs(f.uv) + std::fabs(f.vv);
  FormZeros zeros;
  detail::crossings_and_turns(
      {A + D + G, 2 * (B + E), 4 * C + 2 * (G - A), 2 * (E - B), A - D + G},
      [&](double t) {
        const double norm = 1 + t * t, c = (1 - t * t) / norm, s = 2 * t / norm;
        zeros.add(cb * c - sb * s, sb * c + cb * s);
      },
      [&] { zeros.crossings = zeros.count; }, [&](double t) { return terms * (1 + t * t) * (1 + t * t); });
  return zeros;
}

}  // namespace torsor
