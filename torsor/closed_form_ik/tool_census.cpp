#include "torsor/closed_form_ik/tool_census.hpp"

#include "torsor/closed_form_ik/record_rotary.hpp"
#include "torsor/scalar/trace_passes.hpp"

namespace torsor {

std::vector<ToolCensusRow> tool_census(const ToolDrivenRobot<double>& robot) {
  const ToolDrivenRobot<Trace> traced = cast<Trace>(robot, [](double x) { return Trace(x); });
  std::vector<ToolCensusRow> rows;
  for (const ToolFormulation<Trace>& formulation : tool_formulations<Trace>()) {
    ToolCensusRow row{std::string(formulation.name),
                      std::string(formulation.source),
                      std::string(formulation.complexity),
                      formulation.premise(traced),
                      {}};
    if (row.refusal.empty()) {
      const Tape tape = record(formulation, robot);
      row.count = {count_steps(tape, ""), count_steps(live(fold(tape)), "")};
    }
    rows.push_back(std::move(row));
  }
  return rows;
}

}  // namespace torsor
