// How far two results are apart, and the little dense algebra that expectations are written in (matrices row-major).
#pragma once

#include <algorithm>
#include <cmath>
#include <span>
#include <vector>

#include "torsor/spatial/inertia.hpp"
#include "torsor/spatial/motion.hpp"
#include "torsor/spatial/quaternion.hpp"
#include "torsor/spatial/roll_pitch_yaw.hpp"
#include "torsor/spatial/transform.hpp"

namespace torsor::testing {

using Numbers = std::vector<double>;
using View = std::span<const double>;

/// Largest magnitude; NaN if there is one, so that a bound on it fails.
inline double largest(View x) {
  double worst = 0;
  for (const double value : x) worst = std::isnan(value) ? value : std::max(worst, std::abs(value));
  return worst;
}

/// Largest |a_i - b_i|; infinite for different lengths, NaN if there is one.
inline double difference(View a, View b) {
  if (a.size() != b.size()) return INFINITY;
  double worst = 0;
  for (std::size_t i = 0; i < a.size(); ++i) worst = std::abs(a[i] - b[i]) <= worst ? worst : std::abs(a[i] - b[i]);
  return worst;
}

/// The same relative to the largest of the expected values.
inline double relative(View a, View expected) {
  const double scale = largest(expected);
  return scale == 0 ? difference(a, expected) : difference(a, expected) / scale;
}

inline Numbers flat(const Vec3<double>& v) { return {v.x, v.y, v.z}; }
inline Numbers flat(const Motion<double>& m) { return {m.w.x, m.w.y, m.w.z, m.v.x, m.v.y, m.v.z}; }
inline Numbers flat(const Force<double>& f) { return {f.n.x, f.n.y, f.n.z, f.f.x, f.f.y, f.f.z}; }
inline Numbers flat(const Mat3<double>& R) { return {R.x.x, R.y.x, R.z.x, R.x.y, R.y.y, R.z.y, R.x.z, R.y.z, R.z.z}; }
inline Numbers flat(const Sym3<double>& s) { return flat(full(s)); }
inline Numbers flat(const Quaternion<double>& e) { return {e.e0, e.e1, e.e2, e.e3}; }
inline Numbers flat(const Transform<double>& X) {
  Numbers entries = flat(X.R);
  entries.insert(entries.end(), {X.p.x, X.p.y, X.p.z});
  return entries;
}
inline Numbers flat(const Inertia<double>& J) {
  Numbers entries = flat(J.I);
  entries.insert(entries.end(), {J.m, J.h.x, J.h.y, J.h.z});
  return entries;
}

/// Largest difference of the components of two vectors, motions, rotations, poses, inertias.
template <class Value>
double apart(const Value& a, const Value& b) {
  return difference(flat(a), flat(b));
}

inline Numbers sum(View a, View b, double factor = 1) {
  Numbers c(a.begin(), a.end());
  for (std::size_t i = 0; i < c.size(); ++i) c[i] += factor * b[i];
  return c;
}

inline double dot(View a, View b) {
  double total = 0;
  for (std::size_t i = 0; i < a.size(); ++i) total += a[i] * b[i];
  return total;
}

/// A x, with as many columns as x has entries.
inline Numbers times(View A, View x) {
  Numbers y(x.empty() ? 0 : A.size() / x.size(), 0.0);
  for (std::size_t i = 0; i < y.size(); ++i) y[i] = dot(A.subspan(i * x.size(), x.size()), x);
  return y;
}

inline Numbers transposed(View A, std::size_t columns) {
  const std::size_t rows = A.size() / columns;
  Numbers B(A.size());
  for (std::size_t i = 0; i < rows; ++i)
    for (std::size_t j = 0; j < columns; ++j) B[j * rows + i] = A[i * columns + j];
  return B;
}

/// A B, where B has `columns` columns.
inline Numbers product(View A, View B, std::size_t columns) {
  const std::size_t inner = B.size() / columns, rows = A.size() / inner;
  Numbers C(rows * columns, 0.0);
  for (std::size_t i = 0; i < rows; ++i)
    for (std::size_t k = 0; k < inner; ++k)
      for (std::size_t j = 0; j < columns; ++j) C[i * columns + j] += A[i * inner + k] * B[k * columns + j];
  return C;
}

/// Disagreement of two torques: max_i |dtau_i| / max_i (|D qdd| + |h| + |g|)_i, so that a joint which carries next to nothing is
/// judged by what its neighbours carry. `others` are further shares of tau (friction, a tip wrench).
inline double disagreement(View tau, View expected, View D, View qdd, View h, View g,
                           std::initializer_list<View> others = {}) {
  const Numbers inertial = times(D, qdd);
  double scale = 0;
  for (std::size_t i = 0; i < tau.size(); ++i) {
    double size = std::abs(inertial[i]) + std::abs(h[i]) + std::abs(g[i]);
    for (const View share : others) size += std::abs(share[i]);
    scale = std::max(scale, size);
  }
  return difference(tau, expected) / scale;
}

}  // namespace torsor::testing
