// Positions as a space with directions, in Python: integrate, difference, interpolate and how these change.
#include "torsor/model/position_space.hpp"

#include "python/bindings/errors.hpp"
#include "python/bindings/no_answer.hpp"
#include "python/bindings/robot.hpp"
#include "python/bindings/rooms.hpp"
#include "python/bindings/row_call.hpp"
#include "python/bindings/signature.hpp"

namespace torsor::python {
namespace {

using namespace nb::literals;

/// body(state) for every state of a call whose arguments 0 and, if there are two positions, 1 are positions.
template <class Body>
nb::object at_every_position(RowCall& call, const Model<double>& model, bool two_positions, const Body& body) {
  call.share([&](std::int64_t first, std::int64_t count) {
    for (std::int64_t k = first; k < first + count; ++k) body(k);
  });
  call.tell(false, [&](std::int64_t k) {
    const bool second = two_positions && joint_without_direction(call, model, k, 1) >= 0;
    return meaningless_fault(call, &model, k, second ? 1 : 0);
  });
  return call.result();
}

nb::object integrate(const Robot& robot, nb::handle q, nb::handle d, nb::handle out, int threads) {
  RowCall call("integrate", threads);
  const Model<double>& model = robot.coordinates();
  call.take("q", q, model.nq).take("d", d, model.nv).settle();
  call.expect_states_of(&model);
  call.give(out, {model.nq});
  return at_every_position(call, model, false, [&](std::int64_t k) {
    integrate_position<double>(model, call.row(0, k), call.row(1, k), call.answer(0, k));
  });
}

nb::object difference(const Robot& robot, nb::handle from, nb::handle to, nb::handle out, int threads) {
  RowCall call("difference", threads);
  const Model<double>& model = robot.coordinates();
  call.take("start", from, model.nq).take("end", to, model.nq).settle();
  call.expect_states_of(&model);
  call.give(out, {model.nv});
  return at_every_position(call, model, true, [&](std::int64_t k) {
    position_difference<double>(model, call.row(0, k), call.row(1, k), call.answer(0, k));
  });
}

nb::object interpolate(const Robot& robot, nb::handle from, nb::handle to, nb::handle share, nb::handle out,
                       int threads) {
  RowCall call("interpolate", threads);
  const Model<double>& model = robot.coordinates();
  call.take("start", from, model.nq).take("end", to, model.nq).take("share", share, {}).settle();
  call.expect_states_of(&model);
  call.give(out, {model.nq});
  return at_every_position(call, model, true, [&](std::int64_t k) {
    interpolate_position<double>(model, call.row(0, k), call.row(1, k), call.row(2, k)[0], call.answer(0, k));
  });
}

nb::object tangents_of_integrate(const Robot& robot, nb::handle q, nb::handle d, nb::handle out, int threads) {
  RowCall call("integrate_tangents", threads);
  const Model<double>& model = robot.coordinates();
  call.take("q", q, model.nq).take("d", d, model.nv).settle();
  call.expect_states_of(&model);
  call.give_all(out, {{model.nv, model.nv}, {model.nv, model.nv}});
  return at_every_position(call, model, false, [&](std::int64_t k) {
    integrate_tangents<double>(model, call.row(1, k), call.answer(0, k), call.answer(1, k));
  });
}

nb::object tangents_of_difference(const Robot& robot, nb::handle from, nb::handle to, nb::handle out, int threads) {
  RowCall call("difference_tangents", threads);
  const Model<double>& model = robot.coordinates();
  call.take("start", from, model.nq).take("end", to, model.nq).settle();
  call.expect_states_of(&model);
  call.give_all(out, {{model.nv, model.nv}, {model.nv, model.nv}});
  return at_every_position(call, model, true, [&](std::int64_t k) {
    difference_tangents<double>(model, call.row(0, k), call.row(1, k), call.answer(0, k), call.answer(1, k));
  });
}

}  // namespace

void bind_positions(nb::module_& m) {
  m.def("integrate", integrate, "robot"_a, "q"_a.none(), "d"_a.none(), "out"_a = nb::none(), "threads"_a = 0,
        nb::sig("def integrate(robot: Robot, q: " TORSOR_STATE ", d: " TORSOR_STATE ", " TORSOR_OUT),
        R"(The position to which a displacement d along the velocity coordinates leads, such as qd times a short time.

q: (..., nq), d: (..., nv). Answer: (..., nq). A joint of one degree of freedom adds. A quaternion turns about the axes
of the body by the vector d, a free joint shifts along the axes that it had; quaternions come out unit.

>>> import torsor as ts
>>> robot = ts.load("floating")
>>> ts.integrate(robot, robot.neutral_position(), [0, 0, 3.14159265, 1, 0, 0] + [0] * (robot.nv - 6))[:7].round(6) + 0.0
array([0., 0., 0., 1., 1., 0., 0.])
)");
  m.def("difference", difference, "robot"_a, "start"_a.none(), "end"_a.none(), "out"_a = nb::none(), "threads"_a = 0,
        nb::sig("def difference(robot: Robot, start: " TORSOR_STATE ", end: " TORSOR_STATE ", " TORSOR_OUT),
        R"(The displacement along the velocity coordinates from one position to another: the inverse of integrate.

start, end: (..., nq). Answer: (..., nv). Turns of quaternions are the shorter way, of at most pi; angles of joints of
one degree of freedom count whole turns, and are subtracted as they are.

>>> import torsor as ts
>>> robot = ts.load("floating")
>>> q = ts.random_position(robot, 2)
>>> d = ts.difference(robot, q[0], q[1])
>>> bool(abs(ts.frame_pose(robot, ts.integrate(robot, q[0], d)) - ts.frame_pose(robot, q[1])).max() < 1e-12)
True
)");
  m.def("interpolate", interpolate, "robot"_a, "start"_a.none(), "end"_a.none(), "share"_a.none(),
        "out"_a = nb::none(), "threads"_a = 0,
        nb::sig("def interpolate(robot: Robot, start: " TORSOR_STATE ", end: " TORSOR_STATE ", share: " TORSOR_STATE
                ", " TORSOR_OUT),
        R"(The position at a share of the way from one to another, 0 at the start and 1 at the end.

start, end: (..., nq), share: (...). Answer: (..., nq), integrate(start, share * difference(start, end)): quaternions
turn about one axis at an even rate.

>>> import torsor as ts
>>> ts.interpolate(ts.load("two_link"), [0.0, 1.0], [1.0, 0.0], [0.0, 0.25, 1.0])
array([[0.  , 1.  ],
       [0.25, 0.75],
       [1.  , 0.  ]])
)");
  m.def("integrate_tangents", tangents_of_integrate, "robot"_a, "q"_a.none(), "d"_a.none(), "out"_a = nb::none(),
        "threads"_a = 0,
        nb::sig("def integrate_tangents(robot: Robot, q: " TORSOR_STATE ", d: " TORSOR_STATE
                ", " TORSOR_OUTS(TORSOR_TUPLE2)),
        R"(How integrate(q, d) changes with q and with d, both and the answer along the velocity coordinates.

q: (..., nq), d: (..., nv). Answers: two arrays (..., nv, nv): unit matrices for joints of one degree of freedom.

>>> import torsor as ts
>>> by_q, by_d = ts.integrate_tangents(ts.load("two_link"), [0.0, 1.0], [1.0, 0.0])
>>> by_d
array([[1., 0.],
       [0., 1.]])
)");
  m.def("difference_tangents", tangents_of_difference, "robot"_a, "start"_a.none(), "end"_a.none(),
        "out"_a = nb::none(), "threads"_a = 0,
        nb::sig("def difference_tangents(robot: Robot, start: " TORSOR_STATE ", end: " TORSOR_STATE
                ", " TORSOR_OUTS(TORSOR_TUPLE2)),
        R"(How difference(start, end) changes with start and with end, along the velocity coordinates.

start, end: (..., nq). Answers: two arrays (..., nv, nv). Where quaternions are half a turn apart there is none.

>>> import torsor as ts
>>> by_start, by_end = ts.difference_tangents(ts.load("two_link"), [0.0, 1.0], [1.0, 0.0])
>>> by_start + 0.0
array([[-1.,  0.],
       [ 0., -1.]])
)");
}

}  // namespace torsor::python
