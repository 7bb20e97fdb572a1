#include "torsor/numeric_ik/plan_path.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "torsor/how_many.hpp"
#include "torsor/trajectory/tool_path.hpp"

namespace torsor {
namespace {

constexpr PlanObjective path_objectives[] = {
    {"shortest", "the least way of the joints, rad and m together"},
    {"limits", "farthest from the joint limits, per range of each joint"},
    {"singularity", "farthest from singular, by the least singular value on the way"},
};

/// Whole turns by which a joint is shifted along all of the path, so that it keeps its limits with most room; nothing where
/// none does. Joints that slide are not shifted.
std::optional<double> turns_inside(double low, double high, const Limits& limits, bool turns) {
  constexpr double turn = 2 * std::numbers::pi, slack = 1e-9;
  const auto room = [&](double k) {
    return std::min(low + k * turn - limits.lower, limits.upper - high - k * turn);
  };
  double best = 0;
  if (turns && std::isfinite(limits.lower) && std::isfinite(limits.upper))
    best = std::nearbyint(((limits.lower + limits.upper) / 2 - (low + high) / 2) / turn);
  else if (turns && std::isfinite(limits.lower))
    best = std::max(0.0, std::ceil((limits.lower - low) / turn));
  else if (turns && std::isfinite(limits.upper))
    best = std::min(0.0, std::floor((limits.upper - high) / turn));
  if (room(best) < -slack) return std::nullopt;
  return best;
}

double cost_of(const FollowedPath& path, const Model<double>& model, std::span<const double> shift,
               std::string_view objective) {
  double way = 0, margin = 1, singular = 1e300;
  for (std::size_t k = 0; k < path.samples.size(); ++k) {
    const PathSample& sample = path.samples[k];
    singular = std::min(singular, sample.smallest_singular_value);
    double square = 0;
    for (std::size_t i = 0; i < sample.q.size(); ++i) {
      if (k > 0) square += std::pow(sample.q[i] - path.samples[k - 1].q[i], 2);
      if (i >= model.limits.size()) continue;
      const auto& [lower, upper] = std::pair{model.limits[i].lower, model.limits[i].upper};
      const double q = sample.q[i] + shift[i];
      if (std::isfinite(lower) && std::isfinite(upper) && upper > lower)
        margin = std::min({margin, (q - lower) / (upper - lower), (upper - q) / (upper - lower)});
    }
    way += std::sqrt(square);
  }
  return objective == "limits" ? -margin : objective == "singularity" ? -singular : way;
}

PathCandidate candidate_of(const InverseKinematics& solver, const IkSolution& start, const ToolPath& path, bool limits,
                           std::string_view objective) {
  const Model<double>& model = solver.model();
  PathCandidate out;
  out.name = start.label;
  out.start = start.q;
  const FollowedPath followed = solver.follow(path, start.q, limits);
  out.stop_time = followed.stop_time;
  out.explanation = explanation(followed, model);
  if (!followed.finished()) return out;
  std::vector<double> shift(static_cast<std::size_t>(model.nq), 0);
  for (const Body<double>& body : model.bodies) {
    if (body.kind != JointKind::revolute && body.kind != JointKind::prismatic) continue;
    const std::size_t k = static_cast<std::size_t>(body.q);
    const Limits& own = model.limits[static_cast<std::size_t>(body.v)];
    double low = 1e300, high = -1e300;
    for (const PathSample& sample : followed.samples)
      low = std::min(low, sample.q[k]), high = std::max(high, sample.q[k]);
    const auto turns = turns_inside(low, high, own, !limits && body.kind == JointKind::revolute);
    if (!turns) {
      // the first sample that leaves its limits, seen from where the joint starts
      const double q0 = followed.samples.front().q[k];
      const double by =
          q0 < own.lower || q0 > own.upper
              ? 2 * std::numbers::pi * std::nearbyint(((own.lower + own.upper) / 2 - q0) / (2 * std::numbers::pi))
              : 0;
      for (const PathSample& sample : followed.samples)
        if (sample.q[k] + by < own.lower || sample.q[k] + by > own.upper) {
          out.stop_time = sample.t;
          break;
        }
      out.explanation = fmt::format("\"{}\" leaves its limits at t = {:.4g} s", model.position_names[k], out.stop_time);
      return out;
    }
    shift[k] = *turns * 2 * std::numbers::pi;
  }
  for (std::size_t k = 0; k < shift.size(); ++k) out.start[k] = followed.samples.front().q[k] + shift[k];
  out.finished = true;
  out.cost = cost_of(followed, model, shift, objective);
  return out;
}

}  // namespace

std::span<const PlanObjective> plan_objectives() { return path_objectives; }

PathPlan plan_path(const InverseKinematics& solver, const ToolPath& path, std::string_view objective) {
  constexpr int values = 24;
  PathPlan plan;
  const Transform<double> first = path.at(0).X;
  std::vector<IkSolution> starts;
  const bool seven = solver.chooses_redundancy();
  if (seven) {
    const auto ranges = solver.feasible(first);
    for (int k = 0; ranges && k < values; ++k) {
      // spread over all intervals by their lengths
      double all = 0, at = 0;
      for (const FeasibleInterval& range : *ranges) all += range.to - range.from;
      double along = all * (k + 0.5) / values;
      for (const FeasibleInterval& range : *ranges) {
        at = range.from + along;
        along -= range.to - range.from;
        if (along <= 0) break;
      }
      if (ranges->empty()) break;
      for (IkSolution s : solver.solve_all(first, {.outside_limits = false, .redundancy = at})) {
        s.label = fmt::format("{} at {:.4g}", s.label, at);
        starts.push_back(std::move(s));
      }
    }
  } else {
    // limits or not: a path may lead them inside by whole turns
    for (const IkSolution& s : solver.solve_all(first)) starts.push_back(s);
  }
  for (const IkSolution& start : starts)
    plan.candidates.push_back(candidate_of(solver, start, path, seven, objective));
  for (std::size_t k = 0; k < plan.candidates.size(); ++k) {
    const PathCandidate& one = plan.candidates[k];
    if (one.finished && (!plan.found() || one.cost < plan.candidates[static_cast<std::size_t>(plan.best)].cost))
      plan.best = static_cast<int>(k);
  }
  return plan;
}

std::string explanation(const PathPlan& plan, int most) {
  if (plan.candidates.empty()) return "the first pose has no solution";
  std::vector<const PathCandidate*> order;
  for (const PathCandidate& one : plan.candidates) order.push_back(&one);
  std::ranges::stable_sort(order, {}, [](const PathCandidate* one) { return -one->stop_time; });
  // those that end for the same reason together
  struct Reason {
    std::string why;
    std::vector<std::string> names;
  };
  std::vector<Reason> reasons;
  for (const PathCandidate* one : order) {
    const auto same = std::ranges::find(reasons, one->explanation, &Reason::why);
    if (same != reasons.end())
      same->names.push_back(one->name);
    else
      reasons.push_back({one->explanation, {one->name}});
  }
  std::vector<std::string> said;
  for (const auto& [why, names] : reasons) {
    if (static_cast<int>(said.size()) == most) break;
    said.push_back(names.size() > 8 ? fmt::format("{} of them: {}", names.size(), why)
                                    : fmt::format("{}: {}", fmt::join(names, ", "), why));
  }
  if (reasons.size() > said.size()) said.push_back("others end earlier");
  return fmt::format("none of {} of the first pose goes to the end of the path: {}",
                     how_many(static_cast<long long>(order.size()), "solution"), fmt::join(said, "; "));
}

}  // namespace torsor
