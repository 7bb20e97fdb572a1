#include "cli/quoted_report.hpp"

#include <fmt/format.h>

#include <iostream>

#include "cli/files.hpp"
#include "torsor/dynamics/quoted_tables.hpp"
#include "torsor/io/load_robot.hpp"

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
  return extent == Extent::live ? ", live" : extent == Extent::used ? ", used" : "";
}

}  // namespace

std::vector<TextTable> quoted_report() {
  std::vector<TextTable> out;
  for (const QuotedTable& quoted : quoted_tables()) {
    TextTable table{fmt::format("{}: {}", quoted.source, quoted.title),
                    {{"row"}, {"printed *"}, {"printed +"}, {"n = 6"}, {"executed *"}, {"executed +"}, {"n = 6"}, {"how"}, {"remark"}},
                    {}};
    for (const QuotedRow& row : quoted.rows) {
      const auto again = recount(row.recount, shipped);
      std::string how = "quoted", six;
      if (again) {
        six = fmt::format("{} / {}", again->at_six.multiplications, again->at_six.additions);
        how = fmt::format("{}, {}{}", row.recount.formulation, rule_name(row.recount.rule), extent_name(row.recount.extent));
      }
      table.add({std::string(row.label), std::string(row.multiplications), std::string(row.additions),
                 std::string(row.at_six), again ? law(again->multiplications) : "", again ? law(again->additions) : "", six,
                 how, std::string(row.remark)});
    }
    out.push_back(std::move(table));
  }
  return out;
}

int print_quoted_tables(const PrintArguments& print) {
  const std::vector<TextTable> tables = quoted_report();
  if (print.json) {
    JsonWriter json(std::cout);
    json.begin_object().key("tables").begin_array();
    for (const TextTable& table : tables) write_data(table, json);
    json.end_array().end_object();
    return finish_json(json);
  }
  std::cout << "what the literature prints, and what the same algorithm executes (* multiplications, + additions)\n";
  for (const TextTable& table : tables) std::cout << '\n' << to_text(table);
  return finish_standard_output();
}

}  // namespace torsor
