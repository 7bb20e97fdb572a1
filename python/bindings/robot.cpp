// Robots in Python: looking, changing (which makes a new one), writing.
#include "python/bindings/robot.hpp"

#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/unique_ptr.h>
#include <nanobind/stl/vector.h>

#include <algorithm>
#include <cmath>

#include "python/bindings/arrays.hpp"
#include "python/bindings/errors.hpp"
#include "python/bindings/rooms.hpp"
#include "torsor/report/dh_table.hpp"
#include "torsor/report/robot_summary.hpp"
#include "torsor/files/load_robot.hpp"
#include "torsor/files/mjcf_writer.hpp"
#include "torsor/files/sdf_writer.hpp"
#include "torsor/files/robot_toml_writer.hpp"
#include "torsor/files/urdf_writer.hpp"
#include "torsor/loops/start_position.hpp"
#include "torsor/model/check.hpp"
#include "torsor/model/dh_chain.hpp"
#include "torsor/model/mass_spread.hpp"

namespace torsor::python {

using namespace nb::literals;

const RobotForms<double>& Robot::forms() const {
  const std::lock_guard lock(forms_mutex_);
  if (!forms_) forms_.emplace(value_of(robot_forms(description())));
  return *forms_;
}

Frame<double> Robot::frame(const char* function, nb::handle name) const {
  std::string wanted;
  if (!name.is_none()) {
    if (!nb::isinstance<nb::str>(name))
      refuse(function, "frame is no name; expected a str with the name of a tool or link");
    wanted = string_of(function, "frame", name);
  }
  const auto found = find_frame(name.is_none() ? nullptr : &wanted);
  if (found) return *found;
  if (tree().frames.empty()) refuse(function, "the robot has no links, and so no tool");
  refuse(function, "frame \"" + printable(wanted) + "\" is none of the robot; " + found.faults().front().remedy);
}

namespace {

std::unique_ptr<Robot> with_gravity(const Robot& robot, nb::handle gravity) {
  const std::vector<double> g = vector_of("with_gravity", "gravity", gravity, 3);
  return make_robot(robot.with_gravity({g[0], g[1], g[2]}));
}

std::string text_of(double x) { return nb::cast<std::string>(nb::repr(nb::float_(x))); }

std::unique_ptr<Robot> with_payload(const Robot& robot, double mass, nb::handle com, nb::handle inertia,
                                    nb::handle frame) {
  const char* const function = "with_payload";
  if (!(mass >= 0) || !std::isfinite(mass)) refuse(function, "mass is " + text_of(mass) + "; expected 0 or more kg");
  const Frame<double> held = robot.frame(function, frame);
  const std::vector<double> c = com.is_none() ? std::vector<double>(3) : vector_of(function, "com", com, 3);
  const std::vector<double> t =
      inertia.is_none() ? std::vector<double>(6) : vector_of(function, "inertia", inertia, 6);
  const Payload payload{mass, {c[0], c[1], c[2]}, {t[0], t[1], t[2], t[3], t[4], t[5]}};
  const Part part{.mass = mass, .com = payload.com, .tensor = payload.inertia};
  if (const Faults errors = check_part(part, {}, "with_payload"); !errors.empty()) raise(errors);
  if (!faults_of(payload).empty()) {
    if (mass == 0) refuse(function, "mass is 0, and there is a com or an inertia; expected a mass, or neither of them");
    const auto [least, middle, most] = mass_spread(mass, payload.inertia).moments;
    const std::string moments = text_of(least) + ", " + text_of(middle) + " and " + text_of(most);
    refuse(function, "inertia has the principal moments " + moments + " kg m^2, which no body has: " +
                         (least < 0 ? "one is negative" : "one is larger than the other two together") +
                         "; expected xx yy zz xy xz yz of the tensor about the mass centre");
  }
  return make_robot(robot.torsor::Robot::with_payload(payload, held));
}

std::unique_ptr<Robot> chain(const Robot& robot, nb::handle base, nb::handle tool, nb::handle hold,
                             const std::string& followers) {
  const char* const function = "chain";
  const auto name = [&](const char* argument, nb::handle given) {
    return given.is_none() ? std::string() : string_of(function, argument, given);
  };
  ChainOptions options;
  if (followers != "carry" && followers != "freeze")
    refuse(function, "followers is \"" + printable(followers) + "\"; expected carry or freeze");
  if (followers == "freeze") options.followers = Followers::freeze;
  if (!hold.is_none()) {
    if (!nb::isinstance<nb::dict>(hold)) refuse(function, "hold is no dict; expected {joint: position}");
    for (const auto& [joint, value] : nb::borrow<nb::dict>(hold)) {
      double position = 0;
      if (!nb::try_cast(value, position))
        refuse(function, "hold has a position that is no number; expected {joint: position}");
      options.hold[string_of(function, "hold", joint)] = position;
    }
  }
  return make_robot(value_of(robot.try_chain(name("base", base), name("tool", tool), options)));
}

std::vector<std::string> loop_names(const Robot& robot) {
  std::vector<std::string> out;
  for (const LoopDescription& loop : robot.description().loops) out.push_back(loop.name);
  return out;
}

std::string joint_letters(const Model<double>& model) {
  std::string word;
  for (const Body<double>& b : model.bodies)
    if (b.kind != JointKind::fixed) word += "-RPHESF"[static_cast<int>(b.kind)];
  return word;
}

std::string dh_text(const Robot& robot, const std::string& form) {
  if (form != "text" && form != "markdown" && form != "html")
    refuse("dh_table", "form is \"" + printable(form) + "\"; expected text, markdown or html");
  if (Faults loops = refuse_loops(robot.description()); !loops.empty()) raise(loops);
  auto table = dh_table(robot.description(), 6);
  if (!table) table = dh_table(value_of(to_dh(robot.description(), Convention::standard_dh)).description, 6);
  if (!table) return "";
  return form == "text" ? to_text(*table) : form == "markdown" ? to_markdown(*table) : to_html(*table);
}

nb::object limits(const Robot& robot, double Limits::*which) {
  std::vector<double> out;
  for (const Limits& each : robot.coordinates().limits) out.push_back(each.*which);
  return new_array(out);
}

std::vector<Inertia<double>> in_link_frames(const Model<double>& model) {
  std::vector<Inertia<double>> out;
  for (const Body<double>& b : model.bodies) out.push_back(inverse(b.link) * b.inertia);
  return out;
}

nb::object masses_of(const Robot& robot) {
  std::vector<double> out;
  for (const Body<double>& b : robot.tree().bodies) out.push_back(b.inertia.m);
  return new_array(out);
}

nb::object mass_centres(const Robot& robot) {
  std::vector<double> out;
  for (const Inertia<double>& J : in_link_frames(robot.tree())) {
    const Vec3<double> c = mass_centre(J);
    out.insert(out.end(), {c.x, c.y, c.z});
  }
  return new_array(out, {out.size() / 3, 3});
}

nb::object inertias(const Robot& robot) {
  std::vector<double> out;
  for (const Inertia<double>& J : in_link_frames(robot.tree())) {
    const Sym3<double> I = tensor_about_centre(J);
    out.insert(out.end(), {I.xx, I.xy, I.xz, I.xy, I.yy, I.yz, I.xz, I.yz, I.zz});
  }
  return new_array(out, {out.size() / 9, 3, 3});
}

std::vector<int> parents_of(const Robot& robot) {
  std::vector<int> out;
  for (const Body<double>& b : robot.tree().bodies) out.push_back(b.parent);
  return out;
}

std::vector<std::string> kinds(const Robot& robot) {
  std::vector<std::string> out;
  for (const Body<double>& b : robot.tree().bodies) out.emplace_back(row(b.kind).name);
  return out;
}

std::vector<std::string> tools(const Robot& robot) {
  std::vector<std::string> out;
  for (const Frame<double>& f : robot.tree().frames) out.push_back(f.name);
  return out;
}

// robot files refuse a negative moment, URDF only doubts it: what came in as one goes out as one
std::string text_for_pickles(const Description& d) {
  const std::string text = write_robot_toml(d);
  const bool negative = std::ranges::any_of(d.links, [](const LinkDescription& link) {
    return std::ranges::any_of(link.parts, [](const Part& part) {
      return part.tensor.xx < 0 || part.tensor.yy < 0 || part.tensor.zz < 0;
    });
  });
  if (!negative || read_robot_text(text, "text")) return text;
  return value_of(write_urdf(d));
}

}  // namespace

void bind_robot(nb::module_& m) {
  nb::class_<Robot> robot(
      m, "Robot",
      R"(A robot: a tree of links and joints with masses, drives and tools, some joints of which closed loops may determine.

It never changes; threads may share it. Made by :func:`load`. With loops nq, nv, position_names, velocity_names, limits and
all positions, rates and torques are of the independent joints; joint_names, kinds, parents and masses are of the whole tree.

>>> import torsor as ts
>>> robot = ts.load("puma560")
>>> robot.nv, robot.joint_names[:2]
(6, ['waist', 'shoulder'])
>>> five_bar = ts.load("five_bar")
>>> five_bar.nv, five_bar.velocity_names, len(five_bar.joint_names)
(2, ['left', 'right'], 4)
)");
  using Of = const Model<double>& (torsor::Robot::*)() const;
  const auto names = [&robot](const char* name, Of model, std::vector<std::string> Model<double>::*list,
                              const char* doc) {
    robot.def_prop_ro(name, [model, list](const Robot& r) { return (r.*model)().*list; }, doc);
  };
  constexpr Of tree = &torsor::Robot::tree, coordinates = &torsor::Robot::coordinates;
  robot.def_prop_ro("name", [](const Robot& r) { return r.name(); }, "The name that its file gives it.")
      .def_prop_ro("source", [](const Robot& r) { return r.description().source; }, "Where its numbers come from.")
      .def_prop_ro("file", [](const Robot& r) { return r.description().file; }, "The file it was read from.")
      .def_prop_ro("nq", [](const Robot& r) { return r.nq(); }, "How many numbers a position has.")
      .def_prop_ro("nv", [](const Robot& r) { return r.nv(); }, "How many numbers a velocity has.");
  names("link_names", tree, &Model<double>::link_names, "Names of the links, parents first.");
  names("joint_names", tree, &Model<double>::joint_names,
        "Names of the joints that carry the links, in the same order.");
  names("position_names", coordinates, &Model<double>::position_names, "What the numbers of q are.");
  names("velocity_names", coordinates, &Model<double>::velocity_names, "What the numbers of qd, qdd and tau are.");
  names("joint_position_names", tree, &Model<double>::position_names,
        "What the numbers of joint_positions are: those of all joints, of which position_names are the independent "
        "ones.");
  robot.def_prop_ro("tools", tools, "Names of the tools; the last one is the default frame of the kinematics.")
      .def_prop_ro(
          "tool_links",
          [](const Robot& r) {
            std::vector<int> out;
            for (const Frame<double>& tool : r.tree().frames) out.push_back(tool.body);
            return out;
          },
          "For each tool the index of the link that carries it.")
      .def_prop_ro(
          "base_pose", [](const Robot& r) { return new_array(r.tree().base); },
          nb::sig("def base_pose(self) -> numpy.typing.NDArray[numpy.float64]"),
          "Where the base stands in the world, (4, 4).")
      .def_prop_ro("parents", parents_of, "For each link the index of the link that carries it, -1 for the base.")
      .def_prop_ro("kinds", kinds, "For each link the kind of its joint: 'revolute', 'prismatic', ...")
      .def_prop_ro("masses", masses_of, nb::sig("def masses(self) -> numpy.typing.NDArray[numpy.float64]"),
                   "Masses of the links (kg).")
      .def_prop_ro("mass_centres", mass_centres,
                   nb::sig("def mass_centres(self) -> numpy.typing.NDArray[numpy.float64]"),
                   "Mass centres of the links in their link frames, (links, 3), in metres.")
      .def_prop_ro("inertias", inertias, nb::sig("def inertias(self) -> numpy.typing.NDArray[numpy.float64]"),
                   "Inertia tensors about the mass centres, in the axes of the link frames, (links, 3, 3), in kg m^2.")
      .def_prop_ro(
          "gravity",
          [](const Robot& r) {
            const Vec3<double>& g = r.tree().gravity;
            return new_array(std::vector<double>{g.x, g.y, g.z});
          },
          nb::sig("def gravity(self) -> numpy.typing.NDArray[numpy.float64]"),
          "Acceleration of free fall in the world (m/s^2).");
  struct LimitRow {
    const char *name, *doc;
    double Limits::*which;
    const char* sig;
  };
  for (const LimitRow& each : {
           LimitRow{"lower", "Lower limits of the positions, nv of them, -inf where there is none.", &Limits::lower,
                    "def lower(self) -> numpy.typing.NDArray[numpy.float64]"},
           LimitRow{"upper", "Upper limits of the positions, nv of them, inf where there is none.", &Limits::upper,
                    "def upper(self) -> numpy.typing.NDArray[numpy.float64]"},
           LimitRow{"velocity_limits", "Largest speeds, inf where there is no limit.", &Limits::velocity,
                    "def velocity_limits(self) -> numpy.typing.NDArray[numpy.float64]"},
           LimitRow{"effort_limits", "Largest torques, inf where there is no limit.", &Limits::effort,
                    "def effort_limits(self) -> numpy.typing.NDArray[numpy.float64]"}})
    robot.def_prop_ro(each.name, [which = each.which](const Robot& r) { return limits(r, which); }, nb::sig(each.sig),
                      each.doc);
  robot
      .def(
          "neutral_position", [](const Robot& r) { return new_array(start_position(r)); },
          nb::sig("def neutral_position(self) -> numpy.typing.NDArray[numpy.float64]"),
          "The position with every joint at zero and every quaternion at 1 0 0 0; with loops where they were "
          "assembled.\n\n"
          ">>> import torsor as ts\n>>> ts.load(\"two_link\").neutral_position()\narray([0., 0.])\n")
      .def("with_gravity", with_gravity, "gravity"_a,
           nb::sig("def with_gravity(self, gravity: numpy.typing.ArrayLike) -> Robot"),
           "The same robot under another acceleration of free fall (m/s^2, in the world).\n\n"
           ">>> import torsor as ts\n>>> moon = ts.load(\"two_link\").with_gravity([0, 0, -1.62])\n"
           ">>> moon.gravity\narray([ 0.  ,  0.  , -1.62])\n")
      .def(
          "on_free_base", [](const Robot& robot) { return make_robot(robot.torsor::Robot::on_free_base()); },
          nb::sig("def on_free_base(self) -> Robot"),
          "The same robot with its base, inertia included, on a free joint \"floating_base\".\n\n"
          "Seven numbers more come first in a position (quaternion, place), six in a velocity. Error where it stands "
          "on a free joint already.\n\n"
          ">>> import torsor as ts\n>>> robot = ts.load(\"two_link\").on_free_base()\n>>> robot.nq, robot.nv\n(9, 8)\n")
      .def("with_payload", with_payload, "mass"_a, "com"_a = nb::none(), "inertia"_a = nb::none(),
           "frame"_a = nb::none(),
           nb::sig("def with_payload(self, mass: float, com: numpy.typing.ArrayLike | None = None, "
                   "inertia: numpy.typing.ArrayLike | None = None, frame: str | None = None) -> Robot"),
           "The same robot with a rigid body in its tool.\n\n"
           "mass in kg; com its centre in the frame; inertia xx yy zz xy xz yz about that centre along the frame's "
           "axes\n"
           "(kg m^2; entries of the tensor); frame a tool or link, by default the tool. ValueError for an inertia that "
           "no body has:\n"
           "a negative principal moment, or one larger than the other two together; and for a com or inertia without a "
           "mass.\n\n"
           ">>> import torsor as ts\n>>> robot = ts.load(\"puma560\")\n"
           ">>> loaded = robot.with_payload(2.5, com=[0, 0, 0.1])\n"
           ">>> round(float(loaded.masses.sum() - robot.masses.sum()), 3)\n2.5\n")
      .def("chain", chain, "base"_a = nb::none(), "tool"_a = nb::none(), nb::kw_only(), "hold"_a = nb::none(),
           "followers"_a = "carry",
           nb::sig("def chain(self, base: str | None = None, tool: str | None = None, *, hold: dict[str, float] | None "
                   "= None, "
                   "followers: str = \"carry\") -> Robot"),
           "The chain from a link to a link or tool, a robot of its own; by default from the root to the default "
           "tool.\n\n"
           "What hangs beside it is held rigid, its joints at zero or where hold has them ({joint: rad or m}; a joint "
           "of the chain\n"
           "that is held becomes a fixed one), and becomes part of the inertia of the link that carries it. Joints "
           "that follow one\n"
           "of the chain are carried along, or frozen, which leaves a single chain. notes says what was done.\n\n"
           ">>> import torsor as ts\n>>> arm = ts.load(\"two_arm\").chain(tool=\"left_wrist3\")\n"
           ">>> arm.nv, arm.notes[0].split(\":\")[0]\n(7, 'rigid on \"torso\"')\n")
      .def_prop_ro(
          "notes",
          [](const Robot& r) {
            std::vector<std::string> out;
            for (const Fault& note : r.description().notes) out.push_back(note.what);
            return out;
          },
          "What its reader passed over or assumed, or what was done to cut it out of another: sentences.")
      .def_prop_ro("loops", loop_names, "Names of the loops that are closed; none of a tree.")
      .def_prop_ro(
          "is_serial", [](const Robot& r) { return !r.tree().frames.empty() && r.is_serial(); },
          "Whether it is one chain of joints with one degree of freedom each, with the tool on its last link.")
      .def(
          "to_toml", [](const Robot& r) { return write_robot_toml(r.description()); },
          "The robot as the text of a robot file.\n\n>>> import torsor as ts\n"
          ">>> ts.load(ts.load(\"two_link\").to_toml()).nv\n2\n")
      .def(
          "to_urdf", [](const Robot& r) { return value_of(write_urdf(r.description())); },
          "The robot as the text of a URDF; torsor.Error where a URDF cannot hold it.\n\n>>> import torsor as ts\n"
          ">>> ts.load(ts.load(\"puma560\").to_urdf(), check=False).nv\n6\n")
      .def(
          "to_mjcf", [](const Robot& r) { return value_of(write_mjcf(r.description())); },
          "The robot as the text of an MJCF, for MuJoCo; torsor.Error where an MJCF cannot hold it.\n\n>>> import "
          "torsor as ts\n"
          ">>> ts.load(ts.load(\"puma560\").to_mjcf(), check=False).nv\n6\n")
      .def(
          "to_sdf", [](const Robot& r) { return value_of(write_sdf(r.description())); },
          "The robot as the text of an SDF, for Gazebo and Drake; torsor.Error where an SDF cannot hold it.\n\n>>> "
          "import torsor as ts\n"
          ">>> ts.load(ts.load(\"puma560\").to_sdf(), check=False).nv\n6\n")
      .def("dh_table", dh_text, "form"_a = "text",
           "Its DH table as text, markdown or html: the author's, or the one that its axes give.\n\n>>> import torsor "
           "as ts\n"
           ">>> print(ts.load(\"two_link\").dh_table().splitlines()[0])\n"
           "standard DH: A = Rz(theta) Tz(d) Tx(a) Rx(alpha)\n")
      .def_prop_ro(
          "joint_letters", [](const Robot& r) { return joint_letters(r.tree()); },
          "A letter for every joint that moves: R revolute, P prismatic, H helical, E planar, S spherical, F free.")
      .def_prop_ro(
          "base_name", [](const Robot& r) { return r.description().base_name; }, "What its links call the base.")
      .def_prop_ro(
          "base_mass",
          [](const Robot& r) {
            return r.description().base_parts.empty() ? 0.0 : inertia_of(r.description().base_parts).m;
          },
          "Mass of the base itself (kg), on which no torque depends; not among masses. 0 where the file gives none.")
      .def(
          "__reduce__",
          [](const Robot& r) {
            return nb::make_tuple(nb::module_::import_("torsor._robot").attr("restore"),
                                  nb::make_tuple(text_for_pickles(r.description())));
          },
          nb::sig("def __reduce__(self) -> tuple[object, ...]"))
      .def("__repr__", [](const Robot& r) { return robot_text(r); })
      .def("_repr_html_", [](const Robot& r) { return robot_html(r); });
}

}  // namespace torsor::python
