// Inverse kinematics of one robot and tool: by the closed form where the arm has one, else by descents from a start. At
// a pose every solution with its label, or the one nearest to given joints; velocities and accelerations there; and the
// joints along a path of the tool.
//
//   for (const IkSolution& s : InverseKinematics(robot).solve(pose)) use(s.q, s.label);
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "torsor/closed_form_ik/feasible_interval.hpp"
#include "torsor/closed_form_ik/ik_answer.hpp"
#include "torsor/closed_form_ik/joint_rates.hpp"
#include "torsor/numeric_ik/followed_path.hpp"
#include "torsor/numeric_ik/general_answer.hpp"
#include "torsor/numeric_ik/task_weights.hpp"
#include "torsor/robot.hpp"
#include "torsor/trajectory/cartesian.hpp"

namespace torsor {

// what it solves with, for those who include it
struct ArmSolver;
class FrameRates;
class GeneralSolver;
class RedundantArm;
struct SecondaryAim;
struct SevenSolution;
class ShortArm;
struct ToolPath;
struct TurningArm;

/// What of the pose counts, and what an arm with joints to spare strives for besides. Where not all of it counts there
/// is no closed form.
struct IkTask {
  TaskWeights weights = {};
  const SecondaryAim* aim = nullptr;
  std::uint64_t seed = 1;  // of the draws of descents
};

/// Which solutions of a pose are wanted: all of them, unless something is said here.
struct IkChoice {
  std::optional<BranchLabel> branch = {};        // signs or a root, 0 where any will do: of closed forms
  std::optional<std::vector<double>> near = {};  // nq: the one nearest to these; descents start there
  bool outside_limits = true;                    // those beyond the joint limits, too: of closed forms
  std::optional<double> redundancy = {};         // of seven joints: all solutions with one of them held there (rad, m)
  std::optional<double> swivel = {};  // of seven joints with spherical shoulder and wrist: at this swivel angle
  std::optional<int> redundant_joint = {};       // the one that is held, from 0; default: one that suits the arm
};

/// One joint position that puts the tool at the pose.
struct IkSolution {
  std::vector<double> q;    // nq: rad, m
  std::string label = {};   // `+ - +`, `root 2 +`: branch_label.hpp; empty where a descent found it
  IkStatus status = IkStatus::ok;
  double position_residual = 0, angle_residual = 0;  // m, rad, as recomputed from q
  IkBranch branch = {};  // of a closed form: factors of det J, what is free, what is beyond limits
  bool inside_limits = true;
  double smallest_singular_value = 0;  // of fewer or more than six joints: of the columns, lengths in units of the arm
  int family_dimension = 0;     // 0: alone; 1: on a curve of solutions, of which this is one; 2 and more: on a surface
  std::vector<int> moves = {};  // the coordinates of q that change along it
};

/// What was found for a pose. All of it is its own: it may outlive the solver.
struct IkSolutions {
  PoseStatus status = PoseStatus::solved;
  std::vector<IkSolution> found = {};
  int count = 0, outside = 0;  // of the pose in all; and how many of them were left out as beyond the limits
  std::optional<double> redundancy = {};  // of seven joints: where the redundant one is held (rad, m)

  // out of reach: metres (or radians) that are missing; whether that is the least there is; and what comes near
  double short_by = 0;
  bool nearest_is_least = false;
  std::optional<IkSolution> nearest = {};

  /// With IkChoice::near, of a wrist that is nearly singular: the member next to those joints of the family that it has
  /// when straightened, off the pose by its residuals.
  std::optional<IkSolution> straightened = {};

  auto begin() const { return found.begin(); }
  auto end() const { return found.end(); }
  std::size_t size() const { return found.size(); }
  bool empty() const { return found.empty(); }
  const IkSolution& operator[](std::size_t k) const { return found[k]; }
};

/// How the joints move while the tool moves as asked; where directions are lost, the least that come as near as can be.
struct ToolRates {
  std::vector<double> qd, qdd;  // nv
  RateStatus status = RateStatus::ok;
  Motion<double> missed_twist = {}, missed_acceleration = {};  // by a closed form: asked less followed, in the world
  int lost = 0;                                                // by descents: how many directions
  double velocity_residual = 0, acceleration_residual = 0;     // likewise, see RateAnswer
};

/// A branch along a path: its label, and as far as it goes, limits or not.
struct BranchAlong {
  std::string name;
  FollowedPath path;
};

/// Where to begin on a path, or why not there.
struct PathStart {
  enum class Status {
    chosen,
    no_labels,      // a branch was asked for, and the arm has no closed form
    no_such_branch,
    outside_limits  // the branch that was asked for is
  };
  Status status = Status::chosen;
  std::vector<double> q = {};  // nq
  IkBranch branch = {};        // outside_limits: which
};

/// Whether the number of solutions of a pose is certain.
struct IkProof {
  bool proven = false;
  int count = 0;                            // proven: exactly so many, limits or not
  std::vector<std::vector<double>> missing = {};  // of them those that solve did not find (nq)
  std::string sentence = {};                // the same in words
};

/// What can be best about the redundancy of seven joints: name and meaning.
struct RedundancyObjective {
  std::string_view name, meaning;
};
std::span<const RedundancyObjective> redundancy_objectives();

/// Solves for one tool of one robot. The model must outlive this; one per thread.
class InverseKinematics {
 public:
  /// Of the robot's default tool, or of another frame of it.
  explicit InverseKinematics(const Robot& robot, const IkTask& task = {})
      : InverseKinematics(robot, robot.tool(), task) {}
  InverseKinematics(const Robot& robot, const Frame<double>& tool, const IkTask& task = {})
      : InverseKinematics(robot.model(), robot.description(), tool, task) {
    kept_ = robot;
  }
  /// Model and description must outlive this.
  InverseKinematics(const Model<double>& model, const Description& description, const Frame<double>& tool,
                    const IkTask& task = {});
  ~InverseKinematics();

  /// One like it, for another thread: what was found out about the arm is not found out again.
  InverseKinematics(const InverseKinematics& other);

  /// The joint positions that put the tool at a pose in the world: every branch of the closed form; of seven joints, if
  /// nothing is said of the redundancy, every solution at its value next to that of the neutral position which has one inside
  /// the limits; or the one that descents find from IkChoice::near (default: the neutral position). None where it is out of
  /// reach.
  IkSolutions solve(const Transform<double>& X_world_tool, const IkChoice& choice = {}) const;

  /// The same by closed forms alone: none where descents would be left.
  IkSolutions solve_all(const Transform<double>& X_world_tool, const IkChoice& choice = {}) const;

  /// Whether solve gives every solution of a pose: by a form of six joints, or of fewer.
  bool gives_all() const { return arm_ || short_arm(); }

  /// Of seven joints: whether solve chooses the value of the redundancy itself, because nothing is said of it.
  bool chooses_redundancy(const IkChoice& choice = {}) const;

  /// Of one to five joints: what solves the task, or null.
  const ShortArm* short_arm() const;

  /// Of seven joints: the redundant arm with that joint held, or with one that suits it; or why it is none. Made once each.
  const Result<RedundantArm>& redundant(std::optional<int> joint = {}) const;

  /// Of seven joints: the values of the held joint, or swivel angles, that have solutions, inside the limits or not.
  Result<std::vector<FeasibleInterval>> feasible(const Transform<double>& X_world_tool, bool limits = true,
                                                 std::optional<int> joint = {}) const;
  Result<std::vector<FeasibleInterval>> feasible_swivel(const Transform<double>& X_world_tool) const;

  /// Of seven joints: of all solutions inside the limits the best by an objective (redundancy_objectives), `near` (nq) for
  /// distance; none where there is no solution.
  Result<std::optional<IkSolution>> best(const Transform<double>& X_world_tool, std::string_view objective,
                                         std::span<const double> near = {}, std::optional<int> joint = {}) const;

  /// How many solutions a pose has, limits or not, by interval arithmetic: prove_count.hpp. Of six revolute joints, or of seven
  /// with one held, as `choice` has it. Not proven where solutions meet or nearly meet, or within the time [s].
  IkProof prove(const Transform<double>& X_world_tool, const IkChoice& choice = {}, double seconds = 2) const;

  /// By descents alone, from a start (nq); q of the answer is good until the next.
  GeneralAnswer descend(const Transform<double>& X_world_tool, std::span<const double> start) const;

  /// How the joints move at a solution while the tool moves as the state says, which has it at state.X.
  ToolRates rates(const IkSolution& solution, const CartesianState& state) const;

  /// Along a path, from the solution nearest to `start` (nq), inside the limits or not. `posture` (nq): what the aim
  /// near is near to, if not the start. `jumps`: samples need not tell what happens between them.
  FollowedPath follow(const ToolPath& path, std::span<const double> start, bool limits = true,
                      std::span<const double> posture = {}, bool jumps = false) const;

  /// The branch that was followed, and with a closed form every other that the first pose has, as far as it goes.
  std::vector<BranchAlong> follow_others(const ToolPath& path, const FollowedPath& followed) const;

  /// Where to start on a path: the branch of its first pose that is asked for; else, of those inside the limits if
  /// there are any, the one nearest to given joints or to those of a publication, or the one farthest from singular. An
  /// arm with joints to spare starts where its aim has it at the first pose.
  PathStart start(const ToolPath& path, const IkChoice& choice = {}) const;

  /// The closed form, special or general, or null; then refusal() says why.
  const ArmSolver* closed() const { return arm_.get(); }
  const Faults& refusal() const { return refusal_; }
  /// The closed form if its labels can be followed along a path: those of the general form are numbers of one pose.
  const ArmSolver* labels() const;
  /// Which form serves the robot, why no other does, and what it assumes: sentences.
  std::vector<std::string> explain() const;
  /// What the form found at a pose, stage by stage: sentences.
  std::vector<std::string> explain(const Transform<double>& X_world_tool, const IkChoice& choice = {}) const;
  /// By the closed form: all branches for a pose of the tool in the world, on the robot as it is described. Where the form
  /// assumes special geometry that the robot has only nearly, each is corrected, and where that does not lead to rounding, as
  /// beside singular positions, the general form answers instead.
  IkAnswer branches(const Transform<double>& X_world_tool) const;
  /// By the closed form: det J of a branch, rows (v; w).
  double determinant(const IkBranch& branch) const;
  /// By the closed form: the pose of the tool.
  Transform<double> tool_pose(const std::array<double, 6>& q) const;

  const Model<double>& model() const { return *model_; }
  const Frame<double>& tool() const { return tool_; }
  const IkTask& task() const { return task_; }
  /// How many joints move the tool, and how many components of its pose count: an aim needs joints to spare.
  int joints() const;
  int components() const;

 private:
  std::optional<IkBranch> nearest(const IkAnswer& answer, std::span<const double> near) const;
  bool settle(const Transform<double>& X_world_tool, IkBranch& branch) const;
  void take_label(IkBranch& branch) const;
  IkSolutions solve_one_way(const Transform<double>& X_world_tool, const IkChoice& choice) const;
  void find_families(const IkChoice& choice, IkSolutions& out) const;
  IkSolutions solve_short(const Transform<double>& X_world_tool, const IkChoice& choice) const;
  IkSolutions solve_redundant(const Transform<double>& X_world_tool, const IkChoice& choice) const;
  IkSolution seven_solution(const RedundantArm& arm, const Transform<double>& X_world_tool, const SevenSolution& found,
                            int number) const;
  void find_nearest(const Transform<double>& X_world_tool, const IkChoice& choice, IkSolutions& out) const;
  std::optional<IkBranch> straightened(const Transform<double>& X_world_tool, std::span<const double> near,
                                       const IkBranch& branch) const;
  JointRates joint_rates(const IkBranch& branch, const ToolMotion& motion) const;
  PathStart branch_start(const ToolPath& path, const IkChoice& choice) const;

  std::optional<Robot> kept_;  // whose model it is, where a robot was given
  const Model<double>* model_;
  IkTask task_;
  Frame<double> tool_, carrier_;  // carrier: the frame that the closed form moves, else the tool
  std::unique_ptr<ArmSolver> arm_;
  std::unique_ptr<TurningArm> described_;  // beside a form of snapped geometry: the robot as described
  Faults refusal_, not_special_;         // why there is no closed form; why none of special geometry
  Transform<double> X_carrier_tool_;
  struct Made;
  std::unique_ptr<Made> made_;  // forms that are made when they are asked for
  std::unique_ptr<GeneralSolver> general_;
  std::unique_ptr<FrameRates> rates_;
};

}  // namespace torsor
