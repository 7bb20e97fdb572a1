// torsor terms ROBOT: every term of the equations of motion at a state,
//   M(q) qdd + C(q, qd) qd + g(q) + friction(q, qd) + loads = tau
#include <fmt/format.h>

#include "cli/deliver.hpp"
#include "cli/load_arguments.hpp"
#include "cli/robot_argument.hpp"
#include "cli/state_report.hpp"
#include "torsor/report/loop_summary.hpp"
#include "torsor/report/terms_result.hpp"

namespace torsor {
namespace {

struct TermsArguments {
  RobotArgument robot;
  StateArguments state;
  LoadArguments loads;
  PrintArguments print;
};

/// Rows of force and moment, under the names of their joints.
TextTable reaction_table(std::string title, const std::vector<ReactionResult>& rows, const PrintArguments& print) {
  TextTable table{std::move(title), {column("joint", "", print)}};
  for (const char* name : {"fx", "fy", "fz"}) table.columns.push_back(column(name, "N", print));
  for (const char* name : {"nx", "ny", "nz"}) table.columns.push_back(column(name, "N m", print));
  for (const ReactionResult& row : rows) {
    const auto& [n, f] = row.on;
    table.add({row.joint ? *row.joint : *row.loop, f.x, f.y, f.z, n.x, n.y, n.z});
  }
  return without_noise(std::move(table));
}

constexpr const char* reactions_of_the_tree =
    "exerted on each link through its joint, at the joint's frame and along its axes (z is the joint's axis)";
const std::vector<std::string> jacobian_rows = {"wx", "wy", "wz", "vx", "vy", "vz"};

void describe_tree(Report& report, const TermsResult& r, const State& s, const Loads& loads,
                   const PrintArguments& print) {
  const Terms& t = r.terms;
  const Model<double>& model = r.state.model;
  const std::vector<std::string>& names = model.velocity_names;
  const auto number = [&print](double x) { return format_number(x, print.significant()); };
  const auto vector = [&number](const Vec3<double>& u) {
    const std::vector<double> clean = without_noise(std::vector{u.x, u.y, u.z});
    return fmt::format("({}, {}, {})", number(clean[0]), number(clean[1]), number(clean[2]));
  };
  std::vector<Quantity> quantities = {
      {"qd", s.qd, 1}, {"qdd", s.qdd, 2}, {"C qd", t.C_qd}, {"gravity", t.gravity}, {"friction", t.friction}};
  if (!nothing_acts(loads)) quantities.push_back({"loads", t.load});
  quantities.insert(quantities.end(), {{"bias", t.bias}, {"tau", t.tau}});
  report.section("Torques").table(state_table(
      "tau = M qdd + bias, bias = C qd + gravity + friction" + std::string(nothing_acts(loads) ? "" : " + loads"),
      model, s, std::move(quantities), print));

  ReportSection& matrices = report.section("Matrices");
  matrices.table(matrix_table("mass matrix M, rotors included", t.M, names, names, print));
  std::string pivots;
  for (const double d : t.pivots) pivots += " " + number(d);
  matrices.text(fmt::format(
      "pivots of M = L D L^T:{}\n{}", pivots,
      t.bad_pivot < 0 ? "all positive: M is positive definite"
                      : fmt::format("M is singular: with those before it, \"{}\" can move without moving any mass",
                                    names[t.bad_pivot])));
  matrices.table(matrix_table(
      "Coriolis matrix C (dM/dt - 2C is skew; of Christoffel symbols where joints have one degree of freedom)", t.C,
      names, names, print));

  ReportSection& whole = report.section("The robot as a whole");
  whole.text(fmt::format(
      "kinetic energy    {} J (rotors included)\npotential energy  {} J (zero at the world's origin)\nmass             "
      " {} kg\nmass centre       {} m",
      number(t.energy.kinetic), number(t.energy.potential), number(t.energy.mass), vector(r.mass_centre())));
  whole.text(fmt::format("momentum          {} kg m/s\nangular momentum  {} kg m²/s, about the world's origin",
                         vector(t.energy.momentum.f), vector(t.energy.momentum.n)));
  if (!rests(loads.base)) whole.text("energies and momentum are those seen from the base");
  report.section("Joint reactions").table(reaction_table(reactions_of_the_tree, r.reactions(), print));

  ReportSection& jacobians = report.section("Tool");
  jacobians.text(fmt::format("\"{}\" is at {} m in the world", r.tool, vector(t.X_world_tool.p)));
  jacobians.table(matrix_table("Jacobian J: (w; v) = J qd, in the world", t.J, jacobian_rows, names, print));
  jacobians.table(matrix_table("its rate", t.Jd, jacobian_rows, names, print));
}

void describe_loops(Report& report, const TermsResult& r, const State& s, const PrintArguments& print) {
  const Terms& t = r.terms;
  const Model<double>& model = r.state.model;
  const std::vector<std::string>& names = model.velocity_names;
  report.section("Torques").table(state_table("tau = M qdd + bias, at the independent joints", model, s,
                                              {{"qd", s.qd, 1},
                                               {"qdd", s.qdd, 2},
                                               {"C qd", t.C_qd},
                                               {"gravity", t.gravity},
                                               {"friction", t.friction},
                                               {"loads", t.load},
                                               {"bias", t.bias},
                                               {"tau", t.tau}},
                                              print));
  ReportSection& matrices = report.section("Matrices");
  matrices.table(matrix_table("mass matrix M, rotors included", t.M, names, names, print));
  matrices.table(matrix_table("Coriolis matrix C (dM/dt - 2C is skew)", t.C, names, names, print));
  ReportSection& whole = report.section("The robot as a whole");
  whole.text(fmt::format("kinetic energy {} J, potential energy {} J, mass {} kg; loops closed to {:.1e} m or rad",
                         format_number(t.energy.kinetic, print.significant()),
                         format_number(t.energy.potential, print.significant()),
                         format_number(t.energy.mass, print.significant()), r.closure_error));

  ReportSection& reactions = report.section("Joint reactions");
  const std::vector<ReactionResult> joints = r.reactions(), loops = r.loop_reactions();
  reactions.table(reaction_table(reactions_of_the_tree, joints, print));
  reactions.table(reaction_table(
      "exerted on the second link of each loop by the joint that closes it, in its frame there", loops, print));
  std::vector<std::string> open;
  for (const auto* rows : {&joints, &loops})
    for (const ReactionResult& row : *rows)
      if (!*row.unique) open.push_back(row.joint ? *row.joint : *row.loop);
  if (!open.empty())
    reactions.text(fmt::format("not unique, since equations of the loops are redundant: {}; the least are given",
                               fmt::join(open, ", ")));
  report.section("Tool").table(matrix_table(fmt::format("Jacobian of \"{}\": (w; v) = J qd, in the world", r.tool), t.J,
                                            jacobian_rows, names, print));
}

}  // namespace

int terms_verb(Arguments arguments) {
  TermsArguments a;
  Options options("terms",
                  "Every term of M qdd + C qd + gravity + friction + loads = tau at a state; energies, momentum, joint "
                  "reactions, and the Jacobian of the tool with its rate.");
  a.robot.add_to(options, ToolMeans::frame);
  options.group("State");
  a.state.add_position_to(options);
  a.state.add_rates_to(options);
  a.loads.add_to(options);
  a.print.add_to(options);
  options.example("puma560 --q \"0 45 180 0 45 0\" --qd \"10 20 30 10 20 30\" --degrees", "on the screen")
      .example("two_link --q random --seed 7 --json", "for another program");
  if (const auto code = options.parse(arguments)) return *code;
  a.print.degrees = a.state.degrees;

  a.robot.loops = true;
  const auto robot = read_robot(a.robot, RobotUse::dynamics);
  if (!robot) return complain(robot.faults(), exit_bad_input);
  Faults errors = check_loads(a.loads);
  const auto tool = find_tool(*robot, a.robot.chain.tool, errors);
  const auto state = read_state(*robot, a.state);
  collect(state, errors);
  if (!errors.empty()) return complain(errors, exit_bad_input);
  const LoadedRobot loaded = apply_loads(a.loads, *tool, *robot);
  const Robot& moved = loaded.robot;
  const Model<double>& model = moved.coordinates();

  Dynamics dynamics(moved, {.questions = Questions::all_but_forward});
  dynamics.set_loads(loaded.loads);
  if (moved.loops()) {
    std::vector<double> tau(static_cast<std::size_t>(model.nv));
    if (const auto fault = loop_fault(moved, dynamics.inverse(state->q, state->qd, state->qdd, tau)))
      return complain({*fault}, exit_impossible);
    if (errors = check_finite(tau, model.velocity_names, "tau"); !errors.empty())
      return complain(errors, exit_impossible);
  }
  const TermsResult result{{model, state->q, state->qd, loaded.sentences, a.print.degrees},
                           state->qdd,
                           moved,
                           tool->name,
                           terms(dynamics, state->q, state->qd, state->qdd, *tool),
                           moved.loops() ? dynamics.closure_error() : 0};
  if (errors = check_finite(result.terms.tau, model.velocity_names, "tau"); !errors.empty())
    return complain(errors, exit_impossible);
  if (a.print.json) return print_result(result);
  Report report = state_report("equations of motion at a state", model, *state, loaded.sentences, a.print);
  if (moved.loops())
    describe_loops(report, result, *state, a.print);
  else
    describe_tree(report, result, *state, loaded.loads, a.print);
  print_report(report, std::cout);
  return finish_standard_output();
}

}  // namespace torsor
