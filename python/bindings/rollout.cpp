// Steps in time without Jacobians, rollouts of many states, and robots that differ from row to row, in Python.
#include <nanobind/stl/string.h>

#include <algorithm>
#include <cmath>
#include <optional>
#include <stdexcept>

#include "python/bindings/answer.hpp"
#include "python/bindings/errors.hpp"
#include "python/bindings/loads.hpp"
#include "python/bindings/no_answer.hpp"
#include "python/bindings/numpy_array.hpp"
#include "python/bindings/robot.hpp"
#include "python/bindings/rooms.hpp"
#include "python/bindings/signature.hpp"
#include "torsor/dynamics/row_steps.hpp"
#include "torsor/dynamics/tree_dynamics.hpp"

namespace torsor::python {
namespace {

using namespace nb::literals;

StepMethod method_of(const char* function, const std::string& name) {
  return word_of(function, "method", name, {"runge-kutta-4", "semi-implicit"}) == 1 ? StepMethod::semi_implicit
                                                                                    : StepMethod::runge_kutta_4;
}

void expect(const Status& status) {
  if (!status) throw std::logic_error("rows of a call do not fit its robot");
}

/// Rows of the robot itself, on so many threads.
auto leased_rows(const Robot& robot, int threads) {
  return robot.work<RowDynamics>(
      reinterpret_cast<const void*>(static_cast<std::uintptr_t>(threads)),
      [&robot, threads] { return std::make_unique<RowDynamics>(robot, RowOptions{.threads = threads}); });
}

/// Torques held in turn: how many of them there are.
int periods_of(const char* function, nb::handle tau, int nv) {
  const nb::object array = numbers(function, "tau", tau);
  PyArrayObject* const raw = as_array(array);
  const int axes = PyArray_NDIM(raw);
  if (axes < 2 || PyArray_DIM(raw, axes - 1) != nv)
    refuse(function, "tau has shape " + shape_text(shape_of(raw)) + "; expected (..., periods, " + std::to_string(nv) +
                         "): torques that are held in turn");
  return static_cast<int>(PyArray_DIM(raw, axes - 2));
}

}  // namespace

nb::object rollout_of(const RowSubject& subject, nb::handle q, nb::handle qd, nb::handle tau, double h,
                      const std::string& method_name, int hold, nb::handle out, int threads, nb::handle given,
                      bool return_valid) {
  const char* const function = "rollout";
  const Robot& robot = subject.robot;
  RowCall call(function, threads);
  const int nq = robot.model().nq, nv = robot.model().nv;
  const StepMethod method = method_of(function, method_name);
  positive(function, "h", h);
  if (hold < 1) refuse(function, "hold is " + std::to_string(hold) + "; expected 1 or more steps");
  const int periods = periods_of(function, tau, nv);
  call.take("q", q, nq).take("qd", qd, nv).take("tau", tau, {periods, nv});
  const LoadRows loads(call, subject, given);
  take_robots(call, subject);
  call.settle();
  call.expect_states_of(&robot.model(), telling(return_valid));
  call.give_all(out, {{periods, nq}, {periods, nv}});
  if (!subject.robots) robot.refuse_massless();
  const std::int64_t slopes = method == StepMethod::runge_kutta_4 ? 4 : 1;
  const int share = call.threads_for(call.states() * periods * hold * slopes);
  const auto run = [&](RowDynamics& rows) {
    call.at_once([&](std::int64_t, std::int64_t states) {
      std::vector<double> room;
      expect(rows.rollout(states,
                          {.q = call.in<double>(0),
                           .qd = call.in<double>(1),
                           .tau = call.in<double>(2),
                           .periods = periods,
                           .step = h,
                           .hold = hold,
                           .method = method},
                          {call.out<double>(0), call.out<double>(1)}, loads.rows(0, states, room)));
    });
  };
  if (subject.robots)
    run(*subject.robots->lease(share));
  else
    run(*leased_rows(robot, share));
  call.tell(return_valid, [&](std::int64_t k) { return undetermined_fault(call, subject, k); });
  const nb::object answer = nb::module_::import_("torsor._answers").attr("Rollout").attr("_make")(call.result());
  return call.with_valid(answer, return_valid);
}

namespace {

nb::object step(const Robot& robot, nb::handle q, nb::handle qd, nb::handle tau, double h,
                const std::string& method_name, nb::handle out, int threads, nb::handle given, bool return_valid) {
  RowCall call("step", threads);
  const Model<double>& model = robot.model();
  const StepMethod method = method_of("step", method_name);
  positive("step", "h", h);
  call.take("q", q, model.nq).take("qd", qd, model.nv).take("tau", tau, model.nv);
  const LoadRows loads(call, robot, given);
  call.settle();
  call.expect_states_of(&model, telling(return_valid));
  call.give_all(out, {{model.nq}, {model.nv}});
  robot.refuse_massless();
  if (call.single()) {
    struct OneStep {
      OneStep(const Model<double>& m, StepMethod of) : steps(m, of, 1) {}
      RowSteps steps;
    };
    static const char keys[2] = {};
    const auto one =
        robot.work<OneStep>(&keys[static_cast<int>(method)], [&] { return std::make_unique<OneStep>(model, method); });
    const auto dynamics = robot.dynamics();
    Loads now;
    if (loads) dynamics->set_loads(loads.at(0, now));
    std::ranges::copy(call.row(0, 0), call.answer(0, 0).begin());
    std::ranges::copy(call.row(1, 0), call.answer(1, 0).begin());
    const auto nq = static_cast<std::size_t>(model.nq), nv = static_cast<std::size_t>(model.nv);
    one->steps.step(1, call.answer(0, 0).data(), call.answer(1, 0).data(), h,
                    [&](const double* at, const double* rates, double* qdd) {
                      if (dynamics->forward({at, nq}, {rates, nv}, call.row(2, 0), {qdd, nv}).kind == Status::massless)
                        std::fill_n(qdd, nv, std::nan(""));
                    });
    if (loads) dynamics->set_loads({});
  } else {
    share_loaded_rows(call, robot, loads,
                      [&](RowDynamics& rows, const LoadsOfRows& acting, std::int64_t first, std::int64_t count) {
                        return rows.rollout(count,
                                            {.q = call.given(0, first),
                                             .qd = call.given(1, first),
                                             .tau = call.given(2, first),
                                             .periods = 1,
                                             .step = h,
                                             .method = method},
                                            {call.asked(0, first), call.asked(1, first)}, acting);
                      });
  }
  call.tell(return_valid, [&](std::int64_t k) { return undetermined_fault(call, robot, k); });
  const nb::object answer = nb::module_::import_("torsor._answers").attr("Step").attr("_make")(call.result());
  return call.with_valid(answer, return_valid);
}

}  // namespace

void bind_rollout(nb::module_& m) {
  m.def("rollout", Asked<rollout_of>::of_robot, "robot"_a, "q"_a.none(), "qd"_a.none(), "tau"_a.none(), "h"_a,
        "method"_a = "runge-kutta-4",
        "hold"_a = 1, "out"_a = nb::none(), "threads"_a = 0, "loads"_a = nb::none(), "return_valid"_a = false,
        nb::sig("def rollout(robot: Robot, q: " TORSOR_STATE ", qd: " TORSOR_STATE ", tau: " TORSOR_STATE
                ", h: float, method: str = \"runge-kutta-4\", hold: int = 1, " TORSOR_OUT_LOADS_VALID(
                    TORSOR_TUPLE2, "torsor._answers.Rollout")),
        R"(Many motions at once: each start through periods of torques, which are held for `hold` steps of h seconds.

q: (..., nq), qd: (..., nv), tau: (..., periods, nv); leading axes are starts, and broadcast: many torques from one start, or
the same torques from many. Answer: a named tuple of q (..., periods, nq) and qd (..., periods, nv), where each period ends.
Starts go in lanes, several in one register, and on threads, which change no bit. method: "runge-kutta-4" or
"semi-implicit". Dry friction takes nothing at rest, and joints have no stops: :func:`simulate` has both. loads act as long as
the motion lasts, see :class:`Loads`; robots that differ from start to start are :class:`RobotRows`. out: a tuple of two arrays.
A motion that has no accelerations somewhere, or numbers too large, is NaN as a whole, with a :class:`RowWarning`;
return_valid as in forward_dynamics.

>>> import numpy as np, torsor as ts
>>> robot = ts.load("two_link")
>>> torques = np.random.default_rng(1).normal(size=(1000, 50, 2))
>>> motions = ts.rollout(robot, [0.1, 0.2], [0.0, 0.0], torques, 1e-2)
>>> motions.q.shape, motions.qd.shape
((1000, 50, 2), (1000, 50, 2))
)");
  m.def("step", step, "robot"_a, "q"_a.none(), "qd"_a.none(), "tau"_a.none(), "h"_a, "method"_a = "runge-kutta-4",
        "out"_a = nb::none(), "threads"_a = 0, "loads"_a = nb::none(), "return_valid"_a = false,
        nb::sig("def step(robot: Robot, q: " TORSOR_STATE ", qd: " TORSOR_STATE ", tau: " TORSOR_STATE
                ", h: float, method: str = \"runge-kutta-4\", " TORSOR_OUT_LOADS_VALID(TORSOR_TUPLE2,
                                                                                       "torsor._answers.Step")),
        R"(The state after a step of h seconds under constant torques: what discrete_step gives, without its Jacobians.

q: (..., nq), qd and tau: (..., nv). Answer: a named tuple of q and qd. out: a tuple of two arrays; all else as in
discrete_step.

>>> import torsor as ts
>>> robot = ts.load("two_link")
>>> step = ts.step(robot, [0.1, 0.2], [0.0, 0.0], [0.0, 0.0], 1e-3)
>>> with_jacobians = ts.discrete_step(robot, [0.1, 0.2], [0.0, 0.0], [0.0, 0.0], 1e-3)
>>> bool(abs(step.q - with_jacobians.q).max() < 1e-15)
True
)");
}

}  // namespace torsor::python
