#include "torsor/numeric_ik/ik_batch.hpp"

#include <algorithm>
#include <memory>

#include "torsor/closed_form_ik/arm_solver.hpp"
#include "torsor/fast/workers.hpp"

namespace torsor {

int most_solutions(const InverseKinematics& solver) {
  // beside singular positions an arm that is only nearly special has more than the family
  const ArmSolver* const arm = solver.closed();
  return arm && !arm->is_general() && arm->snaps().empty() ? 8 : 16;
}

IkBatch solve_poses(const InverseKinematics& solver, std::span<const Transform<double>> poses, const IkChoice& choice,
                    int threads) {
  constexpr std::size_t piece = 64;
  const std::size_t nq = static_cast<std::size_t>(solver.model().nq),
                    most = static_cast<std::size_t>(most_solutions(solver));
  IkBatch out;
  out.nq = static_cast<int>(nq);
  out.most = static_cast<int>(most);
  out.count.assign(poses.size(), -1);
  out.q.assign(poses.size() * most * nq, std::numeric_limits<double>::quiet_NaN());
  out.residual.assign(poses.size() * most, std::numeric_limits<double>::quiet_NaN());
  // bits of neighbours share a word: threads need one each
  std::vector<char> inside(poses.size() * most, 0);
  const auto solve = [&](const InverseKinematics& own, std::size_t k) {
    out.count[k] =
        for_each_solution(own, poses[k], choice, [&](int s, std::span<const double> q, bool is_inside, double off) {
          const std::size_t at = k * most + static_cast<std::size_t>(s);
          if (static_cast<std::size_t>(s) >= most) return;
          std::copy(q.begin(), q.end(), out.q.begin() + static_cast<std::ptrdiff_t>(at * nq));
          inside[at] = is_inside;
          out.residual[at] = off;
        });
  };
  const std::size_t pieces = (poses.size() + piece - 1) / piece;
  const auto work = [&](const InverseKinematics& own, std::size_t which) {
    for (std::size_t k = which * piece; k < std::min(poses.size(), (which + 1) * piece); ++k) solve(own, k);
  };
  if (threads <= 1 || pieces <= 1) {
    for (std::size_t which = 0; which < pieces; ++which) work(solver, which);
  } else {
    Workers workers(static_cast<int>(std::min(pieces, static_cast<std::size_t>(threads))));
    std::vector<std::unique_ptr<InverseKinematics>> own;
    for (int k = 0; k < workers.threads(); ++k) own.push_back(std::make_unique<InverseKinematics>(solver));
    workers.share(static_cast<std::int64_t>(pieces), [&](int worker, std::int64_t which) {
      work(*own[static_cast<std::size_t>(worker)], static_cast<std::size_t>(which));
    });
  }
  out.inside_limits.assign(inside.begin(), inside.end());
  return out;
}

}  // namespace torsor
