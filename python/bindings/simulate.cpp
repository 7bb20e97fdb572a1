// Runs of robots under torques in Python, and inverse dynamics and back.
#include <nanobind/stl/optional.h>

#include <algorithm>
#include <cmath>
#include <memory>

#include "python/bindings/answer.hpp"
#include "python/bindings/errors.hpp"
#include "python/bindings/results.hpp"
#include "python/bindings/robot.hpp"
#include "python/bindings/rooms.hpp"
#include "python/bindings/row_call.hpp"
#include "python/bindings/timed_motion.hpp"
#include "torsor/simulate/simulated_robot.hpp"
#include "torsor/simulate/roundtrip.hpp"
#include "torsor/trajectory/range_sweep.hpp"
#include "torsor/simulate/simulation_result.hpp"

namespace torsor::python {
namespace {

using namespace nb::literals;
using Numbers = std::vector<double>;

/// Torques of a function tau(t, q, qd) in Python.
class PythonTorque final : public TorqueInput {
 public:
  PythonTorque(const char* function, nb::handle tau, Visits& visits, Numbers breaks, double longest_step)
      : function_(function), tau_(tau), visits_(visits), breaks_(std::move(breaks)), longest_step_(longest_step) {}

  void effort(double t, std::span<const double> q, std::span<const double> qd, std::span<double> tau) override {
    const bool done = visits_.call([&] {
      const nb::object answer = nb::borrow(tau_)(t, new_array(q), new_array(qd));
      std::ranges::copy(vector_of(function_, "what tau(t, q, qd) returns", answer, static_cast<int>(tau.size())),
                        tau.begin());
    });
    if (!done) std::ranges::fill(tau, std::nan(""));
  }
  std::span<const double> breaks() const override { return breaks_; }
  double longest_step() const override { return longest_step_; }

 private:
  const char* function_;
  nb::handle tau_;
  Visits& visits_;
  Numbers breaks_;
  double longest_step_;
};

/// Any input, until the user breaks off: torques that are no numbers end a run.
class BrokenOff final : public TorqueInput {
 public:
  BrokenOff(TorqueInput& input, Visits& visits) : input_(input), visits_(visits) {}
  void effort(double t, std::span<const double> q, std::span<const double> qd, std::span<double> tau) override {
    input_.effort(t, q, qd, tau);
    if (!visits_.go_on()) std::ranges::fill(tau, std::nan(""));
  }
  std::span<const double> breaks() const override { return input_.breaks(); }
  double longest_step() const override { return input_.longest_step(); }

 private:
  TorqueInput& input_;
  Visits& visits_;
};

/// What every run has of rules.
SimulationRules rules_of(const char* function, const std::string& integrator, double step, double tolerance) {
  SimulationRules rules;
  rules.integrator = integrator_of(function, integrator);
  rules.steps.step = positive(function, "step", step);
  rules.steps.relative = positive(function, "tolerance", tolerance);
  return rules;
}

struct Drive {
  std::unique_ptr<TorqueInput> input;
  double from = 0;
  std::optional<double> to;
};

Drive drive_of(const Robot& robot, nb::handle tau, nb::handle times, const std::string& interpolation,
               nb::handle breaks, double longest_step, std::span<const double> q, Visits& visits) {
  const char* const f = "simulate";
  const int nv = robot.coordinates().nv;
  if (!times.is_none()) {
    const Numbers t = vector_of(f, "times", times, -1);
    RowCall call(f, 1);
    call.take("tau", tau, {static_cast<int>(t.size()), nv}).settle();
    if (!call.single() || t.empty()) refuse(f, "tau has leading axes; expected (times, " + std::to_string(nv) + ")");
    call.refuse_not_finite();
    const auto rule = static_cast<Interpolation>(
        word_of(f, "interpolation", interpolation, {interpolation_names.begin(), interpolation_names.end()}));
    return {std::make_unique<SampledTorque>(value_of(SampledTorque::make(t, call.row(0, 0), rule))), t.front(),
            t.back()};
  }
  if (nb::isinstance<nb::str>(tau)) {
    Numbers constant(static_cast<std::size_t>(nv), 0.0);
    if (word_of(f, "tau", string_of(f, "tau", tau), {"zero", "hold"}) == 1) robot.dynamics()->gravity(q, constant);
    return {std::make_unique<ConstantTorque>(std::move(constant)), 0, {}};
  }
  if (PyCallable_Check(tau.ptr()))
    return {std::make_unique<PythonTorque>(
                f, tau, visits, breaks.is_none() ? Numbers() : vector_of(f, "breaks", breaks, -1), longest_step),
            0,
            {}};
  return {std::make_unique<ConstantTorque>(vector_of(f, "tau", tau, nv)), 0, {}};
}

nb::object simulate(const Robot& robot, nb::handle q, nb::handle qd, nb::handle tau, std::optional<double> time,
                    double every, nb::handle times, const std::string& interpolation, nb::handle breaks,
                    const std::string& integrator, double step, double tolerance, const std::string& stops,
                    bool saturate, bool stick, double period, double delay, double longest_step) {
  const char* const f = "simulate";
  robot.refuse_massless();
  const SimulatedRobot simulated = value_of(simulated_robot(robot));
  const Model<double>& model = simulated.model;
  const Numbers at = vector_of(f, "q", q, model.nq);
  const Numbers rates = qd.is_none() ? Numbers(static_cast<std::size_t>(model.nv)) : vector_of(f, "qd", qd, model.nv);
  SimulationRules rules = rules_of(f, integrator, step, tolerance);
  rules.steps.absolute = 0.01 * tolerance;
  rules.stops = static_cast<Stops>(word_of(f, "stops", stops, {"none", "stiff", "error"}));
  rules.saturate = saturate;
  rules.stick = stick;
  rules.sampling = {period, delay};
  rules.every = every;
  if (!(every >= 0)) refuse(f, "every is negative or no number; expected seconds, or 0 for the end of every step");
  if (const Faults errors = check(model, rules); !errors.empty()) raise(errors);
  if (!(longest_step >= 0)) refuse(f, "longest_step is negative or no number; expected seconds, or 0 for any length");
  Visits visits;
  const Drive drive = drive_of(robot, tau, times, interpolation, breaks, longest_step, at, visits);
  if (!time && !drive.to) refuse(f, "time is missing; expected the seconds to simulate");
  const double seconds = positive(f, "time", time ? *time : *drive.to - drive.from, 1e9);
  if (drive.to && drive.from + seconds > *drive.to * (1 + 1e-12) + 1e-12)
    refuse(f, "times ends before the run does; expected torques for all of its time");
  if (every > 0 && seconds / every > 1e7) refuse(f, "there would be more than 1e7 instants; expected a longer every");
  Simulation simulation(simulated, rules);
  if (const Faults errors = simulation.start(drive.from, at, rates); !errors.empty()) raise(errors);
  SimulationRecord record;
  RunEnd end;
  {
    const nb::gil_scoped_release release;
    BrokenOff input(*drive.input, visits);
    end = simulation.run(drive.from + seconds, input, nullptr, &record);
  }
  visits.settle();

  if (!end) warn_of_run(model.name + ": " + describe(end, model));
  return answer_of(std::move(record).run(simulation, end));
}

RoundTripInput input_of(const char* f, const std::string& interpolation, int samples, bool pieces) {
  const std::size_t k = word_of(f, "interpolation", interpolation, {"exact", "hold", "linear", "cubic"});
  if (k == 0) return {};
  if (samples < 2 || samples > 1'000'000)
    refuse(f, "samples is " + std::to_string(samples) + "; expected 2 to 1000000");
  return {static_cast<Interpolation>(k - 1), samples, pieces};
}

nb::object there_and_back(const Robot& robot, nb::handle motion, std::optional<double> duration,
                          const std::string& interpolation, int samples, bool pieces, nb::handle breaks,
                          const std::string& integrator, double step, double tolerance, nb::handle frame) {
  const char* const f = "roundtrip";
  robot.refuse_massless();
  const Frame<double> tool = robot.frame(f, frame);
  SimulationRules rules = rules_of(f, integrator, step, tolerance);
  rules.steps.absolute = tolerance;
  if (const Faults errors = check(robot.model(), rules); !errors.empty()) raise(errors);
  const RoundTripInput input = input_of(f, interpolation, samples, pieces);
  Visits visits;
  const Trajectory timed = timed_motion(f, robot.model(), motion, duration, breaks, visits);
  rules.every = timed.duration() / 100;
  RoundTrip trip;
  visits.unlocked([&] { trip = roundtrip(robot.model(), tool, timed, input, rules); });
  if (!trip.end) warn_of_run(robot.model().name + ": " + describe(trip.end, robot.model()));
  return answer_of(round_trip_row(input, trip, robot.model()));
}

nb::object torques(const Robot& robot, nb::handle motion, int samples, std::optional<double> duration, bool pieces,
                   nb::handle breaks) {
  const char* const f = "sample_efforts";
  robot.refuse_massless();
  if (samples < 2 || samples > 10'000'000)
    refuse(f, "samples is " + std::to_string(samples) + "; expected 2 to 10000000");
  Visits visits;
  const Trajectory timed = timed_motion(f, robot.model(), motion, duration, breaks, visits);
  TorqueSamples found;
  visits.unlocked([&] { found = sample_torques(robot.model(), timed, samples, pieces); });
  return nb::make_tuple(new_array(found.t),
                        new_array(found.tau, {found.t.size(), static_cast<std::size_t>(robot.model().nv)}));
}

nb::object integrator_rows() { return answer_of(integrators()); }

}  // namespace

Trajectory survey_motion(const char* function, const Model<double>& model, nb::handle motion, int steps,
                         Visits& visits) {
  if (steps < 1) refuse(function, "steps is " + std::to_string(steps) + "; expected 1 or more");
  if (model.nq != model.nv)
    refuse(function, "the robot has ball, planar or free joints; expected joints with a coordinate each");
  const Trajectory along = motion.is_none() ? Trajectory(range_sweep(model)) : nb::cast<Trajectory>(motion);
  if (along.size() != static_cast<std::size_t>(model.nv))
    refuse(function,
           "the motion has " + std::to_string(along.size()) + " coordinates; expected " + std::to_string(model.nv));
  return watched(along, visits);
}

Trajectory timed_motion(const char* function, const Model<double>& model, nb::handle motion,
                        std::optional<double> duration, nb::handle breaks, Visits& visits) {
  const Numbers jumps = breaks.is_none() ? Numbers() : vector_of(function, "breaks", breaks, -1);
  if (nb::isinstance<Trajectory>(motion)) {
    const Trajectory joints = watched(nb::cast<Trajectory>(motion), visits);
    if (joints.size() != static_cast<std::size_t>(model.nv) || model.nq != model.nv)
      refuse(function,
             "motion moves " + std::to_string(joints.size()) + " coordinates; expected " + std::to_string(model.nv));
    return {joints.size(), positive(function, "duration", duration.value_or(joints.duration()), 1e9),
            [joints](double t, auto q, auto qd, auto qdd) { joints.sample(t, q, qd, qdd); }, jumps};
  }
  if (!PyCallable_Check(motion.ptr()))
    refuse(function, "motion is neither a motion of joints nor a function; expected motion(t) -> q, qd, qdd");
  if (!duration) refuse(function, "duration is missing; expected the seconds that the motion takes");
  const auto sample = [function, motion, &visits](double t, std::span<double> q, std::span<double> qd,
                                                  std::span<double> qdd) {
    const bool done = visits.call([&] {
      const nb::object answer = nb::borrow(motion)(t);
      if (!PySequence_Check(answer.ptr()) || nb::len(answer) != 3)
        refuse(function, "motion(t) returns something else; expected q, qd, qdd");
      const std::array parts{q, qd, qdd};
      constexpr const char* names[] = {"q of motion(t)", "qd of motion(t)", "qdd of motion(t)"};
      for (std::size_t k = 0; k < 3; ++k)
        std::ranges::copy(vector_of(function, names[k], answer[k], static_cast<int>(parts[k].size())),
                          parts[k].begin());
    });
    if (done) return;
    // no numbers end the run
    for (const auto& part : {q, qd, qdd}) std::ranges::fill(part, std::nan(""));
  };
  return {static_cast<std::size_t>(model.nv), positive(function, "duration", *duration, 1e9), sample, jumps};
}

void bind_simulate(nb::module_& m) {
  m.def(
      "simulate", simulate, "robot"_a, "q"_a, "qd"_a = nb::none(), "tau"_a = "zero", "time"_a = nb::none(),
      "every"_a = 0.01, nb::kw_only(), "times"_a = nb::none(), "interpolation"_a = "linear", "breaks"_a = nb::none(),
      "integrator"_a = "dormand-prince", "step"_a = 1e-3, "tolerance"_a = 1e-10, "stops"_a = "none",
      "saturate"_a = true, "stick"_a = true, "period"_a = 0.0, "delay"_a = 0.0, "longest_step"_a = usual_longest_step,
      nb::sig(
          "def simulate(robot: Robot, q: numpy.typing.ArrayLike, qd: numpy.typing.ArrayLike | None = None, tau: "
          "numpy.typing.ArrayLike | str | collections.abc.Callable[[float, numpy.typing.NDArray[numpy.float64], "
          "numpy.typing.NDArray[numpy.float64]], numpy.typing.ArrayLike] = \"zero\", time: float | None = None, every: "
          "float = 0.01, *, times: numpy.typing.ArrayLike | None = None, interpolation: str = \"linear\", breaks: "
          "numpy.typing.ArrayLike | None = None, integrator: str = \"dormand-prince\", step: float = 1e-3, tolerance: "
          "float = 1e-10, stops: str = \"none\", saturate: bool = True, stick: bool = True, period: float = 0.0, "
          "delay: float = 0.0, longest_step: float = 0.01) -> torsor._results.SimulationRun"),
      R"(The motion that joint torques cause from q and qd on, with what became of the energy.

tau: 'zero'; 'hold', what holds q against gravity; nv numbers for ever; with times (N,), torques (N, nv) with
interpolation 'hold', 'linear' or 'cubic' between; or a function tau(t, q, qd), which jumps at the instants breaks. Nothing is
known of it but its values: steps chosen by their error are no longer than longest_step (s), and are taken again where it did
something inside them that their ends do not show; a push shorter than an eighth of longest_step needs a smaller one, or breaks.
time: seconds to run; every: seconds between the instants of the answer, 0 for the end of every step.
integrator: a name of :func:`integrators`, step (s) of methods with fixed steps, tolerance of the others.
stops: what happens at the limits of joints, 'none', 'stiff' or 'error'. saturate: cut torques at their limits. stick: dry
friction holds joints at rest. period, delay: torques are asked for as a computer does it, every period, and held from a
delay later on. A run that ends early warns with :class:`RunWarning`; what came before is returned.

>>> import torsor as ts
>>> run = ts.simulate(ts.load("two_link"), [0.0, 0.5], time=1.0)
>>> run.q.shape, bool(run.energy.largest_balance_error < 1e-8)
((101, 2), True)
>>> damped = ts.simulate(ts.load("two_link"), [0.0, 0.5], tau=lambda t, q, qd: -3 * qd, time=1.0)
>>> bool(damped.effort_work[-1] < 0)
True
)");
  m.def("integrators", integrator_rows, nb::sig("def integrators() -> list[torsor._results.Integrator]"),
        R"(The methods of integration, by rising cost of a step.

>>> import torsor as ts
>>> [row.name for row in ts.integrators() if row.adaptive]
['dormand-prince', 'radau']
)");
  m.def(
      "roundtrip", there_and_back, "robot"_a, "motion"_a, "duration"_a = nb::none(), nb::kw_only(),
      "interpolation"_a = "exact", "samples"_a = 201, "pieces"_a = false, "breaks"_a = nb::none(),
      "integrator"_a = "dormand-prince", "step"_a = 1e-3, "tolerance"_a = 1e-12, "frame"_a = nb::none(),
      nb::sig("def roundtrip(robot: Robot, motion: typing.Any, duration: float | None = None, *, interpolation: str = "
              "\"exact\", samples: int = 201, pieces: bool = False, breaks: numpy.typing.ArrayLike | None = None, "
              "integrator: str = \"dormand-prince\", step: float = 1e-3, tolerance: float = 1e-12, frame: str | None = "
              "None) -> torsor._results.RoundTrip"),
      R"(Inverse dynamics and back: torques along a motion drive a simulation; how far from its target does the tool end?

motion: a motion of the joints, or a function motion(t) -> q, qd, qdd from 0 to duration (s) whose accelerations jump at
the instants breaks. interpolation: 'exact', the torque function itself, or 'hold', 'linear', 'cubic' between samples;
pieces: samples for each stretch between breaks.

>>> import torsor as ts
>>> def lift(t):
...     return [0.0, 0.1 * t**3], [0.0, 0.3 * t**2], [0.0, 0.6 * t]
>>> trip = ts.roundtrip(ts.load("two_link"), lift, 0.5)
>>> bool(trip.position_error < 1e-8)
True
)");
  m.def("sample_efforts", torques, "robot"_a, "motion"_a, "samples"_a, "duration"_a = nb::none(), "pieces"_a = false,
        "breaks"_a = nb::none(),
        nb::sig(
            "def sample_efforts(robot: Robot, motion: typing.Any, samples: int, duration: float | None = None, pieces: "
            "bool = False, breaks: numpy.typing.ArrayLike | None = None) -> "
            "tuple[numpy.typing.NDArray[numpy.float64], numpy.typing.NDArray[numpy.float64]]"),
        R"(Torques along a motion of the joints at equidistant instants: times (N,) and torques (N, nv).

>>> import torsor as ts
>>> t, tau = ts.sample_efforts(ts.load("two_link"), lambda t: ([0, 0], [0, 0], [0, 0]), 3, duration=1.0)
>>> t, tau.shape
(array([0. , 0.5, 1. ]), (3, 2))
)");
}

}  // namespace torsor::python
