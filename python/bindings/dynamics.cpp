// Dynamics in Python: torques, mass matrices and accelerations, on the fast path or by a formulation of the catalogues.
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <algorithm>
#include <cmath>
#include <stdexcept>

#include "python/bindings/errors.hpp"
#include "python/bindings/formulations.hpp"
#include "python/bindings/loads.hpp"
#include "python/bindings/no_answer.hpp"
#include "python/bindings/robot.hpp"
#include "python/bindings/rooms.hpp"
#include "python/bindings/row_call.hpp"
#include "python/bindings/signature.hpp"
#include "torsor/dynamics/joint_friction.hpp"

namespace torsor::python {
namespace {

using namespace nb::literals;

template <class Real>
StateRows<const Real> from(StateRows<const Real> rows, std::int64_t first) {
  return {rows.data ? rows.row(first) : nullptr, rows.stride};
}
template <class Real>
StateRows<Real> from(StateRows<Real> rows, std::int64_t first) {
  return {rows.row(first), rows.stride};
}

/// ask(dynamics, real, first, count) for every piece of the states, in the type of the call. Sizes were settled with the
/// call: an answer that was not written is a fault of ours, and never passes for one.
template <class Ask>
void in_lanes(const RowCall& call, const Robot& robot, const Ask& ask) {
  robot.refuse_massless();
  call.share([&](std::int64_t first, std::int64_t count) {
    const auto dynamics = robot.dynamics();
    const Status status =
        call.floats() ? ask(*dynamics, float(), first, count) : ask(*dynamics, double(), first, count);
    if (!status) throw std::logic_error("rows of a call do not fit its robot");
  });
}

/// Torques on the fast path; arguments 0, 1, 2 are q, qd, qdd, those that the question leaves out were given as None.
nb::object fast_torques(RowCall& call, const Robot& robot) {
  if (call.single() && !call.floats())
    robot.dynamics()->inverse(call.row(0, 0), call.row(1, 0), call.row(2, 0), call.answer(0, 0));
  else
    in_lanes(call, robot, [&](Dynamics& dynamics, auto real, std::int64_t first, std::int64_t count) {
      using Real = decltype(real);
      return dynamics.inverse(count, from(call.in<Real>(0), first), from(call.in<Real>(1), first),
                              from(call.in<Real>(2), first), from(call.out<Real>(0), first));
    });
  return call.result();
}

/// Torques with loads; the same arguments.
nb::object loaded_torques(RowCall& call, const RowSubject& subject, const LoadRows& loads) {
  if (!in_lanes(call, subject))
    share_loaded(call, subject.robot, loads, [&](Dynamics& dynamics, std::int64_t k) {
      dynamics.inverse(call.row(0, k), call.row(1, k), call.row(2, k), call.answer(0, k));
    });
  else
    share_loaded_rows(call, subject, loads,
                      [&](RowDynamics& rows, const LoadsOfRows& acting, std::int64_t first, std::int64_t count) {
      return rows.inverse(count, call.given(0, first), call.given(1, first), call.given(2, first), call.asked(0, first), acting);
    });
  return call.result();
}

/// Torques by a formulation, friction added; the same arguments. ValueError where it does not take the loads of a state.
nb::object formulated_torques(RowCall& call, const Robot& robot, nb::handle name, const LoadRows& loads) {
  const auto& row = formulation_of(call.function(), inverse_formulations<double>(), name, robot);
  const std::vector<double> zero(static_cast<std::size_t>(robot.model().nv));
  const auto rate = [&](int k, std::int64_t s) {
    const auto given = call.row(k, s);
    return given.empty() ? std::span<const double>(zero) : given;
  };
  if (loads) {
    Loads now;
    for (std::int64_t k = 0; k < call.states(); ++k)
      if (const std::string reason = load_refusal(row.frames, row.can, robot.model(), loads.at(k, now));
          !reason.empty())
        refuse(call.function(), "formulation \"" + std::string(row.name) + "\" does not take these loads: " + reason);
  }
  robot.refuse_massless();
  run_formulation(call, robot, row, [&](auto& prepared, std::int64_t k) {
    if (loads) {
      Loads now;
      prepared.run(prepared.forms, rate(1, k), rate(2, k), loads.at(k, now), call.answer(0, k));
    } else {
      prepared.run(prepared.forms, rate(1, k), rate(2, k), call.answer(0, k));
    }
    add_joint_friction<double>(robot.model(), call.row(0, k), call.row(1, k), 1, call.answer(0, k));
  });
  return call.result();
}

}  // namespace

nb::object inverse_dynamics_of(const RowSubject& subject, nb::handle q, nb::handle qd, nb::handle qdd,
                               nb::handle formulation, nb::handle out, int threads, nb::handle given) {
  const Robot& robot = subject.robot;
  RowCall call("inverse_dynamics", threads);
  const int nv = robot.nv();
  call.take("q", q, robot.nq()).take("qd", qd, nv, Need::optional).take("qdd", qdd, nv, Need::optional);
  const LoadRows loads(call, subject, given);
  take_robots(call, subject);
  call.settle(formulation.is_none() && !loads ? Scalars::either : Scalars::doubles);
  call.expect_states_of(robot);
  call.give(out, {nv});
  if (!formulation.is_none()) return formulated_torques(call, robot, formulation, loads);
  return loads || subject.robots ? loaded_torques(call, subject, loads) : fast_torques(call, robot);
}

namespace {

nb::object bias(const Robot& robot, nb::handle q, nb::handle qd, nb::handle out, int threads) {
  RowCall call("bias", threads);
  const int nv = robot.nv();
  call.take("q", q, robot.nq()).take("qd", qd, nv).take("qdd", nb::none(), nv, Need::optional);
  call.settle(Scalars::either);
  call.expect_states_of(robot);
  call.give(out, {nv});
  return fast_torques(call, robot);
}

nb::object gravity(const Robot& robot, nb::handle q, nb::handle formulation, nb::handle out, int threads) {
  RowCall call("gravity", threads);
  const int nv = robot.nv();
  call.take("q", q, robot.nq()).take("qd", nb::none(), nv, Need::optional).take("qdd", nb::none(), nv, Need::optional);
  call.settle(formulation.is_none() ? Scalars::either : Scalars::doubles);
  call.expect_states_of(robot);
  call.give(out, {nv});
  if (formulation.is_none()) return fast_torques(call, robot);
  const auto& row = formulation_of(call.function(), gravity_formulations<double>(), formulation, robot);
  run_formulation(call, robot, row,
                  [&](auto& prepared, std::int64_t k) { prepared.run(prepared.forms, call.answer(0, k)); });
  return call.result();
}

}  // namespace

nb::object mass_matrix_of(const RowSubject& subject, nb::handle q, nb::handle formulation, nb::handle out,
                          int threads) {
  const Robot& robot = subject.robot;
  RowCall call("mass_matrix", threads);
  call.take("q", q, robot.nq());
  take_robots(call, subject);
  call.settle(formulation.is_none() ? Scalars::either : Scalars::doubles);
  call.expect_states_of(robot);
  call.give(out, {robot.nv(), robot.nv()});
  if (subject.robots) {
    share_rows(call, subject, [&](RowDynamics& rows, std::int64_t first, std::int64_t count) {
      return rows.mass(count, call.given(0, first), call.asked(0, first));
    });
    return call.result();
  }
  if (!formulation.is_none()) {
    const auto& row = formulation_of(call.function(), mass_formulations<double>(), formulation, robot);
    run_formulation(call, robot, row,
                    [&](auto& prepared, std::int64_t k) { prepared.run(prepared.forms, call.answer(0, k)); });
  } else if (call.single() && !call.floats()) {
    robot.dynamics()->mass(call.row(0, 0), call.answer(0, 0));
  } else {
    in_lanes(call, robot, [&](Dynamics& dynamics, auto real, std::int64_t first, std::int64_t count) {
      using Real = decltype(real);
      return dynamics.mass(count, from(call.in<Real>(0), first), from(call.out<Real>(0), first));
    });
  }
  return call.result();
}

nb::object forward_dynamics_of(const RowSubject& subject, nb::handle q, nb::handle qd, nb::handle tau,
                               nb::handle formulation, nb::handle out, int threads, nb::handle given,
                               bool return_valid) {
  const Robot& robot = subject.robot;
  RowCall call("forward_dynamics", threads);
  const int nv = robot.nv();
  call.take("q", q, robot.nq()).take("qd", qd, nv).take("tau", tau, nv);
  const LoadRows loads(call, subject, given);
  take_robots(call, subject);
  call.settle(formulation.is_none() && !loads ? Scalars::either : Scalars::doubles);
  call.expect_states_of(robot, telling(return_valid));
  call.give(out, {nv});
  const auto or_not_a_number = [](const Status& status, std::span<double> answer) {
    if (status.kind == Status::massless) std::fill(answer.begin(), answer.end(), std::nan(""));
  };
  if (!formulation.is_none()) {
    const auto& row = forward_formulation_of(call.function(), formulation, robot);
    robot.refuse_massless();
    call.share([&](std::int64_t first, std::int64_t count) {
      const auto work = robot.work<ForwardRun>();
      const auto judge = robot.dynamics();
      Loads now;
      for (std::int64_t k = first; k < first + count; ++k) {
        // whether there are any is not asked of the formulation, which may give numbers all the same
        const Status determined = judge->forward(call.row(0, k), call.row(1, k), call.row(2, k), call.answer(0, k));
        work->run(row, call.row(0, k), call.row(1, k), call.row(2, k), loads.at(k, now), call.answer(0, k));
        or_not_a_number(determined, call.answer(0, k));
      }
    });
  } else if (subject.robots || (loads && in_lanes(call, subject))) {
    share_loaded_rows(call, subject, loads,
                      [&](RowDynamics& rows, const LoadsOfRows& acting, std::int64_t first, std::int64_t count) {
      return rows.forward(count, call.given(0, first), call.given(1, first), call.given(2, first), call.asked(0, first), acting);
    });
  } else if (loads) {
    share_loaded(call, robot, loads, [&](Dynamics& dynamics, std::int64_t k) {
      or_not_a_number(dynamics.forward(call.row(0, k), call.row(1, k), call.row(2, k), call.answer(0, k)),
                      call.answer(0, k));
    });
  } else if (call.single() && !call.floats()) {
    or_not_a_number(robot.dynamics()->forward(call.row(0, 0), call.row(1, 0), call.row(2, 0), call.answer(0, 0)),
                    call.answer(0, 0));
  } else {
    in_lanes(call, robot, [&](Dynamics& dynamics, auto real, std::int64_t first, std::int64_t count) {
      using Real = decltype(real);
      return dynamics.forward(count, from(call.in<Real>(0), first), from(call.in<Real>(1), first),
                              from(call.in<Real>(2), first), from(call.out<Real>(0), first));
    });
  }
  call.tell(return_valid, [&](std::int64_t k) { return undetermined_fault(call, subject, k); });
  return call.with_valid(call.result(), return_valid);
}

void bind_dynamics(nb::module_& m) {
  bind_formulations(m);

  m.def("inverse_dynamics", Asked<inverse_dynamics_of>::of_robot, "robot"_a, "q"_a.none(), "qd"_a = nb::none(),
        "qdd"_a = nb::none(),
        "formulation"_a = nb::none(), "out"_a = nb::none(), "threads"_a = 0, "loads"_a = nb::none(),
        nb::sig("def inverse_dynamics(robot: Robot, q: " TORSOR_STATE ", qd: " TORSOR_OPTIONAL_STATE
                ", qdd: " TORSOR_OPTIONAL_STATE ", formulation: str | None = None, " TORSOR_OUT_LOADS),
        R"(The torques that a motion needs: tau = M(q) qdd + C(q, qd) qd + gravity(q) + friction(qd).

q: (..., nq) positions in radians and metres; qd, qdd: (..., nv), None for zeros. Leading axes are states and broadcast,
so one q goes with many qd. Answer: (..., nv) in N m and N, float32 if every argument is float32, else float64.
A floating base has its quaternion e0 e1 e2 e3 and then its position in q, its angular and then its linear velocity along
the axes of the body in qd (position_names and velocity_names of the robot spell it out).

formulation: by default the fast path (SIMD over the states of a batch); a name of formulations("inverse"), such as
"kane" or "lagrange-euler", computes by that. out: an array for the answer. threads: how many share the states; 0, all of the machine (or
OMP_NUM_THREADS of it), one per 8192 states. loads: a moving base and forces from outside, see :class:`Loads`.

A state that means nothing (a number that is not finite, a quaternion of length zero) or whose answer is too large for
numbers raises ValueError where it is alone; in a batch all of its row is NaN, the others stand, and a :class:`RowWarning`
says how many there are of those whose own numbers are finite. So it is with every function of states.

>>> import numpy as np, torsor as ts
>>> robot = ts.load("two_link")
>>> ts.inverse_dynamics(robot, [0.0, 0.0]).round(4)
array([44.1769,  9.5856])
>>> q = np.zeros((1000, 2))
>>> ts.inverse_dynamics(robot, q, qd=[1.0, -1.0]).shape
(1000, 2)
>>> ts.inverse_dynamics(robot, [0.0, 0.0], formulation="kane").round(4)
array([44.1769,  9.5856])
)");
  m.def("bias", bias, "robot"_a, "q"_a.none(), "qd"_a.none(), "out"_a = nb::none(), "threads"_a = 0,
        nb::sig("def bias(robot: Robot, q: " TORSOR_STATE ", qd: " TORSOR_STATE ", " TORSOR_OUT),
        R"(The torques of a motion without acceleration: Coriolis, centrifugal, gravity and friction.

q: (..., nq), qd: (..., nv). Answer: (..., nv). out, threads and types as in inverse_dynamics.

>>> import torsor as ts
>>> ts.bias(ts.load("two_link"), [0.0, 1.5], [1.0, 0.0]).round(3)
array([35.269,  1.507])
)");
  m.def("gravity", gravity, "robot"_a, "q"_a.none(), "formulation"_a = nb::none(), "out"_a = nb::none(),
        "threads"_a = 0,
        nb::sig("def gravity(robot: Robot, q: " TORSOR_STATE ", formulation: str | None = None, " TORSOR_OUT),
        R"(The torques that hold the robot still.

q: (..., nq). Answer: (..., nv). formulation: a name of formulations("gravity"). out, threads and types as in
inverse_dynamics.

>>> import torsor as ts
>>> ts.gravity(ts.load("two_link"), [0.0, 0.0]).round(4)
array([44.1769,  9.5856])
)");
  m.def("mass_matrix", Asked<mass_matrix_of>::of_robot, "robot"_a, "q"_a.none(), "formulation"_a = nb::none(),
        "out"_a = nb::none(),
        "threads"_a = 0,
        nb::sig("def mass_matrix(robot: Robot, q: " TORSOR_STATE ", formulation: str | None = None, " TORSOR_OUT),
        R"(The mass matrix M(q), symmetric, rotors included.

q: (..., nq). Answer: (..., nv, nv). formulation: a name of formulations("mass"). out, threads and types as in
inverse_dynamics.

>>> import torsor as ts
>>> ts.mass_matrix(ts.load("two_link"), [0.0, 0.0]).round(4)
array([[4.7685, 1.3848],
       [1.3848, 0.5539]])
)");
  m.def("forward_dynamics", Asked<forward_dynamics_of>::of_robot, "robot"_a, "q"_a.none(), "qd"_a.none(),
        "tau"_a.none(),
        "formulation"_a = nb::none(), "out"_a = nb::none(), "threads"_a = 0, "loads"_a = nb::none(),
        "return_valid"_a = false,
        nb::sig("def forward_dynamics(robot: Robot, q: " TORSOR_STATE ", qd: " TORSOR_STATE ", tau: " TORSOR_STATE
                ", formulation: str | None = None, " TORSOR_OUT_LOADS_VALID(TORSOR_ARRAY, TORSOR_ARRAY)),
        R"(The accelerations under given torques.

q: (..., nq), qd and tau: (..., nv). Answer: (..., nv). formulation: "articulated-body" or "mass-matrix". out, threads,
loads and types as in inverse_dynamics.

A state has no answer where some coordinate moves no mass (or so little that it is lost in the rounding of the others),
where a quaternion has length zero, or where numbers get too large. One state then raises Error; in a batch its row is NaN,
the others stand, and a :class:`RowWarning` says how many there are and why. With return_valid=True the answer is a pair
(qdd, valid), valid a bool for each state, and nothing is raised or warned of.

>>> import torsor as ts
>>> robot = ts.load("two_link")
>>> hold = ts.gravity(robot, [0.3, 0.4])
>>> abs(ts.forward_dynamics(robot, [0.3, 0.4], [0, 0], hold)).max() < 1e-12
np.True_
>>> qdd, valid = ts.forward_dynamics(robot, [0.3, 0.4], [[0, 0], [1e200, 0]], hold, return_valid=True)
>>> valid
array([ True, False])
)");
}

}  // namespace torsor::python
