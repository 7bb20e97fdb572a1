#include "torsor/mechanism/assembly.hpp"

#include <algorithm>
#include <cmath>
#include <random>

#include "torsor/mechanism/closing_descent.hpp"
#include "torsor/model/random_position.hpp"

namespace torsor {

Assembly::Assembly(const Mechanism& m, EquationSet set)
    : mechanism_(m),
      set_(set),
      equations_(m),
      motion_(m, set),
      x_(m.description.bodies.size()),
      target_(static_cast<std::size_t>(m.rows)),
      lambda_(static_cast<std::size_t>(m.rows)) {}

void displace(MechanismState& state, std::span<const Motion<double>> x, double fraction) {
  for (std::size_t b = 0; b < state.bodies.size(); ++b) {
    BodyState& s = state.bodies[b];
    s.r += x[b].v * fraction;
    const double angle = norm(x[b].w) * fraction;
    if (angle == 0) continue;
    s.p = normalized(quaternion_about(x[b].w * (fraction / angle), angle) * s.p);
  }
}

double apart(const MechanismState& a, const MechanismState& b, double size) {
  double most = 0;
  for (std::size_t k = 0; k < a.bodies.size(); ++k) {
    const Quaternion<double>&p = a.bodies[k].p, &q = b.bodies[k].p;
    const Quaternion<double> near = nearer(q, p);
    const double chord =
        std::hypot(std::hypot(p.e0 - near.e0, p.e1 - near.e1), std::hypot(p.e2 - near.e2, p.e3 - near.e3));
    const double angle = 2 * chord * std::sqrt(1 - chord * chord / 4);
    most = std::max({most, norm(a.bodies[k].r - b.bodies[k].r) / size, angle});
  }
  return most;
}

AssemblyReport Assembly::gap_of_values() const {
  AssemblyReport report;
  for (std::size_t b = 0; b < mechanism_.blocks.size(); ++b) {
    if (!motion_.has(static_cast<int>(b))) continue;
    const ConstraintBlock& block = mechanism_.blocks[b];
    for (int r = 0; r < block.rows; ++r) {
      const auto row = static_cast<std::size_t>(block.first_row + r);
      const double gap = std::fabs(equations_.value[row]), share = gap / mechanism_.row_units[row];
      // a gap that is no number is the worst of all
      if (share <= report.share || std::isnan(report.share)) continue;
      report.gap = gap;
      report.share = share;
      report.block = static_cast<int>(b);
    }
  }
  return report;
}

AssemblyReport Assembly::positions(MechanismState& state, double tolerance) { return close(state, tolerance, false); }

AssemblyReport Assembly::from_guess(MechanismState& state) {
  const MechanismState guess = state;
  AssemblyReport best = positions(state);
  if (best.closed || !std::isfinite(best.gap)) return best;

  constexpr int most_rows = 3000, shaken_guesses = 8;
  const double size = size_of(mechanism_);
  ClosingDescent descent(mechanism_, set_);
  std::mt19937_64 engine(1);
  const auto draw = [&] { return 2 * uniform(engine) - 1; };
  double nearest = 0;
  const auto attempt = [&](MechanismState from) {
    descent.descend(from);
    AssemblyReport report = positions(from);
    report.before = best.before;
    const double way = apart(from, guess, size);
    if (report.closed ? best.closed && way >= nearest : best.closed || !(report.share < best.share)) return;
    best = report;
    nearest = way;
    state = std::move(from);
  };
  attempt(guess);
  if (!best.closed) attempt(MechanismState(state));
  if (best.closed || mechanism_.rows > most_rows) return best;
  // from all about, each a little further off
  for (int k = 0; k < shaken_guesses; ++k) {
    for (Motion<double>& x : x_) x = {{draw(), draw(), draw()}, Vec3<double>{draw(), draw(), draw()} * size};
    MechanismState shaken = guess;
    displace(shaken, x_, 0.05 * (k + 1));
    attempt(std::move(shaken));
  }
  return best;
}

AssemblyReport Assembly::close(MechanismState& state, double tolerance, bool may_follow) {
  constexpr int most_rounds = 200;
  constexpr double longest_turn = 0.5;   // rad: beyond it the linear step means little
  constexpr double good_enough = 4e-15;  // what rounding leaves
  equations_.evaluate(state);
  AssemblyReport best = gap_of_values();
  int rounds = 0;
  // first with factors that are there, then roughly; where that gets no further, the equations are taken at their word
  bool near = may_follow, rough = true;
  const double before = best.gap;
  bool fresh = true;  // the equations are those of the state
  for (; rounds < most_rounds && !(best.share <= good_enough) && std::isfinite(best.share); ++rounds) {
    if (!fresh) equations_.evaluate(state);
    if (!near || !motion_.follow(equations_, rough)) {
      near = false;
      motion_.factor(equations_, rough);
    }
    std::fill(x_.begin(), x_.end(), Motion<double>{});
    for (std::size_t r = 0; r < target_.size(); ++r) target_[r] = -equations_.value[r];
    motion_.constrain(x_, target_, lambda_);
    double turn = 0;
    for (const Motion<double>& x : x_) turn = std::max(turn, norm(x.w));
    if (!std::isfinite(turn)) break;

    // whole step, then halves of it, until the gap shrinks
    double fraction = std::min(1.0, longest_turn / std::max(turn, 1e-300));
    AssemblyReport next;
    bool better = false;
    for (int half = 0; half < 30 && !better; ++half, fraction /= 2) {
      trial_ = state;
      displace(trial_, x_, fraction);
      equations_.evaluate(trial_);
      fresh = false;
      next = gap_of_values();
      better = next.share < best.share;
    }
    if (!better && (!rough || best.share <= tolerance)) break;
    if (!better) {
      rough = near;
      near = false;
      continue;
    }
    std::swap(state, trial_);
    for (std::size_t k = 0; k < state.angles.size(); ++k) state.angles[k] = equations_.angle(static_cast<int>(k));
    const bool hardly = next.share <= tolerance && next.share > 0.5 * best.share;
    best = next;
    fresh = true;
    if (hardly) break;
  }
  if (!fresh) equations_.evaluate(state);
  // turns are counted on also where nothing had to be moved
  for (std::size_t k = 0; k < state.angles.size(); ++k) state.angles[k] = equations_.angle(static_cast<int>(k));
  best.before = before;
  best.rounds = rounds;
  best.closed = best.share <= tolerance;
  // where equations lose rank a gap is the square of a way, and Newton's method creeps
  constexpr double creeping = 1e-9;
  best.singular = !best.closed && best.share < creeping;
  best.closed = best.closed || best.singular;
  return best;
}

AssemblyReport Assembly::gap_left(double gap) const {
  AssemblyReport report;
  report.gap = motion_.worst_left();
  report.share = gap;
  report.block = motion_.worst_block();
  report.closed = gap <= 1e-8 * motion_.largest_term() || gap < 1e-12;
  return report;
}

AssemblyReport Assembly::velocities(MechanismState& state) {
  equations_.evaluate(state);
  motion_.factor(equations_);
  return velocities_here(state);
}

Assembly::Projected Assembly::project(MechanismState& state) {
  Projected done;
  // leaves the equations at the state
  done.positions = close(state, usual_tolerance, true);
  if (!motion_.follow(equations_)) motion_.factor(equations_);
  done.velocities = velocities_here(state);
  return done;
}

AssemblyReport Assembly::velocities_here(MechanismState& state) {
  for (std::size_t b = 0; b < x_.size(); ++b) x_[b] = {state.bodies[b].w, state.bodies[b].v};
  const double gap = motion_.constrain(x_, equations_.nu, lambda_);
  for (std::size_t b = 0; b < x_.size(); ++b) state.bodies[b].w = x_[b].w, state.bodies[b].v = x_[b].v;
  return gap_left(gap);
}

AssemblyReport Assembly::accelerations(const MechanismState& state, std::span<Motion<double>> A) {
  equations_.evaluate(state);
  motion_.factor(equations_);
  std::fill(A.begin(), A.end(), Motion<double>{});
  const double gap = motion_.constrain(A, equations_.gamma, lambda_);
  return gap_left(gap);
}

}  // namespace torsor
