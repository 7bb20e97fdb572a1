#include "torsor/numeric_ik/redundancy_search.hpp"

#include <algorithm>
#include <cmath>

#include "torsor/scalar/infinity.hpp"
#include "torsor/spatial/whole_turn.hpp"

namespace torsor {
namespace {

constexpr int least_instants = 12, most_instants = 400, most_strikes = 400;
constexpr double near_best = 0.95;  // of the best: the rest is given up for a shorter way

}  // namespace

PlannedArm::PlannedArm(const InverseKinematics& of, const ToolPath& along, std::string_view wanted)
    : solver(of), path(along), objective(wanted), arm(*of.redundant()), self(of.model(), of.tool(), arm) {
  for (std::size_t k = 0; k < 7; ++k) {
    const TaskJoint& joint = self.joint(k);
    turns[k] = joint.turns && !(joint.upper - joint.lower < whole_turn + 0.01);
    limits[k] = of.model().limits[static_cast<std::size_t>(joint.v)];
  }
}

bool PlannedArm::inside(SevenAngles x, double by) const {
  for (std::size_t k = 0; k < 7; ++k)
    if (turns[k]) x[k] = (std::max(limits[k].lower, -1e9) + std::min(limits[k].upper, 1e9)) / 2;
  return self.inside(x, by);
}

std::vector<double> PlannedArm::whole_position(const SevenAngles& x) const {
  std::vector<double> q = neutral_position(solver.model());
  for (std::size_t k = 0; k < 7; ++k) q[static_cast<std::size_t>(self.joint(k).q)] = x[k];
  return q;
}

void RedundancySearch::lay_out(const Fineness& fineness) {
  fineness_ = fineness;
  constexpr int probes = 400;
  double way = 0;
  std::vector<double> until{0};
  Transform<double> before = arm_.path.at(0).X;
  for (int k = 1; k <= probes; ++k) {
    const Transform<double> X = arm_.path.at(arm_.path.duration * k / probes).X;
    const Mat3<double> by = ~before.R * X.R;
    const Vec3<double> turn{by.y.z - by.z.y, by.z.x - by.x.z, by.x.y - by.y.x};
    way += std::hypot(norm(turn) / 2, norm(X.p - before.p) / arm_.self.unit_length());
    until.push_back(way);
    before = X;
  }
  const int steps = std::clamp(static_cast<int>(std::ceil(way / fineness_.tool)), least_instants, most_instants);
  instants_.assign(arm_.path.duration > 0 ? static_cast<std::size_t>(steps) + 1 : 1, {});
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
    PlanInstant& instant = instants_[k];
    instant.u = k + 1 == instants_.size() && k > 0 ? arm_.path.duration
                                                   : arm_.path.duration * (static_cast<double>(at) + within) / probes;
    instant.X = arm_.path.at(instant.u).X;
    instant.positions = arm_.self.positions(instant.X, fineness_.step, arm_.turns);
    std::erase_if(instant.positions, [&](const SelfPosition& p) { return !arm_.self.inside(p.x, fineness_.shy); });
  }
}

void RedundancySearch::join(bool speeds) {
  for (std::size_t l = 0; l + 1 < instants_.size(); ++l) {
    PlanInstant &here = instants_[l], &ahead = instants_[l + 1];
    const double h = arm_.path.time(ahead.u) - arm_.path.time(here.u);
    here.first.assign(1, 0);
    here.to.clear();
    here.length.clear();
    // in the order of a joint whose turns are all told apart, if there is one, so that few pairs are looked at
    const std::size_t by_joint = static_cast<std::size_t>(std::ranges::find(arm_.turns, false) - arm_.turns.begin());
    const bool ordered = by_joint < 7;
    const auto place = [&](const SelfPosition& p) { return ordered ? p.x[by_joint] : 0; };
    std::ranges::sort(ahead.positions, {}, place);
    const double reach = ordered ? fineness_.farthest * arm_.self.unit(by_joint) : 1;
    for (const SelfPosition& a : here.positions) {
      const auto begin = std::ranges::lower_bound(ahead.positions, place(a) - reach, {}, place),
                 end = std::ranges::upper_bound(ahead.positions, place(a) + reach, {}, place);
      for (auto at = begin; at != end; ++at) {
        const auto j = static_cast<std::size_t>(at - ahead.positions.begin());
        double square = 0;
        bool near = true;
        for (std::size_t k = 0; k < 7 && near; ++k) {
          const double by = SelfMotion::change(a.x, ahead.positions[j].x, k, arm_.turns);
          near = std::abs(by) <= fineness_.farthest * arm_.self.unit(k) &&
                 (!speeds || std::abs(by) <= 0.97 * arm_.limits[k].velocity * h);
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

/// Costs to the end, of instants up to `last`: the shortest way over positions worth at least so much.
void RedundancySearch::shortest(double least_worth, std::size_t last) {
  for (std::size_t l = last + 1; l-- > 0;) {
    PlanInstant& here = instants_[l];
    const std::size_t count = here.positions.size();
    here.cost.assign(count, infinity);
    here.next.assign(count, 0);
    for (std::size_t i = 0; i < count; ++i) {
      if (arm_.worth(here.positions[i]) < least_worth) continue;
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
double RedundancySearch::best_worth(int piece) const {
  std::vector<double> ahead, here;
  for (std::size_t l = instants_.size(); l-- > 0;) {
    const PlanInstant& at = instants_[l];
    here.assign(at.positions.size(), -infinity);
    for (std::size_t i = 0; i < here.size(); ++i) {
      double most = l + 1 == instants_.size() ? infinity : -infinity;
      if (l + 1 < instants_.size())
        for (std::size_t e = at.first[i]; e < at.first[i + 1]; ++e)
          if (std::isfinite(at.length[e])) most = std::max(most, ahead[at.to[e]]);
      here[i] = std::min(most, arm_.worth(at.positions[i]));
    }
    std::swap(here, ahead);
  }
  double best = -infinity;
  for (std::size_t i = 0; i < ahead.size(); ++i)
    if (instants_[0].positions[i].piece == piece) best = std::max(best, ahead[i]);
  return best;
}

/// The straight way between two positions, brought onto the pose of instants in between: whether the arm can go it.
bool RedundancySearch::can_go(const PlanInstant& here, std::size_t i, const PlanInstant& ahead, std::size_t j) {
  const SevenAngles &a = here.positions[i].x, &b = ahead.positions[j].x;
  const double way = arm_.self.apart(a, b, arm_.turns);
  const int pieces = std::max(2, static_cast<int>(std::ceil(way / 0.08)));
  SevenAngles from = a;
  for (int p = 1; p <= pieces; ++p) {
    const double s = static_cast<double>(p) / pieces;
    SevenAngles x;
    for (std::size_t k = 0; k < 7; ++k) x[k] = a[k] + s * SelfMotion::change(a, b, k, arm_.turns);
    const SevenAngles straight = x;
    if (p < pieces) {
      if (!arm_.self.bring(arm_.path.at(here.u + s * (ahead.u - here.u)).X, x)) return false;
      if (arm_.self.apart(straight, x, {}) > 0.4 * way + 1e-9 || !arm_.inside(x)) return false;
    }
    if (arm_.self.apart(from, x, {}) > 2 * way / pieces + 1e-9) return false;
    from = x;
  }
  return true;
}

/// The shortest way from a piece over positions worth enough whose steps have all been looked at; those that cannot be gone
/// are struck out. None: empty.
RedundancySearch::Way RedundancySearch::checked_way(int piece, double least_worth) {
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

std::optional<std::size_t> RedundancySearch::first_bad_step(const Way& way) {
  for (std::size_t l = 0; l + 1 < instants_.size(); ++l) {
    const std::array<std::size_t, 3> key{l, way[l], way[l + 1]};
    if (std::ranges::binary_search(good_, key)) continue;
    if (!can_go(instants_[l], way[l], instants_[l + 1], way[l + 1])) return l;
    good_.insert(std::ranges::lower_bound(good_, key), key);
  }
  return std::nullopt;
}

void RedundancySearch::strike(std::size_t l, const Way& way) {
  PlanInstant& here = instants_[l];
  for (std::size_t e = here.first[way[l]]; e < here.first[way[l] + 1]; ++e)
    if (here.to[e] == way[l + 1]) here.length[e] = infinity;
}

/// The positions of a way, each joint running on over whole turns.
std::vector<SevenAngles> RedundancySearch::positions_of(const Way& way) const {
  std::vector<SevenAngles> out;
  for (std::size_t l = 0; l < way.size(); ++l) {
    SevenAngles x = instants_[l].positions[way[l]].x;
    if (l > 0)
      for (std::size_t k = 0; k < 7; ++k) x[k] = out.back()[k] + SelfMotion::change(out.back(), x, k, arm_.turns);
    out.push_back(x);
  }
  return out;
}

std::vector<PlannedWay> RedundancySearch::ways() {
  good_.clear();
  std::vector<PlannedWay> found;
  for (int piece = 1; piece <= pieces(); ++piece) {
    const double most = arm_.is_shortest() ? 0 : best_worth(piece);
    if (most == -infinity) continue;
    double enough = arm_.is_shortest() ? -infinity : near_best * most;
    Way way = checked_way(piece, enough);
    if (way.empty() && !arm_.is_shortest()) way = checked_way(piece, enough = -infinity);
    if (way.empty()) continue;
    double worst = infinity;
    for (std::size_t l = 0; l < way.size(); ++l) worst = std::min(worst, arm_.worth(instants_[l].positions[way[l]]));
    const double length = instants_[0].cost[way.front()];
    found.push_back({piece, arm_.is_shortest() ? -length : worst, enough, length, positions_of(way)});
  }
  std::ranges::stable_sort(found, [](const PlannedWay& a, const PlannedWay& b) { return a.worth > b.worth; });
  return found;
}

int RedundancySearch::pieces() const {
  int most = 0;
  for (const SelfPosition& p : instants_[0].positions) most = std::max(most, p.piece);
  return most;
}

std::size_t RedundancySearch::farthest(int piece, std::vector<char>& reached) const {
  reached.clear();
  for (const SelfPosition& p : instants_[0].positions) reached.push_back(p.piece == piece);
  std::size_t l = 0;
  for (; l + 1 < instants_.size(); ++l) {
    const PlanInstant& at = instants_[l];
    std::vector<char> ahead(instants_[l + 1].positions.size(), 0);
    for (std::size_t i = 0; i < reached.size(); ++i)
      for (std::size_t e = at.first[i]; reached[i] && e < at.first[i + 1]; ++e)
        if (std::isfinite(at.length[e])) ahead[at.to[e]] = 1;
    if (std::ranges::count(ahead, 1) == 0) break;
    reached = std::move(ahead);
  }
  return l;
}

bool RedundancySearch::is_out_of_reach() const {
  return std::ranges::any_of(instants_, [&](const PlanInstant& i) {
    SevenSolutions found;
    return i.positions.empty() && !arm_.arm.nearest_value(i.X, 0, found);
  });
}

}  // namespace torsor
