#include "python/bindings/formulations.hpp"

#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include "python/bindings/results.hpp"
#include "torsor/closed_form_ik/formulation_rows.hpp"
#include "torsor/formulations/forward_catalogue.hpp"

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
      refuse(function,
             "formulation \"" + name + "\" does not serve this robot: a coordinate of it moves several joints");
    return row;
  }
  refuse_name(function, name, forward_formulations<double>);
}

namespace {

nb::object formulations(const std::string& question, const Robot* robot) {
  std::vector<FormulationRow> rows;
  if (robot) {
    const FormulatedRobot formulated{robot->forms(), robot->description()};
    rows = formulation_rows(question, &formulated);
  } else {
    rows = formulation_rows(question);
  }
  if (rows.empty())
    refuse("formulations", "question is \"" + printable(question) +
                               "\"; expected inverse, coefficients, christoffel, mass, gravity, forward or tool");
  return answer_of(rows);
}

}  // namespace

void bind_formulations(nb::module_& m) {
  m.def("formulations", formulations, "question"_a = "", "robot"_a = nb::none(),
        nb::sig(
            "def formulations(question: str = \"\", robot: Robot | None = None) -> list[torsor._results.Formulation]"),
        R"(The formulations of dynamics there are, of one question or of all.

question: "inverse", "coefficients", "christoffel", "mass", "gravity", "forward" or "tool" (motion of the tool to torques).
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
