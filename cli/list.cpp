// torsor list: the robots inside the program, and the formulations of their dynamics.
#include <iostream>

#include "cli/files.hpp"
#include "cli/print.hpp"
#include "cli/robot_summary.hpp"
#include "torsor/dynamics/catalogue.hpp"
#include "torsor/ik/hand_catalogue.hpp"
#include "torsor/io/embedded_robots.hpp"

namespace torsor {
namespace {

/// The rows of one catalogue, into the table or the JSON array.
template <class Rows>
void list_rows(const char* question, const Rows& rows, TextTable& table, JsonWriter* json) {
  for (const auto& row : rows) {
    std::string frames = "tree";
    bool prismatic = true, trees = true, tip_load = true, moving_base = true;
    if constexpr (std::is_same_v<std::decay_t<decltype(row)>, HandFormulation<double>>) {
      // the other frames are those of a DH table
      frames = "standard DH";
      prismatic = trees = tip_load = moving_base = false;
    } else if constexpr (requires { row.can; }) {
      frames = row.frames == Frames::tree ? "tree" : row.frames == Frames::standard_dh ? "standard DH" : "modified DH";
      prismatic = row.can.prismatic;
      trees = row.can.trees;
      tip_load = row.can.tip_load;
      moving_base = row.can.moving_base;
    }
    const auto yes = [](bool can) { return std::string(can ? "yes" : "no"); };
    const std::string loads = moving_base ? tip_load ? "base, tip" : "base" : tip_load ? "tip" : "";
    table.add({std::string(question), std::string(row.name), frames, yes(prismatic), yes(trees), loads,
               std::string(row.complexity), std::string(row.source)});
    if (json)
      json->begin_object()
          .field("question", question)
          .field("name", row.name)
          .field("frames", frames)
          .field("prismatic", prismatic)
          .field("trees", trees)
          .field("moving_base", moving_base)
          .field("tip_load", tip_load)
          .field("complexity", row.complexity)
          .field("source", row.source)
          .end_object();
  }
}

int list_formulations(bool as_json) {
  TextTable table{"",
                  {{"question"}, {"name"}, {"frames"}, {"prismatic"}, {"trees"}, {"loads"}, {"order"}, {"source"}},
                  {}};
  JsonWriter json(std::cout);
  JsonWriter* writer = as_json ? &json : nullptr;
  if (as_json) json.begin_array();
  list_rows("inverse", inverse_formulations<double>(), table, writer);
  list_rows("coefficients", coefficients_formulations<double>(), table, writer);
  list_rows("christoffel", christoffel_formulations<double>(), table, writer);
  list_rows("mass", mass_formulations<double>(), table, writer);
  list_rows("gravity", gravity_formulations<double>(), table, writer);
  list_rows("forward", forward_formulations<double>, table, writer);
  list_rows("hand", hand_formulations<double>(), table, writer);
  if (as_json) {
    json.end_array();
    return finish_json(json);
  }
  std::cout << to_text(table);
  return finish_standard_output();
}

}  // namespace

int list_verb(Arguments arguments) {
  bool json = false, formulations = false;
  Options options("list",
                  "The robots inside the program: name, joints (R revolute, P prismatic, H helical, E planar, S "
                  "spherical, F free), source. Or the formulations of dynamics, by question.");
  options.flag("--formulations", formulations, "the formulations: what each is written in, can do and costs")
      .flag("--json", json, "the answer as JSON on standard output")
      .example("", "the table")
      .example("--formulations", "Newton-Euler, Lagrange, d'Alembert, Kane, ...")
      .example("--json", "for another program");
  if (const auto code = options.parse(arguments)) return *code;
  if (formulations) return list_formulations(json);

  TextTable table{"", {{"name"}, {"joints"}, {"robot"}, {"source"}}, {}};
  JsonWriter writer(std::cout);
  Faults errors;
  if (json) writer.begin_array();
  for (const EmbeddedRobot& embedded : embedded_robots()) {
    const std::string name(embedded.name);
    // doubts about its numbers are for those who use it
    const auto robot = read_unchecked(name);
    // one bad file does not hide the others
    if (!robot) {
      errors.insert(errors.end(), robot.faults().begin(), robot.faults().end());
      continue;
    }
    const std::string joints = joints_of(*robot);
    if (json)
      writer.begin_object()
          .field("name", name)
          .field("joints", joints)
          .field("coordinates", robot->model().nv)
          .field("robot", robot->model().name)
          .field("source", robot->description().source)
          .end_object();
    table.add({name, joints, robot->model().name, robot->description().source});
  }
  if (json)
    writer.end_array();
  else
    std::cout << to_text(table);
  const int code = json ? finish_json(writer) : finish_standard_output();
  return code != exit_done || errors.empty() ? code : complain(errors, exit_bad_input);
}

}  // namespace torsor
