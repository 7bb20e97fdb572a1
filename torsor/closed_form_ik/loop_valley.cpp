#include "torsor/closed_form_ik/loop_valley.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "torsor/numeric/lu.hpp"

namespace torsor {
namespace {

constexpr double valley_step = 0.1, least_step = 0.01;  // of the joint that moves most, nearly
constexpr double out_of_valley = 1e-3;                  // r: what is missing there is no small thing
constexpr double on_floor = 1e-13;

double product(const SixAngles& a, const SixAngles& b) {
  double sum = 0;
  for (std::size_t i = 0; i < 6; ++i) sum += a[i] * b[i];
  return sum;
}

SixAngles moved_along(const SixAngles& q, double by, const SixAngles& t) {
  SixAngles out = q;
  for (std::size_t i = 0; i < 6; ++i) out[i] += by * t[i];
  return out;
}

/// [J u; v' 0] factored.
struct Bordered {
  std::array<double, 49> LU;
  std::array<int, 7> rows;
  bool regular;

  Bordered(const LinearisedLoop& at, const SixAngles& u, const SixAngles& v) {
    for (std::size_t r = 0; r < 6; ++r) {
      for (std::size_t i = 0; i < 6; ++i) LU[7 * r + i] = at.J[6 * r + i];
      LU[7 * r + 6] = u[r];
      LU[42 + r] = v[r];
    }
    LU[48] = 0;
    regular = lu_factor<double>(LU, 7, rows) > 1e-9;
  }
  std::array<double, 7> solve(const std::array<double, 7>& b) const {
    std::array<double, 7> x;
    lu_solve<double>(LU, 7, rows, b, x);
    return x;
  }
  std::array<double, 7> solve_transposed(const std::array<double, 7>& b) const {
    std::array<double, 7> y = b, x{};
    for (std::size_t i = 0; i < 7; ++i) {
      for (std::size_t k = 0; k < i; ++k) y[i] -= LU[7 * k + i] * y[k];
      y[i] /= LU[8 * i];
    }
    for (std::size_t i = 7; i-- > 0;)
      for (std::size_t k = i + 1; k < 7; ++k) y[i] -= LU[7 * k + i] * y[k];
    for (std::size_t i = 0; i < 7; ++i) x[static_cast<std::size_t>(rows[i])] = y[i];
    return x;
  }
};

SixAngles unit(const std::array<double, 7>& x) {
  SixAngles out;
  std::copy_n(x.begin(), 6, out.begin());
  const double length = std::sqrt(product(out, out));
  for (double& e : out) e /= length;
  return out;
}

}  // namespace

/// Onto the floor across v, with its tangent the way of v, u and r there.
bool LoopValley::settle(const TurningLoop& loop, const SixAngles& v, Stand& at) {
  constexpr int most_steps = 8;
  for (int step = 0;; ++step) {
    const LinearisedLoop here(loop, at.q);
    const Bordered bordered(here, at.u, v);
    if (!bordered.regular) return false;
    std::array<double, 7> b{};
    for (std::size_t r = 0; r < 6; ++r) b[r] = -here.error[r];
    const std::array<double, 7> x = bordered.solve(b);
    double length = 0;
    for (std::size_t i = 0; i < 6; ++i) length = std::max(length, std::abs(x[i]));
    if (!(length < 0.5)) return false;
    if (length > on_floor && step < most_steps) {
      for (std::size_t i = 0; i < 6; ++i) at.q[i] += x[i];
      continue;
    }
    if (length > 1e-9) return false;
    const std::array<double, 7> one{0, 0, 0, 0, 0, 0, 1};
    const std::array<double, 7> along = bordered.solve(one), across = bordered.solve_transposed(one);
    at.t = unit(along);
    at.u = unit(across);
    at.r = -product(at.u, here.error);
    // t is as long as 1 / (t . v), of the one with t . v = 1
    at.slope = along[6] * product(at.t, v);
    return true;
  }
}

bool LoopValley::step(const TurningLoop& loop, const Stand& from, double by, Stand& to) const {
  to = from;
  to.q = moved_along(from.q, by, from.t);
  const SixAngles straight = to.q;
  return settle(loop, from.t, to) && apart(straight, to.q) < 0.5 * std::abs(by) + 1e-9;
}

void LoopValley::add(const SixAngles& q) {
  if (places_ < most_places) place_[static_cast<std::size_t>(places_++)] = q;
}

/// Zeros of r between two points, and where it turns round before one.
void LoopValley::look_between(const TurningLoop& loop, const Stand& a, const Stand& b, double by) {
  const auto narrowed = [&](double Stand::*value, double low, double high, double at_low, double at_high) {
    Stand there = a;
    double s = low;
    int stays = 0;
    for (int k = 0; k < 40 && high - low > 1e-12; ++k) {
      // the secant, with the weight of an end that stays halved
      s = low + (high - low) * std::clamp(at_low / (at_low - at_high), 0.01, 0.99);
      if (!step(loop, a, s, there)) break;
      const double x = there.*value;
      if (x == 0) break;
      if ((x < 0) == (at_low < 0)) {
        low = s, at_low = x;
        if (stays == 1) at_high /= 2;
        stays = 1;
      } else {
        high = s, at_high = x;
        if (stays == -1) at_low /= 2;
        stays = -1;
      }
    }
    return std::pair{s, there};
  };
  if ((a.r < 0) != (b.r < 0)) {
    add(narrowed(&Stand::r, 0, by, a.r, b.r).second.q);
  } else if (a.r * a.slope < 0 && b.r * b.slope > 0) {
    const auto [s, bottom] = narrowed(&Stand::slope, 0, by, a.slope, b.slope);
    add(bottom.q);
    if ((bottom.r < 0) == (a.r < 0)) return;
    add(narrowed(&Stand::r, 0, s, a.r, bottom.r).second.q);
    add(narrowed(&Stand::r, s, by, bottom.r, b.r).second.q);
  }
}

void LoopValley::walk(const TurningLoop& loop, const SixAngles& q) {
  points_ = places_ = 0;
  const LoopMeasure m = measured(loop, q);
  Stand start;
  start.q = q;
  start.u = m.least;
  if (!(m.sigma > 0) || !settle(loop, m.idle, start)) return;
  const auto keep = [this](const SixAngles& p) { point_[static_cast<std::size_t>(points_++)] = p; };
  keep(start.q);
  for (const double sense : {1.0, -1.0}) {
    Stand here = start;
    for (double& x : here.t) x *= sense;
    here.slope *= sense;
    double by = valley_step;
    while (points_ < most_points) {
      Stand ahead;
      if (!step(loop, here, by, ahead)) {
        by /= 2;
        if (by < least_step) break;
        continue;
      }
      look_between(loop, here, ahead, by);
      here = ahead;
      by = std::min(valley_step, 1.5 * by);
      keep(here.q);
      // once round: the other way has been gone, too
      if (points_ > 4 && apart(here.q, start.q) < 0.7 * valley_step) return;
      if (std::abs(here.r) > out_of_valley) break;
    }
  }
}

bool LoopValley::passed(const SixAngles& q) const {
  for (int k = 0; k < points_; ++k)
    if (apart(point_[static_cast<std::size_t>(k)], q) < 0.6 * valley_step) return true;
  return false;
}

}  // namespace torsor
