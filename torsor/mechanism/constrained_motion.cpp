#include "torsor/mechanism/constrained_motion.hpp"

#include <algorithm>
#include <cmath>
#include <set>

#include "torsor/expect.hpp"

namespace torsor {
namespace {

/// The inverse of a positive definite tensor, by cofactors.
Sym3<double> inverse_tensor(const Sym3<double>& a) {
  const double xx = a.yy * a.zz - a.yz * a.yz, xy = a.xz * a.yz - a.xy * a.zz, xz = a.xy * a.yz - a.xz * a.yy;
  const double k = 1 / (a.xx * xx + a.xy * xy + a.xz * xz);
  return {xx * k, (a.xx * a.zz - a.xz * a.xz) * k, (a.xx * a.yy - a.xy * a.xy) * k, xy * k,
          xz * k, (a.xy * a.xz - a.xx * a.yz) * k};
}

/// For each body, the nodes and slots it appears in.
std::vector<std::vector<std::pair<int, int>>> appearances(const Mechanism& mechanism, std::span<const int> block_of) {
  std::vector<std::vector<std::pair<int, int>>> of(mechanism.description.bodies.size());
  for (std::size_t node = 0; node < block_of.size(); ++node) {
    const std::vector<int>& bodies = mechanism.blocks[static_cast<std::size_t>(block_of[node])].bodies;
    for (std::size_t slot = 0; slot < bodies.size(); ++slot)
      of[static_cast<std::size_t>(bodies[slot])].emplace_back(static_cast<int>(node), static_cast<int>(slot));
  }
  return of;
}

}  // namespace

BlockCholesky ConstrainedMotion::make(const Mechanism& mechanism, EquationSet set, std::vector<int>& node_of,
                                      std::vector<int>& block_of, std::vector<int>& row_of,
                                      std::vector<int>& first_of) {
  std::vector<int> rows;
  node_of.assign(mechanism.blocks.size(), -1);
  for (std::size_t b = 0; b < mechanism.blocks.size(); ++b) {
    const ConstraintBlock& block = mechanism.blocks[b];
    if (!counts(block, set)) continue;
    node_of[b] = static_cast<int>(block_of.size());
    block_of.push_back(static_cast<int>(b));
    first_of.push_back(static_cast<int>(row_of.size()));
    rows.push_back(block.rows);
    for (int r = 0; r < block.rows; ++r) row_of.push_back(block.first_row + r);
  }
  std::set<std::pair<int, int>> neighbours;
  for (const auto& of_body : appearances(mechanism, block_of))
    for (std::size_t q = 0; q < of_body.size(); ++q)
      for (std::size_t p = 0; p < q; ++p)
        if (of_body[p].first != of_body[q].first) neighbours.insert({of_body[p].first, of_body[q].first});
  const std::vector<std::pair<int, int>> list(neighbours.begin(), neighbours.end());
  return {rows, list};
}

ConstrainedMotion::ConstrainedMotion(const Mechanism& mechanism, EquationSet set)
    : mechanism_(mechanism), S_(make(mechanism, set, node_of_, block_of_, row_of_, first_of_)) {
  for (const auto& of_body : appearances(mechanism, block_of_))
    for (std::size_t q = 0; q < of_body.size(); ++q)
      for (std::size_t p = 0; p <= q; ++p) {
        const auto& [node_p, slot_p] = of_body[p];
        const auto& [node_q, slot_q] = of_body[q];
        pairs_.push_back({node_p, slot_p, node_q, slot_q, S_.place(node_p, node_q)});
      }
  // blocks are summed in the order of their columns: near in memory
  std::sort(pairs_.begin(), pairs_.end(), [](const Pair& a, const Pair& b) { return a.place.offset < b.place.offset; });
  residual_.resize(row_of_.size());
  const std::size_t bodies = mechanism.description.bodies.size();
  I_.resize(bodies), I_inverse_.resize(bodies), borrowed_.resize(bodies);
  for (const Sym3<double>& b : mechanism.borrowed) borrows_ = borrows_ || b.xx > 0;
}

void ConstrainedMotion::factor(const MechanismEquations& equations, bool rough) {
  rough_ = rough;
  take_over(equations);
  factor_level(0);
}

void ConstrainedMotion::follow(const MechanismEquations& equations) {
  TORSOR_EXPECT(equations_);
  rough_ = false;
  take_over(equations);
}

void ConstrainedMotion::take_over(const MechanismEquations& equations) {
  equations_ = &equations;
  for (std::size_t b = 0; b < I_.size(); ++b) {
    const Mat3<double>& R = equations.orientation(static_cast<int>(b));
    I_[b] = rotate(R, mechanism_.description.bodies[b].I);
    borrowed_[b] = mechanism_.borrowed[b];  // a multiple of 1: no direction
    I_inverse_[b] = inverse_tensor(I_[b] + borrowed_[b]);
  }
  // W = J M^-1
  W_.resize(equations.J.size());
  for (const int index : block_of_) {
    const ConstraintBlock& block = mechanism_.blocks[static_cast<std::size_t>(index)];
    const double* g = equations.J.data() + block.first_gradient;
    double* w = W_.data() + block.first_gradient;
    for (const int body : block.bodies) {
      const Sym3<double>& a = I_inverse_[static_cast<std::size_t>(body)];
      const double k = 1 / mechanism_.description.bodies[static_cast<std::size_t>(body)].m;
      for (int r = 0; r < block.rows; ++r, g += 6, w += 6) {
        w[0] = a.xx * g[0] + a.xy * g[1] + a.xz * g[2];
        w[1] = a.xy * g[0] + a.yy * g[1] + a.yz * g[2];
        w[2] = a.xz * g[0] + a.yz * g[1] + a.zz * g[2];
        w[3] = k * g[3], w[4] = k * g[4], w[5] = k * g[5];
      }
    }
  }
}

void ConstrainedMotion::factor_level(int level) {
  level_ = level;
  const MechanismEquations& equations = *equations_;
  S_.clear();
  const std::span<double> values = S_.values();
  double largest = 0;
  for (const Pair& pair : pairs_) {
    const ConstraintBlock& p = mechanism_.blocks[static_cast<std::size_t>(block_of_[static_cast<std::size_t>(pair.p)])];
    const ConstraintBlock& q = mechanism_.blocks[static_cast<std::size_t>(block_of_[static_cast<std::size_t>(pair.q)])];
    const double* const first =
        equations.J.data() + p.first_gradient + static_cast<std::size_t>(pair.slot_p * p.rows) * 6;
    const double* const second = W_.data() + q.first_gradient + static_cast<std::size_t>(pair.slot_q * q.rows) * 6;
    double* const target = values.data() + pair.place.offset;
    const bool diagonal = pair.p == pair.q;
    const int down = pair.place.transposed ? 1 : pair.place.stride,
              across = pair.place.transposed ? pair.place.stride : 1;
    for (int a = 0; a < p.rows; ++a)
      for (int b = 0; b < (diagonal ? a + 1 : q.rows); ++b) {
        const double *x = first + a * 6, *y = second + b * 6;
        const double sum = x[0] * y[0] + x[1] * y[1] + x[2] * y[2] + x[3] * y[3] + x[4] * y[4] + x[5] * y[5];
        target[a * down + b * across] += sum;
        if (diagonal && a == b) largest = std::max(largest, sum);
      }
  }
  S_.factor((redundant_ || rough_ ? 1e-9 : 1e-13) * std::pow(1e-3, level) * largest);
}

double ConstrainedMotion::constrain(std::span<Motion<double>> x, std::span<const double> target,
                                    std::span<double> lambda) {
  TORSOR_EXPECT(equations_);
  for (const int row : row_of_) lambda[static_cast<std::size_t>(row)] = 0;
  if (row_of_.empty()) return 0;
  constexpr int deepest_level = 2, most_rounds = 20;
  double before = 0;
  for (int round = 0;; ++round) {
    // how far J x is from the target
    double worst = 0, scale = 0;
    for (std::size_t node = 0; node < block_of_.size(); ++node) {
      const ConstraintBlock& block = mechanism_.blocks[static_cast<std::size_t>(block_of_[node])];
      const double* g = equations_->J.data() + block.first_gradient;
      double* const r = residual_.data() + first_of_[node];
      for (int a = 0; a < block.rows; ++a) r[a] = -target[static_cast<std::size_t>(block.first_row + a)];
      for (const int body : block.bodies) {
        const Motion<double>& y = x[static_cast<std::size_t>(body)];
        for (int a = 0; a < block.rows; ++a, g += 6) {
          const double part = g[0] * y.w.x + g[1] * y.w.y + g[2] * y.w.z + g[3] * y.v.x + g[4] * y.v.y + g[5] * y.v.z;
          r[a] += part;
          scale = std::max(scale, std::fabs(part));
        }
      }
      for (int a = 0; a < block.rows; ++a) {
        if (!(std::fabs(r[a]) <= worst)) worst = std::fabs(r[a]), worst_block_ = block_of_[node];
        scale = std::max(scale, std::fabs(target[static_cast<std::size_t>(block.first_row + a)]));
      }
    }
    largest_term_ = scale;
    // near a singular position what is added to the diagonal hides equations that still count: add less
    const bool slow = round > 0 && worst > 0.25 * before, done = !(worst > 1e-14 * scale);
    if (slow && !done && worst > 1e-13 * scale && !rough_ && level_ < deepest_level) {
      factor_level(level_ + 1);
    } else if (done || (round >= 2 && slow) || round == most_rounds) {
      return worst;
    }
    before = worst;
    S_.solve(residual_);
    for (std::size_t node = 0; node < block_of_.size(); ++node) {
      const ConstraintBlock& block = mechanism_.blocks[static_cast<std::size_t>(block_of_[node])];
      const double* const l = residual_.data() + first_of_[node];
      const double* w = W_.data() + block.first_gradient;
      for (int a = 0; a < block.rows; ++a) lambda[static_cast<std::size_t>(block.first_row + a)] += l[a];
      for (const int body : block.bodies) {
        Motion<double>& y = x[static_cast<std::size_t>(body)];
        for (int a = 0; a < block.rows; ++a, w += 6) {
          y.w.x -= w[0] * l[a], y.w.y -= w[1] * l[a], y.w.z -= w[2] * l[a];
          y.v.x -= w[3] * l[a], y.v.y -= w[4] * l[a], y.v.z -= w[5] * l[a];
        }
      }
    }
  }
}

Motion<double> ConstrainedMotion::inverse_mass(int body, const Force<double>& force) const {
  const auto b = static_cast<std::size_t>(body);
  return {I_inverse_[b] * force.n, force.f * (1 / mechanism_.description.bodies[b].m)};
}

Force<double> ConstrainedMotion::mass(int body, const Motion<double>& motion) const {
  const auto b = static_cast<std::size_t>(body);
  return {I_[b] * motion.w, motion.v * mechanism_.description.bodies[b].m};
}

Force<double> ConstrainedMotion::borrowed(int body, const Motion<double>& motion) const {
  return {borrowed_[static_cast<std::size_t>(body)] * motion.w, {}};
}

void ConstrainedMotion::add_reactions(std::span<const double> lambda, std::span<Force<double>> forces) const {
  for (const int index : block_of_) {
    const ConstraintBlock& block = mechanism_.blocks[static_cast<std::size_t>(index)];
    const double* g = equations_->J.data() + block.first_gradient;
    for (const int body : block.bodies) {
      Force<double>& f = forces[static_cast<std::size_t>(body)];
      for (int a = 0; a < block.rows; ++a, g += 6) {
        const double l = lambda[static_cast<std::size_t>(block.first_row + a)];
        f -= Force<double>{{g[0] * l, g[1] * l, g[2] * l}, {g[3] * l, g[4] * l, g[5] * l}};
      }
    }
  }
}

}  // namespace torsor
