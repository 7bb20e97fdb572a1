// Joints along a Cartesian motion, for any arm: from each instant to the next without leaving the branch, or the instant at
// which that ends and why.
//
//   predict   q + qd h + qdd h^2 / 2
//   correct   a descent from there to the pose at t + h
//   accept    if the correction is small against what tells branches apart; else halve h
//
// A wrist that passes exactly through its singular position keeps joint 4 where it is: the shortest velocities are those
// that turn it not at all, and the descent picks of the family q4 + q6 = const the member next to the prediction. Joint
// angles run on over whole turns, as far as the limits allow. A joint that a step brings to its limit is put on it and
// kept there, if the others reach the pose without it: then its rates are those of a joint on it (task_rates.hpp).
//
// At a singular instant the tool does not determine the rates, and next to it they drown in rounding. A sample there gets
// those of the quintics through the samples on both sides (q, qd, qdd of each), or through two on one side at the ends of
// the path, put right in all directions that are not lost: if then the tool moves as asked. Else it says that it has not.
//
// With a guide the joint to spare is no longer free: of the solutions of a pose the one with c . (x - g) = 0 is meant, g and c
// functions of time, and its rates follow from that equation and those of the tool.
//
// Samples must tell what the joints do: where one changes between two of them by more than their speeds tell (row_jump.hpp),
// and by more than a step that the follower takes at once (a hundredth of it where the tool does not determine the speeds), the
// path ends there with that reason.
#pragma once

#include <functional>

#include "torsor/closed_form_ik/arm_solver.hpp"
#include "torsor/numeric_ik/followed_path.hpp"
#include "torsor/numeric_ik/general_solver.hpp"
#include "torsor/numeric_ik/task_rates.hpp"
#include "torsor/trajectory/tool_path.hpp"

namespace torsor {

/// The path as a function of time [s].
using PathOfTime = std::function<CartesianState(double)>;

/// Any Cartesian motion. It must outlive the result.
template <CartesianMotion M>
PathOfTime path_of(const M& motion) {
  return [&motion](double t) { return motion.sample(t); };
}

struct FollowOptions {
  TaskWeights weights;
  bool limits = true;
  const SecondaryAim* aim = nullptr;     // pursued along the path by velocities in the null space
  double aim_gain = 1;                   // 1/s
  std::span<const double> posture = {};  // for the aim near, nq; empty: the start
  double longest_step = 0.1;             // of any joint between two instants, rad or half arm lengths
  const JointGuide* guide = nullptr;     // of arms with one joint to spare; not with an aim
  bool jumps = false;                    // whether samples may hide how a joint turns over between them
  std::uint64_t seed = 1;                // of the search for the first position
};

/// Follows the path from 0 to duration, sampled every period [s] and at the end, from the solution at or nearest to
/// `start` (nq). `closed` names branches and measures what is out of reach; null where the arm has no closed form.
FollowedPath follow_path(const Model<double>&, const Frame<double>&, const ArmSolver* closed, const PathOfTime& path,
                         double duration, double period, std::span<const double> start, const FollowOptions& = {});

namespace detail {

/// Below this smallest singular value speeds are nothing but rounding, which has grown by its inverse square.
inline constexpr double speeds_singular_value = 1e-7;

/// Ends a path at the first jump, if there is one.
void end_at_jump(FollowedPath& path, std::span<const TaskJoint> joints, double longest_step);

}  // namespace detail

}  // namespace torsor
