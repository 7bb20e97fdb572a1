#include "cli/agree_exact.hpp"

#include <fmt/format.h>

#include <iostream>

#include "cli/deliver.hpp"
#include "torsor/structure/exact_agreement.hpp"
#include "torsor/symbolic/random_point.hpp"

namespace torsor {
namespace {

Faults broken(const ExactAgreement& agreement, const Model<double>& model) {
  Faults errors;
  for (const ProvenRow& row : agreement.rows)
    if (!row.equal)
      errors.push_back(fault_of(fmt::format("\"{}\" and \"{}\"", agreement.rows.front().name, row.name), "disagreement",
                                fmt::format("their tau of joint \"{}\" are different polynomials",
                                    model.velocity_names[static_cast<std::size_t>(row.coordinate)]),
                                "torsor agree without --exact shows a state"));
  return errors;
}

Report certificate(const SymbolicRobot& robot, const ExactAgreement& agreement) {
  Report report{fmt::format("{}: proof that the formulations are the same", robot.name),
                fmt::format("tau as polynomials in {} letters, the cosines and sines of {} angles",
                            robot.symbols.parameters.size(), robot.symbols.angles.size())};
  ReportSection& section = report.section("");
  TextTable table{"inverse dynamics", {{""}, {"formulation"}, {"source"}, {"proof by"}, {"terms"}, {"same as 1"}}};
  long long k = 0;
  bool by_field = false;
  for (const ProvenRow& row : agreement.rows) {
    const bool polynomial = row.proof == Proof::polynomial;
    by_field = by_field || !polynomial;
    table.add({++k, std::string(row.name), std::string(row.source), status_name(row.proof),
               polynomial ? std::to_string(row.terms) : "",
               k == 1      ? ""
               : row.equal ? "yes"
                           : "NO"});
  }
  section.table(std::move(table));
  if (!agreement.refused.empty()) {
    TextTable refused{"not for this robot", {{"formulation"}, {"reason"}}};
    for (const RefusedRow& row : agreement.refused) refused.add({std::string(row.name), row.reason});
    section.table(std::move(refused));
  }
  for (const ProvenRow& row : agreement.rows)
    if (row.proof == Proof::finite_field)
      section.text(fmt::format("\"{}\" is not multiplied out: {}.", row.name, row.limit));
  if (by_field)
    section.text(
        fmt::format("By finite field: equal at {} random points of all letters, each modulo a random prime of 61 bits, "
                    "seed {}. Different "
                    "polynomials of degree {} or less would pass with a probability below 2^{:.0f}.",
                    RandomPoint::rounds, agreement.seed, RandomPoint::degree, std::ceil(agreement.log2_error)));
  report.verdict = {agreement.holds() ? "All formulations are the same." : "Formulations DIFFER.",
                    agreement.holds() ? Tone::good : Tone::bad};
  section.text(report.verdict.text, report.verdict.tone);
  return report;
}

}  // namespace

int agree_exactly(const Robot& robot, const ExactAgreeArguments& a) {
  const auto symbolic = symbolic_robot(robot.description());
  if (!symbolic) return complain(symbolic.faults(), exit_impossible);
  note_special(symbolic->forms.snaps, symbolic->snap_effect);
  ProofOptions options;
  if (a.seed) options.seed = static_cast<std::uint64_t>(*a.seed);
  const ExactAgreement agreement = agree_exact(*symbolic, options);
  const Report report = certificate(*symbolic, agreement);
  const int code = deliver(report, a.page, a.print, [&] { return print_result(agreement); });
  const Faults errors = broken(agreement, robot.model());
  return code == exit_done && !errors.empty() ? complain(errors, exit_impossible) : code;
}

}  // namespace torsor
