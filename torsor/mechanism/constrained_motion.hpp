// Motions that obey the equations. For any unconstrained x0 (accelerations M^-1 g, velocities, small displacements)
//
//   x = x0 - M^-1 J^T lambda,   J x = target,   S lambda = J x0 - target,   S = J M^-1 J^T
//
// which is forward dynamics (Sim, Yoo & Lee 1985 (22), (10)), projection onto velocity equations, and a Newton step of
// assembly alike: nearest in the metric of the masses. S is factored by blocks (block_cholesky.hpp); where equations
// depend on one another the multipliers are those of least norm (times the units of their rows: alike in any units), x is
// unique.
#pragma once

#include <span>

#include "torsor/mechanism/equations.hpp"
#include "torsor/numeric/block_cholesky.hpp"
#include "torsor/numeric/short_row.hpp"

namespace torsor {

/// Which blocks of equations count.
enum class EquationSet { all, without_drivers };

inline bool counts(const ConstraintBlock& block, EquationSet set) {
  return block.rows > 0 && !block.bodies.empty() && !(set == EquationSet::without_drivers && block.drives);
}

class ConstrainedMotion {
 public:
  ConstrainedMotion(const Mechanism&, EquationSet);

  /// Takes over gradients and orientations: to be called after MechanismEquations::evaluate, before the rest.
  /// `rough` for equations that may contradict each other, as away from where they hold: what cannot be met is left.
  void factor(const MechanismEquations&, bool rough = false);

  /// The same where the bodies have hardly moved since: what was factored then serves again, and constrain() makes up for
  /// the difference. Where they have moved more it returns false and does nothing.
  bool follow(const MechanismEquations&, bool rough = false);

  /// Changes x (one Motion per body) to the nearest that has J x = target in the rows of this set (target by rows of the
  /// mechanism, others not looked at). Adds lambda (by rows of the mechanism, those of this set set). Returns the largest
  /// |J x - target| left, over the unit of its row (Mechanism::row_units).
  double constrain(std::span<Motion<double>> x, std::span<const double> target, std::span<double> lambda);

  /// Sets lambda of (S + d) lambda = residual, d so many times the largest entry of the diagonal (of each loop):
  /// -M^-1 J^T lambda is a damped step (Levenberg, Marquardt). Takes over as factor() does, which is to be called
  /// again before constrain().
  void damped_multipliers(const MechanismEquations&, double damping, std::span<const double> residual,
                          std::span<double> lambda);

  /// Of the last constrain: the block where the most was left, that as it is, and the largest term of any row over its unit,
  /// which says what is small.
  int worst_block() const { return worst_block_; }
  double worst_left() const { return worst_left_; }
  double largest_term() const { return largest_term_; }
  /// Of the last constrain: what is left over the largest term at first, in the linkage where that share is largest.
  /// Next to 1 the masses of a linkage are too far apart for its equations to be solved.
  double share_left() const { return share_left_; }

  /// M^-1 of forces (about the mass centres), what is borrowed included; and M times a motion without it.
  Motion<double> inverse_mass(int body, const Force<double>&) const;
  Force<double> mass(int body, const Motion<double>&) const;
  /// The part of the inertia that is borrowed times a motion.
  Force<double> borrowed(int body, const Motion<double>&) const;
  bool borrows() const { return borrows_; }

  /// -J^T lambda: what the rows of this set do to a body.
  void add_reactions(std::span<const double> lambda, std::span<Force<double>> forces) const;

  /// Numbers it keeps for gradients and factors, fill included.
  std::size_t numbers_kept() const { return W_.size() + S_.entries(); }

  /// Multiplications that a factorisation takes.
  std::size_t products_of_factorisation() const { return S_.products(); }

  /// Rows of this set in the numbering of the mechanism.
  std::span<const int> rows() const { return row_of_; }
  bool has(int block) const { return has_[static_cast<std::size_t>(block)]; }
  /// Whether equations were found to depend on one another when factored last.
  void expect_redundancy(bool yes) { redundant_ = yes; }

 private:
  const Mechanism& mechanism_;
  const MechanismEquations* equations_ = nullptr;

  struct Node {                         // a block of the set
    int block, rows, first_row, first;  // rows of the mechanism and unknowns of the set
    std::size_t gradient, diagonal;     // diagonal: of its block in S
    std::span<const int> bodies;
    std::size_t linkage, loop;  // linkages.hpp
  };
  struct Linkage {  // solved by itself, so that others change none of its digits
    detail::Two worst, scale;
    double left, left_before;  // over the units of rows: what is left, now and a round before
    double term, first_term;   // the largest term, now and at first
    double share;              // of the diagonal's largest entry, that is added
    int level;                 // how often less of it was
    bool finished;
  };
  struct Pair {  // two nodes that share a body: J of the first times W of the second, into a block of S
    int down, across;
    std::size_t first, second, target;
  };
  std::vector<Node> nodes_;
  std::vector<int> row_of_;  // of each unknown: row of the mechanism
  std::vector<Pair> pairs_;
  BlockCholesky S_;
  std::vector<bool> has_;  // of each block
  std::vector<double> W_;  // J M^-1, as J
  std::vector<Sym3<double>> I_, I_inverse_;
  std::vector<double> per_mass_;  // 1 / (mass, and what is borrowed)
  std::vector<double> residual_;
  std::vector<Transform<double>> factored_at_;  // where the bodies were
  bool redundant_ = false, borrows_ = false, rough_ = false;
  bool stale_ = false;  // what is factored is not of the equations taken over
  int worst_block_ = -1;
  double largest_term_ = 0, worst_left_ = 0, share_left_ = 0, size_ = 1;
  std::vector<Linkage> linkages_;
  std::vector<double> largest_of_;  // of each loop: the largest entry of the diagonal
  std::vector<double> per_unit_;  // of each row of the mechanism

  void take_over(const MechanismEquations&);
  void factor_levels();
  /// Sums up S, and factors it with the shares of the largest entry of its diagonal added, entries over the units of
  /// rows. The largest of each loop: what is added for a light body would hide the equations of a heavy one.
  void factor_with_shares();
  /// Of each linkage, after so many rounds, whether it is finished, or is to be factored with less added; whether all
  /// are.
  bool judge(int round, bool numberless);
  /// Sets the residuals J x - target; returns the largest.
  double misses(std::span<const Motion<double>> x, std::span<const double> target);
  void find_worst_block();
  static BlockCholesky make(const Mechanism&, EquationSet, std::vector<Node>&, std::vector<int>& row_of);
};

}  // namespace torsor
