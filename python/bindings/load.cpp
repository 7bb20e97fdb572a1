// Robots in Python by their name, from files and texts, and what is doubtful about them.
#include <nanobind/stl/string.h>
#include <nanobind/stl/unique_ptr.h>
#include <nanobind/stl/vector.h>

#include "python/bindings/arrays.hpp"
#include "python/bindings/errors.hpp"
#include "python/bindings/robot.hpp"
#include "python/bindings/rooms.hpp"
#include "torsor/check/examination.hpp"

namespace torsor::python {

using namespace nb::literals;

namespace {

// what is doubtful about a robot becomes one warning: its count, the first of it, and where the rest is
void warn(const Robot& robot) {
  const Faults doubts = robot.warnings();
  if (doubts.empty()) return;
  Fault first = doubts.front();
  first.remedy = in_python(std::move(first.remedy));
  std::string text = to_string(first);
  if (doubts.size() > 1)
    text = std::to_string(doubts.size()) + " doubts about \"" + printable(robot.name()) +
           "\"; torsor.check(robot) lists them all. The first: " + text;
  const nb::object category = nb::module_::import_("torsor._error").attr("RobotWarning");
  if (PyErr_WarnEx(category.ptr(), text.c_str(), 1) < 0) throw nb::python_error();
}

/// A dict of names and values, which may be numbers or truth values: as xacro takes them from a command line.
void take_pairs(const char* argument, nb::handle given, std::map<std::string, std::string>& into) {
  if (given.is_none()) return;
  if (!nb::isinstance<nb::dict>(given)) refuse("load", std::string(argument) + " is no dict; expected {name: value}");
  for (const auto& [key, value] : nb::borrow<nb::dict>(given)) {
    const bool truth = nb::isinstance<nb::bool_>(value);
    const std::string text = nb::cast<std::string>(nb::str(value));
    into[nb::cast<std::string>(nb::str(key))] = truth ? (text == "True" ? "true" : "false") : text;
  }
}

}  // namespace

torsor::LoadOptions load_options(nb::handle arguments, nb::handle packages, nb::handle environment) {
  torsor::LoadOptions options;
  take_pairs("arguments", arguments, options.arguments);
  take_pairs("environment", environment, options.environment);
  if (packages.is_none()) return options;
  if (nb::isinstance<nb::dict>(packages)) {
    take_pairs("packages", packages, options.packages);
  } else if (nb::isinstance<nb::list>(packages) || nb::isinstance<nb::tuple>(packages)) {
    for (const nb::handle each : packages) options.package_folders.push_back(nb::cast<std::string>(nb::str(each)));
  } else {
    options.package_folders.push_back(nb::cast<std::string>(nb::str(packages)));
  }
  return options;
}

namespace {

std::unique_ptr<Robot> load(nb::handle source, bool check, nb::handle base, nb::handle arguments, nb::handle packages,
                            nb::handle environment) {
  const std::string on = base.is_none() ? "fixed" : string_of("load", "base", base);
  if (on != "fixed" && on != "floating")
    refuse("load", "base is \"" + printable(on) + "\"; expected \"floating\" or \"fixed\"");
  std::string text = path_of("load", "source", source);
  if (text.empty() || text == "-")
    refuse("load", "\"" + text + "\" names no robot; expected a name, a path or the text of a robot");
  torsor::LoadOptions options = load_options(arguments, packages, environment);
  if (text.starts_with("robot_descriptions:")) {
    const nb::object found = nb::module_::import_("torsor._descriptions").attr("find")(text);
    text = nb::cast<std::string>(found[0]);
    for (const auto& [name, value] : nb::cast<nb::dict>(found[1]))
      options.arguments.emplace(nb::cast<std::string>(name), nb::cast<std::string>(value));
    if (const auto folder = nb::cast<std::string>(found[2]); !folder.empty()) options.package_folders.push_back(folder);
  }
  const torsor::Robot loaded = value_of(torsor::Robot::try_load(text, options));
  auto robot = make_robot(on == "floating" ? loaded.on_free_base() : loaded);
  if (check) warn(*robot);
  return robot;
}

nb::object check(const Robot& robot) {
  Faults found;
  for (const Finding& finding : examine(robot.description(), robot.tree()).findings) found.push_back(finding.error);
  return faults_of(found);
}

std::vector<std::string> robots(bool loops) { return loops ? Robot::names_with_loops() : Robot::names(); }

}  // namespace

void bind_load(nb::module_& m) {
  m.def("load", load, "source"_a, "check"_a = true, nb::kw_only(), "base"_a = nb::none(), "arguments"_a = nb::none(),
        "packages"_a = nb::none(), "environment"_a = nb::none(),
        nb::sig("def load(source: str | os.PathLike[str], check: bool = True, *, base: str | None = None, arguments: "
                "dict[str, object] | None = None, "
                "packages: dict[str, str | os.PathLike[str]] | str | os.PathLike[str] | list[str] | None = None, "
                "environment: dict[str, str] | None = None) -> Robot"),
        R"(A robot by its name, from a file, or from text.

source: the name of a robot that comes with the package (see :func:`robots`), the path of a robot file (TOML) or of a
URDF, MJCF, SDF or xacro, the text of any of these, or `robot_descriptions:NAME`, a robot of that package where it is installed. A xacro is expanded with `arguments` ({name: value}, for $(arg name));
`packages` says where $(find name) looks: folders by name, or one folder or several with packages in them; `environment`
is what $(env name) sees. Faults raise :class:`Error`, with every one of them in it. What is doubtful about the
numbers (an inertia that no body has, degrees that look like radians) is warned of, once with how many doubts there are
(:func:`check` lists them), unless check is False. base="floating" puts the robot on a free base: see Robot.on_free_base.

>>> import torsor as ts
>>> ts.load("puma560").nv
6
>>> ts.load("puma560", base="floating", check=False).nv
12
>>> urdf = ts.load("two_link").to_urdf()
>>> ts.load(urdf).nv
2
)");
  m.def("_expect_tree", &Robot::expect_tree, "robot"_a);
  m.def("robots", robots, nb::kw_only(), "loops"_a = false,
        R"(Names of the robots that come with the package and are trees; or of those with closed loops.

>>> import torsor as ts
>>> "puma560" in ts.robots()
True
>>> ts.robots(loops=True)
['ankle', 'delta', 'excavator', 'five_bar', 'four_bar_knee', 'palletising_arm', 'parallel_gripper_arm', 'stewart_robot']
)");
  m.def("check", check, "robot"_a, nb::sig("def check(robot: Robot) -> list[torsor._error.Fault]"),
        R"(What is doubtful or impossible about the numbers of a robot: a list of :class:`Fault`.

>>> import torsor as ts
>>> ts.check(ts.load("two_link"))
[]
)");
}

}  // namespace torsor::python
