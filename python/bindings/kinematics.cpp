// Kinematics in Python: poses, motions, Jacobians, their rates; how far a robot gets.
#include <nanobind/stl/optional.h>

#include <algorithm>
#include <cmath>
#include <optional>
#include <vector>

#include "python/bindings/errors.hpp"
#include "python/bindings/loads.hpp"
#include "python/bindings/robot.hpp"
#include "python/bindings/rooms.hpp"
#include "python/bindings/row_call.hpp"
#include "python/bindings/signature.hpp"
#include "torsor/kinematics/frame_motion.hpp"
#include "torsor/kinematics/jacobian.hpp"
#include "torsor/kinematics/reach.hpp"
#include "torsor/loops/random_closed_position.hpp"

namespace torsor::python {
namespace {

using namespace nb::literals;

/// What one thread needs to look at poses.
struct PosesWork {
  explicit PosesWork(const Model<double>& m) : model(m), configuration(m), X(m.bodies.size()), v(m.bodies.size()) {}

  void set(std::span<const double> q) {
    configuration.set(model, q);
    torsor::forward_kinematics<double>(model, configuration, X);
  }

  const Model<double>& model;
  Configuration<double> configuration;
  std::vector<Transform<double>> X;
  std::vector<Motion<double>> v;
};

/// Calls body(work, state) for every state of the call.
template <class Body>
void each_state(const RowCall& call, const Robot& robot, const Body& body) {
  call.share([&](std::int64_t first, std::int64_t count) {
    const auto work = robot.work<PosesWork>();
    for (std::int64_t k = first; k < first + count; ++k) {
      work->set(call.row(0, k));
      body(*work, k);
    }
  });
}

/// Poses of a frame and its Jacobian in lanes; write(state, pose, jacobian) sees each.
template <class Real, class Write>
void frame_in_lanes(const RowCall& call, const Robot& robot, const Frame<double>& at, const Write& write) {
  constexpr std::int64_t piece = 256;
  const std::ptrdiff_t cells_of_J = 6 * robot.nv();
  const auto run = [&](Dynamics& dynamics, std::int64_t first, std::int64_t count) {
    const std::size_t rows = static_cast<std::size_t>(std::min(piece, count));
    std::vector<Real> pose(12 * rows), J(static_cast<std::size_t>(cells_of_J) * rows);
    for (std::int64_t k = first; k < first + count; k += piece) {
      const std::int64_t now = std::min(piece, first + count - k);
      dynamics.tool(now, {call.in<Real>(0).row(k), call.in<Real>(0).stride}, {pose.data(), 12}, {J.data(), cells_of_J});
      for (std::int64_t s = 0; s < now; ++s) write(k + s, pose.data() + 12 * s, J.data() + cells_of_J * s);
    }
  };
  // frames are told apart by where they stand in the model: a tool, else the link of a body
  const auto& tools = robot.tree().frames;
  const auto tool = std::ranges::find(tools, at.name, &Frame<double>::name);
  const bool is_default = tool != tools.end() && tool + 1 == tools.end();
  const void* const key =
      tool != tools.end() ? static_cast<const void*>(&*tool) : &robot.tree().bodies[static_cast<std::size_t>(at.body)];
  call.share([&](std::int64_t first, std::int64_t count) {
    if (is_default) return run(*robot.kinematics(), first, count);
    run(*robot.kinematics(key, at), first, count);
  });
}

/// From rows of R and p to a matrix of 4 x 4.
template <class Real>
void write_pose_row_as_matrix(const Real* pose, Real* out) {
  for (int i = 0; i < 3; ++i) {
    std::copy_n(pose + 3 * i, 3, out + 4 * i);
    out[4 * i + 3] = pose[9 + i];
  }
  std::fill_n(out + 12, 3, Real(0));
  out[15] = Real(1);
}

template <class Real>
void frame_pose_in_lanes(const RowCall& call, const Robot& robot, const Frame<double>& at) {
  frame_in_lanes<Real>(call, robot, at, [&](std::int64_t k, const Real* pose, const Real*) {
    write_pose_row_as_matrix(pose, call.out<Real>(0).row(k));
  });
}

template <class Real>
void jacobian_in_lanes(const RowCall& call, const Robot& robot, const Frame<double>& at) {
  frame_in_lanes<Real>(call, robot, at, [&](std::int64_t k, const Real*, const Real* J) {
    std::copy_n(J, 6 * robot.nv(), call.out<Real>(0).row(k));
  });
}

/// Where a frame is on its body, of robots that have it elsewhere each.
StateRows<const double> frames_of(const RowSubject& subject, const char* function, nb::handle frame) {
  return subject.robots ? subject.robots->frames(function, frame) : StateRows<const double>{};
}

nb::object forward_kinematics(const Robot& robot, nb::handle q, nb::handle out, int threads) {
  RowCall call("forward_kinematics", threads);
  call.take("q", q, robot.nq()).settle();
  call.expect_states_of(robot);
  call.give(out, {robot.tree().size(), 4, 4});
  call.share([&](std::int64_t first, std::int64_t count) {
    const auto dynamics = robot.kinematics();
    if (call.single())
      dynamics->link_poses(call.row(0, 0), call.answer(0, 0));
    else
      dynamics->link_poses(count, call.given(0, first), call.asked(0, first));
  });
  return call.result();
}

nb::object frame_pose(const Robot& robot, nb::handle q, nb::handle frame, nb::handle out, int threads) {
  RowCall call("frame_pose", threads);
  const Frame<double> at = robot.frame(call.function(), frame);
  call.take("q", q, robot.nq()).settle(Scalars::either);
  call.expect_states_of(robot);
  call.give(out, {4, 4});
  if (call.floats())
    frame_pose_in_lanes<float>(call, robot, at);
  else if (!call.single())
    frame_pose_in_lanes<double>(call, robot, at);
  else if (robot.loops())
    call.share([&](std::int64_t, std::int64_t) {
      Transform<double> X;
      robot.kinematics()->frame(call.row(0, 0), at, X);
      write_pose(X, call.answer(0, 0).data());
    });
  else
    each_state(call, robot, [&](const PosesWork& work, std::int64_t k) {
      write_pose(work.X[at.body] * at.X_body_frame, call.answer(0, k).data());
    });
  return call.result();
}

}  // namespace

nb::object jacobian_of(const RowSubject& subject, nb::handle q, nb::handle frame, nb::handle out, int threads) {
  const Robot& robot = subject.robot;
  RowCall call("jacobian", threads);
  call.take("q", q, robot.nq());
  take_robots(call, subject);
  call.settle(Scalars::either);
  call.expect_states_of(robot);
  call.give(out, {6, robot.nv()});
  if (frame.is_none() && call.single() && !call.floats() && !robot.tree().frames.empty()) {
    Transform<double> X;
    call.share([&](std::int64_t, std::int64_t) { robot.kinematics()->tool(call.row(0, 0), X, call.answer(0, 0)); });
    return call.result();
  }
  const Frame<double> at = robot.frame(call.function(), frame);
  if (subject.robots) {
    const StateRows<const double> own = frames_of(subject, call.function(), frame);
    share_rows(call, subject, [&](RowDynamics& rows, std::int64_t first, std::int64_t count) {
      return rows.frame_motion(count, call.given(0, first), {}, {}, at, {.jacobian = call.asked(0, first)}, own);
    });
    return call.result();
  }
  if (call.floats())
    jacobian_in_lanes<float>(call, robot, at);
  else if (!call.single())
    jacobian_in_lanes<double>(call, robot, at);
  else if (robot.loops())
    call.share([&](std::int64_t, std::int64_t) {
      Transform<double> X;
      robot.kinematics()->frame(call.row(0, 0), at, X, call.answer(0, 0));
    });
  else
    each_state(call, robot, [&](const PosesWork& work, std::int64_t k) {
      const Vec3<double> point = (work.X[at.body] * at.X_body_frame).p;
      jacobian<double>(robot.model(), work.X, at.body, point, call.answer(0, k));
    });
  return call.result();
}

namespace {

nb::object joint_positions(const Robot& robot, nb::handle q, nb::handle out, int threads) {
  RowCall call("joint_positions", threads);
  call.take("q", q, robot.nq()).settle();
  call.expect_states_of(robot);
  call.give(out, {robot.tree().nq});
  call.share([&](std::int64_t first, std::int64_t count) {
    const auto dynamics = robot.kinematics();
    for (std::int64_t k = first; k < first + count; ++k) dynamics->positions(call.row(0, k), call.answer(0, k));
  });
  return call.result();
}

}  // namespace

nb::object jacobian_rate_of(const RowSubject& subject, nb::handle q, nb::handle qd, nb::handle frame, nb::handle out,
                            int threads) {
  const Robot& robot = subject.robot;
  RowCall call("jacobian_rate", threads);
  const Frame<double> at = robot.frame(call.function(), frame);
  call.take("q", q, robot.model().nq).take("qd", qd, robot.model().nv);
  take_robots(call, subject);
  call.settle();
  call.expect_states_of(&robot.model());
  call.give(out, {6, robot.model().nv});
  if (in_lanes(call, subject)) {
    const StateRows<const double> own = frames_of(subject, call.function(), frame);
    share_rows(call, subject, [&](RowDynamics& rows, std::int64_t first, std::int64_t count) {
      return rows.frame_motion(count, call.given(0, first), call.given(1, first), {}, at,
                               {.jacobian_rate = call.asked(0, first)}, own);
    });
    return call.result();
  }
  each_state(call, robot, [&](PosesWork& work, std::int64_t k) {
    const Vec3<double> point = (work.X[at.body] * at.X_body_frame).p;
    jacobian_rate<double>(robot.model(), work.X, call.row(1, k), at.body, point, work.v, call.answer(0, k));
  });
  return call.result();
}

nb::object frame_motion_of(const RowSubject& subject, nb::handle q, nb::handle qd, nb::handle qdd, nb::handle frame,
                           nb::handle out, int threads) {
  const Robot& robot = subject.robot;
  RowCall call("frame_motion", threads);
  const Frame<double> at = robot.frame(call.function(), frame);
  const int nv = robot.model().nv;
  call.take("q", q, robot.model().nq).take("qd", qd, nv, Need::optional).take("qdd", qdd, nv, Need::optional);
  take_robots(call, subject);
  call.settle();
  call.expect_states_of(&robot.model());
  call.give_all(out, {{4, 4}, {6}, {6}});
  const auto write = [](const Vec3<double>& angular, const Vec3<double>& linear, std::span<double> to) {
    std::ranges::copy(std::array{angular.x, angular.y, angular.z, linear.x, linear.y, linear.z}, to.begin());
  };
  if (in_lanes(call, subject)) {
    const StateRows<const double> own = frames_of(subject, call.function(), frame);
    share_rows(call, subject, [&](RowDynamics& rows, std::int64_t first, std::int64_t count) {
      const Status status = rows.frame_motion(
          count, call.given(0, first), call.given(1, first), call.given(2, first), at,
          {.pose = call.asked(0, first), .twist = call.asked(1, first), .acceleration = call.asked(2, first)}, own);
      // rows of R and p become matrices where they are
      for (std::int64_t k = first; status && k < first + count; ++k) {
        double pose[12];
        std::copy_n(call.out<double>(0).row(k), 12, pose);
        write_pose_row_as_matrix(pose, call.out<double>(0).row(k));
      }
      return status;
    });
    return call.result();
  }
  call.share([&](std::int64_t first, std::int64_t count) {
    const auto motions = robot.work<FrameMotions>();
    for (std::int64_t k = first; k < first + count; ++k) {
      motions->set(robot.model(), call.row(0, k), call.row(1, k), call.row(2, k));
      const FrameMotion found = motions->of(at);
      write_pose(found.X, call.answer(0, k).data());
      write(found.w, found.v, call.answer(1, k));
      write(found.wd, found.a, call.answer(2, k));
    }
  });
  return call.result();
}

namespace {

nb::object find_reach(const Robot& robot, nb::handle frame, std::uint64_t seed) {
  const Frame<double> at = robot.frame("reach", frame);
  Reach found;
  {
    const nb::gil_scoped_release release;
    found = reach(robot.model(), at, seed);
  }
  return nb::module_::import_("torsor._answers")
      .attr("Reach")(found.bound, found.found, new_array(found.q), found.cut_short);
}

nb::object random_positions(const Robot& robot, std::optional<int> count, std::uint64_t seed) {
  if (count && *count < 0) refuse("random_position", "count is negative; expected how many positions");
  std::mt19937_64 engine(seed);
  const auto dynamics = robot.kinematics();
  const auto draw = [&] { return value_of(random_closed_position(robot, *dynamics, engine)); };
  if (!count) return new_array(draw());
  std::vector<double> all;
  for (int k = 0; k < *count; ++k) {
    const std::vector<double> q = draw();
    all.insert(all.end(), q.begin(), q.end());
  }
  return new_array(all, {static_cast<std::size_t>(*count), static_cast<std::size_t>(robot.nq())});
}

}  // namespace

void bind_kinematics(nb::module_& m) {
  m.def("forward_kinematics", forward_kinematics, "robot"_a, "q"_a.none(), "out"_a = nb::none(), "threads"_a = 0,
        nb::sig("def forward_kinematics(robot: Robot, q: " TORSOR_STATE ", " TORSOR_OUT),
        R"(Poses of all link frames in the world.

q: (..., nq) positions, radians and metres. Answer: (..., links, 4, 4) homogeneous matrices, float32 if q is. out: an
array for the answer; threads: how many share the states, by default all of the machine where there are many.

>>> import torsor as ts
>>> ts.forward_kinematics(ts.load("two_link"), [0.0, 0.0])[1, :3, 3]
array([1.7, 0. , 0. ])
)");
  m.def("frame_pose", frame_pose, "robot"_a, "q"_a.none(), "frame"_a = nb::none(), "out"_a = nb::none(),
        "threads"_a = 0,
        nb::sig("def frame_pose(robot: Robot, q: " TORSOR_STATE ", frame: str | None = None, " TORSOR_OUT),
        R"(Pose of a tool or link frame in the world.

q: (..., nq). frame: its name, by default the tool. Answer: (..., 4, 4), float32 if q is.

>>> import torsor as ts
>>> ts.frame_pose(ts.load("two_link"), [0.0, 0.0])[:3, 3]
array([1.7, 0. , 0. ])
)");
  m.def("jacobian", Asked<jacobian_of>::of_robot, "robot"_a, "q"_a.none(), "frame"_a = nb::none(), "out"_a = nb::none(),
        "threads"_a = 0,
        nb::sig("def jacobian(robot: Robot, q: " TORSOR_STATE ", frame: str | None = None, " TORSOR_OUT),
        R"(Jacobian of a frame's origin: (wx wy wz vx vy vz) = J qd, components in the world.

q: (..., nq). frame: the name of a tool or link, by default the tool. Answer: (..., 6, nv), float32 if q is.

>>> import torsor as ts
>>> ts.jacobian(ts.load("two_link"), [0.0, 0.0])[4]
array([1.7 , 0.85])
)");
  m.def("jacobian_rate", Asked<jacobian_rate_of>::of_robot, "robot"_a, "q"_a.none(), "qd"_a.none(),
        "frame"_a = nb::none(),
        "out"_a = nb::none(), "threads"_a = 0,
        nb::sig("def jacobian_rate(robot: Robot, q: " TORSOR_STATE ", qd: " TORSOR_STATE
                ", frame: str | None = None, " TORSOR_OUT),
        R"(Rate of that Jacobian while the joints move: the frame accelerates with J qdd + Jd qd.

q: (..., nq), qd: (..., nv). Answer: (..., 6, nv).

>>> import torsor as ts
>>> robot = ts.load("two_link")
>>> ts.jacobian_rate(robot, [0.0, 0.0], [1.0, 0.0])[3]
array([-1.7 , -0.85])
)");
  m.def("frame_motion", Asked<frame_motion_of>::of_robot, "robot"_a, "q"_a.none(), "qd"_a = nb::none(),
        "qdd"_a = nb::none(),
        "frame"_a = nb::none(), "out"_a = nb::none(), "threads"_a = 0,
        nb::sig("def frame_motion(robot: Robot, q: " TORSOR_STATE ", qd: " TORSOR_OPTIONAL_STATE
                ", qdd: " TORSOR_OPTIONAL_STATE ", frame: str | None = None, " TORSOR_OUTS(TORSOR_TUPLE3)),
        R"(How a tool or link frame moves: its pose, its twist and its acceleration in the world.

q: (..., nq), qd, qdd: (..., nv), None for zeros. frame: its name, by default the tool. Answers: (..., 4, 4), (..., 6) and
(..., 6), angular before linear; linear is that of the frame's origin. The base is at rest.

>>> import torsor as ts
>>> pose, twist, acceleration = ts.frame_motion(ts.load("two_link"), [0.0, 0.0], [1.0, 0.0])
>>> acceleration[3:]
array([-1.7,  0. ,  0. ])
)");
  m.def("joint_positions", joint_positions, "robot"_a, "q"_a.none(), "out"_a = nb::none(), "threads"_a = 0,
        nb::sig("def joint_positions(robot: Robot, q: " TORSOR_STATE ", " TORSOR_OUT),
        R"(Positions of all joints, as joint_position_names has them: with loops from the independent ones, else q.

q: (..., nq). Answer: (..., joints). A robot with loops stays on the branch in which it was assembled; the first state of a
call is reached from there, others from the one before. A state in which the loops do not close has no answer (rule
loop-open), and none at a dead centre, where some motion is lost (loop-dead-centre).

>>> import torsor as ts
>>> robot = ts.load("palletising_arm")
>>> robot.nq, ts.joint_positions(robot, [0, 0.2, 0, 0.3])[2:4].round(6)
(4, array([ 0.1, -0.3]))
)");
  m.def(
      "reach", find_reach, "robot"_a, "frame"_a = nb::none(), "seed"_a = 1,
      nb::sig("def reach(robot: Robot, frame: str | None = None, seed: int = 1) -> torsor._answers.Reach"),
      R"(How far a frame gets from the origin of the base inside the joint limits (m): a bound, and what a search finds.

>>> import torsor as ts
>>> found = ts.reach(ts.load("two_link"))
>>> round(found.bound, 9), round(found.found, 9)
(1.7, 1.7)
)");
  m.def("random_position", random_positions, "robot"_a, "count"_a = nb::none(), "seed"_a = 1,
        nb::sig("def random_position(robot: Robot, count: int | None = None, seed: int = 1) -> "
                "numpy.typing.NDArray[numpy.float64]"),
        R"(Positions drawn inside the joint limits, the same for the same seed on every machine: (nq,), or (count, nq).

Joints without limits: half a turn or one metre to either side. Quaternions are uniform over all rotations. With loops those
alone that close them.

>>> import torsor as ts
>>> ts.random_position(ts.load("puma560"), 1000).shape
(1000, 6)
)");
}

}  // namespace torsor::python
