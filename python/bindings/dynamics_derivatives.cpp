// Derivatives and regressors in Python.
#include <nanobind/stl/string.h>

#include "python/bindings/derivative_products.hpp"
#include "python/bindings/errors.hpp"
#include "python/bindings/loads.hpp"
#include "python/bindings/no_answer.hpp"
#include "python/bindings/robot.hpp"
#include "python/bindings/rooms.hpp"
#include "python/bindings/row_call.hpp"
#include "python/bindings/signature.hpp"
#include "torsor/identification/base_parameters.hpp"
#include "torsor/identification/regressor.hpp"

namespace torsor::python {
namespace {

using namespace nb::literals;

}  // namespace

nb::object inverse_derivatives_of(const RowSubject& subject, nb::handle q, nb::handle qd, nb::handle qdd,
                                  nb::handle out, int threads, nb::handle given) {
  const Robot& robot = subject.robot;
  RowCall call("inverse_derivatives", threads);
  const int nv = robot.nv();
  call.take("q", q, robot.nq()).take("qd", qd, nv, Need::optional).take("qdd", qdd, nv, Need::optional);
  const LoadRows loads(call, subject, given);
  take_robots(call, subject);
  call.settle();
  call.expect_states_of(robot);
  call.give_all(out, {{nv, nv}, {nv, nv}, {nv, nv}});
  if (in_lanes(call, subject)) {
    share_loaded_rows(call, subject, loads,
                      [&](RowDynamics& rows, const LoadsOfRows& acting, std::int64_t first, std::int64_t count) {
      return rows.inverse_derivatives(count, call.given(0, first), call.given(1, first), call.given(2, first),
                                      {.dq = call.asked(0, first), .dqd = call.asked(1, first), .dqdd = call.asked(2, first)},
                                      acting);
    });
    return call.result();
  }
  robot.refuse_massless();
  call.share([&](std::int64_t first, std::int64_t count) {
    const auto dynamics = robot.dynamics();
    std::vector<double> tau(static_cast<std::size_t>(nv));
    Loads now;
    for (std::int64_t k = first; k < first + count; ++k) {
      dynamics->set_loads(loads.at(k, now));
      dynamics->inverse(call.row(0, k), call.row(1, k), call.row(2, k), tau,
                        {call.answer(0, k), call.answer(1, k), call.answer(2, k)});
    }
    dynamics->set_loads({});
  });
  return call.result();
}

nb::object forward_derivatives_of(const RowSubject& subject, nb::handle q, nb::handle qd, nb::handle tau,
                                  nb::handle out, int threads, nb::handle given, bool return_valid) {
  const Robot& robot = subject.robot;
  RowCall call("forward_derivatives", threads);
  const int nv = robot.nv();
  call.take("q", q, robot.nq()).take("qd", qd, nv).take("tau", tau, nv);
  const LoadRows loads(call, subject, given);
  take_robots(call, subject);
  call.settle();
  call.expect_states_of(robot, telling(return_valid));
  call.give_all(out, {{nv, nv}, {nv, nv}, {nv, nv}});
  call.may_leave_out();
  if (!subject.robots) robot.refuse_massless();
  if (in_lanes(call, subject))
    share_loaded_rows(call, subject, loads,
                      [&](RowDynamics& rows, const LoadsOfRows& acting, std::int64_t first, std::int64_t count) {
      return rows.forward_derivatives(count, call.given(0, first), call.given(1, first), call.given(2, first),
                                      {.dq = call.asked(0, first), .dqd = call.asked(1, first), .dtau = call.asked(2, first)},
                                      acting);
    });
  else call.share([&](std::int64_t first, std::int64_t count) {
    const auto dynamics = robot.dynamics();
    std::vector<double> qdd(static_cast<std::size_t>(nv));
    Loads now;
    for (std::int64_t k = first; k < first + count; ++k) {
      dynamics->set_loads(loads.at(k, now));
      const Status status = dynamics->forward(call.row(0, k), call.row(1, k), call.row(2, k), qdd,
                                              {call.answer(0, k), call.answer(1, k), call.answer(2, k)});
      if (status.kind == Status::massless)
        call.leave_out(k);
    }
    dynamics->set_loads({});
  });
  call.tell(return_valid, [&](std::int64_t k) { return undetermined_fault(call, subject, k); });
  return call.with_valid(call.result(), return_valid);
}

namespace {

nb::object parameters_of(const Model<double>& model, std::span<const DynamicParameter> list) {
  const nb::object type = nb::module_::import_("torsor._answers").attr("Parameter");
  nb::list out;
  for (const DynamicParameter& p : list)
    out.append(type(parameter_name(model, p), std::string(parameter_unit(model, p)), parameter_value(model, p)));
  return out;
}

nb::object parameters(const Robot& robot) { return parameters_of(robot.tree(), dynamic_parameters(robot.tree())); }

nb::object regressor(const Robot& robot, nb::handle q, nb::handle qd, nb::handle qdd, nb::handle out, int threads) {
  RowCall call("regressor", threads);
  const int nv = robot.nv();
  call.take("q", q, robot.nq()).take("qd", qd, nv, Need::optional).take("qdd", qdd, nv, Need::optional).settle();
  call.expect_states_of(robot);
  call.give(out, {nv, robot.regressor()->columns()});
  call.share([&](std::int64_t first, std::int64_t count) {
    const auto Y = robot.regressor();
    if (call.single())
      Y->at(call.row(0, 0), call.row(1, 0), call.row(2, 0), call.answer(0, 0));
    else
      Y->at(count, call.given(0, first), call.given(1, first), call.given(2, first), call.asked(0, first));
  });
  return call.result();
}

nb::object base(const Robot& robot, bool moving_base) {
  const std::vector<DynamicParameter> list = dynamic_parameters(robot.tree());
  if (list.size() > most_parameters)
    refuse("base_parameters", "the robot has " + std::to_string(list.size()) + " parameters; expected at most " +
                                  std::to_string(most_parameters));
  BaseParameterOptions options;
  options.moving_base = moving_base;
  BaseParameters found;
  {
    nb::gil_scoped_release release;
    found = base_parameters(robot, list, options);
  }
  const auto indices = [](const std::vector<int>& places) {
    nb::list out;
    for (const int place : places) out.append(place);
    return nb::module_::import_("numpy").attr("array")(out, "int64");
  };
  return nb::module_::import_("torsor._answers")
      .attr("BaseParameters")(parameters_of(robot.tree(), list), indices(found.kept), indices(found.regrouped),
                              indices(found.unfelt), new_array(found.K, {found.kept.size(), found.regrouped.size()}),
                              new_array(found.values(parameter_values<double>(robot.tree(), list))));
}

}  // namespace

void bind_dynamics_derivatives(nb::module_& m) {
  bind_derivative_products(m);

  m.def("inverse_derivatives", Asked<inverse_derivatives_of>::of_robot, "robot"_a, "q"_a.none(), "qd"_a = nb::none(),
        "qdd"_a = nb::none(),
        "out"_a = nb::none(), "threads"_a = 0, "loads"_a = nb::none(),
        nb::sig("def inverse_derivatives(robot: Robot, q: " TORSOR_STATE ", qd: " TORSOR_OPTIONAL_STATE
                ", qdd: " TORSOR_OPTIONAL_STATE ", " TORSOR_OUTS_LOADS(TORSOR_TUPLE3)),
        R"(Exact derivatives of inverse dynamics: dtau/dq, dtau/dqd and dtau/dqdd, which is M.

q: (..., nq), qd, qdd: (..., nv), None for zeros. Answers: three arrays (..., nv, nv), entry (i, j) of torque i by
coordinate j. Derivatives by q are along the velocity coordinates: for ball, planar and free joints along the body's
own turns and shifts. out: a tuple of three arrays. loads: see :class:`Loads`; forces turn with the links they act on.

>>> import torsor as ts
>>> robot = ts.load("two_link")
>>> dq, dqd, dqdd = ts.inverse_derivatives(robot, [0.3, 0.4])
>>> bool(abs(dqdd - ts.mass_matrix(robot, [0.3, 0.4])).max() < 1e-12)
True
)");
  m.def("forward_derivatives", Asked<forward_derivatives_of>::of_robot, "robot"_a, "q"_a.none(), "qd"_a.none(),
        "tau"_a.none(), "out"_a = nb::none(),
        "threads"_a = 0, "loads"_a = nb::none(), "return_valid"_a = false,
        nb::sig("def forward_derivatives(robot: Robot, q: " TORSOR_STATE ", qd: " TORSOR_STATE ", tau: " TORSOR_STATE
                ", " TORSOR_OUT_LOADS_VALID(TORSOR_TUPLE3, TORSOR_TUPLE3)),
        R"(Exact derivatives of forward dynamics: dqdd/dq, dqdd/dqd and dqdd/dtau, which is the inverse of M.

q: (..., nq), qd, tau: (..., nv). Answers: three arrays (..., nv, nv). out: a tuple of three arrays. loads: see
:class:`Loads`. States without an answer and return_valid as in forward_dynamics.

>>> import torsor as ts
>>> robot = ts.load("two_link")
>>> dq, dqd, dtau = ts.forward_derivatives(robot, [0.3, 0.4], [0, 0], [0, 0])
>>> (dtau @ ts.mass_matrix(robot, [0.3, 0.4])).round(9) + 0.0
array([[1., 0.],
       [0., 1.]])
)");
  m.def("dynamic_parameters", parameters, "robot"_a,
        nb::sig("def dynamic_parameters(robot: Robot) -> list[torsor._answers.Parameter]"),
        R"(The numbers in which the torques of a robot are linear, with names, units and values.

Ten inertial ones per body (mass, first moments, tensor about the origin of its joint frame), rotors, friction: the
columns of regressor.

>>> import torsor as ts
>>> ts.dynamic_parameters(ts.load("two_link"))[0]
Parameter(name='m1', unit='kg', value=3.7)
)");
  m.def("regressor", regressor, "robot"_a, "q"_a.none(), "qd"_a = nb::none(), "qdd"_a = nb::none(),
        "out"_a = nb::none(), "threads"_a = 0,
        nb::sig("def regressor(robot: Robot, q: " TORSOR_STATE ", qd: " TORSOR_OPTIONAL_STATE
                ", qdd: " TORSOR_OPTIONAL_STATE ", " TORSOR_OUT),
        R"(Y of tau = Y phi, phi the values of dynamic_parameters.

q: (..., nq), qd, qdd: (..., nv), None for zeros. Answer: (..., nv, parameters).

>>> import torsor as ts
>>> robot = ts.load("two_link")
>>> phi = [p.value for p in ts.dynamic_parameters(robot)]
>>> (ts.regressor(robot, [0.0, 0.0]) @ phi).round(4)
array([44.1769,  9.5856])
)");
  m.def("base_parameters", base, "robot"_a, "moving_base"_a = false,
        nb::sig("def base_parameters(robot: Robot, moving_base: bool = False) -> torsor._answers.BaseParameters"),
        R"(The smallest set of numbers that the torques are linear in: all that can be identified from them.

Answer: a named tuple with all parameters, the places of those kept, regrouped and unfelt, the matrix K of
b = phi[kept] + K phi[regrouped], and the values b.

>>> import torsor as ts
>>> len(ts.base_parameters(ts.load("puma560")).kept)
36
)");
}

}  // namespace torsor::python
