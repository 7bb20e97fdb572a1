#include "torsor/closed_form_ik/six_turns.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <random>

#include "torsor/closed_form_ik/loop_family.hpp"
#include "torsor/closed_form_ik/loop_valley.hpp"
#include "torsor/spatial/rotation.hpp"

namespace torsor {
namespace {

constexpr double same_solution = 1e-8;      // rad: two regular solutions nearer than that are one
constexpr double nearby_candidate = 0.05;   // rad: what a good candidate may be off by
constexpr double singular_sigma = 1e-7;     // sigma below which solutions may be a curve
constexpr double singular_position = 1e-6;  // sigma of draws below which no pose determines the joints
constexpr double rounding_zero = 1e-15;     // of the size of a determinant: it is zero
constexpr double touching_zero = 1e-11;     // likewise: it may touch zero, where nothing else was found
constexpr double lifted_zero = 1e-7;        // likewise: where it is least in size solutions are looked for
constexpr double near_fold = 1e-3;          // sigma below which the pose itself is beside a singular one
constexpr double nearly_closed = 0.01;      // residual of the candidate of a double zero: what is farther off is none
constexpr double poor_sigma = 1e-5;         // sigma below which one cut alone is not believed
constexpr double sound_pivot = 1e-7;        // below, what is eliminated is rounding
constexpr double fold_sigma = 0.02;         // sigma below which a second solution may lie side by side

SixAngles between(const SixAngles& a, const SixAngles& b) {
  SixAngles out = a;
  for (std::size_t i = 0; i < 6; ++i) out[i] += std::remainder(b[i] - a[i], 2 * std::numbers::pi) / 2;
  return out;
}

/// Whether a solution is one already found: at the same place, or, where the arm is nearly singular, with nothing but
/// solutions between.
bool is_new(const TurningLoop& loop, const TurningSolutions& found, const TurningSolution& s) {
  for (const TurningSolution& other : found.all()) {
    const double distance = apart(other.q, s.q);
    if (distance < same_solution) return false;
    const bool flat = s.measure.sigma < 1e-3 && other.measure.sigma < 1e-3 && distance < 1e-2;
    if (!flat) continue;
    const SixAngles middle = between(s.q, other.q);
    SixAngles there = middle;
    if (close_along(loop, there) && apart(middle, there) < 0.1 * distance) return false;
  }
  return true;
}

/// Whether a double zero is one of order two that two regular solutions share: then it hides no other. Where the right side has a
/// lower rank a zero of order two may have four.
bool is_shared(const Elimination& e, const CircleRoot& root, const TurningSolutions& found) {
  if (!(e.least_pivot > sound_pivot)) return false;
  constexpr double same_angle = 1e-5, order_two = 1e-5, regular = 1e-3;
  if (!(std::abs(e.series.curvature(root.t)) > order_two * e.size + 1e3 * e.error)) return false;
  return std::ranges::count_if(found.all(), [&](const TurningSolution& s) {
           return s.measure.sigma > regular &&
                  std::abs(std::remainder(e.angle_of(s.q) - root.t, 2 * std::numbers::pi)) < same_angle;
         }) == 2;
}

/// From the base on; joints that are alike to rounding leave the order to the next.
bool comes_before(const TurningSolution& a, const TurningSolution& b) {
  for (std::size_t k = 0; k < 6; ++k)
    if (std::abs(a.q[k] - b.q[k]) > 1e-7) return a.q[k] < b.q[k];
  return false;
}

SixAngles drawn_angles(std::mt19937_64& engine) {
  SixAngles q;
  for (double& x : q) x = (static_cast<double>(engine() >> 11) * 0x1p-53 * 2 - 1) * std::numbers::pi;
  return q;
}

/// Whether slides have to go farther than they are drawn.
bool leads_far(const TurningLoop& loop) {
  return std::ranges::count(loop.slides, true) > 0 && norm(loop.C[5].p) + 1 > std::numbers::pi;
}

/// Slides to where, with the turns as they are, the end comes nearest to its place, which is linear in them: one after the other
/// until they rest.
void set_slides(const TurningLoop& loop, SixAngles& q) {
  constexpr int most_rounds = 200;
  constexpr double rests = 1e-3;
  const LinearisedLoop at(loop, q);
  Vec3<double> off{at.error[3], at.error[4], at.error[5]};
  for (int round = 0; round < most_rounds; ++round) {
    double most = 0;
    for (std::size_t k = 0; k < 6; ++k) {
      if (!loop.slides[k]) continue;
      const Vec3<double> along{at.J[18 + k], at.J[24 + k], at.J[30 + k]};  // a unit vector
      const double by = -dot(along, off);
      q[k] += by;
      off += along * by;
      most = std::max(most, std::abs(by));
    }
    if (most < rests) break;
  }
}

/// A motion of the end by some 1e-3 rad and arm lengths.
Transform<double> drawn_shift(std::mt19937_64& engine) {
  constexpr double size = 1e-3 / std::numbers::pi;
  const SixAngles x = drawn_angles(engine);
  return {rotation_x(size * x[0]) * rotation_y(size * x[1]) * rotation_z(size * x[2]),
          Vec3<double>{x[3], x[4], x[5]} * size};
}

/// Closes the loop from a start. Where solutions meet, or are a curve, Newton's steps may lead nowhere: then by the shortest ones,
/// from where it stopped or from the start.
bool close_from(const TurningLoop& loop, const SixAngles& start, TurningSolution& s) {
  s.q = start;
  bool closed = close_loop(loop, s.q, s.measure);
  for (SixAngles q : {s.q, start}) {
    if (closed || !close_along(loop, q)) continue;
    const LoopMeasure there = measured(loop, q);
    closed = there.residual < closed_residual(loop) && there.sigma < singular_sigma;
    if (!closed) continue;
    turn_back(loop, q);
    s.q = q;
    s.measure = there;
  }
  if (closed && s.measure.sigma < singular_sigma) settle_on_fold(loop, s.q, s.measure);
  return closed;
}

/// Closes the loop from a candidate; answers whether it closed nearby, and adds what is new.
bool polish(const TurningLoop& loop, const SixAngles& candidate, TurningSolutions& out) {
  TurningSolution s;
  if (!close_from(loop, candidate, s)) return false;
  if (out.count < TurningSolutions::most && is_new(loop, out, s))
    out.solution[static_cast<std::size_t>(out.count++)] = s;
  return apart(s.q, candidate) < nearby_candidate;
}

}  // namespace

void TurningSolutions::sort() { std::sort(solution.begin(), solution.begin() + count, comes_before); }

void SixTurns::take(const std::array<Transform<double>, 7>& B) {
  B_ = B;
  size_ = 0;
  for (std::size_t k = 1; k < 6; ++k) size_ += norm(B[k].p);
  if (!(size_ > 0)) size_ = 1;
}

SixTurns::SixTurns(const std::array<Transform<double>, 7>& B, const std::array<bool, 6>& slides) : slides_(slides) {
  take(B);
  // every cut on the same random poses: how often the position that a pose was made of is found again, without doubt
  constexpr int poses = 24;
  std::mt19937_64 engine(1);
  std::array<SixAngles, poses> made;
  for (SixAngles& q : made) q = drawn_angles(engine);
  struct Rated {
    LoopCut cut;
    double marks = 0;
    bool serves = false;
  };
  std::array<Rated, 36> rated;
  for (int k = 0; k < 36; ++k) rated[static_cast<std::size_t>(k)].cut = {k / 6, k % 3, k / 3 % 2 == 1};
  for (Rated& r : rated)
    for (const SixAngles& q : made) {
      TurningSolutions found;
      // double zeros cost more than simple ones, though two solutions may share them
      const bool clean = run_cut(loop(tool_pose(from_loop(q))), r.cut, found, rounding_zero) && found.double_zeros == 0;
      const bool again =
          std::ranges::any_of(found.all(), [&q](const TurningSolution& s) { return apart(s.q, q) < 1e-6; });
      r.marks += clean + again;
      r.serves = r.serves || again;
    }
  std::stable_sort(rated.begin(), rated.end(), [](const Rated& a, const Rated& b) { return a.marks > b.marks; });
  for (const Rated& r : rated)
    if (r.serves) cuts_[static_cast<std::size_t>(cut_count_++)] = r.cut;
  // joints that are singular everywhere determine nothing; slides may leave no cut
  const bool any_slides = std::ranges::count(slides_, true) > 0;
  serves_ =
      (cut_count_ > 0 || any_slides) && std::ranges::any_of(made, [&](const SixAngles& q) {
        return measured(loop(tool_pose(from_loop(q))), q).sigma > (any_slides ? singular_position : singular_sigma);
      });
}

SixTurns SixTurns::with(const std::array<Transform<double>, 7>& B) const {
  SixTurns other;
  other.slides_ = slides_;
  other.cuts_ = cuts_;
  other.cut_count_ = cut_count_;
  other.serves_ = serves_;
  other.take(B);
  return other;
}

Transform<double> SixTurns::tool_pose(const SixAngles& q) const {
  std::array<Transform<double>, 6> joint;
  return tool_pose(q, joint);
}

Transform<double> SixTurns::tool_pose(const SixAngles& q, std::array<Transform<double>, 6>& joint) const {
  Transform<double> X = B_[0];
  for (std::size_t k = 0; k < 6; ++k) {
    joint[k] = X;
    X = (slides_[k] ? Transform<double>{X.R, X.p + X.R.z * q[k]}
                    : Transform<double>{times_rotation_z(X.R, std::cos(q[k]), std::sin(q[k])), X.p}) *
        B_[k + 1];
  }
  return X;
}

TurningLoop SixTurns::loop(const Transform<double>& X_world_tool) const {
  TurningLoop loop;
  loop.slides = slides_;
  for (std::size_t k = 0; k < 5; ++k) loop.C[k] = B_[k + 1];
  // axes that are a frame's to rounding: the loop closes no better than they are
  Transform<double> X = X_world_tool;
  for (int k = 0; k < 2; ++k) {
    const Mat3<double> RtR = ~X.R * X.R;
    X.R = X.R * (Mat3<double>::identity() * 1.5 - RtR * 0.5);
  }
  loop.C[5] = B_[6] * inverse(X) * B_[0];
  return scaled(loop, 1 / size_);
}

SixAngles SixTurns::to_loop(const SixAngles& q) const {
  SixAngles out = q;
  for (std::size_t k = 0; k < 6; ++k)
    if (slides_[k]) out[k] /= size_;
  return out;
}

SixAngles SixTurns::from_loop(const SixAngles& q) const {
  SixAngles out = q;
  for (std::size_t k = 0; k < 6; ++k)
    if (slides_[k]) out[k] *= size_;
  return out;
}

bool SixTurns::run_cut(const TurningLoop& loop, const LoopCut& cut, TurningSolutions& out, double touching) const {
  Elimination e;
  if (!eliminate(loop, cut, e, touching)) {
    ++out.flat;
    return false;
  }
  bool clean = e.least_pivot == 0 || e.least_pivot > sound_pivot;  // zero: of arms whose right side has a lower rank
  // simple zeros together, in lanes; zeros without a solution are spurious, or have more than one null vector
  std::array<double, 32> simple;
  std::size_t count = 0;
  for (const CircleRoot& root : e.roots.roots())
    if (root.simple) simple[count++] = root.t;
  if (out.cuts == 0) {
    out.simple_zeros = static_cast<int>(count);
    out.double_zeros = static_cast<int>(e.roots.roots().size() - count);
  }
  for (std::size_t k = 0; k < count; k += 4) {
    const std::span<const double> four =
        std::span<const double>(simple).subspan(k, std::min<std::size_t>(4, count - k));
    LoopCandidates candidates;
    candidates_at(e, four, candidates);
    // two candidates of one angle follow each other
    std::array<bool, 4> closed{};
    for (const SixAngles& q : candidates.all()) {
      const double t = e.angle_of(q);
      std::size_t which = 0;
      for (std::size_t i = 1; i < four.size(); ++i)
        if (std::abs(std::remainder(four[i] - t, 2 * std::numbers::pi)) <
            std::abs(std::remainder(four[which] - t, 2 * std::numbers::pi)))
          which = i;
      closed[which] = polish(loop, q, out) || closed[which];
    }
    for (std::size_t i = 0; i < four.size(); ++i) {
      if (closed[i]) continue;
      candidates.count = 0;
      all_candidates_at(e, four[i], candidates);
      for (const SixAngles& q : candidates.all()) closed[i] = polish(loop, q, out) || closed[i];
      clean = clean && closed[i];
    }
  }
  for (const CircleRoot& root : e.roots.roots()) {
    if (root.simple) continue;
    LoopCandidates candidates;
    candidates_at(e, std::array{root.t, root.from, root.to}, candidates);
    all_candidates_at(e, root.t, candidates);
    for (const SixAngles& q : candidates.all()) polish(loop, q, out);
    clean = clean && is_shared(e, root, out);
  }
  // a double zero that rounding of the elimination has lifted off: harmonics that must vanish do not show that error
  CircleTouches touches;
  circle_touches(e.series, std::max(lifted_zero * e.size, 30 * e.error), touches);
  for (const double t : touches.places()) {
    LoopCandidates candidates;
    candidates_at(e, std::array{t}, candidates);
    const int before = out.count;
    for (const SixAngles& q : candidates.all())
      if (loop_residual(loop, q) < nearly_closed) polish(loop, q, out);
    clean = clean && out.count == before;
  }
  return clean;
}

void SixTurns::solve(const Transform<double>& X_world_tool, TurningSolutions& out) const {
  if (!solve_by_cuts(X_world_tool, out)) search_on(X_world_tool, out);
}

bool SixTurns::solve_by_cuts(const Transform<double>& X_world_tool, TurningSolutions& out) const {
  const bool is_sure = solve_loop(loop(X_world_tool), out);
  for (TurningSolution& s : std::span(out.solution).first(static_cast<std::size_t>(out.count))) s.q = from_loop(s.q);
  return is_sure;
}

void SixTurns::search_on(const Transform<double>& X_world_tool, TurningSolutions& out) const {
  for (TurningSolution& s : std::span(out.solution).first(static_cast<std::size_t>(out.count))) s.q = to_loop(s.q);
  search(loop(X_world_tool), out);
  for (TurningSolution& s : std::span(out.solution).first(static_cast<std::size_t>(out.count))) s.q = from_loop(s.q);
}

/// By elimination; false where that leaves doubt.
bool SixTurns::solve_loop(const TurningLoop& loop, TurningSolutions& out) const {
  constexpr int most_cuts = 6;
  out.count = 0;
  out.cuts = out.flat = 0;
  out.simple_zeros = out.double_zeros = 0;
  out.searched = false;
  out.doubt = true;
  for (const LoopCut& cut : cuts()) {
    const int before = out.count;
    out.doubt = !run_cut(loop, cut, out, out.cuts > 0 && out.count == 0 ? touching_zero : rounding_zero);
    // beside a fold lies another
    for (int k = before; k < out.count; ++k) {
      const TurningSolution s = out.solution[static_cast<std::size_t>(k)];
      if (s.measure.sigma < fold_sigma && s.measure.sigma > 0) polish(loop, across_fold(loop, s.q, s.measure), out);
    }
    ++out.cuts;
    out.doubt = out.doubt || out.count % 2 == 1;
    // where solutions meet a zero may be lost in more than rounding: none of three cuts has one, nor nearly; and two agree
    // where the arm is nearly singular
    const bool is_nearly_singular =
        std::ranges::any_of(out.all(), [](const TurningSolution& s) { return s.measure.sigma < poor_sigma; });
    const bool is_confirmed = out.cuts >= (out.count == 0 ? 3 : is_nearly_singular ? 2 : 1);
    if ((!out.doubt && is_confirmed) || out.cuts == most_cuts) break;
  }
  const auto is_singular = [](const TurningSolution& s) { return s.measure.sigma < singular_sigma; };
  const bool far_none = out.count == 0 && leads_far(loop);
  return !out.doubt && !far_none && std::ranges::none_of(out.all(), is_singular);
}

/// Where no cut is beyond doubt: curves of solutions are told from single ones, and descents from seeded draws look for
/// more.
void SixTurns::search(const TurningLoop& loop, TurningSolutions& out) const {
  const bool is_far = leads_far(loop);
  const int patience = cut_count_ > 0 && !(out.count == 0 && is_far) ? 30 : 400;
  constexpr int most_families = 6;
  std::array<LoopFamily, most_families> family;
  std::size_t families = 0;
  TurningSolutions kept;
  const auto keep = [&](const TurningSolution& s) {
    if (kept.count == TurningSolutions::most) return false;
    TurningSolution one = s;
    if (s.measure.sigma < singular_sigma) {
      for (std::size_t k = 0; k < families; ++k)
        if (family[k].holds(loop, s.q)) return false;
      if (families == most_families) return false;
      one.family = follow_family(loop, s.q, s.measure, family[families]);
      families += one.family;
    }
    if (!is_new(loop, kept, one)) return false;
    kept.solution[static_cast<std::size_t>(kept.count++)] = one;
    return true;
  };
  // along valleys from what was found, and from where descents stall
  constexpr double valley_sigma = 1e-4, valley_residual = 1e-3;
  constexpr std::size_t most_valleys = 8;
  std::array<LoopValley, most_valleys> valley;
  std::size_t valleys = 0;
  const auto walk_from = [&](const SixAngles& q) {
    if (valleys == most_valleys) return false;
    for (std::size_t k = 0; k < valleys; ++k)
      if (valley[k].passed(q)) return false;
    LoopValley& one = valley[valleys++];
    one.walk(loop, q);
    bool any = false;
    for (const SixAngles& place : one.places()) {
      TurningSolution s;
      if (close_from(loop, place, s)) any = keep(s) || any;
    }
    return any;
  };
  for (const TurningSolution& s : out.all()) keep(s);
  for (int k = 0; k < kept.count; ++k) {
    const TurningSolution s = kept.solution[static_cast<std::size_t>(k)];
    if (!s.family && s.measure.sigma < valley_sigma) walk_from(s.q);
  }
  // poses beside this one, on either side, are not singular: from their solutions, most where this one seems to be or cuts are few
  std::mt19937_64 engine(1);
  const bool seems_singular =
      out.count == 0 || 2 * out.flat >= out.cuts || cut_count_ < 6 ||
      std::ranges::any_of(out.all(), [](const TurningSolution& s) { return s.measure.sigma < near_fold; });
  const int sides = seems_singular ? 6 : 2;
  const std::size_t side_cuts = seems_singular ? 2 : 1;
  Transform<double> beside;
  for (int k = 0; k < sides && cut_count_ > 0; ++k) {
    beside = k % 2 == 0 ? drawn_shift(engine) : inverse(beside);
    TurningLoop moved = loop;
    moved.C[5] = loop.C[5] * beside;
    TurningSolutions there;
    for (const LoopCut& cut : cuts().first(std::min(side_cuts, cuts().size())))
      run_cut(moved, cut, there, rounding_zero);
    for (const TurningSolution& near : there.all()) {
      TurningSolution s;
      if (close_from(loop, near.q, s)) keep(s);
    }
  }
  for (int idle = 0; idle < patience; ++idle) {
    TurningSolution s;
    SixAngles start = drawn_angles(engine);
    if (is_far) set_slides(loop, start);
    if (close_from(loop, start, s)) {
      if (keep(s)) {
        idle = 0;
        if (!s.family && s.measure.sigma < valley_sigma) walk_from(s.q);
      }
    } else if (const LoopMeasure m = measured(loop, s.q); m.residual < valley_residual && m.sigma < valley_sigma) {
      if (walk_from(s.q)) idle = 0;
    }
  }
  kept.cuts = out.cuts;
  kept.flat = out.flat;
  kept.doubt = out.doubt;
  kept.simple_zeros = out.simple_zeros;
  kept.double_zeros = out.double_zeros;
  kept.searched = true;
  out = kept;
}

}  // namespace torsor
