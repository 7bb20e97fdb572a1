// Hand to joints for one robot and tool: by the closed form where the arm has one, else by the general solver; at one
// pose, and along a path. Shared by ik and track.
#pragma once

#include <memory>
#include <optional>

#include "cli/branch_text.hpp"
#include "cli/hand_path.hpp"
#include "cli/robot_argument.hpp"
#include "torsor/ik/arm_solver.hpp"
#include "torsor/ik/general_solver.hpp"

namespace torsor {

/// How the joints move, and in words whether the tool then moves as asked: `ok`, `near-singular`, `singular: ...`.
struct HandRates {
  std::vector<double> qd, qdd;
  std::string velocity, acceleration;
};

/// What of the pose counts, and what an arm with joints to spare strives for besides.
struct HandTask {
  TaskWeights weights;
  std::string free = {};  // in words, what does not count; empty: all of it counts
  const SecondaryAim* aim = nullptr;
  std::uint64_t seed = 1;  // of the draws of the general solver
};

class HandSolver {
 public:
  /// The robot must outlive this. Where not all of the pose counts there is no closed form.
  HandSolver(const Robot& robot, const Frame<double>& tool, const HandTask& task = {});

  /// The closed form, or null; then refusal() says why.
  const ArmSolver* closed() const { return arm_ ? &*arm_ : nullptr; }
  const Faults& refusal() const { return refusal_; }

  /// By the closed form: all branches for a pose of the tool in the world.
  IkAnswer branches(const Transform<double>& X_world_tool) const;
  /// A branch of snapped geometry moved onto the robot as it is described: q by a few descents from there, inside or
  /// outside limits as it was, and residuals of the robot's own forward kinematics. q stays where that leads elsewhere.
  void settle(const Transform<double>& X_world_tool, IkBranch& branch);
  /// By the closed form: of the branches of an answer the nearest to joint positions, inside the limits if one is; of its
  /// family the member and of its turns those next to them. Nothing where there is none.
  std::optional<IkBranch> nearest(const IkAnswer& answer, std::span<const double> near) const;
  /// Of a wrist that is nearly singular: the member next to joint positions of the family that it has when straightened,
  /// which turns the hand off the pose by its angle_residual. Nothing where the wrist is not that near, or singular.
  std::optional<IkBranch> straightened(const Transform<double>& X_world_tool, std::span<const double> near,
                                       const IkBranch& branch) const;
  /// By the closed form: the pose of the tool.
  Transform<double> tool_pose(const std::array<double, 6>& q) const;

  /// By the general solver, from a start (nq).
  GeneralAnswer solve(const Transform<double>& X_world_tool, std::span<const double> start) const;
  /// By the closed form: how the joints move at a branch while the tool moves as the state says. Where geometry was snapped
  /// the branch is a settled one.
  HandRates rates(const IkBranch& branch, const CartesianState& state) const;
  /// The same by the general solver, at q (nq), which has the tool where the state says.
  HandRates rates(std::span<const double> q, const CartesianState& state);
  /// By the closed form: det J of a branch, rows (v; w).
  double determinant(const IkBranch& branch) const;

  /// Along a path, from the solution nearest to `start` (nq), inside the limits or not. `posture` (nq): what the aim near
  /// is near to, if not the start. `jumps`: samples need not tell what happens between them.
  FollowedPath follow(const HandPath& path, std::span<const double> start, bool limits = true,
                      std::span<const double> posture = {}, bool jumps = false) const;

  /// From a start to the posture that the aim gives at the first pose of a path, if it gives one: a path that pursues an
  /// aim begins where a single pose would be.
  std::vector<double> aimed(const HandPath& path, std::vector<double> start) const;

  /// Why the aim has nothing to choose from: as many joints as components of the pose that count, or fewer.
  Faults check_aim() const;

  const Model<double>& model() const { return *model_; }
  const Frame<double>& tool() const { return tool_; }

 private:
  /// Of snapped geometry those of the robot as described.
  JointRates joint_rates(const IkBranch& branch, const ToolMotion& motion) const;

  const Model<double>* model_;
  HandTask task_;
  Frame<double> tool_, hand_;  // hand: what the closed form moves, else the tool
  std::optional<ArmSolver> arm_;
  Faults refusal_;
  Transform<double> X_hand_tool_;
  std::unique_ptr<GeneralSolver> general_;
};

/// Where to start on a path: a branch of its first pose as chosen; else, of those inside the limits if there are any, the
/// one nearest to given joint positions or to those of a publication, or the one farthest from singular. Or why not.
Result<std::vector<double>> choose_start(const HandSolver& solver, const HandPath& path,
                                         const std::optional<BranchChoice>& choice,
                                         const std::optional<std::vector<double>>& near);

}  // namespace torsor
