// MJCF files read: torques and frames are MuJoCo's (tests/mjcf, values by tools/mjcf-golden), faults are named with file and
// line, and no file takes long.
#include "torsor/files/mjcf_reader.hpp"

#include <doctest/doctest.h>
#include <unistd.h>

#include <ctime>
#include <filesystem>
#include <fstream>

#include "tests/files/file_text.hpp"
#include "tests/support/golden.hpp"
#include "tests/support/random_robot.hpp"
#include "tests/support/sanitized.hpp"
#include "torsor/dynamics/tree_dynamics.hpp"
#include "torsor/files/loops_of_mjcf.hpp"
#include "torsor/kinematics/forward_kinematics.hpp"
#include "torsor/model/transmission.hpp"

using namespace torsor;
using namespace torsor::testing;

namespace {

Description read_model(const std::string& name) {
  const std::string path = places::in_project("tests/mjcf/") + name + ".xml";
  auto robot = read_mjcf(contents(path), path);
  for (const Fault& error : robot.faults()) MESSAGE(to_string(error));
  REQUIRE(robot);
  return *std::move(robot);
}

Description read_text(const std::string& text) {
  auto robot = read_mjcf(text, "robot.xml");
  for (const Fault& error : robot.faults()) MESSAGE(to_string(error));
  REQUIRE(robot);
  return *std::move(robot);
}

/// One body with this in it, in a world with this before it.
std::string model(const std::string& body, const std::string& before = "") {
  return "<mujoco>" + before + "<worldbody><body name='b'>" + body + "</body></worldbody></mujoco>";
}
const std::string ball = "<geom size='0.1'/>";

const LinkDescription& link_named(const Description& d, const std::string& name) {
  for (const LinkDescription& link : d.links)
    if (link.name == name) return link;
  FAIL("no link " << name);
  return d.links.front();
}

Transform<double> pose(const Model<double>& m, const std::string& name, const Numbers& q) {
  std::vector<Transform<double>> X(m.bodies.size());
  Configuration<double> at(m);
  at.set(m, q);
  forward_kinematics<double>(m, at, X);
  for (const auto& frame : m.frames)
    if (frame.name == name) return frame_pose<double>(frame, X);
  const int body = m.body_index(name);
  REQUIRE(body >= 0);
  return X[body] * m[body].link;
}

void check_against_mujoco(const std::string& name, std::size_t frames) {
  CAPTURE(name);
  const Model<double> m = built(read_model(name));
  const Json file = Json::parse(contents(places::in_project("tests/mjcf/") + name + ".json"));
  REQUIRE(file.at("states").size() == 3);
  for (const Json& state : file.at("states")) {
    const Numbers q = numbers(state.at("q")), qd = numbers(state.at("qd")), qdd = numbers(state.at("qdd"));
    REQUIRE(q.size() == static_cast<std::size_t>(m.nq));
    Numbers tau(qd.size());
    TreeDynamics<double>(m).inverse(q, qd, qdd, tau);
    CHECK(relative(tau, numbers(state.at("tau"))) < 1e-9);
    CHECK(state.at("frames").size() == frames);
    for (const auto& [frame, values] : state.at("frames").items()) {
      const auto& which = frame;  // clang captures no structured binding
      CAPTURE(which);
      const Numbers x = numbers(values);
      const Transform<double> X = pose(m, frame, q);
      const Mat3<double> R = rotation(Quaternion<double>{x[3], x[4], x[5], x[6]});
      CHECK(norm(X.p - Vec3<double>{x[0], x[1], x[2]}) < 1e-12);
      CHECK(norm(X.R.x - R.x) + norm(X.R.y - R.y) + norm(X.R.z - R.z) < 1e-12);
    }
  }
}

std::string rules(const std::string& text) { return faults_of(read_mjcf(text, "robot.xml")); }

double seconds(const std::string& text, bool& read) {
  // of the processor: whoever else runs on the machine does not count
  const std::clock_t start = std::clock();
  read = static_cast<bool>(read_mjcf(text, "robot.xml"));
  return static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC;
}

}  // namespace

TEST_CASE("torques and frames of an MJCF are MuJoCo's") {
  check_against_mujoco("arm", 7);
  check_against_mujoco("floating", 4);
  check_against_mujoco("compiled", 3);
  check_against_mujoco("parts", 7);
  check_against_mujoco("wrist", 2);
  check_against_mujoco("hollow", 5);
  check_against_mujoco("meshes", 4);
  check_against_mujoco("armature", 6);
}

TEST_CASE("limits, gears and couplings are those of the file") {
  const Description arm = read_model("arm");
  CHECK(link_named(arm, "turret").limits.upper == doctest::Approx(2.96705973));
  CHECK(link_named(arm, "fore").rotor->gear == 3);
  CHECK(link_named(arm, "fore").rotor->inertia * 9 == doctest::Approx(0.01));
  const LinkDescription& left = link_named(arm, "left");
  CHECK(left.limits.effort == 40);
  // what the other finger adds, seen through the ratio
  CHECK(left.rotor->inertia * 400 == doctest::Approx(0.3 + 2.25 * 0.3));
  const Mimic right = *link_named(arm, "right").mimic;
  CHECK(right.joint == "left_finger");
  CHECK(right.ratio == -1.5);
  CHECK(right.offset == doctest::Approx(0.014));
  CHECK(arm.links.size() == 8);  // three joints on one body
  CHECK(arm.tools.back().name == "wrist");

  const Description wrist = read_model("wrist");
  REQUIRE(wrist.transmissions.size() == 1);
  const Model<double> m = built(wrist);
  Numbers motor(2);
  motor_torques(m, Numbers{1, 0}, motor);
  // both motors share the bending: tau = gear * coef * (m1 + m2)
  CHECK(motor[0] == doctest::Approx(1 / (30 * 0.5 * 2)));
  CHECK(motor[1] == doctest::Approx(1 / (30 * 0.5 * 2)));
}

TEST_CASE("angles, limits and flags follow the compiler and the options") {
  const std::string joint = "<joint name='j' range='-10 20' stiffness='2' damping='3' frictionloss='4'/>" + ball;
  CHECK(link_named(read_text(model(joint)), "b").limits.upper == doctest::Approx(0.34906585));
  CHECK(link_named(read_text(model(joint, "<compiler angle='radian'/>")), "b").limits.upper == 20);
  const std::string free = model("<joint limited='false' range='-1 1'/>" + ball);
  CHECK(std::isinf(link_named(read_text(free), "b").limits.upper));
  CHECK(rules(model(joint, "<compiler autolimits='false'/>")) == "1 limit-auto");

  const auto law = [&](const std::string& flag) {
    return link_named(read_text(model(joint, "<option><flag " + flag + "='disable'/></option>")), "b").friction.value();
  };
  CHECK(law("spring").table.values.empty());
  CHECK(law("spring").viscous == 3);
  CHECK(law("damper").viscous == 0);
  CHECK(law("frictionloss").coulomb_positive == 0);
  CHECK(norm(read_text(model(ball, "<option><flag gravity='disable'/></option>")).gravity) == 0);
  const std::string pair =
      "<mujoco><option><flag equality='disable'/></option><worldbody><body name='a'><joint name='j'/>" + ball +
      "</body><body name='b'><joint name='k'/>" + ball +
      "</body></worldbody><equality><joint joint1='j' joint2='k'/></equality></mujoco>";
  CHECK_FALSE(link_named(read_text(pair), "a").mimic);
}

TEST_CASE("a joint that an equality holds does not move") {
  const Description d = read_text(
      "<mujoco><worldbody><body name='a'><joint name='j' axis='1 0 0'/>" + ball + "</body></worldbody>"
      "<equality><joint joint1='j' polycoef='0.5 0 0 0 0'/></equality></mujoco>");
  CHECK(link_named(d, "a").kind == JointKind::fixed);
  CHECK(std::get<JointPlacement>(link_named(d, "a").geometry).X_parent_joint.R.y.y == doctest::Approx(std::cos(0.5)));
}

TEST_CASE("what is not computed is a warning, what is passed over a note") {
  const Description d = read_text("<mujoco><option density='1.2'/><worldbody><body gravcomp='1'><joint/>" + ball +
                                  "</body></worldbody><contact/><sensor/></mujoco>");
  std::string found;
  for (const Fault& note : d.notes) found += note.rule + (note.severity == Severity::warning ? "! " : " ");
  CHECK(found == "medium-unused! element-ignored gravcomp-unused! ");
}

TEST_CASE("springs and dampers of balls and tendons are warned of, and change nothing that is computed") {
  const auto both = [](const std::string& ball_forces, const std::string& tendon_forces,
                       const std::string& option = "") {
    return read_text("<mujoco>" + option + "<worldbody><body name='a'><joint name='i' type='ball' " + ball_forces +
                     "/>" + ball + "<body name='b' pos='0 0 1'><joint name='j'/>" + ball +
                     "</body></body></worldbody><tendon><fixed name='t' " + tendon_forces +
                     "><joint joint='j' coef='2'/></fixed></tendon></mujoco>");
  };
  const auto warnings = [](const Description& d) {
    std::string rules;
    for (const Fault& note : d.notes)
      if (note.severity == Severity::warning) rules += note.rule + " ";
    return rules;
  };
  for (const char* force : {"stiffness='3'", "damping='3'", "frictionloss='3'"}) {
    CAPTURE(force);
    CHECK(warnings(both(force, "")) == "joint-force-unused ");
    CHECK(warnings(both("", force)) == "tendon-force-unused ");
    const Description d = both(force, force);
    CHECK_FALSE(link_named(d, "a").friction);
    CHECK_FALSE(link_named(d, "b").friction);
  }
  CHECK(warnings(both("", "")) == "");
  CHECK(warnings(both("", "stiffness='0' damping='0'")) == "");
  const char* const off = "<option><flag spring='disable' damper='disable'/></option>";
  CHECK(warnings(both("damping='3' stiffness='1'", "damping='3' stiffness='1'", off)) == "");
  CHECK(warnings(both("frictionloss='3'", "", off)) == "joint-force-unused ");
  // the inertia of a tendon of one joint is that joint's, beside a spring that is passed over
  CHECK(link_named(both("", "stiffness='3' armature='5'"), "b").rotor.value().inertia == doctest::Approx(20));
}

TEST_CASE("armature of a ball joint is a rotor, and a free joint with armature is four joints") {
  CHECK(link_named(read_text(model("<joint type='ball' armature='0.1'/>" + ball)), "b").rotor.value().inertia == 0.1);
  const Description d = read_text(
      "<mujoco><worldbody><body name='c' pos='1 2 3'><joint name='j.x'/>" + ball +
      "</body><body name='b' pos='4 5 6' euler='0 0 90'><joint name='j' type='free' armature='0.1'/>" + ball +
      "</body></worldbody></mujoco>");
  REQUIRE(d.links.size() == 5);
  const Model<double> m = built(d);
  CHECK(m.position_names == std::vector<std::string>{"j.x", "j.x_", "j.y", "j.z", "j.e0", "j.e1", "j.e2", "j.e3"});
  CHECK(m.rotor == Numbers{0, 0.1, 0.1, 0.1, 0.1, 0.1, 0.1});
  CHECK(d.links.back().name == "b");
  CHECK(norm(pose(m, "b", {0, 1, 2, 3, 1, 0, 0, 0}).p - Vec3<double>{1, 2, 3}) < 1e-15);  // absolute, as MuJoCo's
  bool told = false;
  for (const Fault& note : d.notes) told = told || (note.rule == "free-armature" && note.severity != Severity::warning);
  CHECK(told);
  // a mechanism starts where the file puts it
  const auto mechanism = read_mjcf_mechanism(
      "<mujoco><worldbody><body name='b' pos='4 5 6' quat='0.6 0.8 0 0'><joint type='free' armature='0.1'/>" + ball +
          "</body></worldbody></mujoco>",
      "robot.xml");
  REQUIRE(mechanism);
  REQUIRE(mechanism->bodies.size() == 7);  // four links, and the rotors of three
  CHECK(mechanism->bodies[3].name == "b");
  CHECK(norm(mechanism->bodies[3].X_world_body.p - Vec3<double>{4, 5, 6}) < 1e-14);
  CHECK(mechanism->bodies[3].X_world_body.R.y.z == doctest::Approx(0.96).epsilon(1e-14));
  // without armature it is one joint
  CHECK(read_text(model("<freejoint/>" + ball)).links.size() == 1);
  // of an actuator that is not read it would be lost
  const auto actuator = [](const std::string& joint, const std::string& drive) {
    return "<mujoco><worldbody><body name='b'>" + joint + ball +
           "<site name='s'/></body></worldbody><actuator><general " + drive + " armature='1'/></actuator></mujoco>";
  };
  CHECK(link_named(read_text(actuator("<joint name='j' type='ball'/>", "joint='j' gear='3 1 2'")), "b")
            .rotor.value()
            .inertia == 9);
  CHECK(rules(actuator("<joint name='j' type='free' armature='2'/>", "joint='j'")) == "1 actuator-armature");
  CHECK(rules(actuator("<joint name='j' type='free'/>", "joint='j'")) == "1 actuator-armature");
  CHECK(rules(actuator("<joint name='j'/>", "site='s'")) == "1 actuator-armature");
}

TEST_CASE("an equality of fixed tendons couples their joints") {
  const auto read = [](const std::string& tendons, const std::string& equality, const std::string& refs = "") {
    return read_text("<mujoco><compiler angle='radian'/><worldbody><body name='a'><joint name='i' " + refs + "/>" +
                     ball + "<body name='b' pos='0 0 1'><joint name='j'/>" + ball +
                     "</body></body></worldbody><equality>" + equality + "</equality><tendon>" + tendons +
                     "</tendon></mujoco>");
  };
  // 0.5 (i - 0.2) - 2 j = 0.1
  const std::string pair = "<fixed name='t'><joint joint='i' coef='0.5'/><joint joint='j' coef='-2'/></fixed>";
  const Description one = read(pair, "<tendon tendon1='t' polycoef='0.1 0 0 0 0'/>", "ref='0.2'");
  const Mimic m = link_named(one, "a").mimic.value();
  CHECK(m.joint == "j");
  CHECK(m.ratio == doctest::Approx(4));
  CHECK(m.offset == doctest::Approx(0.2 + 0.2));
  // 0.5 i - 3 (0.25 j) = 0
  const std::string two =
      "<fixed name='t'><joint joint='i' coef='0.5'/></fixed><fixed name='u'><joint joint='j' coef='0.25'/></fixed>";
  const Mimic n = link_named(read(two, "<tendon tendon1='t' tendon2='u' polycoef='0 3 0 0 0'/>"), "a").mimic.value();
  CHECK(n.ratio == doctest::Approx(1.5));
  CHECK(n.offset == 0);
  // a tendon of one joint holds it: 0.5 i = 0.1
  const Description held = read(two, "<tendon tendon1='t' polycoef='0.1 0 0 0 0'/>");
  CHECK(link_named(held, "a").kind == JointKind::fixed);
  CHECK(std::get<JointPlacement>(link_named(held, "a").geometry).X_parent_joint.R.x.y ==
        doctest::Approx(std::sin(0.2)));
}

TEST_CASE("each fault of an MJCF is named by its rule and line") {
  const auto [files, names] = check_broken_files(
      "tests/broken", ".xml", [](const std::string& text, const std::string& file) { return read_mjcf(text, file); });
  CHECK(files >= 8);
  CHECK(names.size() >= 35);
}

TEST_CASE("files that include or attach themselves are refused") {
  const auto read = [](const std::string&) -> Result<std::string> {
    return std::string("<mujoco><asset><model name='m' file='b.xml'/></asset><include file='a.xml'/><worldbody>"
                       "<attach model='m'/></worldbody></mujoco>");
  };
  CHECK(faults_of(read_mjcf("<mujoco>\n<include file='a.xml'/></mujoco>", "main.xml", read)) == "1 include-twice");
  CHECK(faults_of(read_mjcf("<mujoco><include file='main.xml'/></mujoco>", "main.xml", read)) == "1 include-twice");
  const auto attach = [](const std::string&) -> Result<std::string> {
    return std::string(
        "<mujoco><asset><model name='m' file='a.xml'/></asset><worldbody>\n<attach model='m'/></worldbody></mujoco>");
  };
  CHECK(faults_of(read_mjcf(*attach(""), "main.xml", attach)) == "2 attach-cycle");
  CHECK(rules("<mujoco>\n<include file='no such file'/></mujoco>") == "2 include-read");
}

TEST_CASE("a fault of an included file names that file") {
  const auto read = [](const std::string&) -> Result<std::string> {
    return std::string("<mujoco>\n<worldbody>\n<body name='b' mass='1'/></worldbody></mujoco>");
  };
  const auto robot = read_mjcf("<mujoco><include file='part.xml'/></mujoco>", "folder/main.xml", read);
  REQUIRE(robot.faults().size() == 1);
  CHECK(robot.faults().front().where.file == "folder/part.xml");
  CHECK(robot.faults().front().where.line == 3);
}

TEST_CASE("large, deep and hostile files are read or refused within two seconds") {
  constexpr double at_most = sanitized ? 20 : 2;
  bool read = false;
  std::string wide = "<mujoco><default><geom density='500'/></default><worldbody>";
  for (int i = 0; i < 33'000; ++i) wide += "<body><joint axis='0 1 0' damping='1'/><geom size='0.1'/></body>\n";
  CHECK(seconds(wide + "</worldbody></mujoco>", read) < at_most);
  CHECK(read);
  std::string deep = "<mujoco><worldbody>";
  for (int i = 0; i < 900; ++i) deep += "<body><joint/><geom size='0.1'/>";
  CHECK(seconds(deep + repeated("</body>", 900) + "</worldbody></mujoco>", read) < at_most);
  CHECK(read);
  CHECK(seconds("<mujoco><worldbody>" + repeated("<body>", 100'000) + repeated("</body>", 100'000) +
                    "</worldbody></mujoco>",
                read) < at_most);
  CHECK_FALSE(read);
  CHECK(seconds("<mujoco><worldbody>" + repeated("<replicate count='1000'>", 60) + "<body/>" +
                    repeated("</replicate>", 60) + "</worldbody></mujoco>",
                read) < at_most);
  CHECK_FALSE(read);
  std::string bomb = "<!DOCTYPE m [<!ENTITY a0 'ha'>";
  for (int i = 1; i < 40; ++i)
    bomb += "<!ENTITY a" + std::to_string(i) + " '&a" + std::to_string(i - 1) + ";&a" + std::to_string(i - 1) + ";'>";
  CHECK(seconds(bomb + "]><mujoco model='&a39;'/>", read) < at_most);
  CHECK_FALSE(read);
}

TEST_CASE("a mesh above the folder of the model is read where its folder is given, and else the remedy says so") {
  namespace fs = std::filesystem;
  const fs::path top = fs::temp_directory_path() / ("torsor_mjcf_roots_" + std::to_string(::getpid()));
  fs::create_directories(top / "robot");
  fs::create_directories(top / "meshes");
  std::ofstream(top / "meshes/corner.obj")
      << "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\n";
  const std::string text =
      "<mujoco><compiler meshdir='../meshes'/><asset><mesh name='m' file='corner.obj' "
      "inertia='exact'/></asset><worldbody>"
      "<body><joint axis='0 1 0'/><geom type='mesh' mesh='m' density='6000'/></body></worldbody></mujoco>";
  const std::string file = (top / "robot/r.xml").string();
  const auto refused = read_mjcf(text, file);
  REQUIRE_FALSE(refused);
  CHECK(refused.faults()[0].remedy.find("--packages DIR") != std::string::npos);
  LoadOptions options;
  options.package_folders = {(top / "meshes").string()};
  const auto given = read_mjcf(text, file, options);
  for (const Fault& fault : given.faults()) MESSAGE(to_string(fault));
  REQUIRE(given);
  CHECK(given->links[0].parts.at(0).mass == doctest::Approx(1000));
  // a folder beside it does not open it
  options.package_folders = {(top / "robot").string()};
  CHECK_FALSE(read_mjcf(text, file, options));
  options.packages["m"] = top.string();
  CHECK(read_mjcf(text, file, options));
  fs::remove_all(top);
}
