// Arms of seven joints: one is held, six remain, and these have every solution by six_turns.hpp. The joint that is held
// is the redundancy: at each of its values up to sixteen solutions, and for a pose the set of its values that have any.
// A prismatic joint among the seven, a rail or a lift, is the one that is held if no other is asked for.
//
// Where the first or the last joint is held, the six others are one arm for all its values, and the goal alone moves: of an
// arm with a special geometry (the Panda's shoulder is a wrist at the base, a UR on a rail has parallel axes) the
// closed form finds them many times faster, away from singular positions. Where a joint between is held and the wrist or the
// shoulder is spherical, a closed form can be made at every value; it is asked where the general form leaves doubt.
//
// The set is found by solving at many values, finer where solutions are about to meet or to leave their limits, and by
// halving where there are some on one side and none on the other. An interval that is narrower than the spacing and
// shows at neither side can be missed; arms with a spherical shoulder, elbow and wrist have the exact set of
// swivel_arm.hpp.
#pragma once

#include <functional>

#include "torsor/closed_form_ik/arm_solver.hpp"
#include "torsor/closed_form_ik/swivel_arm.hpp"

namespace torsor {

struct SevenSolution {
  SevenAngles q{};  // rad, m; inside the limits where whole turns bring them there
  double sigma = 0;  // least singular value of the columns but that of the held joint, lengths in units of the arm
  bool family = false;
  bool inside_limits = true;
};

struct SevenSolutions {
  std::array<SevenSolution, TurningSolutions::most> solution;
  int count = 0;

  std::span<const SevenSolution> all() const { return {solution.data(), static_cast<std::size_t>(count)}; }
};

class RedundantArm {
 public:
  /// With joint `held` (0 .. 6) as the redundancy, or one that suits the arm.
  static Result<RedundantArm> of(const JointChain&, std::optional<int> held = {});

  int held() const { return held_; }
  /// Ways to eliminate, of the six joints that move.
  std::span<const LoopCut> cuts() const { return six_.cuts(); }
  const JointChain& chain() const { return chain_; }
  /// Arms with a spherical shoulder, elbow and wrist: by swivel angle.
  const SwivelArm* swivel() const { return swivel_ ? &*swivel_ : nullptr; }

  /// The closed form of the six that move, if the first or last joint is held and they have one exactly.
  const ArmSolver* closed_form() const { return closed_form_ ? &*closed_form_ : nullptr; }

  /// Values of the redundancy that are looked at: a whole turn; of a slide its limits, or twice the size of the arm.
  std::pair<double, double> range() const;
  /// Of them those that a pose leaves possible: a slide without limits goes as far as the tool is, by as much as the arm reaches.
  std::vector<FeasibleInterval> ranges(const Transform<double>& X_world_tool) const;
  /// A value of the redundancy by whole turns inside its limits; as it is where it is inside, slides, or no turn brings it there.
  double inside_limits(double value) const;
  /// All solutions with the redundancy at a value, or whole turns from it inside its limits; their limits or not.
  void solve(const Transform<double>& X_world_tool, double value, SevenSolutions& out) const;
  /// The six that move, with the redundancy at a value.
  SixTurns six(double value) const { return six_.with(six_of(chain_, held_, value)); }
  /// All solutions at a swivel angle, of an arm that has one.
  void solve_swivel(const Transform<double>& X_world_tool, double psi, SevenSolutions& out) const;

  /// Of 120 values the nearest to the given one, or that itself, which has a solution inside the limits; where none has, the
  /// nearest that has one at all; nothing where none has. `out`: all its solutions.
  std::optional<double> nearest_value(const Transform<double>& X_world_tool, double value, SevenSolutions& out) const;

  /// The values of the redundancy that have solutions; with limits: solutions inside them.
  std::vector<FeasibleInterval> feasible(const Transform<double>& X_world_tool, bool limits) const;

  /// The solution inside the limits with the least cost, over all values of the redundancy: the best of 240 values,
  /// improved by golden sections beside it.
  std::optional<SevenSolution> best(const Transform<double>& X_world_tool,
                                    const std::function<double(const SevenAngles&)>& cost) const;

 private:
  void add_feasible(const Transform<double>& X_world_tool, const FeasibleInterval& range, bool limits,
                    std::vector<FeasibleInterval>& out) const;
  bool solve_closed_form(const ArmSolver& form, const Transform<double>& X_world_six, const Transform<double>& X_world_tool,
                         double value, TurningSolutions& out) const;
  void solve_six(const Transform<double>& X_world_tool, double value, TurningSolutions& out) const;
  RedundantArm(JointChain chain, int held, const SixTurns& six)
      : chain_(std::move(chain)), held_(held), six_(six) {}

  JointChain chain_;
  int held_ = 0;
  SixTurns six_;  // its cuts; its placements are those of some value
  std::optional<SwivelArm> swivel_;
  std::optional<ArmSolver> closed_form_;
  bool closed_at_values_ = false;  // of a joint held between: the six that move have one at every value, made where it is needed
  bool solve_regular(const Transform<double>& X_world_tool, double value, SevenSolutions& out) const;

  // away from singular positions: six that are a place and a wrist, the first or last held; or all seven, of which another is held
  std::optional<RegularChain> regular_, seven_;
};

/// The joint that is held where none is asked for: the prismatic one; with a spherical shoulder and wrist, nearly, the
/// third; else the last.
int redundant_joint(const JointChain&);

}  // namespace torsor
