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
constexpr double safe_share = 0.5;       // of what is left at both ends of a step, that it may take

PlanePoint operator+(PlanePoint a, PlanePoint b) { return {a.x + b.x, a.y + b.y}; }
PlanePoint operator-(PlanePoint a, PlanePoint b) { return {a.x - b.x, a.y - b.y}; }
PlanePoint operator*(double k, PlanePoint a) { return {k * a.x, k * a.y}; }
double dot(PlanePoint a, PlanePoint b) { return a.x * b.x + a.y * b.y; }
double cross(PlanePoint a, PlanePoint b) { return a.x * b.y - a.y * b.x; }
double length(PlanePoint a) { return std::sqrt(dot(a, a)); }
PlanePoint square_to(PlanePoint a) { return {-a.y, a.x}; }

/// A turn by its cosine and sine.
struct Turn {
  double c = 1, s = 0;
  PlanePoint operator*(PlanePoint a) const { return {c * a.x - s * a.y, s * a.x + c * a.y}; }
  Turn operator*(Turn t) const { return {c * t.c - s * t.s, s * t.c + c * t.s}; }
  double angle() const { return std::atan2(s, c); }
};
Turn inverse_of(Turn t) { return {t.c, -t.s}; }
Turn turn_between(PlanePoint a, PlanePoint b) {
  const double c = dot(a, b), s = cross(a, b), n = std::sqrt(c * c + s * s);
  return n > 0 ? Turn{c / n, s / n} : Turn{};
}

/// Four times the area of a triangle with these sides, by Kahan's order, which loses nothing in flat ones; negative
/// where there is none.
double four_areas(double a, double b, double c) {
  if (a < b) std::swap(a, b);
  if (b < c) std::swap(b, c);
  if (a < b) std::swap(a, b);
  const double square = (a + (b + c)) * (c - (a - b)) * (c + (a - b)) * (a + (b - c));
  return c >= a - b ? std::sqrt(std::max(square, 0.0)) : -1;
}

bool on_j(const Loop& loop, int link) { return link >= loop.of_i; }

/// The points that the unknown joints leave in place, and what hangs on these joints.
struct Triangle {
  PlanePoint A, B;      // of two hinges: the nearer one, or that of i; and the other
  PlanePoint on_A, on_B;  // ends that they turn: of two on one side, B hangs on A, and on_B on B
  PlanePoint target;    // where the end is to go, if both are on one side
  bool one_side = false;
};

}  // namespace

PlanarDyads::PlanarDyads(const LoopCluster& cluster)
    : c_(cluster), before_(c_.dependent.size() + c_.independent.size()), rate_(c_.dependent.size()) {
  for (const Loop& loop : c_.dyads->loops) {
    const std::size_t n = loop.links.size();
    Place place;
    for (auto* numbers : {&place.c, &place.s, &place.arm, &place.q}) numbers->resize(n);
    place.at.resize(n), place.column.resize(n);
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

void PlanarDyads::pose(const Loop& loop, Place& place) {
  const int n = static_cast<int>(loop.links.size());
  for (int side = 0; side < 2; ++side) {
    Turn R;
    PlanePoint p;
    for (int k = side == 0 ? 0 : loop.of_i; k < (side == 0 ? loop.of_i : n); ++k) {
      const Link& link = loop.links[k];
      if (link.slides) {
        place.at[k] = R * link.place;
        p = p + place.c[k] * place.at[k];
      } else {
        place.at[k] = R * link.place + p;
        R = R * Turn{place.c[k], place.s[k]};
        p = place.at[k] - R * link.place;
      }
    }
    place.end[side] = R * loop.end[side] + p;
  }
}

namespace {

/// For the places of hinges: of two hinges the triangle.
Triangle triangle_of(const Loop& loop, std::span<const PlanePoint> at, const PlanePoint* end) {
  const bool a = on_j(loop, loop.first), b = on_j(loop, loop.second);
  return {at[loop.first], at[loop.second], end[a], end[b], end[!b], a == b};
}

/// Of a hinge and a slide: |w + s along| = radius, and from where to where the hinge then turns: the slide moves the
/// one or the other.
struct Slide {
  PlanePoint w, along;
  double radius = 0;
  PlanePoint A, from, to;
  bool moves_from = false;
  double sense = 1;  // of what the slide adds to `from` or `to`
};

Slide slide_of(const Loop& loop, std::span<const PlanePoint> at, const PlanePoint* end) {
  const bool first_slides = loop.links[loop.first].slides;
  const int hinge = first_slides ? loop.second : loop.first, slide = first_slides ? loop.first : loop.second;
  const PlanePoint A = at[hinge], along = at[slide], of_hinge = end[on_j(loop, hinge)], other = end[!on_j(loop, hinge)];
  if (on_j(loop, hinge) != on_j(loop, slide))  // the slide moves the end that the hinge's is to meet
    return {other - A, along, length(of_hinge - A), A, of_hinge - A, other - A, false, 1};
  if (slide < hinge)  // it moves the hinge
    return {A - other, along, length(of_hinge - A), A, of_hinge - A, other - A, false, -1};
  return {of_hinge - A, along, length(other - A), A, of_hinge - A, other - A, true, 1};
}

}  // namespace

bool PlanarDyads::solve(const Loop& loop, Place& place, std::span<double> q) {
  const auto turned = [&](int k, Turn by) {
    const Turn whole = Turn{place.c[k], place.s[k]} * by;
    place.c[k] = whole.c, place.s[k] = whole.s;
    q[loop.links[k].q] += by.angle() / loop.links[k].gain;
  };
  if (!loop.links[loop.first].slides && !loop.links[loop.second].slides) {
    const Triangle t = triangle_of(loop, place.at, place.end);
    const PlanePoint other = t.one_side ? t.target : t.B;
    const double d = length(other - t.A), r = length((t.one_side ? t.B : t.on_A) - t.A), s = length(t.on_B - t.B);
    const double areas = four_areas(d, r, s);
    if (!(d > 0) || areas < 0) return false;
    const PlanePoint e = (1 / d) * (other - t.A);
    const double x = (d * d + (r - s) * (r + s)) / (2 * d), h = areas / (2 * d);
    const PlanePoint U = t.A + x * e - (loop.sign * h) * square_to(e);
    const Turn by_A = turn_between((t.one_side ? t.B : t.on_A) - t.A, U - t.A);
    const Turn whole_B = turn_between(t.on_B - t.B, t.one_side ? t.target - U : U - t.B);
    turned(loop.first, by_A);
    turned(loop.second, t.one_side ? whole_B * inverse_of(by_A) : whole_B);
  } else {
    const bool first_slides = loop.links[loop.first].slides;
    const int hinge = first_slides ? loop.second : loop.first, slide = first_slides ? loop.first : loop.second;
    const Slide t = slide_of(loop, place.at, place.end);
    const double b = dot(t.w, t.along), off = std::abs(cross(t.w, t.along));
    if (off > t.radius) return false;
    const double by = loop.sign * std::sqrt((t.radius - off) * (t.radius + off)) - b;
    const PlanePoint moved = (t.sense * by) * t.along;
    turned(hinge, turn_between(t.moves_from ? t.from + moved : t.from, t.moves_from ? t.to : t.to + moved));
    place.c[slide] += by;
    q[loop.links[slide].q] += by / loop.links[slide].gain;
  }
  for (const int k : {loop.first, loop.second}) place.q[k] = q[loop.links[k].q];
  pose(loop, place);
  return true;
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
  for (int k = 0; k < n; ++k) {
    const Link& link = loop.links[k];
    const bool j = on_j(loop, k);
    const PlanePoint per_turn = link.slides ? place.at[k] : square_to(place.end[j] - place.at[k]);
    place.column[k] = (j ? link.gain : -link.gain) * per_turn;
    place.arm[k] = std::abs(link.gain) * (link.slides ? 1 : place.reach);
  }
  // of a slide in the unit of a turn
  const auto per_turn_of = [&](int k) { return (loop.links[k].slides ? place.reach : 1) * place.column[k]; };
  const PlanePoint a = per_turn_of(loop.first), b = per_turn_of(loop.second);
  if (!(std::abs(cross(a, b)) > smallest_dyad * std::max(dot(a, a), dot(b, b)))) return false;

  if (loop.links[loop.first].slides || loop.links[loop.second].slides) {
    const Slide t = slide_of(loop, place.at, place.end);
    place.margin = t.radius - std::abs(cross(t.w, t.along));
    return true;
  }
  const Triangle t = triangle_of(loop, place.at, place.end);
  const std::array<PlanePoint, 3> corners{t.A, t.B, place.end[on_j(loop, loop.second)]};
  const double ab = length(t.B - t.A), bc = length(corners[2] - t.B), ca = length(t.A - corners[2]);
  place.margin = std::min({ab + bc - ca, bc + ca - ab, ca + ab - bc});
  // a turn between two corners changes their distance by no more than the nearer one is away
  for (int k = 0; k < n; ++k) {
    if (loop.links[k].slides || k == loop.first || k == loop.second) continue;
    const bool on_first_side = on_j(loop, k) == on_j(loop, loop.first);
    PlanePoint from = corners[0], to = corners[1];
    if (t.one_side) {
      if (!on_first_side || k < loop.first) from = corners[2], to = corners[0];
      if (on_first_side && k > loop.second) from = corners[1], to = corners[2];
    } else if (on_first_side && k > loop.first) {
      to = corners[2];
    } else if (!on_first_side && k > loop.second) {
      from = corners[1], to = corners[2];
    }
    place.arm[k] = std::abs(loop.links[k].gain) * std::min(length(from - place.at[k]), length(to - place.at[k]));
  }
  return true;
}

double PlanarDyads::travel(const Loop& loop, const Place& from, const Place& to) {
  double sum = 0;
  for (int k = 0; k < static_cast<int>(loop.links.size()); ++k) {
    if (k == loop.first || k == loop.second) continue;
    // joints that are solved for need not go straight
    sum += (loop.links[k].dependent >= 0 ? 2 : 1) * from.arm[k] * std::abs(to.q[k] - from.q[k]);
  }
  return sum;
}

bool PlanarDyads::look(std::span<const double> q) {
  looked_ = false;
  for (std::size_t l = 0; l < now_.size(); ++l) {
    const Loop& loop = c_.dyads->loops[l];
    turn(loop, q, now_[l]);
    pose(loop, now_[l]);
    if (!finish(loop, now_[l])) return false;
  }
  return looked_ = true;
}

double PlanarDyads::branch(std::size_t l) const {
  const Loop& loop = c_.dyads->loops[l];
  const Place& place = now_[l];
  if (loop.links[loop.first].slides || loop.links[loop.second].slides) {
    const Slide t = slide_of(loop, place.at, place.end);
    return dot(t.w, t.along) < 0 ? -1 : 1;
  }
  const Triangle t = triangle_of(loop, place.at, place.end);
  const PlanePoint third = t.one_side ? t.B : t.on_A, other = t.one_side ? t.target : t.B;
  return cross(third - t.A, other - t.A) < 0 ? -1 : 1;
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
    pose(loop, next_[l]);
    const double way = travel(loop, now_[l], next_[l]);
    const bool closes = solve(loop, next_[l], q), regular = closes && finish(loop, next_[l]);
    if (regular && way <= safe_share * (now_[l].margin + next_[l].margin)) continue;
    each([](double& now, double kept) { now = kept; });
    const bool shorter_helps = way > safe_share * now_[l].margin && now_[l].margin > healthy_margin * now_[l].reach;
    return shorter_helps ? Outcome::too_large : Outcome::near_singular;
  }
  now_.swap(next_);
  return Outcome::done;
}

void PlanarDyads::find_map(std::span<double> G) const {
  const int a = static_cast<int>(c_.independent.size());
  for (std::size_t l = 0; l < now_.size(); ++l) {
    const Loop& loop = c_.dyads->loops[l];
    const Place& place = now_[l];
    const PlanePoint first = place.column[loop.first], second = place.column[loop.second];
    const double per_area = 1 / cross(first, second);
    const int row_first = loop.links[loop.first].dependent, row_second = loop.links[loop.second].dependent;
    for (int j = 0; j < a; ++j) {
      PlanePoint rest;
      for (int k = 0; k < static_cast<int>(loop.links.size()); ++k) {
        const Link& link = loop.links[k];
        if (k == loop.first || k == loop.second) continue;
        if (link.dependent >= 0)
          rest = rest - G[cell(link.dependent, a, j)] * place.column[k];
        else if (link.independent == j)
          rest = rest - place.column[k];
      }
      G[cell(row_first, a, j)] = cross(rest, second) * per_area;
      G[cell(row_second, a, j)] = cross(first, rest) * per_area;
    }
  }
}

void PlanarDyads::add_map_rate(std::span<const double> qd, std::span<double> qdd) {
  for (std::size_t l = 0; l < now_.size(); ++l) {
    const Loop& loop = c_.dyads->loops[l];
    const Place& place = now_[l];
    const int n = static_cast<int>(loop.links.size());
    // accelerations of the ends while no joint accelerates
    PlanePoint rest;
    for (int side = 0; side < 2; ++side) {
      PlanePoint acceleration, last;
      double w = 0;
      for (int k = side == 0 ? 0 : loop.of_i; k < (side == 0 ? loop.of_i : n); ++k) {
        const Link& link = loop.links[k];
        const double rate = link.gain * qd[link.v];
        if (link.slides) {
          acceleration = acceleration + (2 * w * rate) * square_to(place.at[k]);
        } else {
          acceleration = acceleration - (w * w) * (place.at[k] - last);
          w += rate;
          last = place.at[k];
        }
      }
      acceleration = acceleration - (w * w) * (place.end[side] - last);
      rest = side == 0 ? acceleration : rest - acceleration;
    }
    for (int k = 0; k < n; ++k) {
      const int dependent = loop.links[k].dependent;
      if (k != loop.first && k != loop.second && dependent >= 0) rest = rest - rate_[dependent] * place.column[k];
    }
    const PlanePoint first = place.column[loop.first], second = place.column[loop.second];
    const double per_area = 1 / cross(first, second);
    rate_[loop.links[loop.first].dependent] = cross(rest, second) * per_area;
    rate_[loop.links[loop.second].dependent] = cross(first, rest) * per_area;
  }
  for (std::size_t k = 0; k < rate_.size(); ++k) qdd[c_.coordinates[c_.dependent[k]]] += rate_[k];
}

}  // namespace torsor
