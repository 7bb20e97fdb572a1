// Solutions of inverse kinematics as plain results: every branch of a pose with its status in words, or what descents found.
#pragma once

#include "torsor/closed_form_ik/redundant_arm.hpp"
#include "torsor/dynamics/snap_result.hpp"
#include "torsor/numeric_ik/general_solver.hpp"
#include "torsor/numeric_ik/inverse_kinematics.hpp"
#include "torsor/trajectory/cartesian.hpp"

namespace torsor {

/// Joint rates while the tool moves as asked.
struct RateRow {
  std::optional<std::vector<double>> qd, qdd;
  std::optional<std::string> velocity_status, acceleration_status;
};

constexpr auto fields(Of<RateRow>) {
  using R = RateRow;
  return field_list("RateRow", "Joint rates while the tool moves as asked.",
                    field("qd", "", "where the tool moves", &R::qd), field("qdd", "", "", &R::qdd),
                    field("velocity_status", "", "ok, near-singular, or what is missed", &R::velocity_status),
                    field("acceleration_status", "", "likewise", &R::acceleration_status));
}

/// A branch with all that is said of it.
struct IkBranchRow {
  IkBranch branch;
  std::string sign, label, explanation;
  std::optional<std::string> losses;
  double determinant = 0;
  std::vector<std::string> free;
  RateRow rates;
  std::vector<std::array<double, 6>> turns;
  int family_dimension = 0;
  std::vector<std::string> moves;
};

constexpr auto fields(Of<IkBranchRow>) {
  using B = IkBranchRow;
  return field_list(
      "IkBranch", "One joint position that puts the tool where it should be: its label, its status, its numbers.",
      field("branch", "", "as options have it: + - +", &B::sign),
      field("label", "", "the same in words: shoulder +, elbow -, wrist +", &B::label),
      field("shoulder", "", "+1, -1, or 0 where there is no choice",
            [](const B& b) { return b.branch.label.shoulder; }),
      field("elbow", "", "", [](const B& b) { return b.branch.label.elbow; }),
      field("wrist", "", "", [](const B& b) { return b.branch.label.wrist; }),
      field("root", "", "number of the solution where shoulder and elbow have no meaning, else 0",
            [](const B& b) { return b.branch.label.root; }),
      field("determinant_sign", "", "of the general form: sign of det J, beside the root; else 0",
            [](const B& b) { return b.branch.label.determinant; }),
      field("q", "", "joint positions, rad and m", [](const B& b) { return b.branch.q; }),
      field("status", "", "ok, near-singular, singular or outside limits", [](const B& b) { return b.branch.status; }),
      field("explanation", "", "of the status", &B::explanation),
      field("losses", "", "what a singular branch loses and what remains of it", &B::losses),
      field("inside_limits", "", "", [](const B& b) { return inside_limits(b.branch); }),
      field("beyond_limits", "", "how far each joint is beyond its limits, 0 inside",
            [](const B& b) { return b.branch.beyond_limits; }),
      field("determinant", "", "of the Jacobian", &B::determinant),
      field("factors", "", "of det J: shoulder, elbow, wrist; 1 far from singular, 0 there",
            [](const B& b) { return b.branch.factor; }),
      field("free", "", "joints that may have any value while the others follow", &B::free),
      field("family_dimension", "", "1: one of a curve of solutions, 2: of a surface; 0: alone", &B::family_dimension),
      field("moves", "", "joints that change along that curve", &B::moves),
      field("wrist_sign", "", "at a wrist singularity: 1 or -1, of the sum that is determined",
            [](const B& b) { return b.branch.wrist_sign; }),
      field("wrist_sum", "rad", "that sum",
            [](const B& b) { return b.branch.wrist_sign != 0 ? std::optional(b.branch.wrist_sum) : std::nullopt; }),
      field("position_residual", "m", "recomputed from q", [](const B& b) { return b.branch.position_residual; }),
      field("angle_residual", "rad", "", [](const B& b) { return b.branch.angle_residual; }), fields_of_part(&B::rates),
      field("turns", "", "positions that the limits allow, whole turns apart, where they are asked for", &B::turns));
}

constexpr auto fields(Of<IkProof>) {
  using P = IkProof;
  return field_list("IkProof", "Whether the number of solutions of a pose is certain.",
                    field("proven", "", "whether the count is", &P::proven),
                    field("count", "", "proven: exactly so many, limits or not", &P::count),
                    field("missing", "", "of them those that were not found, (nq,) each", &P::missing),
                    field("sentence", "", "the same in words", &P::sentence));
}

/// What was asked of a robot.
struct IkQuestion {
  std::string robot, tool, solver;
  std::vector<std::string> coordinates;
  Transform<double> pose;
  std::vector<std::string> form = {}, stages = {};
  std::optional<IkProof> proof = {};
};

constexpr auto fields(Of<IkQuestion>) {
  using Q = IkQuestion;
  return field_list(
      "IkQuestion", "A pose of a tool.", field("robot", "", "", &Q::robot), field("tool", "", "", &Q::tool),
      field("solver", "", "closed form or general", &Q::solver),
      field("coordinates", "", "names of the joint positions", &Q::coordinates),
      field("pose", "", "of the tool in the world", &Q::pose),
      field("form", "", "which form solves the robot, and why no other: sentences", &Q::form),
      field("stages", "", "what each of its stages found, where that is asked for: sentences", &Q::stages),
      field("proof", "", "of the number of solutions, where that is asked for", &Q::proof));
}

/// All branches of a pose.
struct IkResult {
  IkQuestion question;
  std::string family;
  PoseStatus status = PoseStatus::solved;
  std::vector<Snap> snaps;
  int branch_count = 0;
  std::vector<IkBranchRow> branches;
  std::optional<IkBranchRow> straightened, nearest;
  double short_by = 0;
  bool nearest_is_least = false;
};

constexpr auto fields(Of<IkResult>) {
  using A = IkResult;
  return field_list("IkAnswer", "Every joint position for one pose of the tool.", fields_of_part(&A::question),
                    field("family", "", "the closed form that solved it", &A::family),
                    field("status", "", "solved, unreachable, orientation unreachable or not a pose", &A::status),
                    field("snaps", "", "special geometry that was assumed and corrected for", &A::snaps),
                    field("branch_count", "", "of the pose in all", &A::branch_count),
                    field("branches", "", "at most eight, of the general form sixteen; none twice", &A::branches),
                    field("straightened", "", "of a nearly singular wrist: the member next to the joints asked for",
                          &A::straightened),
                    field("short_by", "m", "(or rad) to the nearest where the pose is unreachable", &A::short_by),
                    field("nearest_is_least", "", "whether that is proved to be the least", &A::nearest_is_least),
                    field("nearest", "", "unreachable: a branch that comes near", &A::nearest));
}

/// One of the solutions of an arm with fewer or more than six joints.
struct SolutionRow {
  IkSolution solution;
  RateRow rates;
  std::vector<std::string> moves;
};

constexpr auto fields(Of<SolutionRow>) {
  using S = SolutionRow;
  return field_list(
      "PoseSolutionRow", "One joint position that puts the tool where it should be.",
      field("label", "", "its number", [](const S& s) { return s.solution.label; }),
      field("q", "", "(nq,), rad and m", [](const S& s) { return s.solution.q; }),
      field("status", "", "ok, near-singular, singular or outside limits",
            [](const S& s) { return s.solution.status; }),
      field("inside_limits", "", "", [](const S& s) { return s.solution.inside_limits; }),
      field("position_residual", "m", "recomputed from q", [](const S& s) { return s.solution.position_residual; }),
      field("angle_residual", "rad", "", [](const S& s) { return s.solution.angle_residual; }),
      field("smallest_singular_value", "", "of the joints that are not held, lengths in units of the arm",
            [](const S& s) { return s.solution.smallest_singular_value; }),
      field("family_dimension", "", "1: one of a curve of solutions, 2: of a surface; 0: alone",
            [](const S& s) { return s.solution.family_dimension; }),
      field("moves", "", "joints that change along that curve", &S::moves), fields_of_part(&S::rates));
}

constexpr auto fields(Of<FeasibleInterval>) {
  return row_list("FeasibleInterval", "Values of the redundancy that have solutions.",
                  field("lower", "", "", &FeasibleInterval::from), field("upper", "", "", &FeasibleInterval::to));
}

/// All solutions of a pose of an arm with fewer than six joints, or of seven at a value of the redundancy.
struct PoseSolutions {
  IkQuestion question;
  PoseStatus status = PoseStatus::solved;
  std::optional<std::string> redundant_joint;
  std::optional<double> redundancy, swivel;
  int solution_count = 0;
  std::vector<SolutionRow> solutions;
  std::vector<FeasibleInterval> feasible, feasible_swivel;
};

constexpr auto fields(Of<PoseSolutions>) {
  using P = PoseSolutions;
  return field_list(
      "PoseSolutions", "All solutions of a pose of fewer than six joints, or of seven with one held.",
      fields_of_part(&P::question), field("status", "", "solved or unreachable", &P::status),
      field("redundant_joint", "", "the joint that is held, of seven", &P::redundant_joint),
      field("redundancy", "", "where it is held, rad or m", &P::redundancy),
      field("swivel", "rad", "the swivel angle, where that was asked for", &P::swivel),
      field("solution_count", "", "limits or not", &P::solution_count),
      field("solutions", "", "none twice", &P::solutions),
      field("feasible", "", "values of the redundancy with solutions inside the limits, where they are asked for",
            &P::feasible),
      field("feasible_swivel", "", "swivel angles likewise, where the arm has one", &P::feasible_swivel));
}

/// What descents found for a pose of any robot.
struct PoseSolution {
  IkQuestion question;
  std::string status, because;
  std::vector<double> q;
  RateRow rates;
  GeneralAnswer numbers;  // its q is the solver's
};

constexpr auto fields(Of<PoseSolution>) {
  using P = PoseSolution;
  return field_list(
      "PoseSolution", "What the general solver found for a pose.", fields_of_part(&P::question),
      field("status", "",
            "converged, singular, outside limits, out of reach, orientation out of reach, not a pose or not a task",
            &P::status),
      field("solved", "", "whether the frame is where it should be", [](const P& p) { return p.numbers.solved(); }),
      field("because", "", "why there is no closed form", &P::because), field("q", "", "(nq,)", &P::q),
      fields_of_part(&P::rates),
      field("position_residual", "m", "", [](const P& p) { return p.numbers.position_residual; }),
      field("angle_residual", "rad", "", [](const P& p) { return p.numbers.angle_residual; }),
      field("smallest_singular_value", "", "of the Jacobian, shifts in half arm lengths",
            [](const P& p) { return p.numbers.smallest_singular_value; }),
      field("manipulability", "", "sqrt det J J^T", [](const P& p) { return p.numbers.manipulability; }),
      field("short_by", "m", "that remain where it is out of reach", [](const P& p) { return p.numbers.short_by; }),
      field("at_least", "m", "by which the arm is too short for certain",
            [](const P& p) { return p.numbers.at_least; }),
      field("iterations", "", "steps of all descents", [](const P& p) { return p.numbers.iterations; }),
      field("restarts", "", "starts beside the given one", [](const P& p) { return p.numbers.restarts; }));
}

/// The status of a branch in words: `ok`; `near-singular: wrist 0.02`; `singular: wrist, only q4 + q6 = 1.2 is determined`.
std::string explanation(const IkBranch& branch, const ArmSolver& arm, const Model<double>& model);
/// Whether the tool moves as asked, of its velocity (order 1) or acceleration (2): `ok`, `near-singular`, `singular: ...`.
std::string explanation(const ToolRates& rates, int order);

/// "one of a curve of solutions, along which q4 and q6 change"; empty of a solution that stands alone.
std::string family_sentence(int dimension, const std::vector<std::string>& moves);

/// A solution of the closed form; moving: with the rates of the state.
IkBranchRow branch_row(const InverseKinematics& solver, const IkSolution& solution, const CartesianState& tool,
                       bool moving, bool turns = false);
/// All solutions of a closed form.
IkResult ik_result(const InverseKinematics& solver, const CartesianState& tool, const IkSolutions& found,
                   bool moving = false, bool turns = false);
/// Solutions of fewer or more than six joints; moving: with the rates of the state.
PoseSolutions pose_solutions(const InverseKinematics& solver, const CartesianState& tool, const IkSolutions& found,
                             bool moving);
/// The joint that is held, of seven: that one of the chain, or the one that suits the arm.
std::string redundant_joint_name(const InverseKinematics& solver, const std::optional<int>& joint = {});
/// What a descent to the pose of the state gave; rates where it moves.
PoseSolution pose_solution(const GeneralAnswer& answer, const std::optional<ToolRates>& rates = {});
IkQuestion ik_question(const Model<double>& model, const Frame<double>& tool, const char* solver,
                       const Transform<double>& pose);

}  // namespace torsor
