#include "torsor/numeric_ik/redundancy_guide.hpp"

#include <algorithm>
#include <cmath>
#include <memory>

#include "torsor/numeric_ik/path_cost.hpp"
#include "torsor/scalar/infinity.hpp"
#include "torsor/spatial/whole_turn.hpp"
#include "torsor/trajectory/spline_motion.hpp"

namespace torsor {
namespace {

/// Moved along its spare motion, back on the pose, and measured; false where that leaves the limits.
bool moved_along_spare(PlannedArm& arm, const PlanInstant& instant, const Fineness& fineness, double by, SevenAngles& x,
                       SelfPosition& at) {
  if (!arm.self.bring(instant.X, x)) return false;
  at = arm.self.measured(x);
  for (std::size_t k = 0; k < 7; ++k) x[k] += by * at.spare[k] * arm.self.unit(k);
  if (!arm.self.bring(instant.X, x)) return false;
  at = arm.self.measured(x);
  at.margin = arm.self.margin(x);
  return arm.inside(x, fineness.shy);
}

}  // namespace

double least_worth(PlannedArm& arm, std::span<const PlanInstant> instants, const std::vector<SevenAngles>& x) {
  double least = infinity;
  for (std::size_t l = 0; l < x.size(); ++l) {
    SevenAngles on = x[l];
    arm.self.bring(instants[l].X, on);
    SelfPosition at = arm.self.measured(on);
    at.margin = arm.self.margin(on);
    least = std::min(least, arm.worth(at));
  }
  return least;
}

void raise(PlannedArm& arm, std::span<const PlanInstant> instants, const Fineness& fineness,
           std::vector<SevenAngles>& x) {
  constexpr int sweeps = 24;
  constexpr double band = 1.1;  // of the worst: these are moved
  if (arm.is_shortest()) return;
  double by = fineness.step / 4;
  for (int sweep = 0; sweep < sweeps && by > 1e-4; ++sweep) {
    const double worst = least_worth(arm, instants, x);
    bool any = false;
    for (std::size_t l = 0; l < x.size(); ++l) {
      SevenAngles best = x[l];
      SelfPosition at;
      if (!moved_along_spare(arm, instants[l], fineness, 0, best, at)) continue;
      double most = arm.worth(at);
      if (most > band * worst) continue;
      for (const double way : {by, -by}) {
        SevenAngles trial = x[l];
        const bool inside = moved_along_spare(arm, instants[l], fineness, way, trial, at);
        // not away from its neighbours
        const auto is_near = [&](std::size_t other) { return arm.self.apart(x[other], trial, {}) < fineness.farthest; };
        if (!inside || arm.worth(at) <= most || (l > 0 && !is_near(l - 1)) || (l + 1 < x.size() && !is_near(l + 1)))
          continue;
        most = arm.worth(at);
        best = trial;
        any = true;
      }
      x[l] = best;
    }
    if (!any) by /= 2;
  }
}

void draw_tight(PlannedArm& arm, std::span<const PlanInstant> instants, const Fineness& fineness, double least_worth,
                std::vector<SevenAngles>& x) {
  constexpr int sweeps = 60;
  const std::size_t count = x.size();
  if (count < 3) return;
  for (int sweep = 0; sweep < sweeps; ++sweep) {
    double moved = 0;
    for (std::size_t l = 0; l < count; ++l) {
      SevenAngles trial = x[l];
      if (!arm.self.bring(instants[l].X, trial)) continue;
      const SelfPosition at = arm.self.measured(trial);
      double by = 0;
      for (std::size_t k = 0; k < 7; ++k) {
        const double middle = l == 0           ? 2 * x[1][k] - x[2][k]
                              : l + 1 == count ? 2 * x[count - 2][k] - x[count - 3][k]
                                               : (x[l - 1][k] + x[l + 1][k]) / 2;
        by += at.spare[k] * (middle - x[l][k]) / arm.self.unit(k);
      }
      by = std::clamp(by, -fineness.step, fineness.step);
      for (std::size_t k = 0; k < 7; ++k) trial[k] = x[l][k] + by * at.spare[k] * arm.self.unit(k);
      if (!arm.self.bring(instants[l].X, trial)) continue;
      SelfPosition there = arm.self.measured(trial);
      there.margin = arm.self.margin(trial);
      if (!arm.inside(trial, fineness.shy) || arm.worth(there) < least_worth) continue;
      moved = std::max(moved, std::abs(by));
      x[l] = trial;
    }
    if (moved < 1e-4) break;
  }
}

bool choose_turns(PlannedArm& arm, std::vector<SevenAngles>& x) {
  for (std::size_t k = 0; k < 7; ++k) {
    if (!arm.turns[k]) continue;
    double low = infinity, high = -infinity;
    for (const SevenAngles& each : x) low = std::min(low, each[k]), high = std::max(high, each[k]);
    const auto by = turns_inside(low, high, arm.limits[k], true);
    if (!by) {
      arm.turns[k] = false;  // it winds farther than its limits are apart: its turns must be told apart
      return false;
    }
    for (SevenAngles& each : x) each[k] += *by * whole_turn;
  }
  return true;
}

JointGuide guide_of(PlannedArm& arm, std::span<const PlanInstant> instants, const std::vector<SevenAngles>& x) {
  if (x.size() < 2) return {};
  std::vector<double> u;
  std::vector<std::vector<double>> rows;
  SevenAngles last{};
  for (std::size_t l = 0; l < x.size(); ++l) {
    SevenAngles on = x[l];
    arm.self.bring(instants[l].X, on);
    SelfPosition at = arm.self.measured(on);
    SevenAngles c;
    double along = 0;
    for (std::size_t k = 0; k < 7; ++k) c[k] = at.spare[k] / arm.self.unit(k), along += at.spare[k] * last[k];
    if (along < 0)
      for (std::size_t k = 0; k < 7; ++k) c[k] = -c[k], at.spare[k] = -at.spare[k];
    last = at.spare;
    u.push_back(instants[l].u);
    rows.emplace_back(on.begin(), on.end());
    rows.back().insert(rows.back().end(), c.begin(), c.end());
  }
  auto made = spline_motion(u, rows, SplineDegree::cubic);
  if (!made) return {};
  const auto spline = std::make_shared<const SplineMotion>(*std::move(made));
  return [spline](double at, GuideState& out) {
    std::array<double, 14> p, v, a;
    spline->sample(at, p, v, a);
    for (const auto& [from, g, c] :
         {std::tuple{&p, &out.g, &out.c}, {&v, &out.gd, &out.cd}, {&a, &out.gdd, &out.cdd}}) {
      g->assign(from->begin(), from->begin() + 7);
      c->assign(from->begin() + 7, from->end());
    }
  };
}

}  // namespace torsor
