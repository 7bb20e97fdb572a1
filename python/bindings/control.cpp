// Control laws in Python: the table of them, one law by itself, and laws compared on a task of the tool.
#include <nanobind/stl/optional.h>
#include <nanobind/stl/unique_ptr.h>

#include <algorithm>
#include <mutex>

#include "python/bindings/answer.hpp"
#include "python/bindings/errors.hpp"
#include "python/bindings/reduced_model.hpp"
#include "python/bindings/results.hpp"
#include "python/bindings/robot.hpp"
#include "python/bindings/rooms.hpp"
#include "torsor/control/control_law.hpp"
#include "torsor/loops/start_position.hpp"
#include "torsor/control/control_plan.hpp"
#include "torsor/files/experiment_toml.hpp"
#include "torsor/text/text_file.hpp"
#include "torsor/simulate/control_result.hpp"

namespace torsor::python {
namespace {

using namespace nb::literals;
using Numbers = std::vector<double>;

nb::object laws() { return answer_of(control_laws()); }

const ControlLawRow& law_of(const char* function, const std::string& name) {
  std::vector<std::string_view> names;
  for (const ControlLawRow& each : control_laws()) names.push_back(each.name);
  return control_laws()[word_of(function, "law", name, names)];
}

ControllerKind kind_of(const char* function, const std::string& name) {
  return static_cast<ControllerKind>(word_of(
      function, "model", name, {std::begin(controller_kind_names), std::end(controller_kind_names)}));
}

/// A law with all that it refers to; one call at a time.
class Law {
 public:
  Law(nb::object robot, const std::string& name, nb::handle start, double kp, double kv, nb::object model,
      double bandwidth, nb::handle frame)
      : robot_(std::move(robot)), model_(std::move(model)), row_(law_of("ControlLaw", name)) {
    const char* const f = "ControlLaw";
    const Robot& r = nb::cast<const Robot&>(robot_);
    if (const std::string why = control_refusal(r, row_); !why.empty()) refuse(f, why);
    tool_ = r.frame(f, frame);
    const Numbers at = start.is_none() ? start_position(r) : vector_of(f, "start", start, r.nq());
    if (nb::isinstance<Reduced>(model_)) {
      const Reduced& reduced = nb::cast<const Reduced&>(model_);
      check_reduced(reduced, r);
      if (!reduced.model.statement.definite)
        refuse(f,
               "model has a mass matrix that is not positive definite on its ranges; expected one made with "
               "consistent=True "
               "or a smaller tolerance");
      dynamics_ = make_controller_model(ControllerKind::reduced, r.model(), at, &reduced.model);
    } else {
      if (!nb::isinstance<nb::str>(model_))
        throw nb::type_error("ControlLaw: model is neither a str nor a ReducedModel");
      const ControllerKind kind = kind_of(f, string_of(f, "model", model_));
      if (kind == ControllerKind::reduced)
        refuse(f, "model is \"reduced\"; expected one of full, no-coriolis, gravity, or a ReducedModel itself");
      dynamics_ = make_controller_model(kind, r, at);
    }
    ControlSetup setup{r.coordinates(), tool_, *dynamics_, at, {kp, kv}};
    setup.impedance_bandwidth = positive(f, "bandwidth", bandwidth);
    law_ = row_.make(setup);
    arguments_ = nb::make_tuple(robot_, name, new_array(at), kp, kv, model_, bandwidth, frame);
  }

  /// What it was made of; it has no memory of its calls.
  const nb::object& arguments() const { return arguments_; }

  std::string name() const { return std::string(row_.name); }
  bool tool() const { return row_.tool; }
  int saturated() const { return law_->report().saturated; }
  double lost() const { return law_->report().lost; }

  nb::object effort(nb::handle q, nb::handle qd, nb::handle q_wanted, nb::handle qd_wanted, nb::handle qdd_wanted,
                    nb::handle pose, nb::handle twist, nb::handle acceleration, nb::handle tool_force, double t) {
    const char* const f = "ControlLaw.effort";
    const Model<double>& m = nb::cast<const Robot&>(robot_).coordinates();
    const Numbers at = vector_of(f, "q", q, m.nq), rates = vector_of(f, "qd", qd, m.nv);
    const auto or_none = [&](const char* name, nb::handle given) {
      return given.is_none() ? Numbers() : vector_of(f, name, given, m.nv);
    };
    const auto six = [&](const char* name, nb::handle given) {
      return given.is_none() ? Numbers(6) : vector_of(f, name, given, 6);
    };
    Numbers wanted = or_none("q_wanted", q_wanted), wanted_d = or_none("qd_wanted", qd_wanted),
            wanted_dd = or_none("qdd_wanted", qdd_wanted);
    if (row_.tool && pose.is_none()) refuse(f, "pose is missing; law \"" + name() + "\" asks where the tool is to be");
    if (!row_.tool && wanted.empty())
      refuse(f, "q_wanted is missing; law \"" + name() + "\" asks where the joints are to be");
    if (!wanted.empty()) {
      wanted_d.resize(rates.size());
      wanted_dd.resize(rates.size());
    }
    ControlReference reference{wanted, wanted_d, wanted_dd, {}, {}};
    if (!pose.is_none()) reference.tool.X = pose_of(f, "pose", pose);
    const Numbers V = six("twist", twist), A = six("acceleration", acceleration), F = six("tool_force", tool_force);
    reference.tool.twist = {{V[0], V[1], V[2]}, {V[3], V[4], V[5]}};
    reference.tool.acceleration = {{A[0], A[1], A[2]}, {A[3], A[4], A[5]}};
    Numbers tau(rates.size());
    const std::lock_guard lock(mutex_);
    law_->effort({t, at, rates, {{F[0], F[1], F[2]}, {F[3], F[4], F[5]}}}, reference, tau);
    return new_array(tau);
  }

 private:
  nb::object robot_, model_;  // both outlive the law
  nb::object arguments_;
  const ControlLawRow& row_;
  Frame<double> tool_;
  std::unique_ptr<ControllerModel> dynamics_;
  std::unique_ptr<ControlLaw> law_;
  std::mutex mutex_;
};

/// What the options of a comparison say.
struct Options {
  std::string task, model, integrator;
  std::optional<double> duration, rest, payload, bandwidth, step;
  double kp, kv, model_error, rate, delay;
  bool limits;
  std::uint64_t seed;
};

ControlExperiment experiment_of(const char* f, const Robot& robot, nb::handle names, nb::handle start,
                                nb::handle frame, const Options& o) {
  if (const std::string why = control_refusal(robot.model()); !why.empty()) refuse(f, why);
  const auto kind = static_cast<TaskKind>(
      word_of(f, "task", o.task, {std::begin(task_kind_names), std::end(task_kind_names)}));
  ControlExperiment e = usual_experiment(kind);
  e.robot = robot.description().file.empty() ? robot.model().name : robot.description().file;
  const Frame<double> tool = robot.frame(f, frame);
  e.tool = frame.is_none() ? "" : tool.name;
  if (!names.is_none()) {
    e.laws.clear();
    for (const std::string& name : strings_of(f, "laws", names)) e.laws.emplace_back(law_of(f, name).name);
  }
  e.gains = {o.kp, o.kv};
  e.model = kind_of(f, o.model);
  e.model_error = o.model_error;
  e.rate = o.rate;
  e.delay = o.delay;
  e.limits = o.limits;
  e.seed = o.seed;
  e.impedance_bandwidth = o.bandwidth.value_or(e.impedance_bandwidth);
  e.integrator = integrator_of(f, o.integrator);
  e.step = o.step.value_or(e.step);
  e.task = value_of(default_task(kind, robot.model(), tool,
                                 start.is_none() ? Numbers() : vector_of(f, "start", start, robot.model().nq)));
  e.task = in_duration(e.task, positive(f, "duration", o.duration.value_or(e.task.duration)));
  e.task.rest = o.rest.value_or(e.task.rest);
  e.task.payload = o.payload.value_or(e.task.payload);
  if (const Faults errors = check_experiment(e); !errors.empty()) raise(errors);
  return e;
}

nb::object compare(const ControlExperiment& e, const Robot& robot) {
  robot.refuse_massless();
  std::vector<TracedControlRun> runs;
  std::optional<ControlSetting> setting;
  {
    const nb::gil_scoped_release release;
    auto made = prepare(e, robot.description());
    if (!made) {
      const nb::gil_scoped_acquire lock;
      raise(made.faults());
    }
    setting.emplace(*std::move(made));
  }
  for (const std::string& law : e.laws) {
    if (PyErr_CheckSignals() != 0) throw nb::python_error();
    ControlRun run;
    {
      const nb::gil_scoped_release release;
      run = run_law(*setting, *find_control_law(law));
    }
    if (!run.ended.empty()) warn_of_run("law \"" + law + "\": " + run.ended);
    runs.push_back({std::move(run)});
  }
  return answer_of(ControlComparison{*std::move(setting), write_experiment_toml(e), std::move(runs)});
}

nb::object control(const Robot& robot, const std::string& task, nb::handle names, nb::handle start, nb::handle frame,
                   double kp, double kv, const std::string& model, double rate, double delay, double model_error,
                   std::uint64_t seed, std::optional<double> duration, std::optional<double> rest,
                   std::optional<double> payload, std::optional<double> bandwidth, bool limits,
                   const std::string& integrator, std::optional<double> step) {
  const Options o{task, model, integrator,  duration, rest,  payload, bandwidth, step,
                  kp,   kv,    model_error, rate,     delay, limits,  seed};
  return compare(experiment_of("control", robot, names, start, frame, o), robot);
}

nb::object experiment(const Robot& robot, nb::handle source) {
  robot.expect_tree();
  const std::string given = path_of("run_experiment", "source", source);
  const bool is_text = given.find('\n') != std::string::npos;
  const ControlExperiment e =
      value_of(read_experiment_toml(is_text ? given : value_of(read_text_file(given)), is_text ? "text" : given));
  return compare(e, robot);
}

nb::list speeds(const Robot& robot, const std::string& law, nb::handle factors, nb::handle models,
                const std::string& task, nb::handle start, std::optional<double> duration, double kp, double kv,
                double model_error, double rate, double delay, bool limits, std::uint64_t seed, nb::handle frame) {
  const char* const f = "run_speeds";
  robot.refuse_massless();
  const Options o{task, "full", "dormand-prince", duration, {},    {},     {},  {},
                  kp,   kv,     model_error,      rate,     delay, limits, seed};
  const ControlExperiment e = experiment_of(f, robot, nb::cast(law), start, frame, o);
  const ControlLawRow& row = law_of(f, law);
  const Numbers at = vector_of(f, "factors", factors, -1);
  std::vector<ControllerKind> kinds;
  for (const std::string& name : strings_of(f, "models", models)) kinds.push_back(kind_of(f, name));
  nb::list out;
  // one speed at a time, so that a user can break off
  for (const double factor : at) {
    if (PyErr_CheckSignals() != 0) throw nb::python_error();
    std::optional<Result<std::vector<SpeedRun>>> found;
    {
      const nb::gil_scoped_release release;
      found.emplace(run_speeds(e, robot.description(), row, std::span(&factor, 1), kinds));
    }
    out.append(answer_of(speed_figures(value_of(*std::move(found)).front(), kinds)));
  }
  return out;
}

}  // namespace

void bind_control(nb::module_& m) {
  m.def("control_laws", laws, nb::sig("def control_laws() -> list[torsor._results.ControlLawRow]"),
        R"(The control laws, from the simplest on: name, title, source, whether they close the loop around the tool, ...

>>> import torsor as ts
>>> [row.name for row in ts.control_laws()][:2]
['pd', 'pd-gravity']
)");
  nb::class_<Law>(m, "ControlLaw",
                  R"(One law for one robot: torques of the joints from what it does and what it is to do.

law: a name of :func:`control_laws`. start: where constant inertias are taken, zero by default. kp [1/s^2], kv [1/s]: gains.
model: what the law knows of the robot, 'full', 'no-coriolis', 'gravity', or a :class:`ReducedModel` of it.

>>> import torsor as ts
>>> law = ts.ControlLaw(ts.load("two_link"), "computed-torque")
>>> law.effort([0.0, 0.5], [0.0, 0.0], q_wanted=[0.1, 0.5]).shape
(2,)
)")
      .def(nb::init<nb::object, const std::string&, nb::handle, double, double, nb::object, double, nb::handle>(),
           "robot"_a, "law"_a, "start"_a = nb::none(), "kp"_a = 2500.0, "kv"_a = 100.0, "model"_a = "full",
           "bandwidth"_a = 1.0, "frame"_a = nb::none(),
           nb::sig("def __init__(self, robot: Robot, law: str, start: numpy.typing.ArrayLike | None = None, kp: "
                   "float = 2500.0, kv: float = 100.0, model: str | ReducedModel = \"full\", bandwidth: float = 1.0, "
                   "frame: str | "
                   "None = None) -> None"))
      .def(
          "__reduce__",
          [](nb::handle self) { return nb::make_tuple(self.type(), nb::cast<const Law&>(self).arguments()); },
          nb::sig("def __reduce__(self) -> tuple[object, ...]"))
      .def_prop_ro("name", &Law::name, "Its name.")
      .def_prop_ro("tool", &Law::tool, "Whether it closes the loop around the tool.")
      .def_prop_ro("saturated", &Law::saturated, "Joints whose torque was cut in the last call.")
      .def_prop_ro("lost", &Law::lost,
                   "What of the tool's motion was given up near a singular position in the last call.")
      .def("effort", &Law::effort, "q"_a, "qd"_a, "q_wanted"_a = nb::none(), "qd_wanted"_a = nb::none(),
           "qdd_wanted"_a = nb::none(), "pose"_a = nb::none(), "twist"_a = nb::none(), "acceleration"_a = nb::none(),
           "tool_force"_a = nb::none(), "t"_a = 0.0,
           nb::sig(
               "def effort(self, q: numpy.typing.ArrayLike, qd: numpy.typing.ArrayLike, q_wanted: "
               "numpy.typing.ArrayLike | None = None, qd_wanted: numpy.typing.ArrayLike | None = None, qdd_wanted: "
               "numpy.typing.ArrayLike | None = None, pose: numpy.typing.ArrayLike | None = None, twist: "
               "numpy.typing.ArrayLike | None = None, acceleration: numpy.typing.ArrayLike | None = None, tool_force: "
               "numpy.typing.ArrayLike | None = None, t: float = 0.0) -> numpy.typing.NDArray[numpy.float64]"),
           R"(Torques (nv), within the limits of the joints.

q, qd: what is measured. q_wanted, qd_wanted, qdd_wanted: the plan of the joints; pose (4, 4), twist and acceleration
(6, angular first) in the world: the plan of the tool, for laws that close the loop around it. tool_force: moment and force
of the surroundings on the tool. Whatever is omitted is zero.

>>> import torsor as ts
>>> law = ts.ControlLaw(ts.load("two_link"), "pd")
>>> law.effort([0.1, 0.5], [0.0, 0.0], q_wanted=[0.1, 0.5])
array([0., 0.])
)");
  m.def("control", control, "robot"_a, "task"_a = "line", "laws"_a = nb::none(), "start"_a = nb::none(),
        "frame"_a = nb::none(), "kp"_a = 2500.0, "kv"_a = 100.0, "model"_a = "full", "rate"_a = 1000.0, "delay"_a = 0.0,
        "model_error"_a = 0.0, "seed"_a = 1, "duration"_a = nb::none(), "rest"_a = nb::none(), "payload"_a = nb::none(),
        "bandwidth"_a = nb::none(), "limits"_a = true, "integrator"_a = "dormand-prince", "step"_a = nb::none(),
        nb::sig("def control(robot: Robot, task: str = \"line\", laws: collections.abc.Sequence[str] | str | None = "
                "None, start: numpy.typing.ArrayLike | None = None, frame: str | None = None, kp: float = 2500.0, kv: "
                "float = "
                "100.0, model: str = \"full\", rate: float = 1000.0, delay: float = 0.0, model_error: float = 0.0, "
                "seed: int = "
                "1, duration: float | None = None, rest: float | None = None, payload: float | None = None, bandwidth: "
                "float | "
                "None = None, limits: bool = True, integrator: str = \"dormand-prince\", step: float | None = None) -> "
                "torsor._results.ControlExperiment"),
        R"(Control laws compared on one task of the tool: sampled, delayed, on an arm that differs from their model.

task: 'line', 'arc', 'contact' or 'payload', of a size that suits the robot, from start or from a position that is looked
for; duration, rest (s) and payload (kg) change it. laws: names of :func:`control_laws`, all by default. kp, kv: gains;
bandwidth: of impedances, relative to them. model: what the controller knows, 'full', 'no-coriolis', 'gravity' or
'reduced'; model_error: by how much the arm differs from it at most, relative, drawn by seed. rate (Hz; 0: inside the
integrator) and delay (s) of its computer. limits: cut torques. A law that does not get to the end warns with
:class:`RunWarning`.

>>> import torsor as ts
>>> found = ts.control(ts.load("puma560"), laws=["pd", "computed-torque"], duration=0.5, rest=0.1)
>>> pd, computed = (run.peak_position for run in found.runs)
>>> computed < pd
True
)");
  m.def(
      "run_experiment", experiment, "robot"_a, "source"_a,
      nb::sig("def run_experiment(robot: Robot, source: str | os.PathLike[str]) -> torsor._results.ControlExperiment"),
      R"(An experiment with control laws again, from the text of its file or from its path: the same to the last digit.

>>> import torsor as ts
>>> robot = ts.load("puma560")
>>> first = ts.control(robot, laws="pd", duration=0.5, rest=0.1)
>>> again = ts.run_experiment(robot, first.toml)
>>> bool((again.runs[0].tau == first.runs[0].tau).all())
True
)");
  m.def(
      "run_speeds", speeds, "robot"_a, "law"_a, "factors"_a,
      "models"_a = nb::make_tuple("full", "no-coriolis", "gravity"), nb::kw_only(), "task"_a = "line",
      "start"_a = nb::none(), "duration"_a = nb::none(), "kp"_a = 2500.0, "kv"_a = 100.0, "model_error"_a = 0.0,
      "rate"_a = 1000.0, "delay"_a = 0.0, "limits"_a = true, "seed"_a = 1, "frame"_a = nb::none(),
      nb::sig(
          "def run_speeds(robot: Robot, law: str, factors: numpy.typing.ArrayLike, models: "
          "collections.abc.Sequence[str] = (\"full\", \"no-coriolis\", \"gravity\"), *, task: str = \"line\", start: "
          "numpy.typing.ArrayLike | None = None, duration: float | None = None, kp: float = 2500.0, kv: float = 100.0, "
          "model_error: float = 0.0, rate: float = 1000.0, delay: float = 0.0, limits: bool = True, seed: int = "
          "1, frame: str | None = None) -> list[torsor._results.SpeedRun]"),
      R"(The same task at several speeds, relative to its own, by one law with several models: how the error grows.

>>> import torsor as ts
>>> slow, fast = ts.run_speeds(ts.load("puma560"), "computed-torque", [0.5, 1.0], duration=0.5)
>>> slow.figures["gravity"].peak_position < fast.figures["gravity"].peak_position
True
)");
}

}  // namespace torsor::python
