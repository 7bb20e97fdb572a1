#include "torsor/closed_form_ik/turning_loop.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

#include "torsor/numeric/lu.hpp"
#include "torsor/spatial/rotation.hpp"

namespace torsor {
namespace {

using Six = std::array<double, 6>;

Six solved(const std::array<double, 36>& LU, const std::array<int, 6>& rows, const Six& b) {
  Six x;
  lu_solve<double>(LU, 6, rows, b, x);
  return x;
}

/// x with A^T x = b from lu_factor.
Six solved_transposed(const std::array<double, 36>& LU, const std::array<int, 6>& rows, const Six& b) {
  Six y = b, x{};
  for (std::size_t i = 0; i < 6; ++i) {
    for (std::size_t k = 0; k < i; ++k) y[i] -= LU[6 * k + i] * y[k];
    y[i] /= LU[7 * i];
  }
  for (std::size_t i = 6; i-- > 0;)
    for (std::size_t k = i + 1; k < 6; ++k) y[i] -= LU[6 * k + i] * y[k];
  for (std::size_t i = 0; i < 6; ++i) x[static_cast<std::size_t>(rows[i])] = y[i];
  return x;
}

double normalise(Six& x) {
  double square = 0;
  for (const double e : x) square += e * e;
  const double length = std::sqrt(square);
  for (double& e : x) e /= length;
  return length;
}

/// (J^T J + ridge) dq = -J^T error: where J has no inverse.
Six ridge_step(const LinearisedLoop& at, double ridge) {
  std::array<double, 36> A;
  Six b{};
  for (std::size_t i = 0; i < 6; ++i) {
    for (std::size_t r = 0; r < 6; ++r) b[i] -= at.J[6 * r + i] * at.error[r];
    for (std::size_t j = 0; j < 6; ++j) {
      double sum = i == j ? ridge : 0;
      for (std::size_t r = 0; r < 6; ++r) sum += at.J[6 * r + i] * at.J[6 * r + j];
      A[6 * i + j] = sum;
    }
  }
  std::array<int, 6> rows;
  lu_factor<double>(A, 6, rows);
  return solved(A, rows, b);
}

/// The least singular value with its two directions, by inverse iteration with J J^T; LU: the factors of J.
void measure(const LinearisedLoop& at, std::array<double, 36>& LU, std::array<int, 6>& rows, double pivots,
             LoopMeasure& m) {
  m.residual = at.residual;
  m.determinant = pivots > 0 ? lu_determinant<double>(LU, 6, rows) : 0;
  if (!(pivots > 0)) {
    // exactly singular: what rounding could make of it has the same directions
    LU = at.J;
    for (std::size_t i = 0; i < 36; ++i) LU[i] += 1e-15 * std::cos(static_cast<double>(i * i));
    pivots = lu_factor<double>(LU, 6, rows);
  }
  m.sigma = 0;
  if (!(pivots > 0)) return;
  Six u{0.41, -0.43, 0.37, 0.39, -0.44, 0.40};
  for (int k = 0; k < 3; ++k) {
    Six x = solved(LU, rows, u);
    const double by = normalise(x);
    m.idle = x;
    m.sigma = 1 / by;
    u = solved_transposed(LU, rows, x);
    m.sigma = 1 / normalise(u);
  }
  m.least = u;
}

void measure(const LinearisedLoop& at, LoopMeasure& m) {
  std::array<double, 36> LU = at.J;
  std::array<int, 6> rows;
  const double pivots = lu_factor<double>(LU, 6, rows);
  measure(at, LU, rows, pivots, m);
}

}  // namespace

LinearisedLoop::LinearisedLoop(const TurningLoop& loop, const SixAngles& q) {
  Transform<double> X;
  for (std::size_t i = 0; i < 6; ++i) {
    const Vec3<double>& z = X.R.z;
    if (loop.slides[i]) {
      const Six column{0, 0, 0, z.x, z.y, z.z};
      for (std::size_t r = 0; r < 6; ++r) J[6 * r + i] = column[r];
      X.p += z * q[i];
    } else {
      const Vec3<double> v = cross(X.p, z);
      const Six column{z.x, z.y, z.z, v.x, v.y, v.z};
      for (std::size_t r = 0; r < 6; ++r) J[6 * r + i] = column[r];
      X.R = times_rotation_z(X.R, std::cos(q[i]), std::sin(q[i]));
    }
    X = X * loop.C[i];
  }
  // turned by less than half a turn: twice the sine along the axis, made longer beyond a quarter turn
  const Mat3<double>& R = X.R;
  Vec3<double> w{(R.y.z - R.z.y) / 2, (R.z.x - R.x.z) / 2, (R.x.y - R.y.x) / 2};
  const double cosine = (R.x.x + R.y.y + R.z.z - 1) / 2, sine = norm(w);
  if (cosine < 0.9) w = w * (std::atan2(sine, cosine) / std::max(sine, 1e-12));
  error = {w.x, w.y, w.z, X.p.x, X.p.y, X.p.z};
  residual = 0;
  double sum = 0;
  for (const double e : error) {
    residual = std::max(residual, std::abs(e));
    sum += std::abs(e);
  }
  if (!std::isfinite(sum)) residual = std::numeric_limits<double>::infinity();  // of what is not a number, too
  if (cosine < 0) residual = std::max(residual, 1.0);
}

TurningLoop scaled(const TurningLoop& loop, double factor) {
  TurningLoop out = loop;
  for (Transform<double>& C : out.C) C.p = C.p * factor;
  return out;
}

double apart(const SixAngles& a, const SixAngles& b) {
  double most = 0;
  for (std::size_t i = 0; i < 6; ++i)
    most = std::max(most, std::abs(std::remainder(a[i] - b[i], 2 * std::numbers::pi)));
  return most;
}

double closed_residual(const TurningLoop& loop) {
  const bool any_slides = std::ranges::count(loop.slides, true) > 0;
  return loop_closed * (any_slides ? std::max(1.0, norm(loop.C[5].p)) : 1);
}

void turn_back(const TurningLoop& loop, SixAngles& q) {
  for (std::size_t i = 0; i < 6; ++i)
    if (!loop.slides[i]) q[i] = std::remainder(q[i], 2 * std::numbers::pi);
}

bool close_loop(const TurningLoop& loop, SixAngles& q, LoopMeasure& m) {
  constexpr int most_steps = 60;
  constexpr double longest = 0.5, rounding = 1e-15, quadratic = 1e-6;
  const double enough = closed_residual(loop);
  LinearisedLoop at(loop, q);
  int poor = 0;
  std::array<double, 36> LU;
  std::array<int, 6> rows;
  double pivots = 0;
  for (int step = 0; step < most_steps; ++step) {
    if (at.residual < rounding) break;
    LU = at.J;
    Six dq{};
    pivots = lu_factor<double>(LU, 6, rows);
    if (pivots > 1e-14) dq = solved(LU, rows, at.error);
    for (double& x : dq) x = -x;
    double length = 0;
    for (const double x : dq) length = std::max(length, std::abs(x));
    if (!(pivots > 1e-14) || !(length < longest)) {
      dq = ridge_step(at, 1e-3 * at.residual * at.residual + 1e-20);
      length = 0;
      for (const double x : dq) {
        if (!std::isfinite(x)) return false;
        length = std::max(length, std::abs(x));
      }
      if (length > longest)
        for (double& x : dq) x *= longest / length;
    }
    SixAngles next = q;
    for (std::size_t i = 0; i < 6; ++i) next[i] += dq[i];
    const LinearisedLoop there(loop, next);
    if (!(there.residual < at.residual)) {
      if (at.residual < enough) break;
      // no descent: half of it, and not often
      for (std::size_t i = 0; i < 6; ++i) next[i] = q[i] + dq[i] / 4;
      const LinearisedLoop nearer(loop, next);
      if (!(nearer.residual < at.residual) || ++poor > 4) return false;
      q = next;
      at = nearer;
      continue;
    }
    q = next;
    const bool fast = there.residual < at.residual / 2, done = at.residual < quadratic && there.residual < 4 * rounding;
    at = there;
    if (done && pivots > 1e-5) {
      // regular, and as closed as can be: the factors of a step before are those of here
      measure(at, LU, rows, pivots, m);
      turn_back(loop, q);
      return true;
    }
    if (!fast && ++poor > 8) break;
  }
  measure(at, m);
  turn_back(loop, q);
  return at.residual < enough;
}

LoopMeasure measured(const TurningLoop& loop, const SixAngles& q) {
  LoopMeasure m;
  measure(LinearisedLoop(loop, q), m);
  return m;
}

bool close_along(const TurningLoop& loop, SixAngles& q) {
  constexpr int least_steps = 8, most_steps = 40;
  const double enough = closed_residual(loop);
  double before = std::numeric_limits<double>::infinity();
  for (int step = 0; step < most_steps; ++step) {
    const LinearisedLoop at(loop, q);
    if (at.residual < enough) return true;
    // where solutions of a higher order meet, every step leaves a part of the way: as long as it goes on
    if (step >= least_steps && !(at.residual < 0.8 * before)) break;
    before = at.residual;
    const Six dq = ridge_step(at, std::clamp(1e-3 * at.residual, 1e-15, 1e-12));
    for (std::size_t i = 0; i < 6; ++i) q[i] += dq[i];
  }
  return LinearisedLoop(loop, q).residual < 10 * enough;
}

void settle_on_fold(const TurningLoop& loop, SixAngles& q, LoopMeasure& m) {
  constexpr double near_enough = 1e-8;
  // again and again: where three solutions meet, a step leaves a third of the way
  for (const double h : {1e-4, 1e-5, 1e-5, 1e-5, 1e-5}) {
    // the determinant along the idle direction, as a parabola: its zero next to here, or its vertex
    const auto at = [&](double s) {
      SixAngles x = q;
      for (std::size_t i = 0; i < 6; ++i) x[i] += s * m.idle[i];
      return x;
    };
    const double before = measured(loop, at(-h)).determinant, here = m.determinant,
                 after = measured(loop, at(h)).determinant;
    const double slope = (after - before) / (2 * h), bend = (after - 2 * here + before) / (2 * h * h);
    const double root = slope * slope - 4 * bend * here;
    const double s = root >= 0 ? -2 * here / (slope + std::copysign(std::sqrt(root), slope)) : -slope / (2 * bend);
    if (!(std::abs(s) < 1e-3)) return;
    SixAngles there = at(s);
    if (!close_along(loop, there)) return;
    const LoopMeasure moved = measured(loop, there);
    if (moved.residual > closed_residual(loop)) return;
    q = there;
    m = moved;
    if (h < 1e-4 && std::abs(s) < near_enough) return;
  }
}

double loop_residual(const TurningLoop& loop, const SixAngles& q) { return LinearisedLoop(loop, q).residual; }

SixAngles across_fold(const TurningLoop& loop, const SixAngles& q, const LoopMeasure& m) {
  // along the idle direction the end moves by s sigma + s^2 k / 2 in its least direction: again zero at s = -2 sigma /
  // k
  const double h = 1e-3;
  SixAngles there = q, back = q;
  for (std::size_t i = 0; i < 6; ++i) {
    there[i] += h * m.idle[i];
    back[i] -= h * m.idle[i];
  }
  const LinearisedLoop a(loop, there), b(loop, back);
  double sum = 0, difference = 0;
  for (std::size_t r = 0; r < 6; ++r) {
    sum += m.least[r] * (a.error[r] + b.error[r]);
    difference += m.least[r] * (a.error[r] - b.error[r]);
  }
  const double k = sum / (h * h), s = std::abs(k) > 1e-9 ? std::clamp(-difference / h / k, -1.0, 1.0) : 0.0;
  SixAngles other = q;
  for (std::size_t i = 0; i < 6; ++i) other[i] += s * m.idle[i];
  return other;
}

}  // namespace torsor
