// Code generation in Python: C99 for the functions of one robot.
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include "python/bindings/arrays.hpp"
#include "python/bindings/errors.hpp"
#include "python/bindings/robot.hpp"
#include "python/bindings/rooms.hpp"
#include "torsor/codegen/generate.hpp"

namespace torsor::python {
namespace {

using namespace nb::literals;

GeneratedCode generate(const Robot& robot, const std::vector<std::string>& functions, const std::string& real,
                       const std::string& name, nb::handle frame, int straight_up_to) {
  const char* const f = "generate_code";
  CodeOptions options;
  options.functions.clear();
  for (const std::string& each : functions) {
    const auto function = code_function(each);
    if (!function) {
      std::string all;
      for (const CodeFunctionRow& row : code_functions) (all += all.empty() ? "" : ", ") += row.name;
      refuse(f, "there is no function \"" + printable(each) + "\"; expected some of " + all);
    }
    options.functions.push_back(*function);
  }
  if (options.functions.empty()) refuse(f, "functions is empty; expected one or more");
  if (real != "double" && real != "float") refuse(f, "real is \"" + printable(real) + "\"; expected double or float");
  options.real = real == "float" ? c_float : c_double;
  options.name = name.empty() ? c_identifier(robot.model.name) : c_identifier(name);
  options.straight_up_to = straight_up_to;
  CodeSubject subject{.model = &robot.model, .tool = robot.frame(f, frame)};
  std::optional<ArmSolver> arm;
  if (std::find(options.functions.begin(), options.functions.end(), CodeFunction::ik) != options.functions.end())
    subject.arm = &arm.emplace(value_of(arm_solver(robot.description)));
  std::optional<Result<GeneratedCode>> code;
  {
    nb::gil_scoped_release release;
    code = generate_code(subject, options);
  }
  return value_of(std::move(*code));
}

}  // namespace

void bind_codegen(nb::module_& m) {
  nb::class_<GeneratedFunction>(m, "GeneratedFunction", "A function of generated code.")
      .def_ro("name", &GeneratedFunction::name, "In C.")
      .def_prop_ro("multiplications", [](const GeneratedFunction& g) { return g.count.multiplications; }, "As printed.")
      .def_prop_ro("additions", [](const GeneratedFunction& g) { return g.count.additions; }, "As printed.")
      .def_ro("angles", &GeneratedFunction::angles, "Of which it takes sine and cosine.")
      .def("__repr__", [](const GeneratedFunction& g) { return "<GeneratedFunction " + g.name + ">"; });
  nb::class_<GeneratedCode>(m, "GeneratedCode", "C99 for one robot: with -DTORSOR_SELF_TEST the source is a program that tests itself.")
      .def_ro("source", &GeneratedCode::source, "The text of the .c file.")
      .def_ro("header", &GeneratedCode::header, "The text of the .h file.")
      .def_ro("functions", &GeneratedCode::functions, "What is in it.")
      .def("__repr__", [](const GeneratedCode& g) {
        std::string text = "<GeneratedCode:";
        for (const GeneratedFunction& each : g.functions) text += " " + each.name;
        return text + ">";
      });
  m.def("generate_code", generate, "robot"_a, "functions"_a = std::vector<std::string>{"id"}, "real"_a = "double", "name"_a = "",
        "frame"_a = nb::none(), "straight_up_to"_a = 10,
        nb::sig("def generate_code(robot: Robot, functions: collections.abc.Sequence[str] = ('id',), real: str = \"double\", name: str = \"\", "
                "frame: str | None = None, straight_up_to: int = 10) -> GeneratedCode"),
        R"(C99 for one robot, without dependencies.

functions: some of id, bias, gravity, mass, coriolis, fd, fk, jacobian, derivatives, ik. real: "double" or "float". name:
what the functions' names begin with. straight_up_to: with more coordinates the code is loops.

>>> import torsor as ts
>>> code = ts.generate_code(ts.load("puma560"), ["id", "mass"], name="puma")
>>> [f.name for f in code.functions]
['puma_id', 'puma_mass']
)");
}

}  // namespace torsor::python
