#include "torsor/mechanism/branch_watch.hpp"

#include <algorithm>
#include <cmath>
#include <random>
#include <utility>

#include "torsor/mechanism/freedoms.hpp"
#include "torsor/model/random_position.hpp"
#include "torsor/numeric/lu.hpp"
#include "torsor/numeric/row_major.hpp"
#include "torsor/scalar/infinity.hpp"

namespace torsor {

BranchWatch::BranchWatch(const Mechanism& m, const MechanismState& assembled)
    : mechanism_(m), equations_(m), size_(size_of(m)), taken_(static_cast<std::size_t>(m.rows)) {
  constexpr int most_bodies = 60;
  if (m.bodies() > most_bodies) return;
  const MobilityReport mobile = mobility(m, assembled, EquationSet::all);
  watches_ = mobile.freedoms == 0 && !mobile.too_large && m.bodies() > 0;
  if (!watches_) return;
  choose(mobile);
  const auto n = static_cast<std::size_t>(6 * m.bodies());
  order_.resize(n), order_there_.resize(n), scale_.resize(n);
  start_.resize(n), x_.resize(n), y_.resize(n), z_.resize(n);
  // square to nothing; the same on every machine
  std::mt19937_64 engine(1);
  for (std::size_t k = 0; k < n; ++k) any_.push_back(2 * uniform(engine) - 1);
  stand(assembled);
}

/// Rows that depend on nothing; whether they are others than before.
bool BranchWatch::choose(const MobilityReport& mobile) {
  std::vector<bool> rows(taken_.size(), true);
  for (const Dependence& d : mobile.dependences) rows[static_cast<std::size_t>(d.row)] = false;
  const bool others = rows != taken_;
  taken_ = std::move(rows);
  return others;
}

/// Other equations where it stands, if the present ones have ceased to be independent and all of them have not.
bool BranchWatch::renew() {
  if (renewed_) return false;
  renewed_ = true;
  const MobilityReport mobile = mobility(mechanism_, stands_, EquationSet::all);
  if (mobile.freedoms > 0 || !choose(mobile)) return false;
  factor();
  return true;
}

/// Gradients of the equations taken, lengths in sizes of the mechanism.
bool BranchWatch::fill(const MechanismState& state, std::vector<double>& J) {
  equations_.evaluate(state);
  const int n = 6 * mechanism_.bodies();
  J.assign(cells(n, n), 0);
  int row = 0;
  for (const ConstraintBlock& block : mechanism_.blocks)
    for (int r = 0; r < block.rows; ++r) {
      if (block.bodies.empty() || !taken_[static_cast<std::size_t>(block.first_row + r)]) continue;
      if (row == n) return false;
      for (std::size_t slot = 0; slot < block.bodies.size(); ++slot) {
        Force<double> g = equations_.gradient(block, slot, r);
        g.f = g.f * size_;
        write_gradient(g, &J[cell(row, n, 6 * block.bodies[slot])]);
      }
      ++row;
    }
  return row == n;
}

void BranchWatch::factor() {
  const int n = 6 * mechanism_.bodies();
  factored_ = fill(stands_, J_);
  if (factored_) {
    for (int i = 0; i < n; ++i) {
      double square = 0;
      for (int k = 0; k < n; ++k) square += J_[cell(i, n, k)] * J_[cell(i, n, k)];
      const double scale = scale_[static_cast<std::size_t>(i)] = square > 0 ? 1 / std::sqrt(square) : 0;
      for (int k = 0; k < n; ++k) J_[cell(i, n, k)] *= scale;
    }
    factored_ = lu_factor<double>(J_, n, order_) > 0;
  }
  clearance_ = 0;
  if (!factored_) return;
  // mostly along the motions that the equations hardly feel
  lu_solve<double>(J_, n, order_, any_, start_);
  double square = 0;
  for (const double x : start_) square += x * x;
  if (!std::isfinite(square)) return;
  clearance_ = 1 / std::sqrt(square);
  for (double& x : start_) x *= clearance_;
  largest_ = std::max(largest_, clearance_);
}

void BranchWatch::stand(const MechanismState& state) {
  if (!watches_) return;
  stands_ = state;
  renewed_ = false;
  factor();
  constexpr double little = 0.03;
  if (clearance() < little) renew();
}

/// How fast a motion grows under 1 - G: the largest of the absolute values of its eigenvalues, more or less.
double BranchWatch::turned(const MechanismState& state) {
  if (!factored_ || clearance_ == 0 || !fill(state, J_there_)) return infinity;
  const int n = 6 * mechanism_.bodies();
  constexpr int rounds = 10, last = 4;
  x_ = start_;
  double grown = 0;  // logarithm, over the last rounds
  for (int round = 0; round < rounds; ++round) {
    for (int i = 0; i < n; ++i) {
      const double* const row = &J_there_[cell(i, n, 0)];
      double sum = 0;
      for (int k = 0; k < n; ++k) sum += row[k] * x_[static_cast<std::size_t>(k)];
      y_[static_cast<std::size_t>(i)] = sum * scale_[static_cast<std::size_t>(i)];
    }
    lu_solve<double>(J_, n, order_, y_, z_);
    double square = 0;
    for (std::size_t k = 0; k < x_.size(); ++k) {
      x_[k] -= z_[k];
      square += x_[k] * x_[k];
    }
    if (!std::isfinite(square)) return infinity;
    const double growth = std::sqrt(square);
    if (growth < 1e-3) return growth;  // nothing of it is left
    for (double& x : x_) x *= 1 / growth;
    if (round >= rounds - last) grown += std::log(growth);
  }
  return std::exp(grown / last);
}

bool BranchWatch::goes_on(const MechanismState& state) {
  constexpr double most = 0.6;
  return !watches_ || turned(state) < most || (renew() && turned(state) < most);
}

/// As where it stands, in another position.
bool BranchWatch::factor_there(const MechanismState& state) {
  const int n = 6 * mechanism_.bodies();
  if (!factored_ || !fill(state, J_there_)) return false;
  for (int i = 0; i < n; ++i)
    for (int k = 0; k < n; ++k) J_there_[cell(i, n, k)] *= scale_[static_cast<std::size_t>(i)];
  return lu_factor<double>(J_there_, n, order_there_) > 0;
}

bool BranchWatch::solve(std::span<const double> LU, std::span<const int> order, std::span<const double> target,
                        std::vector<Motion<double>>& x) {
  const int n = 6 * mechanism_.bodies();
  std::size_t row = 0;
  for (const ConstraintBlock& block : mechanism_.blocks)
    for (int r = block.first_row; r < block.first_row + block.rows; ++r)
      if (!block.bodies.empty() && taken_[static_cast<std::size_t>(r)]) {
        y_[row] = target[static_cast<std::size_t>(r)] * scale_[row];
        ++row;
      }
  lu_solve<double>(LU, n, order, y_, z_);
  x.resize(stands_.bodies.size());
  double sum = 0;
  for (std::size_t b = 0; b < x.size(); ++b) {
    const double* const z = &z_[6 * b];
    x[b] = {{z[0], z[1], z[2]}, Vec3<double>{z[3], z[4], z[5]} * size_};
    for (int k = 0; k < 6; ++k) sum += z[k];
  }
  return std::isfinite(sum);
}

double BranchWatch::gap() const {
  double worst = 0;
  for (const ConstraintBlock& block : mechanism_.blocks)
    for (int r = block.first_row; r < block.first_row + block.rows; ++r) {
      const auto row = static_cast<std::size_t>(r);
      const double share = std::fabs(equations_.value[row]) / mechanism_.row_units[row];
      if (!block.bodies.empty() && !(share <= worst)) worst = share;
    }
  return worst;
}

double BranchWatch::close(MechanismState& state) {
  constexpr int most_rounds = 20;
  equations_.evaluate(state);
  double best = gap();
  MechanismState trial;
  std::vector<double> value(equations_.value.size());
  for (int round = 0; round < most_rounds && best > 0 && factor_there(state); ++round) {
    for (std::size_t r = 0; r < value.size(); ++r) value[r] = -equations_.value[r];
    if (!solve(J_there_, order_there_, value, way_)) break;
    double now = best;
    for (double part = 1; part > 0.05 && !(now < 0.9 * best); part /= 2) {
      trial = state;
      displace(trial, way_, part);
      equations_.evaluate(trial);
      now = gap();
    }
    if (!(now < 0.9 * best)) break;
    best = now;
    for (std::size_t k = 0; k < trial.angles.size(); ++k) trial.angles[k] = equations_.angle(static_cast<int>(k));
    std::swap(state, trial);
  }
  return best;
}

bool BranchWatch::rates(MechanismState& state, std::span<Motion<double>> A) {
  if (!factored_) return false;
  // equations that are not taken must hold as well
  const auto holds = [&](std::span<const Motion<double>> x, std::span<const double> target) {
    double worst = 0, largest = 0;
    for (const ConstraintBlock& block : mechanism_.blocks)
      for (int r = 0; r < block.rows; ++r) {
        const double wanted = target[static_cast<std::size_t>(block.first_row + r)];
        double sum = -wanted, terms = std::fabs(wanted);
        for (std::size_t slot = 0; slot < block.bodies.size(); ++slot) {
          const double part = dot(x[static_cast<std::size_t>(block.bodies[slot])], equations_.gradient(block, slot, r));
          sum += part, terms = std::max(terms, std::fabs(part));
        }
        const double unit = mechanism_.row_units[static_cast<std::size_t>(block.first_row + r)];
        worst = std::max(worst, std::fabs(sum) / unit), largest = std::max(largest, terms / unit);
      }
    return worst <= 1e-8 * largest || worst < 1e-12;
  };
  equations_.evaluate(state);
  if (!solve(J_, order_, equations_.nu, way_) || !holds(way_, equations_.nu)) return false;
  for (std::size_t b = 0; b < way_.size(); ++b) state.bodies[b].w = way_[b].w, state.bodies[b].v = way_[b].v;
  equations_.evaluate(state);
  if (!solve(J_, order_, equations_.gamma, way_) || !holds(way_, equations_.gamma)) return false;
  std::copy(way_.begin(), way_.end(), A.begin());
  return true;
}

double BranchWatch::determinant(const MechanismState& state) {
  if (!watches_) return 1;
  const int n = 6 * mechanism_.bodies();
  if (!factor_there(state)) return 0;
  // entry by entry: a product of hundreds of them may have no digits
  double ratio = 1;
  for (int i = 0; i < n; ++i) {
    ratio *= J_there_[cell(i, n, i)] / J_[cell(i, n, i)];
    for (const std::vector<int>* order : {&order_, &order_there_})
      for (int k = 0; k < i; ++k)
        if ((*order)[static_cast<std::size_t>(k)] > (*order)[static_cast<std::size_t>(i)]) ratio = -ratio;
  }
  return ratio;
}

MechanismState beside(const Mechanism& m, const MechanismState& assembled) {
  constexpr double a_little = 1e-3;
  if (!too_many_freedoms(mobility(m, assembled, EquationSet::without_drivers)).empty()) return assembled;
  MechanismState moved = assembled;
  const auto N = freedoms(m, assembled, EquationSet::without_drivers);
  for (std::size_t k = 0; k < N.size(); ++k) {
    double size = 0;
    for (const Motion<double>& x : N[k]) size = std::max({size, norm(x.w), norm(x.v) / size_of(m)});
    // no two by the same amount
    displace(moved, N[k], a_little / size / (1 + 0.37 * static_cast<double>(k)));
  }
  Assembly joints(m, EquationSet::without_drivers);
  joints.expect_redundancy(true);
  return !N.empty() && joints.positions(moved).closed ? moved : assembled;
}

int freedoms_nearby(const Mechanism& m, const MechanismState& assembled, EquationSet set) {
  const MobilityReport here = mobility(m, assembled, set);
  if (here.freedoms == 0 || !too_many_freedoms(here).empty()) return here.freedoms;
  return std::min(here.freedoms, mobility(m, beside(m, assembled), set).freedoms);
}

}  // namespace torsor
