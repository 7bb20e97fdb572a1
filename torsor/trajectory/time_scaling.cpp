#include "torsor/trajectory/time_scaling.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "torsor/scalar/infinity.hpp"
#include "torsor/trajectory/torque_demand.hpp"

namespace torsor {
namespace {

using detail::Demand, detail::Demands, detail::Instant, detail::largest_within, detail::rounding;


/// The search: the largest x that all instants allow, and who decides it.
class Search {
 public:
  Search(Demands& demands, const ScalingLimits& limits, int n) : demands_(demands), limits_(limits), n_(n) {
    for (int i = 0; i < n; ++i) simple_.push_back(demands.simple(i));
  }

  /// The largest x <= most that an instant allows; in `by`, if given, what decides it.
  double allowed(const Instant& now, double most, TimeScaling* by) const {
    double x = most;
    const auto bring = [&](double bound, LimitKind kind, int i, double limit) {
      if (!(bound < x)) return;
      x = bound;
      if (by) *by = {ScalingStatus::ok, 1 / x, kind, i, now.t, 0, limit};
    };
    for (int i = 0; i < n_; ++i) {
      const Demand& d = now.demands[i];
      const double v = of(limits_.velocity, i), a = of(limits_.acceleration, i);
      if (std::abs(d.qd) * x > v * (1 + rounding)) bring(v / std::abs(d.qd), LimitKind::velocity, i, v);
      if (std::abs(d.qdd) * x * x > a * (1 + rounding))
        bring(std::sqrt(a / std::abs(d.qdd)), LimitKind::acceleration, i, a);
    }
    for (int i = 0; i < n_ && x > 0; ++i) {
      const double limit = of(limits_.effort, i);
      if (std::isinf(limit)) continue;
      bring(simple_[i] ? largest_within(now.demands[i], limit, x) : largest_within(demands_, now, i, limit, x),
            LimitKind::effort, i, limit);
    }
    return x;
  }

  TimeScaling run(const Trajectory& motion, const ScalingOptions& options) {
    const double duration = motion.duration();
    const int samples = options.samples, count = duration > 0 ? samples + 1 : 1;
    std::vector<Instant> instants;
    for (int k = 0; k < count; ++k) instants.push_back(demands_.at(k == samples ? duration : duration * k / samples));
    // farther from a break than rounding, nearer than anything is felt
    for (const double t : motion.breaks())
      for (const double side : {-1e-12, 1e-12}) instants.push_back(demands_.at(t + side * duration));
    in_order(instants);
    add_reversals(instants);

    TimeScaling by;
    double x = infinity;
    bool settled = false;
    // each round mends what is broken; it ends because every bound lowers x to one of finitely many
    for (int round = 0; round < 200; ++round) {
      const double before = x;
      for (const Instant& now : instants) x = allowed(now, x, &by);
      if (x == 0 || std::isinf(x)) break;
      if (x < before) continue;  // what was passed before may not allow the new x
      x = between(instants, x, by);
      settled = x == before;
      if (settled) break;
    }
    if (std::isinf(x)) return {};
    if (x == 0 || !settled) return hopeless(instants);
    by.factor = 1 / x;
    by.value = value_at(by, x);
    return by;
  }

 private:
  static double of(const std::vector<double>& limits, int i) { return limits.empty() ? infinity : limits[i]; }

  /// Dry friction is largest or jumps where a joint turns back: both sides of it are instants, too.
  void add_reversals(std::vector<Instant>& instants) {
    std::vector<double> times;
    for (std::size_t k = 0; k + 1 < instants.size(); ++k)
      for (int i = 0; i < n_; ++i) {
        if (!demands_.rubs(i) || !(instants[k].demands[i].qd * instants[k + 1].demands[i].qd < 0)) continue;
        const auto [a, b] = demands_.reversal(instants[k].t, instants[k + 1].t, i);
        times.insert(times.end(), {a, b});
      }
    for (const double t : times) instants.push_back(demands_.at(t));
    in_order(instants);
  }

  static void in_order(std::vector<Instant>& instants) {
    std::stable_sort(instants.begin(), instants.end(), [](const Instant& a, const Instant& b) { return a.t < b.t; });
  }

  /// Looks between the instants around which the least is allowed.
  double between(const std::vector<Instant>& instants, double x, TimeScaling& by) {
    const double cap = 1.05 * x;
    std::vector<double> allowed_at;
    for (const Instant& now : instants) allowed_at.push_back(allowed(now, cap, nullptr));
    for (std::size_t i = 0; i < instants.size(); ++i) {
      const std::size_t left = i == 0 ? 0 : i - 1, right = std::min(i + 1, instants.size() - 1);
      const double here = allowed_at[i] * (1 + rounding);
      const bool least = allowed_at[i] <= allowed_at[left] && allowed_at[i] <= allowed_at[right] &&
                         (here < allowed_at[left] || here < allowed_at[right]);
      if (!least || allowed_at[i] > 1.02 * x) continue;
      // golden section for the instant that allows least
      double a = instants[left].t, b = instants[right].t;
      const double g = std::numbers::phi - 1;
      Instant p = demands_.at(b - g * (b - a)), q = demands_.at(a + g * (b - a));
      double at_p = allowed(p, cap, nullptr), at_q = allowed(q, cap, nullptr);
      for (int k = 0; k < 45; ++k) {
        if (at_p < at_q) {
          b = q.t, q = std::move(p), at_q = at_p;
          p = demands_.at(b - g * (b - a));
          at_p = allowed(p, cap, nullptr);
        } else {
          a = p.t, p = std::move(q), at_p = at_q;
          q = demands_.at(a + g * (b - a));
          at_q = allowed(q, cap, nullptr);
        }
      }
      x = allowed(at_p < at_q ? p : q, x, &by);
      if (x == 0) return x;
    }
    return x;
  }

  /// Nothing will do: the joint and instant where slowness leaves the most beyond its limit.
  TimeScaling hopeless(const std::vector<Instant>& instants) const {
    TimeScaling worst{ScalingStatus::impossible, infinity, LimitKind::effort, -1, 0, 0, 0};
    double most = -infinity;
    for (const Instant& now : instants)
      for (int i = 0; i < n_; ++i) {
        const double limit = of(limits_.effort, i);
        // the smallest step from rest, where dry friction is already felt
        const double left = std::isinf(limit) ? 0 : demands_.effort(now, i, 1e-9);
        if (std::isinf(limit) || std::abs(left) / limit <= most) continue;
        most = std::abs(left) / limit;
        worst.coordinate = i;
        worst.time = now.t;
        worst.value = left;
        worst.limit = limit;
      }
    return worst;
  }

  double value_at(const TimeScaling& by, double x) {
    const Instant now = demands_.at(by.time);
    const Demand& d = now.demands[by.coordinate];
    if (by.kind == LimitKind::velocity) return d.qd * x;
    if (by.kind == LimitKind::acceleration) return d.qdd * x * x;
    return demands_.effort(now, by.coordinate, x);
  }

  Demands& demands_;
  const ScalingLimits& limits_;
  int n_;
  std::vector<bool> simple_;
};

Faults faults(const Model<double>& model, const Trajectory& motion, const ScalingLimits& limits,
              const ScalingOptions& options) {
  const double duration = motion.duration();
  Faults errors;
  const auto fault = [&errors](std::string offender, std::string rule, std::string what, std::string remedy) {
    errors.push_back({{}, std::move(offender), std::move(rule), std::move(what), std::move(remedy)});
  };
  if (model.nq != model.nv)
    fault("robot", "scaling-coordinates", "has joints whose position is a quaternion", "give a robot of simple joints");
  if (!(duration >= 0 && std::isfinite(duration)))
    fault("duration", "motion-duration", fmt::format("is {}", duration), "give seconds");
  if (options.samples < 2)
    fault("samples", "scaling-samples", fmt::format("are {}", options.samples), "give at least 2");
  if (options.external.size() > model.bodies.size())
    fault("forces", "motion-size",
          fmt::format("there are {} for {} links", options.external.size(), model.bodies.size()),
          "give at most one per link");
  for (const auto& [name, bounds] :
       {std::pair{"velocity", &limits.velocity}, std::pair{"acceleration", &limits.acceleration},
        std::pair{"effort", &limits.effort}}) {
    if (!bounds->empty() && bounds->size() != static_cast<std::size_t>(model.nv))
      fault(fmt::format("{} limits", name), "motion-size",
            fmt::format("there are {} for {} coordinates", bounds->size(), model.nv),
            "give one per coordinate, or none");
    for (std::size_t i = 0; i < bounds->size(); ++i)
      if (!((*bounds)[i] > 0))
        fault(fmt::format("{} limit {}", name, i + 1), "motion-limit", fmt::format("is {}", (*bounds)[i]),
              "give a positive number");
  }
  return errors;
}

}  // namespace

std::vector<double> ScalingLimits::*scaling_bound(std::string_view word) {
  return word == "velocity"       ? &ScalingLimits::velocity
         : word == "acceleration" ? &ScalingLimits::acceleration
         : word == "effort"       ? &ScalingLimits::effort
                                  : nullptr;
}

ScalingLimits limits_of(const Model<double>& model) {
  ScalingLimits limits;
  for (const Limits& one : model.limits) {
    limits.velocity.push_back(one.velocity);
    limits.effort.push_back(one.effort);
    limits.acceleration.push_back(std::min(one.acceleration, one.deceleration));
  }
  return limits;
}

Result<TimeScaling> smallest_time_factor(const Model<double>& model, const Trajectory& motion,
                                         const ScalingLimits& limits, const ScalingOptions& options) {
  if (motion.size() != static_cast<std::size_t>(model.nv))
    return Fault{{},
                 "motion",
                 "motion-size",
                 fmt::format("has {} coordinates, the robot {}", motion.size(), model.nv),
                 "give as many as the robot has"};
  Faults errors = faults(model, motion, limits, options);
  if (!errors.empty()) return errors;
  Demands demands(model, motion, options.external);
  return Search(demands, limits, model.nv).run(motion, options);
}

std::string describe(const TimeScaling& scaling, const Model<double>& model, double start) {
  if (scaling.status == ScalingStatus::unlimited) return "no limit bounds the speed of this motion";
  const char* const kind = scaling.kind == LimitKind::velocity       ? "velocity"
                           : scaling.kind == LimitKind::acceleration ? "acceleration"
                                                                     : "effort";
  const std::string name = scaling.coordinate >= 0 ? model.velocity_names[scaling.coordinate] : "";
  if (scaling.status == ScalingStatus::impossible)
    return fmt::format("no scaling of time keeps the limits: at {:.6g} s, however slow, \"{}\" takes {:.6g} of {:.6g}",
                       start + scaling.time, name, scaling.value, scaling.limit);
  return fmt::format("times {:.6g}: {} of \"{}\" at {:.6g} s reaches {:.6g}", scaling.factor,
                     kind, name, start + scaling.factor * scaling.time, scaling.value);
}

}  // namespace torsor
