#include "torsor/numeric_ik/general_solver.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "torsor/closed_form_ik/is_frame.hpp"
#include "torsor/model/random_position.hpp"
#include "torsor/numeric/row_major.hpp"
#include "torsor/numeric/singular_values.hpp"
#include "torsor/scalar/infinity.hpp"

namespace torsor {
namespace {

constexpr double farthest = 1e6;  // half arm lengths
constexpr int descents_for_reason = 8, descents_to_place = 120, patient_iterations = 300;

// a descent that stalls this near to the target does so in a valley along a direction that the arm has nearly lost
constexpr double valley_error = 1e-4;
constexpr int most_valleys = 8, valley_steps = 17;
// one that came this near says that the target is in reach, of an arm that is nearly singular there: more descents find it
constexpr double near_error = 1e-3;
constexpr int restarts_when_near = 10;  // times as many
constexpr double first_valley_step = 0.02, valley_step = 0.2;  // units of the joint that moves most

/// A slide that goes farther than the arm reaches without it, nearly: a rail.
bool is_long_slide(const TaskJoint& joint) { return joint.slides && !(joint.upper - joint.lower <= 1.5 * joint.unit); }

double beyond(const TaskJoint& joint, double x) {
  return x < joint.lower ? x - joint.lower : x > joint.upper ? x - joint.upper : 0;
}

}  // namespace

GeneralSolver::GeneralSolver(const Model<double>& model, const Frame<double>& frame)
    : task_(model, frame),
      descent_(task_),
      null_space_(task_),
      valley_(task_),
      place_(task_),
      q_(static_cast<std::size_t>(model.nq)),
      start_(task_.joints().size()),
      x_(start_),
      best_(start_),
      posture_(start_),
      origin_(start_),
      B_(6 * start_.size()) {}

/// Uniform inside the limits; for joints that go round, one turn about the start. Rails go to where the
/// frame, with the others as they are drawn, comes nearest to its place.
void GeneralSolver::draw(std::span<double> x) {
  bool any_rail = false;
  for (std::size_t k = 0; k < x.size(); ++k) {
    const TaskJoint& joint = task_.joints()[k];
    const double half = joint.unit * std::numbers::pi;
    const bool wide = !(joint.upper - joint.lower <= 2 * half);
    any_rail = any_rail || is_long_slide(joint);
    const double low = wide ? std::clamp(start_[k] - half, joint.lower, joint.upper) : joint.lower;
    const double high = wide ? std::clamp(start_[k] + half, joint.lower, joint.upper) : joint.upper;
    x[k] = low + (high - low) * uniform(engine_);
  }
  if (any_rail) set_rails(x);
}

/// The place is linear in the rails: by the shortest way to where the distance is least, or as far as their limits let them.
void GeneralSolver::set_rails(std::span<double> x) {
  constexpr double least_sigma = 1e-6;
  task_.place(x);
  task_.linearise();
  const int m = task_.m(), n = task_.n();
  for (int k = 0; k < n; ++k) {
    const bool is_rail = is_long_slide(task_.joints()[static_cast<std::size_t>(k)]);
    for (int i = 0; i < m; ++i) B_[cell(i, n, k)] = is_rail ? task_.J()[cell(i, n, k)] : 0;
  }
  singular_values<double>(B_, m, n, U_, sigma_);
  for (int i = 0; i < m; ++i) {
    const double sigma = sigma_[static_cast<std::size_t>(i)];
    if (!(sigma > least_sigma)) break;
    double along = 0;
    for (int r = 0; r < m; ++r) along += U_[cell(r, m, i)] * task_.e()[static_cast<std::size_t>(r)];
    for (int k = 0; k < n; ++k) {
      const auto at = static_cast<std::size_t>(k);
      x[at] -= B_[cell(i, n, k)] * along / (sigma * sigma) * task_.joints()[at].unit;
    }
  }
  for (std::size_t k = 0; k < x.size(); ++k) {
    const TaskJoint& joint = task_.joints()[k];
    if (is_long_slide(joint)) x[k] = std::clamp(x[k], joint.lower, joint.upper);
  }
}

/// Conditioning at the position where the task stands.
void GeneralSolver::measure(GeneralAnswer& answer) {
  const int m = task_.m(), n = task_.n(), values = std::min(m, n);
  answer.position_residual = task_.position_error();
  answer.angle_residual = task_.angle_error();
  if (n == 0) return;
  std::copy(task_.J().begin(), task_.J().end(), B_.begin());
  singular_values<double>(B_, m, n, U_, sigma_);
  answer.smallest_singular_value = sigma_[static_cast<std::size_t>(values - 1)];
  answer.manipulability = 1;
  for (int i = 0; i < values; ++i) answer.manipulability *= sigma_[static_cast<std::size_t>(i)];
  std::array<double, 6> least{};
  for (int i = 0; i < m; ++i) least[static_cast<std::size_t>(i)] = U_[cell(i, m, values - 1)];
  answer.lost = task_.in_world(least);
}

/// From where a descent has stalled both ways along the valley, with a descent wherever it leads.
template <class Try>
Descent GeneralSolver::cross_valley(bool limits, const Try& try_from_x) {
  std::copy(x_.begin(), x_.end(), origin_.begin());
  Descent descent;
  for (const double sign : {1.0, -1.0}) {
    valley_.enter(task_, origin_, sign);
    for (int step = 0; step < valley_steps; ++step) {
      if (!valley_.walk(task_, step == 0 ? first_valley_step : valley_step, limits, valley_error)) break;
      std::copy(valley_.x().begin(), valley_.x().end(), x_.begin());
      descent = try_from_x();
      if (descent.reached) return descent;
    }
  }
  return descent;
}

/// Brings a target that is beyond `farthest` there, along the line from the root: the nearest position is the same to a
/// millionth of the arm. Components that do not count go by themselves. Answers how far those that count were moved.
double GeneralSolver::bring_near(const Vec3<double>& shift, Transform<double>& target) const {
  const double bound = farthest * task_.length();
  Vec3<double> p = ~target.R * (target.p - task_.root());  // along the axes of the weights
  const double distance = std::hypot(shift.x > 0 ? p.x : 0, shift.y > 0 ? p.y : 0, shift.z > 0 ? p.z : 0);
  if (is_within(p, bound) && !(distance > bound)) return 0;
  const auto near = [&](double weight, double x) {
    return !(weight > 0) ? std::clamp(x, -bound, bound) : distance > bound ? x / distance * bound : x;
  };
  p = {near(shift.x, p.x), near(shift.y, p.y), near(shift.z, p.z)};
  target.p = task_.root() + target.R * p;
  return distance > bound ? distance - bound : 0;
}

GeneralAnswer GeneralSolver::solve(const Transform<double>& target, std::span<const double> start,
                                   const GeneralOptions& options) {
  TORSOR_EXPECT(start.size() == q_.size());
  GeneralAnswer answer;
  for (std::size_t i = 0; i < q_.size(); ++i) q_[i] = std::isfinite(start[i]) ? start[i] : 0;
  answer.q = q_;
  if (!is_task(options.weights)) {
    answer.status = GeneralStatus::not_a_task;
    return answer;
  }
  if (!is_frame(target.R) || !is_within(target.p - task_.root(), std::numeric_limits<double>::max())) return answer;
  Transform<double> aimed = target;
  const double moved = bring_near(options.weights.shift, aimed);

  task_.hold(q_);
  task_.aim(aimed, options.weights);
  const std::span<const TaskJoint> joints = task_.joints();
  for (std::size_t k = 0; k < joints.size(); ++k) {
    const double x = q_[static_cast<std::size_t>(joints[k].q)];
    start_[k] = options.limits ? brought_inside(joints[k], x) : x;
  }
  DescentRules rules;
  rules.position_tolerance = std::max(options.position_tolerance, 1e-14) * task_.length();
  rules.angle_tolerance = std::max(options.angle_tolerance, 1e-14);
  rules.limits = options.limits;

  answer.beyond_doubt = norm(aimed.p - task_.root()) > task_.reach() * (1 + 1e-12) + rules.position_tolerance &&
                        options.weights.shift.x > 0 && options.weights.shift.y > 0 && options.weights.shift.z > 0;
  if (answer.beyond_doubt) answer.at_least = norm(aimed.p - task_.root()) - task_.reach();
  const int restarts = answer.beyond_doubt ? std::min(options.restarts, descents_for_reason) : options.restarts;
  std::copy(start_.begin(), start_.end(), best_.begin());
  double least = std::numeric_limits<double>::infinity();
  const auto try_from_x = [&] {
    const Descent descent = descent_.run(task_, rules, x_);
    answer.iterations += descent.iterations;
    if (descent.error < least || descent.reached) {
      least = descent.error;
      std::copy(x_.begin(), x_.end(), best_.begin());
    }
    return descent;
  };
  std::copy(start_.begin(), start_.end(), x_.begin());
  Descent descent = try_from_x();
  for (int valleys = 0;
       !descent.reached && answer.restarts < (least < near_error ? restarts_when_near * restarts : restarts);) {
    if (descent.error < valley_error && valleys++ < most_valleys) descent = cross_valley(rules.limits, try_from_x);
    if (descent.reached) break;
    if (answer.restarts++ == 0) engine_.seed(options.seed);
    draw(x_);
    descent = try_from_x();
  }
  answer.status = descent.reached && moved == 0 ? GeneralStatus::converged : GeneralStatus::out_of_reach;
  if (!descent.reached) {
    // the distance of the best of them, down to its own minimum
    std::copy(best_.begin(), best_.end(), x_.begin());
    rules.patience = rules.most_iterations = patient_iterations;
    if (try_from_x().reached && moved == 0) answer.status = GeneralStatus::converged;
    rules.patience = DescentRules{}.patience;
    rules.most_iterations = DescentRules{}.most_iterations;
  }

  // answers near the start first: an aim changes them continuously from there
  const auto near_start = [&] {
    for (std::size_t k = 0; k < joints.size(); ++k)
      if (options.limits)
        best_[k] = nearest_turn(joints[k], best_[k], start_[k]);
      else if (joints[k].turns)
        best_[k] = start_[k] + std::remainder(best_[k] - start_[k], 2 * std::numbers::pi);
  };
  near_start();
  task_.place(best_);
  task_.linearise();
  if (answer.status == GeneralStatus::converged && options.aim) {
    for (std::size_t k = 0; k < joints.size(); ++k) {
      const std::size_t i = static_cast<std::size_t>(joints[k].q);
      posture_[k] = options.posture.empty() ? q_[i] : options.posture[i];
    }
    const AimResult aim = null_space_.run(task_, descent_, rules, *options.aim, posture_, options.aim_tolerance, best_);
    answer.aim_value = aim.value;
    answer.aim_gradient = aim.gradient;
    answer.aim_iterations = aim.iterations;
  }
  measure(answer);
  if (answer.status == GeneralStatus::converged) {
    if (answer.smallest_singular_value < singular_value_limit) answer.status = GeneralStatus::singular;
  } else {
    find_reason(aimed, options, rules, answer);
  }
  if (moved > 0) {  // no joint limit is the reason
    answer.status = GeneralStatus::out_of_reach;
    answer.limit_joint = -1;
    answer.position_residual += moved;
    answer.short_by += moved;
    if (answer.beyond_doubt) answer.at_least += moved;
  }
  for (std::size_t k = 0; k < joints.size(); ++k) q_[static_cast<std::size_t>(joints[k].q)] = best_[k];
  return answer;
}

/// Nothing was found: would a joint beyond its limits do, is it the place or the orientation?
void GeneralSolver::find_reason(const Transform<double>& target, const GeneralOptions& options,
                                const DescentRules& rules, GeneralAnswer& answer) {
  const std::span<const TaskJoint> joints = task_.joints();
  if (options.limits && !answer.beyond_doubt) {
    DescentRules unlimited = rules;
    unlimited.limits = false;
    double least = std::numeric_limits<double>::infinity();
    for (int k = 0; k <= descents_for_reason; ++k) {
      if (k == 0)
        std::copy(best_.begin(), best_.end(), x_.begin());
      else
        draw(x_);
      const Descent descent = descent_.run(task_, unlimited, x_);
      answer.iterations += descent.iterations;
      if (!descent.reached) continue;
      // of several such answers the one that asks least
      int worst = -1;
      double most = 0;
      for (std::size_t j = 0; j < joints.size(); ++j) {
        const double x = joints[j].turns ? best_[j] + std::remainder(x_[j] - best_[j], 2 * std::numbers::pi) : x_[j];
        const double by = beyond(joints[j], nearest_turn(joints[j], x, best_[j]));
        if (std::abs(by) / joints[j].unit > std::abs(most)) most = by / joints[j].unit, worst = static_cast<int>(j);
      }
      if (worst < 0 || std::abs(most) >= least) continue;
      least = std::abs(most);
      answer.status = GeneralStatus::outside_limits;
      answer.limit_joint = joints[static_cast<std::size_t>(worst)].v;
      answer.beyond_limit = most * joints[static_cast<std::size_t>(worst)].unit;
    }
  }
  if (answer.status == GeneralStatus::out_of_reach) {
    answer.short_by = answer.position_residual;
    const Vec3<double> shift = options.weights.shift;
    if (shift.x > 0 || shift.y > 0 || shift.z > 0) {
      task_.aim(target, {{0, 0, 0}, shift});
      double least = infinity;
      for (int k = 0; k <= descents_to_place && answer.short_by > rules.position_tolerance; ++k) {
        if (k == 0)
          std::copy(best_.begin(), best_.end(), x_.begin());
        else
          draw(x_);
        const Descent descent = descent_.run(task_, rules, x_);
        answer.iterations += descent.iterations;
        // what ends near the best, and that may be far from where it would end, is led down
        if (descent.error < 4 * least) least = std::min(least, place_.run(task_, rules.limits, x_));
        answer.short_by = std::min(answer.short_by, task_.position_error());
      }
      if (answer.short_by <= rules.position_tolerance) answer.short_by = 0;
      task_.aim(target, options.weights);
    }
  }
  task_.place(best_);
  task_.linearise();
}

}  // namespace torsor
