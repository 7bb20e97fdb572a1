// All solutions of many poses, on several threads, as one block of numbers.
#pragma once

#include <limits>
#include <span>

#include "torsor/closed_form_ik/branch_label.hpp"
#include "torsor/closed_form_ik/is_frame.hpp"
#include "torsor/numeric_ik/inverse_kinematics.hpp"

namespace torsor {

struct IkBatch {
  int nq = 0;                        // numbers of a solution
  int most = 0;                      // solutions of a pose that there is room for
  std::vector<int> count;            // by pose: how many it has; -1 where it is none
  std::vector<double> q;             // [pose][most][nq]: nan behind the last
  std::vector<bool> inside_limits;   // [pose][most]
  std::vector<double> residual;      // [pose][most]: the greater of m and rad, recomputed from q; nan behind the last

  std::size_t poses() const { return count.size(); }
  /// Solution k of a pose.
  std::span<const double> at(std::size_t pose, int k) const {
    const auto n = static_cast<std::size_t>(nq);
    return std::span(q).subspan((pose * static_cast<std::size_t>(most) + static_cast<std::size_t>(k)) * n, n);
  }
};

/// Every solution of every pose, limits or not unless the choice says otherwise; the same as InverseKinematics::solve one by
/// one. Of a pose that is out of reach there is none: descents are not tried. Threads, if there are more than one, have
/// solvers of their own.
IkBatch solve_poses(const InverseKinematics&, std::span<const Transform<double>> poses, const IkChoice& = {},
                    int threads = 1);

/// The most solutions of one pose that a batch has room for.
int most_solutions(const InverseKinematics&);

/// One pose of a batch: calls take(k, q, inside_limits, residual) for each of its solutions, k from 0 on; answers how many there
/// are, -1 where it is no pose. By a closed form of six joints nothing is allocated.
template <class Take>
int for_each_solution(const InverseKinematics& solver, const Transform<double>& X, const IkChoice& choice,
                      const Take& take) {
  if (!is_frame(X.R) || !is_within(X.p, std::numeric_limits<double>::max())) return -1;
  int count = 0;
  if (solver.closed() && !choice.redundancy && !choice.swivel) {
    const IkAnswer answer = solver.branches(X);
    for (const IkBranch& b : answer.branches()) {
      const bool inside = inside_limits(b);
      if ((choice.branch && !fits(*choice.branch, b.label)) || (!choice.outside_limits && !inside)) continue;
      take(count++, std::span<const double>(b.q), inside, std::max(b.position_residual, b.angle_residual));
    }
    return count;
  }
  for (const IkSolution& s : solver.solve_all(X, choice))
    take(count++, std::span<const double>(s.q), s.inside_limits, std::max(s.position_residual, s.angle_residual));
  return count;
}

}  // namespace torsor
