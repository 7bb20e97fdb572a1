// Paths of the tool from files and publications in Python, their time scaled to the limits of the joints that follow them, and
// the motion a robot is looked at along where none is given.
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include "python/bindings/tool_path.hpp"

#include "python/bindings/answer.hpp"
#include "python/bindings/errors.hpp"
#include "python/bindings/pickles.hpp"
#include "python/bindings/rooms.hpp"
#include "python/bindings/signature.hpp"
#include "torsor/numeric_ik/follow_path.hpp"
#include "torsor/numeric_ik/scale_path.hpp"
#include "torsor/files/load_motion.hpp"
#include "torsor/files/motion_columns.hpp"
#include "torsor/model/degree_watch.hpp"
#include "torsor/trajectory/usual_motion.hpp"

namespace torsor::python {
namespace {

using namespace nb::literals;

double seconds(const ToolPath& path) { return path.time(path.duration) - path.time(0); }

ToolPath load_path(const std::string& name, const std::optional<std::string>& variant, const Robot& robot,
                   bool degrees) {
  return value_of(load_tool_path(name, variant, robot.model(), degrees));
}

/// The rows of a table side by side: t (rows), q (rows, nq), qd and qdd (rows, nv).
nb::object load_table(const Robot& robot, const std::string& path, bool degrees) {
  const Model<double>& model = robot.model();
  const MotionTable table = value_of(load_motion_table(model, path, std::size_t(-1), degrees));
  const auto rows = static_cast<nb::ssize_t>(table.rows.size());
  const auto array = [rows](const nb::list& list, int columns) {
    const nb::object numbers = nb::module_::import_("numpy").attr("array")(list, "dtype"_a = "float64");
    return columns == 0 ? numbers : numbers.attr("reshape")(nb::make_tuple(rows, columns));
  };
  nb::list t, q, qd, qdd;
  const auto append = [](nb::list& to, const std::vector<double>& numbers) {
    for (const double x : numbers) to.append(x);
  };
  for (const MotionRow& row : table.rows) {
    t.append(row.t);
    append(q, row.q);
    append(qd, row.qd);
    append(qdd, row.qdd);
  }
  if (!table.degree_suspicion.empty()) {
    const nb::object category = nb::module_::import_("torsor._error").attr("RowWarning");
    nb::module_::import_("warnings").attr("warn")(path + ": " + degrees_sentence(table.degree_suspicion, "degrees=True"), category);
  }
  return Answer()
      .put("name", table.name)
      .put("t", array(t, 0))
      .put("q", array(q, model.nq))
      .put("qd", array(qd, model.nv))
      .put("qdd", array(qdd, model.nv))
      .put("has_time", table.has_time)
      .put("derived", table.derived != Derived::nothing)
      .make("_answers", "MotionTable");
}

ToolPath make_tool_path(const PathMotion& motion, double period) {
  return tool_path(motion, positive("tool_path", "period", period));
}

ToolPath stretched(const ToolPath& path, double factor) {
  ToolPath longer = path;
  longer.stretch(positive("stretched", "factor", factor));
  return longer;
}

/// Limits of those that are given; of none, what the path's file asks for, or else the robot's own.
ScalingRequest request(const char* f, const Model<double>& model, const ToolPath& path, nb::handle velocity,
                       nb::handle acceleration, nb::handle effort, bool only_slower) {
  const bool asked = !velocity.is_none() || !acceleration.is_none() || !effort.is_none();
  ScalingRequest wanted = !asked && path.scaling ? *path.scaling : ScalingRequest{};
  if (!asked && !path.scaling) wanted.limits = limits_of(model);
  const auto set = [&](const char* name, nb::handle given, std::vector<double>& to) {
    if (!given.is_none()) to = vector_of(f, name, given, model.nv);
  };
  set("velocity", velocity, wanted.limits.velocity);
  set("acceleration", acceleration, wanted.limits.acceleration);
  set("effort", effort, wanted.limits.effort);
  wanted.only_slower = wanted.only_slower || only_slower || path.limited;
  return wanted;
}

nb::object scale(const Robot& robot, nb::handle path, nb::handle start, nb::handle velocity, nb::handle acceleration,
                 nb::handle effort, bool only_slower, nb::handle frame) {
  const char* const f = "scale_path";
  const nb::object given = nb::isinstance<PathMotion>(path)
                               ? nb::module_::import_("torsor._torsor").attr("tool_path")(path)
                               : nb::borrow(path);
  ToolPath scaled = tool_path_argument(f, given, std::nullopt);
  if (scaled.derivatives < 2 || !scaled.timed)
    refuse(f, "the path has no times, velocities or accelerations: time cannot be scaled; expected a path with them");
  const Model<double>& model = robot.model();
  const ScalingRequest wanted = request(f, model, scaled, velocity, acceleration, effort, only_slower);
  const Frame<double> at = robot.frame(f, frame);
  const std::vector<double> from = start.is_none() ? neutral_position(model) : vector_of(f, "start", start, model.nq);
  std::optional<Result<std::optional<PathScaling>>> found;
  Visits visits;
  visits.unlocked([&] {
    const InverseKinematics solver(model, robot.description(), at);
    ToolPath asked = scaled;
    asked.at = [&visits, at_time = scaled.at](double u) {
      visits.keep_on();
      return at_time(u);
    };
    found = scale_path(wanted, solver, from, model, {}, asked);
  });
  const std::optional<PathScaling> answer = value_of(*std::move(found));
  const PathScaling said = answer ? *answer : nothing_scaled(scaled);
  const nb::object made =
      answer && answer->possible && answer->factor != 1 ? given.attr("stretched")(answer->factor) : given;
  return Answer()
      .put("factor", said.factor)
      .put("possible", said.possible)
      .put("explanation", said.sentence)
      .put("warning", said.warning)
      .put("path", made)
      .make("_answers", "PathScaling");
}

Trajectory usual_joint_motion(const Robot& robot, const std::string& robot_name) {
  if (robot.model().nq != robot.model().nv)
    refuse("usual_motion", "the robot has joints whose position is a quaternion; expected one of simple joints");
  return usual_motion(robot.model(), robot_name).motion;
}

}  // namespace

ToolPath tool_path_argument(const char* function, nb::handle path, std::optional<double> period) {
  if (period) positive(function, "period", *period);
  if (nb::isinstance<PathMotion>(path)) {
    if (!period)
      refuse(function, "period is None; expected seconds between rows, for a ToolMotion has none of its own");
    return tool_path(nb::cast<const PathMotion&>(path), *period);
  }
  if (!nb::isinstance<ToolPath>(path)) refuse(function, "expected a ToolMotion or a ToolPath");
  ToolPath out = nb::cast<const ToolPath&>(path);
  if (period && out.sampled) refuse(function, "period is given, and the path is followed at its rows; expected None");
  if (period) out.period = *period;
  return out;
}

void bind_tool_path(nb::module_& m) {
  nb::class_<ToolPath> type(
      m, "ToolPath", nb::dynamic_attr(),
      "A path of the tool that joints are to follow: a motion by formulas, or the rows of a file.");
  pickled_as_made(type)
      .def_ro("name", &ToolPath::name, "What it is called.")
      .def_prop_ro("duration", seconds, "s; of a file without times, steps between its rows")
      .def_ro("period", &ToolPath::period, "s between samples; of rows of a file 1, the number of a row")
      .def_ro("sampled", &ToolPath::sampled, "Whether it is the rows of a file, between which nothing lies.")
      .def_ro("timed", &ToolPath::timed, "Whether it has times.")
      .def_ro("derivatives", &ToolPath::derivatives, "How many of velocity and acceleration are known.")
      .def_prop_ro(
          "scaled", [](const ToolPath& path) { return path.scaling.has_value(); },
          "Whether its file asks for scaling, which scale_path then does.")
      .def_ro("notes", &ToolPath::notes, "What is good to know about it.")
      .def(
          "stretched",
          [](nb::handle self, double factor) {
            return remember(nb::cast(stretched(nb::cast<const ToolPath&>(self), factor)), "ToolPath.stretched",
                            nb::make_tuple(self, factor));
          },
          "factor"_a, nb::sig("def stretched(self, factor: float) -> ToolPath"),
          R"(The same path in a time longer by a factor.

>>> import torsor as ts
>>> motion = ts.published_motion("sixr_sim")
>>> ts.tool_path(motion).stretched(2.0).duration == 2 * motion.duration
True
)")
      .def("__repr__", [](const ToolPath& path) {
        return "<ToolPath " + path.name + ", " + std::to_string(seconds(path)) + " s>";
      });
  m.def("tool_path", remembered("tool_path", make_tool_path), "motion"_a, "period"_a = 0.01,
        nb::sig("def tool_path(motion: ToolMotion, period: float = 0.01) -> ToolPath"),
        R"(A motion of the tool by formulas as a path, to be sampled every period (s).

>>> import torsor as ts
>>> motion = ts.published_motion("sixr_sim")
>>> path = ts.tool_path(motion)
>>> path.duration == motion.duration, path.period
(True, 0.01)
)");
  m.def(
      "load_tool_path", remembered("load_tool_path", load_path), "name"_a, "variant"_a.none(), "robot"_a,
      "degrees"_a = false,
      nb::sig("def load_tool_path(name: str, variant: str | None, robot: Robot, degrees: bool = False) -> ToolPath"),
      R"(A path of the tool: a motion file (TOML), a CSV file of the tool's poses, which is followed at its rows, or the path
that was published for a robot that comes with the package.

variant: how what a publication leaves open is read. robot: whose limits a motion file may ask for. degrees: angles of a
CSV file whose columns name no unit are in degrees. A pickle holds the name, not the file.

>>> import torsor as ts
>>> robot = ts.load("sixr_sim")
>>> path = ts.load_tool_path("sixr_sim", None, robot)
>>> path.sampled, ts.follow_path(robot, path).finished
(False, True)
)");
  m.def(
      "load_motion_table", load_table, "robot"_a, "path"_a, "degrees"_a = false,
      nb::sig("def load_motion_table(robot: Robot, path: str, degrees: bool = False) -> torsor._answers.MotionTable"),
      R"(A CSV or NPY file of joint positions, by the columns that docs/motion-file.md lists; SI and radians, whatever the file has.

degrees: angles of a CSV file whose columns name no unit are in degrees, their rates in degrees per second. Missing
velocities and accelerations come from a smoothing spline of the positions, missing accelerations alone from one of the
velocities (derived). A :class:`RowWarning` says where
positions are beyond the limits as radians, and inside them as degrees.

>>> import os, tempfile
>>> import torsor as ts
>>> path = os.path.join(tempfile.mkdtemp(), "motion.csv")
>>> with open(path, "w") as file:
...     _ = file.write("t (s);q1_deg;q2 (deg)\n0;0;90\n0,5;45;90\n1;90;90\n")
>>> table = ts.load_motion_table(ts.load("two_link"), path)
>>> table.q.shape, table.derived, bool(abs(table.q[:, 1] - 1.5707963267948966).max() < 1e-12)
((3, 2), True, True)
)");
  m.def("scale_path", scale, "robot"_a, "path"_a, "start"_a = nb::none(), "velocity"_a = nb::none(),
        "acceleration"_a = nb::none(), "effort"_a = nb::none(), "only_slower"_a = false, "frame"_a = nb::none(),
        nb::sig("def scale_path(robot: Robot, path: ToolPath | ToolMotion, start: " TORSOR_OPTIONAL_STATE
                ", velocity: " TORSOR_OPTIONAL_STATE ", acceleration: " TORSOR_OPTIONAL_STATE
                ", effort: " TORSOR_OPTIONAL_STATE
                ", only_slower: bool = False, frame: str | None = None) -> torsor._answers.PathScaling"),
        R"(The time of a path of the tool scaled by one factor, so that the joints that follow it keep their limits.

start: the joint position next to which to begin (nq), as in follow_path. Limits: one number per coordinate; where
none is given those that the path's file asks for, or else the robot's own. See PathScaling.

>>> import torsor as ts
>>> robot = ts.load("sixr_sim")
>>> scaling = ts.scale_path(robot, ts.load_tool_path("sixr_sim", None, robot), velocity=[1.0] * 6)
>>> followed = ts.follow_path(robot, scaling.path)
>>> scaling.possible, bool(0.999 < abs(followed.qd).max() < 1.001)
(True, True)
)");
  m.def("_usual_joint_motion", remembered("_usual_joint_motion", usual_joint_motion));
  m.def(
      "usual_motion",
      [](nb::handle robot, const std::string& robot_name) {
        const nb::object motion = nb::module_::import_("torsor._torsor").attr("_usual_joint_motion")(robot, robot_name);
        const std::string name = usual_motion(nb::cast<const Robot&>(robot).model(), robot_name).name;
        return Answer().put("name", name).put("motion", motion).make("_answers", "NamedMotion");
      },
      "robot"_a, "robot_name"_a,
      nb::sig("def usual_motion(robot: Robot, robot_name: str) -> torsor._answers.NamedMotion"),
      R"(A motion to look at a robot along where none is given, with its name: pick and place for a PUMA 560, the motion that
was published for a robot of this name, and else a sweep through half of every joint's range.

>>> import torsor as ts
>>> ts.usual_motion(ts.load("puma560"), "puma560").motion.duration
8.0
)");
}

}  // namespace torsor::python
