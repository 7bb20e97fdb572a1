// The equations of motion in Python, written out.
#include <nanobind/stl/map.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <algorithm>
#include <optional>
#include <string_view>

#include "python/bindings/arrays.hpp"
#include "python/bindings/errors.hpp"
#include "python/bindings/pickles.hpp"
#include "python/bindings/robot.hpp"
#include "python/bindings/rooms.hpp"
#include "torsor/symbolic/equations.hpp"
#include "torsor/symbolic/symbolic_robot.hpp"

namespace torsor::python {
namespace {

using namespace nb::literals;

struct WrittenLine {
  std::string part, name, text, latex;
};

constexpr std::string_view line_break = " \\\\\n ";

struct Written {
  std::string robot;
  std::vector<WrittenLine> lines;
  std::map<std::string, double> numbers;
  int multiplications = 0, additions = 0;
  bool rounded = false;
  std::string limit;
  std::vector<std::string> snaps = {};
  double snap_effect = 0;

  std::string text() const {
    std::string out = robot + ": tau_i = sum_j Dij qdd_j + h_i + G_i, friction apart";
    for (const WrittenLine& line : lines) out += "\n  " + line.name + " = " + line.text;
    return out;
  }
  /// In displays of their own: KaTeX expands at most 1000 macros in one, and every thin space is three.
  std::string latex() const {
    constexpr int most_spaces = 200;
    std::string out, block;
    int spaces = 0;
    const auto close = [&] {
      if (!block.empty())
        out += (out.empty() ? "$$\\begin{aligned}\n" : "\n\n$$\\begin{aligned}\n") + block + "\\end{aligned}$$";
      block.clear();
      spaces = 0;
    };
    for (const WrittenLine& line : lines)
      for (std::string_view rest = line.latex; !rest.empty();) {
        const std::size_t end = std::min(rest.find(line_break), rest.size());
        const std::string_view piece = rest.substr(0, end);
        int more = 1;
        for (std::size_t at = piece.find("\\,"); at != piece.npos; at = piece.find("\\,", at + 2)) ++more;
        if (spaces + more > most_spaces) close();
        block.append(piece).append(" \\\\\n");
        spaces += more;
        rest.remove_prefix(std::min(end + line_break.size(), rest.size()));
      }
    close();
    return out;
  }
};

const char* part_name(EquationPart part) {
  constexpr const char* names[] = {"subexpression", "inertia", "christoffel", "velocity", "gravity"};
  return names[static_cast<std::size_t>(part)];
}

int joint_index(const char* function, const Robot& robot, nb::handle joint) {
  if (joint.is_none()) return -1;
  const std::vector<std::string>& names = robot.model().velocity_names;
  if (nb::isinstance<nb::str>(joint)) {
    const std::string wanted = string_of(function, "joint", joint);
    for (std::size_t k = 0; k < names.size(); ++k)
      if (names[k] == wanted) return static_cast<int>(k);
  } else if (nb::isinstance<nb::int_>(joint)) {
    const int k = nb::cast<int>(joint);
    if (0 <= k && k < robot.model().nv) return k;
  }
  refuse(function, "there is no such joint; expected a name of velocity_names, or an index from 0 to " +
                       std::to_string(robot.model().nv - 1));
}

Written write_equations(const Robot& robot, const std::string& coefficients, nb::handle joint, bool numeric,
                        const std::string& form, bool first_moments, int digits) {
  const char* const function = "equations";
  const auto has = [&](char c) { return coefficients.find(c) != std::string::npos; };
  if (coefficients.empty() || coefficients.find_first_not_of("DCG") != std::string::npos)
    refuse(function, "coefficients is \"" + printable(coefficients) + "\"; expected letters of D, C and G");
  EquationOptions wanted{
      .parts = {has('D'), has('C'), has('G')}, .joint = joint_index(function, robot, joint), .numeric = numeric};
  if (form == "expanded")
    wanted.form = EquationForm::expanded;
  else if (form == "named")
    wanted.form = EquationForm::named;
  else if (form != "automatic")
    refuse(function, "form is \"" + printable(form) + "\"; expected automatic, expanded or named");
  std::optional<Result<SymbolicRobot>> symbolic;
  std::optional<Result<Equations>> found;
  {
    nb::gil_scoped_release release;
    symbolic = symbolic_robot(robot.description(), {.first_moments = first_moments});
    if (*symbolic) found = equations(**symbolic, wanted);
  }
  if (!*symbolic) raise(symbolic->faults());
  const Equations e = value_of(std::move(*found));
  const NumberStyle style{numeric ? digits : 0};
  Written out{robot.model().name, {}, {}, e.cost.multiplications, e.cost.additions, e.rounded, e.limit};
  for (const Snap& snap : (*symbolic)->forms.snaps) out.snaps.push_back(snap.what);
  out.snap_effect = (*symbolic)->snap_effect.relative;
  for (const EquationLine& line : e.lines) {
    const Definition& d = e.definitions[static_cast<std::size_t>(line.definition)];
    std::string latex;
    for (const std::string& piece : latex_lines(to_latex(d.value, e.symbols, e.definitions, style)))
      latex += (latex.empty() ? "" : std::string(line_break) + "&\\quad ") + piece;
    out.lines.push_back({part_name(line.part), d.text(), to_text(d.value, e.symbols, e.definitions, style),
                         d.latex() + " &= " + latex});
  }
  for (const Symbol& symbol : e.symbols.parameters)
    if (symbol.kind < SymbolKind::displacement) out.numbers[symbol.text()] = symbol.value;
  return out;
}

}  // namespace

template <>
struct Parts<WrittenLine> {
  static void each(auto& take, auto& l) { take(l.part, l.name, l.text, l.latex); }
};
template <>
struct Parts<Written> {
  static void each(auto& take, auto& w) {
    take(w.robot, w.lines, w.numbers, w.multiplications, w.additions, w.rounded, w.limit, w.snaps, w.snap_effect);
  }
};

void bind_equations(nb::module_& m) {
  nb::class_<WrittenLine> line_type(m, "EquationLine", "One line of the equations: D11 = ...");
  pickled_by_parts(line_type)
      .def_ro("part", &WrittenLine::part, "subexpression, inertia, christoffel, velocity or gravity.")
      .def_ro("name", &WrittenLine::name, "What is defined: D11, h1, G2, c12(3), t7.")
      .def_ro("text", &WrittenLine::text, "What it is equal to.")
      .def_ro("latex", &WrittenLine::latex, "The whole line for an aligned environment.")
      .def("__repr__", [](const WrittenLine& line) { return line.name + " = " + line.text; });
  nb::class_<Written> type(m, "Equations", "The equations of motion of a robot, written out; LaTeX in notebooks.");
  pickled_by_parts(type)
      .def_ro("lines", &Written::lines, "Line by line; a line refers to earlier ones only.")
      .def_ro("numbers", &Written::numbers, "The numbers that the letters stand for.")
      .def_ro("multiplications", &Written::multiplications, "To evaluate them as written.")
      .def_ro("additions", &Written::additions, "To evaluate them as written.")
      .def_ro("rounded", &Written::rounded, "Whether numbers were rounded to twelve digits.")
      .def_ro("limit", &Written::limit, "Why a part was not multiplied out; empty if all was.")
      .def_ro("snaps", &Written::snaps, "Numbers near special ones (1.5708) that were taken as these.")
      .def_ro("snap_effect", &Written::snap_effect,
              "What that does to the torques, over random states, relative to their size.")
      .def_prop_ro("latex", &Written::latex, "All of it as LaTeX, in displays short enough for KaTeX and MathJax.")
      .def("__str__", &Written::text)
      .def("__repr__", &Written::text)
      .def("_repr_latex_", &Written::latex);
  m.def("equations", write_equations, "robot"_a, "coefficients"_a = "DCG", "joint"_a = nb::none(), "numeric"_a = false,
        "form"_a = "automatic", "first_moments"_a = false, "digits"_a = 6,
        nb::sig("def equations(robot: Robot, coefficients: str = \"DCG\", joint: str | int | None = None, numeric: "
                "bool = False, "
                "form: str = \"automatic\", first_moments: bool = False, digits: int = 6) -> Equations"),
        R"(The equations of motion of a serial arm, written out exactly: inertias D, velocity torques h and gravity G.

coefficients: letters of D, C and G; joint: the equation of one joint; numeric: the robot's numbers in place of letters;
form: "expanded", "named" (subexpressions with names), or "automatic". In a notebook it shows as LaTeX.

>>> import torsor as ts
>>> print(ts.equations(ts.load("two_link"), coefficients="G"))
two-link arm: tau_i = sum_j Dij qdd_j + h_i + G_i, friction apart
  G1 = 1/2 m1 g l C1 + m2 g l C1 + 1/2 m2 g l C12
  G2 = 1/2 m2 g l C12
)");
}

}  // namespace torsor::python
