#include "torsor/numeric_ik/singular_valley.hpp"

#include <algorithm>
#include <cmath>

#include "torsor/numeric_ik/bounded_descent.hpp"
#include "torsor/numeric/singular_values.hpp"

namespace torsor {
namespace {

constexpr int settling_steps = 5, narrowing_steps = 40;
constexpr double settled = 1e-14;       // of the error across the valley
constexpr double on_answer = 1e-12;     // of the error along it
constexpr double longest_return = 0.5;  // units of a joint: what is farther from the floor is in no valley
constexpr double valley_rank_tolerance = 1e-9;

}  // namespace

SingularValley::SingularValley(const PoseTask& task) : best_(task.joints().size()), B_(6 * best_.size()) {
  for (Place* p : {&here_, &ahead_, &between_}) p->x = p->v = best_;
}

/// Singular values and vectors where the task stands: rows of B_ are sigma_i v_i, columns of U_ are u_i.
void SingularValley::look(PoseTask& task) {
  task.linearise();
  std::copy(task.J().begin(), task.J().end(), B_.begin());
  singular_values<double>(B_, task.m(), task.n(), U_, sigma_);
}

/// From a place along its v, and down to the floor.
void SingularValley::settle(PoseTask& task, const Place& from, double by, bool limits, Place& to) {
  const int m = task.m(), n = task.n(), last = std::min(m, n) - 1;
  const auto inside = [&](int k, double x) { return limits ? brought_inside(task.joints()[k], x) : x; };
  for (int k = 0; k < n; ++k) to.x[k] = inside(k, from.x[k] + by * from.v[k] * task.joints()[k].unit);
  for (int step = 0;; ++step) {
    to.error = task.place(to.x);
    look(task);
    double across = 0;
    std::array<double, 6> part{};
    for (int i = 0; i < last; ++i) {
      for (int r = 0; r < m; ++r) part[i] += U_[r * m + i] * task.e()[r];
      across = std::max(across, std::abs(part[i]));
    }
    if (step == settling_steps || across <= settled) break;
    for (int k = 0; k < n; ++k) {
      double back = 0;
      for (int i = 0; i < last && sigma_[i] > valley_rank_tolerance * sigma_[0]; ++i)
        back += B_[i * n + k] / sigma_[i] * (part[i] / sigma_[i]);
      to.x[k] = inside(k, to.x[k] - std::clamp(back, -longest_return, longest_return) * task.joints()[k].unit);
    }
  }

  // on, not back; and u without a jump where sigma passes zero
  const double length = sigma_[last];
  double on = 0, same = 0, largest = 0;
  for (int k = 0; k < n; ++k) {
    to.v[k] = length > 0 ? B_[last * n + k] / length : from.v[k];
    on += to.v[k] * from.v[k];
    largest = std::max(largest, std::abs(to.v[k]));
  }
  for (int r = 0; r < m; ++r) same += U_[r * m + last] * from.u[r];
  for (int k = 0; k < n; ++k) to.v[k] *= (on < 0 ? -1 : 1) / largest;
  to.slope = (on < 0) == (same < 0) ? length : -length;
  to.r = 0;
  for (int r = 0; r < m; ++r) {
    to.u[r] = U_[r * m + last] * (same < 0 ? -1 : 1);
    to.r += to.u[r] * task.e()[r];
  }
}

void SingularValley::enter(PoseTask& task, std::span<const double> x, double sign) {
  std::copy(x.begin(), x.end(), between_.x.begin());
  std::fill(between_.v.begin(), between_.v.end(), 0.0);
  between_.u = {};
  settle(task, between_, 0, false, here_);
  for (double& v : here_.v) v *= sign;
  here_.slope *= sign;
}

/// Steps from here_ narrowed to where a value of the place passes zero, or r has changed its sign; between_ is that place.
/// By the secant, with the weight of an end that stays halved (the Illinois method).
double SingularValley::narrow(PoseTask& task, bool limits, double Place::*value, double high, double at_high) {
  double low = 0, at_low = here_.*value, by = high;
  int stays = 0;
  for (int step = 0; step < narrowing_steps; ++step) {
    by = low + (high - low) * (at_low / (at_low - at_high));
    settle(task, here_, by, limits, between_);
    if (std::abs(between_.r) <= on_answer || (value != &Place::r && between_.r * here_.r < 0)) break;
    if (between_.*value * at_low > 0) {
      low = by, at_low = between_.*value;
      if (stays == 1) at_high /= 2;
      stays = 1;
    } else {
      high = by, at_high = between_.*value;
      if (stays == -1) at_low /= 2;
      stays = -1;
    }
  }
  return by;
}

bool SingularValley::walk(PoseTask& task, double by, bool limits, double most) {
  settle(task, here_, by, limits, ahead_);
  const Place* best = &ahead_;
  double passed = by, r_passed = ahead_.r;
  if (here_.r * ahead_.r > 0 && here_.r * here_.slope < 0 && ahead_.r * ahead_.slope > 0) {
    passed = narrow(task, limits, &Place::slope, by, ahead_.slope);
    r_passed = between_.r;
    best = &between_;
  }
  if (here_.r * r_passed < 0) {
    narrow(task, limits, &Place::r, passed, r_passed);
    best = &between_;
  }
  best_ = best->x;
  std::swap(here_, ahead_);
  return here_.error < most;
}

}  // namespace torsor
