// What each path from the motion of the tool to torques costs: operations executed for an arm, read off the recorded
// tape, zeros and ones used. A division is a multiplication.
#pragma once

#include "torsor/formulations/census_result.hpp"
#include "torsor/formulations/operation_census.hpp"
#include "torsor/closed_form_ik/tool_catalogue.hpp"

namespace torsor {

/// Multiplications and additions alone.
struct ToolCount {
  OperationCount of;
};

constexpr auto fields(Of<ToolCount>) {
  return field_list(
      "ToolCount", "Multiplications and additions.",
      field("multiplications", "", "and divisions", [](const ToolCount& c) { return c.of.multiplications; }),
      field("additions", "", "", [](const ToolCount& c) { return c.of.additions; }));
}

struct ToolCensusRow {
  std::string name, source, complexity;
  std::string refusal;  // why it does not serve this arm, or cannot be recorded for it; then there are no counts
  Tally count;          // all that is executed, and what a torque or a rate depends on

  int transcendental() const { return count.all.square_roots + count.all.trigonometric + count.all.arctangents; }
};

constexpr auto fields(Of<ToolCensusRow>) {
  using R = ToolCensusRow;
  // counted for an instant, without what is in `transcendental`
  const auto counted = [](OperationCount Tally::*which) {
    return [which](const R& r) { return r.refusal.empty() ? std::optional(ToolCount{r.count.*which}) : std::nullopt; };
  };
  return field_list(
      "ToolCensusRow", "What a path from the motion of the tool to torques costs.", field("name", "", "", &R::name),
      field("source", "", "", &R::source), field("complexity", "", "", &R::complexity),
      field("all", "", "that are executed", counted(&Tally::all)).or_absent(),
      field("live", "", "without what nothing asked for depends on", counted(&Tally::live)).or_absent(),
      field("transcendental", "", "roots, sines, cosines and arctangents",
            [](const R& r) { return r.refusal.empty() ? std::optional(r.transcendental()) : std::nullopt; })
          .or_absent(),
      field("refused", "", "why it cannot be counted", [](const R& r) {
        return r.refusal.empty() ? std::nullopt : std::optional(r.refusal);
      }).or_absent());
}

/// Every path for one arm.
std::vector<ToolCensusRow> tool_census(const ToolDrivenRobot<double>&);

}  // namespace torsor
