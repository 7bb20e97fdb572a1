// torsor terms ROBOT: every term of the equations of motion at a state,
//   M(q) qdd + C(q, qd) qd + g(q) + friction(q, qd) + loads = tau
#include <fmt/format.h>

#include <iostream>

#include "cli/files.hpp"
#include "cli/load_arguments.hpp"
#include "cli/robot_argument.hpp"
#include "cli/state_report.hpp"
#include "torsor/fast/terms.hpp"
#include "torsor/report/loop_summary.hpp"

namespace torsor {
namespace {

struct TermsArguments {
  RobotArgument robot;
  StateArguments state;
  LoadArguments loads;
  PrintArguments print;
};

Vec3<double> centre(const Energy<double>& e) { return e.mass == 0 ? Vec3<double>{} : e.first_moment * (1 / e.mass); }

/// What torques and energy are made of, with loops or without.
void write_parts(JsonWriter& json, const Terms& t) {
  matrix_field(json, "C", t.C, t.tau.size());
  field(json, "C_qd", t.C_qd);
  field(json, "gravity_efforts", t.gravity);
  field(json, "friction", t.friction);
  field(json, "load_efforts", t.load);
  field(json, "bias", t.bias);
  field(json, "tau", t.tau);
  json.field("kinetic_energy", t.energy.kinetic)
      .field("potential_energy", t.energy.potential)
      .field("mass", t.energy.mass);
  field(json, "mass_centre", centre(t.energy));
}

void reaction_fields(JsonWriter& json, const Force<double>& f) {
  field(json, "force", f.f);
  field(json, "moment", f.n);
}

/// Rows of force and moment, under their names.
TextTable reaction_table(std::string title, const PrintArguments& print) {
  TextTable table{std::move(title), {column("joint", "", print)}};
  for (const char* name : {"fx", "fy", "fz"}) table.columns.push_back(column(name, "N", print));
  for (const char* name : {"nx", "ny", "nz"}) table.columns.push_back(column(name, "N m", print));
  return table;
}

constexpr const char* reactions_of_the_tree =
    "exerted on each link through its joint, at the joint's frame and along its axes (z is the joint's axis)";

int print_json(const Model<double>& model, const State& s, const LoadedRobot& loaded, const Frame<double>& tool,
               const Terms& t, const PrintArguments& print) {
  const auto n = static_cast<std::size_t>(model.nv);
  JsonWriter json(std::cout);
  json.begin_object();
  state_fields(json, model, s, loaded.sentences, print);
  rate_field(json, "qdd", s.qdd, model, print);
  matrix_field(json, "M", t.M, n);
  field(json, "M_pivots", t.pivots);
  json.field("M_positive_definite", t.bad_pivot < 0);
  write_parts(json, t);
  field(json, "momentum", t.energy.momentum.f);
  field(json, "angular_momentum", t.energy.momentum.n);
  json.key("reactions").begin_array();
  for (int i = 0; i < model.size(); ++i) {
    json.begin_object().field("link", model.link_names[i]).field("joint", model.joint_names[i]);
    reaction_fields(json, t.reactions[i]);
    json.end_object();
  }
  json.end_array().field("tool", tool.name);
  json.key("tool_pose").begin_object();
  pose_fields(json, t.X_world_tool, print.degrees);
  json.end_object();
  matrix_field(json, "jacobian", t.J, n);
  matrix_field(json, "jacobian_rate", t.Jd, n);
  json.end_object();
  return finish_json(json);
}

int print_text(const Model<double>& model, const State& s, const LoadedRobot& loaded, const Frame<double>& tool,
               const Terms& t, const PrintArguments& print) {
  const std::vector<std::string>& names = model.velocity_names;
  const auto number = [&print](double x) { return format_number(x, print.significant()); };
  const auto vector = [&number](const Vec3<double>& u) {
    const std::vector<double> clean = without_noise(std::vector{u.x, u.y, u.z});
    const Vec3<double> v{clean[0], clean[1], clean[2]};
    return fmt::format("({}, {}, {})", number(v.x), number(v.y), number(v.z));
  };
  Report report = state_report("equations of motion at a state", model, s, loaded.sentences, print);

  ReportSection& torques = report.section("Torques");
  std::vector<Quantity> quantities;
  if (plain_coordinates(model)) quantities.push_back({"q", s.q, 0});
  quantities.insert(
      quantities.end(),
      {{"qd", s.qd, 1}, {"qdd", s.qdd, 2}, {"C qd", t.C_qd}, {"gravity", t.gravity}, {"friction", t.friction}});
  if (!nothing_acts(loaded.loads)) quantities.push_back({"loads", t.load});
  quantities.insert(quantities.end(), {{"bias", t.bias}, {"tau", t.tau}});
  torques.table(coordinate_table("tau = M qdd + bias, bias = C qd + gravity + friction" +
                                     std::string(nothing_acts(loaded.loads) ? "" : " + loads"),
                                 model, quantities, print));

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
      number(t.energy.kinetic), number(t.energy.potential), number(t.energy.mass), vector(centre(t.energy))));
  whole.text(fmt::format("momentum          {} kg m/s\nangular momentum  {} kg m²/s, about the world's origin",
                         vector(t.energy.momentum.f), vector(t.energy.momentum.n)));
  if (!rests(loaded.loads.base)) whole.text("energies and momentum are those seen from the base");

  TextTable reactions = reaction_table(reactions_of_the_tree, print);
  for (int i = 0; i < model.size(); ++i) {
    const Force<double>& f = t.reactions[i];
    reactions.add({model.joint_names[i], f.f.x, f.f.y, f.f.z, f.n.x, f.n.y, f.n.z});
  }
  report.section("Joint reactions").table(without_noise(std::move(reactions)));

  ReportSection& jacobians = report.section("Tool");
  const std::vector<std::string> rows = {"wx", "wy", "wz", "vx", "vy", "vz"};
  jacobians.text(fmt::format("\"{}\" is at {} m in the world", tool.name, vector(t.X_world_tool.p)));
  jacobians.table(matrix_table("Jacobian J: (w; v) = J qd, in the world", t.J, rows, names, print));
  jacobians.table(matrix_table("its rate", t.Jd, rows, names, print));
  print_report(report, std::cout);
  return finish_standard_output();
}

void loop_reaction_fields(JsonWriter& json, const Robot& robot, const Terms& t) {
  const Model<double>& tree = robot.tree();
  json.key("reactions").begin_array();
  for (int i = 0; i < tree.size(); ++i) {
    json.begin_object().field("link", tree.link_names[i]).field("joint", tree.joint_names[i]);
    reaction_fields(json, t.reactions[i]);
    json.field("unique", t.unique[i] != 0).end_object();
  }
  json.end_array().key("loop_reactions").begin_array();
  for (std::size_t l = 0; l < t.loop_reactions.size(); ++l) {
    json.begin_object().field("loop", robot.description().loops[l].name);
    reaction_fields(json, t.loop_reactions[l]);
    json.field("unique", t.unique[t.reactions.size() + l] != 0).end_object();
  }
  json.end_array();
}

void add_loop_reactions(ReportSection& section, const Robot& robot, const Terms& t, const PrintArguments& print) {
  const Model<double>& tree = robot.tree();
  TextTable joints = reaction_table(reactions_of_the_tree, print);
  TextTable loops = reaction_table("exerted on the second link of each loop by the joint that closes it, in its frame there", print);
  std::vector<std::string> open;
  for (int i = 0; i < tree.size(); ++i) {
    const Force<double>& f = t.reactions[i];
    joints.add({tree.joint_names[i], f.f.x, f.f.y, f.f.z, f.n.x, f.n.y, f.n.z});
    if (t.unique[i] == 0) open.push_back(tree.joint_names[i]);
  }
  for (std::size_t l = 0; l < t.loop_reactions.size(); ++l) {
    const Force<double>& f = t.loop_reactions[l];
    const std::string& name = robot.description().loops[l].name;
    loops.add({name, f.f.x, f.f.y, f.f.z, f.n.x, f.n.y, f.n.z});
    if (t.unique[t.reactions.size() + l] == 0) open.push_back(name);
  }
  section.table(without_noise(std::move(joints)));
  section.table(without_noise(std::move(loops)));
  if (!open.empty())
    section.text(fmt::format("not unique, since equations of the loops are redundant: {}; the least are given",
                             fmt::join(open, ", ")));
}

/// Of a robot with loops: the terms in its independent coordinates.
int loop_terms(const LoadedRobot& loaded, const State& s, const Frame<double>& tool, const PrintArguments& print) {
  const Model<double>& model = loaded.robot.coordinates();
  const auto n = static_cast<std::size_t>(model.nv);
  Dynamics dynamics(loaded.robot);
  dynamics.set_loads(loaded.loads);
  std::vector<double> tau(n);
  if (const auto fault = loop_fault(loaded.robot, dynamics.inverse(s.q, s.qd, s.qdd, tau)))
    return complain({*fault}, exit_impossible);
  if (const Faults errors = check_finite(tau, model.velocity_names, "tau"); !errors.empty())
    return complain(errors, exit_impossible);
  const Terms t = terms(dynamics, s.q, s.qd, s.qdd, tool);
  if (print.json) {
    JsonWriter json(std::cout);
    json.begin_object();
    state_fields(json, model, s, loaded.sentences, print);
    rate_field(json, "qdd", s.qdd, model, print);
    matrix_field(json, "M", t.M, n);
    write_parts(json, t);
    json.field("tool", tool.name).key("tool_pose").begin_object();
    pose_fields(json, t.X_world_tool, print.degrees);
    json.end_object();
    matrix_field(json, "jacobian", t.J, n);
    json.field("closure_error", dynamics.closure_error());
    loop_reaction_fields(json, loaded.robot, t);
    json.end_object();
    return finish_json(json);
  }
  Report report = state_report("equations of motion at a state", model, s, loaded.sentences, print);
  std::vector<Quantity> quantities;
  if (plain_coordinates(model)) quantities.push_back({"q", s.q, 0});
  quantities.insert(quantities.end(), {{"qd", s.qd, 1},
                                       {"qdd", s.qdd, 2},
                                       {"C qd", t.C_qd},
                                       {"gravity", t.gravity},
                                       {"friction", t.friction},
                                       {"loads", t.load},
                                       {"bias", t.bias},
                                       {"tau", t.tau}});
  report.section("Torques").table(
      coordinate_table("tau = M qdd + bias, at the independent joints", model, quantities, print));
  const std::vector<std::string>& names = model.velocity_names;
  ReportSection& matrices = report.section("Matrices");
  matrices.table(matrix_table("mass matrix M, rotors included", t.M, names, names, print));
  matrices.table(matrix_table("Coriolis matrix C (dM/dt - 2C is skew)", t.C, names, names, print));
  ReportSection& whole = report.section("The robot as a whole");
  whole.text(fmt::format("kinetic energy {} J, potential energy {} J, mass {} kg; loops closed to {:.1e} m or rad",
                         format_number(t.energy.kinetic, print.significant()),
                         format_number(t.energy.potential, print.significant()),
                         format_number(t.energy.mass, print.significant()), dynamics.closure_error()));
  add_loop_reactions(report.section("Joint reactions"), loaded.robot, t, print);
  const std::vector<std::string> rows = {"wx", "wy", "wz", "vx", "vy", "vz"};
  report.section("Tool").table(
      matrix_table(fmt::format("Jacobian of \"{}\": (w; v) = J qd, in the world", tool.name), t.J, rows, names, print));
  print_report(report, std::cout);
  return finish_standard_output();
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
  if (loaded.robot.loops()) return loop_terms(loaded, *state, *tool, a.print);
  const Model<double>& model = loaded.robot.model();

  Dynamics dynamics(loaded.robot, {.questions = Questions::all_but_forward});
  dynamics.set_loads(loaded.loads);
  const Terms t = terms(dynamics, state->q, state->qd, state->qdd, *tool);
  errors = check_finite(t.tau, model.velocity_names, "tau");
  if (!errors.empty()) return complain(errors, exit_impossible);
  return a.print.json ? print_json(model, *state, loaded, *tool, t, a.print)
                      : print_text(model, *state, loaded, *tool, t, a.print);
}

}  // namespace torsor
