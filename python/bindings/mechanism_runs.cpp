// Runs of mechanisms in Python: under drivers, with the torques that cause it, and under forces.
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <algorithm>

#include "python/bindings/errors.hpp"
#include "python/bindings/mechanism.hpp"
#include "python/bindings/mechanism_instants.hpp"
#include "python/bindings/page.hpp"
#include "python/bindings/rooms.hpp"
#include "torsor/report/mechanism_runs.hpp"

namespace torsor::python {
namespace {

using namespace nb::literals;
using Numbers = std::vector<double>;

DrivenRunRules driven_rules(const char* function, const Mechanism& m, std::optional<double> time,
                            std::optional<double> interval) {
  constexpr double most_rows = 1e7;
  const DrivenRunRules rules{positive(function, "time", time.value_or(m.description.run.time), 1e9),
                             positive(function, "interval", interval.value_or(m.description.run.interval))};
  if (rules.time / rules.interval > most_rows)
    refuse(function, "there would be more than 1e7 instants; expected a longer interval");
  return rules;
}

/// Warns of a run that came to no end.
void warn_of_end(const Mechanism& m, const MechanismRunEnd& report) {
  if (report.finished) return;
  warn_of_run((report.stopped_by.empty() ? m.description.name : report.stopped_by) + ": at " +
              std::to_string(report.t) + " s " + report.why);
}

nb::object driven(const LoadedMechanism& m, std::optional<double> time, std::optional<double> interval) {
  const DrivenRunRules rules = driven_rules("run_driven", m, time, interval);
  MechanismState state = described_state(m);
  if (const Faults errors = start_driven(m, state); !errors.empty()) raise(errors);
  DrivenRun out{{Instants(m)}};
  MechanismEquations equations(m);
  Visits visits;
  {
    const nb::gil_scoped_release release;
    out.report = run_driven(m, state, rules, [&](const DrivenInstant& at) {
      equations.evaluate(at.state);
      out.motion.at.add(at.state, equations, at.A);
      out.motion.closure_error.add(at.gap);
      return visits.go_on();
    });
  }
  visits.settle();
  warn_of_end(m, out.report);
  return answer_of(out);
}

nb::object inverse(const LoadedMechanism& m, std::optional<double> time, std::optional<double> interval,
                   const std::string& on, const std::string& axes) {
  const char* const function = "mechanism_inverse";
  const DrivenRunRules rules = driven_rules(function, m, time, interval);
  const Axes choice{word_of(function, "on", on, {"i", "j"}) == 0,
                    word_of(function, "axes", axes, {"world", "joint"}) == 1};
  const auto& actuators = m.description.actuators;
  const bool of_drivers = actuators.empty();
  MechanismState state = described_state(m);
  if (const Faults errors = start_driven(m, state); !errors.empty()) raise(errors);
  InverseRun out{
      {Instants(m, false, of_drivers, choice)}, of_drivers ? driver_torque_names(m) : names_of(actuators), of_drivers};
  double worst = 0;
  Visits visits;
  {
    const nb::gil_scoped_release release;
    MechanismInverse solver(m, of_drivers ? EquationSet::all : EquationSet::without_drivers);
    solver.expect_redundancy(true);
    Numbers net(actuators.size()), driving;
    out.report = run_driven(m, state, rules, [&](const DrivenInstant& at) {
      const InverseReport found = solver.torques(at.state, at.A, net);
      for (std::size_t k = 0; k < net.size(); ++k) out.torques.add(solver.motor_torque(static_cast<int>(k), net[k]));
      driving.clear();
      if (of_drivers) append_driver_torques(m, solver.equations(), solver.lambda(), driving);
      for (const double torque : driving) out.torques.add(torque);
      out.power.add(of_drivers ? found.carried : found.power);
      out.kinetic.add(found.energy.kinetic);
      out.potential.add(found.energy.potential);
      out.unbalanced.add(found.unbalanced);
      worst = std::max(worst, found.unbalanced);
      out.motion.closure_error.add(at.gap);
      out.commanded = found.commanded;
      out.motion.at.add(at.state, solver.equations(), at.A);
      out.motion.at.add_reactions(solver.equations(), solver.lambda());
      return visits.go_on();
    });
  }
  visits.settle();
  warn_of_end(m, out.report);
  if (worst > 1e-6)
    warn_of_run(m.description.name + ": its actuators cannot cause this motion: accelerations up to " +
                std::to_string(worst) + " are left; mobility says how many are needed");
  return answer_of(out);
}

ForwardRunRules forward_rules(const char* function, const Mechanism& m, std::optional<double> time,
                              std::optional<double> interval, const std::optional<std::string>& integrator,
                              std::optional<double> step, std::optional<double> tolerance,
                              const std::optional<std::string>& formulation,
                              std::optional<bool> project_stages) {
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
  return rules;
}

nb::object forward(const LoadedMechanism& m, std::optional<double> time, std::optional<double> interval,
                   std::optional<std::string> integrator, std::optional<double> step, std::optional<double> tolerance,
                   std::optional<std::string> formulation, std::optional<bool> project_stages) {
  const ForwardRunRules rules =
      forward_rules("run_forward", m, time, interval, integrator, step, tolerance, formulation, project_stages);
  MechanismState state = assembled(m);
  MechanismForwardRun out{{Instants(m)}, rules.integrator};
  Visits visits;
  {
    const nb::gil_scoped_release release;
    out.report = run_forward(m, state, rules, [&](const ForwardInstant& at) {
      out.motion.at.add(at.state, at.forward.equations(), at.A);
      out.motion.at.add_reactions(at.forward.equations(), at.forward.lambda());
      out.kinetic.add(at.forward.energy().kinetic);
      out.potential.add(at.forward.energy().potential);
      out.work.add(at.work);
      out.energy_error.add(at.energy_error);
      out.motion.closure_error.add(at.gap);
      return visits.go_on();
    });
  }
  visits.settle();
  warn_of_end(m, out.report);
  return answer_of(out);
}

std::string run_page(const LoadedMechanism& m, const std::string& what, const DrivenRunRules& rules) {
  DrivenStart start = value_of(driven_start(m));
  std::optional<InverseRows> inverse;
  if (what == "inverse") inverse.emplace(m, start.state, start.joints.freedoms, false, false);
  MechanismPage shown(m, inverse ? inverse_columns(m, *inverse) : kinematics_columns(m), what);
  Visits visits;
  const MechanismRowSink sink = [&](const MechanismState& state, std::span<const double> numbers, Gaps,
                                    std::span<const double> torques) {
    shown.add(state, numbers, torques);
    return visits.go_on();
  };
  RunStory story;
  visits.unlocked([&] {
    story = inverse ? run_inverse(m, std::move(start), rules, *inverse, sink).motion.story
                    : run_kinematics(m, std::move(start), rules, sink).story;
  });
  return html_of(shown.report(story));
}

std::string simulation_page(const LoadedMechanism& m, ForwardRunRules rules) {
  rules.watch_singular = true;
  MechanismPage shown(m, simulation_columns(m), "simulate");
  Visits visits;
  RunStory story;
  visits.unlocked([&] {
    story = run_simulation(m, rules,
                           [&](const MechanismState& state, std::span<const double> numbers, Gaps,
                               std::span<const double> torques) {
                             shown.add(state, numbers, torques);
                             return visits.go_on();
                           })
                .story;
  });
  return html_of(shown.report(story));
}

}  // namespace

void bind_mechanism_runs(nb::module_& m) {
  for (const char* what : {"kinematics", "inverse"})
    m.def((std::string("_page_mechanism_") + what).c_str(),
          [what](const LoadedMechanism& x, std::optional<double> time, std::optional<double> interval) {
            return run_page(x, what, driven_rules("page", x, time, interval));
          },
          "mechanism"_a, "time"_a = nb::none(), "interval"_a = nb::none());
  m.def(
      "_page_mechanism_simulate",
      [](const LoadedMechanism& x, std::optional<double> time, std::optional<double> interval,
         const std::optional<std::string>& integrator, std::optional<double> step, std::optional<double> tolerance,
         const std::optional<std::string>& formulation, std::optional<bool> project_stages) {
        return simulation_page(
            x, forward_rules("page", x, time, interval, integrator, step, tolerance, formulation, project_stages));
      },
      "mechanism"_a, "time"_a = nb::none(), "interval"_a = nb::none(), "integrator"_a = nb::none(),
      "step"_a = nb::none(), "tolerance"_a = nb::none(), "formulation"_a = nb::none(), "project_stages"_a = nb::none());
  m.def("run_driven", driven, "mechanism"_a, "time"_a = nb::none(), "interval"_a = nb::none(),
        nb::sig("def run_driven(mechanism: Mechanism, time: float | None = None, interval: float | None = None) -> "
                "torsor._results.DrivenRun"),
        R"(The motion that drivers prescribe: positions, velocities and accelerations over time.

time and interval between instants in s; by default what the file says. All degrees of freedom must be driven. Where the mechanism
locks the run ends with a :class:`RunWarning`, and what came before is returned.

>>> import torsor as ts
>>> run = ts.run_driven(ts.load_mechanism("four_bar"), time=0.1, interval=0.01)
>>> run.poses.shape, run.finished
((11, 3, 4, 4), True)
)");
  m.def("mechanism_inverse", inverse, "mechanism"_a, "time"_a = nb::none(), "interval"_a = nb::none(), "on"_a = "j",
        "axes"_a = "world",
        nb::sig("def mechanism_inverse(mechanism: Mechanism, time: float | None = None, interval: float | None = None, "
                "on: str = \"j\", axes: str = \"world\") -> torsor._results.InverseRun"),
        R"(Torques of the actuators that cause the motion its drivers prescribe, and the reactions of all joints.

Without actuators the torques are those of the drivers themselves.

on: 'i' or 'j', which body of each joint the reactions act on. axes: 'world' or 'joint', along which their components are.

>>> import torsor as ts
>>> run = ts.mechanism_inverse(ts.load_mechanism("four_bar"), time=0.1, interval=0.01)
>>> run.torques.shape, run.reactions.shape
((11, 1), (11, 4, 6))
)");
  m.def(
      "run_forward", forward, "mechanism"_a, "time"_a = nb::none(), "interval"_a = nb::none(),
      "integrator"_a = nb::none(), "step"_a = nb::none(), "tolerance"_a = nb::none(), "formulation"_a = nb::none(),
      "project_stages"_a = nb::none(),
      nb::sig("def run_forward(mechanism: Mechanism, time: float | None = None, interval: float | None = None, "
              "integrator: str | None = None, step: float | None = None, tolerance: float | None = None, formulation: "
              "str | None = None, project_stages: bool | None = None) -> torsor._results.ForwardRun"),
      R"(Motion under gravity, springs, forces, given torques and drivers, from the start of the file on.

time and interval between instants in s; integrator a name of :func:`integrators`, step (s) of methods with fixed steps,
tolerance of the others; formulation 'augmented' or 'partitioned'; by default what the file says. project_stages: bring the
states inside a step onto the equations, too, as motions through singular positions take it; None: where steps would lose their
order without, as of linkages whose equations depend on one another only as long as they hold.

>>> import torsor as ts
>>> run = ts.run_forward(ts.load_mechanism("pendulum"), time=1.0, interval=0.1)
>>> bool(abs(run.energy_error).max() < 1e-8)
True
)");
}

}  // namespace torsor::python
