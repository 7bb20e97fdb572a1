// The catalogues of formulations as one table: of each question what answers it, what each row can do, where it is published.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "torsor/fields.hpp"
#include "torsor/model/description.hpp"
#include "torsor/model/robot_forms.hpp"

namespace torsor {

struct FormulationRow {
  std::string question, name, frames;
  bool prismatic = true, trees = true, moving_base = true, tip_load = true;
  std::string complexity, source, refusal;
};

constexpr auto fields(Of<FormulationRow>) {
  using F = FormulationRow;
  return field_list(
      "Formulation", "A row of a catalogue: one way of answering a question of dynamics.",
      field("question", "", "inverse, coefficients, christoffel, mass, gravity, forward or tool", &F::question),
      field("name", "", "what the argument formulation takes", &F::name),
      field("frames", "", "tree, standard DH or modified DH", &F::frames),
      field("prismatic", "", "serves prismatic joints", &F::prismatic), field("trees", "", "serves trees", &F::trees),
      field("moving_base", "", "takes a base that moves", &F::moving_base),
      field("tip_load", "", "takes a load at the tip", &F::tip_load),
      field("complexity", "", "how it grows with the number of joints", &F::complexity),
      field("source", "", "where it is published", &F::source),
      field("refusal", "", "why it cannot serve the robot that was asked for; empty if it can", &F::refusal));
}

/// A robot as formulations need it.
struct FormulatedRobot {
  const RobotForms<double>& forms;
  const Description& description;
};

/// The rows of a question, or of all for "". With a robot each says why it cannot serve it.
std::vector<FormulationRow> formulation_rows(std::string_view question = "", const FormulatedRobot* robot = nullptr);

}  // namespace torsor
