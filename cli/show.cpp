// torsor show ROBOT: what a robot file says, as the algorithms understand it.

#include <cmath>
#include <iostream>
#include <sstream>

#include "cli/files.hpp"
#include "cli/print.hpp"
#include "cli/robot_argument.hpp"
#include "cli/state_arguments.hpp"
#include "torsor/model/coordinate_kind.hpp"
#include "torsor/report/coordinate_table.hpp"
#include "torsor/report/loop_summary.hpp"
#include "torsor/report/robot_summary.hpp"
#include "torsor/report/stick_figure.hpp"
#include "torsor/model/transmission.hpp"

namespace torsor {
namespace {

void limit_field(JsonWriter& json, const char* name, double limit) {
  if (std::isfinite(limit)) json.field(name, limit);
}

void inertia_fields(JsonWriter& json, const Inertia<double>& J) {
  const Sym3<double> I = tensor_about_centre(J);
  json.field("mass", J.m);
  field(json, "mass_centre", mass_centre(J));
  field(json, "inertia_about_mass_centre", std::vector{I.xx, I.yy, I.zz, I.xy, I.xz, I.yz});
}

void link_fields(JsonWriter& json, const Robot& robot, int i, bool degrees) {
  const Model<double>& m = robot.tree();
  const Body<double>& b = m[i];
  json.begin_object().field("link", m.link_names[i]).field("joint", m.joint_names[i]).field("kind", row(b.kind).name);
  json.field("parent", b.parent < 0 ? robot.description().base_name : m.link_names[b.parent]);
  if (b.nv == 1 && m.velocity_names[b.v] != m.joint_names[i])
    json.key("mimic")
        .begin_object()
        .field("joint", m.velocity_names[b.v])
        .field("ratio", b.ratio)
        .field("offset", in_unit(b.offset, kind_of_joint(b), degrees))
        .end_object();
  else if (b.nv > 0) {
    const Limits& limits = m.limits[b.v];
    const auto shown = [degrees, kind = velocity_kinds(m)[static_cast<std::size_t>(b.v)]](double x) {
      return in_unit(x, kind, degrees);
    };
    limit_field(json, "lower", shown(limits.lower));
    limit_field(json, "upper", shown(limits.upper));
    limit_field(json, "velocity", shown(limits.velocity));
    limit_field(json, "effort", limits.effort);
    limit_field(json, "acceleration", shown(limits.acceleration));
    limit_field(json, "deceleration", shown(limits.deceleration));
    limit_field(json, "jerk", shown(limits.jerk));
  }
  inertia_fields(json, inverse(b.link) * b.inertia);
  json.end_object();
}

// torques as in the file: a row for each position, or one list over the speed alone
void friction_table_field(JsonWriter& json, const FrictionTable<double>& table) {
  json.key("table").begin_object();
  field(json, "q", table.q);
  field(json, "qd", table.qd);
  if (table.q.empty())
    field(json, "effort", table.values);
  else
    matrix_field(json, "effort", table.values, table.qd.size());
  json.end_object();
}

/// reach: none of a robot with loops, which does not reach what its tree does.
void write_json(JsonWriter& json, const Robot& robot, const Frame<double>& tool, const std::optional<Reach>& reach,
                bool degrees) {
  const Description& d = robot.description();
  const Model<double>& m = robot.tree();
  json.begin_object().field("robot", m.name).field("source", d.source).field("joints", joints_of(robot));
  field(json, "position_names", robot.coordinates().position_names);
  field(json, "velocity_names", robot.coordinates().velocity_names);
  if (robot.loops()) field(json, "loops", loop_sentences(robot));
  field(json, "gravity", m.gravity);
  angle_unit_field(json, degrees);
  json.key("base").begin_object().field("name", d.base_name);
  pose_fields(json, m.base, degrees);
  if (!d.base_parts.empty()) inertia_fields(json, inertia_of(d.base_parts));
  json.end_object().key("links").begin_array();
  for (int i = 0; i < links_of(robot); ++i) link_fields(json, robot, i, degrees);
  json.end_array().key("rotor_bodies").begin_array();
  for (int i = links_of(robot); i < m.size(); ++i) link_fields(json, robot, i, degrees);
  json.end_array();

  if (d.convention != Convention::placement) {
    json.key("dh")
        .begin_object()
        .field("convention", d.convention == Convention::standard_dh ? "standard" : "modified")
        .key("rows")
        .begin_array();
    for (const LinkDescription& link : d.links)
      if (const auto* dh = std::get_if<DhRow>(&link.geometry))
        json.begin_object()
            .field("joint", link.joint_name)
            .field("theta", in_unit(dh->theta, CoordinateKind::angle, degrees))
            .field("d", dh->d)
            .field("a", dh->a)
            .field("alpha", in_unit(dh->alpha, CoordinateKind::angle, degrees))
            .end_object();
    json.end_array().end_object();
  }
  json.key("transmissions").begin_array();
  for (const Transmission& t : m.transmissions) {
    std::vector<std::string> joints;
    for (const int dof : t.dofs) joints.push_back(m.velocity_names[dof]);
    json.begin_object();
    field(json, "joints", joints);
    field(json, "motors", t.motors);
    matrix_field(json, "matrix", t.matrix, t.dofs.size());
    json.end_object();
  }
  json.end_array().key("friction").begin_array();
  for (const auto& [body, law] : m.friction) {
    json.begin_object()
        .field("joint", m.joint_names[body])
        .field("viscous", law.viscous)
        .field("coulomb_positive", law.coulomb_positive)
        .field("coulomb_negative", law.coulomb_negative);
    if (law.stribeck_velocity > 0)
      json.field("breakaway_positive", law.breakaway_positive)
          .field("breakaway_negative", law.breakaway_negative)
          .field("stribeck_velocity", law.stribeck_velocity);
    if (!law.table.values.empty()) friction_table_field(json, law.table);
    json.field("text", friction_text(law)).end_object();
  }
  json.end_array();
  field(json, "rotor_at_joint", m.rotor);
  json.key("tools").begin_array();
  for (const Frame<double>& frame : m.frames) json.value(frame.name);
  json.end_array().field("total_mass", total_mass(robot));
  if (reach) {
    json.key("reach").begin_object().field("tool", tool.name);
    if (std::isfinite(reach->bound)) {
      json.field("bound", reach->bound).field("found", reach->found).field("cut_short", reach->cut_short);
      field(json, "at", in_units(reach->q, position_kinds(m), degrees));
    } else {
      json.field("bound", nullptr);
    }
    json.end_object();
  }
  json.end_object();
}

/// Numbers that follow from the file and are not finite. All that is shown is in the answer as JSON, which remembers
/// them.
Faults not_finite_in(const Robot& robot, const Frame<double>& tool, const std::optional<Reach>& reach) {
  std::ostringstream nowhere;
  JsonWriter json(nowhere);
  write_json(json, robot, tool, reach, false);
  Faults errors;
  for (const std::string& sentence : json.first_non_finite())
    errors.push_back({{robot.description().file, 0},
                      "",
                      "not-finite",
                      sentence,
                      "numbers of the robot are too large or too small"});
  return errors;
}

/// What is to be seen of a robot with loops: its links and how they move, no reach and no figure.
int show_loops(const Robot& robot, const RobotArgument& argument, const PrintArguments& print) {
  const auto tool = find_tool(robot, argument.chain.tool);
  if (!tool) return complain(tool.faults(), exit_bad_input);
  if (const Faults errors = not_finite_in(robot, *tool, std::nullopt); !errors.empty())
    return complain(errors, exit_impossible);
  if (print.json) {
    JsonWriter json(std::cout);
    write_json(json, robot, *tool, std::nullopt, print.degrees);
    return finish_json(json);
  }
  Report report{robot.name(), ""};
  describe_robot(report, robot, print);
  print_report(report, std::cout);
  return finish_standard_output();
}

// nothing, or the exit code with the fault printed
std::optional<int> draw(const Model<double>& model, const State& state, const std::string& path) {
  OutputFile file(path);
  if (file.faults().empty()) write_stick_figure(model, state.q, file.stream());
  if (file.finish()) return std::nullopt;
  return complain(file.faults(), exit_not_written);
}

}  // namespace

int show_verb(Arguments arguments) {
  RobotArgument argument;
  PrintArguments print;
  StateArguments where;
  std::optional<std::string> html, svg;
  Options options("show", "A robot: kinematic tree, limits, DH table, masses and inertias, drives, friction, reach.");
  argument.add_to(options, ToolMeans::frame);
  options.writes("--html", "FILE", html, "write it as a page, too; - for standard output alone")
      .writes("--svg", "FILE", svg, "draw it as a stick figure, too; - for standard output alone");
  print.add_to(options);
  options.group("Figure");
  where.add_position_to(options);
  options.example("puma560", "a built-in robot")
      .example("my_arm.toml --html my_arm.html", "a robot file, on the screen and as a page")
      .example("puma560 --svg puma560.svg --q \"20 45 -120 0 30 0\" --degrees", "its figure at a position");
  if (const auto code = options.parse(arguments)) return *code;

  Faults misplaced;
  print.degrees = where.degrees;
  for (const std::string& name : where.given())
    refuse_if(!svg && !html && name != "--degrees", name, "without --svg or --html", misplaced);
  refuse_if(html == "-" && svg == "-", "--svg -", "while the page goes to standard output, too", misplaced);
  refuse_if(html == "-" && print.json, "--json", "while the page goes to standard output, too", misplaced);
  refuse_if(svg == "-" && print.json, "--json", "while the figure goes to standard output, too", misplaced);
  if (!misplaced.empty()) return complain(misplaced, exit_bad_input);
  argument.loops = true;
  const auto robot = read_robot(argument);
  if (!robot) return complain(robot.faults(), exit_bad_input);
  if (robot->loops()) {
    refuse_if(html.has_value(), "--html", "of a robot with loops: its figure is not drawn yet", misplaced);
    refuse_if(svg.has_value(), "--svg", "of a robot with loops: its figure is not drawn yet", misplaced);
    if (!misplaced.empty()) return complain(misplaced, exit_bad_input);
    return show_loops(*robot, argument, print);
  }
  if (!where.q) where.q = "zero";
  const auto state = read_state(robot->model(), where);
  const auto tool = find_tool(*robot, argument.chain.tool);
  Faults errors = state.faults();
  collect(tool, errors);
  if (!errors.empty()) return complain(errors, exit_bad_input);

  if (svg)
    if (const auto code = draw(robot->model(), *state, *svg)) return *code;
  if (svg == "-" && !html) return exit_done;
  const Reach farthest = reach(robot->model(), *tool);
  if (errors = not_finite_in(*robot, *tool, farthest); !errors.empty()) return complain(errors, exit_impossible);
  std::optional<std::span<const double>> figure_at;
  if (html) figure_at = state->q;
  Report report = robot_report(*robot, *tool, farthest, figure_at, print);
  if (html)
    if (const auto code = write_page(report, *html)) return *code;
  if (html == "-" || svg == "-") return exit_done;
  if (print.json) {
    JsonWriter json(std::cout);
    write_json(json, *robot, *tool, farthest, print.degrees);
    return finish_json(json);
  }
  if (html) report.sections.pop_front();  // a picture is for the page
  print_report(report, std::cout);
  say_page(html);
  return finish_standard_output();
}

}  // namespace torsor
