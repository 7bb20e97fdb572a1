// What motions ask of joints and motors, in Python.
#include <nanobind/stl/optional.h>

#include "python/bindings/answer.hpp"
#include "python/bindings/errors.hpp"
#include "python/bindings/robot.hpp"
#include "python/bindings/rooms.hpp"
#include "python/bindings/row_call.hpp"
#include "python/bindings/timed_motion.hpp"
#include "torsor/io/drive_toml.hpp"
#include "torsor/io/text_file.hpp"
#include "torsor/trajectory/sizing.hpp"

namespace torsor::python {
namespace {

using namespace nb::literals;
using Numbers = std::vector<double>;

nb::object shaft_of(const std::string& name, const ShaftDemand& s) {
  Answer answer;
  answer.put("name", name).put("peak_torque", s.torque.value).put("peak_torque_time", s.torque.time);
  answer.put("rms_torque", s.rms_torque()).put("gear_torque", s.gear_torque()).put("peak_speed", s.speed.value);
  answer.put("mean_speed", s.mean_speed()).put("peak_power", s.power.value).put("braking_power", s.braking.value);
  answer.put("energy_taken", s.energy_taken()).put("energy_returned", s.energy_returned());
  return answer.make("_sizing", "Shaft");
}

nb::object motor_of(const Sizing& sizing, std::size_t k) {
  const AssignedDrive& drive = sizing.drives()[k];
  const MotorUse& use = sizing.motor(k);
  Numbers shares, rms;
  for (const MotorUse& each : sizing.sweep(k)) {
    rms.push_back(each.shaft.rms_torque());
    shares.push_back(drive.motor ? each.use(*drive.motor) : std::numeric_limits<double>::quiet_NaN());
  }
  Answer answer;
  answer.put("coordinate", drive.coordinate).put("shaft", shaft_of(drive.name, use.shaft));
  answer.put("gear_torque", sizing.gear(k).gear_torque()).put("best_ratio", sizing.best_ratio(k));
  answer.put("gear", drive.gear ? nb::cast(*drive.gear) : nb::none());
  answer.put("motor", drive.motor ? nb::cast(drive.motor->name) : nb::none());
  answer.put("use", drive.motor ? nb::cast(use.use(*drive.motor)) : nb::none());
  answer.put("of_peak", drive.motor ? nb::cast(use.of_peak.value) : nb::none());
  answer.put("of_speed", drive.motor ? nb::cast(use.of_speed(*drive.motor)) : nb::none());
  answer.put("of_continuous", drive.motor ? nb::cast(use.of_continuous(*drive.motor)) : nb::none());
  answer.put("fits", drive.motor ? nb::cast(use.fits(*drive.motor)) : nb::none());
  answer.put("verdict", drive.motor ? verdict(use, *drive.motor) : std::string());
  const auto loss = drive.motor ? use.copper_loss(*drive.motor) : std::nullopt;
  answer.put("copper_loss", loss ? nb::cast(*loss) : nb::none());
  answer.put("sweep_rms_torque", new_array(rms)).put("sweep_use", new_array(shares));
  return answer.make("_sizing", "MotorSizing");
}

/// A robot with its drives, ready to take a motion.
struct Setup {
  Setup(const char* f, const Robot& r, nb::handle drives, nb::handle ratios)
      : robot(r), bare(value_of(build(without_rotors(r.description())))), sizing(make(f, drives, ratios)) {}

  SizingSetup make(const char* f, nb::handle drives, nb::handle ratios) const {
    DriveSheet sheet;
    if (!drives.is_none()) {
      const std::string given = path_of(f, "drives", drives);
      const bool is_text = given.find('\n') != std::string::npos;
      sheet = value_of(read_drive_toml(is_text ? given : value_of(read_text_file(given)), is_text ? "text" : given));
    }
    Numbers steps = ratios.is_none() ? Numbers() : vector_of(f, "ratios", ratios, -1);
    for (const double ratio : steps) positive(f, "a number of ratios", ratio);
    return {robot.model(), bare, {}, value_of(assign_drives(sheet, robot.description(), robot.model())), std::move(steps)};
  }

  nb::object answer(const SizingError& error) const {
    const Model<double>& m = robot.model();
    nb::list joints, motors;
    for (int k = 0; k < m.nv; ++k) joints.append(shaft_of(m.velocity_names[static_cast<std::size_t>(k)], sizing.joint(k)));
    for (std::size_t k = 0; k < sizing.drives().size(); ++k) motors.append(motor_of(sizing, k));
    Answer out;
    out.put("robot", m.name).put("time", sizing.time()).put("joints", joints).put("motors", motors);
    out.put("total", shaft_of("all", sizing.total())).put("ratios", new_array(sizing.ratios()));
    out.put("energy_error", error.energy).put("instants", error.instants).put("settled", error.settled);
    return out.make("_sizing", "SizingAnswer");
  }

  void rest(const char* f, std::span<const double> q, double t, double dwell, bool brake) {
    if (!(dwell >= 0 && dwell < 1e9)) refuse(f, "dwell is negative or no number; expected seconds");
    if (dwell > 0) size_rest(sizing, q, t, dwell, brake);
  }

  const Robot& robot;
  Model<double> bare;
  Sizing sizing;
};

nb::object size_one(const Robot& robot, nb::handle motion, std::optional<double> duration, double dwell, bool brake,
                    nb::handle drives, nb::handle ratios) {
  const char* const f = "size_motion";
  if (robot.model().nq != robot.model().nv) refuse(f, "the robot has quaternions among its positions; expected joints, or size_rows");
  Setup setup(f, robot, drives, ratios);
  Visits visits;
  const Trajectory timed = timed_motion(f, robot.model(), motion, duration, nb::none(), visits);
  SizingError error;
  const auto n = static_cast<std::size_t>(robot.model().nv);
  Numbers q(n), qd(n), qdd(n);
  visits.unlocked([&] {
    error = size_motion(setup.sizing, timed);
    timed.sample(timed.duration(), q, qd, qdd);
  });
  setup.rest(f, q, timed.duration(), dwell, brake);
  return setup.answer(error);
}

nb::object size_table(const Robot& robot, nb::handle t, nb::handle q, nb::handle qd, nb::handle qdd, double dwell, bool brake,
                      nb::handle drives, nb::handle ratios) {
  const char* const f = "size_rows";
  Setup setup(f, robot, drives, ratios);
  const Numbers times = vector_of(f, "t", t, -1);
  const int n = static_cast<int>(times.size());
  if (n < 2) refuse(f, "t has " + std::to_string(n) + " entries; expected 2 or more");
  for (std::size_t k = 1; k < times.size(); ++k)
    if (!(times[k] > times[k - 1])) refuse(f, "t does not increase at entry " + std::to_string(k) + "; expected rising times");
  RowCall call(f, 1);
  call.take("q", q, {n, robot.model().nq}).take("qd", qd, {n, robot.model().nv}).take("qdd", qdd, {n, robot.model().nv}).settle();
  call.refuse_not_finite();
  if (!call.single()) refuse(f, "q, qd or qdd has leading axes; expected (times, coordinates)");
  SizingRows rows(setup.sizing);
  MotionRow row;
  for (std::size_t k = 0; k < times.size(); ++k) {
    const auto part = [&](int which, int columns) {
      const auto all = call.row(which, 0).subspan(k * static_cast<std::size_t>(columns), static_cast<std::size_t>(columns));
      return Numbers(all.begin(), all.end());
    };
    row = {times[k], part(0, robot.model().nq), part(1, robot.model().nv), part(2, robot.model().nv)};
    rows.add(row);
  }
  setup.rest(f, row.q, row.t, dwell, brake);
  return setup.answer(rows.error());
}

}  // namespace

void bind_sizing(nb::module_& m) {
  m.def("size_motion", size_one, "robot"_a, "motion"_a, "duration"_a = nb::none(), nb::kw_only(), "dwell"_a = 0.0,
        "brake"_a = false, "drives"_a = nb::none(), "ratios"_a = nb::none(),
        nb::sig("def size_motion(robot: Robot, motion: typing.Any, duration: float | None = None, *, dwell: float = 0.0, "
                "brake: bool = False, drives: str | os.PathLike[str] | None = None, ratios: numpy.typing.ArrayLike | None = "
                "None) -> torsor._sizing.SizingAnswer"),
        R"(What a motion asks of joints and of motors behind their gears: peaks, rms, power, energy, and whether motors will do.

motion: a motion of the joints, or a function motion(t) -> q, qd, qdd from 0 to duration (s). dwell: seconds at rest behind
it, held by the motors or, with brake, by brakes. drives: a drive file or its text. ratios: gear ratios to try.

>>> import torsor as ts
>>> def swing(t):
...     return [t**2 - t**3, 0.0], [2 * t - 3 * t**2, 0.0], [2 - 6 * t, 0.0]
>>> found = ts.size_motion(ts.load("two_link"), swing, 1.0)
>>> [shaft.name for shaft in found.joints], found.settled
(['q1', 'q2'], True)
)");
  m.def("size_rows", size_table, "robot"_a, "t"_a, "q"_a, "qd"_a, "qdd"_a, nb::kw_only(), "dwell"_a = 0.0, "brake"_a = false,
        "drives"_a = nb::none(), "ratios"_a = nb::none(),
        nb::sig("def size_rows(robot: Robot, t: numpy.typing.ArrayLike, q: numpy.typing.ArrayLike, qd: "
                "numpy.typing.ArrayLike, qdd: numpy.typing.ArrayLike, *, dwell: float = 0.0, brake: bool = False, drives: str "
                "| os.PathLike[str] | None = None, ratios: numpy.typing.ArrayLike | None = None) -> "
                "torsor._sizing.SizingAnswer"),
        R"(The same of a motion in rows: t (N,), q (N, nq), qd and qdd (N, nv), by the trapezoidal rule.

>>> import numpy as np, torsor as ts
>>> t = np.linspace(0, 1, 101)
>>> q = np.stack([t**2 - t**3, 0 * t], axis=1)
>>> qd = np.stack([2 * t - 3 * t**2, 0 * t], axis=1)
>>> qdd = np.stack([2 - 6 * t, 0 * t], axis=1)
>>> round(ts.size_rows(ts.load("two_link"), t, q, qd, qdd).time, 6)
1.0
)");
}

}  // namespace torsor::python
