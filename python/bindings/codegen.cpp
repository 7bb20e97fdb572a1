// Generated C in Python: the text of the file, and its proof.
#include <algorithm>

#include "python/bindings/answer.hpp"
#include "python/bindings/errors.hpp"
#include "python/bindings/reduced_model.hpp"
#include "python/bindings/results.hpp"
#include "python/bindings/robot.hpp"
#include "python/bindings/rooms.hpp"
#include "torsor/codegen/code_ik.hpp"
#include "torsor/codegen/polynomial_results.hpp"
#include "torsor/codegen/prove.hpp"

namespace torsor::python {
namespace {

using namespace nb::literals;

/// What code is generated for, and how.
struct Order {
  CodeSubject subject;
  CodeOptions options;
  std::optional<CodeIk> ik;
};

void fill(Order& order, const char* f, const Robot& robot, nb::handle functions, const std::string& real,
          const std::string& name, nb::handle frame, int straight_up_to, const Reduced* reduced, bool position_only) {
  std::vector<std::string_view> known;
  for (const CodeFunctionRow& each : code_functions) known.push_back(each.name);
  std::vector<CodeFunction>& wanted = order.options.functions;
  wanted.clear();
  const auto add = [&](CodeFunction function) {
    if (std::find(wanted.begin(), wanted.end(), function) == wanted.end()) wanted.push_back(function);
  };
  const auto add_word = [&](const std::string& word) {
    // inverse kinematics is for some arms only, and asked for by its name
    if (word != "all") return add(code_functions[word_of(f, "functions", word, known)].function);
    for (const CodeFunctionRow& each : code_functions)
      if (each.function != CodeFunction::ik) add(each.function);
  };
  for (const std::string& word : strings_of(f, "functions", functions)) add_word(word);
  if (wanted.empty()) refuse(f, "functions is empty; expected names of code_functions");
  order.options.real = word_of(f, "real", real, {"double", "float"}) == 1 ? c_float : c_double;
  order.options.name = name;
  if (straight_up_to < 0) refuse(f, "straight_up_to is negative; expected a number of coordinates");
  order.options.straight_up_to = straight_up_to;
  order.subject.model = &robot.coordinates();
  if (robot.loops()) order.subject.closed = &robot;
  order.subject.tool = robot.frame(f, frame);
  if (reduced) {
    check_reduced(*reduced, robot);
    order.subject.reduced = &reduced->model;
  }
  const bool wants_ik = std::find(wanted.begin(), wanted.end(), CodeFunction::ik) != wanted.end();
  if (position_only && !wants_ik) refuse(f, "position_only is for the function 'ik', which functions has not");
  if (!robot.loops() && wants_ik)
    order.subject.ik = &order.ik.emplace(value_of(code_ik(robot, order.subject.tool, position_only)));
}

GeneratedCode generated(const Order& order) {
  std::optional<Result<GeneratedCode>> code;
  {
    const nb::gil_scoped_release release;
    code.emplace(codegen(order.subject, order.options));
  }
  return value_of(*std::move(code));
}

nb::object generate(const Robot& robot, nb::handle functions, const std::string& real, const std::string& name,
                    nb::handle frame, int straight_up_to, const Reduced* reduced, bool position_only) {
  Order order;
  fill(order, "codegen", robot, functions, real, name, frame, straight_up_to, reduced, position_only);
  return answer_of(generated(order));
}

nb::object prove_generated(const Robot& robot, nb::handle functions, const std::string& real, const std::string& name,
                 nb::handle frame, int straight_up_to, const Reduced* reduced, bool position_only, int states,
                           std::uint64_t seed) {
  Order order;
  fill(order, "prove_code", robot, functions, real, name, frame, straight_up_to, reduced, position_only);
  if (states < 1) refuse("prove_code", "states is " + std::to_string(states) + "; expected 1 or more");
  const GeneratedCode code = generated(order);
  std::optional<Result<CodeProof>> made;
  {
    const nb::gil_scoped_release release;
    const auto polynomials = robot.loops() ? std::nullopt : polynomial_arm(robot.description());
    CodeProofOptions options;
    options.states = states;
    options.seed = seed;
    made.emplace(prove_code(code, order.subject, order.options.real, polynomials ? &*polynomials : nullptr, options));
  }
  return answer_of(value_of(*std::move(made)));
}

nb::dict functions() {
  nb::dict out;
  for (const CodeFunctionRow& each : code_functions) out[std::string(each.name).c_str()] = std::string(each.what);
  return out;
}

}  // namespace

#define TORSOR_CODE_ARGUMENTS                                                                                       \
  "functions: collections.abc.Sequence[str] | str = \"id\", real: str = \"double\", name: str = \"\", frame: " \
  "str | None = None, straight_up_to: int = 10, reduced: ReducedModel | None = None, " \
  "position_only: bool = False"

void bind_codegen(nb::module_& m) {
  m.def("code_functions", functions, nb::sig("def code_functions() -> dict[str, str]"),
        R"(Names of the functions that C can be generated for, and what they compute.

>>> import torsor as ts
>>> ts.code_functions()["gravity"]
'torques tau that hold the robot still'
)");
  m.def(
      "codegen", generate, "robot"_a, "functions"_a = "id", "real"_a = "double", "name"_a = "", "frame"_a = nb::none(),
      "straight_up_to"_a = 10, "reduced"_a = nb::none(), "position_only"_a = false,
      nb::sig("def codegen(robot: Robot, " TORSOR_CODE_ARGUMENTS ") -> torsor._results.GeneratedCode"),
      R"(C99 for functions of one robot, in one file without allocation: its text, that of its header, and what it costs.

functions: names of :func:`code_functions`, or 'all'. real: 'double' or 'float'. name: what the functions' names begin
with. frame: the tool of fk, jacobian and ik. straight_up_to: coordinates; with more the code is loops. reduced: a
:class:`ReducedModel` of the robot, by which the dynamics are then; friction is the robot's. position_only: ik of the tool's place
alone, of arms with two and three joints.

>>> import torsor as ts
>>> code = ts.codegen(ts.load("two_link"), ["id", "mass"], name="arm")
>>> [function.name for function in code.functions], "void arm_id(" in code.source
(['arm_id', 'arm_mass'], True)
)");
  m.def("prove_code", prove_generated, "robot"_a, "functions"_a = "id", "real"_a = "double", "name"_a = "",
        "frame"_a = nb::none(), "straight_up_to"_a = 10, "reduced"_a = nb::none(), "position_only"_a = false, nb::kw_only(), "states"_a = 100,
        "seed"_a = 2026,
        nb::sig("def prove_code(robot: Robot, " TORSOR_CODE_ARGUMENTS
                ", *, states: int = 100, seed: int = 2026) -> torsor._results.CodeProof"),
        R"(Generates the same, compiles it with the system's C compiler, runs it and compares it with this library.

The compiler is $CC, or else cc, gcc or clang; torsor.Error where there is none, or with what it said.

>>> import torsor as ts
>>> proof = ts.prove_code(ts.load("two_link"), "id")
>>> proof.holds
True
)");
}

}  // namespace torsor::python
