// torsor identify ROBOT LOG: the parameters of a robot from a record of its motion and torques.
#include <fmt/format.h>

#include <algorithm>
#include <iostream>
#include <sstream>

#include "cli/again_and_again.hpp"
#include "cli/deliver.hpp"
#include "cli/identify_report.hpp"
#include "cli/motion_job.hpp"
#include "cli/parameter_arguments.hpp"
#include "torsor/files/robot_toml_writer.hpp"
#include "torsor/text/suggest.hpp"

namespace torsor {
namespace {

struct IdentifyArguments {
  RobotArgument robot;
  std::string log;
  ParameterArguments parameters;
  std::optional<std::vector<double>> held_out, rest;
  std::optional<std::string> cutoff, output, page, passive;
  bool degrees = false;
  bool motors = false, partial = false;
  PrintArguments print;
};

void check_number(const std::optional<std::vector<double>>& given, const std::string& option, double most,
                  const std::string& remedy, Faults& errors) {
  if (given && (given->size() != 1 || !(given->front() >= 0) || !(given->front() <= most)))
    errors.push_back({{}, option, "option-value", "it takes one number, zero or positive", remedy});
}

Faults check_arguments(const IdentifyArguments& a) {
  Faults errors;
  check_number(a.held_out, "--held-out", 0.9, "a share of the record up to 0.9, for example --held-out 0.25", errors);
  check_number(a.rest, "--rest", 1e6, "a speed in rad/s or m/s, for example --rest 0.01", errors);
  collect(read_cutoff(a.cutoff), errors);
  refuse_if(a.log == "-" && a.robot.name == "-", "LOG -", "while the robot is read from standard input, too", errors);
  refuse_if(a.page == "-" && a.print.json, "--html -", "with --json", errors);
  refuse_if(a.output == "-" && (a.print.json || a.page == "-"), "--output -", "with --json or --html -", errors);
  return errors;
}

/// The robot with the identified parameters, checked like any other.
IdentifiedRobot identified_robot(const Robot& file, const Identification& found, const std::string& log) {
  IdentifiedRobot out;
  out.set = identified_set(file.tree(), found);
  auto written = with_parameters(file.description(), file.tree(), found.base.parameters, out.set.phi);
  if (!written) {
    out.faults = written.faults();
    return out;
  }
  written->source += (written->source.empty() ? "" : "; ") + ("parameters identified from " + log);
  const auto robot = Robot::try_build(*std::move(written));
  if (!robot) {
    out.faults = robot.faults();
    return out;
  }
  out.robot = *robot;
  // positions in the old file mean nothing for these numbers
  for (Finding finding : examine(out.robot->description(), out.robot->tree()).findings) {
    finding.error.where = {};
    if (finding.error.rule != "accept-unused") out.findings.push_back(std::move(finding));
  }
  return out;
}

/// Joints that a record never moves.
std::string still_joints(const Model<double>& model, const RecordSurvey& seen) {
  std::string text;
  for (int k = 0; k < model.nv; ++k)
    if (!seen.moves[k]) text += (text.empty() ? "" : ", ") + model.velocity_names[k];
  return text;
}

/// Coordinates that have no motor because --passive says so; or names that are none.
Result<std::vector<bool>> passive_coordinates(const Model<double>& model, const std::optional<std::string>& given) {
  std::vector<bool> passive(static_cast<std::size_t>(model.nv), false);
  if (!given) return passive;
  Faults errors;
  std::istringstream names(*given);
  for (std::string name; std::getline(names, name, ',');) {
    const auto found = std::ranges::find(model.velocity_names, name);
    if (found != model.velocity_names.end()) {
      passive[static_cast<std::size_t>(found - model.velocity_names.begin())] = true;
      continue;
    }
    const std::string hint = did_you_mean(name, model.velocity_names);
    errors.push_back(fault_of("--passive", "option-value",
                              fmt::format("there is no coordinate \"{}\"", printable(name)),
                              hint.empty() ? fmt::format("they are {}", fmt::join(model.velocity_names, ", ")) : hint));
  }
  if (!errors.empty()) return errors;
  return passive;
}

Fault unexcited_error(const Robot& robot, const Identification& found, const IdentifyArguments& a,
                      const RecordSurvey& seen) {
  std::vector<int> places;
  for (const int k : found.unexcited) places.push_back(found.base.kept[k]);
  const std::string still = still_joints(robot.coordinates(), seen);
  return {{a.log, 0},
          "the motion",
          "identify-excitation",
          fmt::format("it cannot separate {} of {} base parameters from the others: {}{}", found.unexcited.size(),
                      found.count(), parameter_list(robot.tree(), found.base, places),
                      still.empty() ? "" : fmt::format(" (joints that never move: {})", still)),
          "move every joint, several at a time and both ways; or --partial to leave these as in the robot file"};
}

int write_identified(const IdentifiedRobot& identified, const IdentifyArguments& a) {
  if (!identified.robot) return complain(identified.faults, exit_impossible);
  OutputFile file(*a.output);
  if (!file.faults().empty()) return complain(file.faults(), exit_not_written);
  file.stream() << write_robot_toml(identified.robot->description());
  if (!file.finish()) return complain(file.faults(), exit_not_written);
  if (!file.is_standard() && !a.print.json && a.page != "-")
    std::cout << fmt::format("\nrobot file: {}\n", printable(file.name()));
  return finish_standard_output();
}

}  // namespace

int identify_verb(Arguments arguments) {
  IdentifyArguments a;
  Options options(
      "identify",
      "Inertial, rotor and friction parameters of a robot from a record of its motion and torques: base "
      "parameters by weighted least squares, with standard deviations, the excitation judged, and part of the "
      "record held out to validate them.");
  a.robot.add_to(options);
  options.positional("LOG", a.log,
                     "CSV with a header line and columns t, q1.. (or joint names), tau1.. (or tau.NAME), and qd1.., "
                     "qdd1.. unless they are to be derived; - for standard input");
  a.parameters.add_to(options, "all", "file");
  options.numbers("--held-out", "SHARE", a.held_out, "of the record, at its end, to validate with; default 0.25")
      .numbers(
          "--rest", "SPEED", a.rest,
          "rad/s or m/s: a joint no faster has its dry friction anywhere, and its equations are left out; default 0")
      .flag("--degrees", a.degrees, "angles of the record whose columns name no unit are in degrees")
      .text("--cutoff", "HZ", a.cutoff,
            "of the smoothing spline that gives missing qd and qdd; at most half the sample rate; none to interpolate; "
            "default a tenth of the sample rate")
      .flag("--motors", a.motors, "the torques are those of the motors, behind gears and transmissions")
      .text("--passive", "JOINTS", a.passive,
            "that have no motor, commas between: a torque of 0 in all rows is refused of any other")
      .flag("--partial", a.partial, "leave as in the file what the motion does not excite, and go on")
      .writes("-o,--output", "FILE", a.output,
            "the robot file with the identified parameters: the nearest to the given one, or, where noise makes that "
            "impossible, the possible bodies that fit the record best, with what that costs")
      .writes("--html", "FILE", a.page, "a page with tables and plots (HTML)");
  a.print.add_to(options);
  options.example("puma560 log.csv", "what the record determines, and how well")
      .example("arm.toml log.csv --rest 0.01 -o identified.toml --html identified.html", "a robot file and a page")
      .example("arm.toml log.csv --friction none --held-out 0.5 --json", "for another program");
  if (const auto code = options.parse(arguments)) return *code;
  Faults errors = check_arguments(a);
  const auto choice = read_parameter_choice(a.parameters, DriveColumns::every_joint, DriveColumns::of_model);
  collect(choice, errors);
  if (!errors.empty()) return complain(errors, exit_bad_input);

  a.robot.loops = true;
  const auto robot = read_robot(a.robot);
  if (!robot) return complain(robot.faults(), exit_bad_input);
  InputFile input(a.log);
  if (!input.faults().empty()) return complain(input.faults(), exit_bad_input);
  AgainAndAgain text(input, a.log);
  if (!text.faults().empty()) return complain(text.faults(), exit_not_written);
  TorqueFile record(robot->coordinates(), [&] { return text.open(); }, input.name(), *read_cutoff(a.cutoff), a.degrees);
  const RecordSurvey seen = survey(robot->coordinates(), record);
  if (!record.faults().empty()) return complain(record.faults(), exit_bad_input);
  const RecordNotes notes = record.notes();
  IdentifyView view{a.log, record, a.motors, {}};
  if (notes.derived) {
    view.derivation = derivation_sentence(notes.derived);
    note(view.derivation);
  } else if (a.cutoff) {
    note("--cutoff has no effect: the file has its own velocities and accelerations");
  }
  if (!notes.degree_suspicion.empty()) note(degrees_sentence(notes.degree_suspicion, "--degrees"));
  if (!notes.ignored.empty()) note(fmt::format("columns not used: {}", fmt::join(notes.ignored, ", ")));

  const auto passive = passive_coordinates(robot->coordinates(), a.passive);
  if (!passive) return complain(passive.faults(), exit_bad_input);

  IdentificationOptions wanted;
  wanted.at_motors = a.motors;
  wanted.passive = *passive;
  if (a.held_out) wanted.held_out = a.held_out->front();
  if (a.rest) wanted.rest_speed = a.rest->front();
  const std::vector<DynamicParameter> list = file_parameters(robot->tree(), *choice);
  if (errors = check_parameter_count(robot->tree(), list); !errors.empty()) return complain(errors, exit_impossible);
  auto found = identify(*robot, list, record, seen, wanted);
  if (!found) {
    errors = found.faults();
    for (Fault& error : errors) error.where.file = input.name();
    return complain(errors, exit_bad_input);
  }
  const GroupTexts texts = group_texts(robot->description(), robot->tree(), found->base);
  const IdentifiedRobot identified = identified_robot(*robot, *found, a.log);

  // what was found is told, and only then what is wrong with it
  int code = exit_done;
  if (a.output == "-")
    code =
        a.page
            ? write_page(identify_report(*robot, *found, texts, identified, view, a.print), *a.page).value_or(exit_done)
            : exit_done;
  else
    code = deliver(identify_report(*robot, *found, texts, identified, view, a.print), a.page, a.print,
                   [&] { return print_identify_json(*robot, *found, texts, identified, view); });
  if (code != exit_done) return code;
  if (!found->unexcited.empty() && !a.partial)
    return complain({unexcited_error(*robot, *found, a, seen)}, exit_impossible);
  if (errors = implausible(robot->coordinates(), *found); !errors.empty()) {
    for (Fault& error : errors) error.where.file = input.name();
    return complain(errors, exit_impossible);
  }
  if (a.output == "-") say_page_beside(a.page);
  return a.output ? write_identified(identified, a) : code;
}

}  // namespace torsor
