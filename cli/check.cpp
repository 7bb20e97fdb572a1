// torsor check FILE...: what is wrong with robot files, and what probably is.
#include <fmt/format.h>

#include <iostream>
#include <map>
#include <utility>

#include "cli/file_use.hpp"
#include "cli/files.hpp"
#include "cli/print.hpp"
#include "cli/robot_argument.hpp"
#include "torsor/check/examination.hpp"
#include "torsor/report/loop_summary.hpp"
#include "torsor/text/fault_log.hpp"

namespace torsor {
namespace {

struct FileVerdict {
  std::string file, robot;
  Examination examination;
  std::string accept_reason;
};

FileVerdict check_file(const std::string& argument, const XacroArguments& load) {
  const auto robot = read_unchecked(argument, load);
  const std::string name = argument == "-" ? "standard input" : argument;
  if (!robot) {
    // what cannot be read has errors, and notes beside them
    FileVerdict verdict{name, "", {}, ""};
    for (Fault error : robot.faults()) {
      const Severity severity = std::exchange(error.severity, Severity::error);
      verdict.examination.findings.push_back({severity, error, error.rule + ":", {}});
    }
    return verdict;
  }
  const Description& description = robot->description();
  FileVerdict verdict{name, description.name, examine(description, robot->tree()), description.accept_reason};
  for (Fault passed_over : description.notes) {
    const bool warning = std::exchange(passed_over.severity, Severity::error) == Severity::warning;
    verdict.examination.findings.push_back(
        {warning ? Severity::warning : Severity::note, passed_over, passed_over.rule + ":", {}});
  }
  for (std::string& sentence : loop_sentences(*robot))
    verdict.examination.findings.push_back(
        {Severity::note,
         {description.loops.front().where, fmt::format("robot \"{}\"", description.name), "loops", std::move(sentence),
          ""},
         "loops:",
         {}});
  return verdict;
}

std::string counted(int n, const char* what) { return fmt::format("{} {}{}", n, what, n == 1 ? "" : "s"); }

void print_text(const FileVerdict& verdict) {
  const Examination& e = verdict.examination;
  // as of the faults of a file, of each rule the first hundred
  std::map<std::pair<std::string, Severity>, std::size_t> times;
  for (const Finding& finding : e.findings)
    if (++times[{finding.error.rule, finding.severity}] <= FaultLog::listed)
      std::cout << fmt::format("{}: {}\n", severity_name(finding.severity), to_string(finding.error));
  for (const auto& [kind, count] : times)
    if (count > FaultLog::listed)
      std::cout << fmt::format("{}: {}: and {} more [{}]; --json lists all of them\n", severity_name(kind.second),
                               printable(verdict.file), count - FaultLog::listed, kind.first);
  std::cout << fmt::format("{}: {}, {}", printable(verdict.file), counted(e.count(Severity::error), "error"),
                           counted(e.count(Severity::warning), "warning"));
  if (const auto accepted = e.accepted.size()) std::cout << fmt::format(" ({} accepted)", accepted);
  std::cout << '\n';
}

void findings_field(JsonWriter& json, const char* name, const std::vector<Finding>& findings) {
  json.key(name).begin_array();
  for (const Finding& f : findings) {
    json.begin_object().field("severity", severity_name(f.severity)).field("rule", f.error.rule);
    if (!f.subject.ends_with(':')) json.field("subject", f.subject);
    json.field("file", f.error.where.file);
    if (f.error.where.line > 0) json.field("line", f.error.where.line);
    json.field("offender", f.error.offender).field("what", f.error.what);
    if (!f.cause.empty()) json.field("cause", f.cause);
    json.field("remedy", f.error.remedy).end_object();
  }
  json.end_array();
}

void print_json(JsonWriter& json, const FileVerdict& verdict) {
  const Examination& e = verdict.examination;
  json.begin_object().field("file", verdict.file);
  if (!verdict.robot.empty()) json.field("robot", verdict.robot);
  json.field("errors", e.count(Severity::error)).field("warnings", e.count(Severity::warning));
  findings_field(json, "findings", e.findings);
  findings_field(json, "accepted", e.accepted);
  if (!verdict.accept_reason.empty()) json.field("accept_reason", verdict.accept_reason);
  json.end_object();
}

}  // namespace

int check_verb(Arguments arguments) {
  // any number of files, where the options of other verbs take one argument
  std::vector<std::string> names, words;
  bool ended = false, is_value = false;  // by --; of an option for xacro
  for (const std::string& word : arguments) {
    const bool value = std::exchange(
        is_value, !ended && (word == "--arg" || word == "--package" || word == "--packages" || word == "--env"));
    if (value)
      words.push_back(word);
    else if (word == "--" && !ended)
      ended = true;
    else
      (ended || word == "-" || !word.starts_with('-') ? names : words).push_back(word);
  }
  if (!names.empty() && names.front().size() > 1 && names.front().starts_with('-')) words.emplace_back("--");
  if (!names.empty()) words.push_back(names.front());
  std::string first;
  bool strict = false, json = false;
  XacroArguments load;
  Options options("check",
                  "What is wrong with robot files (error), and what probably is (warning): masses and inertias that no "
                  "body has, units of grams, millimetres or degrees, placeholders, joints that move no mass; each with "
                  "file, line, link, [rule] and probable cause. A robot file accepts a warning by accept = "
                  "[\"RULE:NAME\"] with accept_reason = \"...\". Exit code: 0 when there is no error, 2 when any file "
                  "has one. docs/check.md lists every rule.");
  options.positional(
      "FILE...", first,
      "robot files (TOML, URDF, xacro), built-in robots (see torsor list), or - for standard input; all of "
      "them are checked, whatever the first ones have");
  load.add_to(options);
  options.flag("--strict", strict, "warnings count as errors: exit code 2; accepted ones do not count")
      .flag("--json", json, "the answer as JSON on standard output: per file the findings and the accepted ones")
      .example("my_arm.urdf", "one file")
      .example("robots/*.toml --strict", "many, for a test")
      .example("my_arm.toml --json", "for a program");
  if (const auto code = options.parse(words)) return *code;
  for (const std::string& name : names)
    if (const Faults errors = options.also_reads(name); !errors.empty()) return complain(errors, exit_bad_input);

  // what they include is known when all are read, and must not be printed into
  std::vector<FileVerdict> verdicts;
  for (const std::string& name : names) verdicts.push_back(check_file(name, load));
  if (const Faults errors = file_use().conflicts(); !errors.empty()) return complain(errors, exit_bad_input);

  bool bad = false;
  JsonWriter writer(std::cout);
  if (json) writer.begin_object().key("files").begin_array();
  for (const FileVerdict& verdict : verdicts) {
    bad = bad || verdict.examination.count(Severity::error) > 0 ||
          (strict && verdict.examination.count(Severity::warning) > 0);
    if (json)
      print_json(writer, verdict);
    else
      print_text(verdict);
  }
  if (json) writer.end_array().end_object();
  const int code = json ? finish_json(writer) : finish_standard_output();
  return code == exit_done && bad ? exit_bad_input : code;
}

}  // namespace torsor
