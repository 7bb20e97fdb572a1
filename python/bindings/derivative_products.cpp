// Products of vectors with derivatives, and second derivatives along directions, in Python.
#include "python/bindings/derivative_products.hpp"

#include <cmath>
#include <stdexcept>

#include "python/bindings/jax_calls.hpp"
#include "python/bindings/no_answer.hpp"
#include "python/bindings/robot.hpp"
#include "python/bindings/row_call.hpp"
#include "python/bindings/signature.hpp"
#include "torsor/dynamics/second_products.hpp"
#include "torsor/model/joint_tangent.hpp"

namespace torsor::python {
namespace {

using namespace nb::literals;

StateRows<const double> given(const RowCall& call, int k, std::int64_t first) {
  const auto rows = call.in<double>(k);
  return {rows.data ? rows.row(first) : nullptr, rows.stride};
}
StateRows<double> asked(const RowCall& call, int k, std::int64_t first) {
  const auto rows = call.out<double>(k);
  return {rows.row(first), rows.stride};
}
void expect(const Status& status) {
  if (status.kind == Status::wrong_size) throw std::logic_error("rows of a call do not fit its robot");
}
void clear_massless(const Status& status, const RowCall& call, int answers) {
  expect(status);
  if (status.kind != Status::massless) return;
  for (int k = 0; k < answers; ++k) std::ranges::fill(call.answer(k, 0), std::nan(""));
}

nb::object inverse_jvp(const Robot& robot, nb::handle q, nb::handle qd, nb::handle qdd, nb::handle dq, nb::handle dqd,
                       nb::handle dqdd, nb::handle out, int threads) {
  RowCall call("inverse_jvp", threads);
  const int nv = robot.nv();
  call.take("q", q, robot.nq()).take("qd", qd, nv, Need::optional).take("qdd", qdd, nv, Need::optional);
  call.take("dq", dq, nv, Need::optional).take("dqd", dqd, nv, Need::optional).take("dqdd", dqdd, nv, Need::optional);
  call.settle();
  call.expect_states_of(robot);
  call.give(out, {nv});
  robot.refuse_massless();
  call.share([&](std::int64_t first, std::int64_t count) {
    const auto dynamics = robot.dynamics();
    if (call.single())
      return expect(dynamics->inverse_jvp(call.row(0, 0), call.row(1, 0), call.row(2, 0),
                                          {call.row(3, 0), call.row(4, 0), call.row(5, 0)}, call.answer(0, 0)));
    expect(dynamics->inverse_jvp(count, given(call, 0, first), given(call, 1, first), given(call, 2, first),
                                 given(call, 3, first), given(call, 4, first), given(call, 5, first),
                                 asked(call, 0, first)));
  });
  return call.result();
}

nb::object inverse_vjp(const Robot& robot, nb::handle q, nb::handle qd, nb::handle qdd, nb::handle w, nb::handle out,
                       int threads) {
  RowCall call("inverse_vjp", threads);
  const int nv = robot.nv();
  call.take("q", q, robot.nq())
      .take("qd", qd, nv, Need::optional)
      .take("qdd", qdd, nv, Need::optional)
      .take("w", w, nv)
      .settle();
  call.expect_states_of(robot);
  call.give_all(out, {{nv}, {nv}, {nv}});
  robot.refuse_massless();
  call.share([&](std::int64_t first, std::int64_t count) {
    const auto dynamics = robot.dynamics();
    if (call.single())
      return expect(dynamics->inverse_vjp(call.row(0, 0), call.row(1, 0), call.row(2, 0), call.row(3, 0),
                                          {call.answer(0, 0), call.answer(1, 0), call.answer(2, 0)}));
    expect(dynamics->inverse_vjp(count, given(call, 0, first), given(call, 1, first), given(call, 2, first),
                                 given(call, 3, first), asked(call, 0, first), asked(call, 1, first),
                                 asked(call, 2, first)));
  });
  return call.result();
}

nb::object forward_jvp(const Robot& robot, nb::handle q, nb::handle qd, nb::handle tau, nb::handle dq, nb::handle dqd,
                       nb::handle dtau, nb::handle out, int threads, bool return_valid) {
  RowCall call("forward_jvp", threads);
  const int nv = robot.nv();
  call.take("q", q, robot.nq()).take("qd", qd, nv).take("tau", tau, nv);
  call.take("dq", dq, nv, Need::optional).take("dqd", dqd, nv, Need::optional).take("dtau", dtau, nv, Need::optional);
  call.settle();
  call.expect_states_of(robot, telling(return_valid));
  call.give(out, {nv});
  robot.refuse_massless();
  call.share([&](std::int64_t first, std::int64_t count) {
    const auto dynamics = robot.dynamics();
    if (call.single())
      return clear_massless(dynamics->forward_jvp(call.row(0, 0), call.row(1, 0), call.row(2, 0),
                                                  {call.row(3, 0), call.row(4, 0), call.row(5, 0)}, call.answer(0, 0)),
                            call, 1);
    expect(dynamics->forward_jvp(count, given(call, 0, first), given(call, 1, first), given(call, 2, first),
                                 given(call, 3, first), given(call, 4, first), given(call, 5, first),
                                 asked(call, 0, first)));
  });
  call.tell(return_valid, [&](std::int64_t k) { return undetermined_fault(call, robot, k); });
  return call.with_valid(call.result(), return_valid);
}

nb::object forward_vjp(const Robot& robot, nb::handle q, nb::handle qd, nb::handle tau, nb::handle u, nb::handle out,
                       int threads, bool return_valid) {
  RowCall call("forward_vjp", threads);
  const int nv = robot.nv();
  call.take("q", q, robot.nq()).take("qd", qd, nv).take("tau", tau, nv).take("u", u, nv).settle();
  call.expect_states_of(robot, telling(return_valid));
  call.give_all(out, {{nv}, {nv}, {nv}});
  robot.refuse_massless();
  call.share([&](std::int64_t first, std::int64_t count) {
    const auto dynamics = robot.dynamics();
    if (call.single())
      return clear_massless(dynamics->forward_vjp(call.row(0, 0), call.row(1, 0), call.row(2, 0), call.row(3, 0),
                                                  {call.answer(0, 0), call.answer(1, 0), call.answer(2, 0)}),
                            call, 3);
    expect(dynamics->forward_vjp(count, given(call, 0, first), given(call, 1, first), given(call, 2, first),
                                 given(call, 3, first), asked(call, 0, first), asked(call, 1, first),
                                 asked(call, 2, first)));
  });
  call.tell(return_valid, [&](std::int64_t k) { return undetermined_fault(call, robot, k); });
  return call.with_valid(call.result(), return_valid);
}

/// A row of changes of q (nq), qd and the last (nv each) in its three parts; likewise where a gradient goes.
NumbersChange parts_of(std::span<const double> row, const Model<double>& model) {
  const auto nq = static_cast<std::size_t>(model.nq), nv = static_cast<std::size_t>(model.nv);
  return {row.first(nq), row.subspan(nq, nv), row.subspan(nq + nv, nv)};
}
NumbersGradient parts_of(std::span<double> row, const Model<double>& model) {
  const auto nq = static_cast<std::size_t>(model.nq), nv = static_cast<std::size_t>(model.nv);
  return {row.first(nq), row.subspan(nq, nv), row.subspan(nq + nv, nv)};
}

/// Second derivatives, state by state. `forward`: of accelerations, else of torques; with `weights` (nv) the gradient's change, else the
/// change's along another change.
nb::object second(const char* function, bool forward, bool weighted, const Robot& robot, nb::handle q, nb::handle qd,
                  nb::handle last, nb::handle vector, nb::handle along, nb::handle out, int threads) {
  RowCall call(function, threads);
  const Model<double>& model = robot.model();
  const int nv = model.nv, all = model.nq + 2 * nv;
  call.take("q", q, model.nq).take("qd", qd, nv).take(forward ? "tau" : "qdd", last, nv);
  call.take(weighted ? (forward ? "u" : "w") : "change", vector, weighted ? nv : all)
      .take("along", along, all)
      .settle();
  call.expect_states_of(&model);
  call.give(out, {weighted ? all : nv});
  robot.refuse_massless();
  call.share([&](std::int64_t first, std::int64_t count) {
    const auto products = robot.work<SecondProducts>();
    for (std::int64_t k = first; k < first + count; ++k) {
      const auto at = call.row(0, k), rates = call.row(1, k), third = call.row(2, k), given = call.row(3, k);
      const NumbersChange direction = parts_of(call.row(4, k), model);
      const std::span<double> answer = call.answer(0, k);
      int massless = -1;
      if (forward)
        massless = weighted ? products->forward_hessian(at, rates, third, given, direction, parts_of(answer, model))
                            : products->forward_curvature(at, rates, third, parts_of(given, model), direction, answer);
      else if (weighted)
        products->inverse_hessian(at, rates, third, given, direction, parts_of(answer, model));
      else
        products->inverse_curvature(at, rates, third, parts_of(given, model), direction, answer);
      if (massless >= 0) std::ranges::fill(answer, std::nan(""));
    }
  });
  if (forward) call.tell(false, [&](std::int64_t k) { return undetermined_fault(call, robot, k); });
  return call.result();
}

/// Rates of positions to rates along the velocity coordinates, or gradients by these to gradients by positions.
template <bool to_positions>
nb::object changed(const Robot& robot, nb::handle q, nb::handle given, nb::handle out, int threads) {
  RowCall call(to_positions ? "position_gradient" : "position_tangent", threads);
  const Model<double>& model = robot.model();
  call.take("q", q, model.nq).take(to_positions ? "gradient" : "dq", given, to_positions ? model.nv : model.nq).settle();
  call.expect_states_of(&model);
  call.give(out, {to_positions ? model.nq : model.nv});
  call.share([&](std::int64_t first, std::int64_t count) {
    for (std::int64_t k = first; k < first + count; ++k)
      (to_positions ? position_gradient<double> : position_tangent<double>)(model, call.row(0, k), call.row(1, k),
                                                                            call.answer(0, k));
  });
  return call.result();
}

}  // namespace

void bind_derivative_products(nb::module_& m) {
  bind_jax_calls(m);
  m.def("inverse_jvp", inverse_jvp, "robot"_a, "q"_a.none(), "qd"_a = nb::none(), "qdd"_a = nb::none(),
        "dq"_a = nb::none(), "dqd"_a = nb::none(), "dqdd"_a = nb::none(), "out"_a = nb::none(), "threads"_a = 0,
        nb::sig("def inverse_jvp(robot: Robot, q: " TORSOR_STATE ", qd: " TORSOR_OPTIONAL_STATE
                ", qdd: " TORSOR_OPTIONAL_STATE ", dq: " TORSOR_OPTIONAL_STATE ", dqd: " TORSOR_OPTIONAL_STATE
                ", dqdd: " TORSOR_OPTIONAL_STATE ", " TORSOR_OUT),
        R"(The change of the torques with a change of the motion: dtau/dq dq + dtau/dqd dqd + dtau/dqdd dqdd.

Exact, and without the matrices of inverse_derivatives. q: (..., nq), all else (..., nv), None for zeros; dq is along the
velocity coordinates (position_tangent makes it of a change of the numbers of q). Answer: (..., nv). out, threads as in
inverse_dynamics; batches go in lanes.

>>> import torsor as ts
>>> robot = ts.load("two_link")
>>> ts.inverse_jvp(robot, [0.3, 0.4], dqdd=[1, 0]).round(4) + 0.0
array([4.6373, 1.3192])
)");
  m.def("inverse_vjp", inverse_vjp, "robot"_a, "q"_a.none(), "qd"_a.none(), "qdd"_a.none(), "w"_a.none(),
        "out"_a = nb::none(), "threads"_a = 0,
        nb::sig("def inverse_vjp(robot: Robot, q: " TORSOR_STATE
                ", qd: numpy.typing.ArrayLike | None, qdd: numpy.typing.ArrayLike | None, w: " TORSOR_STATE
                ", " TORSOR_OUTS(TORSOR_TUPLE3)),
        R"(The gradient of w . tau by q, qd and qdd: three products w dtau/dx, exact, without the matrices.

q: (..., nq), qd, qdd: (..., nv), None for zeros; w: (..., nv). Answers: three arrays (..., nv). The first is along the
velocity coordinates; position_gradient makes of it a gradient by the numbers of q. One adjoint recursion, whose
cost grows as the number of joints. out: a tuple of three arrays; batches go in lanes.

>>> import torsor as ts
>>> robot = ts.load("two_link")
>>> by_q, by_qd, by_qdd = ts.inverse_vjp(robot, [0.3, 0.4], None, None, [1, 0])
>>> by_qdd.round(4)
array([4.6373, 1.3192])
)");
  m.def("forward_jvp", forward_jvp, "robot"_a, "q"_a.none(), "qd"_a.none(), "tau"_a.none(), "dq"_a = nb::none(),
        "dqd"_a = nb::none(), "dtau"_a = nb::none(), "out"_a = nb::none(), "threads"_a = 0, "return_valid"_a = false,
        nb::sig("def forward_jvp(robot: Robot, q: " TORSOR_STATE ", qd: " TORSOR_STATE ", tau: " TORSOR_STATE
                ", dq: " TORSOR_OPTIONAL_STATE ", dqd: " TORSOR_OPTIONAL_STATE ", dtau: " TORSOR_OPTIONAL_STATE
                ", out: " TORSOR_ARRAY " | None = None, threads: int = 0, " TORSOR_VALID(TORSOR_ARRAY)),
        R"(The change of the accelerations with a change of position, velocity and torques; see inverse_jvp.

States without an answer and return_valid as in forward_dynamics.

>>> import torsor as ts
>>> robot = ts.load("two_link")
>>> M = ts.mass_matrix(robot, [0.3, 0.4])
>>> (M @ ts.forward_jvp(robot, [0.3, 0.4], [0, 0], [0, 0], dtau=[1, 2])).round(9)
array([1., 2.])
)");
  m.def("forward_vjp", forward_vjp, "robot"_a, "q"_a.none(), "qd"_a.none(), "tau"_a.none(), "u"_a.none(),
        "out"_a = nb::none(), "threads"_a = 0, "return_valid"_a = false,
        nb::sig("def forward_vjp(robot: Robot, q: " TORSOR_STATE ", qd: " TORSOR_STATE ", tau: " TORSOR_STATE
                ", u: " TORSOR_STATE ", out: " TORSOR_TUPLE3
                " | None = None, threads: int = 0, " TORSOR_VALID(TORSOR_TUPLE3)),
        R"(The gradient of u . qdd by q, qd and tau, accelerations being those of forward_dynamics; see inverse_vjp.

States without an answer and return_valid as in forward_dynamics.

>>> import torsor as ts
>>> robot = ts.load("two_link")
>>> by_q, by_qd, by_tau = ts.forward_vjp(robot, [0.3, 0.4], [0, 0], [0, 0], [1, 0])
>>> (ts.mass_matrix(robot, [0.3, 0.4]) @ by_tau).round(9) + 0.0
array([1., 0.])
)");
  m.def(
      "inverse_hvp",
      [](const Robot& robot, nb::handle q, nb::handle qd, nb::handle qdd, nb::handle w, nb::handle along,
         nb::handle out,
         int threads) { return second("inverse_hvp", false, true, robot, q, qd, qdd, w, along, out, threads); },
      "robot"_a, "q"_a.none(), "qd"_a.none(), "qdd"_a.none(), "w"_a.none(), "along"_a.none(), "out"_a = nb::none(),
      "threads"_a = 0,
      nb::sig("def inverse_hvp(robot: Robot, q: " TORSOR_STATE ", qd: " TORSOR_STATE ", qdd: " TORSOR_STATE
              ", w: " TORSOR_STATE ", along: " TORSOR_STATE ", " TORSOR_OUT),
      R"(Second derivatives of w . tau by (q, qd, qdd) along a direction: their Hessian times `along`, exact.

along: (..., nq + 2 nv), changes of the numbers of q, of qd and of qdd one after the other; the answer is such a row, too.
By the numbers of q, quaternions of any length, the Hessian is symmetric. State by state.

>>> import torsor as ts
>>> robot = ts.load("two_link")
>>> ts.inverse_hvp(robot, [0.3, 0.4], [1, 1], [0, 0], [1, 0], [0, 0, 0, 0, 0, 1]).round(4) + 0.0
array([ 0.    , -0.3236,  0.    ,  0.    ,  0.    ,  0.    ])
)");
  m.def(
      "forward_hvp",
      [](const Robot& robot, nb::handle q, nb::handle qd, nb::handle tau, nb::handle u, nb::handle along,
         nb::handle out,
         int threads) { return second("forward_hvp", true, true, robot, q, qd, tau, u, along, out, threads); },
      "robot"_a, "q"_a.none(), "qd"_a.none(), "tau"_a.none(), "u"_a.none(), "along"_a.none(), "out"_a = nb::none(),
      "threads"_a = 0,
      nb::sig("def forward_hvp(robot: Robot, q: " TORSOR_STATE ", qd: " TORSOR_STATE ", tau: " TORSOR_STATE
              ", u: " TORSOR_STATE ", along: " TORSOR_STATE ", " TORSOR_OUT),
      R"(Second derivatives of u . qdd by (q, qd, tau) along a direction; see inverse_hvp.

>>> import torsor as ts
>>> robot = ts.load("two_link")
>>> ts.forward_hvp(robot, [0.3, 0.4], [0, 0], [0, 0], [1, 0], [0, 0, 0, 0, 1, 0])[4:] + 0.0
array([0., 0.])
)");
  m.def(
      "inverse_curvature",
      [](const Robot& robot, nb::handle q, nb::handle qd, nb::handle qdd, nb::handle change, nb::handle along,
         nb::handle out, int threads) {
        return second("inverse_curvature", false, false, robot, q, qd, qdd, change, along, out, threads);
      },
      "robot"_a, "q"_a.none(), "qd"_a.none(), "qdd"_a.none(), "change"_a.none(), "along"_a.none(), "out"_a = nb::none(),
      "threads"_a = 0,
      nb::sig("def inverse_curvature(robot: Robot, q: " TORSOR_STATE ", qd: " TORSOR_STATE ", qdd: " TORSOR_STATE
              ", change: " TORSOR_STATE ", along: " TORSOR_STATE ", " TORSOR_OUT),
      R"(The second derivative of the torques along two directions, exact: what inverse_hvp is weighed from.

change, along: (..., nq + 2 nv) as in inverse_hvp. Answer: (..., nv). State by state.

>>> import torsor as ts
>>> robot = ts.load("two_link")
>>> ts.inverse_curvature(robot, [0.3, 0.4], [1, 1], [0, 0], [0, 1, 0, 0, 0, 0], [0, 0, 0, 0, 0, 1]).round(4) + 0.0
array([-0.3236,  0.    ])
)");
  m.def(
      "forward_curvature",
      [](const Robot& robot, nb::handle q, nb::handle qd, nb::handle tau, nb::handle change, nb::handle along,
         nb::handle out, int threads) {
        return second("forward_curvature", true, false, robot, q, qd, tau, change, along, out, threads);
      },
      "robot"_a, "q"_a.none(), "qd"_a.none(), "tau"_a.none(), "change"_a.none(), "along"_a.none(), "out"_a = nb::none(),
      "threads"_a = 0,
      nb::sig("def forward_curvature(robot: Robot, q: " TORSOR_STATE ", qd: " TORSOR_STATE ", tau: " TORSOR_STATE
              ", change: " TORSOR_STATE ", along: " TORSOR_STATE ", " TORSOR_OUT),
      R"(The second derivative of the accelerations along two directions; see inverse_curvature.

>>> import torsor as ts
>>> robot = ts.load("two_link")
>>> ts.forward_curvature(robot, [0.3, 0.4], [0, 0], [0, 0], [0, 0, 0, 0, 1, 0], [0, 0, 0, 0, 0, 1]) + 0.0
array([0., 0.])
)");
  m.def(
      "position_tangent", changed<false>, "robot"_a, "q"_a.none(), "dq"_a.none(), "out"_a = nb::none(), "threads"_a = 0,
      nb::sig("def position_tangent(robot: Robot, q: " TORSOR_STATE ", dq: " TORSOR_STATE ", " TORSOR_OUT),
      R"(The displacement along the velocity coordinates, (..., nv), that a change of the numbers of q, (..., nq), stands for.

The same numbers for joints of one degree of freedom; for quaternions, of any length but zero, 2 vec(e* de) / |e|^2, and
positions of ball, planar and free joints along the axes of the body.

>>> import torsor as ts
>>> robot = ts.load("floating")
>>> ts.position_tangent(robot, robot.neutral_position(), [0, 0.5] + [0] * (robot.nq - 2))[:6]
array([1., 0., 0., 0., 0., 0.])
)");
  m.def("position_gradient", changed<true>, "robot"_a, "q"_a.none(), "gradient"_a.none(), "out"_a = nb::none(),
        "threads"_a = 0,
        nb::sig("def position_gradient(robot: Robot, q: " TORSOR_STATE ", gradient: " TORSOR_STATE ", " TORSOR_OUT),
        R"(The gradient by the numbers of q, (..., nq), from one along the velocity coordinates, (..., nv).

The transpose of position_tangent: no gradient points along the length of a quaternion.

>>> import torsor as ts
>>> robot = ts.load("floating")
>>> ts.position_gradient(robot, robot.neutral_position(), [1] + [0] * (robot.nv - 1))[:4]
array([0., 2., 0., 0.])
)");
}

}  // namespace torsor::python
