#include "torsor/mechanism/constrained_motion.hpp"

#include <algorithm>
#include <cmath>
#include <set>

#include "torsor/expect.hpp"
#include "torsor/mechanism/gradient_block.hpp"
#include "torsor/numeric/by_size.hpp"
#include "torsor/numeric/row_major.hpp"

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

BlockCholesky ConstrainedMotion::make(const Mechanism& mechanism, EquationSet set, std::vector<Node>& nodes,
                                      std::vector<int>& row_of) {
  std::vector<int> rows, block_of;
  for (std::size_t b = 0; b < mechanism.blocks.size(); ++b) {
    const ConstraintBlock& block = mechanism.blocks[b];
    if (!counts(block, set)) continue;
    nodes.push_back({static_cast<int>(b), block.rows, block.first_row, static_cast<int>(row_of.size()),
                     block.first_gradient, 0, block.bodies});
    block_of.push_back(static_cast<int>(b));
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
    : mechanism_(mechanism), S_(make(mechanism, set, nodes_, row_of_)), has_(mechanism.blocks.size()) {
  std::vector<int> block_of;
  for (const Node& node : nodes_) {
    block_of.push_back(node.block);
    has_[static_cast<std::size_t>(node.block)] = true;
  }
  const auto gradient_of = [&](int node, int slot) {
    const Node& n = nodes_[static_cast<std::size_t>(node)];
    return n.gradient + cells(slot, n.rows) * 6;
  };
  for (const auto& of_body : appearances(mechanism, block_of))
    for (std::size_t q = 0; q < of_body.size(); ++q)
      for (std::size_t p = 0; p <= q; ++p) {
        auto [down, slot_down] = of_body[p];
        auto [across, slot_across] = of_body[q];
        BlockCholesky::Place place = S_.place(down, across);
        // S is symmetric: the block is summed as it is kept
        if (place.transposed) std::swap(down, across), std::swap(slot_down, slot_across);
        const auto rows = [&](int node) { return nodes_[static_cast<std::size_t>(node)].rows; };
        const auto first_row = static_cast<std::size_t>(nodes_[static_cast<std::size_t>(down)].first_row);
        pairs_.push_back({rows(down), rows(across), down == across, gradient_of(down, slot_down),
                          gradient_of(across, slot_across), place.offset, first_row});
      }
  // blocks are summed in the order of their columns: near in memory
  std::sort(pairs_.begin(), pairs_.end(), [](const Pair& a, const Pair& b) { return a.target < b.target; });
  residual_.resize(row_of_.size());
  const std::size_t bodies = mechanism.description.bodies.size();
  I_.resize(bodies), I_inverse_.resize(bodies), borrowed_.resize(bodies), factored_at_.resize(bodies);
  for (const Sym3<double>& b : mechanism.borrowed) borrows_ = borrows_ || b.xx > 0;
  for (const double unit : mechanism.row_units) per_unit_.push_back(1 / unit);
  for (std::size_t k = 0; k < nodes_.size(); ++k)
    nodes_[k].diagonal = S_.place(static_cast<int>(k), static_cast<int>(k)).offset;
  size_ = size_of(mechanism);
}

void ConstrainedMotion::factor(const MechanismEquations& equations, bool rough) {
  rough_ = rough;
  take_over(equations);
  factor_level(0);
}

bool ConstrainedMotion::follow(const MechanismEquations& equations, bool rough) {
  // of a turn in rad, or of a way in sizes of the mechanism. Where equations depend on one another, a way d turns what they
  // have in common by d, and refinement leaves d^2 over what was added to the diagonal
  const double little = redundant_ ? 3e-7 : 1e-4;
  if (!equations_) return false;
  double moved = 0;
  for (std::size_t b = 0; b < factored_at_.size(); ++b) {
    const Transform<double>& was = factored_at_[b];
    const Mat3<double>& R = equations.orientation(static_cast<int>(b));
    const Vec3<double> way = (equations.centre(static_cast<int>(b)) - was.p) * (1 / size_);
    const Vec3<double> x = R.x - was.R.x, y = R.y - was.R.y;
    moved = std::max({moved, dot(way, way), dot(x, x), dot(y, y)});
  }
  if (!(moved < little * little)) return false;
  rough_ = rough;
  take_over(equations);
  stale_ = true;
  return true;
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
  for (const Node& node : nodes_)
    by_size(node.rows, [&](auto m) {
      std::size_t at = node.gradient;
      for (const int body : node.bodies) {
        const auto b = static_cast<std::size_t>(body);
        detail::by_inverse_mass<m()>(equations.J.data() + at, I_inverse_[b], 1 / mechanism_.description.bodies[b].m,
                                     W_.data() + at);
        at += 6 * m();
      }
    });
}

void ConstrainedMotion::factor_level(int level) {
  level_ = level;
  stale_ = false;
  for (std::size_t b = 0; b < factored_at_.size(); ++b)
    factored_at_[b] = {equations_->orientation(static_cast<int>(b)), equations_->centre(static_cast<int>(b))};
  factor_with((redundant_ || rough_ ? 1e-9 : 1e-13) * std::pow(1e-3, level));
}

void ConstrainedMotion::factor_with(double share) {
  S_.clear();
  double* const values = S_.values().data();
  double largest = 0;
  for (const Pair& pair : pairs_) {
    double* const S = values + pair.target;
    by_size(pair.across, [&](auto m) {
      detail::add_outer_products<m()>(equations_->J.data() + pair.first, pair.down, W_.data() + pair.second, S);
    });
    if (pair.diagonal)
      for (int a = 0; a < pair.down; ++a) {
        const double per_unit = per_unit_[pair.row + static_cast<std::size_t>(a)];
        largest = std::max(largest, S[cell(a, pair.down, a)] * per_unit * per_unit);
      }
  }
  for (const Node& node : nodes_) {
    double* const S = values + node.diagonal;
    for (int a = 0; a < node.rows; ++a) {
      const double per_unit = per_unit_[static_cast<std::size_t>(node.first_row + a)];
      S[cell(a, node.rows, a)] += share * largest / (per_unit * per_unit);
    }
  }
  S_.factor(0);
}

void ConstrainedMotion::damped_multipliers(const MechanismEquations& equations, double damping,
                                           std::span<const double> residual, std::span<double> lambda) {
  take_over(equations);
  factor_with(damping);
  for (std::size_t k = 0; k < row_of_.size(); ++k) residual_[k] = residual[static_cast<std::size_t>(row_of_[k])];
  S_.solve(residual_);
  for (std::size_t k = 0; k < row_of_.size(); ++k) lambda[static_cast<std::size_t>(row_of_[k])] = residual_[k];
}

double ConstrainedMotion::misses(std::span<const Motion<double>> x, std::span<const double> target) {
  detail::Two worst{}, scale{}, all{};
  for (const Node& node : nodes_)
    by_size(node.rows, [&](auto m) {
      using Row = detail::ShortRow<m()>;
      const Row wanted = Row::load(target.data() + node.first_row), per_unit = Row::load(per_unit_.data() + node.first_row);
      (wanted * per_unit).raise(scale);
      Row left = wanted * -1;
      const double* G = equations_->J.data() + node.gradient;
      for (const int body : node.bodies) {
        const Row product = detail::products<m()>(G, x[static_cast<std::size_t>(body)]);
        (product * per_unit).raise(scale);
        left += product;
        G += 6 * m();
      }
      (left * per_unit).raise(worst);
      all += left.sum();
      left.store(residual_.data() + node.first);
    });
  largest_term_ = std::max(scale[0], scale[1]);
  // no number if one of them is none
  return std::isfinite(all[0] + all[1]) ? std::max(worst[0], worst[1]) : std::nan("");
}

void ConstrainedMotion::find_worst_block() {
  double worst = -1;
  for (const Node& node : nodes_)
    for (int a = 0; a < node.rows; ++a) {
      const double left = std::fabs(residual_[static_cast<std::size_t>(node.first) + static_cast<std::size_t>(a)]);
      const double share = left * per_unit_[static_cast<std::size_t>(node.first_row + a)];
      if (!(share <= worst)) worst = share, worst_left_ = left, worst_block_ = node.block;
    }
}

double ConstrainedMotion::constrain(std::span<Motion<double>> x, std::span<const double> target,
                                    std::span<double> lambda) {
  TORSOR_EXPECT(equations_);
  for (const int row : row_of_) lambda[static_cast<std::size_t>(row)] = 0;
  if (row_of_.empty()) return 0;
  constexpr int deepest_level = 2, most_rounds = 20;
  double before = 0;
  for (int round = 0;; ++round) {
    const double worst = misses(x, target), scale = largest_term_;
    const bool slow = round > 0 && worst > 0.25 * before, done = !(worst > 1e-14 * scale);
    if (slow && worst > 1e-13 * scale && !rough_ && (stale_ || level_ < deepest_level)) {
      // what was factored elsewhere does not do here; or near a singular position what is added to the diagonal hides
      // equations that still count: add less
      factor_level(stale_ ? 0 : level_ + 1);
    } else if (done || (round >= 2 && slow) || round == most_rounds) {
      find_worst_block();
      return worst;
    }
    before = worst;
    S_.solve(residual_);
    for (const Node& node : nodes_)
      by_size(node.rows, [&](auto m) {
        using Row = detail::ShortRow<m()>;
        const Row l = Row::load(residual_.data() + node.first);
        const double* W = W_.data() + node.gradient;
        double* const multipliers = lambda.data() + node.first_row;
        Row sum = Row::load(multipliers);
        sum += l;
        sum.store(multipliers);
        for (const int body : node.bodies) {
          detail::subtract_sum<m()>(W, l, x[static_cast<std::size_t>(body)]);
          W += 6 * m();
        }
      });
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
  for (const Node& node : nodes_) {
    const ConstraintBlock& block = mechanism_.blocks[static_cast<std::size_t>(node.block)];
    for (std::size_t slot = 0; slot < block.bodies.size(); ++slot)
      for (int a = 0; a < block.rows; ++a)
        forces[static_cast<std::size_t>(block.bodies[slot])] -=
            equations_->gradient(block, slot, a) *
            lambda[static_cast<std::size_t>(block.first_row) + static_cast<std::size_t>(a)];
  }
}

}  // namespace torsor
