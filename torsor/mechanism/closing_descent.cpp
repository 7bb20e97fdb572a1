#include "torsor/mechanism/closing_descent.hpp"

#include <algorithm>
#include <cmath>
#include <random>

#include "torsor/mechanism/assembly.hpp"
#include "torsor/model/random_position.hpp"
#include "torsor/numeric/row_major.hpp"
#include "torsor/numeric/symmetric_eigen.hpp"

namespace torsor {
namespace {

/// The largest part of a motion: turns in rad, ways in sizes of the mechanism.
double extent(std::span<const Motion<double>> x, double size) {
  double most = 0;
  for (const Motion<double>& each : x) most = std::max({most, norm(each.w), norm(each.v) / size});
  return most;
}

}  // namespace

ClosingDescent::ClosingDescent(const Mechanism& m, EquationSet set)
    : equations_(m),
      motion_(m, set),
      size_(size_of(m)),
      lambda_(static_cast<std::size_t>(m.rows)),
      none_(lambda_.size()),
      forces_(m.description.bodies.size()),
      x_(m.description.bodies.size()) {
  motion_.expect_redundancy(true);
  for (const double unit : m.row_units) per_unit_.push_back(1 / unit);
}

ClosingDescent::Height ClosingDescent::height(const MechanismState& state) {
  equations_.evaluate(state);
  Height h;
  for (const int row : motion_.rows()) {
    const double value = equations_.value[static_cast<std::size_t>(row)] * per_unit_[static_cast<std::size_t>(row)];
    h.sum += value * value / 2;
    h.worst = std::max(h.worst, std::fabs(value));
  }
  return h;
}

bool ClosingDescent::try_step(MechanismState& state, Height& at, const Motions& x, double fraction) {
  trial_ = state;
  displace(trial_, x, fraction);
  const Height next = height(trial_);
  if (!(next.sum < at.sum)) return false;
  at = next;
  for (std::size_t k = 0; k < trial_.angles.size(); ++k) trial_.angles[k] = equations_.angle(static_cast<int>(k));
  std::swap(state, trial_);
  return true;
}

void ClosingDescent::damped_step(const MechanismState& state, double damping) {
  equations_.evaluate(state);
  motion_.damped_multipliers(equations_, damping, equations_.value, lambda_);
  std::fill(forces_.begin(), forces_.end(), Force<double>{});
  motion_.add_reactions(lambda_, forces_);
  for (std::size_t b = 0; b < x_.size(); ++b) x_[b] = motion_.inverse_mass(static_cast<int>(b), forces_[b]);
}

bool ClosingDescent::descend(MechanismState& state) {
  constexpr int most_rounds = 400, most_saddles = 20;
  constexpr double near_enough = 1e-7, longest = 0.5;  // of a step: rad, or sizes of the mechanism
  constexpr double hardly = 1e-3;                      // of F, in one step: slope or saddle?
  Height at = height(state);
  double damping = 1e-3;
  int saddles = 0;
  for (int round = 0; round < most_rounds && at.worst > near_enough && std::isfinite(at.sum); ++round) {
    damped_step(state, damping);
    const double before = at.sum, far = extent(x_, size_);
    const bool lower = std::isfinite(far) && try_step(state, at, x_, far > longest ? longest / far : 1);
    damping = lower ? std::max(damping / 4, 1e-12) : damping * 8;
    if (lower ? at.sum < (1 - hardly) * before : damping < 1e4) continue;
    // nothing is gained any more: over the edge of a saddle, or at the bottom
    if (++saddles > most_saddles || !leave_saddle(state, at)) {
      if (!lower) return false;
      continue;
    }
    damping = 1e-3;
  }
  return at.worst <= near_enough;
}

bool ClosingDescent::leave_saddle(MechanismState& state, Height& at) {
  Motions down = falling(state);
  if (down.empty()) return false;
  const double far = extent(down, size_);
  for (double way = 0.5; way > 1e-3; way /= 2)
    for (const double sign : {1.0, -1.0})
      if (try_step(state, at, down, sign * way / far)) return true;
  return false;
}

ClosingDescent::Motions ClosingDescent::slope(const MechanismState& state, const Motions& way, double fraction) {
  trial_ = state;
  displace(trial_, way, fraction);
  equations_.evaluate(trial_);
  std::fill(forces_.begin(), forces_.end(), Force<double>{});
  // gradients of where it is now, in the metric of where it came from
  for (std::size_t r = 0; r < lambda_.size(); ++r) lambda_[r] = equations_.value[r] * per_unit_[r] * per_unit_[r];
  motion_.add_reactions(lambda_, forces_);
  Motions g(x_.size());
  for (std::size_t b = 0; b < g.size(); ++b) g[b] = motion_.inverse_mass(static_cast<int>(b), forces_[b]) * -1.0;
  return g;
}

double ClosingDescent::product(const Motions& a, const Motions& b) const {
  double sum = 0;
  for (std::size_t k = 0; k < a.size(); ++k) {
    const int body = static_cast<int>(k);
    sum += dot(a[k], motion_.mass(body, b[k]) + motion_.borrowed(body, b[k]));
  }
  return sum;
}

ClosingDescent::Motions ClosingDescent::falling(const MechanismState& state) {
  constexpr int most_vectors = 30;
  constexpr double little = 1e-4;    // of a displacement that shows the curvature
  constexpr double rounding = 1e-8;  // of lengths that were 1
  equations_.evaluate(state);
  motion_.factor(equations_);
  std::vector<Motions> Q;
  // onto the motions that the equations do not feel, across those there are, to length 1; false: nothing is left
  const auto take = [&](Motions x) {
    const double before = std::sqrt(product(x, x));
    equations_.evaluate(state);
    motion_.constrain(x, none_, lambda_);
    for (int pass = 0; pass < 2; ++pass)
      for (const Motions& q : Q) {
        const double part = product(q, x);
        for (std::size_t b = 0; b < x.size(); ++b) x[b] = x[b] - q[b] * part;
      }
    const double length = std::sqrt(product(x, x));
    if (!(length > rounding * before)) return false;
    for (Motion<double>& each : x) each = each * (1 / length);
    Q.push_back(std::move(x));
    return true;
  };
  // any beginning does that is square to nothing; the same one on every machine
  std::mt19937_64 engine(1);
  const auto draw = [&] { return 2 * uniform(engine) - 1; };
  Motions first(x_.size());
  for (std::size_t b = 0; b < first.size(); ++b) {
    const Force<double> any{Vec3<double>{draw(), draw(), draw()} * size_, {draw(), draw(), draw()}};
    first[b] = motion_.inverse_mass(static_cast<int>(b), any);
  }
  if (!take(std::move(first))) return {};
  std::vector<Motions> HQ;
  for (int k = 0; k < most_vectors; ++k) {
    const double fraction = little / extent(Q.back(), size_);
    Motions H = slope(state, Q.back(), fraction);
    const Motions back = slope(state, Q.back(), -fraction);
    for (std::size_t b = 0; b < H.size(); ++b) H[b] = (H[b] - back[b]) * (1 / (2 * fraction));
    HQ.push_back(H);
    if (k + 1 == most_vectors || !take(std::move(H))) break;
  }
  const int n = static_cast<int>(HQ.size());
  std::vector<double> T(cells(n, n)), V(cells(n, n));
  for (int i = 0; i < n; ++i)
    for (int k = 0; k <= i; ++k) {
      const auto a = static_cast<std::size_t>(i), b = static_cast<std::size_t>(k);
      T[cell(i, n, k)] = T[cell(k, n, i)] = (product(Q[a], HQ[b]) + product(Q[b], HQ[a])) / 2;
    }
  symmetric_eigen<double>(T, n, V);
  const double steepest = std::max(std::fabs(T[0]), std::fabs(T[cell(n - 1, n, n - 1)]));
  // what is free to move has curvature 0, up to rounding
  if (!(T[0] < -1e-4 * steepest)) return {};
  Motions down(x_.size());
  for (int i = 0; i < n; ++i)
    for (std::size_t b = 0; b < down.size(); ++b) down[b] += Q[static_cast<std::size_t>(i)][b] * V[cell(i, n, 0)];
  // of two ways down that are equal, one and the same on every machine
  double side = 0;
  for (const Motion<double>& each : down)
    side += each.w.x + each.w.y + each.w.z + (each.v.x + each.v.y + each.v.z) / size_;
  if (side < 0)
    for (Motion<double>& each : down) each = each * -1.0;
  return down;
}

}  // namespace torsor
