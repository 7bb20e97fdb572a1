// How a mechanism stands, in Python: closed at its start, its freedoms, where it rests, how it moves about there.
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <algorithm>

#include "python/bindings/errors.hpp"
#include "python/bindings/mechanism.hpp"
#include "python/bindings/mechanism_instants.hpp"
#include "python/bindings/rooms.hpp"
#include "torsor/mechanism/mechanism_variant.hpp"

namespace torsor::python {
namespace {

using namespace nb::literals;

nb::object assemble(const LoadedMechanism& m) {
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

nb::object find_mobility(const LoadedMechanism& m) {
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

nb::object equilibrium(const LoadedMechanism& m) {
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

nb::object small_motions(const LoadedMechanism& m, const std::string& at) {
  const bool start = word_of("linearise", "at", at, {"equilibrium", "start"}) == 1;
  MechanismState state = assembled(m);
  if (!start) come_to_rest(m, state);
  Linearisation found;
  {
    const nb::gil_scoped_release release;
    found = start ? linearise(m, state) : linearise(held_at(m, state.t), state);
  }
  if (!found.why.empty()) raise({{{}, m.description.name, "no-modes", found.why, "mobility shows its degrees of freedom"}});
  RunRows real, imaginary, frequency, damping;
  for (const Mode& mode : found.modes) {
    real.add(mode.s.real());
    imaginary.add(mode.s.imag());
    frequency.add(mode.frequency);
    damping.add(mode.damping);
  }
  const std::size_t n = count(found.freedoms);
  const StateSpace& of = found.state_space;
  const auto names = [](const std::vector<SmallCoordinate>& list) {
    std::vector<std::string> all;
    for (const SmallCoordinate& each : list) all.push_back(each.name);
    return all;
  };
  const std::size_t x = of.states.size(), u = of.inputs.size(), y = of.outputs.size();
  Answer space;
  space.put("states", names(of.states)).put("inputs", names(of.inputs)).put("outputs", names(of.outputs));
  space.put("A", new_array(of.A, {x, x})).put("B", new_array(of.B, {x, u}));
  space.put("C", new_array(of.C, {y, x})).put("D", new_array(of.D, {y, u}));
  Answer answer;
  answer.put("freedoms", found.freedoms).put("K", new_array(found.K, {n, count(found.positions)}));
  answer.put("D", new_array(found.D, {n, n})).put("state_space", space.make("_mechanism", "StateSpace"));
  answer.put("moving", found.moving).put("unsteady", found.unsteady);
  answer.put("s", real.array() + nb::steal(PyComplex_FromDoubles(0, 1)) * imaginary.array());
  answer.put("frequencies", frequency.array()).put("damping", damping.array()).put("left_over", found.left_over);
  return answer.make("_mechanism", "Modes");
}

}  // namespace

void bind_mechanism_freedoms(nb::module_& m) {
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
        R"(Small motions about the place of rest, or about the steady motion it starts with (``at="start"``): frequencies (Hz),
damping ratios, eigenvalues (1/s), and the state space x' = A x + B u, y = C x + D u. ``unsteady`` says why a start is no
steady motion, if it is none; equations are then those of the instant.

>>> import torsor as ts
>>> ts.linearise(ts.load_mechanism("pendulum")).frequencies.round(3)
array([0.498])
>>> ts.linearise(ts.load_mechanism("pendulum")).state_space.A.round(2)
array([[ 0.  ,  1.  ],
       [-9.81,  0.  ]])
)");
}

}  // namespace torsor::python
