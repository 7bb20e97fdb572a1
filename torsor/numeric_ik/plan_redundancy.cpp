#include "torsor/numeric_ik/plan_redundancy.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <memory>

#include "torsor/how_many.hpp"
#include "torsor/numeric_ik/path_cost.hpp"
#include "torsor/numeric_ik/self_motion.hpp"
#include "torsor/scalar/infinity.hpp"
#include "torsor/spatial/whole_turn.hpp"
#include "torsor/trajectory/spline_motion.hpp"

namespace torsor {
namespace {

/// How finely is looked: how far the tool goes between two instants (rad, and arm lengths), and how far apart positions are.
struct Fineness {
  double tool = 0.06, step = 0.1;
  double farthest = 0.3;  // that a joint may go between two instants, in its unit
  double shy = 0.01;      // how far positions stay off the limits
};
constexpr Fineness finenesses[] = {{0.06, 0.12, 0.35, 0.02}, {0.03, 0.07, 0.3, 0.005}, {0.012, 0.045, 0.3, 0.001}};
constexpr int least_instants = 12, most_instants = 400, most_strikes = 400;

struct Instant {
  double u = 0;
  Transform<double> X;
  std::vector<SelfPosition> positions;
  // steps from position i of the instant to positions of the next: to[first[i]] .. to[first[i + 1] - 1]
  std::vector<std::size_t> first, to;
  std::vector<double> length;  // of each step; infinite: struck out
  std::vector<double> cost;    // of each position to the end of the path
  std::vector<std::size_t> next;
};

using Way = std::vector<std::size_t>;  // a position of each instant

class Planner {
 public:
  Planner(const InverseKinematics& solver, const ToolPath& path, std::string_view objective)
      : solver_(solver),
        path_(path),
        objective_(objective),
        arm_(*solver.redundant()),
        self_(solver.model(), solver.tool(), arm_) {
    for (std::size_t k = 0; k < 7; ++k) {
      const TaskJoint& joint = self_.joint(k);
      turns_[k] = joint.turns && !(joint.upper - joint.lower < whole_turn + 0.01);
      limits_[k] = solver.model().limits[static_cast<std::size_t>(joint.v)];
    }
  }

  PathPlan run() {
    PathPlan plan;
    for (const Fineness& fineness : finenesses) {
      fineness_ = fineness;
      lay_out();
      plan = PathPlan{};
      for (const bool speeds : {true, false}) {
        if (speeds && !path_.timed) continue;
        join(speeds);
        if (take_best(plan)) {
          plan.within_speeds = speeds;
          return plan;
        }
      }
      // what is out of reach is so however finely one looks
      if (std::ranges::any_of(instants_, [&](const Instant& i) { return i.positions.empty() && !has_any(i.X); })) break;
    }
    say_why(plan);
    return plan;
  }

 private:
  bool has_any(const Transform<double>& X) {
    SevenSolutions found;
    return arm_.nearest_value(X, 0, found).has_value();
  }

  void lay_out() {
    constexpr int probes = 400;
    double way = 0;
    std::vector<double> until{0};
    Transform<double> before = path_.at(0).X;
    for (int k = 1; k <= probes; ++k) {
      const Transform<double> X = path_.at(path_.duration * k / probes).X;
      const Mat3<double> by = ~before.R * X.R;
      const Vec3<double> turn{by.y.z - by.z.y, by.z.x - by.x.z, by.x.y - by.y.x};
      way += std::hypot(norm(turn) / 2, norm(X.p - before.p) / self_.unit_length());
      until.push_back(way);
      before = X;
    }
    const int steps = std::clamp(static_cast<int>(std::ceil(way / fineness_.tool)), least_instants, most_instants);
    instants_.assign(path_.duration > 0 ? static_cast<std::size_t>(steps) + 1 : 1, {});
    // equal shares of the way of the tool, and of time where it rests
    std::size_t at = 0;
    for (std::size_t k = 0; k < instants_.size(); ++k) {
      const double share = static_cast<double>(k) / steps;
      const auto measure = [&](std::size_t i) {
        return 0.9 * (way > 0 ? until[i] / way : static_cast<double>(i) / probes) + 0.1 * static_cast<double>(i) / probes;
      };
      while (at + 1 < probes && measure(at + 1) < share) ++at;
      const double low = measure(at), high = measure(at + 1);
      const double within = high > low ? std::clamp((share - low) / (high - low), 0.0, 1.0) : 0;
      Instant& instant = instants_[k];
      instant.u = k + 1 == instants_.size() && k > 0 ? path_.duration
                                                     : path_.duration * (static_cast<double>(at) + within) / probes;
      instant.X = path_.at(instant.u).X;
      instant.positions = self_.positions(instant.X, fineness_.step, turns_);
      std::erase_if(instant.positions, [&](const SelfPosition& p) { return !self_.inside(p.x, fineness_.shy); });
    }
  }

  /// All steps that are short enough, and, if that counts, slow enough.
  void join(bool speeds) {
    for (std::size_t l = 0; l + 1 < instants_.size(); ++l) {
      Instant &here = instants_[l], &ahead = instants_[l + 1];
      const double h = path_.time(ahead.u) - path_.time(here.u);
      here.first.assign(1, 0);
      here.to.clear();
      here.length.clear();
      // in the order of a joint whose turns are all told apart, if there is one, so that few pairs are looked at
      const std::size_t by_joint = static_cast<std::size_t>(std::ranges::find(turns_, false) - turns_.begin());
      const bool ordered = by_joint < 7;
      const auto place = [&](const SelfPosition& p) { return ordered ? p.x[by_joint] : 0; };
      std::ranges::sort(ahead.positions, {}, place);
      const double reach = ordered ? fineness_.farthest * self_.unit(by_joint) : 1;
      for (const SelfPosition& a : here.positions) {
        const auto begin = std::ranges::lower_bound(ahead.positions, place(a) - reach, {}, place),
                   end = std::ranges::upper_bound(ahead.positions, place(a) + reach, {}, place);
        for (auto at = begin; at != end; ++at) {
          const auto j = static_cast<std::size_t>(at - ahead.positions.begin());
          double square = 0;
          bool near = true;
          for (std::size_t k = 0; k < 7 && near; ++k) {
            const double by = SelfMotion::change(a.x, ahead.positions[j].x, k, turns_);
            near = std::abs(by) <= fineness_.farthest * self_.unit(k) &&
                   (!speeds || std::abs(by) <= 0.97 * limits_[k].velocity * h);
            square += by * by;
          }
          if (!near) continue;
          here.to.push_back(j);
          here.length.push_back(std::sqrt(square));
        }
        here.first.push_back(here.to.size());
      }
    }
  }

  /// What a position is worth where the worst one of the way counts.
  double worth(const SelfPosition& p) const {
    return objective_ == "limits" ? p.margin : objective_ == "singularity" ? p.sigma : 0;
  }

  /// Costs to the end, of instants up to `last`: the shortest way over positions worth at least so much.
  void shortest(double least_worth, std::size_t last) {
    for (std::size_t l = last + 1; l-- > 0;) {
      Instant& here = instants_[l];
      const std::size_t count = here.positions.size();
      here.cost.assign(count, infinity);
      here.next.assign(count, 0);
      for (std::size_t i = 0; i < count; ++i) {
        if (worth(here.positions[i]) < least_worth) continue;
        if (l + 1 == instants_.size()) {
          here.cost[i] = 0;
          continue;
        }
        for (std::size_t e = here.first[i]; e < here.first[i + 1]; ++e) {
          const double c = here.length[e] + instants_[l + 1].cost[here.to[e]];
          if (c < here.cost[i]) here.cost[i] = c, here.next[i] = here.to[e];
        }
      }
    }
  }

  /// The most that the worst position of a way from any first position of a piece to the end can be worth.
  double best_worth(int piece) {
    std::vector<double> ahead, here;
    for (std::size_t l = instants_.size(); l-- > 0;) {
      const Instant& at = instants_[l];
      here.assign(at.positions.size(), -infinity);
      for (std::size_t i = 0; i < here.size(); ++i) {
        double most = l + 1 == instants_.size() ? infinity : -infinity;
        if (l + 1 < instants_.size())
          for (std::size_t e = at.first[i]; e < at.first[i + 1]; ++e)
            if (std::isfinite(at.length[e])) most = std::max(most, ahead[at.to[e]]);
        here[i] = std::min(most, worth(at.positions[i]));
      }
      std::swap(here, ahead);
    }
    double best = -infinity;
    for (std::size_t i = 0; i < ahead.size(); ++i)
      if (instants_[0].positions[i].piece == piece) best = std::max(best, ahead[i]);
    return best;
  }

  /// The straight way between two positions, brought onto the pose of instants in between: whether the arm can go it.
  bool can_go(const Instant& here, std::size_t i, const Instant& ahead, std::size_t j) {
    const SevenAngles &a = here.positions[i].x, &b = ahead.positions[j].x;
    const double way = self_.apart(a, b, turns_);
    const int pieces = std::max(2, static_cast<int>(std::ceil(way / 0.08)));
    SevenAngles from = a;
    for (int p = 1; p <= pieces; ++p) {
      const double s = static_cast<double>(p) / pieces;
      SevenAngles x;
      for (std::size_t k = 0; k < 7; ++k) x[k] = a[k] + s * SelfMotion::change(a, b, k, turns_);
      const SevenAngles straight = x;
      if (p < pieces) {
        if (!self_.bring(path_.at(here.u + s * (ahead.u - here.u)).X, x)) return false;
        if (self_.apart(straight, x, {}) > 0.4 * way + 1e-9 || !is_inside(x)) return false;
      }
      if (self_.apart(from, x, {}) > 2 * way / pieces + 1e-9) return false;
      from = x;
    }
    return true;
  }

  /// Inside the limits, of joints that have turns to choose from whatever the turn.
  bool is_inside(SevenAngles x) const {
    for (std::size_t k = 0; k < 7; ++k)
      if (turns_[k]) x[k] = (std::max(limits_[k].lower, -1e9) + std::min(limits_[k].upper, 1e9)) / 2;
    return self_.inside(x);
  }

  /// The shortest way from a piece over positions worth enough whose steps have all been looked at; those that cannot be gone
  /// are struck out. None: empty.
  Way checked_way(int piece, double least_worth) {
    std::size_t changed = instants_.size() - 1;
    for (int strikes = 0; strikes < most_strikes; ++strikes) {
      shortest(least_worth, changed);
      Way way;
      double least = infinity;
      for (std::size_t i = 0; i < instants_[0].positions.size(); ++i)
        if (instants_[0].positions[i].piece == piece && instants_[0].cost[i] < least)
          least = instants_[0].cost[i], way.assign(1, i);
      if (way.empty()) return way;
      for (std::size_t l = 0; l + 1 < instants_.size(); ++l) way.push_back(instants_[l].next[way.back()]);
      const auto bad = first_bad_step(way);
      if (!bad) return way;
      strike(*bad, way);
      changed = *bad;
    }
    return {};
  }

  std::optional<std::size_t> first_bad_step(const Way& way) {
    for (std::size_t l = 0; l + 1 < instants_.size(); ++l) {
      const std::array<std::size_t, 3> key{l, way[l], way[l + 1]};
      if (std::ranges::binary_search(good_, key)) continue;
      if (!can_go(instants_[l], way[l], instants_[l + 1], way[l + 1])) return l;
      good_.insert(std::ranges::lower_bound(good_, key), key);
    }
    return std::nullopt;
  }

  void strike(std::size_t l, const Way& way) {
    Instant& here = instants_[l];
    for (std::size_t e = here.first[way[l]]; e < here.first[way[l] + 1]; ++e)
      if (here.to[e] == way[l + 1]) here.length[e] = infinity;
  }

  /// The positions of a way, each joint running on over whole turns.
  std::vector<SevenAngles> positions_of(const Way& way) const {
    std::vector<SevenAngles> out;
    for (std::size_t l = 0; l < way.size(); ++l) {
      SevenAngles x = instants_[l].positions[way[l]].x;
      if (l > 0)
        for (std::size_t k = 0; k < 7; ++k) x[k] = out.back()[k] + SelfMotion::change(out.back(), x, k, turns_);
      out.push_back(x);
    }
    return out;
  }

  /// Drawn tight along the spare motions: each position towards the middle of its neighbours, worth at least so much.
  void draw_tight(std::vector<SevenAngles>& x, double least_worth) {
    constexpr int sweeps = 60;
    const std::size_t count = x.size();
    if (count < 3) return;
    for (int sweep = 0; sweep < sweeps; ++sweep) {
      double moved = 0;
      for (std::size_t l = 0; l < count; ++l) {
        SevenAngles trial = x[l];
        if (!self_.bring(instants_[l].X, trial)) continue;
        const SelfPosition at = self_.measured(trial);
        double by = 0;
        for (std::size_t k = 0; k < 7; ++k) {
          const double middle = l == 0           ? 2 * x[1][k] - x[2][k]
                                : l + 1 == count ? 2 * x[count - 2][k] - x[count - 3][k]
                                                 : (x[l - 1][k] + x[l + 1][k]) / 2;
          by += at.spare[k] * (middle - x[l][k]) / self_.unit(k);
        }
        by = std::clamp(by, -fineness_.step, fineness_.step);
        for (std::size_t k = 0; k < 7; ++k) trial[k] = x[l][k] + by * at.spare[k] * self_.unit(k);
        if (!self_.bring(instants_[l].X, trial)) continue;
        SelfPosition there = self_.measured(trial);
        SevenAngles within = trial;
        for (std::size_t k = 0; k < 7; ++k)
          if (turns_[k]) within[k] = (std::max(limits_[k].lower, -1e9) + std::min(limits_[k].upper, 1e9)) / 2;
        there.margin = self_.margin(trial);
        if (!self_.inside(within, fineness_.shy) || worth(there) < least_worth) continue;
        moved = std::max(moved, std::abs(by));
        x[l] = trial;
      }
      if (moved < 1e-4) break;
    }
  }

  /// Whole turns of joints that have a choice, for all of the path.
  bool choose_turns(std::vector<SevenAngles>& x) {
    for (std::size_t k = 0; k < 7; ++k) {
      if (!turns_[k]) continue;
      double low = infinity, high = -infinity;
      for (const SevenAngles& each : x) low = std::min(low, each[k]), high = std::max(high, each[k]);
      const auto by = turns_inside(low, high, limits_[k], true);
      if (!by) {
        turns_[k] = false;  // it winds farther than its limits are apart: its turns must be told apart
        return false;
      }
      for (SevenAngles& each : x) each[k] += *by * whole_turn;
    }
    return true;
  }

  JointGuide guide_of(const std::vector<SevenAngles>& x) {
    if (x.size() < 2) return {};
    std::vector<double> u;
    std::vector<std::vector<double>> rows;
    SevenAngles last{};
    for (std::size_t l = 0; l < x.size(); ++l) {
      SevenAngles on = x[l];
      self_.bring(instants_[l].X, on);
      SelfPosition at = self_.measured(on);
      SevenAngles c;
      double along = 0;
      for (std::size_t k = 0; k < 7; ++k) c[k] = at.spare[k] / self_.unit(k), along += at.spare[k] * last[k];
      if (along < 0)
        for (std::size_t k = 0; k < 7; ++k) c[k] = -c[k], at.spare[k] = -at.spare[k];
      last = at.spare;
      u.push_back(instants_[l].u);
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

  std::vector<double> whole_position(const SevenAngles& x) const {
    std::vector<double> q = neutral_position(solver_.model());
    for (std::size_t k = 0; k < 7; ++k) q[static_cast<std::size_t>(self_.joint(k).q)] = x[k];
    return q;
  }

  /// Follows a way, drawn tight or as it is; whether it goes to the end. Where not, the instant before.
  bool follow(std::vector<SevenAngles> x, double least_worth, bool tight, PathPlan& plan, PathCandidate& candidate,
              double& stop) {
    if (tight) draw_tight(x, least_worth);
    if (!choose_turns(x)) return false;
    ToolPath guided = path_;
    guided.guide = guide_of(x);
    candidate.start = whole_position(x.front());
    const FollowedPath followed = solver_.follow(guided, candidate.start);
    stop = followed.stop_time;
    candidate.stop_time = followed.stop_time;
    candidate.explanation = explanation(followed, solver_.model());
    if (!followed.finished()) return false;
    candidate.finished = true;
    candidate.cost = cost_of(followed, solver_.model(), {}, objective_);
    plan.guide = guided.guide;
    return true;
  }

  bool take_best(PathPlan& plan) {
    constexpr double near_best = 0.9;
    good_.clear();
    plan.candidates.clear();
    int pieces = 0;
    for (const SelfPosition& p : instants_[0].positions) pieces = std::max(pieces, p.piece);
    struct Found {
      int piece;
      double worth;
      Way way;
      double length;
    };
    std::vector<Found> found;
    for (int piece = 1; piece <= pieces; ++piece) {
      const double most = objective_ == "shortest" ? 0 : best_worth(piece);
      if (most == -infinity) continue;
      const double enough = objective_ == "shortest" ? -infinity : near_best * most;
      Way way = checked_way(piece, enough);
      if (way.empty() && objective_ != "shortest") way = checked_way(piece, -infinity);
      if (way.empty()) continue;
      double worst = infinity;
      for (std::size_t l = 0; l < way.size(); ++l) worst = std::min(worst, worth(instants_[l].positions[way[l]]));
      const double length = instants_[0].cost[way.front()];
      found.push_back({piece, objective_ == "shortest" ? -length : worst, std::move(way), length});
    }
    std::ranges::stable_sort(found, [](const Found& a, const Found& b) { return a.worth > b.worth; });
    for (const Found& one : found) {
      PathCandidate candidate;
      candidate.name = fmt::format("piece {}", one.piece);
      const std::vector<SevenAngles> x = positions_of(one.way);
      const double enough = objective_ == "shortest" ? -infinity : near_best * one.worth;
      if (!plan.found()) {
        double stop = 0;
        if (follow(x, enough, true, plan, candidate, stop) || follow(x, enough, false, plan, candidate, stop))
          plan.best = static_cast<int>(plan.candidates.size());
      } else {
        candidate.start = whole_position(x.front());
        candidate.finished = true;
        candidate.stop_time = path_.time(path_.duration);
        candidate.cost = objective_ == "shortest" ? one.length : -one.worth;
        candidate.explanation = "goes to the end";
      }
      plan.candidates.push_back(std::move(candidate));
    }
    if (plan.found()) add_lost(plan);
    return plan.found();
  }

  /// How far the positions of each piece of the first pose can go on, and why no farther.
  void add_lost(PathPlan& plan) {
    int pieces = 0;
    for (const SelfPosition& p : instants_[0].positions) pieces = std::max(pieces, p.piece);
    for (int piece = 1; piece <= pieces; ++piece) {
      const std::string name = fmt::format("piece {}", piece);
      if (std::ranges::any_of(plan.candidates, [&](const PathCandidate& c) { return c.name == name; })) continue;
      std::vector<char> here;
      for (const SelfPosition& p : instants_[0].positions) here.push_back(p.piece == piece);
      if (std::ranges::count(here, 1) == 0) continue;
      std::size_t l = 0;
      for (; l + 1 < instants_.size(); ++l) {
        const Instant& at = instants_[l];
        std::vector<char> ahead(instants_[l + 1].positions.size(), 0);
        for (std::size_t i = 0; i < here.size(); ++i)
          for (std::size_t e = at.first[i]; here[i] && e < at.first[i + 1]; ++e)
            if (std::isfinite(at.length[e])) ahead[at.to[e]] = 1;
        if (std::ranges::count(ahead, 1) == 0) break;
        here = std::move(ahead);
      }
      // from the most promising of the last positions on, by shortest velocities: it says what is in the way
      const Instant& last = instants_[l];
      std::size_t best = 0;
      for (std::size_t i = 0; i < here.size(); ++i)
        if (here[i] && (!here[best] || last.positions[i].margin > last.positions[best].margin)) best = i;
      ToolPath rest = path_;
      rest.duration = path_.duration - last.u;
      rest.at = [this, from = last.u](double u) { return path_.at(from + u); };
      rest.time = [this, from = last.u](double u) { return path_.time(from + u); };
      rest.step = [this, from = last.u](double u) { return path_.step(from + u); };
      PathCandidate candidate;
      candidate.name = name;
      candidate.start = whole_position(instants_[0].positions.front().x);
      for (const SelfPosition& p : instants_[0].positions)
        if (p.piece == piece) {
          candidate.start = whole_position(p.x);
          break;
        }
      const FollowedPath followed = rest.duration > 0 ? solver_.follow(rest, whole_position(last.positions[best].x)) : FollowedPath{};
      candidate.stop_time = followed.finished() ? path_.time(last.u) : followed.stop_time;
      candidate.explanation =
          followed.finished() ? fmt::format("no way on was found behind t = {:.4g} s", path_.time(last.u))
                              : explanation(followed, solver_.model());
      plan.candidates.push_back(std::move(candidate));
    }
  }

  void say_why(PathPlan& plan) {
    std::erase_if(plan.candidates, [](const PathCandidate& c) { return c.finished; });
    join(false);
    add_lost(plan);
    plan.positions = 0;
    for (const Instant& i : instants_) plan.positions += static_cast<long long>(i.positions.size());
    plan.instants = static_cast<int>(instants_.size());
  }

  const InverseKinematics& solver_;
  const ToolPath& path_;
  std::string_view objective_;
  const RedundantArm& arm_;
  SelfMotion self_;
  std::array<bool, 7> turns_{};
  std::array<Limits, 7> limits_{};
  Fineness fineness_;
  std::vector<Instant> instants_;
  std::vector<std::array<std::size_t, 3>> good_;  // steps that were looked at and can be gone
};

}  // namespace

PathPlan plan_redundancy(const InverseKinematics& solver, const ToolPath& path, std::string_view objective) {
  return Planner(solver, path, objective).run();
}

}  // namespace torsor
