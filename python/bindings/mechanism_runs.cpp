// Runs of mechanisms in Python: under drivers, with the torques that cause it, and under forces.
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <algorithm>

#include "python/bindings/errors.hpp"
#include "python/bindings/mechanism.hpp"
#include "python/bindings/mechanism_instants.hpp"
#include "python/bindings/rooms.hpp"

namespace torsor::python {
namespace {

using namespace nb::literals;
using Numbers = std::vector<double>;

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

nb::object driven(const LoadedMechanism& m, std::optional<double> time, std::optional<double> interval) {
  const DrivenRunRules rules = driven_rules("run_driven", m, time, interval);
  MechanismState state = described_state(m);
  if (const Faults errors = start_driven(m, state); !errors.empty()) raise(errors);
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

nb::object inverse(const LoadedMechanism& m, std::optional<double> time, std::optional<double> interval, const std::string& on,
                   const std::string& axes) {
  const char* const function = "mechanism_inverse";
  const DrivenRunRules rules = driven_rules(function, m, time, interval);
  const Axes choice{word_of(function, "on", on, {"i", "j"}) == 0, word_of(function, "axes", axes, {"world", "joint"}) == 1};
  const auto& actuators = m.description.actuators;
  const bool of_drivers = actuators.empty();
  MechanismState state = described_state(m);
  if (const Faults errors = start_driven(m, state); !errors.empty()) raise(errors);
  Instants instants(m, of_drivers, choice);
  const std::vector<std::string> names = of_drivers ? driver_torque_names(m) : names_of(actuators);
  RunRows torques, power, kinetic, potential, unbalanced, gaps;
  DrivenRunReport report;
  int commanded = 0;
  double worst = 0;
  Visits visits;
  {
    const nb::gil_scoped_release release;
    MechanismInverse solver(m, of_drivers ? EquationSet::all : EquationSet::without_drivers);
    solver.expect_redundancy(true);
    Numbers net(actuators.size()), driving;
    report = run_driven(m, state, rules, [&](const DrivenInstant& at) {
      const InverseReport found = solver.torques(at.state, at.A, net);
      for (std::size_t k = 0; k < net.size(); ++k) torques.add(solver.motor_torque(static_cast<int>(k), net[k]));
      driving.clear();
      if (of_drivers) append_driver_torques(m, solver.equations(), solver.lambda(), driving);
      for (const double effort : driving) torques.add(effort);
      power.add(of_drivers ? found.carried : found.power);
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
  answer.put("actuator_names", names).put("efforts", torques.array({power.size(), names.size()}));
  answer.put("efforts_of", of_drivers ? "drivers" : "actuators");
  answer.put("power", power.array()).put("kinetic", kinetic.array()).put("potential", potential.array());
  answer.put("unbalanced", unbalanced.array()).put("commanded", commanded).put("gap", gaps.array());
  put_end(answer, m, report);
  if (worst > 1e-6)
    warn_of_run(m.description.name + ": its actuators cannot cause this motion: accelerations up to " +
                std::to_string(worst) + " are left; mobility says how many are needed");
  return answer.make("_mechanism", "InverseRun");
}

nb::object forward(const LoadedMechanism& m, std::optional<double> time, std::optional<double> interval,
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

}  // namespace

void bind_mechanism_runs(nb::module_& m) {
  m.def("run_driven", driven, "mechanism"_a, "time"_a = nb::none(), "interval"_a = nb::none(),
        nb::sig("def run_driven(mechanism: Mechanism, time: float | None = None, interval: float | None = None) -> "
                "torsor._mechanism.DrivenRun"),
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
                "on: str = \"j\", axes: str = \"world\") -> torsor._mechanism.InverseRun"),
        R"(Torques of the actuators that cause the motion its drivers prescribe, and the reactions of all joints.

Without actuators the torques are those of the drivers themselves.

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
        R"(Motion under gravity, springs, forces, given torques and drivers, from the start of the file on.

time and interval between instants in s; integrator a name of :func:`integrators`, step (s) of methods with fixed steps,
tolerance of the others; formulation 'augmented' or 'partitioned'; by default what the file says. project_stages: bring the
states inside a step onto the equations, too, for motions through singular positions.

>>> import torsor as ts
>>> run = ts.run_forward(ts.load_mechanism("pendulum"), time=1.0, interval=0.1)
>>> bool(abs(run.energy_error).max() < 1e-8)
True
)");
}

}  // namespace torsor::python
