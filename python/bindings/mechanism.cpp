// Mechanisms with closed loops in Python: loading, and what can be seen of them.
#include "python/bindings/mechanism.hpp"

#include <nanobind/stl/map.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <algorithm>
#include <cmath>
#include <filesystem>

#include "python/bindings/errors.hpp"
#include "python/bindings/mechanism_instants.hpp"
#include "python/bindings/robot.hpp"
#include "python/bindings/rooms.hpp"
#include "torsor/files/embedded_robots.hpp"
#include "torsor/files/load_mechanism.hpp"
#include "torsor/files/load_robot.hpp"
#include "torsor/files/mechanism_toml.hpp"
#include "torsor/files/robot_toml_writer.hpp"
#include "torsor/text/text_file.hpp"

namespace torsor::python {
namespace {

using namespace nb::literals;
using Numbers = std::vector<double>;
using Settings = std::map<std::string, double>;

std::vector<std::string> mechanisms() {
  std::vector<std::string> names;
  for (const EmbeddedFile& file : embedded_mechanisms()) names.emplace_back(file.name);
  return names;
}

/// The mechanism of a text; what it names comes from the sources, and is kept.
LoadedMechanism made(std::string text, std::string file, const MechanismSources& sources, Settings set) {
  LoadedMechanism out;
  std::vector<ParameterSetting> settings;
  for (const auto& [name, value] : set) settings.push_back({name, value});
  MechanismSources kept;
  // without sources there are the robots of the library alone
  if (sources.robot)
    kept.robot = [&](const std::string& name) {
      auto robot = sources.robot(name);
      if (robot) out.robots[name] = write_robot_toml(*robot);
      return robot;
    };
  if (sources.text)
    kept.text = [&](const std::string& name) {
      auto table = sources.text(name);
      if (table) out.tables[name] = *table;
      return table;
    };
  static_cast<Mechanism&>(out) = value_of(build(value_of(read_mechanism_toml(text, file, kept, settings))));
  out.text = std::move(text);
  out.file = std::move(file);
  out.set = std::move(set);
  return out;
}

LoadedMechanism load_from(nb::handle source, const Settings& set) {
  for (const auto& [name, value] : set)
    if (!std::isfinite(value)) refuse("load_mechanism", "set: \"" + name + "\" is no finite number; expected one");
  const std::string text = path_of("load_mechanism", "source", source);
  if (text.empty() || text == "-")
    refuse("load_mechanism", "\"" + text + "\" names no mechanism; expected a name, a path or the text of a mechanism");
  if (text.find('\n') != std::string::npos) return made(text, "text", {}, set);
  const auto known = embedded_mechanisms();
  const auto found =
      std::find_if(known.begin(), known.end(), [&](const EmbeddedFile& each) { return each.name == text; });
  std::error_code ignored;
  if (found != known.end() && !std::filesystem::is_regular_file(text, ignored))
    return made(std::string(found->text), text + ".toml", {}, set);
  // what is no file at all the library explains
  if (!std::filesystem::is_regular_file(text, ignored)) raise(load_mechanism(text).faults());
  return made(value_of(read_text_file(text)), text, sources_beside(text), set);
}

/// A mechanism that was pickled.
LoadedMechanism restore(const std::string& text, const std::string& file, const LoadedMechanism::Texts& robots,
                        const LoadedMechanism::Texts& tables, const Settings& set) {
  const auto missing = [](const std::string& name) { return Fault{{}, name, "file-read", "it was not pickled", ""}; };
  MechanismSources sources;
  if (!robots.empty())
    sources.robot = [&](const std::string& name) {
      const auto kept = robots.find(name);
      return kept == robots.end() ? Result<Description>(missing(name)) : read_robot_text(kept->second, name);
    };
  sources.text = [&](const std::string& name) {
    const auto kept = tables.find(name);
    return kept == tables.end() ? Result<std::string>(missing(name)) : Result<std::string>(kept->second);
  };
  return made(text, file, sources, set);
}

LoadedMechanism of_robot(const Robot& robot, nb::handle q, nb::handle qd) {
  const char* const function = "mechanism_of_robot";
  LoadedMechanism out;
  out.q = q.is_none() ? neutral_position(robot.model()) : vector_of(function, "q", q, robot.model().nq);
  out.qd = qd.is_none() ? Numbers(static_cast<std::size_t>(robot.model().nv))
                        : vector_of(function, "qd", qd, robot.model().nv);
  static_cast<Mechanism&>(out) = value_of(build(value_of(mechanism_of_robot(robot.model(), out.q, out.qd))));
  out.robot = write_robot_toml(robot.description());
  return out;
}

nb::object reduced(const LoadedMechanism& m) {
  const nb::module_ module = nb::module_::import_("torsor._mechanism");
  if (!m.robot.empty())
    return nb::make_tuple(module.attr("restore_robot"), nb::make_tuple(m.robot, new_array(m.q), new_array(m.qd)));
  return nb::make_tuple(module.attr("restore"), nb::make_tuple(m.text, m.file, m.robots, m.tables, m.set));
}

std::vector<std::string> measure_names(const LoadedMechanism& m) { return names_of(reported_measures(m.description)); }

std::vector<std::string> kinds_of(const LoadedMechanism& m) {
  std::vector<std::string> out;
  for (const MechanismJoint& joint : m.description.joints) out.emplace_back(row(joint.kind).name);
  return out;
}

std::string side_name(const MechanismDescription& d, const JointSide& side) {
  if (side.carrier >= 0) return d.carriers[count(side.carrier)].name;
  return side.body == ground ? "ground" : d.bodies[count(side.body)].name;
}

nb::list joints_of(const LoadedMechanism& m) {
  nb::list out;
  for (const MechanismJoint& joint : m.description.joints)
    out.append(nb::make_tuple(side_name(m.description, joint.i), side_name(m.description, joint.j)));
  return out;
}

nb::object masses(const LoadedMechanism& m) {
  Numbers out;
  for (const MechanismBody& body : m.description.bodies) out.push_back(body.m);
  return new_array(out);
}

std::string text_of(const LoadedMechanism& m) {
  const MechanismDescription& d = m.description;
  const auto many = [](std::size_t n, const char* one, const char* more) {
    return std::to_string(n) + " " + (n == 1 ? one : more);
  };
  std::string text = "<torsor.Mechanism '" + d.name + "': " + many(d.bodies.size(), "body", "bodies") + ", " +
                     many(d.joints.size(), "joint", "joints") + ", " + many(count(m.rows), "equation", "equations") +
                     ">";
  constexpr std::size_t most = 16;
  for (std::size_t k = 0; k < std::min(most, d.joints.size()); ++k)
    text += "\n  " + std::string(row(d.joints[k].kind).name) + " '" + d.joints[k].name +
            "': " + side_name(d, d.joints[k].i) + " - " + side_name(d, d.joints[k].j);
  if (d.joints.size() > most) text += "\n  ... and " + std::to_string(d.joints.size() - most) + " more joints";
  return text;
}

}  // namespace

void bind_mechanism(nb::module_& m) {
  nb::class_<LoadedMechanism> mechanism(
      m, "Mechanism", R"(A mechanism: bodies, joints that may close loops, couplings, drivers, actuators.

It never changes: threads may share it, and it can be pickled. Made by :func:`load_mechanism` or :func:`mechanism_of_robot`.

>>> import torsor as ts
>>> ts.load_mechanism("four_bar").body_names
['crank', 'coupler', 'rocker']
)");
  mechanism
      .def_prop_ro(
          "name", [](const LoadedMechanism& x) { return x.description.name; }, "The name that its file gives it.")
      .def_prop_ro(
          "source", [](const LoadedMechanism& x) { return x.description.source; }, "Where its numbers come from.")
      .def_prop_ro(
          "rows", [](const LoadedMechanism& x) { return x.rows; }, "How many equations it has.")
      .def_prop_ro(
          "body_names", [](const LoadedMechanism& x) { return names_of(x.description.bodies); }, "Names of the bodies.")
      .def_prop_ro(
          "joint_names", [](const LoadedMechanism& x) { return names_of(x.description.joints); },
          "Names of the joints.")
      .def_prop_ro("joint_kinds", kinds_of, "Of each joint its kind: 'revolute', 'distance', ...")
      .def_prop_ro("joint_sides", joints_of, nb::sig("def joint_sides(self) -> list[tuple[str, str]]"),
                   "Of each joint the two that it joins: bodies, prescribed frames, or 'ground'.")
      .def_prop_ro(
          "coupling_names", [](const LoadedMechanism& x) { return names_of(x.description.couplings); },
          "Names of gears, belts, racks, cams.")
      .def_prop_ro(
          "driver_names", [](const LoadedMechanism& x) { return names_of(x.description.drivers); },
          "Names of the drivers.")
      .def_prop_ro(
          "actuator_names", [](const LoadedMechanism& x) { return names_of(x.description.actuators); },
          "Names of the actuators.")
      .def_prop_ro("measure_names", measure_names,
                   "What is measured at the joints: 'angle.NAME', 'slide.NAME', 'length.NAME'.")
      .def_prop_ro("masses", masses, nb::sig("def masses(self) -> numpy.typing.NDArray[numpy.float64]"),
                   "Masses of the bodies (kg).")
      .def("__reduce__", reduced, nb::sig("def __reduce__(self) -> tuple[object, ...]"))
      .def("__repr__", text_of);

  m.def("mechanisms", mechanisms, R"(Names of the mechanisms that come with the package.

>>> import torsor as ts
>>> "bricard" in ts.mechanisms()
True
)");
  m.def("load_mechanism", load_from, "source"_a, "set"_a = Settings(),
        nb::sig("def load_mechanism(source: str | os.PathLike[str], set: dict[str, float] = {}) -> Mechanism"),
        R"(A mechanism by its name, from a file, or from text.

source: a name of :func:`mechanisms`, the path of a mechanism file (TOML), or its text. set: numbers of the file's
[parameters], in place of what it says there. Faults raise :class:`Error`.

>>> import torsor as ts
>>> ts.load_mechanism("pendulum").joint_kinds
['revolute']
>>> text = """
... [parameters]
... length = 1.0
... [[body]]
... name = "bob"
... mass = 1
... inertia = [0, 0, 0]
... position = ["= length", 0, 0]
... [[joint]]
... name = "hinge"
... kind = "revolute"
... bodies = ["ground", "bob"]
... point = [0, 0, 0]
... axis = [0, 1, 0]
... """
>>> for length in (0.5, 2.0):
...     run = ts.run_forward(ts.load_mechanism(text, set={"length": length}), time=0.1, interval=0.1)
...     print(length, round(float(run.measures[-1][0]), 3))
0.5 0.098
2.0 0.025
)");
  m.def("_restore_mechanism", restore, "text"_a, "file"_a, "robots"_a, "tables"_a, "set"_a);
  m.def("mechanism_of_robot", of_robot, "robot"_a, "q"_a = nb::none(), "qd"_a = nb::none(),
        nb::sig("def mechanism_of_robot(robot: Robot, q: numpy.typing.ArrayLike | None = None, qd: "
                "numpy.typing.ArrayLike | None = None) -> Mechanism"),
        R"(A robot as a mechanism, its links as bodies, where its joints are q and move with qd (zero if left out).

>>> import torsor as ts
>>> arm = ts.mechanism_of_robot(ts.load("two_link"), [0.3, 0.4])
>>> arm.measure_names
['angle.q1', 'angle.q2']
)");
}

}  // namespace torsor::python
