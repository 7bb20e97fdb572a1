// Control laws in Python: the table of laws, and experiments that compare them on a task of the hand.
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include "python/bindings/arrays.hpp"
#include "python/bindings/errors.hpp"
#include "python/bindings/robot.hpp"
#include "python/bindings/rooms.hpp"
#include "python/bindings/signature.hpp"
#include "torsor/io/experiment_toml.hpp"
#include "torsor/io/suggest.hpp"
#include "torsor/simulate/control_run.hpp"

namespace torsor::python {
namespace {

using namespace nb::literals;

struct LawRow {
  std::string name, title, source, singular;
  bool hand = false, force = false;
};

std::vector<LawRow> laws() {
  std::vector<LawRow> out;
  for (const ControlLawRow& row : control_laws())
    out.push_back({std::string(row.name), std::string(row.title), std::string(row.source), std::string(row.singular), row.hand, row.force});
  return out;
}

struct Experiment {
  std::vector<ControlRun> runs;
  std::string toml;
};

Experiment run_all(ControlExperiment experiment, const Robot& robot) {
  std::vector<const ControlLawRow*> rows;
  for (const std::string& name : experiment.laws) {
    rows.push_back(find_control_law(name));
    if (rows.back()) continue;
    std::vector<std::string_view> names;
    for (const ControlLawRow& row : control_laws()) names.push_back(row.name);
    const std::string hint = did_you_mean(name, names);
    refuse("control_experiment", "there is no law \"" + printable(name) + "\"; " + hint + " expected names of control_laws()");
  }
  std::optional<Result<ControlSetting>> setting;
  std::vector<ControlRun> runs;
  {
    nb::gil_scoped_release release;
    setting = prepare(experiment, robot.description);
    if (*setting)
      for (const ControlLawRow* row : rows) runs.push_back(run_law(**setting, *row));
  }
  if (!*setting) raise(setting->errors());
  return {std::move(runs), write_experiment_toml(experiment)};
}

Experiment control_experiment(const Robot& robot, const std::string& task, const std::optional<std::vector<std::string>>& chosen,
                              nb::handle start, nb::handle frame, double kp, double kv, const std::string& model, double rate,
                              double delay, double model_error, std::uint64_t seed, std::optional<double> duration) {
  const char* const f = "control_experiment";
  const auto kind = task_kind(task);
  if (!kind) refuse(f, "task is \"" + printable(task) + "\"; expected line, arc, contact or payload");
  const auto controller = controller_kind(model);
  if (!controller) refuse(f, "model is \"" + printable(model) + "\"; expected full, no-coriolis, gravity or reduced");
  const Frame<double> hand = robot.frame(f, frame);
  ControlExperiment e;
  e.robot = robot.model.name;
  if (!frame.is_none()) e.tool = hand.name;
  e.task = value_of(default_task(*kind, robot.model, hand,
                                 start.is_none() ? std::vector<double>() : vector_of(f, "start", start, robot.model.nq)));
  if (duration) e.task.duration = *duration;
  if (chosen)
    e.laws = *chosen;
  else
    for (const ControlLawRow& row : control_laws()) e.laws.emplace_back(row.name);
  e.gains = {kp, kv};
  e.model = *controller;
  e.rate = rate;
  e.delay = delay;
  e.model_error = model_error;
  e.seed = seed;
  if (const Errors errors = check_experiment(e); !errors.empty()) raise(errors);
  return run_all(std::move(e), robot);
}

#define TORSOR_TRACE(name) nb::sig("def " name "(self) -> numpy.typing.NDArray[numpy.float64]")

}  // namespace

void bind_control(nb::module_& m) {
  nb::class_<LawRow>(m, "ControlLaw", "A row of the table of control laws.")
      .def_ro("name", &LawRow::name, "What the argument laws takes.")
      .def_ro("title", &LawRow::title, "What it is.")
      .def_ro("source", &LawRow::source, "Where it is published.")
      .def_ro("singular", &LawRow::singular, "What it does near a singular position.")
      .def_ro("hand", &LawRow::hand, "Whether it closes the loop around the hand.")
      .def_ro("force", &LawRow::force, "Whether it uses the measured force.")
      .def("__repr__", [](const LawRow& row) { return "<ControlLaw " + row.name + ">"; });
  nb::class_<ControlFigures>(m, "ControlFigures", "The figures by which laws are compared: m, rad, N m, N, W, s.")
      .def_ro("peak_position", &ControlFigures::peak_position, "m")
      .def_ro("rms_position", &ControlFigures::rms_position, "m")
      .def_ro("steady_position", &ControlFigures::steady_position, "m")
      .def_ro("peak_angle", &ControlFigures::peak_angle, "rad")
      .def_ro("steady_angle", &ControlFigures::steady_angle, "rad")
      .def_ro("rms_effort", &ControlFigures::rms_effort, "N m, of joints that turn")
      .def_ro("peak_effort", &ControlFigures::peak_effort, "N m, of joints that turn")
      .def_ro("rms_thrust", &ControlFigures::rms_thrust, "N, of slides")
      .def_ro("peak_thrust", &ControlFigures::peak_thrust, "N, of slides")
      .def_ro("peak_power", &ControlFigures::peak_power, "W")
      .def_ro("settling", &ControlFigures::settling, "s")
      .def_ro("peak_force", &ControlFigures::peak_force, "N")
      .def_ro("steady_force", &ControlFigures::steady_force, "N")
      .def_ro("limit_cycle", &ControlFigures::limit_cycle, "Swing of efforts while steady.")
      .def_ro("samples", &ControlFigures::samples, "Times the law was asked.")
      .def_ro("saturated", &ControlFigures::saturated, "Times a joint was cut.");
  nb::class_<ControlRun>(m, "ControlRun", "One law on the task: its figures and what was recorded.")
      .def_ro("law", &ControlRun::law, "Its name.")
      .def_ro("figures", &ControlRun::figures, "Of what was run.")
      .def_ro("ended", &ControlRun::ended, "Why it did not reach the end; empty if it did.")
      .def_prop_ro("t", [](const ControlRun& r) { return new_array(r.trace.t); }, TORSOR_TRACE("t"), "s")
      .def_prop_ro("position_error", [](const ControlRun& r) { return new_array(r.trace.position_error); }, TORSOR_TRACE("position_error"), "m")
      .def_prop_ro("angle_error", [](const ControlRun& r) { return new_array(r.trace.angle_error); }, TORSOR_TRACE("angle_error"), "rad")
      .def_prop_ro("power", [](const ControlRun& r) { return new_array(r.trace.power); }, TORSOR_TRACE("power"), "W")
      .def_prop_ro("force", [](const ControlRun& r) { return new_array(r.trace.force); }, TORSOR_TRACE("force"), "N, at the wall")
      .def_prop_ro("tau", [](const ControlRun& r) {
        const std::size_t rows = r.trace.t.size(), n = r.trace.tau.size();
        std::vector<double> all(rows * n);
        for (std::size_t j = 0; j < n; ++j)
          for (std::size_t k = 0; k < rows && k < r.trace.tau[j].size(); ++k) all[k * n + j] = r.trace.tau[j][k];
        return new_array(all, {rows, n});
      }, TORSOR_TRACE("tau"), "(rows, joints)")
      .def("__repr__", [](const ControlRun& r) {
        return "<ControlRun " + r.law + ": peak error " + std::to_string(1e3 * r.figures.peak_position) + " mm>";
      });
  nb::class_<Experiment>(m, "ControlExperiment", "Several laws on one task.")
      .def_ro("runs", &Experiment::runs, "Law by law.")
      .def_ro("toml", &Experiment::toml, "The experiment as the text of a file, for `torsor control`.")
      .def("__repr__", [](const Experiment& e) { return "<ControlExperiment with " + std::to_string(e.runs.size()) + " laws>"; });
  m.def("control_laws", laws, R"(The control laws there are, from the simplest on.

>>> import torsor as ts
>>> len(ts.control_laws())
12
)");
  m.def("control_experiment", control_experiment, "robot"_a, "task"_a = "line", "laws"_a = nb::none(), "start"_a = nb::none(),
        "frame"_a = nb::none(), "kp"_a = 2500.0, "kv"_a = 100.0, "model"_a = "full", "rate"_a = 1000.0, "delay"_a = 0.0,
        "model_error"_a = 0.0, "seed"_a = 1, "duration"_a = nb::none(),
        nb::sig("def control_experiment(robot: Robot, task: str = \"line\", laws: collections.abc.Sequence[str] | None = None, start: "
                TORSOR_OPTIONAL_STATE ", frame: str | None = None, kp: float = 2500.0, kv: float = 100.0, model: str = \"full\", "
                "rate: float = 1000.0, delay: float = 0.0, model_error: float = 0.0, seed: int = 1, duration: float | None = None) "
                "-> ControlExperiment"),
        R"(Control laws on one task of the hand: sampled, delayed, on an arm that differs from their model.

task: "line", "arc", "contact" or "payload", one that suits the robot, from start or from a position that is looked for.
laws: names of control_laws(), by default all. kp, kv: gains; model: what the controller knows, "full", "no-coriolis",
"gravity" or "reduced". rate (Hz) and delay (s) of its computer, 0 Hz for none. model_error: by how much the arm differs.

>>> import torsor as ts
>>> experiment = ts.control_experiment(ts.load("puma560"), laws=["computed-torque"], duration=0.5)
>>> experiment.runs[0].figures.peak_position < 1e-3
True
)");
}

}  // namespace torsor::python
