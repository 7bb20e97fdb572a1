#include "torsor/closed_form_ik/formulation_rows.hpp"

#include "torsor/formulations/catalogue.hpp"
#include "torsor/closed_form_ik/tool_catalogue.hpp"
#include "torsor/formulations/forward_catalogue.hpp"

namespace torsor {
namespace {

template <class Rows>
void add_rows(const char* question, const Rows& rows, const FormulatedRobot* robot, std::vector<FormulationRow>& out) {
  for (const auto& row : rows) {
    FormulationRow& made = out.emplace_back();
    made.question = question;
    made.name = row.name;
    made.frames = "tree";
    made.complexity = row.complexity;
    made.source = row.source;
    if constexpr (std::is_same_v<std::decay_t<decltype(row)>, ToolFormulation<double>>) {
      // of arms with six axes and a spherical wrist, by their DH table
      made.frames = "standard DH";
      made.prismatic = made.trees = made.tip_load = made.moving_base = false;
      if (!robot) continue;
      const auto arm = tool_driven_robot(robot->description);
      made.refusal = arm ? row.premise(*arm) : arm.faults().front().what;
    } else if constexpr (requires { row.can; }) {
      made.frames = row.frames == Frames::tree          ? "tree"
                    : row.frames == Frames::standard_dh ? "standard DH"
                                                        : "modified DH";
      made.prismatic = row.can.prismatic;
      made.trees = row.can.trees;
      made.tip_load = row.can.tip_load;
      made.moving_base = row.can.moving_base;
      if (robot) made.refusal = refusal(row, robot->forms);
    } else if (robot && robot->forms.model.coupled() && !row.coupled) {
      made.refusal = "a coordinate of it moves several joints";
    }
  }
}

}  // namespace

std::vector<FormulationRow> formulation_rows(std::string_view question, const FormulatedRobot* robot) {
  std::vector<FormulationRow> out;
  const auto add = [&](const char* name, const auto& rows) {
    if (question.empty() || question == name) add_rows(name, rows, robot, out);
  };
  add("inverse", inverse_formulations<double>());
  add("coefficients", coefficients_formulations<double>());
  add("christoffel", christoffel_formulations<double>());
  add("mass", mass_formulations<double>());
  add("gravity", gravity_formulations<double>());
  add("forward", forward_formulations<double>);
  add("tool", tool_formulations<double>());
  return out;
}

}  // namespace torsor
