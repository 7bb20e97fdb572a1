#include "torsor/mechanism/singular_passage.hpp"

#include <algorithm>
#include <cmath>

#include "torsor/mechanism/assembly.hpp"
#include "torsor/mechanism/freedoms.hpp"
#include "torsor/numeric/lu.hpp"
#include "torsor/numeric/row_major.hpp"

namespace torsor {

SingularPassages::SingularPassages(const Mechanism& m, const MechanismState& assembled)
    : mechanism_(m), equations_(m), size_(size_of(m)), last_(assembled) {
  constexpr int most_bodies = 30;
  watches_ = m.bodies() <= most_bodies && renew(assembled);
  if (watches_) looks_.push_back({assembled, 0, determinant(assembled)});
}

/// Rows and border as they are there; false: they do not make a square.
bool SingularPassages::renew(const MechanismState& state) {
  const MobilityReport mobile = mobility(mechanism_, state, EquationSet::all);
  if (mobile.too_large) return false;
  const auto N = freedoms(mechanism_, state, EquationSet::all);
  if (static_cast<int>(N.size()) != mobile.freedoms) return false;
  // at a singular position there would be more
  freedoms_ = freedoms_ < 0 ? mobile.freedoms : std::min(freedoms_, mobile.freedoms);
  taken_.assign(static_cast<std::size_t>(mechanism_.rows), true);
  for (const Dependence& d : mobile.dependences) taken_[static_cast<std::size_t>(d.row)] = false;
  equations_.evaluate(state);
  ConstrainedMotion motion(mechanism_, EquationSet::all);
  motion.expect_redundancy(true);
  motion.factor(equations_);
  border_.assign(N.size(), std::vector<Force<double>>(state.bodies.size()));
  for (std::size_t f = 0; f < N.size(); ++f)
    for (std::size_t b = 0; b < state.bodies.size(); ++b)
      border_[f][b] = motion.mass(static_cast<int>(b), N[f][b]) + motion.borrowed(static_cast<int>(b), N[f][b]);
  sign_ = 1;
  largest_ = 0;
  return true;
}

double SingularPassages::determinant(const MechanismState& state) {
  equations_.evaluate(state);
  const int n = 6 * mechanism_.bodies();
  D_.assign(cells(n, n), 0);
  order_.resize(static_cast<std::size_t>(n));
  int row = 0;
  for (const ConstraintBlock& block : mechanism_.blocks)
    for (int r = 0; r < block.rows && row < n; ++r) {
      if (block.bodies.empty() || !taken_[static_cast<std::size_t>(block.first_row + r)]) continue;
      for (std::size_t slot = 0; slot < block.bodies.size(); ++slot)
        write_gradient(equations_.gradient(block, slot, r), &D_[cell(row, n, 6 * block.bodies[slot])]);
      ++row;
    }
  for (std::size_t f = 0; f < border_.size() && row < n; ++f, ++row)
    for (int b = 0; b < mechanism_.bodies(); ++b)
      write_gradient(border_[f][static_cast<std::size_t>(b)], &D_[cell(row, n, 6 * b)]);
  if (row != n || !(lu_factor<double>(D_, n, order_) > 0)) return 0;
  const double det = sign_ * lu_determinant<double>(D_, n, order_);
  largest_ = std::max(largest_, std::fabs(det));
  return det;
}

void SingularPassages::look(const MechanismState& state) {
  if (!watches_) return;
  way_ += apart(state, last_, size_);
  last_ = state;
  constexpr double apart_enough = 0.02;  // rad, or sizes of the mechanism
  if (way_ - looks_.back().way < apart_enough) return;
  looks_.push_back({state, way_, determinant(state)});
  if (looks_.size() > 4) looks_.pop_front();
  const std::size_t n = looks_.size();
  const Look &b = looks_[n - 2], &c = looks_[n - 1];
  if ((b.det > 0) != (c.det > 0)) {
    confirm(b, c, b.det / (b.det - c.det));
  } else if (n == 4) {
    // least in the middle: the roots of what touches zero are two straight lines to one point
    const auto root = [&](std::size_t k) { return std::sqrt(std::fabs(looks_[k].det)); };
    if (root(1) < root(0) && root(2) < root(3) && std::min(root(1), root(2)) < 0.3 * std::sqrt(largest_)) {
      const double from = looks_[1].way + root(1) * (looks_[1].way - looks_[0].way) / (root(0) - root(1));
      const double to = looks_[2].way - root(2) * (looks_[3].way - looks_[2].way) / (root(3) - root(2));
      const double span = looks_[2].way - looks_[1].way, part = ((from + to) / 2 - looks_[1].way) / span;
      if (std::fabs(from - to) < span && part > -0.5 && part < 1.5)
        confirm(looks_[1], looks_[2], std::clamp(part, 0.0, 1.0));
    }
  }
  // N turns away with the motion; where D is small for another reason a new one makes it no larger
  if (std::fabs(looks_.back().det) > 0.3 * largest_) return;
  const double was = looks_.back().det;
  const auto rows = taken_;
  const auto border = border_;
  const double sign = sign_, largest = largest_;
  if (!renew(state) || std::fabs(determinant(state)) < 2 * std::fabs(was)) {
    taken_ = rows, border_ = border, sign_ = sign, largest_ = largest;
    return;
  }
  // as if nothing had happened: looks before this one are of another matrix
  looks_ = {{state, way_, determinant(state)}};
}

bool SingularPassages::confirm(const Look& a, const Look& b, double part) {
  constexpr double loosely = 1e-2;  // where it is singular is known roughly only
  MechanismState between = a.state;
  between.t += part * (b.state.t - a.state.t);
  for (std::size_t k = 0; k < between.bodies.size(); ++k) {
    const BodyState &from = a.state.bodies[k], &to = b.state.bodies[k];
    const Quaternion<double> p = nearer(to.p, from.p);
    const auto mixed = [part](double x, double y) { return x + part * (y - x); };
    between.bodies[k].r = from.r + (to.r - from.r) * part;
    between.bodies[k].p = normalized(Quaternion<double>{mixed(from.p.e0, p.e0), mixed(from.p.e1, p.e1),
                                                        mixed(from.p.e2, p.e2), mixed(from.p.e3, p.e3)});
  }
  if (mobility(mechanism_, between, EquationSet::all, loosely).freedoms <= freedoms_) return false;
  if (times_.empty() || between.t - times_.back() > 2 * (b.state.t - a.state.t)) times_.push_back(between.t);
  return true;
}

std::vector<double> all_passages(const std::vector<double>& passed, const std::vector<double>& crossings, double same) {
  std::vector<double> times = passed;
  for (const double t : crossings)
    if (std::ranges::none_of(passed, [&](double other) { return std::fabs(t - other) < same; })) times.push_back(t);
  std::ranges::sort(times);
  return times;
}

}  // namespace torsor
