// Loops in formats beside our own: <constraint> of a URDF and robot.yaml beside one, against the same robot in TOML.
#include <doctest/doctest.h>

#include <filesystem>
#include <fstream>
#include <random>

#include "tests/support/loop_robots.hpp"
#include "torsor/dynamics.hpp"
#include "torsor/files/load_robot.hpp"
#include "torsor/files/robot_yaml.hpp"
#include "torsor/files/urdf_reader.hpp"
#include "torsor/loops/random_closed_position.hpp"

using namespace torsor;
using namespace torsor::testing;
namespace fs = std::filesystem;

namespace {

/// The four-bar of loop_robots.hpp; its joints begin where that one starts them.
std::string four_bar_urdf(const std::string& more) {
  return R"(<robot name="four-bar">
<link name="base"/>
<link name="crank"><inertial><origin xyz="0.2 0 0"/><mass value="1"/><inertia ixx="0.01" iyy="0.02" izz="0.02" ixy="0" ixz="0" iyz="0"/></inertial></link>
<link name="coupler"><inertial><origin xyz="0.45 0.1 0"/><mass value="2"/><inertia ixx="0.02" iyy="0.1" izz="0.1" ixy="0" ixz="0" iyz="0"/></inertial></link>
<link name="rocker"><inertial><origin xyz="0.4 0 0"/><mass value="1.5"/><inertia ixx="0.02" iyy="0.08" izz="0.08" ixy="0" ixz="0" iyz="0"/></inertial></link>
<joint name="crank" type="continuous"><parent link="base"/><child link="crank"/><origin rpy="0 0 1.2"/><axis xyz="0 0 1"/><limit effort="50" velocity="9"/></joint>
<joint name="coupler" type="continuous"><parent link="crank"/><child link="coupler"/><origin xyz="0.4 0 0" rpy="0 0 -0.8"/><axis xyz="0 0 1"/></joint>
<joint name="rocker" type="continuous"><parent link="base"/><child link="rocker"/><origin xyz="1 0 0" rpy="0 0 1.7"/><axis xyz="0 0 1"/></joint>
)" + more +
         "</robot>\n";
}

std::string constraint(const std::string& type, const std::string& axes = "<parent_axis xyz=\"0 0 2\"/>") {
  return "<constraint name=\"pin\" type=\"" + type + "\"><parent link=\"coupler\"/><parent_origin xyz=\"0.9 0 0\"/>" +
         axes + "<child link=\"rocker\"/><child_origin xyz=\"0.8 0 0\"/></constraint>\n";
}

Robot robot_of(const Result<Description>& read) {
  for (const Fault& fault : read.faults()) MESSAGE(to_string(fault));
  REQUIRE(read);
  auto robot = Robot::try_build(*read);
  for (const Fault& fault : robot.faults()) MESSAGE(to_string(fault));
  REQUIRE(robot);
  return robot->with_gravity({0, -9.81, 0});
}

/// Torques and accelerations are those of the TOML, whose crank is at 1.2 where this one is at 0.
void check_same(const Robot& robot) {
  const Robot reference = Robot::load(four_bar());
  REQUIRE(robot.nv() == 1);
  REQUIRE(robot.coordinates().velocity_names[0] == "crank");
  Dynamics ours(robot), theirs(reference);
  for (const double at : {-0.4, 0.0, 0.3, 1.1}) {
    const std::vector<double> q{at}, q_there{at + 1.2}, qd{1.7}, qdd{-2.0};
    std::vector<double> a(1), b(1);
    REQUIRE(ours.inverse(q, qd, qdd, a));
    REQUIRE(theirs.inverse(q_there, qd, qdd, b));
    CHECK(a[0] == doctest::Approx(b[0]).epsilon(1e-11));
    REQUIRE(ours.forward(q, qd, qdd, a));
    REQUIRE(theirs.forward(q_there, qd, qdd, b));
    CHECK(a[0] == doctest::Approx(b[0]).epsilon(1e-11));
  }
}

bool refused(const Result<Description>& read, const std::string& rule) {
  REQUIRE_FALSE(read);
  return std::ranges::any_of(read.faults(), [&](const Fault& fault) { return fault.rule == rule; });
}

/// A folder of its own for a test, with these files.
class LoopFolder {
 public:
  LoopFolder() : path_(fs::temp_directory_path() / ("torsor-loops-" + std::to_string(std::random_device{}()))) {
    fs::create_directory(path_);
  }
  ~LoopFolder() { fs::remove_all(path_); }
  std::string add(const std::string& name, const std::string& text) const {
    std::ofstream(path_ / name) << text;
    return (path_ / name).string();
  }

 private:
  fs::path path_;
};

// frames of the pin: the coupler's by a joint more, since 6d holds a pose
const std::string ends = R"(<link name="pin_a"/><link name="pin_b"/>
<joint name="turns" type="continuous"><parent link="coupler"/><child link="pin_a"/><origin xyz="0.9 0 0" rpy="0 0 0.8"/><axis xyz="0 0 1"/></joint>
<joint name="frame_b" type="fixed"><parent link="rocker"/><child link="pin_b"/><origin xyz="0.8 0 0"/></joint>
)";

}  // namespace

TEST_CASE("a <constraint> of a URDF closes a loop") {
  check_same(robot_of(read_urdf(four_bar_urdf(constraint("revolute")), "four_bar.urdf")));
  check_same(robot_of(read_urdf(four_bar_urdf(constraint("spherical", "")), "four_bar.urdf")));
  check_same(robot_of(read_urdf(four_bar_urdf(constraint("cylindrical")), "four_bar.urdf")));
}

TEST_CASE("what is wrong with a <constraint> is said by its name") {
  CHECK(refused(read_urdf(four_bar_urdf(constraint("hinge")), "a.urdf"), "loop-kind"));
  CHECK(refused(read_urdf(four_bar_urdf(constraint("universal")), "a.urdf"), "element-missing"));
  CHECK(refused(
      read_urdf(four_bar_urdf(constraint("prismatic", "<parent_axis xyz=\"0 0 1\"/><child_axis xyz=\"1 0 0\"/>")),
                "a.urdf"),
      "loop-axes"));
  CHECK(
      refused(read_urdf(four_bar_urdf(constraint("revolute", "<parent_axis xyz=\"0 0 0\"/>")), "a.urdf"), "axis-zero"));
  CHECK(
      refused(read_urdf(four_bar_urdf(constraint("revolute", "<limit effort=\"3\"/>")), "a.urdf"), "element-unknown"));
  std::string elsewhere = constraint("revolute");
  elsewhere.replace(elsewhere.find("\"rocker\""), 8, "\"nowhere\"");
  CHECK(refused(read_urdf(four_bar_urdf(elsewhere), "a.urdf"), "loop-link"));
  // loops in other words would be left open
  CHECK(refused(read_urdf(four_bar_urdf("<loop name=\"pin\" type=\"revolute\"/>"), "a.urdf"), "loop-unread"));
}

TEST_CASE("robot.yaml closes the loops of the URDF beside it") {
  const LoopFolder folder;
  const std::string tree = folder.add("robot.urdf", four_bar_urdf(ends));
  const std::string both = folder.add(
      "robot.yaml", "closed_loop: [['turns', 'pin_b']]  # a joint, a link\ntype: ['6d']\nname_mot: [crank]\n");
  check_same(robot_of(load_robot(both)));
  folder.add("robot.yaml",
             "closed_loop:\n  - [pin_a, frame_b]\ntype: [\"3D\"]\nname_mot: ['crank']\njoint_name: "
             "[turns]\njoint_type: [FIXED]\n");
  check_same(robot_of(load_robot(both)));
  // the tree alone says that there is more
  const auto alone = load_robot(tree);
  REQUIRE(alone);
  CHECK(alone->loops.empty());
  CHECK(std::ranges::any_of(alone->notes, [](const Fault& note) { return note.rule == "loops-beside"; }));
  // another name, the only URDF
  fs::rename(tree, fs::path(tree).parent_path() / "arm.urdf");
  check_same(robot_of(load_robot(both)));
  folder.add("second.urdf", four_bar_urdf(ends));
  CHECK(refused(load_robot(both), "yaml-urdf"));
}

TEST_CASE("joints that robot.yaml replaces are balls and universal joints") {
  const LoopFolder folder;
  folder.add("robot.urdf", four_bar_urdf(ends));
  const std::string loops = "closed_loop: [[turns, pin_b]]\ntype: [6d]\nname_mot: [crank]\n";
  const auto read = load_robot(
      folder.add("robot.yaml", loops + "joint_name: [coupler, turns]\njoint_type: [UJOINT_XY, SPHERICAL]\n"));
  REQUIRE(read);
  REQUIRE(read->links.size() == 6);
  CHECK(read->links[1].joint_name == "coupler_x");
  CHECK(read->links[2].joint_name == "coupler_y");
  CHECK(*read->links[2].parent == read->links[1].name);
  CHECK(std::get<JointPlacement>(read->links[1].geometry).X_parent_joint.p.x == 0.4);
  CHECK(std::get<JointPlacement>(read->links[2].geometry).axis.y == 1);
  const auto ball = std::ranges::find(read->links, std::string("turns"), &LinkDescription::joint_name);
  REQUIRE(ball != read->links.end());
  CHECK(ball->kind == JointKind::spherical);
}

TEST_CASE("what is wrong with a robot.yaml is said") {
  const LoopFolder folder;
  folder.add("robot.urdf", four_bar_urdf(ends));
  const auto rule = [&](const std::string& text, const std::string& expected) {
    CAPTURE(text);
    CHECK(refused(load_robot(folder.add("robot.yaml", text)), expected));
  };
  const std::string motors = "name_mot: [crank]\n";
  rule("closed_loop: [[turns, nowhere]]\ntype: [6d]\n" + motors, "loop-link");
  rule("closed_loop: [[turns, pin_b]]\ntype: [5d]\n" + motors, "loop-kind");
  rule("closed_loop: [[turns, pin_b]]\ntype: [6d, 3d]\n" + motors, "yaml-list");
  rule("closed_loop: [[turns]]\ntype: [6d]\n" + motors, "yaml-list");
  rule("closed_loop: [[turns, pin_b]]\ntype: [6d]\nname_mot: [krank]\n", "loop-joint");
  rule("closed_loop: [[turns, pin_b]]\ntype: [6d]\n", "yaml-key-missing");
  rule("type: [6d]\n" + motors, "yaml-key-missing");
  rule("closed_loop: [[turns, pin_b]]\ntype: [6d]\nspring: 3\n" + motors, "yaml-key");
  rule("closed_loop: [[turns, pin_b]]\ntype: [6d]\njoint_name: [turns]\njoint_type: [HELICAL]\n" + motors,
       "joint-kind");
  rule("closed_loop: [[turns, pin_b]]\ntype: [6d]\njoint_name: [turns]\n" + motors, "yaml-list");
  rule("- a\n- b\n", "yaml-form");
  rule("closed_loop: [[turns, pin_b\n", "yaml");
  CHECK(refused(load_robot(LoopFolder().add("x.txt", "") + "/robot.yaml"), "file-read"));
}
