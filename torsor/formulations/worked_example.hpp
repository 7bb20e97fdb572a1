// One state of a robot worked through a formulation step by step, as its textbook does: every vector and every sum with its
// letter, its equation and its number there. The numbers are those that the formulations of the catalogue leave in their
// workspaces; nothing is computed a second way.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "torsor/fields.hpp"
#include "torsor/model/robot_forms.hpp"
#include "torsor/result.hpp"

namespace torsor {

/// One addend of a sum: its letters (LaTeX) and its value.
struct WorkedTerm {
  std::string symbol;
  double value = 0;
};

constexpr auto fields(Of<WorkedTerm>) {
  return field_list("WorkedTerm", "One addend of a sum.",
                    field("symbol", "", "its letters, LaTeX", &WorkedTerm::symbol),
                    field("value", "", "in the unit of the step", &WorkedTerm::value));
}

struct WorkedStep {
  std::string stage;      // of the calculation, as its source divides it
  int link = 0;           // 1 .. n; 0: of all of them
  std::string symbol;     // left side, LaTeX
  std::string equation;   // right side, LaTeX
  std::string reference;  // the equation's number in the source
  std::string unit;
  std::vector<double> values;     // one number, a vector, or a matrix row by row
  std::vector<WorkedTerm> terms;  // of a sum: those that are not zero
};

constexpr auto fields(Of<WorkedStep>) {
  using S = WorkedStep;
  return field_list("WorkedStep", "One step of a worked example.", field("stage", "", "of the calculation", &S::stage),
                    field("link", "", "row of the DH table, from 1; 0 of all", &S::link),
                    field("symbol", "", "left side, LaTeX", &S::symbol),
                    field("equation", "", "right side, LaTeX", &S::equation),
                    field("reference", "", "number of the equation in the source", &S::reference),
                    field("unit", "", "of its values", &S::unit),
                    field("values", "", "a number, a vector, or a matrix row by row", &S::values),
                    field("terms", "", "addends that are not zero, of a sum", &S::terms));
}

struct WorkedExample {
  std::string name, title, source, frames;
  std::vector<WorkedStep> steps;
  std::vector<double> tau;  // of the joints: the last step of each, with what rotors add
};

constexpr auto fields(Of<WorkedExample>) {
  using E = WorkedExample;
  return field_list("WorkedExample", "One state worked through a formulation step by step.",
                    field("name", "", "of the formulation", &E::name), field("title", "", "in words", &E::title),
                    field("source", "", "whose letters and equations these are", &E::source),
                    field("frames", "", "in which the vectors are written", &E::frames),
                    field("steps", "", "in the order of the calculation", &E::steps),
                    field("tau", "N m or N", "of the joints, without friction and without loads at the tool", &E::tau));
}

/// The formulations that can be shown so: names of the catalogue.
std::span<const std::string_view> worked_formulations();

/// One of them at the position of the forms, for qd and qdd (nv each). Refused: a name that is not among them, a robot that
/// is no serial arm.
Result<WorkedExample> worked_example(const RobotForms<double>& forms, std::string_view name, std::span<const double> qd,
                                     std::span<const double> qdd);

}  // namespace torsor
