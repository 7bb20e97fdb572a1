// Limits of a robot that rows of a motion pass, in Python.
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <optional>

#include "python/bindings/arrays.hpp"
#include "python/bindings/results.hpp"
#include "python/bindings/robot.hpp"
#include "python/bindings/rooms.hpp"
#include "python/bindings/signature.hpp"
#include "torsor/dynamics/limit_result.hpp"
#include "torsor/dynamics/torque_summary.hpp"
#include "torsor/model/transmission.hpp"

namespace torsor::python {
namespace {

using namespace nb::literals;

/// Goes through rows of a motion: watch(t, instant), parts that are not given empty. Whether there are times.
template <class Watch>
bool go_through(const char* f, const Robot& robot, nb::handle q, nb::handle qd, nb::handle tau, nb::handle t,
                nb::handle qdd, const Watch& watch) {
  const Model<double>& model = robot.coordinates();
  std::optional<std::size_t> count;
  const auto rows = [&](const char* name, nb::handle given, int width) {
    std::vector<std::vector<double>> found;
    if (given.is_none()) return found;
    found = rows_of(f, name, given, width);
    if (count && *count != found.size())
      refuse(f,
             std::string(name) + " has " + std::to_string(found.size()) + " rows; expected " + std::to_string(*count));
    count = found.size();
    return found;
  };
  const auto positions = rows("q", q, model.nq), speeds = rows("qd", qd, model.nv),
             torques = rows("tau", tau, model.nv), accelerations = rows("qdd", qdd, model.nv);
  if (!count) refuse(f, "nothing is given; expected q, qd, qdd or tau");
  const std::vector<double> times =
      t.is_none() ? std::vector<double>() : vector_of(f, "t", t, static_cast<int>(*count));
  const auto row = [](const std::vector<std::vector<double>>& of, std::size_t i) {
    return of.empty() ? std::span<const double>() : std::span<const double>(of[i]);
  };
  for (std::size_t i = 0; i < *count; ++i)
    watch(times.empty() ? static_cast<double>(i) : times[i],
          SeenInstant{row(positions, i), row(speeds, i), row(accelerations, i), row(torques, i), times.empty()});
  return !times.empty();
}

nb::object limits_passed(const Robot& robot, nb::handle q, nb::handle qd, nb::handle tau, nb::handle t,
                         nb::handle qdd) {
  LimitWatch limits(robot.coordinates());
  const bool timed = go_through("limits_passed", robot, q, qd, tau, t, qdd,
                                [&](double at, const SeenInstant& row) { limits.add(at, row); });
  return answer_of(limits.passed(timed ? InstantsBy::time : InstantsBy::row));
}

nb::object summary_of_torques(const Robot& robot, nb::handle tau, nb::handle q, nb::handle qd, nb::handle t,
                              nb::handle qdd) {
  const Model<double>& model = robot.coordinates();
  LimitWatch limits(model);
  TorqueStatistics joints(model.nv), motors(model.nv);
  std::vector<double> motor(static_cast<std::size_t>(model.nv));
  const bool timed = go_through("torque_summary", robot, q, qd, tau, t, qdd, [&](double at, const SeenInstant& row) {
    limits.add(at, row);
    joints.add(at, row.qd, row.tau);
    motor_torques(model, row.tau, motor);
    motors.add(at, {}, motor);
  });
  return answer_of(torque_summary(limits, joints, motors, timed));
}

}  // namespace

void bind_limits_passed(nb::module_& m) {
  m.def("torque_summary", summary_of_torques, "robot"_a, "tau"_a, "q"_a = nb::none(), "qd"_a = nb::none(),
        "t"_a = nb::none(), "qdd"_a = nb::none(),
        nb::sig("def torque_summary(robot: Robot, tau: " TORSOR_STATE ", q: " TORSOR_OPTIONAL_STATE
                ", qd: " TORSOR_OPTIONAL_STATE ", t: " TORSOR_OPTIONAL_STATE ", qdd: " TORSOR_OPTIONAL_STATE
                ") -> torsor._results.TorqueSummary"),
        R"(What rows of a motion ask of joints and motors: peak and rms torques, speeds, power, limits that are passed.

tau, qd and qdd (rows, nv), q (rows, nq); qdd is for its limits alone. Without qd there are no speeds and powers. t: times (s), which rise; else rows are
counted from 0.

>>> import torsor as ts
>>> robot = ts.load("two_link")
>>> found = ts.torque_summary(robot, [[3.0, 1.0], [-4.0, 0.0]], t=[0.0, 1.0])
>>> found.joints[0].peak_torque, found.joints[0].peak_torque_time
(-4.0, 1.0)
)");
  m.def(
      "limits_passed", limits_passed, "robot"_a, "q"_a = nb::none(), "qd"_a = nb::none(), "tau"_a = nb::none(),
      "t"_a = nb::none(), "qdd"_a = nb::none(),
      nb::sig("def limits_passed(robot: Robot, q: " TORSOR_OPTIONAL_STATE ", qd: " TORSOR_OPTIONAL_STATE
              ", tau: " TORSOR_OPTIONAL_STATE ", t: " TORSOR_OPTIONAL_STATE ", qdd: " TORSOR_OPTIONAL_STATE
              ") -> list[torsor._results.PassedLimit]"),
      R"(Every limit of the robot that rows of a motion pass, positions first: of position, torque, speed, acceleration and jerk.

Rows (rows, nq) and (rows, nv); what is not given is not looked at. t: their times (s), else rows are counted from 0.
With times a change from row to row counts, too: of q as a speed that was reached, of qd as an acceleration, of qdd as a
jerk. mean_from says then where the two rows begin.

>>> import torsor as ts
>>> robot = ts.load("ur5")
>>> for passed in ts.limits_passed(robot, qd=[[0, 0, 0, 0, 0, 0], [4, 0, 0, 0, 0, 0]]):
...     print(passed.joint, passed.quantity, passed.value, passed.row)
shoulder_pan speed 4.0 1.0
)");
}

}  // namespace torsor::python
