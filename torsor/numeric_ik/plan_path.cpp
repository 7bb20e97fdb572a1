#include "torsor/numeric_ik/plan_path.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "torsor/how_many.hpp"
#include "torsor/numeric_ik/path_cost.hpp"
#include "torsor/numeric_ik/plan_redundancy.hpp"
#include "torsor/trajectory/tool_path.hpp"

namespace torsor {
namespace {

constexpr PlanObjective path_objectives[] = {
    {"shortest", "the least way of the joints, rad and m together"},
    {"limits", "farthest from the joint limits, per range of each joint"},
    {"singularity", "farthest from singular, by the least singular value on the way"},
};

PathCandidate candidate_of(const InverseKinematics& solver, const IkSolution& start, const ToolPath& path,
                           std::string_view objective) {
  const Model<double>& model = solver.model();
  PathCandidate out;
  out.name = start.label;
  out.start = start.q;
  const FollowedPath followed = solver.follow(path, start.q, false);
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
    const auto turns = turns_inside(low, high, own, body.kind == JointKind::revolute);
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
  if (solver.chooses_redundancy()) return plan_redundancy(solver, path, objective);
  PathPlan plan;
  // limits or not: a path may lead them inside by whole turns
  const IkSolutions starts = solver.solve_all(path.at(0).X);
  for (const IkSolution& start : starts)
    plan.candidates.push_back(candidate_of(solver, start, path, objective));
  for (std::size_t k = 0; k < plan.candidates.size(); ++k) {
    const PathCandidate& one = plan.candidates[k];
    if (one.finished && (!plan.found() || one.cost < plan.candidates[static_cast<std::size_t>(plan.best)].cost))
      plan.best = static_cast<int>(k);
  }
  return plan;
}

std::vector<double> PathPlan::begin(ToolPath& path) const {
  path.guide = guide;
  return candidates[static_cast<std::size_t>(best)].start;
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
  const std::string of =
      plan.instants > 0
          ? fmt::format("none of {} of solutions of the first pose was found to go to the end of the path, by way of {} at {}",
                        how_many(static_cast<long long>(order.size()), "piece"), how_many(plan.positions, "position"),
                        how_many(plan.instants, "instant"))
          : fmt::format("none of {} of the first pose goes to the end of the path",
                        how_many(static_cast<long long>(order.size()), "solution"));
  return fmt::format("{}: {}", of, fmt::join(said, "; "));
}

}  // namespace torsor
