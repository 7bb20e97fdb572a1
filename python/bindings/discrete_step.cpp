// A step in time with its Jacobians in Python, and which derivatives are zero whatever the numbers.
#include <nanobind/stl/string.h>

#include <cmath>

#include "python/bindings/answer.hpp"
#include "python/bindings/errors.hpp"
#include "python/bindings/loads.hpp"
#include "python/bindings/no_answer.hpp"
#include "python/bindings/robot.hpp"
#include "python/bindings/rooms.hpp"
#include "python/bindings/signature.hpp"
#include "torsor/dynamics/derivative_sparsity.hpp"
#include "torsor/dynamics/discrete_step.hpp"

namespace torsor::python {
namespace {

using namespace nb::literals;

template <StepMethod method>
struct StepRun {
  explicit StepRun(const Model<double>& model) : step(model, method) {}
  DiscreteStep<double, Dynamics> step;
};

/// Leaves out the states whose step is not determined.
template <StepMethod method>
void run_steps(const RowCall& call, const Robot& robot, const LoadRows& loads, double h) {
  robot.refuse_massless();
  call.may_leave_out();
  call.share([&](std::int64_t first, std::int64_t count) {
    const auto run = robot.work<StepRun<method>>();
    Loads now;
    for (std::int64_t k = first; k < first + count; ++k) {
      run->step.derivatives.set_loads(loads.at(k, now));
      if (run->step.run(call.row(0, k), call.row(1, k), call.row(2, k), h,
                        {call.answer(0, k), call.answer(1, k), call.answer(2, k), call.answer(3, k)}) >= 0)
        call.leave_out(k);
    }
    run->step.derivatives.set_loads({});
  });
}

/// A state without an answer. Where a step of next to no time has one, it is the length of the step that is too large.
template <StepMethod method>
Fault step_fault(const RowCall& call, const Robot& robot, const LoadRows& loads, double h, std::int64_t k) {
  Fault fault = undetermined_fault(call, robot, k);
  if (fault.rule != "too-large") return fault;
  constexpr double moment = 1e-9;  // s
  const auto run = robot.work<StepRun<method>>();
  Loads now;
  run->step.derivatives.set_loads(loads.at(k, now));
  run->step.run(call.row(0, k), call.row(1, k), call.row(2, k), moment,
                {call.answer(0, k), call.answer(1, k), call.answer(2, k), call.answer(3, k)});
  run->step.derivatives.set_loads({});
  bool answered = h > moment;
  for (int a = 0; a < 4; ++a)
    for (const double x : call.answer(a, k)) answered = answered && std::isfinite(x);
  call.leave_out(k);
  if (!answered) return fault;
  fault.what = "its answer is too large for numbers: h is " + nb::cast<std::string>(nb::repr(nb::float_(h))) + " s";
  fault.remedy = "give the length of a step, such as 1e-3";
  return fault;
}

nb::object discrete_step(const Robot& robot, nb::handle q, nb::handle qd, nb::handle tau, double h,
                         const std::string& method, nb::handle out, int threads, nb::handle given,
                         bool return_valid) {
  RowCall call("discrete_step", threads);
  const int nv = robot.model().nv;
  const bool semi_implicit = word_of(call.function(), "method", method, {"runge-kutta-4", "semi-implicit"}) == 1;
  positive(call.function(), "h", h);
  call.take("q", q, robot.model().nq).take("qd", qd, nv).take("tau", tau, nv);
  const LoadRows loads(call, robot, given);
  call.settle();
  call.expect_states_of(&robot.model(), telling(return_valid));
  call.give_all(out, {{robot.model().nq}, {nv}, {2 * nv, 2 * nv}, {2 * nv, nv}});
  const auto step = [&]<StepMethod method>() {
    run_steps<method>(call, robot, loads, h);
    call.tell(return_valid, [&](std::int64_t k) { return step_fault<method>(call, robot, loads, h, k); });
  };
  if (semi_implicit)
    step.operator()<StepMethod::semi_implicit>();
  else
    step.operator()<StepMethod::runge_kutta_4>();
  const nb::object answer = nb::module_::import_("torsor._answers").attr("DiscreteStep").attr("_make")(call.result());
  return call.with_valid(answer, return_valid);
}

nb::object sparsity(const Robot& robot, bool moving_base) {
  // any numbers that are not zero: the pattern asks for no more
  const BaseMotion<double> moving{{1, 1, 1}, {1, 1, 1}, {1, 1, 1}};
  const DerivativeSparsity found = derivative_sparsity(robot.model(), moving_base ? moving : BaseMotion<double>{});
  const std::size_t n = static_cast<std::size_t>(robot.model().nv);
  const auto pattern = [n](const std::vector<char>& cells) {
    return new_array(std::vector<double>(cells.begin(), cells.end()), {n, n}).attr("astype")("bool");
  };
  return nb::make_tuple(pattern(found.dq), pattern(found.dqd), pattern(found.dqdd));
}

}  // namespace

void bind_discrete_step(nb::module_& m) {
  m.def(
      "discrete_step", discrete_step, "robot"_a, "q"_a.none(), "qd"_a.none(), "tau"_a.none(), "h"_a,
      "method"_a = "runge-kutta-4", "out"_a = nb::none(), "threads"_a = 0, "loads"_a = nb::none(),
      "return_valid"_a = false,
      nb::sig("def discrete_step(robot: Robot, q: " TORSOR_STATE ", qd: " TORSOR_STATE ", tau: " TORSOR_STATE
              ", h: float, method: str = \"runge-kutta-4\", " TORSOR_OUT_LOADS_VALID(TORSOR_TUPLE4,
                                                                                     "torsor._answers.DiscreteStep")),
      R"(The state after a step of h seconds under constant torques, and its exact Jacobians: dx+ = A dx + B dtau, x = (q, qd).

q: (..., nq), qd and tau: (..., nv). method: "runge-kutta-4" or "semi-implicit". Answer: a named tuple of q (..., nq),
qd (..., nv), A (..., 2 nv, 2 nv) and B (..., 2 nv, nv), for model predictive control and estimators. Changes of q are
along the velocity coordinates. out: a tuple of four arrays; loads: see :class:`Loads`; states without an answer and
return_valid as in forward_dynamics.

>>> import torsor as ts
>>> robot = ts.load("two_link")
>>> step = ts.discrete_step(robot, [0.1, 0.2], [0.0, 0.0], [0.0, 0.0], 1e-3)
>>> step.A.shape, step.B.shape
((4, 4), (4, 2))
)");
  m.def(
      "derivative_sparsity", sparsity, "robot"_a, "moving_base"_a = false,
      nb::sig("def derivative_sparsity(robot: Robot, moving_base: bool = False) -> "
              "tuple[numpy.typing.NDArray[numpy.bool_], "
              "numpy.typing.NDArray[numpy.bool_], numpy.typing.NDArray[numpy.bool_]]"),
      R"(Which entries of dtau/dq, dtau/dqd and dtau/dqdd can be other than zero, by the tree and the kinds of its joints alone.

Three arrays (nv, nv) of bool, for solvers that skip work. moving_base: the base may move.

>>> import torsor as ts
>>> dq, dqd, dqdd = ts.derivative_sparsity(ts.load("two_arm"))
>>> int(dqdd.sum()), dqdd.size
(..., ...)
)");
}

}  // namespace torsor::python
