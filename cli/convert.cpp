// torsor convert ROBOT: one robot in another form: DH table, placements, URDF, MJCF, SDF; with proof that its torques are the same.
#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <iostream>

#include "cli/file_use.hpp"
#include "cli/files.hpp"
#include "cli/print.hpp"
#include "cli/robot_argument.hpp"
#include "torsor/check/conversion_certificate.hpp"
#include "torsor/report/dh_table.hpp"
#include "torsor/files/load_robot.hpp"
#include "torsor/files/mjcf_writer.hpp"
#include "torsor/files/robot_toml_writer.hpp"
#include "torsor/files/sdf_writer.hpp"
#include "torsor/text/result_json.hpp"
#include "torsor/text/text_file.hpp"
#include "torsor/files/urdf_writer.hpp"
#include "torsor/files/xacro.hpp"
#include "torsor/model/dh_chain.hpp"
#include "torsor/model/serial_part.hpp"

namespace torsor {
namespace {

struct ConvertArguments {
  RobotArgument robot;
  std::string out;
  std::optional<std::string> to, table, output;
  std::optional<std::vector<double>> angle, length;
  bool no_snap = false, json = false;

  void add_to(Options& options) {
    robot.add_to(options, ToolMeans::chain, "--tool,--tip");
    options.optional_output("OUT", out, "where to write, as --output")
        .text("--to", "FORM", to,
              "standard-dh, modified-dh, placement, urdf, mjcf, sdf, or toml (the geometry as it is); default: by the "
              "ending "
              "of FILE, else toml")
        .one_of({"standard-dh", "modified-dh", "placement", "urdf", "mjcf", "sdf", "toml"})
        .writes("-o,--output", "FILE", output,
                "where to write: .toml, .urdf, .sdf, .mjcf or .mjcf.xml, or of a table .txt, .md, .tex; - is standard "
                "output (default)")
        .text("--table", "STYLE", table, "only the DH table: text, markdown or latex")
        .one_of({"text", "markdown", "latex"})
        .flag("--no-snap", no_snap, "take the numbers as they are; nearly parallel axes get a fifth parameter")
        .numbers("--angle-tolerance", "RAD", angle, "largest angle to be snapped (1e-5, at most 0.1)")
        .numbers("--length-tolerance", "M", length,
                 "largest length to be snapped (1e-6 of that of the links, at most 0.01 m)")
        .flag("--json", json, "snaps, residuals and the text as JSON on standard output")
        .example("puma560 --to modified-dh", "the other DH convention, as a robot file")
        .example("arm.urdf --to standard-dh --table markdown", "the DH table of a URDF")
        .example("two_arm --tool left_wrist3 --table text", "the DH table of one arm of a tree")
        .example("puma560 -o puma560.urdf", "a URDF")
        .example("arm.urdf.xacro arm.urdf --arg prefix:=left_", "a xacro expanded: every element that it makes is kept")
        .example("arm.urdf -o arm.mjcf", "an MJCF, for MuJoCo")
        .example("arm.urdf -o arm.sdf", "an SDF, for Gazebo and Drake");
  }
};

/// What was made of the robot, and how much it moved.
struct Converted {
  Description description;
  std::vector<HeldLinks> held;
  std::vector<std::string> notes;
  std::vector<Snap> snaps;
  RoundedAway rounded_away;
  Explained explained;
  std::vector<DhEnd> ends;  // what a table's rows leave out
  std::string text;
  ConversionCertificate certificate;
};

bool is_dh(const std::string& form) { return form == "standard-dh" || form == "modified-dh"; }

bool one_of(const std::string& word, std::initializer_list<const char*> words) {
  return std::find(words.begin(), words.end(), word) != words.end();
}

Fault unknown_word(const std::string& option, const std::string& word, const std::string& allowed) {
  return {{}, option, "option-value", fmt::format("\"{}\" is no such form", word), "use " + allowed};
}

/// What follows the last point of the file's name; nothing for standard output.
std::string ending(const std::string& path) {
  const std::size_t name = path.rfind('/') + 1, point = path.rfind('.');
  return point == std::string::npos || point < name || path == "-" ? "" : path.substr(point);
}

/// The form asked for; faults where the words or the ending of the file do not go together.
std::string read_form(const ConvertArguments& given, Faults& errors) {
  const std::string end = ending(given.output.value_or("-"));
  const bool mjcf = end == ".mjcf" || given.output.value_or("-").ends_with(".mjcf.xml");
  const bool sdf = end == ".sdf", xml = end == ".urdf" || end == ".xml";
  std::string form = given.to      ? *given.to
                     : given.table ? "standard-dh"
                     : mjcf        ? "mjcf"
                     : sdf         ? "sdf"
                     : xml         ? "urdf"
                                   : "toml";
  if (!one_of(form, {"toml", "urdf", "mjcf", "sdf", "placement", "standard-dh", "modified-dh"})) {
    errors.push_back(unknown_word("--to", form, "standard-dh, modified-dh, placement, urdf, mjcf, sdf or toml"));
    return form;
  }
  if (given.table && !one_of(*given.table, {"text", "markdown", "latex"}))
    errors.push_back(unknown_word("--table", *given.table, "text, markdown or latex"));
  if (given.table && !is_dh(form))
    errors.push_back(
        {{}, "--table", "option-value", "only a DH form has a table", "add --to standard-dh or --to modified-dh"});
  const std::string allowed = given.table      ? *given.table == "latex"  ? ".tex"
                                                 : *given.table == "text" ? ".txt"
                                                                          : ".md"
                              : !given.to      ? ".toml, .urdf, .mjcf or .sdf"
                              : form == "urdf" ? ".urdf"
                              : form == "mjcf" ? ".mjcf or .xml"
                              : form == "sdf"  ? ".sdf"
                                               : ".toml";
  const bool fits = end.empty() || (given.table      ? end == allowed
                                    : form == "mjcf" ? mjcf || end == ".xml"
                                    : form == "sdf"  ? sdf
                                    : form == "urdf" ? xml
                                                     : end == ".toml");
  if (!fits)
    errors.push_back(
        fault_of(fmt::format("--output \"{}\"", *given.output), "output-ending",
                 given.table ? fmt::format("\"{}\" does not go with --table {}", end, *given.table) : given.to ?
                     fmt::format("\"{}\" does not go with --to {}", end, form) :
                     fmt::format("\"{}\" is not an ending of what is written", end),
                 fmt::format("use {}{}", allowed, end == ".xacro" ? "; a robot without macros is a plain .urdf" : "")));
  return form;
}

GeometryTolerance read_tolerance(const ConvertArguments& given, Faults& errors) {
  GeometryTolerance tolerance{.snap = !given.no_snap};
  // beyond these an axis or a length is no longer rounded but another one
  const auto take = [&](const std::optional<std::vector<double>>& numbers, const std::string& name, double most,
                        const char* unit, auto& target) {
    if (!numbers) return;
    if (numbers->size() == 1 && numbers->front() >= 0 && numbers->front() <= most)
      target = numbers->front();
    else
      errors.push_back(
          fault_of(name, "option-value",
                   fmt::format("it takes one number from 0 to {} {}: what is further off is no rounding", most, unit),
                   "for example " + name + " 1e-4"));
  };
  take(given.angle, "--angle-tolerance", 0.1, "rad", tolerance.angle);
  take(given.length, "--length-tolerance", 0.01, "m", tolerance.length);
  return tolerance;
}

/// Options about snapping where nothing is snapped.
void refuse_idle(const ConvertArguments& given, const std::string& form, Faults& errors) {
  const std::string where = fmt::format("with --to {}: only DH forms snap", form);
  refuse_if(given.no_snap && !is_dh(form), "--no-snap", where, errors);
  for (const auto& [option, name] :
       {std::pair{&given.angle, "--angle-tolerance"}, {&given.length, "--length-tolerance"}}) {
    refuse_if(*option && !is_dh(form), name, where, errors);
    refuse_if(*option && is_dh(form) && given.no_snap, name, "with --no-snap", errors);
  }
}

/// The first few names in quotes, and how many more there are.
std::string listed(const std::vector<std::string>& names) {
  constexpr std::size_t told = 8;
  std::string text;
  for (std::size_t k = 0; k < std::min(names.size(), told); ++k)
    text += fmt::format("{}\"{}\"", k == 0 ? "" : ", ", names[k]);
  return names.size() > told ? fmt::format("{}, {} more", text, names.size() - told) : text;
}

/// What the reader passed over, and so is not in what is written.
std::vector<std::string> passed_over(const Description& read) {
  std::vector<std::string> notes;
  for (const Fault& note : read.notes)
    if (note.rule.ends_with("-ignored") || note.rule.ends_with("-unused") || note.rule == "accept-unknown")
      notes.push_back("lost: " + to_string(note));
  return notes;
}

/// The chain asked for instead of the robot, with what is held beside it.
Faults cut(const ChainArguments& given, const Robot& robot, Converted& c) {
  if (!given.cuts()) return {};
  const auto options = read_chain_options(given, c.description);
  if (!options) return options.faults();
  const auto tool = find_tool(robot, std::nullopt);
  if (!tool) return tool.faults();
  const std::size_t accepted = c.description.accepted.size();
  auto part = serial_part(c.description, given.base.value_or(""), given.tool.value_or(tool->name), *options);
  if (!part) return part.faults();
  for (std::string& sentence : sentences(*part)) c.notes.push_back(std::move(sentence));
  c.description = std::move(part->description);
  c.held = std::move(part->held);
  if (const std::size_t kept = c.description.accepted.size(); kept < accepted)
    c.notes.push_back(fmt::format("{} of {} accepted findings are left out: they are not about the chain",
                                  accepted - kept, accepted));
  return {};
}

/// The geometry of the answer.
Faults reshape(const std::string& form, const GeometryTolerance& tolerance, Converted& c) {
  if (form == "placement") {
    auto placed = to_placements(c.description);
    if (!placed) return placed.faults();
    c.description = *std::move(placed);
  } else if (is_dh(form)) {
    const Transform<double> base = c.description.base;
    auto dh =
        to_dh(c.description, form == "standard-dh" ? Convention::standard_dh : Convention::modified_dh, tolerance);
    if (!dh) return dh.faults();
    c.description = std::move(dh->description);
    c.ends = dh_ends(c.description, base);
    c.snaps = std::move(dh->snaps);
    c.rounded_away = dh->rounded_away;
  }
  return {};
}

Faults write(const std::string& form, const std::optional<std::string>& table, Converted& c) {
  const Description& d = c.description;
  if (form == "urdf" || form == "mjcf" || form == "sdf") {
    std::vector<std::string> told;
    const auto xml = form == "urdf" ? write_urdf(d, &told) : form == "sdf" ? write_sdf(d, &told) : write_mjcf(d, &told);
    if (!xml) return xml.faults();
    c.text = *xml;
    c.notes.insert(c.notes.end(), told.begin(), told.end());
    return {};
  }
  constexpr int digits = 10;
  if (!table) {
    c.text = write_robot_toml(d);
  } else if (*table == "latex") {
    c.text = dh_table_latex(d, digits, c.ends).value_or("");
  } else if (const auto dh = dh_table(d, digits)) {
    const bool plain = *table == "text";
    c.text = plain ? to_text(*dh) : to_markdown(*dh);
    if (!plain && !c.ends.empty()) c.text += '\n';
    for (const DhEnd& end : c.ends)
      c.text += plain ? to_text(end, digits) + '\n' : fmt::format("- `{}`\n", to_text(end, digits));
  }
  const auto shapes =
      std::ranges::count_if(d.links, [](const LinkDescription& l) { return !l.urdf_extra.xml.empty(); }) +
      !d.base_urdf_extra.xml.empty();
  if (!table && shapes > 0)
    c.notes.push_back(
        fmt::format("shapes (visual, collision, meshes) of {} link{} are lost: a robot file has no place "
                    "for them",
                    shapes, shapes == 1 ? "" : "s"));
  return {};
}

/// What a reader makes of what was written, held against the robot that was meant, or against the chain of it.
Faults certify(const Robot& meant, const Result<Description>& read_back, bool dh, Converted& c) {
  if (!read_back) return read_back.faults();
  const auto back = Robot::try_build(*read_back);
  if (!back) return back.faults();
  if (dh) c.explained = explained_by(c.snaps, meant.model(), back->model());
  c.certificate = certify_conversion(meant, *back, dh ? &c.explained : nullptr);
  if (back->model().velocity_names != meant.model().velocity_names && c.certificate.same_tree)
    c.notes.push_back(fmt::format("coordinates come in another order: {}", listed(back->model().velocity_names)));
  return {};
}

/// Why the certificate does not hold.
Faults uncertified(const Converted& c) {
  Faults errors;
  const ConversionCertificate& certificate = c.certificate;
  const auto fault = [&](std::string what) {
    errors.push_back(
        {{}, c.description.name, "convert-moved", std::move(what), "compare both robots before use: torsor diff"});
  };
  const auto check = [&](const char* what, double moved, double bound, const char* unit) {
    if (!(moved <= bound))
      fault(fmt::format("{} moved by {:.2g} {}; what was snapped and rounding explain {:.2g} at most", what, moved,
                        unit, bound));
  };
  for (const std::string& sentence : certificate.wrong) fault(sentence);
  check("its bodies", certificate.position, certificate.bound.position, "m");
  check("its bodies", certificate.angle, certificate.bound.angle, "rad");
  check("its torques", certificate.torque, certificate.bound.torque, "of their size");
  return errors;
}

void print_notes(const Converted& c) {
  for (const std::string& text : c.notes) note(text);
  for (const Snap& snap : c.snaps)
    note(fmt::format("taken as special: {} (off by {:.2g} {})", snap.what, snap.residual, snap.is_angle ? "rad" : "m"));
  if (const RoundedAway& r = c.rounded_away; r.count > 0)
    note(fmt::format("{} value{} off a special one by rounding only, at most {:.2g} rad and {:.2g} m, {} taken as that",
                     r.count, r.count == 1 ? "" : "s", r.angle, r.length, r.count == 1 ? "was" : "were"));
  const ConversionCertificate& certificate = c.certificate;
  // less is rounding, which is another one on another machine
  const auto at_most = [](double x) { return std::max(x, 1e-13); };
  for (const std::string& sentence : certificate.lost) note("not held by the format: " + sentence);
  note(fmt::format(
      "certificate: read back, it is {} tree; poses differ by at most {:.2g} m and {:.2g} rad, torques differ by at "
      "most "
      "{:.2g} of their size over {} random state{}",
      certificate.same_tree ? "the same" : "ANOTHER", at_most(certificate.position), at_most(certificate.angle),
      at_most(certificate.torque), certificate.states, certificate.states == 1 ? "" : "s"));
}

int print_json(const Converted& c) {
  JsonWriter json(std::cout);
  json.begin_object().field("robot", c.description.name);
  field(json, "notes", c.notes);
  json.key("held").begin_array();
  for (const HeldLinks& h : c.held) {
    json.begin_object().field("on", h.link);
    field(json, "roots", h.roots).field("mass", h.mass).end_object();
  }
  snap_fields(json.end_array(), c.snaps);
  json.key("rounded_away")
      .begin_object()
      .field("count", c.rounded_away.count)
      .field("angle", c.rounded_away.angle)
      .field("length", c.rounded_away.length)
      .end_object();
  json.field("position_residual", c.certificate.position).field("angle_residual", c.certificate.angle);
  json.field("torque_difference", c.certificate.torque).key("certificate");
  write_json(json, c.certificate);
  json.key("explained")
      .begin_object()
      .field("position", c.certificate.bound.position)
      .field("angle", c.certificate.bound.angle)
      .field("torque", c.certificate.bound.torque)
      .end_object();
  json.key("ends").begin_array();
  for (const DhEnd& end : c.ends) {
    json.begin_object().field("from", end.from).field("to", end.to);
    pose_fields(json, end.X).end_object();
  }
  json.end_array();
  json.field("text", c.text).end_object();
  return finish_json(json);
}

bool is_xacro(const std::string& name) { return name.ends_with(".xacro"); }

/// A xacro as it is expanded, with everything that others read in it: plugins, controllers, shapes.
int write_expansion(const ConvertArguments& given) {
  const auto options = given.robot.load.read();
  if (!options) return complain(options.faults(), exit_bad_input);
  const FilesRead opened;
  const auto text = read_text_file(given.robot.name);
  if (!text) return complain(text.faults(), exit_bad_input);
  const auto expanded = expand_xacro(*text, given.robot.name, *options);
  if (const Faults errors = file_use().also_reads(opened); !errors.empty()) return complain(errors, exit_bad_input);
  if (!expanded) return complain(expanded.faults(), exit_bad_input);
  OutputFile file(given.output.value_or("-"));
  if (!file.faults().empty()) return complain(file.faults(), exit_not_written);
  std::string out = "<?xml version=\"1.0\" encoding=\"utf-8\"?>\n";
  append_xml(out, expanded->root);
  file.stream() << out;
  if (!file.finish()) return complain(file.faults(), exit_not_written);
  for (const Fault& message : expanded->notes) note(to_string(message));
  // the expansion is what was asked for; that it is no robot of ours is good to know
  if (const auto robot = read_unchecked(given.robot.name, given.robot.load); !robot)
    for (const Fault& fault : robot.faults()) std::cerr << "warning: " + to_string(fault) + "\n";
  return exit_done;
}

}  // namespace

int convert_verb(Arguments arguments) {
  ConvertArguments given;
  Options options(
      "convert",
      "A robot in another form, or one chain of it. The torques of both are compared over random states, and "
      "every special geometry that was assumed (parallel, perpendicular, meeting axes) is reported with how far "
      "the numbers were from it.");
  given.add_to(options);
  if (const auto code = options.parse(arguments)) return *code;

  Faults errors;
  refuse_if(!given.out.empty() && given.output, "OUT", "with --output", errors);
  if (!given.out.empty() && !given.output) given.output = given.out;
  const std::string form = read_form(given, errors);
  const GeometryTolerance tolerance = read_tolerance(given, errors);
  refuse_idle(given, form, errors);
  refuse_if(given.json && given.output == "-", "--json", "while the robot goes to standard output, too", errors);
  if (!errors.empty()) return complain(errors, exit_bad_input);
  if (form == "urdf" && is_xacro(given.robot.name) && !given.robot.chain.cuts() && !given.json)
    return write_expansion(given);

  const auto robot = read_robot(given.robot.name, RobotUse::kinematics, given.robot.load);
  if (!robot) return complain(robot.faults(), exit_bad_input);
  Converted converted;
  converted.description = robot->description();
  if (!given.table) converted.notes = passed_over(robot->description());
  errors = cut(given.robot.chain, *robot, converted);
  if (!errors.empty()) return complain(errors, exit_bad_input);
  const auto meant = Robot::try_build(converted.description);
  if (!meant) return complain(meant.faults(), exit_bad_input);
  errors = reshape(form, tolerance, converted);
  if (errors.empty()) errors = write(form, given.table, converted);
  if (!errors.empty()) return complain(errors, exit_impossible);

  // a table is no robot file: then it is the robot whose table it is
  std::error_code ignored;
  const bool is_file =
      given.output && *given.output != "-" &&
      (!std::filesystem::exists(*given.output, ignored) || std::filesystem::is_regular_file(*given.output, ignored));
  const Result<Description> back =
      given.table ? Result<Description>(converted.description)
                  : read_robot_text(converted.text, is_file ? *given.output : std::string("what was written"));
  const Faults refused = certify(*meant, back, is_dh(form), converted);
  if (!given.json || given.output) {
    // what the certificate does not hold for does not get the name
    const bool holds = refused.empty() && uncertified(converted).empty();
    OutputFile file(given.output.value_or("-"), holds ? Keep::nothing : Keep::rows);
    if (!file.faults().empty()) return complain(file.faults(), exit_not_written);
    file.stream() << converted.text;
    if (!file.finish(holds)) return complain(file.faults(), exit_not_written);
    if (file.gathered() && !holds) note(fmt::format("kept as {}", printable(file.place())));
  }
  if (!refused.empty()) return complain(refused, exit_impossible);
  if (!given.json) print_notes(converted);
  const int code = given.json ? print_json(converted) : static_cast<int>(exit_done);
  if (errors = uncertified(converted); !errors.empty()) return complain(errors, exit_impossible);
  return code;
}

}  // namespace torsor
