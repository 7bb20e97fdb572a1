// The terms of the equations of motion in Python, apart: coefficients, Christoffel coefficients, Coriolis matrix, energies.
#include <nanobind/stl/string.h>

#include <algorithm>
#include <cmath>

#include "python/bindings/formulations.hpp"
#include "python/bindings/loads.hpp"
#include "python/bindings/rooms.hpp"
#include "python/bindings/signature.hpp"

namespace torsor::python {
namespace {

using namespace nb::literals;

nb::object coefficients(const Robot& robot, nb::handle q, nb::handle qd, const std::string& formulation, nb::handle out,
                        int threads) {
  RowCall call("coefficients", threads);
  const int nv = robot.model().nv;
  call.take("q", q, robot.model().nq).take("qd", qd, nv).settle();
  call.expect_states_of(&robot.model());
  call.give_all(out, {{nv, nv}, {nv}, {nv}});
  const auto& row = formulation_of(call.function(), coefficients_formulations<double>(), nb::cast(formulation), robot);
  run_formulation(call, robot, row, [&](auto& prepared, std::int64_t k) {
    prepared.run(prepared.forms, call.row(1, k), call.answer(0, k), call.answer(1, k), call.answer(2, k));
  });
  return call.result();
}

}  // namespace

nb::object christoffel_of(const RowSubject& subject, nb::handle q, const std::string& formulation, nb::handle out,
                          int threads) {
  const Robot& robot = subject.robot;
  RowCall call("christoffel", threads);
  const int nv = robot.model().nv;
  call.take("q", q, robot.model().nq);
  take_robots(call, subject);
  call.settle();
  call.expect_states_of(&robot.model());
  call.give(out, {nv, nv, nv});
  const auto& row = formulation_of(call.function(), christoffel_formulations<double>(), nb::cast(formulation), robot);
  // the numbers of the default formulation, in lanes
  if (formulation == "composite-body" && in_lanes(call, subject)) {
    share_rows(call, subject, [&](RowDynamics& rows, std::int64_t first, std::int64_t count) {
      return rows.christoffel(count, call.given(0, first), call.asked(0, first));
    });
    return call.result();
  }
  run_formulation(call, robot, row,
                  [&](auto& prepared, std::int64_t k) { prepared.run(prepared.forms, call.answer(0, k)); });
  return call.result();
}

namespace {

nb::object coriolis(const Robot& robot, nb::handle q, nb::handle qd, nb::handle out, int threads) {
  RowCall call("coriolis_matrix", threads);
  const int nv = robot.nv();
  call.take("q", q, robot.nq()).take("qd", qd, nv).settle();
  call.expect_states_of(robot);
  call.give(out, {nv, nv});
  robot.refuse_massless();
  call.share([&](std::int64_t first, std::int64_t count) {
    const auto dynamics = robot.dynamics();
    if (call.single())
      dynamics->coriolis_matrix(call.row(0, 0), call.row(1, 0), call.answer(0, 0));
    else
      dynamics->coriolis_matrix(count, call.given(0, first), call.given(1, first), call.asked(0, first));
  });
  return call.result();
}

}  // namespace

nb::object energy_of(const RowSubject& subject, nb::handle q, nb::handle qd, nb::handle out, int threads) {
  const Robot& robot = subject.robot;
  RowCall call("energy", threads);
  call.take("q", q, robot.nq()).take("qd", qd, robot.nv());
  take_robots(call, subject);
  call.settle();
  call.expect_states_of(robot);
  call.give_all(out, {{}, {}});
  if (!subject.robots) robot.refuse_massless();
  if (in_lanes(call, subject)) {
    share_rows(call, subject, [&](RowDynamics& rows, std::int64_t first, std::int64_t count) {
      return rows.momentum(count, call.given(0, first), call.given(1, first),
                           {.kinetic = call.asked(0, first), .potential = call.asked(1, first)});
    });
    return call.result();
  }
  call.share([&](std::int64_t first, std::int64_t count) {
    const auto dynamics = robot.dynamics();
    for (std::int64_t k = first; k < first + count; ++k) {
      Energy<double> e;
      dynamics->energy(call.row(0, k), call.row(1, k), e);
      call.answer(0, k)[0] = e.kinetic;
      call.answer(1, k)[0] = e.potential;
    }
  });
  return call.result();
}

nb::object momentum_of(const RowSubject& subject, nb::handle q, nb::handle qd, int threads) {
  const Robot& robot = subject.robot;
  RowCall call("momentum", threads);
  const int nv = robot.model().nv;
  call.take("q", q, robot.model().nq).take("qd", qd, nv, Need::optional);
  take_robots(call, subject);
  call.settle();
  call.expect_states_of(&robot.model());
  call.give_all(nb::none(), {{3}, {6}, {6, nv}, {3, nv}});
  if (!subject.robots) robot.refuse_massless();
  double all = 0;
  for (const Body<double>& b : robot.model().bodies) all += b.inertia.m;
  share_rows(call, subject, [&](RowDynamics& rows, std::int64_t first, std::int64_t count) {
    const Status status = rows.momentum(count, call.given(0, first), call.given(1, first),
                                        {.mass_centre = call.asked(0, first),
                                         .about_centre = call.asked(1, first),
                                         .matrix = call.asked(2, first)});
    for (std::int64_t k = first; k < first + count; ++k) {
      const double mass = subject.robots ? subject.robots->mass(k % subject.robots->count()) : all;
      std::ranges::transform(call.answer(2, k).last(static_cast<std::size_t>(3 * nv)), call.answer(3, k).begin(),
                             [mass](double x) { return x / mass; });
    }
    return status;
  });
  static const nb::handle type = nb::object(nb::module_::import_("torsor._answers").attr("Momentum")).release();
  return call.result(type);
}

namespace {

/// All terms of many states; loads and parts as in terms().
void terms_in_lanes(RowCall& call, const RowSubject& subject, const LoadRows& loads) {
  share_loaded_rows(call, subject, loads,
                    [&](RowDynamics& rows, const LoadsOfRows& acting, std::int64_t first, std::int64_t count) {
    const auto part = [&](int k) { return call.asked(k, first); };
    return rows.terms(count, call.given(0, first), call.given(1, first), call.given(2, first),
                      {.M = part(0),
                       .C = part(1),
                       .gravity = part(2),
                       .friction = part(3),
                       .load = part(4),
                       .bias = part(5),
                       .tau = part(6),
                       .reactions = part(11),
                       .kinetic = part(7),
                       .potential = part(8),
                       .mass_centre = part(9),
                       .momentum = part(10)},
                      acting);
  });
  // a robot without mass has no mass centre, but the rest
  for (std::int64_t k = 0; k < call.states(); ++k)
    if (!std::isfinite(call.answer(7, k)[0] + call.answer(8, k)[0]) ||
        !std::ranges::all_of(call.answer(6, k), [](double x) { return std::isfinite(x); }))
      call.leave_out(k);
}

}  // namespace

nb::object terms_of(const RowSubject& subject, nb::handle q, nb::handle qd, nb::handle qdd, int threads,
                    nb::handle given) {
  const Robot& robot = subject.robot;
  RowCall call("terms", threads);
  const int nv = robot.nv(), links = robot.tree().size();
  call.take("q", q, robot.nq()).take("qd", qd, nv).take("qdd", qdd, nv);
  const LoadRows loads(call, subject, given);
  take_robots(call, subject);
  call.settle();
  call.expect_states_of(robot, Telling::always, Answers::any);
  call.give_all(nb::none(), {{nv, nv}, {nv, nv}, {nv}, {nv}, {nv}, {nv}, {nv}, {}, {}, {3}, {6}, {links, 6}});
  // found once, and kept for as long as Python runs
  static const nb::handle type = nb::object(nb::module_::import_("torsor._answers").attr("Terms")).release();
  if (in_lanes(call, subject)) {
    terms_in_lanes(call, subject, loads);
    return call.result(type);
  }
  share_loaded(call, robot, loads, [&](Dynamics& dynamics, std::int64_t k) {
    thread_local std::vector<Force<double>> reactions;
    reactions.resize(static_cast<std::size_t>(links));
    const auto part = [&](int place) { return call.answer(place, k); };
    Energy<double> e;
    dynamics.terms(call.row(0, k), call.row(1, k), call.row(2, k),
                   {part(0), part(1), part(2), part(3), part(4), part(5), part(6), reactions, e});
    // a robot without mass has no mass centre, but the rest
    if (!std::isfinite(e.kinetic + e.potential) ||
        !std::ranges::all_of(part(6), [](double x) { return std::isfinite(x); })) {
      call.leave_out(k);
      return;
    }
    part(7)[0] = e.kinetic;
    part(8)[0] = e.potential;
    const Vec3<double> centre = e.first_moment * (1 / e.mass), n = e.momentum.n, f = e.momentum.f;
    std::ranges::copy(std::array{centre.x, centre.y, centre.z}, part(9).begin());
    std::ranges::copy(std::array{n.x, n.y, n.z, f.x, f.y, f.z}, part(10).begin());
    auto reaction = part(11).begin();
    for (const Force<double>& r : reactions)
      reaction = std::ranges::copy(std::array{r.n.x, r.n.y, r.n.z, r.f.x, r.f.y, r.f.z}, reaction).out;
  });
  return call.result(type);
}

nb::object reactions_of(const RowSubject& subject, nb::handle q, nb::handle qd, nb::handle qdd, int threads,
                        nb::handle given) {
  const Robot& robot = subject.robot;
  RowCall call("reactions", threads);
  const int nv = robot.nv(), links = robot.tree().size(), loops = static_cast<int>(robot.description().loops.size());
  call.take("q", q, robot.nq()).take("qd", qd, nv).take("qdd", qdd, nv);
  const LoadRows loads(call, subject, given);
  take_robots(call, subject);
  call.settle();
  call.expect_states_of(robot);
  call.give_all(nb::none(), {{links, 6}, {loops, 6}, {links + loops}});
  if (!subject.robots) robot.refuse_massless();
  static const nb::handle type = nb::object(nb::module_::import_("torsor._answers").attr("Reactions")).release();
  if (in_lanes(call, subject)) {
    share_loaded_rows(call, subject, loads,
                      [&](RowDynamics& rows, const LoadsOfRows& acting, std::int64_t first, std::int64_t count) {
      for (std::int64_t k = first; k < first + count; ++k) std::ranges::fill(call.answer(2, k), 1.0);
      return rows.reactions(count, call.given(0, first), call.given(1, first), call.given(2, first), {},
                            call.asked(0, first), acting);
    });
    return call.result(type);
  }
  share_loaded(call, robot, loads, [&](Dynamics& dynamics, std::int64_t k) {
    thread_local std::vector<Force<double>> of_links, of_loops;
    thread_local std::vector<unsigned char> unique;
    thread_local std::vector<double> tau;
    of_links.resize(static_cast<std::size_t>(links)), of_loops.resize(static_cast<std::size_t>(loops));
    unique.resize(of_links.size() + of_loops.size()), tau.resize(static_cast<std::size_t>(nv));
    if (!dynamics.reactions(call.row(0, k), call.row(1, k), call.row(2, k), tau, of_links, {of_loops, unique})) {
      call.leave_out(k);
      return;
    }
    for (int part = 0; part < 2; ++part) {
      auto to = call.answer(part, k).begin();
      for (const Force<double>& r : part == 0 ? of_links : of_loops)
        to = std::ranges::copy(std::array{r.n.x, r.n.y, r.n.z, r.f.x, r.f.y, r.f.z}, to).out;
    }
    std::ranges::copy(unique, call.answer(2, k).begin());
  });
  return call.result(type);
}

void bind_dynamics_terms(nb::module_& m) {
  m.def("coefficients", coefficients, "robot"_a, "q"_a.none(), "qd"_a.none(), "formulation"_a = "tree",
        "out"_a = nb::none(), "threads"_a = 0,
        nb::sig("def coefficients(robot: Robot, q: " TORSOR_STATE ", qd: " TORSOR_STATE
                ", formulation: str = \"tree\", " TORSOR_OUTS(TORSOR_TUPLE3)),
        R"(D, h and c of tau = D(q) qdd + h(q, qd) + c(q): inertias, velocity torques, gravity; friction is apart.

q: (..., nq), qd: (..., nv). Answers: (..., nv, nv), (..., nv), (..., nv). formulation: a name of
formulations("coefficients").

>>> import torsor as ts
>>> D, h, c = ts.coefficients(ts.load("two_link"), [0.0, 1.5], [1.0, 0.0])
>>> h.round(4)
array([0.    , 0.8288])
)");
  m.def(
      "christoffel", Asked<christoffel_of>::of_robot, "robot"_a, "q"_a.none(), "formulation"_a = "composite-body",
      "out"_a = nb::none(),
      "threads"_a = 0,
      nb::sig("def christoffel(robot: Robot, q: " TORSOR_STATE ", formulation: str = \"composite-body\", " TORSOR_OUT),
      R"(Christoffel coefficients h_ikm: the velocity torque of joint i is the sum over k, m of h_ikm qd_k qd_m.

q: (..., nq). Answer: (..., nv, nv, nv), symmetric in the last two. formulation: a name of formulations("christoffel").

>>> import torsor as ts
>>> h = ts.christoffel(ts.load("two_link"), [0.0, 1.5])
>>> h[1].round(4)
array([[0.8288, 0.    ],
       [0.    , 0.    ]])
)");
  m.def("coriolis_matrix", coriolis, "robot"_a, "q"_a.none(), "qd"_a.none(), "out"_a = nb::none(), "threads"_a = 0,
        nb::sig("def coriolis_matrix(robot: Robot, q: " TORSOR_STATE ", qd: " TORSOR_STATE ", " TORSOR_OUT),
        R"(The Coriolis matrix C(q, qd): C qd are the velocity torques, and dM/dt - 2 C is skew.

q: (..., nq), qd: (..., nv). Answer: (..., nv, nv).

>>> import torsor as ts
>>> (ts.coriolis_matrix(ts.load("two_link"), [0.0, 1.5], [1.0, 0.0]) @ [1.0, 0.0]).round(4)
array([0.    , 0.8288])
)");
  m.def("energy", Asked<energy_of>::of_robot, "robot"_a, "q"_a.none(), "qd"_a.none(), "out"_a = nb::none(),
        "threads"_a = 0,
        nb::sig("def energy(robot: Robot, q: " TORSOR_STATE ", qd: " TORSOR_STATE ", " TORSOR_OUTS(TORSOR_TUPLE2)),
        R"(Kinetic and potential energy (J); the potential one is zero at the world's origin.

q: (..., nq), qd: (..., nv). Answers: two arrays (...), for one state two numbers.

>>> import torsor as ts
>>> kinetic, potential = ts.energy(ts.load("two_link"), [0.0, 0.0], [1.0, 0.0])
>>> round(float(kinetic), 3)
2.384
)");
  m.def("momentum", Asked<momentum_of>::of_robot, "robot"_a, "q"_a.none(), "qd"_a = nb::none(), "threads"_a = 0,
        nb::sig("def momentum(robot: Robot, q: " TORSOR_STATE ", qd: " TORSOR_OPTIONAL_STATE
                ", threads: int = 0) -> torsor._answers.Momentum"),
        R"(Mass centre and momentum, with the matrices that give them from the rates.

q: (..., nq), qd: (..., nv), None for zeros. Answer: a named tuple of arrays mass_centre, momentum, matrix,
mass_centre_jacobian; see Momentum. The base is at rest, and rotors have no momentum.

>>> import numpy as np, torsor as ts
>>> qd = np.array([1.0, -2.0])
>>> m = ts.momentum(ts.load("two_link"), [0.0, 1.5], qd)
>>> bool(abs(m.matrix @ qd - m.momentum).max() < 1e-12)
True
)");
  m.def(
      "terms", Asked<terms_of>::of_robot, "robot"_a, "q"_a.none(), "qd"_a.none(), "qdd"_a.none(), "threads"_a = 0,
      "loads"_a = nb::none(),
      nb::sig("def terms(robot: Robot, q: " TORSOR_STATE ", qd: " TORSOR_STATE ", qdd: " TORSOR_STATE
              ", threads: int = 0, " TORSOR_LOADS ") -> torsor._answers.Terms"),
      R"(Every term of M qdd + C qd + gravity + friction + load = tau at a state, with energies, momentum and reactions.

q: (..., nq), qd, qdd: (..., nv). Answer: a named tuple of arrays M, C, gravity, friction, load, bias, tau, kinetic,
potential, mass_centre, momentum, reactions; see Terms. load is what loads (:class:`Loads`) ask for, zero without.

>>> import torsor as ts
>>> t = ts.terms(ts.load("two_link"), [0.0, 1.5], [1.0, 0.0], [0.0, 0.0])
>>> bool(abs(t.C @ [1.0, 0.0] + t.gravity - t.tau).max() < 1e-12)
True
)");
  m.def(
      "reactions", Asked<reactions_of>::of_robot, "robot"_a, "q"_a.none(), "qd"_a.none(), "qdd"_a.none(),
      "threads"_a = 0,
      "loads"_a = nb::none(),
      nb::sig("def reactions(robot: Robot, q: " TORSOR_STATE ", qd: " TORSOR_STATE ", qdd: " TORSOR_STATE
              ", threads: int = 0, " TORSOR_LOADS ") -> torsor._answers.Reactions"),
      R"(What joints carry: moment and force of the parent on each link, and of the joints that close loops.

Six numbers of each: the moment about the origin of the joint frame (N m), then the force (N), in the axes of that frame,
whose z is the axis of the joint.

q: (..., nq), qd, qdd: (..., nv). Answer: a named tuple of arrays joints, loops, unique; see Reactions. Where equations of
loops are redundant, as in a planar loop of hinges that are all parallel, some reactions are not unique: the least are given, and
unique is 0 for them.

>>> import torsor as ts
>>> r = ts.reactions(ts.load("five_bar"), [1.6, 1.2], [0.0, 0.0], [0.0, 0.0])
>>> r.joints.shape, r.loops.shape
((4, 6), (1, 6))
)");
}

}  // namespace torsor::python
