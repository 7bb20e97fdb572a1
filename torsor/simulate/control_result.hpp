// Control laws, experiments with them and their figures, as plain results.
#pragma once

#include <cmath>
#include <map>

#include "torsor/control/control_plan.hpp"
#include "torsor/dynamics/limit_result.hpp"
#include "torsor/fields.hpp"
#include "torsor/simulate/control_run.hpp"

namespace torsor {

constexpr auto fields(Of<ControlLawRow>) {
  using L = ControlLawRow;
  return row_list("ControlLawRow", "A row of the table of control laws.", field("name", "", "", &L::name),
                  field("title", "", "", &L::title), field("source", "", "", &L::source),
                  field("tool", "", "closes the loop around the tool", &L::tool),
                  field("force", "", "uses the measured force", &L::force),
                  field("need", "", "what it asks of the controller's model: none, gravity or all", [](const L& l) {
                    constexpr std::string_view names[] = {"none", "gravity", "all"};
                    return names[static_cast<std::size_t>(l.need)];
                  }),
                  field("singular", "", "what it does near a singular position", &L::singular));
}

constexpr auto fields(Of<ControlFigures>) {
  using F = ControlFigures;
  return field_list(
      "ControlFigures", "The figures by which laws are compared; not a number (JSON: null) where there is none.",
      field("peak_position", "m", "error of the tool", &F::peak_position),
      field("rms_position", "m", "", &F::rms_position),
      field("steady_position", "m", "over the last half of the rest", &F::steady_position).or_null(),
      field("peak_angle", "rad", "", &F::peak_angle), field("steady_angle", "rad", "", &F::steady_angle).or_null(),
      field("rms_effort", "N m", "the greatest of any one revolute joint", &F::rms_torque).or_null(),
      field("peak_effort", "N m", "", &F::peak_torque).or_null(),
      field("rms_thrust", "N", "of prismatic joints", &F::rms_thrust).or_null(),
      field("peak_thrust", "N", "", &F::peak_thrust).or_null(),
      field("peak_power", "W", "of all motors together", &F::peak_power),
      field("settling", "s", "from the end of the motion; infinite: never", &F::settling).or_null(),
      field("settled", "", "None where there was no rest",
            [](const F& f) { return std::isnan(f.settling) ? std::nullopt : std::optional(!std::isinf(f.settling)); }),
      field("peak_force", "N", "at a wall", &F::peak_force), field("steady_force", "N", "", &F::steady_force).or_null(),
      field("limit_cycle", share_unit, "half the range of a torque while steady, per greatest torque of the joint",
            &F::limit_cycle)
          .or_null(),
      field("lost", "", "greatest loss near singular positions", &F::lost),
      field("samples", "", "times the law was asked", &F::samples),
      field("saturated", "", "times a joint was cut", &F::saturated),
      field("swings", "", "whether torques swing at rest", &F::swings));
}

constexpr auto fields(Of<ControlRun>) {
  using R = ControlRun;
  return field_list("ControlRun", "One law on the task.", field("law", "", "", &R::law),
                    field("finished", "", "", [](const R& r) { return r.ended.empty(); }),
                    field("ended", "", "why it did not", &R::ended), fields_of_part(&R::figures),
                    field("limits_passed", "", "limits of the robot that the arm passed", &R::passed));
}

/// A run with its instants.
struct TracedControlRun {
  ControlRun run;
};

constexpr auto fields(Of<TracedControlRun>) {
  using R = TracedControlRun;
  return field_list("ControlRun", "One law on the task.", fields_of_part(&R::run),
                    field("t", "s", "(instants,)", [](const R& r) { return r.run.trace.t; }),
                    field("position_error", "m", "of the tool", [](const R& r) { return r.run.trace.position_error; }),
                    field("angle_error", "rad", "", [](const R& r) { return r.run.trace.angle_error; }),
                    field("power", "W", "of all motors", [](const R& r) { return r.run.trace.power; }),
                    field("force", "N", "at the wall", [](const R& r) { return r.run.trace.force; }),
                    field("tau", "", "(instants, joints)", [](const R& r) {
                      const ControlTrace& trace = r.run.trace;
                      std::vector<double> tau;
                      for (std::size_t k = 0; k < trace.t.size(); ++k)
                        for (const std::vector<double>& joint : trace.tau) tau.push_back(joint[k]);
                      return matrix_of(std::move(tau), trace.tau.size());
                    }));
}

/// What the laws of an experiment had in common.
constexpr auto fields(Of<ControlSetting>) {
  using S = ControlSetting;
  return field_list("ControlSetting", "The task of an experiment with control laws.",
                    field("robot", "", "", [](const S& s) { return s.model.name; }),
                    field("task", "", "", [](const S& s) { return kind_name(s.experiment.task.kind); }),
                    field("tool", "", "", [](const S& s) { return s.tool.name; }),
                    field("start", "", "position of the joints", [](const S& s) { return s.experiment.task.start; }),
                    field("length", "m", "of the tool's path", [](const S& s) { return s.plan->length(); }),
                    field("duration", "s", "without the rest", [](const S& s) { return s.experiment.task.duration; }),
                    field("rest", "s", "", [](const S& s) { return s.experiment.task.rest; }),
                    field("controller_model", "", "", [](const S& s) { return kind_name(s.experiment.model); }),
                    field("rate", "Hz", "", [](const S& s) { return s.experiment.rate; }),
                    field("delay", "s", "", [](const S& s) { return s.experiment.delay; }),
                    field("kp", "1/s^2", "", [](const S& s) { return s.experiment.gains.kp; }),
                    field("kv", "1/s", "", [](const S& s) { return s.experiment.gains.kv; }),
                    field("model_error", share_unit, "", [](const S& s) { return s.experiment.model_error; }),
                    field("seed", "", "", [](const S& s) { return s.experiment.seed; }),
                    field("smallest_singular_value", "", "of the Jacobian along the task",
                          [](const S& s) { return s.plan->smallest_singular_value(); }));
}

/// An experiment that was run; toml is the text of a file that repeats it.
struct ControlComparison {
  ControlSetting setting;
  std::string toml;
  std::vector<TracedControlRun> runs;
};

constexpr auto fields(Of<ControlComparison>) {
  using C = ControlComparison;
  return field_list("ControlExperiment", "Laws on one task.", fields_of_part(&C::setting),
                    field("toml", "", "text of a file that repeats it", &C::toml),
                    field("runs", "", "law by law", &C::runs));
}

/// The task at one speed, with several models of the controller.
struct SpeedFigures {
  double factor = 1, duration = 0, peak_speed = 0;
  std::map<std::string, ControlFigures> figures;
};

constexpr auto fields(Of<SpeedFigures>) {
  using S = SpeedFigures;
  return field_list("SpeedRun", "The task at one speed, with several models of the controller.",
                    field("factor", "", "", &S::factor), field("duration", "s", "", &S::duration),
                    field("peak_speed", "m/s", "of the tool", &S::peak_speed),
                    field("figures", "", "by the name of the model; of runs that got to the end", &S::figures));
}

inline SpeedFigures speed_figures(const SpeedRun& speed, std::span<const ControllerKind> kinds) {
  SpeedFigures out{speed.factor, speed.duration, speed.peak_speed, {}};
  for (std::size_t k = 0; k < kinds.size(); ++k)
    if (speed.runs[k].ended.empty()) out.figures[std::string(kind_name(kinds[k]))] = speed.runs[k].figures;
  return out;
}

}  // namespace torsor
