// Arms of one to five joints. Joints that are missing to six are added behind the tool, and the solver of six
// (six_turns.hpp) finds every solution at once:
//
//   pose               joints anywhere, which must stand at zero: other answers are none
//   place and axis     one about the axis, free; the others must stand at zero
//   place              three whose axes meet in the tool's origin, free; the others must stand at zero
//
// Each answer is then corrected on the arm itself, by the shortest steps that reduce its error, and kept where it
// reaches rounding. A pose that such an arm does not reach exactly has none.
//
// Of a place, and of a place and an axis, up to three joints decide alone, of a pose all but the last: where these have the closed form
// of few_joints.hpp, that answers, and the last joint follows from the rotation that is left. It is taken only for arms of which it
// has the answers of the six at random positions, when the solver is made, and not beside singular positions.
#pragma once

#include "torsor/closed_form_ik/chain_error.hpp"
#include "torsor/closed_form_ik/few_joints.hpp"
#include "torsor/closed_form_ik/regular_chain.hpp"

namespace torsor {

struct ShortSolution {
  std::array<double, 5> q{};  // rad, m, the first n; inside the limits where whole turns bring them there
  double position_residual = 0, angle_residual = 0, sigma = 0;
  bool inside_limits = true;
};

struct ShortSolutions {
  std::array<ShortSolution, 16> solution;
  int count = 0;

  std::span<const ShortSolution> all() const { return {solution.data(), static_cast<std::size_t>(count)}; }
};

class ShortArm {
 public:
  /// axis: of the tool, a unit vector, for place_and_axis. Refused where more joints move the tool than the task has
  /// components.
  static Result<ShortArm> of(const JointChain&, ShortTask task, const Vec3<double>& axis = {0, 0, 1});

  /// All solutions; none where the task cannot be met. Never allocates.
  void solve(const Transform<double>& X_world_tool, ShortSolutions& out) const;

  /// Whether poses that are not singular are solved in closed form.
  bool is_closed_form() const { return few_.has_value(); }
  /// All solutions by the six joints that it is made into, closed form or not.
  void solve_general(const Transform<double>& X_world_tool, ShortSolutions& out) const;

  /// All solutions of the six joints that it is made into, with what each stage found.
  void solve_six(const Transform<double>& X_world_tool, TurningSolutions& out) const;

  const JointChain& chain() const { return chain_; }
  ShortTask task() const { return task_; }
  const Vec3<double>& axis() const { return axis_; }
  /// The six joints that it is made into.
  const SixTurns& six() const { return six_; }
  /// Ways to eliminate, of these.
  std::span<const LoopCut> cuts() const { return six_.cuts(); }

 private:
  ShortArm(JointChain chain, ShortTask task, const Vec3<double>& axis, const SixTurns& six)
      : chain_(std::move(chain)), task_(task), axis_(axis), six_(six) {}
  bool correct(const Transform<double>& X_world_tool, ShortSolution& s) const;
  bool solve_regular_chain(const Transform<double>& X_world_tool, ShortSolutions& out) const;
  bool solve_few(const Transform<double>& X_world_tool, ShortSolutions& out) const;
  bool few_agree() const;
  void keep(ShortSolution& s, ShortSolutions& out) const;
  double apart(const ShortSolution&, const ShortSolution&) const;
  bool are_joined(const Transform<double>& X_world_tool, const ShortSolution&, const ShortSolution&) const;

  JointChain chain_;
  ShortTask task_;
  Vec3<double> axis_;
  SixTurns six_;
  std::optional<FewJoints> few_;
  std::optional<RegularChain> regular_;
};

}  // namespace torsor
