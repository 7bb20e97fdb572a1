// What motions ask of joints and motors, in Python.
#include <nanobind/stl/optional.h>

#include "python/bindings/answer.hpp"
#include "python/bindings/errors.hpp"
#include "python/bindings/page.hpp"
#include "python/bindings/results.hpp"
#include "python/bindings/robot.hpp"
#include "python/bindings/rooms.hpp"
#include "python/bindings/row_call.hpp"
#include "python/bindings/timed_motion.hpp"
#include "torsor/files/drive_toml.hpp"
#include "torsor/text/text_file.hpp"
#include "torsor/report/loop_summary.hpp"
#include "torsor/report/size_report.hpp"

namespace torsor::python {
namespace {

using namespace nb::literals;
using Numbers = std::vector<double>;

/// A robot with its drives, ready to take a motion.
struct Setup {
  Setup(const char* f, const Robot& r, nb::handle drives, nb::handle ratios)
      : robot(r),
        bare(value_of(torsor::Robot::try_build(without_rotors(r.description())))),
        sizing(make(f, drives, ratios)) {
    robot.refuse_massless();
  }

  SizingSetup make(const char* f, nb::handle drives, nb::handle ratios) const {
    DriveSheet sheet;
    if (!drives.is_none()) {
      const std::string given = path_of(f, "drives", drives);
      const bool is_text = given.find('\n') != std::string::npos;
      sheet = value_of(read_drive_toml(is_text ? given : value_of(read_text_file(given)), is_text ? "text" : given));
    }
    Numbers steps = ratios.is_none() ? Numbers() : vector_of(f, "ratios", ratios, -1);
    for (const double ratio : steps) positive(f, "a number of ratios", ratio);
    if (const Faults faults = refuse_sizing(robot); !faults.empty()) raise(faults);
    const Model<double>& model = robot.coordinates();
    // without rotors other joints may be taken for driven
    if (bare.coordinates().velocity_names != model.velocity_names)
      refuse(f, "the loops of the robot do not say which joints are actuated, rotors alone do; expected actuated = [...] "
                "in each [[loop]]");
    return {model,
            bare.coordinates(),
            {},
            value_of(assign_drives(sheet, robot.description(), model)),
            std::move(steps),
            robot.loops() ? &robot : nullptr,
            robot.loops() ? &bare : nullptr};
  }

  nb::object answer(const SizingError& error) const {
    if (const auto fault = loop_fault(robot, sizing.status())) raise({*fault});
    return answer_of(sizing_result(sizing, robot.coordinates(), sizing.time() - dwell, dwell, error));
  }

  void rest(const char* f, std::span<const double> q, double t, double seconds, bool brake) {
    dwell = seconds;
    if (!(dwell >= 0 && dwell < 1e9)) refuse(f, "dwell is negative or no number; expected seconds");
    if (dwell > 0) size_rest(sizing, q, t, dwell, brake);
  }

  const Robot& robot;
  torsor::Robot bare;
  Sizing sizing;
  double dwell = 0;
};

std::string size_page(const Robot& robot, nb::handle motion, std::optional<double> duration, double dwell, bool brake,
                      nb::handle drives, nb::handle ratios, int digits, bool degrees) {
  const char* const f = "page";
  const Model<double>& model = robot.model();
  if (model.nq != model.nv) refuse(f, "the robot has quaternions among its positions; expected joints");
  const PrintStyle style = style_of(digits, degrees);
  Setup setup(f, robot, drives, ratios);
  Visits visits;
  const Trajectory timed = timed_motion(f, model, motion, duration, nb::none(), visits);
  SizingCurves curves(setup.sizing, model);
  constexpr double least_step = 1e-3;  // of the motion: a jerk over less would be rounding
  LimitWatch limits(model, least_step * timed.duration());
  RobotMotion pictures;
  const auto n = static_cast<std::size_t>(model.nv);
  Numbers q(n), qd(n), qdd(n), tau(n);
  const SizingVisit visit = [&](double t, std::span<const double> instant) {
    for (std::size_t k = 0; k < n; ++k) {
      qd[k] = setup.sizing.speed(instant, static_cast<int>(k));
      qdd[k] = setup.sizing.acceleration(instant, static_cast<int>(k));
      tau[k] = setup.sizing.effort(instant, static_cast<int>(k));
    }
    limits.add(t, {.qd = qd, .qdd = qdd, .tau = tau});
    curves.add(t, instant);
  };
  SizingFacts facts{.motion = "a motion", .duration = timed.duration(), .dwell = dwell, .error = {}};
  note_what_is_missing(robot.description(), facts);
  visits.unlocked([&] {
    facts.error = size(setup.sizing, timed, visit);
    constexpr int count = 240;
    for (int k = 0; k <= count; ++k) {
      timed.sample(timed.duration() * k / count, q, qd, qdd);
      add_sized(pictures, setup.sizing, {timed.duration() * k / count, q, qd, qdd});
    }
  });
  setup.rest(f, q, timed.duration(), dwell, brake);
  SizingResult result = sizing_result(setup.sizing, model, timed.duration(), dwell, facts.error);
  if (degrees) result = in_degrees(std::move(result), model);
  return html_of(sizing_report(robot, model, setup.sizing, result, curves, facts, limits, pictures, true, style));
}

nb::object size_one(const Robot& robot, nb::handle motion, std::optional<double> duration, double dwell, bool brake,
                    nb::handle drives, nb::handle ratios) {
  const char* const f = "size";
  if (robot.coordinates().nq != robot.coordinates().nv)
    refuse(f, "the robot has quaternions among its positions; expected joints, or size_rows");
  Setup setup(f, robot, drives, ratios);
  Visits visits;
  const Trajectory timed = timed_motion(f, robot.coordinates(), motion, duration, nb::none(), visits);
  SizingError error;
  const auto n = static_cast<std::size_t>(robot.coordinates().nv);
  Numbers q(n), qd(n), qdd(n);
  visits.unlocked([&] {
    error = size(setup.sizing, timed);
    timed.sample(timed.duration(), q, qd, qdd);
  });
  setup.rest(f, q, timed.duration(), dwell, brake);
  return setup.answer(error);
}

nb::object size_table(const Robot& robot, nb::handle t, nb::handle q, nb::handle qd, nb::handle qdd, double dwell,
                      bool brake, nb::handle drives, nb::handle ratios) {
  const char* const f = "size_rows";
  Setup setup(f, robot, drives, ratios);
  const Numbers times = vector_of(f, "t", t, -1);
  const int n = static_cast<int>(times.size());
  if (n < 2) refuse(f, "t has " + std::to_string(n) + " entries; expected 2 or more");
  for (std::size_t k = 1; k < times.size(); ++k)
    if (!(times[k] > times[k - 1]))
      refuse(f, "t does not increase at entry " + std::to_string(k) + "; expected rising times");
  RowCall call(f, 1);
  call.take("q", q, {n, robot.coordinates().nq})
      .take("qd", qd, {n, robot.coordinates().nv})
      .take("qdd", qdd, {n, robot.coordinates().nv})
      .settle();
  call.refuse_not_finite();
  if (!call.single()) refuse(f, "q, qd or qdd has leading axes; expected (times, coordinates)");
  SizingRows rows(setup.sizing);
  MotionRow row;
  for (std::size_t k = 0; k < times.size(); ++k) {
    const auto part = [&](int which, int columns) {
      const auto all =
          call.row(which, 0).subspan(k * static_cast<std::size_t>(columns), static_cast<std::size_t>(columns));
      return Numbers(all.begin(), all.end());
    };
    row = {times[k], part(0, robot.coordinates().nq), part(1, robot.coordinates().nv), part(2, robot.coordinates().nv)};
    rows.add(row);
  }
  setup.rest(f, row.q, row.t, dwell, brake);
  return setup.answer(rows.error());
}

}  // namespace

void bind_sizing(nb::module_& m) {
  m.def("_page_size", size_page, "robot"_a, "motion"_a, "duration"_a = nb::none(), "dwell"_a = 0.0, "brake"_a = false,
        "drives"_a = nb::none(), "ratios"_a = nb::none(), "digits"_a = 6, "degrees"_a = false);
  m.def(
      "size", size_one, "robot"_a, "motion"_a, "duration"_a = nb::none(), nb::kw_only(), "dwell"_a = 0.0,
      "brake"_a = false, "drives"_a = nb::none(), "ratios"_a = nb::none(),
      nb::sig(
          "def size(robot: Robot, motion: typing.Any, duration: float | None = None, *, dwell: float = 0.0, "
          "brake: bool = False, drives: str | os.PathLike[str] | None = None, ratios: numpy.typing.ArrayLike | None = "
          "None) -> torsor._results.SizingResult"),
      R"(What a motion asks of joints and of motors behind their gears: peaks, rms, power, energy, and whether motors will do.

motion: a motion of the joints, or a function motion(t) -> q, qd, qdd from 0 to duration (s). dwell: seconds at rest behind
it, held by the motors or, with brake, by brakes. drives: a drive file or its text. ratios: gear ratios to try.

>>> import torsor as ts
>>> def swing(t):
...     return [t**2 - t**3, 0.0], [2 * t - 3 * t**2, 0.0], [2 - 6 * t, 0.0]
>>> found = ts.size(ts.load("two_link"), swing, 1.0)
>>> [joint.name for joint in found.joints], found.settled
(['q1', 'q2'], True)
)");
  m.def("size_rows", size_table, "robot"_a, "t"_a, "q"_a, "qd"_a, "qdd"_a, nb::kw_only(), "dwell"_a = 0.0,
        "brake"_a = false, "drives"_a = nb::none(), "ratios"_a = nb::none(),
        nb::sig("def size_rows(robot: Robot, t: numpy.typing.ArrayLike, q: numpy.typing.ArrayLike, qd: "
                "numpy.typing.ArrayLike, qdd: numpy.typing.ArrayLike, *, dwell: float = 0.0, brake: bool = False, "
                "drives: str "
                "| os.PathLike[str] | None = None, ratios: numpy.typing.ArrayLike | None = None) -> "
                "torsor._results.SizingResult"),
        R"(The same of a motion in rows: t (N,), q (N, nq), qd and qdd (N, nv), by the trapezoidal rule.

>>> import numpy as np, torsor as ts
>>> t = np.linspace(0, 1, 101)
>>> q = np.stack([t**2 - t**3, 0 * t], axis=1)
>>> qd = np.stack([2 * t - 3 * t**2, 0 * t], axis=1)
>>> qdd = np.stack([2 - 6 * t, 0 * t], axis=1)
>>> round(ts.size_rows(ts.load("two_link"), t, q, qd, qdd).duration, 6)
1.0
)");
}

}  // namespace torsor::python
