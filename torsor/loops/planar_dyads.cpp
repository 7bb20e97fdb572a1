#include "torsor/loops/planar_dyads.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include "torsor/numeric/dense.hpp"

namespace torsor {
namespace {

using Link = DyadPlan::Link;
using Loop = DyadPlan::Loop;

// of the two columns' parallelogram, beside the longer's square: nearer to a dead centre Newton decides
constexpr double smallest_dyad = 1e-4;
constexpr double healthy_margin = 1e-3;  // of all lengths together: from there a shorter step helps
constexpr double closure_share = 1e-13;         // of all lengths together
constexpr double safe_share = 0.5;       // of what is left at both ends of a step, that it may take: farther, and joints turn round unseen

double length(PlanePoint a) { return std::sqrt(dot(a, a)); }

// joints that are solved for need not go straight
double turned(const Link& link, double by) { return (link.dependent >= 0 ? 2 : 1) * std::abs(link.gain * by); }

}  // namespace

PlanarDyads::PlanarDyads(const LoopCluster& cluster)
    : c_(cluster), before_(c_.dependent.size() + c_.independent.size()), rate_(c_.dependent.size()) {
  for (const Loop& loop : c_.dyads->loops) {
    Place place{Forms::place_of(loop), {}, {}, {}};
    place.arm.resize(loop.links.size()), place.q.resize(loop.links.size());
    now_.push_back(place), next_.push_back(std::move(place));
  }
}

void PlanarDyads::turn(const Loop& loop, std::span<const double> q, Place& place) {
  for (std::size_t k = 0; k < loop.links.size(); ++k) {
    const Link& link = loop.links[k];
    const double by = link.gain * (q[link.q] - link.at_reference);
    place.q[k] = q[link.q];
    place.c[k] = link.slides ? by : std::cos(by);
    place.s[k] = link.slides ? 0 : std::sin(by);
  }
}

bool PlanarDyads::finish(const Loop& loop, Place& place) {
  const int n = static_cast<int>(loop.links.size());
  // all lengths, from pivot to pivot
  place.reach = 0;
  for (int side = 0; side < 2; ++side) {
    const PlanePoint* last = nullptr;
    for (int k = side == 0 ? 0 : loop.of_i; k < (side == 0 ? loop.of_i : n); ++k) {
      if (loop.links[k].slides) {
        place.reach += std::abs(place.c[k]);
        continue;
      }
      if (last) place.reach += length(place.at[k] - *last);
      last = &place.at[k];
    }
    if (last) place.reach += length(place.end[side] - *last);
  }
  if (!(length(place.end[1] - place.end[0]) <= closure_share * place.reach)) return false;
  Forms::find_columns(loop, place);
  // of a slide in the unit of a turn
  const auto per_turn_of = [&](int k) { return (loop.links[k].slides ? place.reach : 1) * place.column[k]; };
  const PlanePoint a = per_turn_of(loop.first), b = per_turn_of(loop.second);
  if (!(std::abs(cross(a, b)) > smallest_dyad * std::max(dot(a, a), dot(b, b)))) return false;

  if (loop.links[loop.first].slides || loop.links[loop.second].slides) {
    const Forms::Slide t = Forms::slide_of(loop, place);
    place.margin = Forms::sides_of(loop, place).r - std::abs(cross(t.w, t.along));
    return true;
  }
  const Forms::Triangle t = Forms::triangle_of(loop, place);
  place.corners = {t.A, t.B, place.end[Forms::on_j(loop, loop.second)]};
  const double ab = length(t.B - t.A), bc = length(place.corners[2] - t.B), ca = length(t.A - place.corners[2]);
  place.margin = std::min({ab + bc - ca, bc + ca - ab, ca + ab - bc});
  return true;
}

/// By how much a step changes the distances between the corners, at most. Along the loop, from where it closes and back
/// there, the corners leave three parts. A joint of one changes the distance of its corners by no more than its turn
/// times the way from it to the nearer one, which joints between them may have made longer by then.
double PlanarDyads::travel(const Loop& loop, const Place& from, Place& to) {
  const int n = static_cast<int>(loop.links.size());
  const bool triangle = !loop.links[loop.first].slides && !loop.links[loop.second].slides;
  // one way the distances to the corner before, back those to the one behind
  double sum = 0;
  for (const bool back : {false, true}) {
    PlanePoint corner = from.corners[2];
    double longer = 0;
    for (int at = 0; at < n; ++at) {
      const int place = back ? n - 1 - at : at, k = place < loop.of_i ? loop.of_i - 1 - place : place;
      if (k == loop.first || k == loop.second) {
        corner = from.corners[k == loop.first ? 0 : 1];
        longer = 0;
        continue;
      }
      const Link& link = loop.links[k];
      const double by = turned(link, to.q[k] - from.q[k]);
      const double arm = link.slides ? 1 : triangle ? length(from.at[k] - corner) + longer : from.reach;
      longer += by * arm;
      if (!back) to.arm[k] = arm;
      else sum += by * std::min(to.arm[k], arm);
    }
  }
  return sum;
}

/// Whether a step ends so that the known points cannot have been too far apart, or too near, on its way.
bool PlanarDyads::is_sure(const Loop& loop, const Place& from, Place& to) {
  const double left = safe_share * (from.margin + to.margin);
  // short ones are, whatever their joints are away from
  double turns = 0, slides = 0;
  for (std::size_t k = 0; k < loop.links.size(); ++k)
    if (static_cast<int>(k) != loop.first && static_cast<int>(k) != loop.second)
      (loop.links[k].slides ? slides : turns) += turned(loop.links[k], to.q[k] - from.q[k]);
  return turns * (from.reach + slides) + slides <= left || travel(loop, from, to) <= left;
}

bool PlanarDyads::look(std::span<const double> q) {
  looked_ = false;
  for (std::size_t l = 0; l < now_.size(); ++l) {
    const Loop& loop = c_.dyads->loops[l];
    turn(loop, q, now_[l]);
    Forms::pose(loop, now_[l]);
    if (!finish(loop, now_[l])) return false;
  }
  return looked_ = true;
}

double PlanarDyads::branch(std::size_t l) const {
  const Loop& loop = c_.dyads->loops[l];
  const Place& place = now_[l];
  if (loop.links[loop.first].slides || loop.links[loop.second].slides) {
    const Forms::Slide t = Forms::slide_of(loop, place);
    return dot(t.w, t.along) < 0 ? -1 : 1;
  }
  const Forms::Triangle t = Forms::triangle_of(loop, place);
  return cross(t.third() - t.A, t.other() - t.A) < 0 ? -1 : 1;
}

PlanarDyads::Outcome PlanarDyads::move(std::span<double> q, std::span<const double> target) {
  if (!looked_ && !look(q)) return Outcome::near_singular;
  const auto each = [&](const auto& act) {
    std::size_t n = 0;
    for (const LoopCluster::Solved& joint : c_.solved) act(q[joint.q], before_[n++]);
    for (const int at : c_.independent_q) act(q[at], before_[n++]);
  };
  each([](double now, double& kept) { kept = now; });
  for (std::size_t i = 0; i < target.size(); ++i) q[c_.independent_q[i]] = target[i];
  for (std::size_t l = 0; l < now_.size(); ++l) {
    const Loop& loop = c_.dyads->loops[l];
    turn(loop, q, next_[l]);
    Forms::pose(loop, next_[l]);
    // numbers of what does not close are none
    Forms::solve(loop, next_[l], q);
    for (const int k : {loop.first, loop.second}) next_[l].q[k] = q[loop.links[k].q];
    if (finish(loop, next_[l]) && is_sure(loop, now_[l], next_[l])) continue;
    each([](double& now, double kept) { now = kept; });
    const bool shorter_helps = travel(loop, now_[l], next_[l]) > safe_share * now_[l].margin &&
                               now_[l].margin > healthy_margin * now_[l].reach;
    return shorter_helps ? Outcome::too_large : Outcome::near_singular;
  }
  now_.swap(next_);
  return Outcome::done;
}

void PlanarDyads::find_map(std::span<double> G) const {
  const int a = static_cast<int>(c_.independent.size());
  for (std::size_t l = 0; l < now_.size(); ++l) Forms::find_map(c_.dyads->loops[l], now_[l], a, G);
}

void PlanarDyads::add_map_rate(std::span<const double> qd, std::span<double> qdd) {
  for (std::size_t l = 0; l < now_.size(); ++l) Forms::find_map_rate(c_.dyads->loops[l], now_[l], qd, rate_);
  for (std::size_t k = 0; k < rate_.size(); ++k) qdd[c_.coordinates[c_.dependent[k]]] += rate_[k];
}

}  // namespace torsor
