// Mechanisms with closed loops in Python: loading, freedoms, motion under drivers and under forces, rest, small motions.
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <algorithm>

#include "python/bindings/answer.hpp"
#include "python/bindings/errors.hpp"
#include "python/bindings/robot.hpp"
#include "python/bindings/rooms.hpp"
#include "torsor/io/embedded_robots.hpp"
#include "torsor/io/load_mechanism.hpp"
#include "torsor/io/mechanism_toml.hpp"
#include "torsor/mechanism.hpp"

namespace torsor::python {
namespace {

using namespace nb::literals;
using Numbers = std::vector<double>;

std::vector<std::string> mechanisms() {
  std::vector<std::string> names;
  for (const EmbeddedFile& file : embedded_mechanisms()) names.emplace_back(file.name);
  return names;
}

Mechanism load(nb::handle source) {
  const nb::object path = nb::steal(PyOS_FSPath(source.ptr()));
  if (!path.is_valid()) throw nb::python_error();
  if (!nb::isinstance<nb::str>(path)) throw nb::type_error("load_mechanism: expected a str or a path");
  const std::string text = nb::cast<std::string>(path);
  if (text.empty() || text == "-")
    refuse("load_mechanism", "\"" + text + "\" names no mechanism; expected a name, a path or the text of a mechanism");
  const bool is_text = text.find('\n') != std::string::npos;
  return value_of(build(value_of(is_text ? read_mechanism_toml(text, "text") : load_mechanism(text))));
}

Mechanism of_robot(const Robot& robot, nb::handle q, nb::handle qd) {
  const char* const function = "mechanism_of_robot";
  const Numbers at = q.is_none() ? Numbers() : vector_of(function, "q", q, robot.model.nq);
  const Numbers rates = qd.is_none() ? Numbers() : vector_of(function, "qd", qd, robot.model.nv);
  return value_of(build(mechanism_of_robot(robot.model, at, rates)));
}

template <class Things>
std::vector<std::string> names_of(const Things& things) {
  std::vector<std::string> names;
  for (const auto& thing : things) names.push_back(thing.name);
  return names;
}

std::vector<std::string> measure_names(const Mechanism& m) { return names_of(reported_measures(m.description)); }

std::size_t count(int n) { return static_cast<std::size_t>(n); }

/// The start, positions and velocities closed; torsor.Error where that cannot be.
MechanismState assembled(const Mechanism& m, bool* singular = nullptr) {
  MechanismState state = described_state(m);
  Assembly assembly(m, EquationSet::all);
  assembly.expect_redundancy(true);
  if (const Errors errors = assemble_start(m, assembly, state); !errors.empty()) raise(errors);
  if (singular) *singular = starts_singular(m, state, assembly.positions(state));
  return state;
}

// the joints and couplings whose reactions are told
std::vector<const ConstraintBlock*> held_joints(const Mechanism& m, bool drivers) {
  std::vector<const ConstraintBlock*> blocks;
  for (const ConstraintBlock& block : m.blocks)
    if (block.origin == ConstraintBlock::Origin::joint && block.rows > 0 && (drivers || !block.drives))
      blocks.push_back(&block);
  return blocks;
}

struct Axes {
  bool on_i = false, joint = false;
};

/// What is seen of a mechanism at instants: the parts that all answers share.
class Instants {
 public:
  explicit Instants(const Mechanism& m, bool drivers = true, Axes axes = {})
      : m_(m), measures_(reported_measures(m.description)), held_(held_joints(m, drivers)), axes_(axes) {}

  void add(const MechanismState& state, const MechanismEquations& equations, std::span<const Motion<double>> A) {
    t_.add(state.t);
    for (int b = 0; b < m_.bodies(); ++b) {
      poses_.add(body_pose(m_, state, b));
      velocities_.add(body_velocity(m_, state, b));
      if (!A.empty()) accelerations_.add(body_acceleration(m_, state, A[count(b)], b));
    }
    for (const NamedMeasure& each : measures_) {
      const MeasureValue at = equations.measure(each.measure);
      values_.add(at.value);
      rates_.add(at.rate);
      if (!A.empty()) seconds_.add(second_derivative(at, A));
    }
  }

  void add_reactions(const MechanismEquations& equations, std::span<const double> lambda) {
    for (const ConstraintBlock* block : held_) {
      const JointReaction both = joint_reaction(m_, equations, *block, lambda);
      const Force<double> F = axes_.on_i ? both.on_i : both.on_j;
      const JointPlace<double>& place =
          axes_.on_i ? equations.place_i(block->index) : equations.place_j(block->index);
      reactions_.add(axes_.joint ? along_axes(place.R, F) : F);
    }
  }

  void put(Answer& answer, bool single = false) const {
    const std::size_t n = t_.size(), bodies = count(m_.bodies()), k = measures_.size();
    const auto shaped = [&](const RunRows& rows, std::initializer_list<std::size_t> all,
                            std::initializer_list<std::size_t> one) { return rows.array(single ? one : all); };
    if (!single) answer.put("t", t_.array());
    answer.put("mechanism", m_.description.name).put("body_names", names_of(m_.description.bodies));
    answer.put("measure_names", names_of(measures_));
    answer.put("poses", shaped(poses_, {n, bodies, 4, 4}, {bodies, 4, 4}));
    answer.put("velocities", shaped(velocities_, {n, bodies, 6}, {bodies, 6}));
    answer.put("measures", shaped(values_, {n, k}, {k})).put("rates", shaped(rates_, {n, k}, {k}));
    if (!single) {
      answer.put("accelerations", accelerations_.array({n, bodies, 6}));
      answer.put("seconds", seconds_.array({n, k}));
    }
  }

  void put_reactions(Answer& answer, bool single = false) const {
    std::vector<std::string> names;
    for (const ConstraintBlock* block : held_) names.push_back(m_.description.joints[count(block->index)].name);
    answer.put("reaction_names", names);
    answer.put("reactions", single ? reactions_.array({held_.size(), 6}) : reactions_.array({t_.size(), held_.size(), 6}));
  }

 private:
  const Mechanism& m_;
  std::vector<NamedMeasure> measures_;
  std::vector<const ConstraintBlock*> held_;
  Axes axes_;
  RunRows t_, poses_, velocities_, accelerations_, values_, rates_, seconds_, reactions_;
};

nb::object assemble(const Mechanism& m) {
  bool singular = false;
  const MechanismState state = assembled(m, &singular), before = described_state(m);
  MechanismEquations equations(m);
  equations.evaluate(state);
  Instants instants(m);
  instants.add(state, equations, {});
  double moved = 0;
  for (std::size_t b = 0; b < state.bodies.size(); ++b)
    moved = std::max(moved, norm(state.bodies[b].r - before.bodies[b].r));
  Answer answer;
  instants.put(answer, true);
  return answer.put("moved", moved).put("singular", singular).make("_mechanism", "Assembled");
}

nb::object counts_of(const MobilityReport& r) {
  Answer answer;
  answer.put("rows", r.rows).put("rank", r.rank).put("freedoms", r.freedoms).put("redundant", r.redundant);
  return answer.put("counted", r.counted).put("gap_in_rank", r.gap_in_rank).make("_mechanism", "MobilityCount");
}

nb::object find_mobility(const Mechanism& m) {
  bool singular = false;
  const MechanismState state = assembled(m, &singular);
  MobilityReport joints, driven;
  Actuation actuated;
  {
    const nb::gil_scoped_release release;
    joints = mobility(m, state, EquationSet::without_drivers);
    driven = mobility(m, state, EquationSet::all);
    if (!joints.too_large) actuated = actuation(m, state, joints);
  }
  if (joints.too_large)
    raise({{{},
            m.description.name,
            "mechanism-size",
            "its loops connect more bodies than a rank can be found for in reasonable time, some 1000",
            "ask for a part of it; run_forward runs it all the same"}});
  nb::list dependences;
  const nb::object dependence = nb::module_::import_("torsor._mechanism").attr("Dependence");
  for (const Dependence& each : joints.dependences) {
    const ConstraintBlock& block = m.blocks[count(each.block)];
    std::vector<std::string> partners;
    for (const int p : each.partners) partners.push_back(m.block_name(m.blocks[count(p)]));
    dependences.append(dependence(each.row - block.first_row + 1, m.block_name(block), partners));
  }
  constexpr const char* axis_words[] = {"wx", "wy", "wz", "vx", "vy", "vz"};
  std::vector<std::string> independent;
  for (const int c : joints.independent)
    independent.push_back(m.description.bodies[count(c / 6)].name + "." + axis_words[c % 6]);
  Answer answer;
  answer.put("joints", counts_of(joints)).put("driven", counts_of(driven)).put("singular", singular);
  answer.put("actuation", actuated.word).put("commanded", actuated.commanded);
  answer.put("dependences", dependences).put("independent", independent);
  return answer.make("_mechanism", "Mobility");
}

DrivenRunRules driven_rules(const char* function, const Mechanism& m, std::optional<double> time,
                            std::optional<double> interval) {
  constexpr double most_rows = 1e7;
  const DrivenRunRules rules{positive(function, "time", time.value_or(m.description.run.time), 1e9),
                             positive(function, "interval", interval.value_or(m.description.run.interval))};
  if (rules.time / rules.interval > most_rows) refuse(function, "there would be more than 1e7 instants; expected a longer interval");
  return rules;
}

/// What is told of the end of a driven run, in all cases.
void put_end(Answer& answer, const Mechanism& m, const DrivenRunReport& report) {
  answer.put("finished", report.finished).put("why", report.why).put("worst_gap", report.worst_gap);
  answer.put("branch_times", new_array(report.branch_times));
  if (report.finished) return;
  const std::string by = report.block >= 0 ? m.block_name(m.blocks[count(report.block)]) : m.description.name;
  warn_of_run(by + ": at " + std::to_string(report.t) + " s " + report.why);
}

nb::object driven(const Mechanism& m, std::optional<double> time, std::optional<double> interval) {
  const DrivenRunRules rules = driven_rules("run_driven", m, time, interval);
  MechanismState state = described_state(m);
  if (const Errors errors = start_driven(m, state); !errors.empty()) raise(errors);
  Instants instants(m);
  RunRows gaps;
  MechanismEquations equations(m);
  DrivenRunReport report;
  Visits visits;
  {
    const nb::gil_scoped_release release;
    report = run_driven(m, state, rules, [&](const DrivenInstant& at) {
      equations.evaluate(at.state);
      instants.add(at.state, equations, at.A);
      gaps.add(at.gap);
      return visits.go_on();
    });
  }
  visits.settle();
  Answer answer;
  instants.put(answer);
  put_end(answer.put("gap", gaps.array()), m, report);
  return answer.make("_mechanism", "DrivenRun");
}

nb::object inverse(const Mechanism& m, std::optional<double> time, std::optional<double> interval, const std::string& on,
                   const std::string& axes) {
  const char* const function = "mechanism_inverse";
  const DrivenRunRules rules = driven_rules(function, m, time, interval);
  const Axes choice{word_of(function, "on", on, {"i", "j"}) == 0, word_of(function, "axes", axes, {"world", "joint"}) == 1};
  const auto& actuators = m.description.actuators;
  if (actuators.empty())
    raise({{{}, m.description.name, "no-actuators", "it has no actuators", "add [[actuator]] blocks: whose efforts are asked for?"}});
  MechanismState state = described_state(m);
  if (const Errors errors = start_driven(m, state); !errors.empty()) raise(errors);
  Instants instants(m, false, choice);
  RunRows efforts, power, kinetic, potential, unbalanced, gaps;
  DrivenRunReport report;
  int commanded = 0;
  double worst = 0;
  Visits visits;
  {
    const nb::gil_scoped_release release;
    MechanismInverse solver(m);
    solver.expect_redundancy(true);
    Numbers net(actuators.size());
    report = run_driven(m, state, rules, [&](const DrivenInstant& at) {
      const InverseReport found = solver.efforts(at.state, at.A, net);
      for (std::size_t k = 0; k < net.size(); ++k) efforts.add(solver.motor_effort(static_cast<int>(k), net[k]));
      power.add(found.power);
      kinetic.add(found.energy.kinetic);
      potential.add(found.energy.potential);
      unbalanced.add(found.unbalanced);
      worst = std::max(worst, found.unbalanced);
      gaps.add(at.gap);
      commanded = found.commanded;
      instants.add(at.state, solver.equations(), at.A);
      instants.add_reactions(solver.equations(), solver.lambda());
      return visits.go_on();
    });
  }
  visits.settle();
  Answer answer;
  instants.put(answer);
  instants.put_reactions(answer);
  answer.put("actuator_names", names_of(actuators)).put("efforts", efforts.array({power.size(), actuators.size()}));
  answer.put("power", power.array()).put("kinetic", kinetic.array()).put("potential", potential.array());
  answer.put("unbalanced", unbalanced.array()).put("commanded", commanded).put("gap", gaps.array());
  put_end(answer, m, report);
  if (worst > 1e-6)
    warn_of_run(m.description.name + ": its actuators cannot cause this motion: accelerations up to " +
                std::to_string(worst) + " are left; mobility tells how many are needed");
  return answer.make("_mechanism", "InverseRun");
}

nb::object forward(const Mechanism& m, std::optional<double> time, std::optional<double> interval,
                   std::optional<std::string> integrator, std::optional<double> step, std::optional<double> tolerance,
                   std::optional<std::string> formulation, bool project_stages) {
  const char* const function = "run_forward";
  const MechanismRun& file = m.description.run;
  const DrivenRunRules length = driven_rules(function, m, time, interval);
  ForwardRunRules rules;
  rules.time = length.time;
  rules.interval = length.interval;
  rules.integrator = integrator_of(function, integrator.value_or(file.integrator));
  rules.step = positive(function, "step", step.value_or(file.step));
  rules.tolerance = positive(function, "tolerance", tolerance.value_or(file.tolerance));
  rules.project_stages = project_stages;
  rules.formulation = static_cast<MechanismFormulation>(
      word_of(function, "formulation", formulation.value_or(file.partitioned ? "partitioned" : "augmented"),
              {"augmented", "partitioned"}));
  MechanismState state = assembled(m);
  Instants instants(m);
  RunRows kinetic, potential, work, error, gaps;
  ForwardRunReport report;
  Visits visits;
  {
    const nb::gil_scoped_release release;
    report = run_forward(m, state, rules, [&](const ForwardInstant& at) {
      instants.add(at.state, at.forward.equations(), at.A);
      instants.add_reactions(at.forward.equations(), at.forward.lambda());
      kinetic.add(at.forward.energy().kinetic);
      potential.add(at.forward.energy().potential);
      work.add(at.work);
      error.add(at.energy_error);
      gaps.add(at.gap);
      return visits.go_on();
    });
  }
  visits.settle();
  Answer answer;
  instants.put(answer);
  instants.put_reactions(answer);
  answer.put("kinetic", kinetic.array()).put("potential", potential.array()).put("work", work.array());
  answer.put("energy_error", error.array()).put("gap", gaps.array());
  answer.put("finished", report.finished).put("why", report.why).put("worst_gap", report.worst_gap);
  answer.put("worst_drift", report.worst_drift).put("worst_rate_gap", report.worst_rate_gap);
  answer.put("largest_energy", report.largest_energy).put("estimated_error", report.estimated_error);
  answer.put("integrator", rules.integrator).put("steps", report.count.steps).put("refused", report.count.refused);
  answer.put("slopes", report.count.slopes).put("crossings", report.crossings);
  if (!report.finished) {
    const std::string by = report.block >= 0 ? m.block_name(m.blocks[count(report.block)]) : m.description.name;
    warn_of_run(by + ": at " + std::to_string(report.t) + " s " + report.why);
  }
  return answer.make("_mechanism", "ForwardRun");
}

EquilibriumReport come_to_rest(const Mechanism& m, MechanismState& state) {
  EquilibriumReport report;
  {
    const nb::gil_scoped_release release;
    report = find_equilibrium(m, state);
  }
  if (!report.found)
    raise({{{},
            m.description.name,
            "no-equilibrium",
            "no place of rest was found: " + report.why,
            "start nearer to one, or add springs where nothing holds it"}});
  return report;
}

nb::object equilibrium(const Mechanism& m) {
  MechanismState state = assembled(m);
  const EquilibriumReport report = come_to_rest(m, state);
  MechanismForward solver(m);
  solver.expect_redundancy(true);
  std::vector<Motion<double>> A(m.description.bodies.size());
  const bool borne = solver.accelerations(state, A);
  MechanismEquations equations(m);
  equations.evaluate(state);
  Instants instants(m);
  instants.add(state, equations, {});
  Answer answer;
  instants.put(answer, true);
  if (borne) {
    instants.add_reactions(solver.equations(), solver.lambda());
    instants.put_reactions(answer, true);
  } else {
    answer.put("reaction_names", std::vector<std::string>()).put("reactions", RunRows().array({0, 6}));
  }
  answer.put("stable", report.stable).put("freedoms", report.freedoms).put("residual", report.residual);
  answer.put("least_stiffness", report.least_stiffness);
  return answer.make("_mechanism", "Equilibrium");
}

nb::object small_motions(const Mechanism& m, const std::string& at) {
  const bool start = word_of("linearise", "at", at, {"equilibrium", "start"}) == 1;
  MechanismState state = assembled(m);
  if (!start) come_to_rest(m, state);
  Linearisation found;
  {
    const nb::gil_scoped_release release;
    found = linearise(m, state);
  }
  if (!found.why.empty()) raise({{{}, m.description.name, "no-modes", found.why, "mobility shows its freedoms"}});
  RunRows real, imaginary, frequency, damping;
  for (const Mode& mode : found.modes) {
    real.add(mode.s.real());
    imaginary.add(mode.s.imag());
    frequency.add(mode.frequency);
    damping.add(mode.damping);
  }
  const std::size_t n = count(found.freedoms);
  Answer answer;
  answer.put("freedoms", found.freedoms).put("K", new_array(found.K, {n, n})).put("D", new_array(found.D, {n, n}));
  answer.put("s", real.array() + nb::steal(PyComplex_FromDoubles(0, 1)) * imaginary.array());
  answer.put("frequencies", frequency.array()).put("damping", damping.array()).put("left_over", found.left_over);
  return answer.make("_mechanism", "Modes");
}

std::vector<std::string> kinds_of(const Mechanism& m) {
  std::vector<std::string> out;
  for (const MechanismJoint& joint : m.description.joints) out.emplace_back(row(joint.kind).name);
  return out;
}

std::string side_name(const MechanismDescription& d, const JointSide& side) {
  if (side.carrier >= 0) return d.carriers[count(side.carrier)].name;
  return side.body == ground ? "ground" : d.bodies[count(side.body)].name;
}

nb::list joints_of(const Mechanism& m) {
  nb::list out;
  for (const MechanismJoint& joint : m.description.joints)
    out.append(nb::make_tuple(side_name(m.description, joint.i), side_name(m.description, joint.j)));
  return out;
}

nb::object masses(const Mechanism& m) {
  Numbers out;
  for (const MechanismBody& body : m.description.bodies) out.push_back(body.m);
  return new_array(out);
}

std::string text_of(const Mechanism& m) {
  const MechanismDescription& d = m.description;
  const auto many = [](std::size_t n, const char* one, const char* more) {
    return std::to_string(n) + " " + (n == 1 ? one : more);
  };
  std::string text = "<torsor.Mechanism '" + d.name + "': " + many(d.bodies.size(), "body", "bodies") + ", " +
                     many(d.joints.size(), "joint", "joints") + ", " + many(count(m.rows), "equation", "equations") + ">";
  constexpr std::size_t most = 16;
  for (std::size_t k = 0; k < std::min(most, d.joints.size()); ++k)
    text += "\n  " + std::string(row(d.joints[k].kind).name) + " '" + d.joints[k].name +
            "': " + side_name(d, d.joints[k].i) + " - " + side_name(d, d.joints[k].j);
  if (d.joints.size() > most) text += "\n  ... and " + std::to_string(d.joints.size() - most) + " more joints";
  return text;
}

}  // namespace

void bind_mechanism(nb::module_& m) {
  nb::class_<Mechanism> mechanism(m, "Mechanism", R"(A mechanism: bodies, joints that may close loops, couplings, drivers, actuators.

It never changes; threads may share it. Made by :func:`load_mechanism` or :func:`mechanism_of_robot`.

>>> import torsor as ts
>>> ts.load_mechanism("four_bar").body_names
['crank', 'coupler', 'rocker']
)");
  mechanism.def_prop_ro("name", [](const Mechanism& x) { return x.description.name; }, "The name that its file gives it.")
      .def_prop_ro("source", [](const Mechanism& x) { return x.description.source; }, "Where its numbers come from.")
      .def_prop_ro("rows", [](const Mechanism& x) { return x.rows; }, "How many equations it has.")
      .def_prop_ro("body_names", [](const Mechanism& x) { return names_of(x.description.bodies); }, "Names of the bodies.")
      .def_prop_ro("joint_names", [](const Mechanism& x) { return names_of(x.description.joints); }, "Names of the joints.")
      .def_prop_ro("joint_kinds", kinds_of, "Of each joint its kind: 'revolute', 'distance', ...")
      .def_prop_ro("joint_sides", joints_of, nb::sig("def joint_sides(self) -> list[tuple[str, str]]"),
                   "Of each joint the two that it joins: bodies, carriers, or 'ground'.")
      .def_prop_ro("coupling_names", [](const Mechanism& x) { return names_of(x.description.couplings); },
                   "Names of gears, belts, racks, cams.")
      .def_prop_ro("driver_names", [](const Mechanism& x) { return names_of(x.description.drivers); }, "Names of the drivers.")
      .def_prop_ro("actuator_names", [](const Mechanism& x) { return names_of(x.description.actuators); },
                   "Names of the actuators.")
      .def_prop_ro("measure_names", measure_names, "What is measured at the joints: 'angle.NAME', 'slide.NAME', 'length.NAME'.")
      .def_prop_ro("masses", masses, nb::sig("def masses(self) -> numpy.typing.NDArray[numpy.float64]"),
                   "Masses of the bodies (kg).")
      .def("__repr__", text_of);

  m.def("mechanisms", mechanisms, R"(Names of the mechanisms that come with the package.

>>> import torsor as ts
>>> "bricard" in ts.mechanisms()
True
)");
  m.def("load_mechanism", load, "source"_a,
        nb::sig("def load_mechanism(source: str | os.PathLike[str]) -> Mechanism"),
        R"(A mechanism by its name, from a file, or from text.

source: a name of :func:`mechanisms`, the path of a mechanism file (TOML), or its text. Faults raise :class:`Error`.

>>> import torsor as ts
>>> ts.load_mechanism("pendulum").joint_kinds
['revolute']
)");
  m.def("mechanism_of_robot", of_robot, "robot"_a, "q"_a = nb::none(), "qd"_a = nb::none(),
        nb::sig("def mechanism_of_robot(robot: Robot, q: numpy.typing.ArrayLike | None = None, qd: "
                "numpy.typing.ArrayLike | None = None) -> Mechanism"),
        R"(A robot as a mechanism, its links as bodies, where its joints are q and move with qd (zero if left out).

>>> import torsor as ts
>>> arm = ts.mechanism_of_robot(ts.load("two_link"), [0.3, 0.4])
>>> arm.measure_names
['angle.q1', 'angle.q2']
)");
  m.def("assemble_start", assemble, "mechanism"_a,
        nb::sig("def assemble_start(mechanism: Mechanism) -> torsor._mechanism.Assembled"),
        R"(The start of a mechanism, closed: poses and velocities of its bodies, measures of its joints.

Where bodies stand roughly they are moved. :class:`Error` names what cannot close, and by how much.

>>> import torsor as ts
>>> start = ts.assemble_start(ts.load_mechanism("four_bar"))
>>> start.poses.shape, start.singular
((3, 4, 4), False)
)");
  m.def("mobility", find_mobility, "mechanism"_a,
        nb::sig("def mobility(mechanism: Mechanism) -> torsor._mechanism.Mobility"),
        R"(Degrees of freedom by the rank of the equations, redundant ones and whose they are, how it is driven and actuated.

>>> import torsor as ts
>>> found = ts.mobility(ts.load_mechanism("bricard"))
>>> found.joints.freedoms, found.joints.counted
(1, 0)
)");
  m.def("run_driven", driven, "mechanism"_a, "time"_a = nb::none(), "interval"_a = nb::none(),
        nb::sig("def run_driven(mechanism: Mechanism, time: float | None = None, interval: float | None = None) -> "
                "torsor._mechanism.DrivenRun"),
        R"(The motion that drivers prescribe: positions, velocities and accelerations over time.

time and interval between instants in s; by default what the file says. All freedoms must be driven. Where the mechanism
locks the run ends with a :class:`RunWarning`, and what came before is returned.

>>> import torsor as ts
>>> run = ts.run_driven(ts.load_mechanism("four_bar"), time=0.1, interval=0.01)
>>> run.poses.shape, run.finished
((11, 3, 4, 4), True)
)");
  m.def("mechanism_inverse", inverse, "mechanism"_a, "time"_a = nb::none(), "interval"_a = nb::none(), "on"_a = "j",
        "axes"_a = "world",
        nb::sig("def mechanism_inverse(mechanism: Mechanism, time: float | None = None, interval: float | None = None, "
                "on: str = \"j\", axes: str = \"world\") -> torsor._mechanism.InverseRun"),
        R"(Efforts of the actuators that cause the motion its drivers prescribe, and the reactions of all joints.

on: 'i' or 'j', which body of each joint the reactions act on. axes: 'world' or 'joint', along which their components are.

>>> import torsor as ts
>>> run = ts.mechanism_inverse(ts.load_mechanism("four_bar"), time=0.1, interval=0.01)
>>> run.efforts.shape, run.reactions.shape
((11, 1), (11, 4, 6))
)");
  m.def("run_forward", forward, "mechanism"_a, "time"_a = nb::none(), "interval"_a = nb::none(),
        "integrator"_a = nb::none(), "step"_a = nb::none(), "tolerance"_a = nb::none(), "formulation"_a = nb::none(),
        "project_stages"_a = false,
        nb::sig("def run_forward(mechanism: Mechanism, time: float | None = None, interval: float | None = None, "
                "integrator: str | None = None, step: float | None = None, tolerance: float | None = None, formulation: "
                "str | None = None, project_stages: bool = False) -> torsor._mechanism.ForwardRun"),
        R"(Motion under gravity, springs, forces, given efforts and drivers, from the start of the file on.

time and interval between instants in s; integrator a name of :func:`integrators`, step (s) of methods with fixed steps,
tolerance of the others; formulation 'augmented' or 'partitioned'; by default what the file says. project_stages: bring the
states inside a step onto the equations, too, for motions through singular positions.

>>> import torsor as ts
>>> run = ts.run_forward(ts.load_mechanism("pendulum"), time=1.0, interval=0.1)
>>> bool(abs(run.energy_error).max() < 1e-8)
True
)");
  m.def("find_equilibrium", equilibrium, "mechanism"_a,
        nb::sig("def find_equilibrium(mechanism: Mechanism) -> torsor._mechanism.Equilibrium"),
        R"(Where a mechanism stays at rest, drivers as they are at the start: poses, measures, reactions, and whether it is stable.

>>> import torsor as ts
>>> rest = ts.find_equilibrium(ts.load_mechanism("pendulum"))
>>> rest.stable
True
)");
  m.def("linearise", small_motions, "mechanism"_a, "at"_a = "equilibrium",
        nb::sig("def linearise(mechanism: Mechanism, at: str = \"equilibrium\") -> torsor._mechanism.Modes"),
        R"(Small motions about the place of rest, or about the start: frequencies (Hz), damping ratios, eigenvalues (1/s).

>>> import torsor as ts
>>> ts.linearise(ts.load_mechanism("pendulum")).frequencies.round(3)
array([0.498])
)");
}

}  // namespace torsor::python
