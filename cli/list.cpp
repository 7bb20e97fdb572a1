// torsor list: the robots inside the program, and the formulations of their dynamics.
#include <fmt/format.h>

#include <iostream>

#include "cli/files.hpp"
#include "cli/deliver.hpp"
#include "cli/print.hpp"
#include "cli/robot_argument.hpp"
#include "cli/robot_descriptions.hpp"
#include "torsor/report/robot_summary.hpp"
#include "torsor/closed_form_ik/formulation_rows.hpp"
#include "torsor/files/embedded_robots.hpp"
#include "torsor/text/result_json.hpp"
#include "torsor/text/result_table.hpp"

namespace torsor {
namespace {

int list_formulations(bool as_json) {
  const std::vector<FormulationRow> rows = formulation_rows();
  if (as_json) return print_result(rows);
  std::cout << to_text(table_of<FormulationRow>("", rows,
                                                {"question",
                                                 "name",
                                                 "frames",
                                                 "prismatic",
                                                 "trees",
                                                 "moving_base",
                                                 "tip_load",
                                                 {"complexity", "order"},
                                                 "source"}));
  return finish_standard_output();
}

}  // namespace

int list_verb(Arguments arguments) {
  bool json = false, formulations = false, all = false;
  Options options("list",
                  "The robots inside the program: name, joints (R revolute, P prismatic, H helical, E planar, S "
                  "spherical, F free), source. Or the formulations of dynamics, by question.");
  options.flag("--formulations", formulations, "the formulations: what each is written in, can do and costs")
      .flag("--all", all, "those of the Python package robot_descriptions, too, where it is installed")
      .flag("--json", json, "the answer as JSON on standard output")
      .example("", "the table")
      .example("--formulations", "Newton-Euler, Lagrange, d'Alembert, Kane, ...")
      .example("--all", "and some 200 more, fetched when first used: torsor show robot_descriptions:ur5e")
      .example("--json", "for another program");
  if (const auto code = options.parse(arguments)) return *code;
  if (formulations) return list_formulations(json);

  TextTable table{"", {{"name"}, {"joints"}, {"robot"}, {"source"}}};
  JsonWriter writer(std::cout);
  Faults errors;
  if (json) writer.begin_array();
  std::vector<EmbeddedRobot> robots(embedded_robots().begin(), embedded_robots().end());
  robots.insert(robots.end(), embedded_robots_with_loops().begin(), embedded_robots_with_loops().end());
  for (const EmbeddedRobot& embedded : robots) {
    const std::string name(embedded.name);
    // doubts about its numbers are for those who use it
    const auto robot = read_unchecked(name);
    // one bad file does not hide the others
    if (!robot) {
      errors.insert(errors.end(), robot.faults().begin(), robot.faults().end());
      continue;
    }
    const std::string joints = joints_of(*robot) + (robot->loops() ? " in loops" : "");
    if (json)
      writer.begin_object()
          .field("name", name)
          .field("joints", joints)
          .field("coordinates", robot->nv())
          .field("robot", robot->name())
          .field("source", robot->description().source)
          .end_object();
    table.add({name, joints, robot->name(), robot->description().source});
  }
  if (all) {
    const auto described = described_robots();
    for (const Fault& fault : described.faults()) note(to_string(fault));
    if (described)
      for (const DescribedRobot& robot : *described) {
        if (json)
          writer.begin_object()
              .field("name", robot.name)
              .field("format", robot.format)
              .field("maker", robot.maker)
              .field("fetched", robot.fetched)
              .end_object();
        table.add({robot.name, std::string(), robot.maker,
                   fmt::format("robot_descriptions, {}{}", robot.format, robot.fetched ? ", fetched" : "")});
      }
  }
  if (json)
    writer.end_array();
  else
    std::cout << to_text(table);
  const int code = json ? finish_json(writer) : finish_standard_output();
  return code != exit_done || errors.empty() ? code : complain(errors, exit_bad_input);
}

}  // namespace torsor
