// torsor ik ROBOT: joint positions, velocities and accelerations that move the tool as asked, for a pose or along a path.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iostream>
#include <numbers>

#include "cli/files.hpp"
#include "cli/ik_parallel.hpp"
#include "cli/ik_path.hpp"
#include "cli/motion_job.hpp"
#include "cli/print.hpp"
#include "cli/robot_argument.hpp"
#include "cli/state_report.hpp"
#include "cli/tool_arguments.hpp"
#include "torsor/closed_form_ik/redundant_arm.hpp"
#include "torsor/numeric_ik/general_solver.hpp"
#include "torsor/report/ik_report.hpp"
#include "torsor/report/robot_view.hpp"
#include "torsor/how_many.hpp"
#include "torsor/text/result_json.hpp"
#include "torsor/model/random_position.hpp"

namespace torsor {
namespace {

struct IkArguments {
  RobotArgument robot;
  ToolArguments goal;
  SolutionArguments solution;
  std::optional<std::string> page, poses;
  std::optional<long long> threads;
  PathArguments path;
  bool all = false, turns = false, explain = false, prove = false, feasible = false;
  std::optional<std::vector<double>> redundancy, swivel;  // one number each
  std::optional<std::string> redundant_joint, best;
  PrintArguments print;

  bool rates() const { return goal.velocity || goal.acceleration; }
  /// Whether the redundancy of seven joints is asked about.
  bool seven() const { return redundancy || swivel || feasible || best; }
};

/// The report on the screen (unless JSON was) and as a page, then the faults.
int finish(const IkArguments& a, const Report& report, const Faults& errors) {
  if (a.page)
    if (const auto code = write_page(report, *a.page)) return *code;
  if (!a.print.json && a.page != "-") {
    print_report(report, std::cout);
    say_page(a.page);
    if (const int code = finish_standard_output(); code != exit_done) return code;
  }
  return errors.empty() ? exit_done : complain(errors, exit_impossible);
}

/// The result as JSON, where that is asked for; the exit code so far.
template <class Result>
int print_result(const IkArguments& a, Result result, const Model<double>& model) {
  if (!a.print.json) return exit_done;
  show_in_units(result, model, a.print.degrees);
  JsonWriter json(std::cout);
  json.begin_object();
  write_fields(json, result);
  angle_unit_field(json, a.print.degrees);
  json.end_object();
  return finish_json(json);
}

/// Rates of a solution that are too large for numbers: then there is no answer.
void refuse_not_finite(const std::string& label, const RateRow& rates, Faults& errors) {
  const auto finite = [](const std::optional<std::vector<double>>& numbers) {
    return !numbers || std::ranges::all_of(*numbers, [](double x) { return std::isfinite(x); });
  };
  if (rates.velocity_status != status_name(RateStatus::not_finite) && finite(rates.qd) && finite(rates.qdd)) return;
  errors.push_back({{},
                    "--velocity or --acceleration",
                    "not-finite",
                    fmt::format("rates of the joints{} are too large for numbers",
                                label.empty() ? "" : fmt::format(", solution \"{}\",", label)),
                    "give metres, radians and seconds"});
}

/// What is wrong with a pose that no branch reaches.
Fault out_of_reach(const IkSolutions& answer, const InverseKinematics& solver) {
  if (answer.status == PoseStatus::not_a_pose)
    return fault_of("--pose", "ik-pose", "is no pose that could be reached: its numbers are beyond all measure",
                    "give metres and radians");
  if (answer.status == PoseStatus::orientation_unreachable && !solver.closed()->is_general())
    return fault_of("--pose", "ik-unreachable",
                    fmt::format("the wrist cannot rotate the tool so: {} rad are missing",
                        format_number(answer.short_by, 4)), "the nearest orientation is shown");
  if (solver.closed()->is_general())
    return fault_of("--pose", "ik-unreachable",
                    fmt::format("there is no solution; the nearest that was found is {} m and {} rad off",
                        format_number(answer.nearest->position_residual, 4),
                        format_number(answer.nearest->angle_residual, 4)), "it is shown");
  const Vec3<double> at = solver.tool_pose(answer.nearest->branch.q).p;
  const std::vector<double> p = without_noise(std::vector{at.x, at.y, at.z});
  // an oblique wrist may turn the tool so nowhere
  const bool is_turned = answer.nearest->angle_residual < 1e-9;
  const std::string missing =
      is_turned ? "" : fmt::format(", and no position turns the tool so: {} rad are missing",
                                   format_number(answer.nearest->angle_residual, 4));
  return fault_of("--pose", "ik-unreachable",
                  fmt::format("out of reach by {} m{}", format_number(answer.short_by, 4), missing),
                  fmt::format("the nearest{}{} is about {} {} {}", answer.nearest_is_least ? "" : " found", is_turned
                      ? " with this orientation" : "", format_number(p[0], 6), format_number(p[1], 6),
                      format_number(p[2], 6)));
}

/// What the stages found, and how many solutions there are for certain, where that is asked for.
void look_closer(const IkArguments& a, const InverseKinematics& solver, const CartesianState& goal,
                 const IkChoice& wanted, IkQuestion& question) {
  if (a.explain) question.stages = solver.explain(goal.X, wanted);
  if (a.prove) question.proof = solver.prove(goal.X, wanted);
}

void explain(const IkArguments& a, const IkQuestion& question, ReportSection& section) {
  if (question.proof) section.text(question.proof->sentence);
  if (!a.explain) return;
  for (const auto& sentences : {question.form, question.stages})
    for (const std::string& sentence : sentences) section.text(sentence);
}

/// A proof that has more than was found.
void check_proof(const IkQuestion& question, Faults& errors) {
  if (!question.proof || question.proof->missing.empty()) return;
  std::vector<std::string> all;
  for (const auto& q : question.proof->missing) all.push_back(fmt::format("{:.9g}", fmt::join(q, " ")));
  errors.push_back({{},
                    "--pose",
                    "ik-incomplete",
                    fmt::format("solutions that were proven are not shown: {}", fmt::join(all, "; ")),
                    "this is a fault of the program: report it with robot and pose"});
}

int ik_closed(const IkArguments& a, const InverseKinematics& solver, const CartesianState& goal,
              const SolutionChoice& choice) {
  const Model<double>& model = solver.model();
  IkChoice wanted = choice.wanted;
  wanted.outside_limits = a.all || wanted.branch || wanted.near;
  const IkSolutions answer = solver.solve(goal.X, wanted);
  IkResult result = ik_result(solver, goal, answer, a.rates(), a.turns);
  Faults errors;
  for (const IkBranchRow& row : result.branches) refuse_not_finite(row.sign, row.rates, errors);
  if (!errors.empty()) return complain(errors, exit_impossible);
  look_closer(a, solver, goal, wanted, result.question);
  check_proof(result.question, errors);
  const std::vector<IkBranchRow>& shown = result.branches;
  const int outside = answer.outside;
  if (answer.status != PoseStatus::solved)
    errors.push_back(out_of_reach(answer, solver));
  else if (shown.empty() && wanted.branch)
    errors.push_back(fault_of(fmt::format("--branch \"{}\"", choice.branch_text), "ik-branch",
                              "this pose has no such branch", "--all shows those that it has"));
  else if (shown.empty())
    errors.push_back(fault_of("--pose", "ik-limits",
                              fmt::format("all {} branches are outside the joint limits", outside),
                              "--all shows them"));

  if (const int code = print_result(a, result, model); code != exit_done) return code;
  Report report = closed_ik_report(solver, answer, result, {a.page.has_value(), a.rates(), a.turns}, a.print);
  explain(a, result.question, report.sections.back());
  return finish(a, report, errors);
}

/// A pose by the general solver: one answer with its status.
int ik_general(const IkArguments& a, const InverseKinematics& solver, const CartesianState& goal,
               const std::vector<double>& start) {
  const Model<double>& model = solver.model();
  const GeneralAnswer answer = solver.descend(goal.X, start);
  const std::vector<double> q(answer.q.begin(), answer.q.end());
  std::optional<ToolRates> rates;
  if (a.rates() && answer.solved()) rates = solver.rates(IkSolution{q}, goal);
  PoseSolution result = pose_solution(answer, rates);
  Faults errors;
  refuse_not_finite("", result.rates, errors);
  if (!errors.empty()) return complain(errors, exit_impossible);
  result.question = ik_question(model, solver.tool(), "general", goal.X);
  result.because = solver.gives_all() ? "its joints do not reach this pose" : solver.refusal().front().what;
  result.question.form = solver.explain();
  look_closer(a, solver, goal, {}, result.question);
  const auto fault = [&errors](const char* rule, std::string what, std::string remedy) {
    errors.push_back({{}, "--pose", rule, std::move(what), std::move(remedy)});
  };
  const auto number = [](double x) { return format_number(x, 4); };
  if (answer.status == GeneralStatus::not_a_pose)
    fault("ik-pose", "is no pose that could be reached: its numbers are beyond all measure", "give metres and radians");
  if (answer.status == GeneralStatus::outside_limits)
    fault("ik-limits",
          fmt::format("is reached only with \"{}\" {} beyond its limit",
                      model.velocity_names[static_cast<std::size_t>(answer.limit_joint)],
                      number(std::abs(answer.beyond_limit))),
          "what is shown ends at the limits; another start (--q) may help");
  if (answer.status == GeneralStatus::out_of_reach)
    fault("ik-unreachable",
          answer.short_by > 0
              ? fmt::format(
                    "{}{}: the nearest place found is {} m away{}; what is shown turns it as "
                    "asked as far as it can, and is {} m and {} rad off",
                    result.status,
                    answer.beyond_doubt ? " however the tool turns" : " as far as was found, however the tool turns",
                    number(answer.short_by),
                    answer.beyond_doubt ? fmt::format(", the arm is at least {} m too short", number(answer.at_least))
                                        : "",
                    number(answer.position_residual), number(answer.angle_residual))
              : fmt::format("{}, the place alone is not: what is shown is {} m and {} rad off", result.status,
                            number(answer.position_residual), number(answer.angle_residual)),
          "the nearest that was found is shown");

  if (const int code = print_result(a, result, model); code != exit_done) return code;
  Report report = numeric_ik_report(solver, answer, rates, result, a.page.has_value(), a.print);
  explain(a, result.question, report.sections.back());
  return finish(a, report, errors);
}

/// What is said of the redundancy of seven joints, for the robot; an exit code where that has no meaning.
std::optional<int> take_redundancy(const IkArguments& a, const InverseKinematics& solver, IkChoice& wanted) {
  if (!a.seven()) return std::nullopt;
  const Model<double>& model = solver.model();
  if (a.redundant_joint) {
    const auto chain = joint_chain(model, solver.tool());
    for (int k = 0; chain && k < chain->joints(); ++k)
      if (model.position_names[static_cast<std::size_t>(chain->coordinate[static_cast<std::size_t>(k)])] ==
          *a.redundant_joint)
        wanted.redundant_joint = k;
    if (!wanted.redundant_joint)
      return complain({{{}, fmt::format("--redundant-joint \"{}\"", printable(*a.redundant_joint)), "option-value",
                        "no joint of that name moves the tool", "torsor show names them"}},
                      exit_bad_input);
  }
  const Result<RedundantArm>& arm = solver.redundant(wanted.redundant_joint);
  if (!arm) return complain(arm.faults(), exit_impossible);
  const double angle = a.goal.degrees ? std::numbers::pi / 180 : 1;
  const bool slides = arm->chain().slides[static_cast<std::size_t>(arm->held())];
  if (a.redundancy) wanted.redundancy = a.redundancy->front() * (slides ? 1 : angle);
  if (a.swivel) wanted.swivel = a.swivel->front() * angle;
  return std::nullopt;
}

/// The solutions of fewer than six joints, or of seven at a value of the redundancy; its values that have any; the best of all.
int ik_list(const IkArguments& a, const InverseKinematics& solver, const CartesianState& goal, IkChoice wanted) {
  const Model<double>& model = solver.model();
  Faults errors;
  IkSolutions found;
  if (a.seven()) {
    if (const auto code = take_redundancy(a, solver, wanted)) return *code;
    if (a.swivel && !solver.redundant(wanted.redundant_joint)->swivel())
      return complain(solver.feasible_swivel(goal.X).faults(), exit_impossible);
  }
  wanted.outside_limits = a.all || wanted.near;
  if (!a.seven() || wanted.redundancy || wanted.swivel) found = solver.solve(goal.X, wanted);
  if (a.best) {
    const auto best =
        solver.best(goal.X, *a.best, wanted.near ? std::span<const double>(*wanted.near) : std::span<const double>(),
                    wanted.redundant_joint);
    if (!best) return complain(best.faults(), exit_bad_input);
    found.found.clear();
    if (*best) found.found.push_back(**best);
    found.count = static_cast<int>(found.size());
    if (found.empty()) found.status = PoseStatus::unreachable;
  }
  PoseSolutions result = pose_solutions(solver, goal, found, a.rates());
  for (const SolutionRow& row : result.solutions) refuse_not_finite(row.solution.label, row.rates, errors);
  if (!errors.empty()) return complain(errors, exit_impossible);
  look_closer(a, solver, goal, wanted, result.question);
  check_proof(result.question, errors);
  const bool seven = a.seven() || found.redundancy;
  if (seven) {
    result.redundant_joint = redundant_joint_name(solver, wanted.redundant_joint);
    result.swivel = wanted.swivel;
    if (a.feasible) {
      result.feasible = *solver.feasible(goal.X, true, wanted.redundant_joint);
      if (solver.redundant(wanted.redundant_joint)->swivel()) result.feasible_swivel = *solver.feasible_swivel(goal.X);
    }
  }
  const bool asked = !a.seven() || a.best || wanted.redundancy || wanted.swivel;
  if (asked && found.empty() && found.outside > 0)
    errors.push_back({{},
                      "--pose",
                      "ik-limits",
                      fmt::format("all {} solutions are outside the joint limits", found.outside),
                      "--all shows them"});
  else if (asked && found.empty())
    errors.push_back({{}, "--pose", "ik-unreachable",
                      a.best ? "no value of the redundancy has a solution inside the limits"
                             : "there is no solution at this value of the redundancy",
                      "--feasible shows the values that have solutions"});
  if (a.feasible && result.feasible.empty())
    errors.push_back(
        {{}, "--pose", "ik-unreachable", "no value of the redundancy has a solution inside the limits", ""});
  if (const int code = print_result(a, result, model); code != exit_done) return code;
  constexpr const char* other_values =
      " --redundancy holds it elsewhere, --feasible shows where, --best takes the best of all.";
  Report report = solutions_report(solver, found, result,
                                   {.figure = a.page.has_value(),
                                    .rates = a.rates(),
                                    .redundancy_is_ours = seven && !a.seven() ? other_values : nullptr},
                                   a.print);
  explain(a, result.question, report.sections.back());
  return finish(a, report, errors);
}

Faults check_mode(const IkArguments& a) {
  Faults errors;
  refuse_if(a.redundancy && a.swivel, "--swivel", "with --redundancy", errors);
  for (const auto& [name, list] : {std::pair{"--redundancy", &a.redundancy}, {"--swivel", &a.swivel}})
    if (*list && (*list)->size() != 1) errors.push_back(count_error(name, (*list)->size(), "1", "give one value"));
  refuse_if(a.best && (a.redundancy || a.swivel), "--best", "with a value of the redundancy", errors);
  refuse_if(a.redundant_joint && !a.seven(), "--redundant-joint", "without --redundancy, --feasible or --best", errors);
  refuse_if(a.seven() && a.path.input, "--redundancy, --swivel, --feasible or --best", "with --path", errors);
  refuse_if(a.seven() && a.solution.branch, "--branch", "with the redundancy of seven joints: solutions are numbered",
            errors);
  if (!a.goal.pose && !a.path.input && !a.poses)
    errors.push_back({{}, "--pose", "option-missing", "is missing",
                      "give --pose \"x y z roll pitch yaw\", many poses with --poses, or a path with --path"});
  refuse_if(a.poses && a.goal.pose, "--pose", "with --poses", errors);
  refuse_if(a.poses && a.path.input, "--path", "with --poses", errors);
  for (const auto& [name, is_given] :
       {std::pair{"--velocity", a.goal.velocity.has_value()}, {"--acceleration", a.goal.acceleration.has_value()},
        {"--turns", a.turns}, {"--explain", a.explain}, {"--prove", a.prove}, {"--feasible", a.feasible},
        {"--best", a.best.has_value()}, {"--swivel", a.swivel.has_value()}, {"--q", a.solution.near.q.has_value()},
        {"--aim", a.solution.aim.has_value()}, {"--html", a.page.has_value()}})
    refuse_if(a.poses && is_given, name, "with --poses", errors);
  refuse_if(!a.poses && a.threads, "--threads", "without --poses", errors);
  refuse_if(a.path.input && a.goal.pose, "--pose", "with --path", errors);
  refuse_if(a.path.input && a.goal.velocity, "--velocity", "with --path: the path has its own", errors);
  refuse_if(a.path.input && a.goal.acceleration, "--acceleration", "with --path: the path has its own", errors);
  refuse_if(a.path.input && a.turns, "--turns", "with --path", errors);
  refuse_if(a.path.input && a.explain, "--explain", "with --path", errors);
  refuse_if(a.path.input && a.prove, "--prove", "with --path", errors);
  refuse_if(a.all && a.solution.branch && !a.path.input, "--all", "with --branch", errors);
  refuse_if(!a.path.input && a.path.scale, "--scale", "without --path", errors);
  refuse_if(!a.path.input && a.solution.plan, "--plan", "without --path", errors);
  refuse_if(!a.path.input && !a.poses && a.path.output, "--output", "without --path or --poses", errors);
  refuse_if(!a.path.input && a.path.variant, "--variant", "without --path", errors);
  refuse_if(!a.path.input && a.path.sampling.any(), "--step or --rate", "without --path", errors);
  refuse_if(a.path.input == "-" && a.robot.name == "-", "--path -", "while the robot is read from standard input, too",
            errors);
  refuse_if(a.page == "-" && (a.print.json || (a.path.input && a.path.output.value_or("-") == "-")), "--html -",
            "while the rows or the JSON answer go to standard output, too", errors);
  return errors;
}

/// Of a robot with loops: a pose, and nothing that arms alone have.
int ik_of_loops(const IkArguments& a, const Robot& robot, const Transform<double>& X, const TaskWeights& weights) {
  Faults errors;
  const auto only = [&](bool given, const char* option) {
    if (given)
      errors.push_back(fault_of(option, "robot-loops", "it is not there for robots with loops", "give --pose alone"));
  };
  only(a.rates(), "--velocity or --acceleration");
  only(a.poses.has_value(), "--poses");
  only(a.path.input.has_value(), "--path");
  only(a.page.has_value(), "--html");
  only(a.turns || a.explain || a.prove, "--turns, --explain or --prove");
  only(a.seven() || a.redundant_joint, "--redundancy and the like");
  only(a.solution.branch || a.solution.aim || a.solution.plan || a.solution.near.q, "--branch, --q, --plan or --aim");
  const auto tool = find_tool(robot, a.robot.chain.tool, errors);
  if (!errors.empty()) return complain(errors, exit_bad_input);
  return ik_parallel(robot, *tool, X, weights, a.all, a.print);
}

}  // namespace

int ik_verb(Arguments arguments) {
  IkArguments a;
  Options options(
      "ik",
      "Inverse kinematics: the joint positions that put the tool at a pose, with velocities and accelerations "
      "if those of the tool are given. Arms with a closed form have up to eight branches, distinguished by the "
      "signs of shoulder, elbow and wrist; six joints of any other geometry up to sixteen solutions, numbered; fewer "
      "joints have "
      "theirs, and seven all of one value of the redundancy. Others are left to a general solver. Or the joints along "
      "a path. Parallel robots (loops) have every combination of what their legs have.");
  a.robot.add_to(options, ToolMeans::frame);
  options.group("Pose");
  a.goal.add_to(options);
  options
      .reads("--poses", "FILE", a.poses,
             "many poses, a table as --path reads it: every solution inside the limits (--all: or not) of each as a "
             "row of CSV (-o)")
      .flag("--all", a.all,
            "branches outside the joint limits, too, and by how much; along a path every branch, numbered in a column")
      .flag("--turns", a.turns, "every position of a branch that the limits allow, whole turns apart")
      .flag("--explain", a.explain,
            "which form solves the robot, why no other does, what it assumes, and what each stage found")
      .flag("--prove", a.prove, "proves how many solutions there are, limits or not, or says that it could not")
      .writes("--html", "FILE", a.page,
              "the answer as a page; of a path with joint curves and distances of every branch");
  a.solution.add_to(options, false);
  options.group("Seven joints")
      .numbers("--redundancy", "VALUE", a.redundancy, "all solutions with the redundant joint held there (rad, m)")
      .text("--redundant-joint", "NAME", a.redundant_joint, "the joint that is held; default: one that suits the arm")
      .numbers("--swivel", "ANGLE", a.swivel,
               "all solutions at a swivel angle, of a spherical shoulder, elbow and wrist")
      .flag("--feasible", a.feasible, "the values of the redundancy that have solutions inside the limits")
      .text("--best", "OBJECTIVE", a.best,
            "the best of all solutions: limits, distance (from --q), manipulability or torque")
      .one_of({"limits", "distance", "manipulability", "torque"})
      .group("Options");
  a.path.add_to(options);
  add_threads_to(options, a.threads);
  a.print.add_to(options);
  options.example("puma560 --poses poses.csv --all -o solutions.csv", "every solution of many poses")
      .example("puma560 --pose \"0.5 0.1 0.6 0 90 0\" --degrees --all", "all branches of a pose")
      .example("puma560 --pose \"0.5 0.1 0.6 0 1.2 0\" --branch \"+ + +\" --velocity \"0 0 0 0.1 0 0\"",
               "joint velocities of one of them")
      .example("puma560 --path line.csv -o motion.csv", "joints along a path")
      .example("puma560 --path line.toml --all --html line.html -o motion.csv", "every branch along it")
      .example("panda --pose \"0.4 0.1 0.5 3.1416 0 0\" --aim manipulability", "one solution, by descents")
      .example("panda --pose \"0.4 0.1 0.5 3.1416 0 0\"", "all solutions at a value of the redundancy")
      .example("panda --pose \"0.4 0.1 0.5 3.1416 0 0\" --redundancy 0.8 --all", "seven joints, one of them held")
      .example("panda --pose \"0.4 0.1 0.5 3.1416 0 0\" --feasible --best manipulability", "and where it can be held")
      .example("puma560 --pose \"0.5 0.1 0.6 0 1.2 0\" --free-turn z", "a tool that is round");
  if (const auto code = options.parse(arguments)) return *code;
  a.solution.near.degrees = a.print.degrees = a.goal.degrees;
  Faults errors = check_mode(a);
  const auto goal = read_tool_motion(a.goal);
  collect(goal, errors);
  auto choice = collected(read_solution(a.solution), errors);
  if (!errors.empty()) return complain(errors, exit_bad_input);

  a.robot.loops = true;
  const auto read = read_robot(a.robot);
  if (!read) return complain(read.faults(), exit_bad_input);
  if (read->loops()) return ik_of_loops(a, *read, goal->X, choice->task.weights);
  const Robot arm = chain_of_tool(*read, a.robot.chain, Followers::freeze);
  const Robot* const robot = &arm;
  const auto tool = find_tool(*robot, a.robot.chain.tool, errors);
  const auto near = read_near(a.solution, robot->model());
  collect(near, errors);
  if (!errors.empty()) return complain(errors, exit_bad_input);
  choice->wanted.near = *near;
  const InverseKinematics solver(robot->model(), robot->description(), *tool, choice->task);
  if (solver.closed())
    for (const Snap& snap : solver.closed()->snaps())
      note(fmt::format("{} (off by {})", snap.what, format_number(snap.residual, 3)));
  errors = check_solution(a.solution, *choice, solver);
  if (!errors.empty()) return complain_of_request(errors);
  if (a.poses) {
    IkChoice wanted = choice->wanted;
    wanted.outside_limits = a.all;
    if (const auto code = take_redundancy(a, solver, wanted)) return *code;
    return solve_into_csv({a.poses, a.path.output, static_cast<int>(a.threads.value_or(1))}, solver, wanted, a.print);
  }
  if (a.seven()) return ik_list(a, solver, *goal, choice->wanted);
  // whether there is a list of solutions: of fewer than six joints, or of seven with the redundancy chosen
  const bool is_list = !solver.closed() && !a.path.input && !choice->task.aim &&
                       !(choice->wanted.near && solver.joints() > 6) &&
                       (solver.gives_all() || solver.chooses_redundancy());
  // fewer joints than components that leave a choice nevertheless: one of the solutions
  const bool is_choice = !a.path.input && !choice->task.aim && solver.joints() < 6 && !is_list;
  if (!solver.closed() && (choice->wanted.branch || (a.all && !is_list && !is_choice) || a.turns))
    return complain({{{},
                      choice->wanted.branch ? "--branch"
                      : a.all               ? "--all"
                                            : "--turns",
                      "ik-branch",
                      fmt::format("{} has no closed form whose branches could be named: {}", robot->model().name,
                                  solver.refusal().front().what),
                      "the general solver finds one answer; --q says near what"}},
                    exit_impossible);
  if (a.path.input) return follow_into_csv(a.path, solver, *choice, {a.all, a.page, a.print});
  if (a.all && is_choice) note("--all: the joints leave a choice, as far as there is a solution; one is shown");
  if (is_list && (a.all || !solver.solve(goal->X, {.outside_limits = false}).empty())) {
    const IkSolutions all = solver.solve(goal->X);
    if (all.status == PoseStatus::solved && !all.empty()) return ik_list(a, solver, *goal, choice->wanted);
  }
  if (!solver.closed()) return ik_general(a, solver, *goal, near->value_or(neutral_position(robot->model())));
  return ik_closed(a, solver, *goal, *choice);
}

}  // namespace torsor
