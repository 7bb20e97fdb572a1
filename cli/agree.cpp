// torsor agree ROBOT: the certificate that all formulations say the same of a robot; or, with --against, where another
// tool says something else, and why.
#include <fmt/format.h>

#include <algorithm>
#include <iostream>

#include "cli/agree_against.hpp"
#include "cli/agree_exact.hpp"
#include "cli/deliver.hpp"
#include "cli/engine.hpp"
#include "cli/files.hpp"
#include "cli/motion_job.hpp"
#include "torsor/formulations/agreement_result.hpp"
#include "torsor/formulations/certificate.hpp"

namespace torsor {
namespace {

struct AgreeArguments {
  RobotArgument robot;
  std::optional<long long> states, seed;
  std::optional<std::vector<double>> tolerance;
  bool exact = false;
  AgainstArguments against;
  std::optional<std::string> python;

  bool by_engine() const { return against.file && is_engine(*against.file); }
  double bound() const { return tolerance ? tolerance->front() : 1e-12; }
  int count() const { return static_cast<int>(states.value_or(100)); }
  std::uint64_t seeded() const { return static_cast<std::uint64_t>(seed.value_or(1)); }
};

std::string short_number(double x) { return fmt::format("{:.1e}", x); }

std::string list(const std::vector<double>& numbers) { return fmt::format("{:.17g}", fmt::join(numbers, ",")); }

/// As the options of other verbs take it.
std::string state_text(const Disagreement& d, const char* between = " ") {
  return fmt::format("--q {}{}--qd {}{}--qdd {}", list(d.q), between, list(d.qd), between, list(d.qdd));
}

/// The pairs and rows beyond the tolerance, as faults.
Faults broken(const Agreement& agreement, double tolerance) {
  Faults errors;
  const auto& rows = agreement.inverse;
  for (std::size_t a = 0; a < rows.size(); ++a)
    for (std::size_t b = a + 1; b < rows.size(); ++b)
      if (const Disagreement& d = agreement.pair(a, b); !(d.measure <= tolerance))
        errors.push_back(fault_of(fmt::format("\"{}\" and \"{}\"", rows[a].name, rows[b].name), "disagreement",
                                  fmt::format("they differ by {:.3g}: {} and {} at joint \"{}\"", d.measure, d.first,
                                      d.second, d.joint), "state: " + state_text(d)));
  for (const CertifiedRow& row : agreement.others)
    if (const Disagreement& d = row.worst; !(d.measure <= tolerance))
      errors.push_back(
          fault_of(fmt::format("\"{}\" ({})", row.name, question_name(row.question)), "disagreement",
                   fmt::format("it differs from the tree by {:.3g}: torques of {} are {} off at joint \"{}\"",
                       d.measure, d.first, d.second, d.joint), "state: " + state_text(d)));
  return errors;
}

TextTable inverse_table(const Agreement& agreement) {
  TextTable table{
      "inverse dynamics", {{""}, {"formulation"}, {"source"}, {"frames"}, {"cost"}, {"worst against 1"}}};
  for (std::size_t a = 0; a < agreement.inverse.size(); ++a) {
    const CertifiedRow& row = agreement.inverse[a];
    table.add({static_cast<long long>(a + 1), std::string(row.name), std::string(row.source),
               std::string(frames_name(row.frames)), std::string(row.complexity),
               a == 0 ? std::string() : short_number(row.worst.measure)});
  }
  return table;
}

TextTable pair_table(const Agreement& agreement) {
  const std::size_t n = agreement.inverse.size();
  TextTable table{"worst disagreement of each pair", {{""}}};
  for (std::size_t b = 1; b < n; ++b) table.columns.push_back({std::to_string(b + 1)});
  for (std::size_t a = 0; a + 1 < n; ++a) {
    TextTable::Row row{std::to_string(a + 1)};
    for (std::size_t b = 1; b < n; ++b)
      row.emplace_back(b > a ? short_number(agreement.pair(a, b).measure) : std::string());
    table.add(std::move(row));
  }
  return table;
}

TextTable other_table(const Agreement& agreement) {
  TextTable table{"the other questions, held against the tree",
                  {{"question"}, {"formulation"}, {"source"}, {"frames"}, {"cost"}, {"worst"}}};
  for (const CertifiedRow& row : agreement.others)
    table.add({std::string(question_name(row.question)), std::string(row.name), std::string(row.source),
               std::string(frames_name(row.frames)), std::string(row.complexity), short_number(row.worst.measure)});
  return table;
}

TextTable refused_table(const Agreement& agreement) {
  TextTable table{"not for this robot", {{"question"}, {"formulation"}, {"reason"}}};
  for (const CertifiedRow& row : agreement.refused)
    table.add({std::string(question_name(row.question)), std::string(row.name), row.refused});
  return table;
}

/// Indices of the pair that is furthest apart; equal where all are the same to the last bit.
std::pair<std::size_t, std::size_t> worst_pair(const Agreement& agreement) {
  std::pair<std::size_t, std::size_t> worst{0, 0};
  for (std::size_t a = 0; a < agreement.inverse.size(); ++a)
    for (std::size_t b = a + 1; b < agreement.inverse.size(); ++b)
      if (agreement.pair(a, b).measure > agreement.pair(worst.first, worst.second).measure) worst = {a, b};
  return worst;
}

Report certificate(const AgreeArguments& a, const Agreement& agreement, bool holds) {
  Report report{fmt::format("{}: agreement of the formulations", agreement.robot),
                fmt::format("{} random states inside the limits, seed {}; max |dtau| / max (|D qdd| + |h| + |g|)",
                            agreement.states, a.seeded())};
  ReportSection& section = report.section("");
  section.table(inverse_table(agreement));
  if (agreement.inverse.size() > 1) section.table(pair_table(agreement));
  if (!agreement.others.empty()) section.table(other_table(agreement));
  if (!agreement.refused.empty()) section.table(refused_table(agreement));
  for (const Snap& snap : agreement.snaps)
    section.text(fmt::format("Taken as special, in all forms: {} (off by {:.2g} {}).", snap.what, snap.residual,
                             snap.is_angle ? "rad" : "m"));
  if (const auto [a1, b1] = worst_pair(agreement); a1 != b1) {
    const Disagreement& d = agreement.pair(a1, b1);
    section.text(fmt::format("The worst pair is {} and {}, {:.2g} at joint \"{}\":", a1 + 1, b1 + 1, d.measure,
                             d.joint));
    section.code(state_text(d, "\n"));
  }
  const auto in_catalogue = [](const CertifiedRow& row) {
    return find_formulation(inverse_formulations<double>(), row.name) != nullptr;
  };
  if (std::ranges::count_if(agreement.inverse, in_catalogue) == 1)
    section.text(
        fmt::format("Of the catalogue only \"{}\" serves the inverse dynamics of this robot: it is compared with "
                    "the paths that are taken without a name.",
                    agreement.inverse.front().name),
        Tone::warning);
  report.verdict = {
      fmt::format("{}: worst {:.2g}, tolerance {:.2g}.", holds ? "All formulations agree" : "Formulations DISAGREE",
                  agreement.worst().measure, a.bound()),
      holds ? Tone::good : Tone::bad};
  section.text(report.verdict.text, report.verdict.tone);
  return report;
}

int print_json(const AgreeArguments& a, const Agreement& agreement, bool holds) {
  JsonWriter json(std::cout);
  json.begin_object().field("tolerance", a.bound()).field("agree", holds);
  write_fields(json, agreement);
  json.end_object();
  return finish_json(json);
}

int certify(const AgreeArguments& a, const Robot& robot) {
  auto forms = robot_forms(robot.description());
  if (!forms) return complain(forms.faults(), exit_impossible);
  const Agreement agreement = agree(*forms, a.count(), a.seeded());
  const Faults errors = broken(agreement, a.bound());
  const Report report = certificate(a, agreement, errors.empty());
  const int code =
      deliver(report, a.against.page, a.against.print, [&] { return print_json(a, agreement, errors.empty()); });
  return code == exit_done && !errors.empty() ? complain(errors, exit_impossible) : code;
}

/// Another engine at random states, then as with its record.
int agree_with_engine(const AgreeArguments& a, const Robot& robot) {
  const WorkFolder folder;
  // a chain that was cut out of the file is no longer what the file says
  const std::string file = a.robot.chain.cuts() ? "" : a.robot.name;
  const EngineRequest request{*a.against.file, a.python.value_or("python3"), file, a.count(), a.seeded()};
  const auto record = run_engine(request, robot, folder);
  if (!record)
    return complain(record.faults(), record.faults().front().rule == "file-write" ? exit_not_written : exit_bad_input);
  if (!record->note.empty()) note(fmt::format("{}: {}", record->version, record->note));
  AgainstArguments against = a.against;
  against.name = record->version.empty() ? *a.against.file : record->version;
  against.file = record->file;
  return agree_against(robot, against);
}

Faults check_mode(const AgreeArguments& a) {
  Faults errors;
  if (a.tolerance && (a.tolerance->size() != 1 || !(a.tolerance->front() >= 0)))
    errors.push_back(
        {{}, "--tolerance", "option-value", "it takes one number, zero or positive", "for example --tolerance 1e-12"});
  refuse_if(a.exact && a.against.file, "--exact", "with --against", errors);
  refuse_if(a.exact && a.states, "--states", "with --exact: it holds for all states", errors);
  refuse_if(a.exact && a.tolerance, "--tolerance", "with --exact: there is none", errors);
  refuse_if(a.against.file && !a.by_engine() && a.states, "--states", "with --against: the file has the states",
            errors);
  refuse_if(a.against.file && !a.by_engine() && a.seed, "--seed", "with --against: the file has the states", errors);
  refuse_if((!a.against.file || a.by_engine()) && a.against.cutoff, "--cutoff", "without a file of --against", errors);
  refuse_if((!a.against.file || a.by_engine()) && a.against.degrees, "--degrees", "without a file of --against",
            errors);
  refuse_if(a.python && !a.by_engine(), "--python", "without an engine of --against", errors);
  refuse_if(a.against.file == "-" && a.robot.name == "-", "--against -",
            "while the robot is read from standard input, too", errors);
  refuse_if(a.against.page == "-" && a.against.print.json, "--html -",
            "while the JSON answer goes to standard output, too", errors);
  collect(read_cutoff(a.against.cutoff), errors);
  return errors;
}

}  // namespace

int agree_verb(Arguments arguments) {
  AgreeArguments a;
  Options options(
      "agree",
      "The certificate: every formulation of the catalogues is run over random states inside the limits, and "
      "each pair is compared by max |dtau| / max (|D qdd| + |h| + |g|). Exit code 1 when a pair is beyond "
      "the tolerance, with pair, state and numbers. With --against FILE, the torques of another tool are "
      "compared instead, joint by joint, and the most likely reason of a difference is reported: gravity, "
      "rotors, friction, inertias about the other point, signs of products, degrees, order or sense of "
      "joints, DH convention, payload; alone or two at once.");
  a.robot.add_to(options);
  options.whole("--states", 1, 10'000'000, a.states, "how many random states; default 100")
      .whole("--seed", 0, 1'000'000'000, a.seed, "of the random states; default 1")
      .numbers("--tolerance", "NUMBER", a.tolerance,
               "largest disagreement that passes; default 1e-12. With --against: the share of a joint's rms torque "
               "below which nothing is a difference; default 1e-6, or 0.02 where qd and qdd are derived")
      .flag("--exact", a.exact,
            "prove instead that the torques of all formulations are the same polynomials, with letters for the numbers "
            "of "
            "the robot; a serial arm only")
      .writes("--html", "FILE", a.against.page, "the certificate as a page (HTML)");
  options.group("Another tool")
      .reads("--against", "FILE", a.against.file,
            "pinocchio, mujoco or drake: that Python package, run on the same robot at random states; or a "
            "CSV with a header line and columns q1.. (or joint names), qd1.., qdd1.., tau1.. (or qd.NAME, qdd.NAME, "
            "tau.NAME), and t if there are times; qd and qdd are derived if there are none; - for standard input")
      .flag("--degrees", a.against.degrees, "angles of the file whose columns name no unit are in degrees")
      .text("--cutoff", "HZ", a.against.cutoff,
            "of the smoothing spline that gives missing qd and qdd; none to interpolate; default a tenth of the sample "
            "rate")
      .text("--python", "PATH", a.python, "the interpreter that has the engine's package; default python3")
      .group("Options");
  a.against.print.add_to(options);
  options.example("puma560 --states 1000", "do all formulations say the same?")
      .example("stanford --exact", "and is that a theorem?")
      .example("arm.urdf --against torques.csv", "why does the other tool say something else?")
      .example("arm.urdf --against mujoco --states 50", "does MuJoCo say the same of this file?");
  if (const auto code = options.parse(arguments)) return *code;
  if (const Faults errors = check_mode(a); !errors.empty()) return complain(errors, exit_bad_input);

  const auto robot = read_robot(a.robot, RobotUse::dynamics);
  if (!robot) return complain(robot.faults(), exit_bad_input);
  if (a.exact) return agree_exactly(*robot, {a.seed, a.against.page, a.against.print});
  if (!a.against.file) return certify(a, *robot);
  if (a.tolerance) a.against.tolerance = a.tolerance->front();
  if (a.by_engine()) return agree_with_engine(a, *robot);
  return agree_against(*robot, a.against);
}

}  // namespace torsor
