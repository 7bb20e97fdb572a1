#include "python/bindings/formulations.hpp"

#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include "python/bindings/pickles.hpp"
#include "torsor/ik/hand_catalogue.hpp"

namespace torsor::python {

using namespace nb::literals;

std::string formulation_name(const char* function, nb::handle name) {
  if (!nb::isinstance<nb::str>(name)) refuse(function, "formulation is no name; expected a str");
  return string_of(function, "formulation", name);
}

const ForwardFormulation<double>& forward_formulation_of(const char* function, nb::handle given, const Robot& robot) {
  const std::string name = formulation_name(function, given);
  for (const auto& row : forward_formulations<double>) {
    if (row.name != name) continue;
    if (robot.model().coupled() && !row.coupled)
      refuse(function, "formulation \"" + name + "\" does not serve this robot: a coordinate of it moves several joints");
    return row;
  }
  refuse_name(function, name, forward_formulations<double>);
}

namespace {

/// A row of a catalogue, as Python sees it.
struct FormulationRow {
  std::string question, name, source, complexity, refusal;
};

template <class Row>
void add_rows(std::string_view question, std::span<const Row> rows, const Robot* robot, std::vector<FormulationRow>& out) {
  for (const Row& row : rows)
    out.push_back({std::string(question), std::string(row.name), std::string(row.source), std::string(row.complexity),
                   robot ? refusal(row, robot->forms()) : ""});
}

/// Of the question "hand motion to torques", which arms of six axes with a spherical wrist have.
void add_hand_rows(const Robot* robot, std::vector<FormulationRow>& out) {
  const auto arm = robot ? std::optional(hand_robot(robot->description())) : std::nullopt;
  for (const auto& row : hand_formulations<double>())
    out.push_back({"hand", std::string(row.name), std::string(row.source), std::string(row.complexity),
                   !arm ? "" : *arm ? row.premise(**arm) : arm->faults().front().what});
}

std::vector<FormulationRow> formulations(const std::string& question, const Robot* robot) {
  std::vector<FormulationRow> out;
  const auto wanted = [&](std::string_view each) { return question.empty() || question == each; };
  if (wanted("inverse")) add_rows("inverse", inverse_formulations<double>(), robot, out);
  if (wanted("coefficients")) add_rows("coefficients", coefficients_formulations<double>(), robot, out);
  if (wanted("christoffel")) add_rows("christoffel", christoffel_formulations<double>(), robot, out);
  if (wanted("mass")) add_rows("mass", mass_formulations<double>(), robot, out);
  if (wanted("gravity")) add_rows("gravity", gravity_formulations<double>(), robot, out);
  if (wanted("forward"))
    for (const auto& row : forward_formulations<double>)
      out.push_back({"forward", std::string(row.name), std::string(row.source), std::string(row.complexity),
                     robot && robot->model().coupled() && !row.coupled ? "a coordinate of it moves several joints" : ""});
  if (wanted("hand")) add_hand_rows(robot, out);
  if (out.empty())
    refuse("formulations", "question is \"" + printable(question) +
                               "\"; expected inverse, coefficients, christoffel, mass, gravity, forward or hand");
  return out;
}

}  // namespace

template <>
struct Parts<FormulationRow> {
  static void each(auto& take, auto& row) { take(row.question, row.name, row.source, row.complexity, row.refusal); }
};

void bind_formulations(nb::module_& m) {
  nb::class_<FormulationRow> type(m, "Formulation", "A row of a catalogue: one way of answering a question of dynamics.");
  pickled_by_parts(type)
      .def_ro("question", &FormulationRow::question, "inverse, coefficients, christoffel, mass, gravity, forward or hand.")
      .def_ro("name", &FormulationRow::name, "What the argument formulation takes.")
      .def_ro("source", &FormulationRow::source, "Where it is published.")
      .def_ro("complexity", &FormulationRow::complexity, "How it grows with the number of joints.")
      .def_ro("refusal", &FormulationRow::refusal, "Why it cannot serve the robot that was asked for; empty if it can.")
      .def("__repr__", [](const FormulationRow& row) {
        return "<Formulation " + row.question + "/" + row.name + ", " + row.complexity + ">";
      });
  m.def("formulations", formulations, "question"_a = "", "robot"_a = nb::none(),
        nb::sig("def formulations(question: str = \"\", robot: Robot | None = None) -> list[Formulation]"),
        R"(The formulations of dynamics there are, of one question or of all.

question: "inverse", "coefficients", "christoffel", "mass", "gravity", "forward" or "hand" (motion of the hand to torques).
With a robot, each row says in refusal why it cannot serve it.

>>> import torsor as ts
>>> [row.name for row in ts.formulations("forward")]
['articulated-body', 'mass-matrix']
>>> stanford = ts.load("stanford")
>>> [row.name for row in ts.formulations("inverse", stanford) if row.refusal][:1]
['rotary']
)");
}

}  // namespace torsor::python
