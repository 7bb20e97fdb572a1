// torsor check FILE...: what is wrong with robot files, and what probably is.
#include <fmt/format.h>

#include <algorithm>
#include <iostream>
#include <map>
#include <utility>

#include "cli/deliver.hpp"
#include "cli/file_use.hpp"
#include "cli/robot_argument.hpp"
#include "torsor/check/examination_result.hpp"
#include "torsor/report/loop_summary.hpp"
#include "torsor/text/fault_log.hpp"

namespace torsor {
namespace {

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
  std::cout << fmt::format("{}: {}, {}", printable(verdict.file), counted(verdict.errors(), "error"),
                           counted(verdict.warnings(), "warning"));
  if (const auto accepted = e.accepted.size()) std::cout << fmt::format(" ({} accepted)", accepted);
  std::cout << '\n';
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
  CheckResult verdicts;
  for (const std::string& name : names) verdicts.files.push_back(check_file(name, load));
  if (const Faults errors = file_use().conflicts(); !errors.empty()) return complain(errors, exit_bad_input);

  const bool bad = std::ranges::any_of(verdicts.files, [strict](const FileVerdict& verdict) {
    return verdict.errors() > 0 || (strict && verdict.warnings() > 0);
  });
  if (!json)
    for (const FileVerdict& verdict : verdicts.files) print_text(verdict);
  const int code = json ? print_result(verdicts) : finish_standard_output();
  return code == exit_done && bad ? exit_bad_input : code;
}

}  // namespace torsor
