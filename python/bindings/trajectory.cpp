// Motions of the joints in Python, sampled at any times and scaled to limits; motions of any kind from files and
// publications.
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <optional>

#include "python/bindings/answer.hpp"
#include "python/bindings/errors.hpp"
#include "python/bindings/pickles.hpp"
#include "python/bindings/robot.hpp"
#include "python/bindings/rooms.hpp"
#include "python/bindings/row_call.hpp"
#include "python/bindings/signature.hpp"
#include "python/bindings/timed_motion.hpp"
#include "torsor/files/motion_toml.hpp"
#include "torsor/text/text_file.hpp"
#include "torsor/trajectory/blended_motion.hpp"
#include "torsor/trajectory/path_motion.hpp"
#include "torsor/trajectory/pick_and_place.hpp"
#include "torsor/trajectory/published_motion.hpp"
#include "torsor/trajectory/published_path.hpp"
#include "torsor/trajectory/spline_motion.hpp"
#include "torsor/trajectory/time_scaling.hpp"
#include "torsor/trajectory/via_points.hpp"

namespace torsor::python {
namespace {

using namespace nb::literals;

struct TimeLawRow {
  std::string name, formula, source;
};

struct Scaling {
  TimeScaling scaling;
  std::string text;
};

}  // namespace

template <>
struct Parts<TimeLawRow> {
  static void each(auto& take, auto& row) { take(row.name, row.formula, row.source); }
};
template <>
struct Parts<TimeScaling> {
  static void each(auto& take, auto& s) { take(s.status, s.factor, s.kind, s.coordinate, s.time, s.value, s.limit); }
};
template <>
struct Parts<Scaling> {
  static void each(auto& take, auto& s) { take(s.scaling, s.text); }
};

namespace {

nb::object sample_joints(const Trajectory& motion, nb::handle t, nb::handle out, int threads) {
  RowCall call("sample", threads);
  const int n = static_cast<int>(motion.size());
  call.take("t", t, std::initializer_list<int>{}).settle();
  call.refuse_one_not_finite();
  call.may_leave_out();
  call.give_all(out, {{n}, {n}, {n}});
  call.share([&](std::int64_t first, std::int64_t count) {
    for (std::int64_t k = first; k < first + count; ++k)
      if (call.finite(k))
        motion.sample(call.row(0, k)[0], call.answer(0, k), call.answer(1, k), call.answer(2, k));
      else
        call.leave_out(k);
  });
  return call.result();
}

/// Limits of the joints, one array each; None for none.
std::vector<MotionLimits> motion_limits(const char* function, int n, nb::handle velocity, nb::handle acceleration,
                                        nb::handle jerk) {
  std::vector<MotionLimits> out(static_cast<std::size_t>(n));
  const auto set = [&](const char* name, nb::handle given, double MotionLimits::*which) {
    if (given.is_none()) return;
    const std::vector<double> values = vector_of(function, name, given, n);
    for (std::size_t k = 0; k < out.size(); ++k) out[k].*which = values[k];
  };
  set("velocity", velocity, &MotionLimits::velocity);
  set("acceleration", acceleration, &MotionLimits::acceleration);
  set("jerk", jerk, &MotionLimits::jerk);
  return out;
}

Trajectory make_point_to_point(nb::handle q0, nb::handle q1, double duration, const std::string& law) {
  const char* const f = "point_to_point";
  std::vector<double> from = vector_of(f, "q0", q0, -1), to = vector_of(f, "q1", q1, static_cast<int>(from.size()));
  return Trajectory(value_of(point_to_point(std::move(from), std::move(to), duration, law)));
}

Trajectory make_fastest(nb::handle q0, nb::handle q1, nb::handle velocity, nb::handle acceleration, nb::handle jerk,
                       const std::string& law) {
  const char* const f = "fastest_point_to_point";
  std::vector<double> from = vector_of(f, "q0", q0, -1);
  const int n = static_cast<int>(from.size());
  std::vector<double> to = vector_of(f, "q1", q1, n);
  const auto limits = motion_limits(f, n, velocity, acceleration, jerk);
  return Trajectory(value_of(fastest_point_to_point(std::move(from), std::move(to), limits, law)));
}

/// Where a motion through points starts, and its legs; without durations these are left to the motion.
struct Legs {
  std::vector<double> start;
  std::vector<ViaPoint> points;
};

Legs legs_of(const char* f, nb::handle points, nb::handle durations, nb::handle waits) {
  const auto rows = rows_of(f, "points", points, -1);
  if (rows.size() < 2) refuse(f, "points has " + std::to_string(rows.size()) + " rows; expected 2 or more");
  const std::size_t legs = rows.size() - 1;
  const auto seconds = [&](const char* name, nb::handle given) {
    return given.is_none() ? std::vector<double>(legs) : vector_of(f, name, given, static_cast<int>(legs));
  };
  const std::vector<double> times = seconds("durations", durations), stays = seconds("waits", waits);
  Legs out{rows[0], {}};
  for (std::size_t k = 0; k < legs; ++k) out.points.push_back({rows[k + 1], times[k], stays[k]});
  return out;
}

Trajectory make_via_points(nb::handle points, nb::handle durations, nb::handle waits, const std::string& law) {
  const char* const f = "via_point_motion";
  if (durations.is_none()) refuse(f, "durations is None; expected seconds per leg");
  Legs legs = legs_of(f, points, durations, waits);
  return Trajectory(value_of(via_point_motion(std::move(legs.start), legs.points, law)));
}

Trajectory make_fastest_via_points(nb::handle points, nb::handle velocity, nb::handle acceleration, nb::handle jerk,
                                  nb::handle waits, const std::string& law) {
  const char* const f = "fastest_via_point_motion";
  Legs legs = legs_of(f, points, nb::none(), waits);
  const auto limits = motion_limits(f, static_cast<int>(legs.start.size()), velocity, acceleration, jerk);
  return Trajectory(value_of(fastest_via_point_motion(std::move(legs.start), legs.points, limits, law)));
}

Trajectory make_spline(nb::handle times, nb::handle positions, const std::string& degree, const std::string& ends) {
  const char* const f = "spline_motion";
  if (degree != "cubic" && degree != "quintic")
    refuse(f, "degree is \"" + printable(degree) + "\"; expected cubic or quintic");
  const SplineDegree d = degree == "cubic" ? SplineDegree::cubic : SplineDegree::quintic;
  const auto rows = rows_of(f, "positions", positions, -1);
  const std::vector<double> t = vector_of(f, "times", times, static_cast<int>(rows.size()));
  SplineEnds how;
  if (ends == "clamped")
    how = SplineEnds::clamped(d, rows.empty() ? 0 : rows[0].size());
  else if (ends == "periodic")
    how = SplineEnds::cycle();
  else if (ends != "natural")
    refuse(f, "ends is \"" + printable(ends) + "\"; expected clamped, natural or periodic");
  return Trajectory(value_of(spline_motion(t, rows, d, how)));
}

Trajectory make_blended(nb::handle positions, nb::handle times, nb::handle blend_times, const std::string& blend) {
  const char* const f = "blended_motion";
  const auto rows = rows_of(f, "positions", positions, -1);
  if (blend != "parabolic" && blend != "polynomial")
    refuse(f, "blend is \"" + printable(blend) + "\"; expected parabolic or polynomial");
  return Trajectory(
      value_of(blended_motion(rows, vector_of(f, "times", times, -1), vector_of(f, "blend_times", blend_times, -1),
                              blend == "parabolic" ? Blend::parabolic : Blend::polynomial)));
}

nb::object read_motion(nb::handle source, const Robot* robot) {
  const std::string given = path_of("read_motion", "source", source);
  const bool is_text = given.find('\n') != std::string::npos;
  const std::string text = is_text ? given : value_of(read_text_file(given));
  const PlannedMotion planned =
      value_of(read_motion_toml(text, is_text ? "text" : given, robot ? &robot->coordinates() : nullptr));
  // a warning that is an error raises
  if (!planned.corners.empty() && PyErr_WarnEx(PyExc_UserWarning, planned.notes.back().c_str(), 1) < 0)
    throw nb::python_error();
  const Trajectory* const joints = planned.joints();
  // the text travels, not the path
  return remember(joints ? nb::cast(*joints) : nb::cast(*planned.tool()), "read_motion",
                  nb::make_tuple(text + "\n", nb::cast(robot, nb::rv_policy::reference)));
}

nb::object published(const std::string& robot) {
  if (robot == "puma560") return nb::cast(Trajectory(pick_and_place_puma560()));
  if (const PublishedMotion* motion = published_motion(robot)) return nb::cast(Trajectory(motion->make()));
  if (const PublishedPath* path = published_path(robot)) return nb::cast(path->make());
  refuse("published_motion",
         "there is none for \"" + printable(robot) + "\"; expected the name of a shipped robot that has one");
}

Scaling time_factor(const Robot& robot, const Trajectory& motion, nb::handle velocity, nb::handle acceleration,
                    nb::handle effort) {
  const char* const f = "smallest_time_factor";
  const int nv = robot.model().nv;
  ScalingLimits limits = limits_of(robot.model());
  const auto set = [&](const char* name, nb::handle given, std::vector<double>& to) {
    if (!given.is_none()) to = vector_of(f, name, given, nv);
  };
  set("velocity", velocity, limits.velocity);
  set("acceleration", acceleration, limits.acceleration);
  set("effort", effort, limits.effort);
  std::optional<Result<TimeScaling>> found;
  Visits visits;
  visits.unlocked([&] { found = smallest_time_factor(robot.model(), watched(motion, visits), limits); });
  const TimeScaling scaling = value_of(*std::move(found));
  return {scaling, describe(scaling, robot.model())};
}

void bind_classes(nb::module_& m) {
  nb::class_<Trajectory> motion_type(m, "JointMotion", nb::dynamic_attr(),
                                     "A motion of the joints: at rest before 0 and after its duration.");
  pickled_as_made(motion_type)
      .def_prop_ro("size", &Trajectory::size, "How many coordinates it has.")
      .def_prop_ro("duration", &Trajectory::duration, "s")
      .def("sample", sample_joints, "t"_a.none(), "out"_a = nb::none(), "threads"_a = 0,
           nb::sig("def sample(self, t: " TORSOR_STATE ", " TORSOR_OUTS(TORSOR_TUPLE3)),
           R"(q, qd, qdd at times t (s), a number or an array: three arrays (..., size).

>>> import torsor as ts
>>> q, qd, qdd = ts.point_to_point([0, 0], [1, 2], 2.0).sample([0.0, 1.0, 2.0])
>>> q
array([[0. , 0. ],
       [0.5, 1. ],
       [1. , 2. ]])
)")
      .def(
          "stretched",
          [](nb::handle self, double factor) {
            const Trajectory& motion = nb::cast<const Trajectory&>(self);
            return remember(nb::cast(motion.stretched(positive("stretched", "factor", factor))),
                            "JointMotion.stretched", nb::make_tuple(self, factor));
          },
          "factor"_a, nb::sig("def stretched(self, factor: float) -> JointMotion"),
          R"(The same motion in a time longer by a factor.

>>> import torsor as ts
>>> ts.point_to_point([0], [1], 2.0).stretched(1.5).duration
3.0
)")
      .def("__repr__", [](const Trajectory& motion) {
        return "<JointMotion of " + std::to_string(motion.size()) + " coordinates, " +
               std::to_string(motion.duration()) + " s>";
      });
  nb::class_<TimeLawRow> law_type(m, "TimeLaw", "A row of the table of time laws.");
  pickled_by_parts(law_type)
      .def_ro("name", &TimeLawRow::name, "What the argument law takes.")
      .def_ro("formula", &TimeLawRow::formula, "s(u) for u from 0 to 1.")
      .def_ro("source", &TimeLawRow::source, "Where it is published.")
      .def("__repr__", [](const TimeLawRow& row) { return "<TimeLaw " + row.name + ">"; });
  nb::class_<Scaling> scaling_type(
      m, "TimeScaling", "The smallest factor on the time of a motion that keeps limits, and what decides it.");
  pickled_by_parts(scaling_type)
      .def_prop_ro("status", [](const Scaling& s) {
        return std::string(s.scaling.status == ScalingStatus::ok          ? "ok"
                           : s.scaling.status == ScalingStatus::unlimited ? "unlimited"
                                                                          : "impossible");
      }, "'ok', 'unlimited' or 'impossible'.")
      .def_prop_ro("factor", [](const Scaling& s) { return s.scaling.factor; }, "Duration after / before.")
      .def_prop_ro("coordinate", [](const Scaling& s) { return s.scaling.coordinate; }, "Which decides.")
      .def_prop_ro("time", [](const Scaling& s) { return s.scaling.time; }, "When, in the motion as given (s).")
      .def("__repr__", [](const Scaling& s) { return "<TimeScaling " + s.text + ">"; });
}

}  // namespace

void bind_trajectory(nb::module_& m) {
  bind_classes(m);
  m.def("time_laws", [] {
    std::vector<TimeLawRow> out;
    for (const TimeLaw<double>& law : time_laws<double>)
      out.push_back({std::string(law.name), std::string(law.formula), std::string(law.source)});
    return out;
  }, R"(The time laws: how a motion from here to there is spread over its duration.

>>> import torsor as ts
>>> [law.name for law in ts.time_laws()][:3]
['cycloidal', 'cubic', 'quintic']
)");
  m.def("point_to_point", remembered("point_to_point", make_point_to_point), "q0"_a.none(), "q1"_a.none(), "duration"_a,
        "law"_a = "quintic",
        nb::sig("def point_to_point(q0: " TORSOR_STATE ", q1: " TORSOR_STATE
                ", duration: float, law: str = \"quintic\") -> JointMotion"),
        R"(From one joint position to another, at rest at both, all joints together along a time law.

>>> import torsor as ts
>>> ts.point_to_point([0, 0], [1, 2], 2.0, law="cycloidal").duration
2.0
)");
  m.def("fastest_point_to_point", remembered("fastest_point_to_point", make_fastest), "q0"_a.none(), "q1"_a.none(),
        "velocity"_a = nb::none(), "acceleration"_a = nb::none(), "jerk"_a = nb::none(), "law"_a = "s-curve",
        nb::sig("def fastest_point_to_point(q0: " TORSOR_STATE ", q1: " TORSOR_STATE
                ", velocity: " TORSOR_OPTIONAL_STATE ", acceleration: " TORSOR_OPTIONAL_STATE
                ", jerk: " TORSOR_OPTIONAL_STATE ", law: str = \"s-curve\") -> JointMotion"),
        R"(The same in the least time in which every joint keeps its limits, one number per joint.

>>> import torsor as ts
>>> ts.fastest_point_to_point([0.0], [1.0], velocity=[1.0], acceleration=[2.0], law="trapezoid").duration
1.5
)");
  m.def("via_point_motion", remembered("via_point_motion", make_via_points), "points"_a.none(), "durations"_a.none(),
        "waits"_a = nb::none(), "law"_a = "quintic",
        nb::sig("def via_point_motion(points: " TORSOR_STATE ", durations: " TORSOR_STATE
                ", waits: " TORSOR_OPTIONAL_STATE ", law: str = \"quintic\") -> JointMotion"),
        R"(Through several joint positions (points, joints), at rest at each; durations and waits per leg (s).

>>> import torsor as ts
>>> ts.via_point_motion([[0, 0], [1, 0], [1, 1]], durations=[1, 2], waits=[0.5, 0]).duration
3.5
)");
  m.def("fastest_via_point_motion", remembered("fastest_via_point_motion", make_fastest_via_points), "points"_a.none(),
        "velocity"_a = nb::none(), "acceleration"_a = nb::none(), "jerk"_a = nb::none(), "waits"_a = nb::none(),
        "law"_a = "s-curve",
        nb::sig("def fastest_via_point_motion(points: " TORSOR_STATE ", velocity: " TORSOR_OPTIONAL_STATE
                ", acceleration: " TORSOR_OPTIONAL_STATE ", jerk: " TORSOR_OPTIONAL_STATE
                ", waits: " TORSOR_OPTIONAL_STATE ", law: str = \"s-curve\") -> JointMotion"),
        R"(The same, each leg in the least time in which every joint keeps its limits, one number per joint.

>>> import torsor as ts
>>> ts.fastest_via_point_motion([[0], [1], [0]], velocity=[1.0], acceleration=[2.0], waits=[0.5, 0], law="trapezoid").duration
3.5
)");
  m.def(
      "spline_motion", remembered("spline_motion", make_spline), "times"_a.none(), "positions"_a.none(),
      "degree"_a = "quintic", "ends"_a = "clamped",
      nb::sig("def spline_motion(times: " TORSOR_STATE ", positions: " TORSOR_STATE
              ", degree: str = \"quintic\", ends: str = \"clamped\") -> JointMotion"),
      R"(Through positions (points, joints) at times (s), by a spline: degree cubic or quintic; ends clamped (at rest),
natural or periodic.

>>> import torsor as ts
>>> ts.spline_motion([0, 1, 3], [[0, 0], [1, 0], [1, 1]]).sample(1.0)[0]
array([1., 0.])
)");
  m.def("blended_motion", remembered("blended_motion", make_blended), "positions"_a.none(), "times"_a.none(),
        "blend_times"_a.none(), "blend"_a = "polynomial",
        nb::sig("def blended_motion(positions: " TORSOR_STATE ", times: " TORSOR_STATE ", blend_times: " TORSOR_STATE
                ", blend: str = \"polynomial\") -> JointMotion"),
        R"(Straight segments with blends: past the positions between without a stop. times per segment, blend_times per
position (s); blend polynomial or parabolic.

>>> import torsor as ts
>>> ts.blended_motion([[0.0], [1.0], [1.5]], [1, 1], [0.2, 0.2, 0.2]).duration
2.0
)");
  m.def("read_motion", read_motion, "source"_a, "robot"_a = nb::none(),
        nb::sig(
            "def read_motion(source: str | os.PathLike[str], robot: Robot | None = None) -> JointMotion | ToolMotion"),
        R"(A motion file (TOML), by its path or as text: a JointMotion or a ToolMotion. See docs/motion-file.md.

>>> import torsor as ts
>>> text = '''motion = "joints"
... [[point]]
... q = [0, 0]
... [[point]]
... q = [1, 2]
... duration = 2
... '''
>>> ts.read_motion(text).duration
2.0
)");
  m.def("published_motion", remembered("published_motion", published), "robot"_a,
        nb::sig("def published_motion(robot: str) -> JointMotion | ToolMotion"),
        R"(The motion that a publication prescribes for a robot that comes with the package.

>>> import torsor as ts
>>> ts.published_motion("puma560").duration
8.0
)");
  m.def("smallest_time_factor", time_factor, "robot"_a, "motion"_a, "velocity"_a = nb::none(),
        "acceleration"_a = nb::none(), "effort"_a = nb::none(),
        nb::sig("def smallest_time_factor(robot: Robot, motion: JointMotion, velocity: " TORSOR_OPTIONAL_STATE
                ", acceleration: " TORSOR_OPTIONAL_STATE ", effort: " TORSOR_OPTIONAL_STATE ") -> TimeScaling"),
        R"(The smallest factor on the time of a motion that keeps limits of speed, acceleration and torque.

Limits: one number per coordinate, by default those of the robot.

>>> import torsor as ts
>>> robot, motion = ts.load("puma560"), ts.published_motion("puma560")
>>> scaling = ts.smallest_time_factor(robot, motion)
>>> scaling.status, scaling.factor < 1
('ok', True)
)");
}

}  // namespace torsor::python
