// Motions that obey the equations. For any unconstrained x0 (accelerations M^-1 g, velocities, small displacements)
//
//   x = x0 - M^-1 J^T lambda,   J x = target,   S lambda = J x0 - target,   S = J M^-1 J^T
//
// which is forward dynamics (001 eq. (22) with (10)), projection onto the velocity equations, and a Newton step of
// assembly alike: nearest in the metric of the masses. S is factored by blocks (block_cholesky.hpp); where equations
// depend on one another the multipliers are those of least norm, x is unique.
#pragma once

#include <span>

#include "torsor/mechanism/equations.hpp"
#include "torsor/numeric/block_cholesky.hpp"

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
  /// the difference.
  void follow(const MechanismEquations&);

  /// Changes x (one Motion per body) to the nearest that has J x = target in the rows of this set (target by rows of the
  /// mechanism, others not looked at). Adds lambda (by rows of the mechanism, those of this set set). Returns the largest
  /// |J x - target| left.
  double constrain(std::span<Motion<double>> x, std::span<const double> target, std::span<double> lambda);

  /// Of the last constrain: the block where the most was left, and the largest term of any row, which says what is small.
  int worst_block() const { return worst_block_; }
  double largest_term() const { return largest_term_; }

  /// M^-1 of forces (about the mass centres), the borrowed inertia included; and M times a motion without it.
  Motion<double> inverse_mass(int body, const Force<double>&) const;
  Force<double> mass(int body, const Motion<double>&) const;
  /// The part of the inertia that is borrowed times a motion.
  Force<double> borrowed(int body, const Motion<double>&) const;
  bool borrows() const { return borrows_; }

  /// -J^T lambda: what the rows of this set do to a body.
  void add_reactions(std::span<const double> lambda, std::span<Force<double>> forces) const;

  /// Numbers it keeps for gradients and factors, fill included.
  std::size_t numbers_kept() const { return W_.size() + S_.entries(); }

  /// Rows of this set in the numbering of the mechanism.
  std::span<const int> rows() const { return row_of_; }
  bool has(int block) const { return node_of_[static_cast<std::size_t>(block)] >= 0; }
  /// Whether equations were found to depend on one another when factored last.
  void expect_redundancy(bool yes) { redundant_ = yes; }

 private:
  const Mechanism& mechanism_;
  const MechanismEquations* equations_ = nullptr;
  std::vector<int> node_of_;   // of each block; -1: not in the set
  std::vector<int> block_of_;  // of each node
  std::vector<int> row_of_;    // of each unknown: row of the mechanism
  std::vector<int> first_of_;  // of each node: its first unknown

  struct Pair {  // two nodes that share a body, and where their block is
    int p, slot_p, q, slot_q;
    BlockCholesky::Place place;
  };
  std::vector<Pair> pairs_;
  BlockCholesky S_;
  std::vector<double> W_;  // J M^-1, as J
  std::vector<Sym3<double>> I_, I_inverse_, borrowed_;
  std::vector<double> residual_;
  bool redundant_ = false, borrows_ = false, rough_ = false;
  int level_ = 0, worst_block_ = -1;
  double largest_term_ = 0;

  void take_over(const MechanismEquations&);
  void factor_level(int level);
  static BlockCholesky make(const Mechanism&, EquationSet, std::vector<int>& node_of, std::vector<int>& block_of,
                            std::vector<int>& row_of, std::vector<int>& first_of);
};

}  // namespace torsor
