#include "torsor/numeric_ik/plan_redundancy.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "torsor/numeric_ik/path_cost.hpp"
#include "torsor/numeric_ik/redundancy_guide.hpp"
#include "torsor/numeric_ik/redundancy_search.hpp"

namespace torsor {
namespace {

constexpr Fineness finenesses[] = {{0.06, 0.12, 0.35, 0.02}, {0.03, 0.07, 0.3, 0.005}, {0.012, 0.045, 0.3, 0.001}};

class Planner {
 public:
  Planner(const InverseKinematics& solver, const ToolPath& path, std::string_view objective)
      : arm_(solver, path, objective), search_(arm_) {}

  PathPlan run() {
    PathPlan plan;
    for (const Fineness& fineness : finenesses) {
      fineness_ = fineness;
      search_.lay_out(fineness);
      plan = PathPlan{};
      for (const bool speeds : {true, false}) {
        if (speeds && !arm_.path.timed) continue;
        search_.join(speeds);
        if (take_best(plan)) {
          plan.within_speeds = speeds;
          return plan;
        }
      }
      // what is out of reach is so however finely one looks
      if (search_.is_out_of_reach()) break;
    }
    say_why(plan);
    return plan;
  }

 private:
  /// Follows a way, improved or as it is; whether it goes to the end. Where not, why.
  bool follow(const PlannedWay& way, bool improved, PathPlan& plan, PathCandidate& candidate) {
    constexpr double near_raised = 0.97;  // of its worst place, when it is drawn tight
    std::vector<SevenAngles> x = way.x;
    const std::span<const PlanInstant> instants = search_.instants();
    if (improved) {
      raise(arm_, instants, fineness_, x);
      const double enough =
          arm_.is_shortest() ? way.enough : std::max(way.enough, near_raised * least_worth(arm_, instants, x));
      draw_tight(arm_, instants, fineness_, enough, x);
    }
    if (!choose_turns(arm_, x)) return false;
    ToolPath guided = arm_.path;
    guided.guide = guide_of(arm_, instants, x);
    candidate.start = arm_.whole_position(x.front());
    const FollowedPath followed = arm_.solver.follow(guided, candidate.start);
    candidate.stop_time = followed.stop_time;
    candidate.explanation = explanation(followed, arm_.solver.model());
    if (!followed.finished()) return false;
    candidate.finished = true;
    candidate.cost = cost_of(followed, arm_.solver.model(), {}, arm_.objective);
    plan.guide = guided.guide;
    return true;
  }

  bool take_best(PathPlan& plan) {
    plan.candidates.clear();
    for (const PlannedWay& way : search_.ways()) {
      PathCandidate candidate;
      candidate.name = fmt::format("piece {}", way.piece);
      if (!plan.found()) {
        if (follow(way, true, plan, candidate) || follow(way, false, plan, candidate))
          plan.best = static_cast<int>(plan.candidates.size());
      } else {
        candidate.start = arm_.whole_position(way.x.front());
        candidate.finished = true;
        candidate.stop_time = arm_.path.time(arm_.path.duration);
        candidate.cost = arm_.is_shortest() ? way.length : -way.worth;
        candidate.explanation = "goes to the end";
      }
      plan.candidates.push_back(std::move(candidate));
    }
    if (plan.found()) add_lost(plan);
    return plan.found();
  }

  /// How far the positions of each piece of the first pose can go on, and why no farther.
  void add_lost(PathPlan& plan) {
    const std::vector<PlanInstant>& instants = search_.instants();
    const std::vector<SelfPosition>& firsts = instants[0].positions;
    const ToolPath& path = arm_.path;
    for (int piece = 1; piece <= search_.pieces(); ++piece) {
      const std::string name = fmt::format("piece {}", piece);
      if (std::ranges::any_of(plan.candidates, [&](const PathCandidate& c) { return c.name == name; })) continue;
      const auto begin = std::ranges::find(firsts, piece, &SelfPosition::piece);
      if (begin == firsts.end()) continue;
      std::vector<char> here;
      const PlanInstant& last = instants[search_.farthest(piece, here)];
      // from the most promising of the last positions on, by shortest velocities: it says what is in the way
      std::size_t best = 0;
      for (std::size_t i = 0; i < here.size(); ++i)
        if (here[i] && (!here[best] || last.positions[i].margin > last.positions[best].margin)) best = i;
      ToolPath rest = path;
      rest.duration = path.duration - last.u;
      rest.at = [&path, from = last.u](double u) { return path.at(from + u); };
      rest.time = [&path, from = last.u](double u) { return path.time(from + u); };
      rest.step = [&path, from = last.u](double u) { return path.step(from + u); };
      PathCandidate candidate;
      candidate.name = name;
      candidate.start = arm_.whole_position(begin->x);
      const FollowedPath followed =
          rest.duration > 0 ? arm_.solver.follow(rest, arm_.whole_position(last.positions[best].x)) : FollowedPath{};
      candidate.stop_time = followed.finished() ? path.time(last.u) : followed.stop_time;
      candidate.explanation = followed.finished()
                                  ? fmt::format("no way on was found behind t = {:.4g} s", path.time(last.u))
                                  : explanation(followed, arm_.solver.model());
      plan.candidates.push_back(std::move(candidate));
    }
  }

  void say_why(PathPlan& plan) {
    std::erase_if(plan.candidates, [](const PathCandidate& c) { return c.finished; });
    search_.join(false);
    add_lost(plan);
    plan.positions = 0;
    for (const PlanInstant& i : search_.instants()) plan.positions += static_cast<long long>(i.positions.size());
    plan.instants = static_cast<int>(search_.instants().size());
  }

  PlannedArm arm_;
  RedundancySearch search_;
  Fineness fineness_;
};

}  // namespace

PathPlan plan_redundancy(const InverseKinematics& solver, const ToolPath& path, std::string_view objective) {
  return Planner(solver, path, objective).run();
}

}  // namespace torsor
