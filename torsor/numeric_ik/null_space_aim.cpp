#include "torsor/numeric_ik/null_space_aim.hpp"

#include <algorithm>
#include <cmath>

#include "torsor/numeric/singular_values.hpp"

namespace torsor {
namespace {

constexpr int most_iterations = 300, remembered = 6;
constexpr double posture_rank_tolerance = 1e-9;  // of the largest singular value
constexpr double longest_step = 0.3;     // units of a joint
constexpr double at_limit = 1e-13;       // likewise: as near as this to a limit is on it

}  // namespace

NullSpaceAim::NullSpaceAim(const PoseTask& task)
    : work_(task),
      g_(task.joints().size()),
      d_(g_),
      d_before_(g_),
      trial_(g_),
      moved_(g_),
      B_(6 * g_.size()),
      pinned_(g_.size()) {}

double NullSpaceAim::direction(PoseTask& task, const SecondaryAim& aim, std::span<const double> posture, bool limits,
                               std::span<const double> x) {
  const int n = task.n(), m = task.m();
  aim.gradient({task, x, posture, work_}, g_);
  std::fill(pinned_.begin(), pinned_.end(), char{0});
  for (bool again = true; again;) {
    again = false;
    for (int i = 0; i < m; ++i)
      for (int k = 0; k < n; ++k) B_[i * n + k] = pinned_[k] ? 0 : task.J()[i * n + k];
    for (int k = 0; k < n; ++k) d_[k] = pinned_[k] ? 0 : -g_[k];
    singular_values<double>(B_, m, n, U_, sigma_);
    int rank = 0;
    while (rank < m && sigma_[rank] > posture_rank_tolerance * sigma_[0]) ++rank;
    // twice: what the first leaves along a short row is rounding of long ones
    for (int pass = 0; pass < 2; ++pass) project_to_null_space<double>(B_, sigma_, n, rank, d_);
    for (int k = 0; k < n && limits; ++k) {
      const TaskJoint& joint = task.joints()[k];
      const double margin = at_limit * joint.unit;
      const bool outward = (d_[k] < 0 && x[k] <= joint.lower + margin) || (d_[k] > 0 && x[k] >= joint.upper - margin);
      if (pinned_[k] || !outward) continue;
      pinned_[k] = 1;
      again = true;
    }
  }
  double largest = 0;
  for (const double d : d_) largest = std::max(largest, std::abs(d));
  return largest;
}

AimResult NullSpaceAim::run(PoseTask& task, BoundedDescent& descent, const DescentRules& rules, const SecondaryAim& aim,
                            std::span<const double> posture, double tolerance, std::span<double> x) {
  AimResult out;
  const auto value = [&](std::span<const double> at) { return aim.value({task, at, posture, work_}); };
  std::array<double, remembered> last{};
  last.fill(out.value = value(x));
  out.gradient = direction(task, aim, posture, rules.limits, x);
  DescentRules pinned = rules;
  pinned.pinned = pinned_;
  double alpha = 1;
  while (out.gradient > tolerance && out.iterations < most_iterations) {
    // no farther than to the first limit on the way
    alpha = std::min(alpha, longest_step / out.gradient);
    for (std::size_t k = 0; k < x.size() && rules.limits; ++k) {
      const TaskJoint& joint = task.joints()[k];
      if (d_[k] != 0) alpha = std::min(alpha, ((d_[k] > 0 ? joint.upper : joint.lower) - x[k]) / (d_[k] * joint.unit));
    }
    bool taken = false;
    for (int halving = 0; halving < 30 && !taken; ++halving, alpha = taken ? alpha : alpha / 2) {
      double slope = 0;
      for (std::size_t k = 0; k < x.size(); ++k) {
        const TaskJoint& joint = task.joints()[k];
        trial_[k] = x[k] + alpha * d_[k] * joint.unit;
        if (rules.limits) trial_[k] = std::clamp(trial_[k], joint.lower, joint.upper);
        slope += d_[k] * d_[k];
      }
      if (!descent.run(task, pinned, trial_).reached) continue;
      const double h = value(trial_), ceiling = *std::max_element(last.begin(), last.end());
      // what h itself rounds is no reason to refuse
      taken = h <= ceiling - 1e-4 * alpha * slope + 1e-15 * std::abs(ceiling);
      if (taken) out.value = h;
    }
    ++out.iterations;
    if (!taken) {
      task.place(x);
      task.linearise();
      break;
    }
    last[static_cast<std::size_t>(out.iterations % remembered)] = out.value;

    double ss = 0, sy = 0;
    for (std::size_t k = 0; k < x.size(); ++k) {
      moved_[k] = (trial_[k] - x[k]) / task.joints()[k].unit;
      x[k] = trial_[k];
      d_before_[k] = d_[k];
      ss += moved_[k] * moved_[k];
    }
    out.gradient = direction(task, aim, posture, rules.limits, x);
    for (std::size_t k = 0; k < x.size(); ++k) sy += moved_[k] * (d_before_[k] - d_[k]);
    alpha = sy > 0 ? std::clamp(ss / sy, 1e-6, 1e6) : 4 * alpha;
  }
  return out;
}

}  // namespace torsor
