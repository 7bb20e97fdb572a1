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

/// Robots that have all but some numbers in common, and the workspaces of their rows. What Python's RobotRows stands on.
class RobotNumbersOfRows {
 public:
  /// masses (count, links), centres (count, links, 3) and tensors about them (count, links, 3, 3) in link frames; rotors
  /// (count, nv) or none, friction (count, 3 nv) or none. All as numpy arrays of doubles in C order.
  RobotNumbersOfRows(nb::object robot, std::int64_t count, nb::handle masses, nb::handle centres, nb::handle tensors,
                     nb::handle rotors, nb::handle friction)
      : held_(std::move(robot)), robot_(nb::cast<const Robot&>(held_)), count_(count) {
    const Model<double>& model = robot_.model();
    const auto numbers_of = [&](const char* name, nb::handle value, std::size_t each) {
      if (value.is_none()) return std::vector<double>();
      std::vector<double> out = vector_of("RobotRows", name, nb::object(value.attr("reshape")(-1)), -1);
      if (out.size() != static_cast<std::size_t>(count) * each) throw std::logic_error("numbers of robots do not fit");
      return out;
    };
    const std::size_t links = model.bodies.size(), nv = static_cast<std::size_t>(model.nv);
    const std::vector<double> m = numbers_of("masses", masses, links),
                              c = numbers_of("mass_centres", centres, 3 * links),
                              I = numbers_of("inertias", tensors, 9 * links);
    rotors_ = numbers_of("rotors", rotors, nv);
    if (!rotors_.empty() && !model.rotor_coupling.empty())
      refuse("RobotRows", "rotors are given, and motors of " + model.name +
                              " move several joints at once, so that there is no rotor of one joint; expected them in the robot's file");
    friction_ = numbers_of("friction", friction, 3 * nv);
    for (std::size_t k = 0; k < m.size(); ++k) {
      const Vec3<double> at{c[3 * k], c[3 * k + 1], c[3 * k + 2]};
      const double* const t = I.data() + 9 * k;
      const Inertia<double> in_link = inertia_about_centre<double>(m[k], at, {t[0], t[4], t[8], t[1], t[2], t[5]});
      inertias_.push_back(model.bodies[k % links].link * in_link);
    }
    // refused here, not when it is first asked
    lease(1);
  }

  const Robot& robot() const { return robot_; }
  std::int64_t count() const { return count_; }

  Pool<RowDynamics>::Lease lease(int threads) const {
    return pools_.of<RowDynamics>(reinterpret_cast<const void*>(static_cast<std::uintptr_t>(threads))).lease([&] {
      auto rows = std::make_unique<RowDynamics>(robot_, RowOptions{.threads = threads});
      const Status status = rows->set_robots({count_, inertias_, rotors_, friction_});
      if (status.kind == Status::not_prepared)
        refuse("RobotRows", "friction of \"" +
                                robot_.model().velocity_names[static_cast<std::size_t>(status.coordinate)] +
                                "\" is not zero; expected friction of joints of one degree of freedom alone");
      expect(status);
      return rows;
    });
  }

 private:
  nb::object held_;
  const Robot& robot_;
  std::int64_t count_;
  std::vector<Inertia<double>> inertias_;
  std::vector<double> rotors_, friction_;
  mutable Pools pools_;
};

/// Rows of the robot itself, on so many threads.
auto leased_rows(const Robot& robot, int threads) {
  return robot.work<RowDynamics>(
      reinterpret_cast<const void*>(static_cast<std::uintptr_t>(threads)),
      [&robot, threads] { return std::make_unique<RowDynamics>(robot, RowOptions{.threads = threads}); });
}

/// An argument of a call that has no numbers, but as many states as there are robots.
void take_robots(RowCall& call, const RobotNumbersOfRows& robots) {
  call.take("robots", nb::module_::import_("numpy").attr("zeros")(nb::make_tuple(robots.count(), 1)), 1);
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

/// Why a state has no answer: accelerations that are not determined at its start, or numbers that got too large.
Fault motion_fault(const RowCall& call, const Robot& robot, const RobotNumbersOfRows* robots, std::int64_t state) {
  const Model<double> model = robots ? robots->lease(1)->robot(state % robots->count()) : robot.model();
  if (joint_without_direction(call, model, state) < 0) {
    std::vector<double> tau = call.numbers_of(2, state), qdd(static_cast<std::size_t>(model.nv));
    tau.resize(qdd.size());  // the first of them
    TreeDynamics<double> tree(model);
    if (const int coordinate = tree.forward(call.numbers_of(0, state), call.numbers_of(1, state), tau, qdd);
        coordinate >= 0)
      return massless_fault(call, model, state, coordinate);
  }
  return meaningless_fault(call, &model, state);
}

nb::object rolled_out(const char* function, const Robot& robot, const RobotNumbersOfRows* robots, nb::handle q,
                      nb::handle qd, nb::handle tau, double h, const std::string& method_name, int hold, nb::handle out,
                      int threads, nb::handle given, bool return_valid) {
  RowCall call(function, threads);
  const int nq = robot.model().nq, nv = robot.model().nv;
  const StepMethod method = method_of(function, method_name);
  positive(function, "h", h);
  if (hold < 1) refuse(function, "hold is " + std::to_string(hold) + "; expected 1 or more steps");
  const int periods = periods_of(function, tau, nv);
  call.take("q", q, nq).take("qd", qd, nv).take("tau", tau, {periods, nv});
  const LoadRows loads(call, robot, given);
  if (robots) take_robots(call, *robots);
  call.settle();
  call.expect_states_of(&robot.model(), telling(return_valid));
  call.give_all(out, {{periods, nq}, {periods, nv}});
  robot.refuse_massless();
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
  if (robots)
    run(*robots->lease(share));
  else
    run(*leased_rows(robot, share));
  call.tell(return_valid, [&](std::int64_t k) { return motion_fault(call, robot, robots, k); });
  const nb::object answer = nb::module_::import_("torsor._answers").attr("Rollout").attr("_make")(call.result());
  return call.with_valid(answer, return_valid);
}

nb::object rollout(const Robot& robot, nb::handle q, nb::handle qd, nb::handle tau, double h, const std::string& method,
                   int hold, nb::handle out, int threads, nb::handle loads, bool return_valid) {
  return rolled_out("rollout", robot, nullptr, q, qd, tau, h, method, hold, out, threads, loads, return_valid);
}

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

// of robots that differ

template <class Ask>
void varied(RowCall& call, const RobotNumbersOfRows& robots, const LoadRows* loads, const Ask& ask) {
  const auto rows = robots.lease(call.threads_for(call.states()));
  call.at_once([&](std::int64_t, std::int64_t states) {
    std::vector<double> room;
    expect(ask(*rows, states, loads ? loads->rows(0, states, room) : LoadsOfRows{}));
  });
}

nb::object varied_inverse(const RobotNumbersOfRows& robots, nb::handle q, nb::handle qd, nb::handle qdd, nb::handle out,
                          int threads, nb::handle given) {
  RowCall call("inverse_dynamics", threads);
  const Model<double>& model = robots.robot().model();
  call.take("q", q, model.nq).take("qd", qd, model.nv, Need::optional).take("qdd", qdd, model.nv, Need::optional);
  const LoadRows loads(call, robots.robot(), given);
  take_robots(call, robots);
  call.settle();
  call.expect_states_of(&model);
  call.give(out, {model.nv});
  varied(call, robots, &loads, [&](RowDynamics& rows, std::int64_t states, const LoadsOfRows& acting) {
    return rows.inverse(states, call.in<double>(0), call.in<double>(1), call.in<double>(2), call.out<double>(0),
                        acting);
  });
  return call.result();
}

nb::object varied_mass(const RobotNumbersOfRows& robots, nb::handle q, nb::handle out, int threads) {
  RowCall call("mass_matrix", threads);
  const Model<double>& model = robots.robot().model();
  call.take("q", q, model.nq);
  take_robots(call, robots);
  call.settle();
  call.expect_states_of(&model);
  call.give(out, {model.nv, model.nv});
  varied(call, robots, nullptr, [&](RowDynamics& rows, std::int64_t states, const LoadsOfRows&) {
    return rows.mass(states, call.in<double>(0), call.out<double>(0));
  });
  return call.result();
}

nb::object varied_forward(const RobotNumbersOfRows& robots, nb::handle q, nb::handle qd, nb::handle tau, nb::handle out,
                          int threads, nb::handle given, bool return_valid) {
  RowCall call("forward_dynamics", threads);
  const Model<double>& model = robots.robot().model();
  call.take("q", q, model.nq).take("qd", qd, model.nv).take("tau", tau, model.nv);
  const LoadRows loads(call, robots.robot(), given);
  take_robots(call, robots);
  call.settle();
  call.expect_states_of(&model, telling(return_valid));
  call.give(out, {model.nv});
  varied(call, robots, &loads, [&](RowDynamics& rows, std::int64_t states, const LoadsOfRows& acting) {
    return rows.forward(states, call.in<double>(0), call.in<double>(1), call.in<double>(2), call.out<double>(0),
                        acting);
  });
  call.tell(return_valid, [&](std::int64_t k) { return motion_fault(call, robots.robot(), &robots, k); });
  return call.with_valid(call.result(), return_valid);
}

nb::object varied_rollout(const RobotNumbersOfRows& robots, nb::handle q, nb::handle qd, nb::handle tau, double h,
                          const std::string& method, int hold, nb::handle out, int threads, nb::handle loads,
                          bool return_valid) {
  return rolled_out("rollout", robots.robot(), &robots, q, qd, tau, h, method, hold, out, threads, loads, return_valid);
}

}  // namespace

void bind_rollout(nb::module_& m) {
  m.def("rollout", rollout, "robot"_a, "q"_a.none(), "qd"_a.none(), "tau"_a.none(), "h"_a, "method"_a = "runge-kutta-4",
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
  nb::class_<RobotNumbersOfRows>(m, "_RobotRows")
      .def(nb::init<nb::object, std::int64_t, nb::handle, nb::handle, nb::handle, nb::handle, nb::handle>(), "robot"_a,
           "count"_a, "masses"_a, "centres"_a, "tensors"_a, "rotors"_a.none(), "friction"_a.none())
      .def("inverse_dynamics", varied_inverse, "q"_a.none(), "qd"_a.none(), "qdd"_a.none(), "out"_a.none(), "threads"_a,
           "loads"_a.none())
      .def("mass_matrix", varied_mass, "q"_a.none(), "out"_a.none(), "threads"_a)
      .def("forward_dynamics", varied_forward, "q"_a.none(), "qd"_a.none(), "tau"_a.none(), "out"_a.none(), "threads"_a,
           "loads"_a.none(), "return_valid"_a)
      .def("rollout", varied_rollout, "q"_a.none(), "qd"_a.none(), "tau"_a.none(), "h"_a, "method"_a, "hold"_a,
           "out"_a.none(), "threads"_a, "loads"_a.none(), "return_valid"_a);
}

}  // namespace torsor::python
