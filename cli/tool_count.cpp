#include "cli/tool_count.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iostream>

#include "cli/files.hpp"
#include "cli/robot_argument.hpp"
#include "torsor/closed_form_ik/tool_census.hpp"
#include "torsor/formulations/census_result.hpp"
#include "torsor/text/result_json.hpp"

namespace torsor {
namespace {

TextTable::Cell whole_number(int x) { return static_cast<long long>(x); }

}  // namespace

int print_tool_count(const std::string& title, const Description& description, const PrintArguments& print) {
  const auto robot = tool_driven_robot(description, GeometryTolerance{});
  if (!robot) return complain(robot.faults(), exit_impossible);
  note_special(robot->forms, description);
  const std::vector<ToolCensusRow> rows = tool_census(*robot);
  const bool is_counted = std::ranges::any_of(rows, [](const ToolCensusRow& row) { return row.refusal.empty(); });
  const auto concluded = [&](int code) {
    if (code != exit_done || is_counted) return code;
    return complain({fault_of("--tool", "count-hand", "no path of this robot can be counted",
                              "each is given with its reason; torsor bench ROBOT --ik times those that serve it")},
                    exit_impossible);
  };
  if (print.json) {
    JsonWriter json(std::cout);
    json.begin_object().field("robot", title);
    write_json(json.key("paths"), rows);
    json.end_object();
    return concluded(finish_json(json));
  }
  const auto unfused = std::ranges::find(rows, "unfused", &ToolCensusRow::name);
  TextTable table{"", {{"path"}, {"all *"}, {"+"}, {"live *"}, {"+"}, {"besides"}, {"saved *"}, {"+"}, {"source"}}};
  TextTable refused{"cannot be counted for this robot", {{"path"}, {"because"}}};
  for (const ToolCensusRow& row : rows) {
    if (!row.refusal.empty()) {
      refused.add({row.name, row.refusal});
      continue;
    }
    const OperationCount &a = row.count.all, &l = row.count.live, &u = unfused->count.all;
    table.add({row.name, whole_number(a.multiplications), whole_number(a.additions), whole_number(l.multiplications),
               whole_number(l.additions), whole_number(row.transcendental()),
               whole_number(u.multiplications - a.multiplications), whole_number(u.additions - a.additions),
               row.source});
  }
  std::cout << fmt::format("operations from the motion of the tool to torques: {}\n", title);
  if (!table.rows.empty())
    std::cout << fmt::format(
        "\nmultiplications (and divisions) and additions per instant, zeros and ones used; live: without what nothing\n"
        "asked for depends on; besides: roots, sines, cosines and arctangents; saved: against inverse kinematics\n"
        "followed by dynamics\n\n{}",
        to_text(table));
  if (!refused.rows.empty()) std::cout << '\n' << to_text(refused);
  return concluded(finish_standard_output());
}

}  // namespace torsor
