#include "torsor/numeric_ik/bounded_descent.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "torsor/numeric/ldlt.hpp"
#include "torsor/spatial/whole_turn.hpp"

namespace torsor {
namespace {


bool goes_round(const TaskJoint& joint) { return joint.turns && joint.upper - joint.lower >= whole_turn; }

}  // namespace

double brought_inside(const TaskJoint& joint, double x) {
  if (joint.turns && x < joint.lower) {
    const double other = x + whole_turn * std::ceil((joint.lower - x) / whole_turn);
    if (other <= joint.upper) return other;
  } else if (joint.turns && x > joint.upper) {
    const double other = x - whole_turn * std::ceil((x - joint.upper) / whole_turn);
    if (other >= joint.lower) return other;
  }
  return std::clamp(x, joint.lower, joint.upper);
}

double nearest_turn(const TaskJoint& joint, double x, double to) {
  if (!joint.turns) return x;
  double near = x + whole_turn * std::nearbyint((to - x) / whole_turn);
  if (near > joint.upper) near -= whole_turn * std::ceil((near - joint.upper) / whole_turn);
  if (near < joint.lower) near += whole_turn * std::ceil((joint.lower - near) / whole_turn);
  return near <= joint.upper ? near : x;
}

BoundedDescent::BoundedDescent(const PoseTask& task)
    : delta_(task.joints().size()), trial_(delta_), on_bound_(delta_.size()) {}

void BoundedDescent::step(const PoseTask& task, const DescentRules& rules, double lambda, std::span<const double> x) {
  const int n = task.n(), m = task.m();
  const auto J = task.J();
  const auto e = task.e();
  const auto at = [&](int i, int k) { return J[i * n + k]; };
  for (int k = 0; k < n; ++k) {
    on_bound_[k] = rules.pinned.empty() ? char{0} : rules.pinned[k];
    delta_[k] = 0;
  }
  for (bool again = true; again;) {
    again = false;
    for (int i = 0; i < m; ++i) {
      y_[i] = -e[i];
      for (int j = 0; j <= i; ++j) {
        double sum = i == j ? lambda : 0;
        for (int k = 0; k < n; ++k)
          if (!on_bound_[k]) sum += at(i, k) * at(j, k);
        A_[i * m + j] = sum;
      }
      for (int k = 0; k < n; ++k)
        if (on_bound_[k]) y_[i] -= at(i, k) * delta_[k];
    }
    ldlt_factor<double>(A_, m);
    ldlt_solve<double>(A_, m, y_);
    for (int k = 0; k < n; ++k) {
      if (on_bound_[k]) continue;
      const TaskJoint& joint = task.joints()[k];
      double sum = 0;
      for (int i = 0; i < m; ++i) sum += at(i, k) * y_[i];
      delta_[k] = sum;
      if (!rules.limits || goes_round(joint)) continue;
      const double there = x[k] + sum * joint.unit;
      if (joint.lower <= there && there <= joint.upper) continue;
      delta_[k] = (std::clamp(there, joint.lower, joint.upper) - x[k]) / joint.unit;
      on_bound_[k] = 1;
      again = true;
    }
  }
}

/// By how much |e|^2 / 2 would fall over part of the step if J were constant.
double BoundedDescent::gain(const PoseTask& task, double part) const {
  double gain = 0;
  for (int i = 0; i < task.m(); ++i) {
    double change = 0;
    for (int k = 0; k < task.n(); ++k) change += task.J()[i * task.n() + k] * delta_[k];
    gain -= part * change * (task.e()[i] + part * change / 2);
  }
  return gain;
}

Descent BoundedDescent::run(PoseTask& task, const DescentRules& rules, std::span<double> x) {
  const auto reached = [&] {
    return task.position_error() <= rules.position_tolerance && task.angle_error() <= rules.angle_tolerance;
  };
  // the least that lambda may be: with fewer joints than rows the pivots of J J^T beyond the rank must not be rounding
  const double least_lambda = task.n() < task.m() ? 1e-13 : 1e-16;
  constexpr double first_mu = 0.05, least_mu = 1e-4, most_mu = 1e6;
  // steps beyond success, while they still gain
  constexpr int finishing_steps = 3;

  Descent out;
  out.error = task.place(x);
  task.linearise();
  double mu = first_mu, mark = out.error;
  int since_mark = 0, finishing = 0;
  while (out.iterations < rules.most_iterations) {
    out.reached = out.reached || reached();
    if (out.error == 0 || (out.reached && finishing++ == finishing_steps)) break;
    ++out.iterations;
    step(task, rules, 2 * mu * out.error + least_lambda, x);
    double longest = 0;
    for (const double d : delta_) longest = std::max(longest, std::abs(d));
    // never more than a quarter turn at once
    const double shorten = longest > std::numbers::pi / 2 ? std::numbers::pi / 2 / longest : 1;
    for (std::size_t k = 0; k < delta_.size(); ++k) {
      const TaskJoint& joint = task.joints()[k];
      trial_[k] = x[k] + shorten * delta_[k] * joint.unit;
      if (rules.limits) trial_[k] = brought_inside(joint, trial_[k]);
    }
    const double promised = gain(task, shorten), error = task.place(trial_), gained = (out.error - error) / promised;
    if (error < out.error) {
      std::copy(trial_.begin(), trial_.end(), x.begin());
      task.linearise();
      mu = std::max(least_mu, gained > 0.75 ? mu / 5 : gained < 0.25 ? mu * 2 : mu);
      out.error = error;
    } else {
      if (out.reached) break;
      mu *= 6;
      if (mu > most_mu) break;
    }
    if (out.error < 0.9 * mark) mark = out.error, since_mark = 0;
    if (++since_mark > rules.patience) break;
  }
  out.error = task.place(x);
  task.linearise();
  return out;
}

}  // namespace torsor
