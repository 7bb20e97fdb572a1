// torsor list: the robots inside the program.
#include <iostream>

#include "cli/files.hpp"
#include "cli/print.hpp"
#include "cli/robot_summary.hpp"
#include "torsor/io/embedded_robots.hpp"

namespace torsor {

int list_verb(Arguments arguments) {
  bool json = false;
  Options options("list",
                  "The robots inside the program: name, joints (R revolute, P prismatic, H helical, E planar, S "
                  "spherical, F free), source.");
  options.flag("--json", json, "the answer as JSON on standard output")
      .example("", "the table")
      .example("--json", "for another program");
  if (const auto code = options.parse(arguments)) return *code;

  TextTable table{"", {{"name"}, {"joints"}, {"robot"}, {"source"}}, {}};
  JsonWriter writer(std::cout);
  Errors errors;
  if (json) writer.begin_array();
  for (const EmbeddedRobot& embedded : embedded_robots()) {
    const std::string name(embedded.name);
    // doubts about its numbers are for those who use it
    const auto robot = read_unchecked(name);
    // one bad file does not hide the others
    if (!robot) {
      errors.insert(errors.end(), robot.errors().begin(), robot.errors().end());
      continue;
    }
    const std::string joints = joints_of(*robot);
    if (json)
      writer.begin_object()
          .field("name", name)
          .field("joints", joints)
          .field("coordinates", robot->model.nv)
          .field("robot", robot->model.name)
          .field("source", robot->description.source)
          .end_object();
    table.add({name, joints, robot->model.name, robot->description.source});
  }
  if (json)
    writer.end_array();
  else
    std::cout << to_text(table);
  const int code = json ? finish_json(writer) : finish_standard_output();
  return code != exit_done || errors.empty() ? code : complain(errors, exit_bad_input);
}

}  // namespace torsor
