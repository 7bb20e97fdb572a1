#include "cli/quoted_report.hpp"

#include <fmt/format.h>

#include <iostream>

#include "cli/files.hpp"
#include "torsor/formulations/quoted_tables.hpp"
#include "torsor/closed_form_ik/quoted_rates.hpp"
#include "torsor/files/load_robot.hpp"

namespace torsor {
namespace {

RobotForms<double> shipped(std::string_view name) {
  const auto robot = load_robot(std::string(name));
  TORSOR_EXPECT(robot);
  return *robot_forms(*robot);
}

std::string law(const std::optional<ExactPolynomial>& polynomial) { return polynomial ? to_text(*polynomial) : ""; }

const char* rule_name(Rule rule) {
  return rule == Rule::dense ? "dense" : rule == Rule::listing ? "listing" : "structured";
}

const char* extent_name(Extent extent) {
  return extent == Extent::live ? ", live" : extent == Extent::used ? ", without dead code" : "";
}

QuotedSheet rates_sheet(const QuotedRatesTable& quoted) {
  QuotedSheet sheet{
      {fmt::format("{}: {}", quoted.source, quoted.title), {{"row"}, {"printed * / +"}, {"executed * / +"}}, {}}, {}};
  for (const QuotedRates& row : quoted.rows) {
    std::string executed = "quoted";
    if (row.executed) {
      const OperationCount c = row.executed(shipped);
      executed = fmt::format("{} / {}", c.multiplications, c.additions);
    }
    sheet.table.add({std::string(row.label), std::string(row.printed), executed});
    if (!row.remark.empty()) sheet.remarks.push_back(fmt::format("{}: {}", row.label, row.remark));
  }
  return sheet;
}

}  // namespace

std::vector<QuotedSheet> quoted_report() {
  std::vector<QuotedSheet> out;
  for (const QuotedTable& quoted : quoted_tables()) {
    QuotedSheet sheet{{fmt::format("{}: {}", quoted.source, quoted.title),
                       {{"row"}, {"printed *"}, {"printed +"}, {"n = 6"}, {"executed *"}, {"executed +"}, {"n = 6"}},
                       {}},
                      {}};
    for (const QuotedRow& row : quoted.rows) {
      const auto again = recount(row.recount, shipped);
      const bool has_figures = !row.at_six.empty();
      std::string six = has_figures ? "quoted" : "", remark(row.remark);
      if (again) {
        six = fmt::format("{} / {}", again->at_six.multiplications, again->at_six.additions);
        remark = fmt::format("{}, {} rule{}{}{}", row.recount.formulation, rule_name(row.recount.rule),
                             extent_name(row.recount.extent), remark.empty() ? "" : "; ", remark);
      }
      sheet.table.add({std::string(row.label), std::string(row.multiplications), std::string(row.additions),
                       std::string(row.at_six), again ? law(again->multiplications) : "",
                       again ? law(again->additions) : "", six});
      if (!remark.empty()) sheet.remarks.push_back(fmt::format("{}: {}", row.label, remark));
    }
    out.push_back(std::move(sheet));
  }
  for (const QuotedRatesTable& quoted : quoted_rates()) out.push_back(rates_sheet(quoted));
  return out;
}

int print_quoted_tables(const PrintArguments& print) {
  const std::vector<QuotedSheet> sheets = quoted_report();
  if (print.json) {
    JsonWriter json(std::cout);
    json.begin_object().key("tables").begin_array();
    for (const QuotedSheet& sheet : sheets) {
      json.begin_object().key("table");
      write_data(sheet.table, json);
      field(json, "remarks", sheet.remarks);
      json.end_object();
    }
    json.end_array().end_object();
    return finish_json(json);
  }
  std::cout << "what the literature prints, and what the same algorithm executes (* multiplications, + additions)\n";
  for (const QuotedSheet& sheet : sheets) {
    std::cout << '\n' << to_text(sheet.table) << '\n';
    for (const std::string& remark : sheet.remarks) std::cout << "  " << remark << '\n';
  }
  return finish_standard_output();
}

}  // namespace torsor
