// torsor convert ROBOT: one robot in another form: DH table, placements, URDF; with proof that its torques are the same.
#include <fmt/format.h>

#include <iostream>

#include "cli/files.hpp"
#include "cli/print.hpp"
#include "cli/robot_argument.hpp"
#include "torsor/dynamics/torque_difference.hpp"
#include "torsor/io/dh_table.hpp"
#include "torsor/io/robot_toml.hpp"
#include "torsor/io/robot_toml_writer.hpp"
#include "torsor/io/urdf_reader.hpp"
#include "torsor/io/urdf_writer.hpp"
#include "torsor/model/dh_chain.hpp"

namespace torsor {
namespace {

struct Converted {
  Description description;
  std::vector<Snap> snaps;
  double position_residual = 0, angle_residual = 0;
};

/// The geometry of the answer, by the word of --to.
Result<Converted> convert(const Description& robot, const std::string& to, const GeometryTolerance& tolerance) {
  if (to == "toml" || to == "urdf") return Converted{robot, {}};
  if (to == "placement") {
    auto placed = to_placements(robot);
    if (!placed) return placed.errors();
    return Converted{*std::move(placed), {}};
  }
  auto dh = to_dh(robot, to == "standard-dh" ? Convention::standard_dh : Convention::modified_dh, tolerance);
  if (!dh) return dh.errors();
  return Converted{std::move(dh->description), std::move(dh->snaps), dh->position_residual, dh->angle_residual};
}

std::string snap_line(const Snap& snap) {
  return fmt::format("{} (off by {:.2g} {})", snap.what, snap.residual, snap.is_angle ? "rad" : "m");
}

/// How far apart the torques are; of a robot file, of what a reader makes of it.
Result<double> proof(const Robot& robot, const Converted& converted, const std::string& form, const std::string& text) {
  Result<Description> back = text.empty()     ? Result<Description>(converted.description)
                             : form == "urdf" ? read_urdf(text, "the written URDF")
                                              : read_robot_toml(text, "the written file");
  if (!back) return back.errors();
  const auto model = build(*back);
  if (!model) return model.errors();
  if (model->velocity_names != robot.model.velocity_names)
    return Error{{},
                 robot.model.name,
                 "convert-names",
                 "its coordinates changed on the way",
                 "report this robot: it is a fault of this program"};
  // the comparison holds whole matrices; beyond this it would take longer than the conversion
  constexpr int comparable = 500;
  if (model->nv > comparable) return std::numeric_limits<double>::infinity();
  return torque_difference(robot.model, *model);
}

bool one_of(const std::string& word, std::initializer_list<const char*> words) {
  return std::find(words.begin(), words.end(), word) != words.end();
}

Error unknown_word(const std::string& option, const std::string& word, const std::string& allowed) {
  return {{}, option, "option-value", fmt::format("\"{}\" is no such form", word), "use " + allowed};
}

int print_json(const Converted& converted, double torque, const std::string& text) {
  JsonWriter json(std::cout);
  json.begin_object().field("robot", converted.description.name);
  json.key("snaps").begin_array();
  for (const Snap& snap : converted.snaps)
    json.begin_object()
        .field("what", snap.what)
        .field("residual", snap.residual)
        .field("unit", snap.is_angle ? "rad" : "m")
        .end_object();
  json.end_array();
  json.field("position_residual", converted.position_residual).field("angle_residual", converted.angle_residual);
  json.field("torque_difference", torque).field("text", text).end_object();
  return finish_json(json);
}

}  // namespace

int convert_verb(Arguments arguments) {
  RobotArgument robot_argument;
  std::optional<std::string> to, table, output;
  std::optional<std::vector<double>> angle, length;
  bool no_snap = false, json = false;
  Options options("convert",
                  "A robot in another form. The torques of both are compared over random states, and every special "
                  "geometry that was assumed (parallel, perpendicular, meeting axes) is told with how far the numbers "
                  "were from it.");
  robot_argument.add_to(options);
  options
      .text("--to", "FORM", to,
            "standard-dh, modified-dh, placement, urdf, or toml (the geometry as it is); default: by the ending of "
            "FILE, else toml")
      .text("-o,--output", "FILE", output, "where to write; - is standard output (default)")
      .text("--table", "STYLE", table, "only the DH table: text, markdown or latex")
      .flag("--no-snap", no_snap, "take the numbers as they are; nearly parallel axes get a fifth parameter")
      .numbers("--angle-tolerance", "RAD", angle, "largest angle to be snapped (1e-5)")
      .numbers("--length-tolerance", "M", length, "largest length to be snapped (1e-6)")
      .flag("--json", json, "snaps, residuals and the text as JSON on standard output")
      .example("puma560 --to modified-dh", "the other DH convention, as a robot file")
      .example("arm.urdf --to standard-dh --table markdown", "the DH table of a URDF")
      .example("puma560 -o puma560.urdf", "a URDF");
  if (const auto code = options.parse(arguments)) return *code;

  Errors errors;
  const auto ends_in = [&](std::string_view ending) { return output && output->ends_with(ending); };
  const std::string form = to ? *to : ends_in(".urdf") ? "urdf" : table ? "standard-dh" : "toml";
  if (!one_of(form, {"toml", "urdf", "placement", "standard-dh", "modified-dh"}))
    errors.push_back(unknown_word("--to", form, "standard-dh, modified-dh, placement, urdf or toml"));
  if (table && !one_of(*table, {"text", "markdown", "latex"}))
    errors.push_back(unknown_word("--table", *table, "text, markdown or latex"));
  if (table && !one_of(form, {"standard-dh", "modified-dh"}))
    errors.push_back(
        {{}, "--table", "option-value", "only a DH form has a table", "add --to standard-dh or --to modified-dh"});
  GeometryTolerance tolerance{.snap = !no_snap};
  for (const auto& [given, name, target] : {std::tuple{&angle, "--angle-tolerance", &tolerance.angle},
                                            std::tuple{&length, "--length-tolerance", &tolerance.length}})
    if (*given) {
      if ((*given)->size() == 1 && (*given)->front() >= 0)
        *target = (*given)->front();
      else
        errors.push_back({{},
                          name,
                          "option-value",
                          "it takes one number, zero or positive",
                          "for example " + std::string(name) + " 1e-4"});
    }
  refuse_if(json && output == "-", "--json", "while the robot goes to standard output, too", errors);
  if (!errors.empty()) return complain(errors, exit_bad_input);

  const auto robot = read_robot(robot_argument.name);
  if (!robot) return complain(robot.errors(), exit_bad_input);
  const auto converted = convert(robot->description, form, tolerance);
  if (!converted) return complain(converted.errors(), exit_bad_input);

  // the text
  std::string text;
  if (form == "urdf") {
    const auto urdf = write_urdf(converted->description);
    if (!urdf) return complain(urdf.errors(), exit_bad_input);
    text = *urdf;
  } else if (table) {
    constexpr int digits = 10;
    if (*table == "latex")
      text = dh_table_latex(converted->description, digits).value_or("");
    else if (const auto dh = dh_table(converted->description, digits))
      text = *table == "text" ? to_text(*dh) : to_markdown(*dh);
  } else {
    text = write_robot_toml(converted->description);
  }

  const auto difference = proof(*robot, *converted, form, table ? "" : text);
  if (!difference) return complain(difference.errors(), exit_bad_input);
  if (!json || output) {
    OutputFile file(output.value_or("-"));
    if (!file.errors().empty()) return complain(file.errors(), exit_not_written);
    file.stream() << text;
    if (!file.finish()) return complain(file.errors(), exit_not_written);
  }
  if (json) return print_json(*converted, *difference, text);
  for (const Snap& snap : converted->snaps) note("taken as special: " + snap_line(snap));
  if (form == "standard-dh" || form == "modified-dh")
    note(fmt::format("tool pose differs by at most {:.2g} m and {:.2g} rad over sampled positions",
                     converted->position_residual, converted->angle_residual));
  if (std::isinf(*difference))
    note("torques were not compared: the robot has more than 500 coordinates");
  else
    note(fmt::format("torques differ by at most {:.2g} of their size over 64 random states", *difference));
  return exit_done;
}

}  // namespace torsor
