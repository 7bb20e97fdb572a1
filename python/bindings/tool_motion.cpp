// Motions of the tool in Python, and the joints along them.
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>

#include <algorithm>

#include "python/bindings/answer.hpp"
#include "python/bindings/branch_parts.hpp"
#include "python/bindings/errors.hpp"
#include "python/bindings/robot.hpp"
#include "python/bindings/rooms.hpp"
#include "python/bindings/row_call.hpp"
#include "python/bindings/signature.hpp"
#include "python/bindings/tool_path.hpp"
#include "torsor/inverse_kinematics.hpp"
#include "torsor/numeric_ik/follow_path.hpp"
#include "torsor/numeric_ik/plan_path.hpp"
#include "torsor/trajectory/pace.hpp"
#include "torsor/trajectory/trajectory.hpp"
#include "torsor/trajectory/path_motion.hpp"
#include "torsor/trajectory/spline_motion.hpp"

namespace torsor::python {
namespace {

using namespace nb::literals;

nb::object sample_tool(const PathMotion& motion, nb::handle t, nb::handle out, int threads) {
  RowCall call("sample", threads);
  call.take("t", t, std::initializer_list<int>{}).settle();
  call.refuse_one_not_finite();
  call.may_leave_out();
  call.give_all(out, {{4, 4}, {6}, {6}});
  const auto write = [](const Motion<double>& m, std::span<double> to) {
    std::ranges::copy(std::array{m.w.x, m.w.y, m.w.z, m.v.x, m.v.y, m.v.z}, to.begin());
  };
  call.share([&](std::int64_t first, std::int64_t count) {
    for (std::int64_t k = first; k < first + count; ++k) {
      if (!call.finite(k)) {
        call.leave_out(k);
        continue;
      }
      const CartesianState state = motion.sample(call.row(0, k)[0]);
      write_pose(state.X, call.answer(0, k).data());
      write(state.twist, call.answer(1, k));
      write(state.acceleration, call.answer(2, k));
    }
  });
  return call.result();
}

PathMotion make_pose_motion(nb::handle poses, double duration, double rounding, const std::string& law) {
  const char* const f = "pose_motion";
  return value_of(pose_motion(poses_of(f, "poses", poses), rounding, value_of(pace(law, duration))));
}

struct Followed {
  FollowedPath path;
  std::string text;
  int nq = 0, nv = 0;

  nb::object column(std::vector<double> PathSample::*which, int width) const {
    std::vector<double> all;
    for (const PathSample& s : path.samples) all.insert(all.end(), (s.*which).begin(), (s.*which).end());
    return new_array(all, {path.samples.size(), static_cast<std::size_t>(width)});
  }
  nb::object numbers(double PathSample::*which) const {
    std::vector<double> all;
    for (const PathSample& s : path.samples) all.push_back(s.*which);
    return new_array(all);
  }
};

}  // namespace

template <>
struct Parts<PathSample> {
  static void each(auto& take, auto& s) {
    take(s.t, s.q, s.qd, s.qdd, s.rates, s.status, s.smallest_singular_value, s.label, s.factor, s.position_residual,
         s.angle_residual, s.velocity_residual, s.acceleration_residual, s.steps);
  }
};
template <>
struct Parts<FollowedPath> {
  static void each(auto& take, auto& p) {
    take(p.samples, p.stop, p.stop_time, p.asked_time, p.joint, p.limit, p.beyond, p.short_by, p.angle,
         p.smallest_singular_value, p.factor, p.closed_form);
  }
};
template <>
struct Parts<Followed> {
  static void each(auto& take, auto& f) { take(f.path, f.text, f.nq, f.nv); }
};

namespace {

Followed follow(const Robot& robot, nb::handle motion, std::optional<double> period, nb::handle start, nb::handle frame,
                bool limits, std::optional<std::string> aim) {
  const char* const f = "follow_path";
  ToolPath asked = tool_path_argument(f, motion, period);
  const Frame<double> at = robot.frame(f, frame);
  IkTask task;
  if (aim && !(task.aim = find_aim(*aim)))
    refuse(f, "aim is \"" + printable(*aim) + "\"; expected near, centre or manipulability");
  const std::vector<double> from =
      start.is_none() ? neutral_position(robot.model()) : vector_of(f, "start", start, robot.model().nq);
  FollowedPath path;
  Visits visits;
  visits.unlocked([&] {
    asked.at = [&visits, at_time = asked.at](double t) {
      visits.keep_on();
      return at_time(t);
    };
    path = InverseKinematics(robot.model(), robot.description(), at, task).follow(asked, from, limits);
  });
  std::string text = explanation(path, robot.model());
  return {std::move(path), std::move(text), robot.model().nq, robot.model().nv};
}

Followed plan(const Robot& robot, nb::handle motion, const std::string& objective, std::optional<double> period,
              nb::handle frame) {
  const char* const f = "plan_path";
  ToolPath asked = tool_path_argument(f, motion, period);
  const Frame<double> at = robot.frame(f, frame);
  std::vector<std::string> names;
  for (const PlanObjective& each : plan_objectives()) names.emplace_back(each.name);
  if (std::ranges::find(names, objective) == names.end())
    refuse(f, "objective is \"" + printable(objective) + "\"; expected shortest, limits or singularity");
  FollowedPath path;
  std::optional<Fault> fault;
  Visits visits;
  visits.unlocked([&] {
    asked.at = [&visits, at_time = asked.at](double t) {
      visits.keep_on();
      return at_time(t);
    };
    const InverseKinematics solver(robot.model(), robot.description(), at);
    if (!solver.gives_all() && !solver.chooses_redundancy()) {
      fault = solver.refusal().front();
      return;
    }
    const PathPlan found = plan_path(solver, asked, objective);
    if (!found.found()) {
      fault = Fault{{}, "path", "path-stop", explanation(found), "another path may do; follow_path goes as far as it can"};
      return;
    }
    const std::vector<double> start = found.begin(asked);
    path = solver.follow(asked, start);
  });
  if (fault) throw_error({*fault});
  std::string text = explanation(path, robot.model());
  return {std::move(path), std::move(text), robot.model().nq, robot.model().nv};
}

nb::object motion_of(nb::handle self) {
  std::vector<MotionRow> rows;
  for (const PathSample& s : nb::cast<const Followed&>(self).path.samples) rows.push_back({s.t, s.q, s.qd, s.qdd});
  return remember(nb::cast(Trajectory(value_of(sampled_motion(rows)))), "FollowedPath.motion", nb::make_tuple(self));
}

#define TORSOR_ARRAY_PROPERTY(name) nb::sig("def " name "(self) -> numpy.typing.NDArray[numpy.float64]")

void bind_tool_motion_classes(nb::module_& m) {
  nb::class_<PathMotion> motion_type(m, "ToolMotion", nb::dynamic_attr(),
                                     "A motion of a frame: at rest before 0 and after its duration.");
  pickled_as_made(motion_type)
      .def_prop_ro("duration", &PathMotion::duration, "s")
      .def_prop_ro("length", &PathMotion::length, "m")
      .def(
          "sample", sample_tool, "t"_a.none(), "out"_a = nb::none(), "threads"_a = 0,
          nb::sig("def sample(self, t: " TORSOR_STATE ", " TORSOR_OUTS(TORSOR_TUPLE3)),
          R"(Pose (..., 4, 4), twist and acceleration (..., 6: angular, then of the origin) at times t (s), in the world.

>>> import numpy as np, torsor as ts
>>> poses = np.stack([np.eye(4)] * 2)
>>> poses[1, 0, 3] = 0.5
>>> ts.pose_motion(poses, duration=2.0).sample(1.0)[0][0, 3]
np.float64(0.25)
)")
      .def(
          "stretched",
          [](nb::handle self, double factor) {
            const PathMotion& motion = nb::cast<const PathMotion&>(self);
            return remember(nb::cast(motion.stretched(positive("stretched", "factor", factor))), "ToolMotion.stretched",
                            nb::make_tuple(self, factor));
          },
          "factor"_a, nb::sig("def stretched(self, factor: float) -> ToolMotion"),
          R"(The same motion in a time longer by a factor.

>>> import torsor as ts
>>> motion = ts.published_motion("sixr_sim")
>>> bool(motion.stretched(2.0).duration == 2 * motion.duration)
True
)")
      .def("__repr__", [](const PathMotion& motion) {
        return "<ToolMotion of " + std::to_string(motion.length()) + " m, " + std::to_string(motion.duration()) + " s>";
      });
  nb::class_<Followed> followed_type(m, "FollowedPath",
                                     "Joints along a motion of the tool, and where and why they had to stop.");
  pickled_by_parts(followed_type)
      .def_prop_ro(
          "t", [](const Followed& f) { return f.numbers(&PathSample::t); }, TORSOR_ARRAY_PROPERTY("t"), "s")
      .def_prop_ro(
          "q", [](const Followed& f) { return f.column(&PathSample::q, f.nq); }, TORSOR_ARRAY_PROPERTY("q"),
          "(rows, nq)")
      .def_prop_ro(
          "qd", [](const Followed& f) { return f.column(&PathSample::qd, f.nv); }, TORSOR_ARRAY_PROPERTY("qd"),
          "(rows, nv)")
      .def_prop_ro(
          "qdd", [](const Followed& f) { return f.column(&PathSample::qdd, f.nv); }, TORSOR_ARRAY_PROPERTY("qdd"),
          "(rows, nv)")
      .def_prop_ro(
          "smallest_singular_value", [](const Followed& f) { return f.numbers(&PathSample::smallest_singular_value); },
          TORSOR_ARRAY_PROPERTY("smallest_singular_value"), "Of the Jacobian, row by row.")
      .def_prop_ro(
          "position_residual", [](const Followed& f) { return f.numbers(&PathSample::position_residual); },
          TORSOR_ARRAY_PROPERTY("position_residual"), "m, row by row")
      .def_prop_ro(
          "finished", [](const Followed& f) { return f.path.finished(); }, "Whether the end was reached.")
      .def_prop_ro(
          "stop", [](const Followed& f) { return std::string(stop_name(f.path.stop)); },
          "'none', 'no start', 'out of reach', 'joint limit', 'branch lost', ...")
      .def_prop_ro(
          "stop_time", [](const Followed& f) { return f.path.stop_time; }, "s")
      .def_ro("explanation", &Followed::text, "Why it ended, in a sentence.")
      .def("motion", motion_of, nb::sig("def motion(self) -> JointMotion"),
           R"(The rows as a motion of the joints, quintics between them.

>>> import torsor as ts
>>> robot = ts.load("sixr_sim")
>>> ts.follow_path(robot, ts.published_motion("sixr_sim"), 0.01).motion().size
6
)")
      .def("__repr__", [](const Followed& f) {
        return "<FollowedPath of " + std::to_string(f.path.samples.size()) + " rows: " + f.text + ">";
      });
}

}  // namespace

void bind_tool_motion(nb::module_& m) {
  bind_tool_motion_classes(m);
  m.def("pose_motion", remembered("pose_motion", make_pose_motion), "poses"_a.none(), "duration"_a, "rounding"_a = 0.0,
        "law"_a = "quintic",
        nb::sig("def pose_motion(poses: " TORSOR_STATE
                ", duration: float, rounding: float = 0.0, law: str = \"quintic\") -> ToolMotion"),
        R"(A motion of the tool through poses (k, 4, 4) in straight lines, corners rounded from so many metres on.

>>> import numpy as np, torsor as ts
>>> poses = np.stack([np.eye(4)] * 2)
>>> poses[1, :3, 3] = [0.3, 0, 0.4]
>>> ts.pose_motion(poses, duration=2.0).length
0.5
)");
  m.def(
      "follow_path", follow, "robot"_a, "motion"_a, "period"_a = nb::none(), "start"_a = nb::none(),
      "frame"_a = nb::none(), "limits"_a = true, "aim"_a = nb::none(),
      nb::sig("def follow_path(robot: Robot, motion: ToolMotion | ToolPath, period: float | None = None, "
              "start: " TORSOR_OPTIONAL_STATE
              ", frame: str | None = None, limits: bool = True, aim: str | None = None) -> FollowedPath"),
      R"(Joints, their velocities and accelerations along a motion of the tool, on one branch; or where and why that ends.

period: of the rows (s); a ToolPath has one of its own. start: the joint position next to which to begin (nq). Of a redundant arm aim says what it
strives for: "near", "centre" or "manipulability".

>>> import torsor as ts
>>> robot = ts.load("sixr_sim")
>>> path = ts.follow_path(robot, ts.published_motion("sixr_sim"), 0.01)
>>> path.finished, ts.inverse_dynamics(robot, path.q, path.qd, path.qdd).shape == path.q.shape
(True, True)
)");
  m.def("plan_path", plan, "robot"_a, "motion"_a, "objective"_a = "shortest", "period"_a = nb::none(),
        "frame"_a = nb::none(),
        nb::sig("def plan_path(robot: Robot, motion: ToolMotion | ToolPath, objective: str = \"shortest\", "
                "period: float | None = None, frame: str | None = None) -> FollowedPath"),
        R"(Joints along a motion of the tool, inside their limits, by the best way that leads from any solution of the first pose to the end.

objective: "shortest" (the least way of the joints), "limits" or "singularity" (far from them). Of seven joints the redundancy is
planned along the whole path. Error where no way leads to the end, with the time and the reason for each.

>>> import numpy as np, torsor as ts
>>> robot = ts.load("panda")
>>> poses = np.stack([ts.frame_pose(robot, [0, -0.3, 0, -2, 0, 1.8, 0.7])] * 2)
>>> poses[1, 1, 3] += 0.2
>>> path = ts.plan_path(robot, ts.pose_motion(poses, duration=2.0), "limits", period=0.1)
>>> path.finished, path.q.shape
(True, (21, 7))
)");
}

}  // namespace torsor::python
