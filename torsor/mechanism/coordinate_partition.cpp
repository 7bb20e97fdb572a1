#include "torsor/mechanism/coordinate_partition.hpp"

#include <algorithm>
#include <cmath>

#include "torsor/mechanism/mobility.hpp"
#include "torsor/numeric/lu.hpp"
#include "torsor/numeric/row_major.hpp"

namespace torsor {
namespace {

/// One coordinate of the motions of all bodies.
template <class Motions>
auto& coordinate(Motions& x, int c) {
  auto& body = x[static_cast<std::size_t>(c / 6)];
  switch (c % 6) {
    case 0: return body.w.x;
    case 1: return body.w.y;
    case 2: return body.w.z;
    case 3: return body.v.x;
    case 4: return body.v.y;
    default: return body.v.z;
  }
}

}  // namespace

CoordinatePartition::CoordinatePartition(const Mechanism& m, const MechanismState& state)
    : mechanism_(m), equations_(m), size_(size_of(m)), g_(m.description.bodies.size()) {
  choose(state);
}

void CoordinatePartition::choose(const MechanismState& state) {
  const MobilityReport mobile = mobility(mechanism_, state, EquationSet::all);
  v_ = mobile.independent;
  u_.clear(), rows_.clear();
  for (int c = 0; c < 6 * mechanism_.bodies(); ++c)
    if (!std::binary_search(v_.begin(), v_.end(), c)) u_.push_back(c);
  std::vector<bool> left(static_cast<std::size_t>(mechanism_.rows));
  for (const Dependence& d : mobile.dependences) left[static_cast<std::size_t>(d.row)] = true;
  for (const ConstraintBlock& block : mechanism_.blocks)
    for (int r = block.first_row; r < block.first_row + block.rows; ++r)
      if (!block.bodies.empty() && !left[static_cast<std::size_t>(r)]) rows_.push_back(r);
  factor(state);
  condition_when_chosen_ = condition_;
}

bool CoordinatePartition::factor(const MechanismState& state) {
  equations_.evaluate(state);
  const int n = static_cast<int>(u_.size()), f = static_cast<int>(v_.size()), columns = 6 * mechanism_.bodies();
  if (rows_.size() != u_.size()) return false;
  std::vector<int> place(static_cast<std::size_t>(mechanism_.rows), -1);
  for (std::size_t k = 0; k < rows_.size(); ++k) place[static_cast<std::size_t>(rows_[k])] = static_cast<int>(k);
  J_.assign(cells(n, columns), 0);
  for (const ConstraintBlock& block : mechanism_.blocks) {
    for (std::size_t slot = 0; slot < block.bodies.size(); ++slot)
      for (int r = 0; r < block.rows; ++r)
        if (const int row = place[static_cast<std::size_t>(block.first_row + r)]; row >= 0)
          write_gradient(equations_.gradient(block, slot, r), &J_[cell(row, columns, 6 * block.bodies[slot])]);
  }
  J_u_.resize(cells(n, n)), J_v_.resize(cells(n, f));
  // in rows over their units and columns of ways in sizes of the mechanism pivots mean the same in any units
  for (int r = 0; r < n; ++r) {
    const double per_unit = 1 / mechanism_.row_units[static_cast<std::size_t>(rows_[static_cast<std::size_t>(r)])];
    for (int c = 0; c < n; ++c) {
      const int column = u_[static_cast<std::size_t>(c)];
      J_u_[cell(r, n, c)] = J_[cell(r, columns, column)] * per_unit * own_unit(column);
    }
    for (int c = 0; c < f; ++c) J_v_[cell(r, f, c)] = J_[cell(r, columns, v_[static_cast<std::size_t>(c)])];
  }
  order_.resize(u_.size());
  condition_ = n > 0 ? lu_factor<double>(J_u_, n, order_) : 1;
  return condition_ > 0;
}

bool CoordinatePartition::refresh(const MechanismState& state) {
  if (factor(state) && condition_ > 0.1 * condition_when_chosen_) return true;
  choose(state);
  return condition_ > 0;
}

std::vector<double> CoordinatePartition::solve(std::span<const double> b) const {
  std::vector<double> u(u_.size()), right(b.begin(), b.end());
  for (std::size_t r = 0; r < right.size(); ++r) right[r] /= mechanism_.row_units[static_cast<std::size_t>(rows_[r])];
  if (!u.empty()) lu_solve<double>(J_u_, static_cast<int>(u.size()), order_, right, u);
  for (std::size_t c = 0; c < u.size(); ++c) u[c] *= own_unit(u_[c]);
  return u;
}

double CoordinatePartition::gap() const {
  double worst = 0;
  for (std::size_t r = 0; r < equations_.value.size(); ++r)
    if (const double share = std::fabs(equations_.value[r]) / mechanism_.row_units[r]; !(share <= worst)) worst = share;
  return worst;
}

AssemblyReport CoordinatePartition::positions(MechanismState& state) {
  constexpr int most_rounds = 30;
  constexpr double good_enough = 4e-15, tolerance = 1e-12;
  AssemblyReport report;
  std::vector<double> value(rows_.size());
  std::vector<Motion<double>> x(state.bodies.size());
  for (;; ++report.rounds) {
    const bool factored = factor(state);
    const double gap_now = gap();
    if (report.rounds == 0) report.before = gap_now;
    const bool hardly = report.rounds > 0 && !(gap_now < 0.5 * report.gap);
    report.gap = gap_now;
    if (gap_now <= good_enough || (hardly && gap_now <= tolerance) || !factored || report.rounds == most_rounds ||
        !std::isfinite(gap_now))
      break;
    for (std::size_t k = 0; k < rows_.size(); ++k) value[k] = -equations_.value[static_cast<std::size_t>(rows_[k])];
    const std::vector<double> u = solve(value);
    std::fill(x.begin(), x.end(), Motion<double>{});
    for (std::size_t k = 0; k < u.size(); ++k) coordinate(x, u_[k]) = u[k];
    displace(state, x);
  }
  for (std::size_t k = 0; k < state.angles.size(); ++k) state.angles[k] = equations_.angle(static_cast<int>(k));
  report.closed = report.gap <= tolerance;
  return report;
}

bool CoordinatePartition::velocities(MechanismState& state) {
  if (!factor(state)) return false;
  std::vector<Motion<double>> x(state.bodies.size());
  for (std::size_t b = 0; b < x.size(); ++b) x[b] = {state.bodies[b].w, state.bodies[b].v};
  const int f = static_cast<int>(v_.size());
  std::vector<double> right(rows_.size());
  for (std::size_t r = 0; r < right.size(); ++r) {
    right[r] = equations_.nu[static_cast<std::size_t>(rows_[r])];
    for (int c = 0; c < f; ++c)
      right[r] -= J_v_[cell(static_cast<int>(r), f, c)] * coordinate(x, v_[static_cast<std::size_t>(c)]);
  }
  const std::vector<double> u = solve(right);
  for (std::size_t k = 0; k < u.size(); ++k) coordinate(x, u_[k]) = u[k];
  for (std::size_t b = 0; b < x.size(); ++b) state.bodies[b].w = x[b].w, state.bodies[b].v = x[b].v;
  return true;
}

bool CoordinatePartition::accelerations(const MechanismState& state, std::span<Motion<double>> A) {
  if (!factor(state)) return false;
  account_ = applied_forces(mechanism_, state, equations_, ActuatorTorques::given, g_);
  const std::size_t bodies = state.bodies.size();
  const auto mass = [&](std::size_t b, const Motion<double>& x) {
    const MechanismBody& body = mechanism_.description.bodies[b];
    return Force<double>{rotate(equations_.orientation(static_cast<int>(b)), body.I) * x.w, x.v * body.m};
  };
  const int f = static_cast<int>(v_.size());
  std::vector<double> right(rows_.size());
  for (std::size_t r = 0; r < right.size(); ++r) right[r] = equations_.gamma[static_cast<std::size_t>(rows_[r])];
  const std::vector<double> a0 = solve(right);
  std::fill(A.begin(), A.end(), Motion<double>{});
  for (std::size_t k = 0; k < a0.size(); ++k) coordinate(A, u_[k]) = a0[k];

  std::vector<std::vector<Motion<double>>> B(v_.size(), std::vector<Motion<double>>(bodies));
  for (int c = 0; c < f; ++c) {
    std::vector<Motion<double>>& x = B[static_cast<std::size_t>(c)];
    for (std::size_t r = 0; r < right.size(); ++r) right[r] = -J_v_[cell(static_cast<int>(r), f, c)];
    const std::vector<double> u = solve(right);
    for (std::size_t k = 0; k < u.size(); ++k) coordinate(x, u_[k]) = u[k];
    coordinate(x, v_[static_cast<std::size_t>(c)]) = 1;
  }
  if (f > 0) {
    std::vector<double> M(cells(f, f)), Q(v_.size()), vd(v_.size());
    for (int c = 0; c < f; ++c) {
      const std::vector<Motion<double>>& x = B[static_cast<std::size_t>(c)];
      for (std::size_t b = 0; b < bodies; ++b) {
        const Force<double> Mx = mass(b, x[b]);
        Q[static_cast<std::size_t>(c)] += dot(x[b], g_[b]) - dot(A[b], Mx);
        for (int k = 0; k < f; ++k) M[cell(c, f, k)] += dot(B[static_cast<std::size_t>(k)][b], Mx);
      }
    }
    // turns and ways alike: lengths over the size
    const auto unit = [&](int c) { return own_unit(v_[static_cast<std::size_t>(c)]); };
    for (int c = 0; c < f; ++c) {
      Q[static_cast<std::size_t>(c)] *= unit(c);
      for (int k = 0; k < f; ++k) M[cell(c, f, k)] *= unit(c) * unit(k);
    }
    std::vector<int> order(v_.size());
    if (!(lu_factor<double>(M, f, order) > 1e-14)) return false;
    lu_solve<double>(M, f, order, Q, vd);
    for (int c = 0; c < f; ++c) vd[static_cast<std::size_t>(c)] *= unit(c);
    for (int c = 0; c < f; ++c)
      for (std::size_t b = 0; b < bodies; ++b)
        A[b] += B[static_cast<std::size_t>(c)][b] * vd[static_cast<std::size_t>(c)];
  }
  // what the equations do per second: all that moves the masses less what the forces do
  driver_power_ = 0;
  for (std::size_t b = 0; b < bodies; ++b)
    driver_power_ += dot(Motion<double>{state.bodies[b].w, state.bodies[b].v}, mass(b, A[b]) - g_[b]);
  return true;
}

}  // namespace torsor
