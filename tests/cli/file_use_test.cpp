// No file that a run reads is written, and none is written twice: whatever the verb, the option and the spelling. The
// arguments that are paths are those that each verb's own help names.
#include <doctest/doctest.h>

#include <algorithm>
#include <filesystem>
#include <sstream>
#include <vector>

#include "command.hpp"
#include "tests/support/mechanism_text.hpp"

using namespace cli_test;

namespace {

namespace fs = std::filesystem;

struct Paths {
  std::string verb;
  std::vector<std::string> read, written;  // `ROBOT`, `--motion`
};

std::vector<std::string> names_of(const std::string& help, const std::string& heading) {
  std::istringstream lines(help.substr(help.find(heading) + heading.size()));
  std::vector<std::string> names;
  for (std::string line; std::getline(lines, line) && !line.empty();) std::istringstream(line) >> names.emplace_back();
  return names;
}

std::vector<std::string> between_commas(std::string text) {
  for (char& c : text)
    if (c == ',' || c == '.' || c == '\n') c = ' ';
  std::istringstream words(text);
  std::vector<std::string> names;
  for (std::string name; words >> name;) names.push_back(name);
  return names;
}

Paths paths_of(const std::string& verb) {
  Paths paths{verb, {}, {}};
  const std::string help = torsor_as_is(verb + " --help").out;
  const std::size_t begin = help.find("\nFiles: ");
  if (begin != std::string::npos) {
    std::string text = help.substr(begin + 8, help.find("\n\n", begin) - begin - 8);
    if (const std::size_t w = text.find("writes "); w != std::string::npos) {
      paths.written = between_commas(text.substr(w + 7));
      text = text.substr(0, w > 2 ? w - 2 : 0);
    }
    if (text.starts_with("reads ")) paths.read = between_commas(text.substr(6));
  }
  // an option that takes a FILE is one of them
  std::istringstream lines(help);
  for (std::string line; std::getline(lines, line);) {
    std::istringstream words(line);
    std::string option, placeholder;
    words >> option >> placeholder;
    if (!line.starts_with("  -") || placeholder.find("FILE") == std::string::npos) continue;
    const std::string name = option.substr(option.rfind(',') + 1);
    INFO(verb << ' ' << name);
    const auto is_in = [&](const std::vector<std::string>& all) {
      return std::find(all.begin(), all.end(), name) != all.end();
    };
    CHECK((is_in(paths.read) || is_in(paths.written)));
  }
  return paths;
}

std::vector<Paths> all_paths() {
  std::vector<Paths> all;
  // verbs stand two blanks in, under their tasks
  std::istringstream lines(torsor_as_is("--help").out);
  std::size_t verbs = 0;
  for (std::string line, verb; std::getline(lines, line);)
    if (line.starts_with("  ") && !line.starts_with("   ") && line[2] != '-' && std::istringstream(line) >> verb) {
      ++verbs;
      if (verb != "mechanism") all.push_back(paths_of(verb));
    }
  REQUIRE(verbs > 30);
  for (const std::string& what : names_of(torsor_as_is("mechanism --help").out, "What:\n"))
    all.push_back(paths_of("mechanism " + what));
  return all;
}

// the argument with that path, and before it the words that stand in front of it
std::string argument(const Paths& paths, const std::string& name, const std::string& path) {
  if (name.starts_with("--")) return ' ' + name + ' ' + path;
  std::string text;
  for (const std::string& each : paths.read) {
    if (each == name) break;
    if (!each.starts_with("--")) text += " nothing";
  }
  return text + ' ' + path;
}

const std::string precious = "name = \"precious\"\n";

struct Links {
  Links() {
    write("precious.toml", precious);
    fs::create_directories(folder() / "sub");
    for (const char* link : {"soft.toml", "soft2.toml", "hard.toml"}) fs::remove(folder() / link);
    fs::create_symlink("precious.toml", folder() / "soft.toml");
    fs::create_symlink("soft.toml", folder() / "soft2.toml");
    fs::create_hard_link(folder() / "precious.toml", folder() / "hard.toml");
  }
  std::vector<std::string> spellings{"precious.toml", "./sub/../precious.toml", "soft.toml", "soft2.toml", "hard.toml"};
};

void check_refused(const std::string& arguments) {
  CAPTURE(arguments);
  const Outcome outcome = torsor_as_is(arguments);
  CHECK(outcome.code == 2);
  CHECK(tells(outcome.err, "same-file"));
  CHECK(read(path("precious.toml")) == precious);
}

}  // namespace

TEST_CASE("no verb writes a file that it reads, by whatever name") {
  const Links links;
  std::size_t pairs = 0, turn = 0;
  for (const Paths& paths : all_paths())
    for (const std::string& output : paths.written)
      for (const std::string& input : paths.read) {
        ++pairs;
        const std::string& one = links.spellings[turn++ % links.spellings.size()];
        const std::string& other = links.spellings[turn / links.spellings.size() % links.spellings.size()];
        // an output without an option stands behind the input
        const std::string written = (output.starts_with('-') ? ' ' + output : "") + ' ' + other;
        check_refused(paths.verb + argument(paths, input, one) + written);
        check_refused(paths.verb + argument(paths, input, "-") + written + " <precious.toml");
      }
  CHECK(pairs > 40);
}

TEST_CASE("no verb writes two results into one file, there already or not") {
  const Links links;
  fs::remove(folder() / "loose.toml");
  fs::create_symlink("sub/new.toml", folder() / "loose.toml");
  std::size_t pairs = 0, turn = 0;
  for (const Paths& paths : all_paths())
    for (const std::string& one : paths.written)
      for (const std::string& other : paths.written) {
        if (one >= other) continue;
        ++pairs;
        const auto both = [&](const std::string& a, const std::string& b) {
          check_refused(paths.verb + argument(paths, one, a) + argument(paths, other, b));
        };
        both("precious.toml", links.spellings[turn++ % links.spellings.size()]);
        both("sub/new.toml", turn % 2 == 0 ? "loose.toml" : "./sub/../sub/new.toml");
      }
  CHECK(pairs > 10);
  CHECK_FALSE(fs::exists(path("sub/new.toml")));
}

TEST_CASE("a file that standard output goes into is neither read nor a second result") {
  const Links links;
  for (const Paths& paths : all_paths()) {
    for (const std::string& input : paths.read)
      check_refused(paths.verb + argument(paths, input, "hard.toml") + " >>precious.toml");
    for (const std::string& output : paths.written)
      check_refused(paths.verb + argument(paths, output, "soft.toml") + " >>precious.toml");
  }
}

TEST_CASE("what is gathered beside a result is no file that is read") {
  write("m.csv.partial", precious);
  const Outcome outcome = torsor_as_is("id two_link --motion m.csv.partial -o m.csv");
  CHECK(outcome.code == 2);
  CHECK(tells(outcome.err, "same-file", {"m.csv", "--motion", "--output"}));
  CHECK(read(path("m.csv.partial")) == precious);
}

TEST_CASE("a result that no option names, and a file that another names, are minded as well") {
  write("precious.toml", precious);
  for (const char* link : {"arm-report.html", "in-plot.html", "in.csv", "arm.toml"}) fs::remove(folder() / link);
  fs::create_hard_link(folder() / "precious.toml", folder() / "arm-report.html");
  check_refused("report arm.toml --motion precious.toml");
  fs::create_symlink("precious.toml", folder() / "in-plot.html");
  fs::create_symlink("precious.toml", folder() / "in.csv");
  check_refused("plot in.csv");
  check_refused("check puma560 nothing.toml precious.toml >>precious.toml");
  check_refused("bench --robots puma560,precious.toml --markdown ./precious.toml");

  REQUIRE(torsor_as_is("convert two_link -o arm.toml").code == 0);
  const std::string arm = read(path("arm.toml"));
  REQUIRE(torsor_as_is("control arm.toml --laws pd --write experiment.toml --rest 0.01 --duration 0.05").code != 2);
  const Outcome over = torsor_as_is("control --experiment experiment.toml -o arm.toml");
  CHECK(over.code == 2);
  CHECK(tells(over.err, "same-file"));
  CHECK(read(path("arm.toml")) == arm);
}

TEST_CASE("a table that a mechanism file names is no file for its results") {
  const std::string table = "t,f\n0,0\n1,1\n2,2\n3,3\n4,4\n";
  write("table.csv", table);
  write("slider.toml",
        "[run]\ntime = 1\ninterval = 0.5\n" + mechanism_text::body("a", "", 1) +
            mechanism_text::joint("j", "translational", "ground", "a", "point = [0, 0, 0]; axis = [0, 0, 1]") +
            mechanism_text::block("driver", "d", "joint = \"j\"; function = { table = \"table.csv\" }"));
  REQUIRE(torsor_as_is("mechanism kinematics slider.toml -o rows.csv").code == 0);
  const Outcome over = torsor_as_is("mechanism kinematics slider.toml -o table.csv");
  CAPTURE(over.err);
  CHECK(over.code == 2);
  CHECK(tells(over.err, "same-file", {"table.csv", "--output"}));
  CHECK(read(path("table.csv")) == table);
  // of that name in another folder it is another file
  fs::create_directories(folder() / "sub");
  fs::rename(folder() / "slider.toml", folder() / "sub/slider.toml");
  write("sub/table.csv", table);
  CHECK(torsor_as_is("mechanism kinematics sub/slider.toml -o table.csv").code == 0);
  CHECK(tells(torsor_as_is("mechanism kinematics sub/slider.toml -o sub/table.csv").err, "same-file"));
}

TEST_CASE("what an input includes or needs is no file for results: text, meshes, tables, packages") {
  fs::create_directories(folder() / "sub");
  const std::string inertial =
      "<inertial><mass value='%'/><inertia ixx='1' iyy='1' izz='1.5' ixy='0' ixz='0' iyz='0'/></inertial>";
  const auto link = [&](std::string text, const std::string& mass) { return text.replace(text.find('%'), 1, mass); };
  const std::string hinge = "<joint name='j' type='continuous'><parent link='base'/><child link='a'/></joint>";
  const std::string xacro = "<robot name='m' xmlns:xacro='http://www.ros.org/wiki/xacro'>";
  const std::string solid =
      "solid s\nfacet normal 0 0 -1\nouter loop\nvertex 0 0 0\nvertex 0 0.1 0\nvertex 0.1 0 0\nendloop\nendfacet\n"
      "facet normal 0 -1 0\nouter loop\nvertex 0 0 0\nvertex 0.1 0 0\nvertex 0 0 0.1\nendloop\nendfacet\n"
      "facet normal -1 0 0\nouter loop\nvertex 0 0 0\nvertex 0 0 0.1\nvertex 0 0.1 0\nendloop\nendfacet\n"
      "facet normal 1 1 1\nouter loop\nvertex 0.1 0 0\nvertex 0 0.1 0\nvertex 0 0 0.1\nendloop\nendfacet\nendsolid s\n";
  const std::pair<std::string, std::string> files[] = {
      {"main.xacro", xacro + "<xacro:include filename='link.xacro'/><xacro:include filename='joint.urdf'/>"
                             "<link name='base'/><xacro:lk n='a'/></robot>"},
      {"link.xacro", xacro + "<xacro:macro name='lk' params='n'><link name='${n}'>" + link(inertial, "1") +
                         "</link></xacro:macro></robot>"},
      {"joint.urdf", "<robot>" + hinge + "</robot>"},
      {"found.xacro",
       xacro + "<xacro:include filename='$(find pack)/joint.urdf'/><link name='base'/><link name='a'/></robot>"},
      {"package.xml", "<package><name>pack</name></package>"},
      {"yaml.xacro",
       xacro +
           "<xacro:property name='c' value=\"${xacro.load_yaml('mass.yaml')}\"/><link name='base'/><link name='a'>" +
           link(inertial, "${c[\"m\"]}") + "</link>" + hinge + "</robot>"},
      {"mass.yaml", "m: 2.5\n"},
      {"main.xml",
       "<mujoco><include file='part.xml'/><worldbody><body name='a'><joint name='j' axis='0 0 1'/>"
       "<geom type='box' size='.1 .1 .1' mass='1'/></body></worldbody></mujoco>"},
      {"part.xml", "<mujoco><option gravity='0 0 -9.81'/></mujoco>"},
      {"mesh.xml",
       "<mujoco><asset><mesh name='m' file='mesh.stl'/></asset><worldbody><body name='a'>"
       "<joint name='j' axis='0 0 1'/><geom type='mesh' mesh='m'/></body></worldbody></mujoco>"},
      {"mesh.stl", solid},
      {"mesh.urdf",
       "<robot name='m'><link name='base'/><link name='a'><visual><geometry><mesh filename='mesh.stl'/>"
       "</geometry></visual></link>" +
           hinge + "</robot>"},
      {"main.sdf",
       "<sdf version='1.7'><model name='m'><link name='b'/><include><uri>sub</uri><name>s</name></include>"
       "<joint name='f' type='fixed'><parent>world</parent><child>b</child></joint>"
       "<joint name='j' type='revolute'><parent>b</parent><child>s::l</child><axis><xyz>0 0 "
       "1</xyz></axis></joint></model></sdf>"},
      {"sub/model.config", "<model><name>s</name><sdf version='1.7'>model.sdf</sdf></model>"},
      {"sub/model.sdf",
       "<sdf version='1.7'><model name='s'><link name='l'><inertial><mass>1</mass><inertia><ixx>0.1</ixx>"
       "<iyy>0.1</iyy><izz>0.1</izz></inertia></inertial></link></model></sdf>"},
      {"hung.toml", "name = \"hung\"\nrobot = \"main.xacro\"\n[run]\ntime = 0.1\ninterval = 0.05\n"},
  };
  for (const auto& [name, text] : files) write(name, text);
  const auto check_as_before = [&] {
    for (const auto& [name, text] : files) CHECK(read(path(name)) == text);
  };
  struct Row {
    std::string arguments, spared, other;  // the same into the other file is right
  };
  const Row rows[] = {
      {"show main.xacro --html", "link.xacro", "other.html"},
      {"show main.xacro --svg", "joint.urdf", "other.svg"},
      {"convert main.xacro -o", "joint.urdf", "other.urdf"},
      {"codegen main.xacro --functions id -o", "link.xacro", "other.c"},
      {"structure main.xacro --html", "./sub/../joint.urdf", "other.html"},
      {"check two_link main.xacro >>", "link.xacro", "other.txt"},
      {"show found.xacro --html", "package.xml", "other.html"},
      {"show yaml.xacro --html", "mass.yaml", "other.html"},
      {"convert main.xml -o", "part.xml", "other.xml"},
      {"show mesh.xml --html", "mesh.stl", "other.html"},
      {"inertia mesh.urdf --density 1000 -o", "mesh.stl", "other.urdf"},
      {"convert main.sdf -o", "sub/model.sdf", "other.sdf"},
      {"show main.sdf --html", "sub/model.sdf", "other.html"},
      {"show main.sdf --html", "sub/model.config", "other.html"},
      {"mechanism simulate hung.toml -o", "link.xacro", "other.csv"},
      {"mechanism simulate hung.toml --html", "joint.urdf", "other.html"},
  };
  for (const auto& [arguments, spared, other] : rows) {
    const std::string command = arguments + ' ' + spared;
    CAPTURE(command);
    const Outcome outcome = torsor_as_is(command);
    CAPTURE(outcome.err);
    CHECK(outcome.code == 2);
    CHECK(tells(outcome.err, "same-file"));
    check_as_before();
    CHECK(torsor(arguments + ' ' + other).code == 0);
    check_as_before();
  }
}

TEST_CASE("devices, and two runs one after the other, are no clash") {
  write("same.csv", "t,q1,q2\n0,0,0\n1,1,1\n2,0,0\n");
  CHECK(torsor_as_is("id two_link --motion same.csv -o /dev/null --html /dev/null").code == 0);
  CHECK(torsor_as_is("id two_link --motion - -o - <same.csv").code == 0);
  const Outcome printed = torsor_as_is("id two_link --motion same.csv -o /dev/stdout");
  CHECK(printed.code == 0);
  CHECK(printed.out == torsor_as_is("id two_link --motion same.csv").out);
}
