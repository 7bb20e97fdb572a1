#include "torsor/numeric_ik/follow_path.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <optional>
#include <utility>

#include "torsor/closed_form_ik/is_frame.hpp"
#include "torsor/numeric/singular_values.hpp"
#include "torsor/scalar/infinity.hpp"
#include "torsor/spatial/whole_turn.hpp"

namespace torsor {
namespace {

constexpr double largest_correction = 0.04;    // units of a joint: beyond it a descent may have changed branches
constexpr double near_singular_value = 0.02;   // as near_singular_factor, for arms that have no factors
constexpr double rates_singular_value = 1e-3;  // below it accelerations lose more than half of their digits
constexpr double rounding_value = 1e-5;        // below it they have none
constexpr std::size_t longest_gap = 4;         // samples between two whose rates are determined
constexpr double shortest_step = 1e-12;        // of the duration
constexpr int most_steps = 20000;              // between two samples

/// At t, the quintic with the given values, velocities and accelerations at two instants.
struct Quintic {
  double x, xd, xdd;

  Quintic(double t, double ta, const std::array<double, 3>& a, double tb, const std::array<double, 3>& b) {
    const double T = tb - ta, u = (t - ta) / T, v = a[1] * T, w = a[2] * T * T / 2;
    // what the parabola of the first lacks at the second
    const double p = b[0] - (a[0] + v + w), pd = b[1] * T - (v + 2 * w), pdd = b[2] * T * T - 2 * w;
    const double c3 = 10 * p - 4 * pd + pdd / 2, c4 = -15 * p + 7 * pd - pdd, c5 = 6 * p - 3 * pd + pdd / 2;
    x = a[0] + u * (v + u * (w + u * (c3 + u * (c4 + u * c5))));
    xd = (v + u * (2 * w + u * (3 * c3 + u * (4 * c4 + u * 5 * c5)))) / T;
    xdd = (2 * w + u * (6 * c3 + u * (12 * c4 + u * 20 * c5))) / (T * T);
  }
};

class Follower {
 public:
  Follower(const Model<double>& m, const Frame<double>& frame, const ArmSolver* c, const PathOfTime& p, double d,
           const FollowOptions& o)
      : model(m),
        closed(c),
        path(p),
        duration(d),
        options(o),
        solver(m, frame),
        task(solver.task()),
        descent(task),
        rates(task),
        x(task.joints().size()),
        xd(x),
        xdd(x),
        trial(x),
        predicted(x),
        posture(x),
        held(x.size()),
        met(held) {
    rate_options.limits = options.limits;
    rate_options.aim = options.aim;
    rate_options.aim_gain = options.aim_gain;
    rate_options.posture = posture;
    rules.limits = options.limits && !options.guide;  // with a guide they are looked at behind
    rules.most_iterations = 20;
    rules.position_tolerance *= task.length();
    out.closed_form = closed != nullptr;
  }

  FollowedPath run(double period, std::span<const double> start) {
    if (!begin(start)) return std::move(out);
    sample(0);
    const double periods = std::ceil(duration / period * (1 - 1e-12));
    for (double k = 1; k <= periods; ++k)
      if (!advance(k == periods ? duration : k * period)) break;
    for (std::size_t i = 0; i < out.samples.size(); ++i)
      if (!is_determined(i)) pass_singular(i);
    if (!options.jumps) detail::end_at_jump(out, task.joints(), options.longest_step);
    // what turns a joint over lies between the samples: the steps have seen it
    if (out.stop == PathStop::jump) out.smallest_singular_value = least_before[out.samples.size()];
    return std::move(out);
  }

 private:
  bool begin(std::span<const double> start) {
    GeneralOptions general;
    general.weights = options.weights;
    general.limits = options.limits;
    general.seed = options.seed;
    const CartesianState first = path(0);
    const GeneralAnswer answer = solver.solve(first.X, start, general);
    q.assign(answer.q.begin(), answer.q.end());
    out.smallest_singular_value = answer.smallest_singular_value;
    if (!answer.solved()) {
      out.stop = answer.status == GeneralStatus::not_a_pose   ? PathStop::not_a_pose
                 : answer.status == GeneralStatus::not_a_task ? PathStop::not_a_task
                                                              : PathStop::no_start;
      report(answer);
      return false;
    }
    for (std::size_t k = 0; k < x.size(); ++k) {
      const std::size_t i = static_cast<std::size_t>(task.joints()[k].q);
      x[k] = q[i];
      posture[k] = options.posture.empty() ? q[i] : options.posture[i];
    }
    stand(first, 0.0);
    return true;
  }

  /// Rates at an instant, where the joints are.
  void stand(const CartesianState& now) {
    task.aim(now.X, options.weights);
    task.place(x);
    task.linearise();
    rate = rates.solve(task, x, now.twist, now.acceleration, rate_options, xd, xdd);
  }

  /// The motion of the joints that does not move the tool, as near to the guide's c as can be; answers c . n.
  double spare_motion() {
    const std::size_t n = x.size();
    J.assign(task.J().begin(), task.J().end());
    singular_values<double>(J, task.m(), task.n(), U, sigma);
    for (std::size_t k = 0; k < n; ++k) spare[k] = guide.c[k] * task.joints()[k].unit;
    const int rank = static_cast<int>(std::ranges::count_if(
        std::span(sigma).first(static_cast<std::size_t>(task.m())), [](double s) { return s > rounding_value; }));
    project_to_null_space<double>(J, sigma, task.n(), rank, spare);
    double square = 0;
    for (std::size_t k = 0; k < n; ++k) {
      square += spare[k] * spare[k];
      spare[k] *= task.joints()[k].unit;
    }
    return square;
  }

  /// c . (x - g) = 0, differentiated once and twice.
  void stand_by_guide(const CartesianState& now, double at) {
    task.aim(now.X, options.weights);
    task.place(x);
    task.linearise();
    (*options.guide)(at, guide);
    const double along = spare_motion();
    const auto along_guide = [&](std::span<const double> v) { return dot(guide.c, v); };
    std::ranges::fill(xd, 0.0);
    std::ranges::fill(xdd, 0.0);
    rates.carry_on(task, now.twist, now.acceleration, rate_options.least_singular_value, xd, xdd);
    double asked = along_guide(guide.gd);
    for (std::size_t k = 0; k < x.size(); ++k) asked -= guide.cd[k] * (x[k] - guide.g[k]);
    const double by = (asked - along_guide(xd)) / along;
    for (std::size_t k = 0; k < x.size(); ++k) xd[k] = by * spare[k];
    std::ranges::fill(xdd, 0.0);
    rate = rates.carry_on(task, now.twist, now.acceleration, rate_options.least_singular_value, xd, xdd);
    asked = along_guide(guide.gdd);
    for (std::size_t k = 0; k < x.size(); ++k)
      asked -= guide.cdd[k] * (x[k] - guide.g[k]) + 2 * guide.cd[k] * (xd[k] - guide.gd[k]);
    const double more = (asked - along_guide(xdd)) / along;
    for (std::size_t k = 0; k < x.size(); ++k) xdd[k] += more * spare[k];
  }

  static double dot(std::span<const double> a, std::span<const double> b) {
    double sum = 0;
    for (std::size_t k = 0; k < a.size(); ++k) sum += a[k] * b[k];
    return sum;
  }

  /// From a position at the pose to the one at it that the guide means, in trial; false where that is not near, or beyond limits.
  bool keep_to_guide(double at) {
    constexpr double near_enough = 1e-12;
    constexpr int most = 12;
    (*options.guide)(at, guide);
    for (int turn = 0; turn < most; ++turn) {
      double off = 0;
      for (std::size_t k = 0; k < x.size(); ++k) off += guide.c[k] * (trial[k] - guide.g[k]);
      if (std::abs(off) < near_enough) {
        for (std::size_t k = 0; k < x.size() && options.limits; ++k) {
          const TaskJoint& joint = task.joints()[k];
          const double margin = on_limit * joint.unit;
          if (trial[k] < joint.lower - margin || trial[k] > joint.upper + margin) return false;
        }
        return true;
      }
      const double along = spare_motion();
      if (!(std::abs(off) < 0.3 * std::sqrt(along))) return false;
      for (std::size_t k = 0; k < x.size(); ++k) trial[k] -= off / along * spare[k];
      if (!descent.run(task, rules, trial).reached) return false;
    }
    return false;
  }

  /// Where directions are lost the joints go on as they came, for the step behind: over h from rates that were determined.
  void stand(const CartesianState& now, double h) {
    if (options.guide) return stand_by_guide(now, t + h);
    if (h == 0) return stand(now);
    const bool from_regular = rate.smallest_singular_value >= rates_singular_value;
    came = xd;
    came_faster = xdd;
    stand(now);
    if (!from_regular || rate.smallest_singular_value >= rounding_value) return;
    for (std::size_t k = 0; k < x.size(); ++k) came[k] += h * came_faster[k];
    rates.carry_on(task, now.twist, now.acceleration, rates_singular_value, came, came_faster);
    xd = came;
    xdd = came_faster;
  }

  bool is_determined(std::size_t i) const { return out.samples[i].smallest_singular_value >= rates_singular_value; }

  /// The two samples whose rates are determined that those of sample i are taken from.
  std::optional<std::pair<std::size_t, std::size_t>> neighbours(std::size_t i) const {
    const std::size_t count = out.samples.size();
    std::size_t before = i, behind = i;
    while (before < count && !is_determined(before)) --before;  // wraps round below the first
    while (behind < count && !is_determined(behind)) ++behind;
    if (before < count && behind < count)
      return behind - before <= longest_gap ? std::optional(std::pair{before, behind}) : std::nullopt;
    if (behind == i + 1 && behind + 1 < count && is_determined(behind + 1)) return std::pair{behind, behind + 1};
    if (before + 1 == i && before > 0 && before < count && is_determined(before - 1))
      return std::pair{before - 1, before};
    return std::nullopt;
  }

  /// Position and rates of a sample at a singular instant.
  void pass_singular(std::size_t i) {
    PathSample& s = out.samples[i];
    const CartesianState now = path(s.t);
    task.aim(now.X, options.weights);
    if (const auto pair = neighbours(i);
        pair && continue_between(s, now, out.samples[pair->first], out.samples[pair->second]))
      return;
    // rates that are nothing but rounding give way to the least: accelerations first, which lose more digits
    if (s.smallest_singular_value >= rounding_value) return;
    for (std::size_t k = 0; k < x.size(); ++k) x[k] = s.q[static_cast<std::size_t>(task.joints()[k].q)];
    task.place(x);
    task.linearise();
    if (s.smallest_singular_value >= detail::speeds_singular_value) {
      for (std::size_t k = 0; k < x.size(); ++k) xd[k] = s.qd[static_cast<std::size_t>(task.joints()[k].v)];
      std::ranges::fill(xdd, 0.0);
      write_rates(s, rates.carry_on(task, now.twist, now.acceleration, rates_singular_value, xd, xdd),
                  RatesFrom::least);
      return;
    }
    RateOptions least = rate_options;
    least.least_singular_value = rates_singular_value;
    write_rates(s, rates.solve(task, x, now.twist, now.acceleration, least, xd, xdd), RatesFrom::least);
  }

  /// False, and the sample is as it was, if so the tool would not move as asked.
  bool continue_between(PathSample& s, const CartesianState& now, const PathSample& a, const PathSample& b) {
    const std::span<const TaskJoint> joints = task.joints();
    for (std::size_t k = 0; k < x.size(); ++k) {
      const auto i = static_cast<std::size_t>(joints[k].q), v = static_cast<std::size_t>(joints[k].v);
      const Quintic along(s.t, a.t, {a.q[i], a.qd[v], a.qdd[v]}, b.t, {b.q[i], b.qd[v], b.qdd[v]});
      predicted[k] = trial[k] = along.x;
      xd[k] = along.xd;
      xdd[k] = along.xdd;
    }
    if (!descent.run(task, rules, trial).reached) return false;
    double speed = 0, change = 0;
    for (std::size_t k = 0; k < x.size(); ++k) {
      if (!(std::abs(trial[k] - predicted[k]) <= largest_correction * joints[k].unit)) return false;
      speed = std::max(speed, std::abs(xd[k]) / joints[k].unit);
      change = std::max(change, std::abs(xdd[k]) / joints[k].unit);
    }
    task.place(trial);
    task.linearise();
    const RateAnswer answer = rates.carry_on(task, now.twist, now.acceleration, rates_singular_value, xd, xdd);
    if (!(answer.velocity_residual <= 1e-3 * speed + 1e-12) ||
        !(answer.acceleration_residual <= 1e-2 * (change + speed * speed) + 1e-12))
      return false;
    for (std::size_t k = 0; k < x.size(); ++k) s.q[static_cast<std::size_t>(joints[k].q)] = trial[k];
    s.position_residual = task.position_error();
    s.angle_residual = task.angle_error();
    write_rates(s, answer, RatesFrom::neighbours);
    return true;
  }

  void write_rates(PathSample& s, const RateAnswer& answer, RatesFrom from) {
    for (std::size_t k = 0; k < x.size(); ++k) {
      s.qd[static_cast<std::size_t>(task.joints()[k].v)] = xd[k];
      s.qdd[static_cast<std::size_t>(task.joints()[k].v)] = xdd[k];
    }
    s.velocity_residual = answer.velocity_residual;
    s.acceleration_residual = answer.acceleration_residual;
    s.rates = from;
  }

  bool advance(double to) {
    steps = 0;
    double h = to - t;
    while (t < to) {
      h = std::min(h, to - t);
      const double next = h == to - t ? to : t + h;
      if (steps++ < most_steps && step(next - t, next)) {
        t = next;
        h *= 2;
        continue;
      }
      h /= 2;
      if (h > shortest_step * duration && t + h > t && steps < most_steps) continue;
      explain(to);
      return false;
    }
    sample(t);
    return true;
  }

  /// One step of h to the instant `next`, if it stays on the branch.
  bool step(double h, double next) {
    const std::span<const TaskJoint> joints = task.joints();
    for (std::size_t k = 0; k < x.size(); ++k) {
      const double by = h * (xd[k] + h / 2 * xdd[k]), margin = on_limit * joints[k].unit;
      if (!(std::abs(by) <= options.longest_step * joints[k].unit)) return false;
      predicted[k] = x[k] + by;
      const bool pins = options.limits && !options.guide;
      const bool lower = pins && predicted[k] <= joints[k].lower + margin,
                 upper = pins && predicted[k] >= joints[k].upper - margin;
      if (lower || upper) predicted[k] = lower ? joints[k].lower : joints[k].upper;
      held[k] = lower || upper;
      met[k] = held[k] && std::abs(predicted[k] - x[k]) > margin;
    }
    const CartesianState ahead = path(next);
    if (!is_frame(ahead.X.R) || !is_within(ahead.X.p - task.root(), 1e6 * task.length())) return false;
    task.aim(ahead.X, options.weights);
    // a joint that meets its limit or stays there is on it to the last bit, which its rates go by, if the others
    // reach the pose without it; those that were there before may have to leave
    if (!correct(held) && !correct(met) && !correct({})) return false;
    if (options.guide && !keep_to_guide(next)) return false;
    std::copy(trial.begin(), trial.end(), x.begin());
    stand(ahead, h);
    least_since = std::min(least_since, rate.smallest_singular_value);
    return true;
  }

  /// From the prediction to the pose the task aims at, into trial, without the joints that are pinned: whether that is
  /// near. False as well for a list of joints of which none is pinned.
  bool correct(std::span<const char> pinned) {
    if (!pinned.empty() && std::ranges::count(pinned, 1) == 0) return false;
    DescentRules others = rules;
    others.pinned = pinned;
    std::copy(predicted.begin(), predicted.end(), trial.begin());
    if (!descent.run(task, others, trial).reached) return false;
    for (std::size_t k = 0; k < x.size(); ++k) {
      const double unit = task.joints()[k].unit;
      if (!(std::abs(trial[k] - predicted[k]) <= largest_correction * unit) ||
          !(std::abs(trial[k] - x[k]) <= 1.5 * options.longest_step * unit))
        return false;
    }
    return true;
  }

  /// The branch of the closed form where the joints are, if there is one.
  const IkBranch* branch_at(const Transform<double>& X) {
    if (!closed || x.size() != 6) return nullptr;
    branches = closed->position(X);
    const IkBranch* nearest = nullptr;
    double least = 1e-3;
    for (const IkBranch& b : branches.branches()) {
      double apart = 0;
      for (std::size_t k = 0; k < 6; ++k) {
        if (b.free[k]) continue;
        const double by = b.q[static_cast<std::size_t>(task.joints()[k].q)] - x[k];
        apart = std::max(apart, std::abs(task.joints()[k].turns ? std::remainder(by, whole_turn) : by));
      }
      if (apart < least) least = apart, nearest = &b;
    }
    return nearest;
  }

  void sample(double now) {
    PathSample s;
    s.t = now;
    s.q = q;
    s.qd.resize(static_cast<std::size_t>(model.nv));
    s.qdd.resize(static_cast<std::size_t>(model.nv));
    for (std::size_t k = 0; k < x.size(); ++k) {
      const TaskJoint& joint = task.joints()[k];
      s.q[static_cast<std::size_t>(joint.q)] = x[k];
      s.qd[static_cast<std::size_t>(joint.v)] = xd[k];
      s.qdd[static_cast<std::size_t>(joint.v)] = xdd[k];
    }
    s.smallest_singular_value = rate.smallest_singular_value;
    s.velocity_residual = rate.velocity_residual;
    s.acceleration_residual = rate.acceleration_residual;
    s.position_residual = task.position_error();
    s.angle_residual = task.angle_error();
    s.steps = steps;
    s.status = s.smallest_singular_value < singular_value_limit  ? IkStatus::singular
               : s.smallest_singular_value < near_singular_value ? IkStatus::near_singular
                                                                 : IkStatus::ok;
    if (const IkBranch* b = branch_at(task.target())) {
      s.label = b->label;
      s.factor = b->factor;
      s.status = b->status == IkStatus::outside_limits ? IkStatus::ok : b->status;
    }
    out.stop_time = now;
    out.smallest_singular_value = s.smallest_singular_value;
    out.factor = s.factor;
    out.samples.push_back(std::move(s));
    least_before.push_back(std::min(least_since, rate.smallest_singular_value));
    least_since = rate.smallest_singular_value;
  }

  void report(const GeneralAnswer& a) {
    out.joint = a.limit_joint;
    out.beyond = a.beyond_limit;
    if (out.joint >= 0) {
      const Limits& l = model.limits[static_cast<std::size_t>(out.joint)];
      out.limit = out.beyond < 0 ? l.lower : l.upper;
    }
    out.short_by = a.short_by;
    out.angle = a.angle_residual;
  }

  /// Why the sample at time `to` is not reached from where the joints are.
  void explain(double to) {
    out.stop_time = t;
    out.asked_time = to;
    out.smallest_singular_value = rate.smallest_singular_value;
    if (const IkBranch* b = branch_at(path(t).X)) out.factor = b->factor;

    const CartesianState ahead = path(to);
    // on the same branch, were it not for the limits?
    if (options.limits && is_frame(ahead.X.R)) {
      DescentRules free = rules;
      free.limits = false;
      task.aim(ahead.X, options.weights);
      std::copy(x.begin(), x.end(), trial.begin());
      if (descent.run(task, free, trial).reached) {
        double most = 0;
        for (std::size_t k = 0; k < x.size(); ++k) {
          const TaskJoint& j = task.joints()[k];
          const double by = trial[k] < j.lower ? trial[k] - j.lower : trial[k] > j.upper ? trial[k] - j.upper : 0;
          if (!(std::abs(by) > std::abs(most) * j.unit)) continue;
          most = by / j.unit;
          out.stop = PathStop::joint_limit;
          out.joint = j.v;
          out.beyond = by;
          out.limit = by < 0 ? j.lower : j.upper;
        }
        if (out.stop == PathStop::joint_limit) return;
      }
    }
    GeneralOptions general;
    general.weights = options.weights;
    general.limits = options.limits;
    for (std::size_t k = 0; k < x.size(); ++k) q[static_cast<std::size_t>(task.joints()[k].q)] = x[k];
    const GeneralAnswer there = solver.solve(ahead.X, q, general);
    report(there);
    switch (there.status) {
      case GeneralStatus::outside_limits: out.stop = PathStop::joint_limit; break;
      case GeneralStatus::out_of_reach: out.stop = PathStop::out_of_reach; break;
      case GeneralStatus::not_a_pose: out.stop = PathStop::not_a_pose; break;
      case GeneralStatus::not_a_task: out.stop = PathStop::not_a_task; break;
      case GeneralStatus::converged:
      case GeneralStatus::singular: out.stop = PathStop::branch_lost; break;
    }
  }

  const Model<double>& model;
  const ArmSolver* closed;
  const PathOfTime& path;
  double duration;
  const FollowOptions& options;
  GeneralSolver solver;
  PoseTask& task;
  BoundedDescent descent;
  TaskRates rates;
  DescentRules rules;
  RateOptions rate_options;
  RateAnswer rate;
  IkAnswer branches;
  double t = 0;
  double least_since = infinity;     // singular value since the last sample
  std::vector<double> least_before;  // likewise on the way to each sample, from the one before
  int steps = 0;
  std::vector<double> q, x, xd, xdd, came, came_faster, trial, predicted, posture;
  GuideState guide;
  std::vector<double> spare = std::vector<double>(x.size()), J;
  std::array<double, 36> U{};
  std::array<double, 6> sigma{};
  std::vector<char> held, met;  // joints that a step brings to their limits, and those that were not there before
  FollowedPath out;
};

}  // namespace

FollowedPath follow_path(const Model<double>& model, const Frame<double>& frame, const ArmSolver* closed,
                         const PathOfTime& path, double duration, double period, std::span<const double> start,
                         const FollowOptions& options) {
  TORSOR_EXPECT(duration >= 0 && period > 0 && start.size() == static_cast<std::size_t>(model.nq));
  return Follower(model, frame, closed, path, duration, options).run(period, start);
}

}  // namespace torsor
