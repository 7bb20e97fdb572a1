// All solutions of many poses, on several threads, as one block of numbers.
#pragma once

#include <limits>
#include <span>

#include "torsor/closed_form_ik/branch_label.hpp"
#include "torsor/closed_form_ik/is_frame.hpp"
#include "torsor/closed_form_ik/measure_branch.hpp"
#include "torsor/closed_form_ik/redundant_arm.hpp"
#include "torsor/closed_form_ik/short_arm.hpp"
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

/// Joints whose numbers are the coordinates of the model, in order.
inline bool is_whole_model(const JointChain& chain, const Model<double>& model) {
  if (chain.joints() != model.nq) return false;
  for (std::size_t k = 0; k < chain.coordinate.size(); ++k)
    if (chain.coordinate[k] != static_cast<int>(k)) return false;
  return true;
}

/// How far a chain is from a pose: the greater of m and rad.
inline double residual_of(const JointChain& chain, std::span<const double> q, const Transform<double>& X_world_tool) {
  const Transform<double> X = chain.tool_pose(q);
  const Mat3<double> off = X.R - X_world_tool.R;
  return std::max({norm(X.p - X_world_tool.p), norm(off.x), norm(off.y), norm(off.z)});
}

/// One pose of a batch: calls take(k, q, inside_limits, residual) for each of its solutions, k from 0 on; answers how many there
/// are, -1 where it is no pose. By a closed form, of few joints, or of seven with a value of the redundancy nothing is allocated.
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
  const auto give = [&](const auto& solutions, const auto& residual) {
    for (const auto& s : solutions) {
      if (!choice.outside_limits && !s.inside_limits) continue;
      take(count++, std::span<const double>(s.q).first(static_cast<std::size_t>(solver.model().nq)), s.inside_limits,
           residual(s));
    }
    return count;
  };
  if (const ShortArm* const arm = choice.near ? nullptr : solver.short_arm();
      arm && is_whole_model(arm->chain(), solver.model()) && is_within(X.p, farthest_pose * arm->chain().size)) {
    ShortSolutions found;
    arm->solve(X, found);
    return give(found.all(), [](const ShortSolution& s) { return std::max(s.position_residual, s.angle_residual); });
  }
  if ((choice.redundancy || choice.swivel) && !choice.near) {
    const Result<RedundantArm>& arm = solver.redundant(choice.redundant_joint);
    if (arm && is_whole_model(arm->chain(), solver.model()) && (!choice.swivel || arm->swivel()) &&
        is_within(X.p, farthest_pose * arm->chain().size)) {
      SevenSolutions found;
      if (choice.swivel)
        arm->solve_swivel(X, *choice.swivel, found);
      else
        arm->solve(X, arm->inside_limits(*choice.redundancy), found);
      return give(found.all(), [&](const SevenSolution& s) { return residual_of(arm->chain(), s.q, X); });
    }
  }
  for (const IkSolution& s : solver.solve_all(X, choice))
    take(count++, std::span<const double>(s.q), s.inside_limits, std::max(s.position_residual, s.angle_residual));
  return count;
}

}  // namespace torsor
