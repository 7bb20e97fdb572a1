#include "torsor/mechanism/constrained_motion.hpp"

#include <algorithm>
#include <cmath>
#include <set>

#include "torsor/expect.hpp"
#include "torsor/mechanism/gradient_block.hpp"
#include "torsor/mechanism/linkages.hpp"
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
  const Parts linkage = linkages(mechanism), loop = loops(mechanism);
  for (std::size_t b = 0; b < mechanism.blocks.size(); ++b) {
    const ConstraintBlock& block = mechanism.blocks[b];
    if (!counts(block, set)) continue;
    nodes.push_back({static_cast<int>(b), block.rows, block.first_row, static_cast<int>(row_of.size()),
                     block.first_gradient, 0, block.bodies,
                     static_cast<std::size_t>(linkage.of[static_cast<std::size_t>(block.bodies[0])]),
                     static_cast<std::size_t>(loop.of[b])});
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
        pairs_.push_back(
            {rows(down), rows(across), gradient_of(down, slot_down), gradient_of(across, slot_across), place.offset});
      }
  // blocks are summed in the order of their columns: near in memory
  std::sort(pairs_.begin(), pairs_.end(), [](const Pair& a, const Pair& b) { return a.target < b.target; });
  residual_.resize(row_of_.size());
  const std::size_t bodies = mechanism.description.bodies.size();
  I_.resize(bodies), I_inverse_.resize(bodies), factored_at_.resize(bodies);
  for (std::size_t b = 0; b < bodies; ++b) {
    const BorrowedInertia& lent = mechanism.borrowed[b];
    borrows_ = borrows_ || lent.m > 0 || lent.I.xx > 0;
    per_mass_.push_back(1 / (mechanism.description.bodies[b].m + lent.m));
  }
  for (const double unit : mechanism.row_units) per_unit_.push_back(1 / unit);
  for (std::size_t k = 0; k < nodes_.size(); ++k)
    nodes_[k].diagonal = S_.place(static_cast<int>(k), static_cast<int>(k)).offset;
  std::size_t linkage_count = 0, loop_count = 0;
  for (const Node& node : nodes_)
    linkage_count = std::max(linkage_count, node.linkage + 1), loop_count = std::max(loop_count, node.loop + 1);
  linkages_.resize(linkage_count), largest_of_.resize(loop_count);
  size_ = size_of(mechanism);
}

void ConstrainedMotion::factor(const MechanismEquations& equations, bool rough) {
  rough_ = rough;
  take_over(equations);
  for (Linkage& each : linkages_) each.level = 0;
  factor_levels();
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
    I_inverse_[b] = inverse_tensor(I_[b] + mechanism_.borrowed[b].I);
  }
  // W = J M^-1
  W_.resize(equations.J.size());
  for (const Node& node : nodes_)
    by_size(node.rows, [&](auto m) {
      std::size_t at = node.gradient;
      for (const int body : node.bodies) {
        const auto b = static_cast<std::size_t>(body);
        detail::by_inverse_mass<m()>(equations.J.data() + at, I_inverse_[b], per_mass_[b], W_.data() + at);
        at += 6 * m();
      }
    });
}

void ConstrainedMotion::factor_levels() {
  stale_ = false;
  for (std::size_t b = 0; b < factored_at_.size(); ++b)
    factored_at_[b] = {equations_->orientation(static_cast<int>(b)), equations_->centre(static_cast<int>(b))};
  for (Linkage& each : linkages_) each.share = (redundant_ || rough_ ? 1e-9 : 1e-13) * std::pow(1e-3, each.level);
  factor_with_shares();
}

void ConstrainedMotion::factor_with_shares() {
  S_.clear();
  double* const values = S_.values().data();
  for (const Pair& pair : pairs_)
    by_size(pair.across, [&](auto m) {
      detail::add_outer_products<m()>(equations_->J.data() + pair.first, pair.down, W_.data() + pair.second,
                                      values + pair.target);
    });
  const auto for_diagonal = [&](const auto& visit) {
    for (const Node& node : nodes_)
      for (int a = 0; a < node.rows; ++a) {
        const double per_unit = per_unit_[static_cast<std::size_t>(node.first_row + a)];
        visit(node, values[node.diagonal + cell(a, node.rows, a)], per_unit * per_unit);
      }
  };
  std::fill(largest_of_.begin(), largest_of_.end(), 0.0);
  for_diagonal([&](const Node& node, double entry, double per_square) {
    largest_of_[node.loop] = std::max(largest_of_[node.loop], entry * per_square);
  });
  for_diagonal([&](const Node& node, double& entry, double per_square) {
    entry += linkages_[node.linkage].share * largest_of_[node.loop] / per_square;
  });
  S_.factor(0);
}

void ConstrainedMotion::damped_multipliers(const MechanismEquations& equations, double damping,
                                           std::span<const double> residual, std::span<double> lambda) {
  take_over(equations);
  for (Linkage& each : linkages_) each.share = damping;
  factor_with_shares();
  for (std::size_t k = 0; k < row_of_.size(); ++k) residual_[k] = residual[static_cast<std::size_t>(row_of_[k])];
  S_.solve(residual_);
  for (std::size_t k = 0; k < row_of_.size(); ++k) lambda[static_cast<std::size_t>(row_of_[k])] = residual_[k];
}

double ConstrainedMotion::misses(std::span<const Motion<double>> x, std::span<const double> target) {
  detail::Two all{};
  for (Linkage& each : linkages_) each.worst = each.scale = detail::Two{};
  for (const Node& node : nodes_) {
    detail::Two worst = linkages_[node.linkage].worst, scale = linkages_[node.linkage].scale;
    by_size(node.rows, [&](auto m) {
      using Row = detail::ShortRow<m()>;
      const Row wanted = Row::load(target.data() + node.first_row),
                per_unit = Row::load(per_unit_.data() + node.first_row);
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
    linkages_[node.linkage].worst = worst, linkages_[node.linkage].scale = scale;
  }
  double most = 0;
  largest_term_ = 0;
  for (Linkage& each : linkages_) {
    each.left_before = each.left;
    each.left = std::max(each.worst[0], each.worst[1]), each.term = std::max(each.scale[0], each.scale[1]);
    most = std::max(most, each.left), largest_term_ = std::max(largest_term_, each.term);
  }
  // no number if one of them is none
  return std::isfinite(all[0] + all[1]) ? most : std::nan("");
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

bool ConstrainedMotion::judge(int round, bool numberless) {
  constexpr int deepest_level = 2, most_rounds = 20;
  bool all_finished = true, again = false;
  const bool stale = stale_;
  for (Linkage& each : linkages_) {
    if (round == 0) each.first_term = each.term;
    if (each.finished) continue;
    const bool slow = round > 0 && each.left > 0.25 * each.left_before, done = !(each.left > 1e-14 * each.term);
    if (slow && each.left > 1e-13 * each.term && !rough_ && !numberless && (stale || each.level < deepest_level)) {
      // what was factored elsewhere does not do here; or near a singular position what is added to the diagonal hides
      // equations that still count: add less
      again = true;
      if (!stale) ++each.level;
    } else {
      each.finished = numberless || done || (round >= 2 && slow) || round == most_rounds;
    }
    all_finished = all_finished && each.finished;
  }
  if (again && stale)
    for (Linkage& each : linkages_) each.level = 0;
  if (again) factor_levels();
  return all_finished;
}

double ConstrainedMotion::constrain(std::span<Motion<double>> x, std::span<const double> target,
                                    std::span<double> lambda) {
  TORSOR_EXPECT(equations_);
  for (const int row : row_of_) lambda[static_cast<std::size_t>(row)] = 0;
  if (row_of_.empty()) return 0;
  for (Linkage& each : linkages_) each.finished = false;
  for (int round = 0;; ++round) {
    const double worst = misses(x, target);
    if (judge(round, std::isnan(worst))) {
      find_worst_block();
      share_left_ = std::isnan(worst) ? 1 : 0;
      for (const Linkage& each : linkages_)
        if (each.left > share_left_ * each.first_term) share_left_ = each.left / each.first_term;
      return worst;
    }
    for (const Node& node : nodes_)
      if (linkages_[node.linkage].finished)
        std::fill_n(&residual_[static_cast<std::size_t>(node.first)], node.rows, 0.0);
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
  return {I_inverse_[b] * force.n, force.f * per_mass_[b]};
}

Force<double> ConstrainedMotion::mass(int body, const Motion<double>& motion) const {
  const auto b = static_cast<std::size_t>(body);
  return {I_[b] * motion.w, motion.v * mechanism_.description.bodies[b].m};
}

Force<double> ConstrainedMotion::borrowed(int body, const Motion<double>& motion) const {
  const BorrowedInertia& lent = mechanism_.borrowed[static_cast<std::size_t>(body)];
  return {lent.I * motion.w, motion.v * lent.m};
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
