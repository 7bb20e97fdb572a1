// What the equations look like, in Python: written out, their exact structure, couplings, dominance, reduced models.
#include <nanobind/stl/map.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/unique_ptr.h>
#include <nanobind/stl/vector.h>

#include <cmath>

#include "python/bindings/arrays.hpp"
#include "python/bindings/errors.hpp"
#include "python/bindings/robot.hpp"
#include "python/bindings/rooms.hpp"
#include "python/bindings/signature.hpp"
#include "torsor/io/reduced_toml.hpp"
#include "torsor/numeric/row_major.hpp"
#include "torsor/structure/dominance.hpp"
#include "torsor/structure/equations.hpp"
#include "torsor/structure/reduce_model.hpp"
#include "torsor/structure/structure_answer.hpp"
#include "torsor/trajectory/any_motion.hpp"

namespace torsor::python {
namespace {

using namespace nb::literals;

// equations

struct WrittenLine {
  std::string part, name, text, latex;
};

struct Written {
  std::string robot;
  std::vector<WrittenLine> lines;
  std::map<std::string, double> numbers;
  int multiplications = 0, additions = 0;
  bool rounded = false;
  std::string limit;

  std::string text() const {
    std::string out = robot + ": tau_i = sum_j Dij qdd_j + h_i + G_i, friction apart";
    for (const WrittenLine& line : lines) out += "\n  " + line.name + " = " + line.text;
    return out;
  }
  std::string latex() const {
    std::string out = "$$\\begin{aligned}\n";
    for (const WrittenLine& line : lines) out += line.latex + " \\\\\n";
    return out + "\\end{aligned}$$";
  }
};

const char* part_name(EquationPart part) {
  constexpr const char* names[] = {"subexpression", "inertia", "christoffel", "velocity", "gravity"};
  return names[static_cast<std::size_t>(part)];
}

int joint_index(const char* function, const Robot& robot, nb::handle joint) {
  if (joint.is_none()) return -1;
  const std::vector<std::string>& names = robot.model.velocity_names;
  if (nb::isinstance<nb::str>(joint)) {
    for (std::size_t k = 0; k < names.size(); ++k)
      if (names[k] == nb::cast<std::string>(joint)) return static_cast<int>(k);
  } else if (nb::isinstance<nb::int_>(joint)) {
    const int k = nb::cast<int>(joint);
    if (0 <= k && k < robot.model.nv) return k;
  }
  refuse(function, "there is no such joint; expected a name of velocity_names, or an index from 0 to " +
                       std::to_string(robot.model.nv - 1));
}

Written write_equations(const Robot& robot, const std::string& coefficients, nb::handle joint, bool numeric,
                        const std::string& form, bool first_moments, int digits) {
  const char* const function = "equations";
  const auto has = [&](char c) { return coefficients.find(c) != std::string::npos; };
  if (coefficients.empty() || coefficients.find_first_not_of("DCG") != std::string::npos)
    refuse(function, "coefficients is \"" + printable(coefficients) + "\"; expected letters of D, C and G");
  EquationOptions wanted{.parts = {has('D'), has('C'), has('G')}, .joint = joint_index(function, robot, joint), .numeric = numeric};
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
    symbolic = symbolic_robot(robot.description, {.first_moments = first_moments});
    if (*symbolic) found = equations(**symbolic, wanted);
  }
  if (!*symbolic) raise(symbolic->errors());
  const Equations e = value_of(std::move(*found));
  const NumberStyle style{numeric ? digits : 0};
  Written out{robot.model.name, {}, {}, e.cost.multiplications, e.cost.additions, e.rounded, e.limit};
  for (const EquationLine& line : e.lines) {
    const Definition& d = e.definitions[static_cast<std::size_t>(line.definition)];
    std::string latex;
    for (const std::string& piece : latex_lines(to_latex(d.value, e.symbols, e.definitions, style)))
      latex += (latex.empty() ? "" : " \\\\\n &\\quad ") + piece;
    out.lines.push_back({part_name(line.part), d.text(), to_text(d.value, e.symbols, e.definitions, style),
                         d.latex() + " &= " + latex});
  }
  for (const Symbol& symbol : e.symbols.parameters)
    if (symbol.kind < SymbolKind::displacement) out.numbers[symbol.text()] = symbol.value;
  return out;
}

// structure

struct Structure {
  StructureAnswer answer;
};

std::vector<std::string> coefficient_names(const Structure& s) {
  std::vector<std::string> out;
  for (const Coefficient& c : s.answer.numbers().coefficients) out.push_back(to_text(c, s.answer.numbers().n));
  return out;
}

std::vector<bool> nonzero(const Structure& s, const std::string& level) {
  constexpr const char* names[] = {"numbers", "equal-moments", "zeros", "generic"};
  for (std::size_t k = 0; k < levels.size(); ++k)
    if (level == names[k]) {
      const std::vector<char>& flags = s.answer.at(levels[k]).nonzero;
      return {flags.begin(), flags.end()};
    }
  refuse("nonzero", "level is \"" + printable(level) + "\"; expected numbers, equal-moments, zeros or generic");
}

// reduced models

struct Reduced {
  Reduction reduction;
  mutable Pool<ReducedDynamics<double>> pool;

  explicit Reduced(Reduction r) : reduction(std::move(r)) {}
  auto dynamics() const {
    return pool.lease([this] { return std::make_unique<ReducedDynamics<double>>(reduction.model); });
  }
};

std::unique_ptr<Reduced> reduce(const Robot& robot, const AnyMotion& motion, double tolerance, bool consistent,
                                bool on_ranges, int steps) {
  ReduceOptions options;
  options.tolerance = tolerance;
  options.consistent = consistent;
  options.on_ranges = on_ranges;
  if (!(tolerance > 0) || !(tolerance < 1)) refuse("reduce_model", "tolerance is " + std::to_string(tolerance) + "; expected between 0 and 1");
  if (steps < 1) refuse("reduce_model", "steps is " + std::to_string(steps) + "; expected 1 or more");
  if (motion.size() != static_cast<std::size_t>(robot.model.nv))
    refuse("reduce_model", "the motion has " + std::to_string(motion.size()) + " coordinates; expected " + std::to_string(robot.model.nv));
  std::optional<Result<Reduction>> found;
  {
    nb::gil_scoped_release release;
    found = reduce_model(robot.description, course_of(motion, steps), options);
  }
  return std::make_unique<Reduced>(value_of(std::move(*found)));
}

nb::object reduced_inverse(const Reduced& model, nb::handle q, nb::handle qd, nb::handle qdd, nb::handle out, int threads) {
  RowCall call("inverse_dynamics", threads);
  const int n = model.reduction.model.size();
  call.take("q", q, n).take("qd", qd, n, Need::optional).take("qdd", qdd, n, Need::optional).settle();
  call.give(out, {n});
  call.share([&](std::int64_t first, std::int64_t count) {
    const auto dynamics = model.dynamics();
    for (std::int64_t k = first; k < first + count; ++k)
      dynamics->inverse(call.row(0, k), call.row(1, k), call.row(2, k), call.answer(0, k));
  });
  return call.result();
}

nb::object reduced_mass(const Reduced& model, nb::handle q, nb::handle out, int threads) {
  RowCall call("mass_matrix", threads);
  const int n = model.reduction.model.size();
  call.take("q", q, n).settle();
  call.give(out, {n, n});
  call.share([&](std::int64_t first, std::int64_t count) {
    const auto dynamics = model.dynamics();
    for (std::int64_t k = first; k < first + count; ++k) dynamics->mass(call.row(0, k), call.answer(0, k));
  });
  return call.result();
}

// couplings

nb::object couplings(const Robot& robot, nb::handle q, nb::handle out, int threads) {
  RowCall call("coupling", threads);
  const int n = robot.model.nv;
  call.take("q", q, robot.model.nq).settle();
  call.give(out, {n, n});
  // k_ij = |d_ij| / sqrt(d_ii d_jj), written over the mass matrices (coupling.hpp, (32))
  call.share([&](std::int64_t first, std::int64_t count) {
    const StateRows<const double> from = call.in<double>(0);
    robot.batch<double>()->mass(count, {from.row(first), from.stride}, {call.out<double>(0).row(first), call.out<double>(0).stride});
    std::vector<double> root(static_cast<std::size_t>(n));
    for (std::int64_t k = first; k < first + count; ++k) {
      const std::span<double> M = call.answer(0, k);
      for (int i = 0; i < n; ++i) root[static_cast<std::size_t>(i)] = M[cell(i, n, i)] > 0 ? std::sqrt(M[cell(i, n, i)]) : std::nan("");
      for (int i = 0; i < n; ++i)
        for (int j = 0; j < n; ++j)
          M[cell(i, n, j)] = i == j ? 1 : std::abs(M[cell(i, n, j)]) / (root[static_cast<std::size_t>(i)] * root[static_cast<std::size_t>(j)]);
    }
  });
  return call.result();
}

// dominance

struct Share {
  std::string quantity, part;
  double share = 0, peak = 0;
};

std::vector<Share> dominance_shares(const Robot& robot, nb::handle q, nb::handle qd, nb::handle qdd) {
  RowCall call("dominance", 1);
  const int n = robot.model.nv;
  call.take("q", q, robot.model.nq).take("qd", qd, n).take("qdd", qdd, n).settle();
  call.refuse_not_finite();
  if (call.states() == 0) refuse(call.function(), "there is no state; expected one or more");
  std::vector<JointState> states;
  const auto copy = [](std::span<const double> row) { return std::vector<double>(row.begin(), row.end()); };
  for (std::int64_t k = 0; k < call.states(); ++k)
    states.push_back({copy(call.row(0, k)), copy(call.row(1, k)), copy(call.row(2, k))});
  std::optional<Result<Dominance>> found;
  {
    nb::gil_scoped_release release;
    found = dominance(robot.description, states);
  }
  const Dominance d = value_of(std::move(*found));
  std::vector<Share> out;
  for (const auto* rows : {&d.inertia, &d.velocity, &d.torque})
    for (const DominanceRow& row : *rows)
      for (const DominancePart& part : row.parts) out.push_back({row.name, part.name, part.share, part.peak});
  return out;
}

void bind_classes(nb::module_& m) {
  nb::class_<WrittenLine>(m, "EquationLine", "One line of the equations: D11 = ...")
      .def_ro("part", &WrittenLine::part, "subexpression, inertia, christoffel, velocity or gravity.")
      .def_ro("name", &WrittenLine::name, "What is defined: D11, h1, G2, c12(3), t7.")
      .def_ro("text", &WrittenLine::text, "What it is equal to.")
      .def_ro("latex", &WrittenLine::latex, "The whole line for an aligned environment.")
      .def("__repr__", [](const WrittenLine& line) { return line.name + " = " + line.text; });
  nb::class_<Written>(m, "Equations", "The equations of motion of a robot, written out; LaTeX in notebooks.")
      .def_ro("lines", &Written::lines, "Line by line; a line refers to earlier ones only.")
      .def_ro("numbers", &Written::numbers, "The numbers that the letters stand for.")
      .def_ro("multiplications", &Written::multiplications, "To evaluate them as written.")
      .def_ro("additions", &Written::additions, "To evaluate them as written.")
      .def_ro("rounded", &Written::rounded, "Whether numbers were rounded to twelve digits.")
      .def_ro("limit", &Written::limit, "Why a part was not multiplied out; empty if all was.")
      .def_prop_ro("latex", &Written::latex, "All of it as LaTeX.")
      .def("__str__", &Written::text)
      .def("__repr__", &Written::text)
      .def("_repr_latex_", &Written::latex);
  nb::class_<Structure>(m, "Structure", "Which coefficients of the equations vanish, which are constant, and how large they get.")
      .def_prop_ro("coefficients", coefficient_names, "Names of the independent ones: d12, c23(1), G4.")
      .def("nonzero", nonzero, "level"_a = "numbers",
           R"(For each coefficient whether it is not identically zero.

level: with these "numbers"; for all robots of this geometry with the same "equal-moments" and zeros; the same "zeros"
only; any inertias, "generic".

>>> import torsor as ts
>>> s = ts.structure(ts.load("two_link"))
>>> sum(s.nonzero()), len(s.coefficients)
(7, 7)
)")
      .def_prop_ro("constant", [](const Structure& s) {
        std::vector<bool> out;
        for (std::size_t k = 0; k < s.answer.numbers().coefficients.size(); ++k) out.push_back(s.answer.numbers().constant(k));
        return out;
      }, "For each coefficient whether it is the same in all positions.")
      .def_prop_ro("relative_size", [](const Structure& s) {
        std::vector<double> out;
        for (std::size_t k = 0; k < s.answer.survey.coefficients.size(); ++k) out.push_back(s.answer.survey.relative(k));
        return new_array(out);
      }, nb::sig("def relative_size(self) -> numpy.typing.NDArray[numpy.float64]"),
                   "How large each gets over the workspace, relative to what its kind allows.")
      .def_prop_ro("log2_error", [](const Structure& s) { return s.answer.numbers().error.log2_error; },
                   "Base-2 logarithm of the probability that any zero is wrong.")
      .def("__repr__", [](const Structure& s) {
        const ExactStructure& e = s.answer.numbers();
        return "<Structure: " + std::to_string(total(e.nonzero_counts())) + " of " + std::to_string(e.coefficients.size()) +
               " coefficients are not zero, " + std::to_string(total(e.constant_counts())) + " of these constant>";
      });
  nb::class_<Reduced>(m, "ReducedModel", "The equations of a robot without what hardly matters on a motion. Friction is no part of it.")
      .def_prop_ro("terms", [](const Reduced& r) { return r.reduction.model.terms.size(); }, "Terms that are kept.")
      .def_prop_ro("full_terms", [](const Reduced& r) { return r.reduction.terms; }, "Terms of the full model.")
      .def_prop_ro("error_on_motion", [](const Reduced& r) { return new_array(r.reduction.model.statement.on_motion); },
                   nb::sig("def error_on_motion(self) -> numpy.typing.NDArray[numpy.float64]"),
                   "Per joint: the error that is never exceeded there, relative to its largest effort.")
      .def_prop_ro("error_on_ranges", [](const Reduced& r) { return new_array(r.reduction.model.statement.on_ranges); },
                   nb::sig("def error_on_ranges(self) -> numpy.typing.NDArray[numpy.float64]"),
                   "The same over the ranges of positions, speeds and accelerations of the motion.")
      .def("inverse_dynamics", reduced_inverse, "q"_a.none(), "qd"_a = nb::none(), "qdd"_a = nb::none(), "out"_a = nb::none(), "threads"_a = 1,
           nb::sig("def inverse_dynamics(self, q: " TORSOR_STATE ", qd: " TORSOR_OPTIONAL_STATE ", qdd: " TORSOR_OPTIONAL_STATE ", " TORSOR_OUT),
           R"(Efforts by the reduced model, friction apart: (..., n).

>>> import torsor as ts
>>> robot = ts.load("two_link")
>>> small = ts.reduce_model(robot, ts.point_to_point([0, 0.5], [1, 1], 1.0), tolerance=0.05)
>>> small.inverse_dynamics([0.2, 0.7]).shape
(2,)
)")
      .def("mass_matrix", reduced_mass, "q"_a.none(), "out"_a = nb::none(), "threads"_a = 1,
           nb::sig("def mass_matrix(self, q: " TORSOR_STATE ", " TORSOR_OUT),
           R"(The mass matrix of the reduced model: (..., n, n).

>>> import torsor as ts
>>> robot = ts.load("two_link")
>>> small = ts.reduce_model(robot, ts.point_to_point([0, 0.5], [1, 1], 1.0), tolerance=0.05)
>>> small.mass_matrix([0.2, 0.7]).shape
(2, 2)
)")
      .def("to_toml", [](const Reduced& r) { return write_reduced_toml(r.reduction.model); },
           R"(The model as the text of a file, which `torsor id --reduced` reads.

>>> import torsor as ts
>>> small = ts.reduce_model(ts.load("two_link"), ts.point_to_point([0, 0.5], [1, 1], 1.0))
>>> "tolerance" in small.to_toml()
True
)")
      .def("__repr__", [](const Reduced& r) {
        return "<ReducedModel of " + r.reduction.model.robot + ": " + std::to_string(r.reduction.model.terms.size()) + " of " +
               std::to_string(r.reduction.terms) + " terms>";
      });
  nb::class_<Share>(m, "Share", "What a part has in a quantity of the equations.")
      .def_ro("quantity", &Share::quantity, "D12, h3, tau4.")
      .def_ro("part", &Share::part, "translation, rotation, rotors; 'D12 qdd2', gravity, ...")
      .def_ro("share", &Share::share, "From 0 to 1.")
      .def_ro("peak", &Share::peak, "Largest magnitude.")
      .def("__repr__", [](const Share& s) { return "<Share of " + s.part + " in " + s.quantity + ": " + std::to_string(s.share) + ">"; });
}

}  // namespace

void bind_structure(nb::module_& m) {
  bind_classes(m);
  m.def("equations", write_equations, "robot"_a, "coefficients"_a = "DCG", "joint"_a = nb::none(), "numeric"_a = false,
        "form"_a = "automatic", "first_moments"_a = false, "digits"_a = 6,
        nb::sig("def equations(robot: Robot, coefficients: str = \"DCG\", joint: str | int | None = None, numeric: bool = False, "
                "form: str = \"automatic\", first_moments: bool = False, digits: int = 6) -> Equations"),
        R"(The equations of motion of a serial arm, written out exactly: inertias D, velocity efforts h and gravity G.

coefficients: letters of D, C and G; joint: the equation of one joint; numeric: the robot's numbers in place of letters;
form: "expanded", "named" (subexpressions with names), or "automatic". In a notebook it shows as LaTeX.

>>> import torsor as ts
>>> print(ts.equations(ts.load("two_link"), coefficients="G"))
two-link arm: tau_i = sum_j Dij qdd_j + h_i + G_i, friction apart
  G1 = 1/2 m1 g l C1 + m2 g l C1 + 1/2 m2 g l C12
  G2 = 1/2 m2 g l C12
)");
  m.def("structure", [](const Robot& robot, std::uint64_t seed, int positions) {
    if (positions < 1) refuse("structure", "positions is " + std::to_string(positions) + "; expected 1 or more");
    StructureOptions options;
    options.exact.seed = options.survey.seed = seed;
    options.survey.positions = positions;
    std::optional<Result<StructureAnswer>> found;
    {
      nb::gil_scoped_release release;
      found = analyse_structure(robot.description, options);
    }
    return Structure{value_of(std::move(*found))};
  }, "robot"_a, "seed"_a = 1985, "positions"_a = 2000,
        R"(Which coefficients of the equations of motion vanish identically, which are constant, how large they get.

Zeros are decided exactly, by evaluation modulo random primes; sizes are those at random positions inside the limits.

>>> import torsor as ts
>>> ts.structure(ts.load("two_link"))
<Structure: 7 of 7 coefficients are not zero, 1 of these constant>
)");
  m.def("coupling", couplings, "robot"_a, "q"_a.none(), "out"_a = nb::none(), "threads"_a = 1,
        nb::sig("def coupling(robot: Robot, q: " TORSOR_STATE ", " TORSOR_OUT),
        R"(How strongly joints are coupled by inertia: k_ij = |M_ij| / sqrt(M_ii M_jj), below 1; 1 on the diagonal.

q: (..., nq). Answer: (..., nv, nv), NaN where a joint moves no mass.

>>> import torsor as ts
>>> ts.coupling(ts.load("two_link"), [0.0, 0.0])[0, 1].round(4)
np.float64(0.8521)
)");
  m.def("dominance", dominance_shares, "robot"_a, "q"_a.none(), "qd"_a.none(), "qdd"_a.none(),
        nb::sig("def dominance(robot: Robot, q: " TORSOR_STATE ", qd: " TORSOR_STATE ", qdd: " TORSOR_STATE ") -> list[Share]"),
        R"(What of inertias, velocity efforts and torques comes from translation, rotation and each term, over given states.

q, qd, qdd: (..., n), of a serial arm. Answer: a list of Share.

>>> import torsor as ts
>>> q, qd, qdd = ts.published_motion("puma560").sample([0.5, 1.0, 1.5])
>>> [s for s in ts.dominance(ts.load("puma560"), q, qd, qdd) if s.quantity == "tau2"][0].quantity
'tau2'
)");
  m.def("reduce_model", reduce, "robot"_a, "motion"_a, "tolerance"_a = 0.01, "consistent"_a = false, "on_ranges"_a = false,
        "steps"_a = 400,
        nb::sig("def reduce_model(robot: Robot, motion: JointMotion, tolerance: float = 0.01, consistent: bool = False, "
                "on_ranges: bool = False, steps: int = 400) -> ReducedModel"),
        R"(The equations of a serial arm without what hardly matters on a motion.

tolerance: of each joint's largest effort; consistent: velocity terms follow from the inertias that are kept; on_ranges:
the tolerance is for all states in the ranges of the motion.

>>> import torsor as ts
>>> small = ts.reduce_model(ts.load("puma560"), ts.published_motion("puma560"), tolerance=0.02)
>>> small.terms < small.full_terms
True
)");
}

}  // namespace torsor::python
