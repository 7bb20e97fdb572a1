#include "cli/tool_arguments.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <span>

#include "torsor/closed_form_ik/arm_solver.hpp"
#include "torsor/closed_form_ik/branch_label.hpp"
#include "torsor/model/dh.hpp"
#include "torsor/numeric_ik/secondary_aim.hpp"
#include "torsor/spatial/quaternion.hpp"
#include "torsor/how_many.hpp"
#include "torsor/numeric_ik/ik_result.hpp"
#include "torsor/numeric_ik/plan_path.hpp"
#include "torsor/text/text_table.hpp"
#include "torsor/trajectory/tool_path.hpp"

namespace torsor {
namespace {

using List = std::vector<double>;

constexpr double frame_tolerance = 1e-6, unit_tolerance = 1e-3;

Vec3<double> vector_at(const List& list, std::size_t first) { return {list[first], list[first + 1], list[first + 2]}; }

double radians(double x, bool degrees) { return degrees ? x / 180 * std::numbers::pi : x; }

Fault pose_error(std::string what, std::string remedy) {
  return {{}, "--pose", "option-value", std::move(what), std::move(remedy)};
}

/// Rows of a matrix: three of four numbers, or four of which the last is 0 0 0 1.
Result<Transform<double>> from_rows(const List& x) {
  if (x.size() == 16 && (x[12] != 0 || x[13] != 0 || x[14] != 0 || x[15] != 1))
    return pose_error("the last row of the matrix is not 0 0 0 1", "give the matrix row by row");
  Transform<double> X;
  X.R = {{x[0], x[4], x[8]}, {x[1], x[5], x[9]}, {x[2], x[6], x[10]}};
  X.p = {x[3], x[7], x[11]};
  double error = 0;
  const Mat3<double> E = ~X.R * X.R - Mat3<double>::identity();
  for (const Vec3<double>& column : {E.x, E.y, E.z})
    for (const double e : {column.x, column.y, column.z}) error = std::max(error, std::abs(e));
  if (!(error <= frame_tolerance))
    return pose_error(fmt::format("its axes are off by {:.1e} from those of a frame", error),
                      "give unit, mutually perpendicular axes, with more digits if these are rounded");
  if (dot(cross(X.R.x, X.R.y), X.R.z) < 0)
    return pose_error("its axes are left-handed, a reflection", "turn one axis round");
  return X;
}

Result<Transform<double>> read_pose_list(const List& x, bool degrees) {
  Transform<double> X;
  switch (x.size()) {
    case 6:
      X.p = vector_at(x, 0);
      X.R = exact_rotation_rpy({radians(x[3], degrees), radians(x[4], degrees), radians(x[5], degrees)});
      return X;
    case 7: {
      X.p = vector_at(x, 0);
      const double length = std::sqrt(x[3] * x[3] + x[4] * x[4] + x[5] * x[5] + x[6] * x[6]);
      if (!(std::abs(length - 1) <= unit_tolerance))
        return pose_error(fmt::format("the quaternion has length {:.6g}", length),
                          "give one of length one, the scalar e0 first");
      X.R = rotation(normalized(Quaternion<double>{x[3], x[4], x[5], x[6]}));
      return X;
    }
    case 12:
    case 16: return from_rows(x);
    default:
      return count_error("--pose", x.size(), "6, 7, 12 or 16",
                         "x y z roll pitch yaw; x y z e0 e1 e2 e3; or a 3x4 or 4x4 matrix row by row");
  }
}

Result<Motion<double>> read_motion_list(const std::string& option, const std::string& text, bool degrees) {
  const auto list = parse_angles(text, option, degrees, [](std::size_t k, std::size_t) { return k < 3; });
  if (!list) return list.faults();
  if (list->size() != 6)
    return count_error(option, list->size(), "6", "turning and moving, in the world: wx wy wz vx vy vz");
  Motion<double> motion{vector_at(*list, 0), vector_at(*list, 3)};
  motion.w = {radians(motion.w.x, degrees), radians(motion.w.y, degrees), radians(motion.w.z, degrees)};
  return motion;
}

Fault branch_fault(const SolutionChoice& choice, const char* rule, std::string what, std::string remedy) {
  return {{}, fmt::format("--branch \"{}\"", choice.branch_text), rule, std::move(what), std::move(remedy)};
}

/// Why the aim has nothing to choose from: as many joints as components of the pose that count, or fewer.
Faults check_aim(const InverseKinematics& solver) {
  if (!solver.task().aim || solver.joints() > solver.components()) return {};
  return {fault_of(fmt::format("--aim {}", solver.task().aim->name), "option-mode",
                   fmt::format("{} joints for {} components of the pose leave nothing to choose", solver.joints(),
                       solver.components()),
                   "--position-only or --free-turn leave something, and so do arms of more joints")};
}

/// Why an arm has no such labels: signs of shoulder and elbow where it has roots, a root where it has none.
Faults check_label(const SolutionChoice& choice, const ArmSolver& arm) {
  const BranchLabel& label = *choice.wanted.branch;
  if (arm.has_roots() && (label.shoulder != 0 || label.elbow != 0))
    return {branch_fault(choice, "ik-branch",
                         "this arm has no shoulder and elbow to choose: its positions are numbered roots",
                         "write a root and the sign of the wrist: \"1 +\"; or the wrist alone: \"0 0 +\"")};
  if (!arm.has_roots() && label.root != 0)
    return {branch_fault(choice, "ik-branch", "this arm has no numbered roots: its branches are distinguished by signs",
                         "write the signs of shoulder, elbow and wrist: \"+ - +\", 0 for either")};
  return {};
}

}  // namespace

void ToolArguments::add_to(Options& options) {
  options
      .text("--pose", "LIST", pose,
            "of the tool in the world: x y z roll pitch yaw (metres, radians), or x y z e0 e1 e2 e3, or a 3x4 or 4x4 "
            "matrix row by row")
      .text("--velocity", "LIST", velocity,
            "wx wy wz vx vy vz of the tool in the world, rad/s and m/s: joint velocities, too")
      .text("--acceleration", "LIST", acceleration, "wdx wdy wdz ax ay az: joint accelerations, too")
      .flag("--degrees", degrees,
            "angles are in degrees, their rates in degrees per second: in the lists, in the answer, and "
            "in roll, pitch, yaw of a CSV path whose columns name no unit");
}

Result<CartesianState> read_tool_motion(const ToolArguments& a) {
  CartesianState state;
  Faults errors;
  if (a.pose) {
    const auto is_angle = [](std::size_t k, std::size_t count) { return count == 6 && k >= 3; };
    const auto list = parse_angles(*a.pose, "--pose", a.degrees, is_angle);
    collect(list, errors);
    if (list) {
      const auto X = read_pose_list(*list, a.degrees);
      collect(X, errors);
      if (X) state.X = *X;
    }
  }
  const auto rates = [&](const char* option, const std::optional<std::string>& text, Motion<double>& into) {
    if (!text) return;
    const auto motion = read_motion_list(option, *text, a.degrees);
    collect(motion, errors);
    if (motion) into = *motion;
  };
  rates("--velocity", a.velocity, state.twist);
  rates("--acceleration", a.acceleration, state.acceleration);
  if (!errors.empty()) return errors;
  return state;
}

void SolutionArguments::add_to(Options& options, bool own_degrees) {
  options.group("Which solution")
      .text("--branch", "SIGNS", branch,
            "signs of shoulder, elbow and wrist, \"+ - +\", 0 for either; or a root and the sign of the wrist, \"2 +\"")
      .text("--q", "LIST", near.q,
            "the solution nearest to these joint positions, of those inside the limits if there are any; the general "
            "solver starts here; or zero; or random");
  if (own_degrees)
    options.flag("--degrees", near.degrees,
                 "angles are in degrees, their rates in degrees per second: in --q, in a CSV file of joint positions "
                 "whose columns "
                 "name no unit or of the tool's roll, pitch, yaw, and in the answer");
  options.text("--plan", "OBJECTIVE", plan,
               "along a path: the best way of all solutions to its end: shortest, limits (far from them), singularity "
               "(far from it); of seven joints the redundancy is planned along the whole path")
      .one_of({"shortest", "limits", "singularity"});
  options.flag("--position-only", position_only, "only where the tool's origin is counts, not how the tool is turned")
      .text("--free-turn", "AXIS", free_turn,
            "the turn about this axis of the tool is free: x, y or z (drills, pens, arms of five joints)")
      .one_of({"x", "y", "z"})
      .text("--aim", "NAME", aim,
            "what joints to spare strive for: near (--q, or the start), centre (of the limits), manipulability")
      .one_of({"near", "centre", "manipulability"})
      .whole("--seed", 0, 1LL << 53, near.seed, "of the general solver's draws, and of --q random; default 1")
      .group("Options");
}

Result<SolutionChoice> read_solution(const SolutionArguments& a) {
  SolutionChoice choice;
  Faults errors;
  refuse_if(a.branch && a.near.q, "--q", "with --branch", errors);
  refuse_if(a.position_only && a.free_turn, "--free-turn", "with --position-only: every turn is free", errors);
  refuse_if(a.branch && (a.position_only || a.free_turn), "--branch",
            "where not all of the pose counts: branches belong to a whole pose", errors);
  if (a.branch) {
    choice.branch_text = *a.branch;
    choice.wanted.branch = parse_label(*a.branch);
    if (!choice.wanted.branch)
      errors.push_back(branch_fault(choice, "option-value", "is no branch",
                                    "write the signs of shoulder, elbow and wrist: \"+ - +\", 0 for either; or a root "
                                    "and the sign of the wrist: \"2 +\""));
  }
  refuse_if(a.plan && (a.branch || a.near.q), "--plan", "with --branch or --q: it chooses the start itself", errors);
  refuse_if(a.plan && (a.position_only || a.free_turn || a.aim), "--plan",
            "where not all of the pose counts, or with --aim", errors);
  if (a.plan) {
    choice.plan = a.plan;
    std::vector<std::string_view> names;
    for (const PlanObjective& objective : plan_objectives()) names.push_back(objective.name);
    if (std::ranges::find(names, *a.plan) == names.end())
      errors.push_back({{},
                        fmt::format("--plan \"{}\"", printable(*a.plan)),
                        "option-value",
                        "there is no such objective",
                        fmt::format("write one of {}", fmt::join(names, ", "))});
  }
  if (a.position_only) choice.task.weights = TaskWeights::position();
  if (a.free_turn) {
    Vec3<double>& turn = choice.task.weights.turn;
    if (*a.free_turn == "x" || *a.free_turn == "y" || *a.free_turn == "z")
      (*a.free_turn == "x" ? turn.x : *a.free_turn == "y" ? turn.y : turn.z) = 0;
    else
      errors.push_back(fault_of(fmt::format("--free-turn \"{}\"", *a.free_turn), "option-value",
                                "is no axis of the tool", "write x, y or z"));
  }
  if (a.aim) {
    choice.task.aim = find_aim(*a.aim);
    std::vector<std::string_view> names;
    for (const SecondaryAim& aim : secondary_aims()) names.push_back(aim.name);
    if (!choice.task.aim)
      errors.push_back(fault_of(fmt::format("--aim \"{}\"", *a.aim), "option-value", "there is no such aim",
                                fmt::format("write one of {}", fmt::join(names, ", "))));
  }
  if (a.near.seed) choice.task.seed = static_cast<std::uint64_t>(*a.near.seed);
  if (!errors.empty()) return errors;
  return choice;
}

Result<std::optional<std::vector<double>>> read_near(const SolutionArguments& a, const Model<double>& model) {
  if (!a.near.q) return std::optional<std::vector<double>>();
  StateArguments near = a.near;
  if (near.q != "random") near.seed.reset();  // it is that of the draws
  const auto state = read_state(model, near);
  if (!state) return state.faults();
  return std::optional(state->q);
}

Faults check_solution(const SolutionArguments& a, const SolutionChoice& choice, const InverseKinematics& solver) {
  Faults errors = check_aim(solver);
  if (choice.wanted.branch && solver.closed())
    for (const Fault& error : check_label(choice, *solver.closed())) errors.push_back(error);
  refuse_if(a.near.seed && a.near.q != "random" && solver.closed(), "--seed",
            "where nothing is drawn: the arm has a closed form, and --q is not random", errors);
  return errors;
}

namespace {

/// Where nothing is said of the start and the usual one does not go to the end: the shortest way of all that do, if there is one.
std::optional<std::vector<double>> other_start(const InverseKinematics& solver, ToolPath& path,
                                               const SolutionChoice& choice, const std::vector<double>& start) {
  if (choice.wanted.branch || choice.wanted.near || path.start || choice.task.aim ||
      (!solver.gives_all() && !solver.chooses_redundancy()))
    return std::nullopt;
  const FollowedPath usual = solver.follow(path, start);
  if (usual.finished()) return std::nullopt;
  const PathPlan plan = plan_path(solver, path, "shortest");
  if (!plan.found()) return std::nullopt;
  note(fmt::format("from the usual start the path is {}; {} goes to the end and is taken, as by --plan shortest",
                   explanation(usual, solver.model()), plan.candidates[static_cast<std::size_t>(plan.best)].name));
  return plan.begin(path);
}

}  // namespace

Result<std::vector<double>> read_start(const InverseKinematics& solver, ToolPath& path,
                                       const SolutionChoice& choice) {
  if (choice.plan) {
    if (!solver.gives_all() && !solver.chooses_redundancy()) return solver.refusal();
    PathPlan plan = plan_path(solver, path, *choice.plan);
    if (!plan.found())
      return Fault{{path.name, 0},
                   "",
                   "path-stop",
                   explanation(plan),
                   "another path may do, or without --plan as far as it goes"};
    const PathCandidate& best = plan.candidates[static_cast<std::size_t>(plan.best)];
    const auto finished = std::ranges::count_if(plan.candidates, [](const PathCandidate& one) { return one.finished; });
    note(fmt::format("of {} of the first pose {} to the end; {} is taken: {} {}",
                     how_many(static_cast<long long>(plan.candidates.size()),
                              plan.guide ? "piece of the solutions" : "solution",
                              plan.guide ? "pieces of the solutions" : "solutions"),
                     finished == 1 ? std::string("one goes") : fmt::format("{} go", finished), best.name, *choice.plan,
                     format_number(std::abs(best.cost), 4)));
    if (!plan.within_speeds)
      note("every way that was found passes a speed limit on it: the time can be scaled (--scale velocity)");
    return plan.begin(path);
  }
  PathStart start = solver.start(path, choice.wanted);
  switch (start.status) {
    case PathStart::Status::chosen: break;
    case PathStart::Status::no_labels:
      return fault_of("--branch", "ik-branch",
                      fmt::format("{} has no closed form whose branches had names: {}", solver.model().name,
                          solver.refusal().front().what), "give joint positions near the branch with --q");
    case PathStart::Status::no_such_branch:
      return branch_fault(choice, "ik-branch", "the first pose has no such branch",
                          "torsor ik ROBOT --pose ... --all shows those that it has");
    case PathStart::Status::outside_limits:
      return branch_fault(
          choice, "ik-limits",
          fmt::format("at the first pose {}", explanation(start.branch, *solver.closed(), solver.model())),
          "torsor ik ROBOT --pose ... shows the branches inside the limits");
  }
  if (auto other = other_start(solver, path, choice, start.q)) return *std::move(other);
  return std::move(start.q);
}

int complain_of_request(const Faults& errors) {
  const bool robot = std::all_of(errors.begin(), errors.end(), [](const Fault& error) {
    return error.rule == "ik-branch" || error.rule == "ik-limits" || error.rule == "path-stop" ||
           error.rule == "motion-limit" || error.rule == "motion-scale" || error.rule == "scaling-coordinates";
  });
  return complain(errors, robot ? exit_impossible : exit_bad_input);
}

}  // namespace torsor
