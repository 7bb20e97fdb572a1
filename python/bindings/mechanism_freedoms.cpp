// How a mechanism stands, in Python: closed at its start, its degrees of freedom, where it rests, how it moves about there.
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <algorithm>

#include "python/bindings/array_results.hpp"
#include "python/bindings/errors.hpp"
#include "python/bindings/mechanism.hpp"
#include "python/bindings/mechanism_instants.hpp"
#include "python/bindings/rooms.hpp"
#include "torsor/mechanism/mechanism_variant.hpp"

namespace torsor::python {
namespace {

using namespace nb::literals;

nb::object assemble(const LoadedMechanism& m) {
  Assembled out{Instants(m, true)};
  const MechanismState state = assembled(m, &out.singular), before = described_state(m);
  MechanismEquations equations(m);
  equations.evaluate(state);
  out.at.add(state, equations, {});
  for (std::size_t b = 0; b < state.bodies.size(); ++b)
    out.moved = std::max(out.moved, norm(state.bodies[b].r - before.bodies[b].r));
  return answer_of(out);
}

nb::object find_mobility(const LoadedMechanism& m) {
  bool singular = false;
  const MechanismState state = assembled(m, &singular);
  Mobility found;
  {
    const nb::gil_scoped_release release;
    found = mobility_of(m, state, mobility(m, state, EquationSet::without_drivers), singular);
  }
  if (found.joints.too_large)
    raise({{{},
            m.description.name,
            "mechanism-size",
            "its loops connect more bodies than a rank can be found for in reasonable time, some 1000",
            "ask for a part of it; run_forward runs it all the same"}});
  return answer_of(found);
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
            report.remedy}});
  return report;
}

nb::object equilibrium(const LoadedMechanism& m) {
  MechanismState state = assembled(m);
  Equilibrium out{Instants(m, true), come_to_rest(m, state)};
  MechanismForward solver(m);
  solver.expect_redundancy(true);
  std::vector<Motion<double>> A(m.description.bodies.size());
  const bool held = solver.accelerations(state, A);
  MechanismEquations equations(m);
  equations.evaluate(state);
  out.at.add(state, equations, {});
  if (held) out.at.add_reactions(solver.equations(), solver.lambda());
  return answer_of(out);
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
  if (!found.why.empty())
    raise({{{}, m.description.name, "no-modes", found.why, "mobility shows its degrees of freedom"}});
  return answer_of(ModeArrays{std::move(found)});
}

}  // namespace

void bind_mechanism_freedoms(nb::module_& m) {
  m.def("assemble_start", assemble, "mechanism"_a,
        nb::sig("def assemble_start(mechanism: Mechanism) -> torsor._results.Assembled"),
        R"(The start of a mechanism, closed: poses and velocities of its bodies, measures of its joints.

Where bodies stand roughly they are moved. :class:`Error` names what cannot close, and by how much.

>>> import torsor as ts
>>> start = ts.assemble_start(ts.load_mechanism("four_bar"))
>>> start.poses.shape, start.singular
((3, 4, 4), False)
)");
  m.def(
      "mobility", find_mobility, "mechanism"_a,
      nb::sig("def mobility(mechanism: Mechanism) -> torsor._results.Mobility"),
      R"(Degrees of freedom by the rank of the equations, redundant ones and whose they are, how it is driven and actuated.

>>> import torsor as ts
>>> found = ts.mobility(ts.load_mechanism("bricard"))
>>> found.joints.degrees_of_freedom, found.joints.counted
(1, 0)
)");
  m.def(
      "find_equilibrium", equilibrium, "mechanism"_a,
      nb::sig("def find_equilibrium(mechanism: Mechanism) -> torsor._results.Equilibrium"),
      R"(Where a mechanism stays at rest, drivers as they are at the start: poses, measures, reactions, and whether it is stable.

>>> import torsor as ts
>>> rest = ts.find_equilibrium(ts.load_mechanism("pendulum"))
>>> rest.stable
True
)");
  m.def(
      "linearise", small_motions, "mechanism"_a, "at"_a = "equilibrium",
      nb::sig("def linearise(mechanism: Mechanism, at: str = \"equilibrium\") -> torsor._results.Modes"),
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
