#include "torsor/numeric_ik/place_descent.hpp"

#include <algorithm>
#include <cmath>

#include "torsor/numeric_ik/bounded_descent.hpp"
#include "torsor/spatial/whole_turn.hpp"

namespace torsor {

PlaceDescent::PlaceDescent(const PoseTask& task)
    : g_(task.joints().size()),
      H_(g_.size() * g_.size()),
      L_(H_),
      rate_(6 * g_.size()),
      xd_(g_.size()),
      delta_(g_.size()),
      trial_(g_.size()),
      held_(g_.size()) {}

/// Slope and curvature where the task stands, and which joints their bounds hold.
void PlaceDescent::curve(PoseTask& task, bool limits, std::span<const double> x) {
  const std::size_t n = g_.size(), m = static_cast<std::size_t>(task.m());
  task.linearise();
  steepness_ = trace_ = 0;
  for (std::size_t k = 0; k < n; ++k) {
    const TaskJoint& joint = task.joints()[k];
    xd_[k] = joint.unit;
    task.jacobian_rate(xd_, {}, rate_);
    xd_[k] = 0;
    g_[k] = 0;
    for (std::size_t i = 0; i < m; ++i) g_[k] += task.J()[i * n + k] * task.e()[i];
    for (std::size_t l = 0; l < n; ++l) {
      double sum = 0;
      for (std::size_t i = 0; i < m; ++i)
        sum += task.J()[i * n + k] * task.J()[i * n + l] + task.e()[i] * rate_[i * n + l];
      H_[k * n + l] = sum;
    }
    const bool goes_round = joint.turns && joint.upper - joint.lower >= whole_turn;
    held_[k] = limits && !goes_round && ((x[k] >= joint.upper && g_[k] < 0) || (x[k] <= joint.lower && g_[k] > 0));
    if (held_[k]) continue;
    steepness_ += std::abs(g_[k]);
    trace_ += std::abs(H_[k * n + k]);
  }
}

/// The step by Cholesky; false where the matrix is not positive.
bool PlaceDescent::solve(double shift) {
  const std::size_t n = g_.size();
  for (std::size_t i = 0; i < n; ++i)
    for (std::size_t k = 0; k <= i; ++k) {
      double sum = held_[i] || held_[k] ? (i == k ? 1 : 0) : H_[i * n + k] + (i == k ? shift : 0);
      for (std::size_t j = 0; j < k; ++j) sum -= L_[i * n + j] * L_[k * n + j];
      if (i == k && !(sum > 0)) return false;
      L_[i * n + k] = i == k ? std::sqrt(sum) : sum / L_[k * n + k];
    }
  for (std::size_t i = 0; i < n; ++i) {
    delta_[i] = held_[i] ? 0 : -g_[i];
    for (std::size_t j = 0; j < i; ++j) delta_[i] -= L_[i * n + j] * delta_[j];
    delta_[i] /= L_[i * n + i];
  }
  for (std::size_t i = n; i-- > 0;) {
    for (std::size_t j = i + 1; j < n; ++j) delta_[i] -= L_[j * n + i] * delta_[j];
    delta_[i] /= L_[i * n + i];
  }
  return true;
}

double PlaceDescent::run(PoseTask& task, bool limits, std::span<double> x) {
  constexpr int most_steps = 100, most_failures = 14;
  double error = task.place(x), shift = 0;
  curve(task, limits, x);
  for (int step = 0, failures = 0; step < most_steps && failures < most_failures && steepness_ > 0; ++step) {
    const double scale = trace_ + 1e-300;
    if (!solve(shift + 1e-14 * scale)) {
      shift = std::max(4 * shift, 1e-4 * scale);
      continue;
    }
    double longest = 0;
    for (const double d : delta_) longest = std::max(longest, std::abs(d));
    const double part = longest > 1 ? 1 / longest : 1;
    for (std::size_t k = 0; k < delta_.size(); ++k) {
      const TaskJoint& joint = task.joints()[k];
      trial_[k] = x[k] + part * delta_[k] * joint.unit;
      const bool goes_round = joint.turns && joint.upper - joint.lower >= whole_turn;
      if (!limits) continue;
      trial_[k] = goes_round ? brought_inside(joint, trial_[k]) : std::clamp(trial_[k], joint.lower, joint.upper);
    }
    const double there = task.place(trial_), before = steepness_;
    // where the error is all rounding, the slope still tells
    const bool is_level = std::abs(there - error) <= 1e-14 * error;
    bool taken = !is_level && there < error;
    if (taken || is_level) curve(task, limits, trial_);
    taken = taken || (is_level && steepness_ < 0.5 * before);
    if (taken) {
      std::copy(trial_.begin(), trial_.end(), x.begin());
      error = there;
      shift = shift < 1e-9 * scale ? 0 : shift / 8;
      failures = 0;
    } else {
      if (is_level) {
        task.place(x);
        curve(task, limits, x);
      }
      shift = std::max(8 * shift, 1e-6 * scale);
      ++failures;
    }
  }
  error = task.place(x);
  task.linearise();
  return error;
}

}  // namespace torsor
