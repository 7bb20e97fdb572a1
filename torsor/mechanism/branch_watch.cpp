#include "torsor/mechanism/branch_watch.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "torsor/mechanism/freedoms.hpp"
#include "torsor/numeric/lu.hpp"
#include "torsor/numeric/row_major.hpp"

namespace torsor {

BranchWatch::BranchWatch(const Mechanism& m, const MechanismState& assembled)
    : mechanism_(m), equations_(m), taken_(static_cast<std::size_t>(m.rows)) {
  constexpr int most_bodies = 60;
  if (m.bodies() > most_bodies) return;
  choose(mobility(m, assembled, EquationSet::all));
  look(assembled);
}

void BranchWatch::choose(const MobilityReport& mobile) {
  watches_ = mobile.freedoms == 0 && !mobile.too_large;
  std::vector<bool> rows(taken_.size(), true);
  for (const Dependence& d : mobile.dependences) rows[static_cast<std::size_t>(d.row)] = false;
  // of another set the determinant is another
  if (rows != taken_) largest_ = 0;
  taken_ = std::move(rows);
}

double BranchWatch::look(const MechanismState& state) {
  if (!watches_) return 1;
  equations_.evaluate(state);
  const int n = 6 * mechanism_.bodies();
  J_.assign(cells(n, n), 0);
  order_.resize(static_cast<std::size_t>(n));
  int row = 0;
  for (const ConstraintBlock& block : mechanism_.blocks)
    for (int r = 0; r < block.rows; ++r) {
      if (block.bodies.empty() || !taken_[static_cast<std::size_t>(block.first_row + r)]) continue;
      for (std::size_t slot = 0; slot < block.bodies.size(); ++slot)
        write_gradient(equations_.gradient(block, slot, r), &J_[cell(row, n, 6 * block.bodies[slot])]);
      ++row;
    }
  if (row != n || !(lu_factor<double>(J_, n, order_) > 0)) return 0;
  const double det = lu_determinant<double>(J_, n, order_);
  largest_ = std::max(largest_, std::fabs(det));
  return largest_ > 0 ? det / largest_ : 0;
}

bool BranchWatch::singular(const MechanismState& state) {
  constexpr double loosely = 1e-4;  // where it is singular is known to some digits only
  if (mobility(mechanism_, state, EquationSet::all, loosely).freedoms > 0) return true;
  choose(mobility(mechanism_, state, EquationSet::all));
  look(state);
  return false;
}

MechanismState beside(const Mechanism& m, const MechanismState& assembled) {
  constexpr double a_little = 1e-3;
  if (!too_many_freedoms(mobility(m, assembled, EquationSet::without_drivers)).empty()) return assembled;
  MechanismState moved = assembled;
  const auto N = freedoms(m, assembled, EquationSet::without_drivers);
  for (std::size_t k = 0; k < N.size(); ++k) {
    double size = 0;
    for (const Motion<double>& x : N[k]) size = std::max({size, norm(x.w), norm(x.v)});
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
