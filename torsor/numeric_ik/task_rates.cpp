#include "torsor/numeric_ik/task_rates.hpp"

#include <algorithm>
#include <cmath>

#include "torsor/numeric/singular_values.hpp"

namespace torsor {

TaskRates::TaskRates(const PoseTask& task)
    : work_(task),
      B_(6 * task.joints().size()),
      rate_(B_.size()),
      null_(task.joints().size()),
      null_rate_(null_),
      moved_(null_),
      other_(null_),
      locked_(null_.size()) {}

/// |wanted - J scaled|
double TaskRates::residual(const PoseTask& task, std::span<const double> wanted, std::span<const double> scaled) const {
  double square = 0;
  for (int i = 0; i < task.m(); ++i) {
    double missing = wanted[i];
    for (int k = 0; k < task.n(); ++k) missing -= task.J()[i * task.n() + k] * scaled[k];
    square += missing * missing;
  }
  return std::sqrt(square);
}

/// Rate of -gain grad h along xd, by a central difference: near and centre have linear gradients, for which it is exact.
void TaskRates::gradient_rate(PoseTask& task, std::span<const double> x, std::span<const double> xd,
                              const RateOptions& options) {
  double fastest = 0;
  for (int k = 0; k < task.n(); ++k) fastest = std::max(fastest, std::abs(xd[k]) / task.joints()[k].unit);
  std::fill(null_rate_.begin(), null_rate_.end(), 0.0);
  if (!(fastest > 0)) return;
  const double step = 1e-5 / fastest;
  for (const double sign : {1.0, -1.0}) {
    for (int k = 0; k < task.n(); ++k) moved_[k] = x[k] + sign * step * xd[k];
    task.place(moved_);
    task.linearise();
    options.aim->gradient({task, moved_, options.posture, work_}, other_);
    for (int k = 0; k < task.n(); ++k) null_rate_[k] -= options.aim_gain * sign * other_[k] / (2 * step);
  }
  task.place(x);
  task.linearise();
}

/// The target's velocity where the frame is.
void TaskRates::want_velocity(const PoseTask& task, const Motion<double>& twist) {
  const Vec3<double> r = task.pose().p - task.target().p;
  task.components({twist.w, twist.v + cross(twist.w, r)}, wanted_);
}

/// The target's acceleration where the frame is, as it moves against the target's axes, less what velocities make.
void TaskRates::want_acceleration(PoseTask& task, const Motion<double>& twist, const Motion<double>& acceleration,
                                  std::span<const double> xd) {
  const Vec3<double> r = task.pose().p - task.target().p;
  task.jacobian_rate(xd, {}, rate_);
  const Motion<double> moves = task.motion(xd), bias = task.velocity_acceleration(xd);
  const Vec3<double> w_relative = moves.w - twist.w, v_relative = moves.v - (twist.v + cross(twist.w, r));
  const Vec3<double> wd = acceleration.w + cross(twist.w, w_relative);
  const Vec3<double> a =
      acceleration.v + cross(acceleration.w, r) + cross(twist.w, cross(twist.w, r)) + cross(twist.w, v_relative) * 2.0;
  task.components({wd - bias.w, a - bias.v}, wanted_);
}

RateAnswer TaskRates::carry_on(PoseTask& task, const Motion<double>& twist, const Motion<double>& acceleration,
                               double least, std::span<double> xd, std::span<double> xdd) {
  const int n = task.n(), m = task.m(), values = std::min(m, n);
  RateAnswer out;
  std::copy_n(task.J().begin(), m * n, B_.begin());
  singular_values<double>(B_, m, n, U_, sigma_);
  // both in the units of the joints: y_ is what the rates leave of what is wanted
  const auto put_right = [&](std::span<double> rate) {
    for (int k = 0; k < n; ++k) rate[k] /= task.joints()[k].unit;
    for (int i = 0; i < m; ++i) {
      y_[i] = wanted_[i];
      for (int k = 0; k < n; ++k) y_[i] -= task.J()[i * n + k] * rate[k];
    }
    out.lost = std::max(0, values - shortest_solution<double>(B_, U_, sigma_, m, n, least, y_, other_));
    for (int k = 0; k < n; ++k) rate[k] += other_[k];
    const double missing = residual(task, wanted_, rate);
    for (int k = 0; k < n; ++k) rate[k] *= task.joints()[k].unit;
    return missing;
  };
  want_velocity(task, twist);
  out.velocity_residual = put_right(xd);
  want_acceleration(task, twist, acceleration, xd);
  out.acceleration_residual = put_right(xdd);
  out.smallest_singular_value = values > 0 ? sigma_[static_cast<std::size_t>(values - 1)] : 0;
  return out;
}

RateAnswer TaskRates::solve(PoseTask& task, std::span<const double> x, const Motion<double>& twist,
                            const Motion<double>& acceleration, const RateOptions& options, std::span<double> xd,
                            std::span<double> xdd) {
  const int n = task.n(), m = task.m();
  const std::span<const TaskJoint> joints = task.joints();
  RateAnswer out;
  std::fill(locked_.begin(), locked_.end(), char{0});
  if (options.aim) {
    options.aim->gradient({task, x, options.posture, work_}, null_);
    for (double& z : null_) z *= -options.aim_gain;
  }
  want_velocity(task, twist);

  // xd and xdd in the units of the joints first
  int rank = 0;
  for (bool again = true; again;) {
    again = false;
    for (int i = 0; i < m; ++i)
      for (int k = 0; k < n; ++k) B_[i * n + k] = locked_[k] ? 0 : task.J()[i * n + k];
    singular_values<double>(B_, m, n, U_, sigma_);
    rank = shortest_solution<double>(B_, U_, sigma_, m, n, options.least_singular_value, wanted_, xd);
    if (options.aim) {
      for (int k = 0; k < n; ++k) other_[k] = locked_[k] ? 0 : null_[k];
      project_to_null_space<double>(B_, sigma_, n, rank, other_);
      for (int k = 0; k < n; ++k) xd[k] += other_[k];
    }
    for (int k = 0; k < n && options.limits; ++k) {
      const double margin = on_limit * joints[k].unit;
      const bool outward =
          (xd[k] < 0 && x[k] <= joints[k].lower + margin) || (xd[k] > 0 && x[k] >= joints[k].upper - margin);
      if (locked_[k] || !outward) continue;
      locked_[k] = 1;
      again = true;
    }
  }
  const int values = std::min(m, n);
  out.lost = std::max(0, values - rank);
  out.smallest_singular_value = values > 0 ? sigma_[static_cast<std::size_t>(values - 1)] : 0;
  out.velocity_residual = residual(task, wanted_, xd);

  // y - w: both are sums over the directions kept
  for (int i = 0; i < m; ++i) y_[i] = 0;
  for (int d = 0; d < rank; ++d) {
    double share = 0;
    for (int i = 0; i < m; ++i) share += U_[i * m + d] * wanted_[i];
    for (int k = 0; k < n && options.aim; ++k) share -= B_[d * n + k] * (locked_[k] ? 0 : null_[k]);
    for (int i = 0; i < m; ++i) y_[i] += U_[i * m + d] * share / sigma_[d] / sigma_[d];
  }
  for (int k = 0; k < n; ++k) xd[k] *= joints[k].unit;

  // what the accelerations keep shortest or pursue, in the null space
  if (options.aim) {
    gradient_rate(task, x, xd, options);
  } else {
    std::fill(null_rate_.begin(), null_rate_.end(), 0.0);
  }
  task.jacobian_rate(xd, twist.w, rate_);
  for (int k = 0; k < n; ++k) {
    for (int i = 0; i < m; ++i) null_rate_[k] += rate_[i * n + k] * y_[i];
    if (locked_[k]) null_rate_[k] = 0;
  }
  project_to_null_space<double>(B_, sigma_, n, rank, null_rate_);

  want_acceleration(task, twist, acceleration, xd);
  shortest_solution<double>(B_, U_, sigma_, m, n, options.least_singular_value, wanted_, xdd);
  for (int k = 0; k < n; ++k) xdd[k] += null_rate_[k];
  out.acceleration_residual = residual(task, wanted_, xdd);
  for (int k = 0; k < n; ++k) xdd[k] *= joints[k].unit;
  return out;
}

}  // namespace torsor
