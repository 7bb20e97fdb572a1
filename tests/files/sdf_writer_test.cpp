// Robots written as SDF and read again: the same torques, coordinates and frames; through URDF, too; and what an SDF
// cannot say.
#include "torsor/files/sdf_writer.hpp"

#include <doctest/doctest.h>

#include "tests/files/file_text.hpp"
#include "tests/support/random_robot.hpp"
#include "torsor/dynamics/torque_difference.hpp"
#include "torsor/files/embedded_robots.hpp"
#include "torsor/files/mjcf_reader.hpp"
#include "torsor/files/robot_toml.hpp"
#include "torsor/files/sdf_reader.hpp"
#include "torsor/files/urdf_reader.hpp"
#include "torsor/files/urdf_writer.hpp"
#include "torsor/model/chain_links.hpp"

using namespace torsor;
using namespace torsor::testing;

namespace {

Description again_from_sdf(const Description& d, std::string* written = nullptr) {
  const auto text = write_sdf(d);
  for (const Fault& error : text.faults()) MESSAGE(to_string(error));
  REQUIRE(text);
  if (written) *written = *text;
  auto robot = read_sdf(*text, "again.sdf");
  for (const Fault& error : robot.faults()) MESSAGE(to_string(error) << '\n' << *text);
  REQUIRE(robot);
  return *std::move(robot);
}

/// Without what an SDF has no words for.
void simplify_for_sdf(Description& d) {
  for (LinkDescription& l : d.links) {
    if (l.kind == JointKind::planar) l.kind = JointKind::prismatic;
    if (l.rotor) l.rotor->as_body = false;
    if (l.kind == JointKind::free) {
      l.parent = d.base_name;
      l.geometry = JointPlacement{};
      d.base = {};
    }
    if (!l.friction) continue;
    l.friction->table = {};
    l.friction->stribeck_velocity = 0;
    l.friction->coulomb_negative = l.friction->coulomb_positive;
  }
  for (TransmissionDescription& t : d.transmissions) t.rotor_inertia.clear();
}

double sdf_tool_residual(const Description& a, const Description& b) {
  double position = 0, angle = 0;
  compare_tools(built(a), built(b), position, angle);
  return position + angle;
}

std::string sdf_write_rules(const Description& d) {
  std::string text;
  const auto result = write_sdf(d);
  for (const Fault& error : result.faults()) {
    text += (text.empty() ? "" : " ") + error.rule;
    CHECK_FALSE(error.remedy.empty());
  }
  return text;
}

}  // namespace

TEST_CASE("every robot of the library comes back from SDF with its torques, coordinates and tool") {
  int count = 0, broken = 0;
  for (const EmbeddedRobot& robot : embedded_robots()) {
    CAPTURE(robot.name);
    Description d = *read_robot_toml(robot.text, "robot.toml");
    simplify_for_sdf(d);
    const Description back = again_from_sdf(d);
    const Model<double> a = built(d), b = built(back);
    CHECK(a.velocity_names == b.velocity_names);
    CHECK(torque_difference(a, b) < 1e-12);
    CHECK(sdf_tool_residual(d, back) < 1e-12);
    // the comparison can fail
    Description other = back;
    other.gravity = other.gravity + Vec3<double>{0.1, 0.1, 0.1};
    broken += torque_difference(a, built(other)) > 1e-6;
    ++count;
  }
  CHECK(count >= 5);
  CHECK(broken >= 5);
}

TEST_CASE("random trees of every joint and drive keep their torques in an SDF") {
  Random random(11);
  int count = 0;
  for (int draw = 0; draw < 60; ++draw) {
    Description d = random_robot(random, RobotOptions{}).description;
    simplify_for_sdf(d);
    if (!build(d)) continue;
    const Description back = again_from_sdf(d);
    CHECK(built(d).velocity_names == built(back).velocity_names);
    CHECK(torque_difference(built(d), built(back), 5) < 1e-12);
    CHECK(sdf_tool_residual(d, back) < 1e-12);
    ++count;
  }
  CHECK(count >= 30);
}

TEST_CASE("URDF to SDF and back keeps torques and coordinates") {
  int count = 0;
  for (const EmbeddedRobot& robot : embedded_robots()) {
    CAPTURE(robot.name);
    Description d = *read_robot_toml(robot.text, "robot.toml");
    simplify_for_sdf(d);
    const auto urdf = write_urdf(d);
    if (!urdf) continue;
    const Description first = *read_urdf(*urdf, "robot.urdf");
    const auto last = write_urdf(again_from_sdf(first));
    REQUIRE(last);
    const Description back = *read_urdf(*last, "again.urdf");
    CHECK(built(first).velocity_names == built(back).velocity_names);
    CHECK(torque_difference(built(first), built(back)) < 1e-12);
    ++count;
  }
  CHECK(count >= 5);
}

TEST_CASE("SDF to SDF keeps links, joints of two axes, springs, screws and frames") {
  for (const std::string name : {"arm", "rover", "cell"}) {
    CAPTURE(name);
    const std::string path = places::in_project("tests/sdf/") + name + ".sdf";
    const auto d = read_sdf(contents(path), path);
    REQUIRE(d);
    std::string text;
    const Description back = again_from_sdf(*d, &text);
    CHECK(built(*d).velocity_names == built(back).velocity_names);
    CHECK(torque_difference(built(*d), built(back)) < 1e-12);
    CHECK(sdf_tool_residual(*d, back) < 1e-12);
    CHECK(back.links.size() == d->links.size());
    CHECK((name != "rover" || text.find("type=\"universal\"") != std::string::npos));
    CHECK(text.find(name == "arm" ? "version=\"1.10\"" : "version=\"1.7\"") != std::string::npos);
  }
}

TEST_CASE("MJCF to SDF keeps torques, couplings and several joints of a body") {
  for (const std::string name : {"arm", "floating", "compiled", "parts"}) {
    CAPTURE(name);
    const std::string path = places::in_project("tests/mjcf/") + name + ".xml";
    const Description d = *read_mjcf(contents(path), path);
    const Description back = again_from_sdf(d);
    CHECK(torque_difference(built(d), built(back)) < 1e-12);
    CHECK(sdf_tool_residual(d, back) < 1e-12);
  }
}

TEST_CASE("shapes and meshes go to SDF and come back") {
  const auto d = read_urdf(
      "<robot name='r'><link name='base'/><link name='l'><inertial><mass value='1'/><inertia ixx='1' iyy='1' "
      "izz='1'/></inertial>"
      "<visual><origin xyz='1 2 3'/><geometry><mesh filename='package://r/meshes/l.stl' scale='2 2 "
      "2'/></geometry></visual>"
      "<collision><geometry><cylinder radius='0.1' length='0.4'/></geometry></collision></link>"
      "<link name='lens'><visual><origin xyz='0 0 1'/><geometry><sphere radius='0.2'/></geometry></visual></link>"
      "<joint name='j' type='continuous'><parent link='base'/><child link='l'/></joint>"
      "<joint name='k' type='fixed'><origin xyz='0 0 1'/><parent link='l'/><child link='lens'/></joint></robot>",
      "r.urdf");
  REQUIRE(d);
  std::string text;
  const Description back = again_from_sdf(*d, &text);
  CHECK(text.find("<uri>package://r/meshes/l.stl</uri>") != std::string::npos);
  CHECK(text.find("<frame name=\"lens\" attached_to=\"l\">") != std::string::npos);
  const auto urdf = write_urdf(back);
  REQUIRE(urdf);
  CHECK(urdf->find("<mesh filename=\"package://r/meshes/l.stl\" scale=\"2 2 2\"/>") != std::string::npos);
  CHECK(urdf->find("<origin xyz=\"1 2 3\"") != std::string::npos);
  CHECK(urdf->find("<cylinder radius=\"0.1\" length=\"0.4\"/>") != std::string::npos);
  // what a link without mass shows is on the link that carries it
  CHECK(urdf->find("<origin xyz=\"0 0 2\"") != std::string::npos);
}

TEST_CASE("names that links, joints and tools share come back as they were") {
  Description d;
  d.name = "r";
  for (const auto& [name, parent] : {std::pair{"a", "base"}, {"b", "a"}}) {
    LinkDescription link;
    link.name = link.joint_name = name;
    link.parent = parent;
    link.parts = {{.mass = 1, .com = {0.1, 0.2, 0.3}, .tensor = {0.1, 0.1, 0.1, 0, 0, 0}}};
    d.links.push_back(link);
  }
  d.links[1].mimic = Mimic{"a", 2, 0.1, {}};
  const Description back = again_from_sdf(d);
  CHECK(built(back).velocity_names == built(d).velocity_names);
  REQUIRE(back.links.back().mimic);
  CHECK(back.links.back().mimic->joint == "a");
  CHECK(torque_difference(built(d), built(back)) < 1e-14);
}

TEST_CASE("what an SDF cannot hold is refused with what to do") {
  Description d;
  d.name = "r";
  d.links.resize(1);
  d.links[0].name = d.links[0].joint_name = "l";
  CHECK(sdf_write_rules(d) == "");
  d.links[0].kind = JointKind::helical;
  d.links[0].pitch = 0.1;
  CHECK(sdf_write_rules(d) == "");
  d.links[0].kind = JointKind::planar;
  CHECK(sdf_write_rules(d) == "sdf-joint");
  d.links[0].kind = JointKind::free;
  CHECK(sdf_write_rules(d) == "");
  d.base.p = {1, 0, 0};
  CHECK(sdf_write_rules(d) == "sdf-free");
  d.base = {};
  d.links[0].kind = JointKind::revolute;
  d.links[0].rotor = Rotor{0.1, 1, true, {}};
  CHECK(sdf_write_rules(d) == "sdf-rotor");
  d.links[0].kind = JointKind::spherical;
  d.links[0].rotor = Rotor{.inertia = 0.1};
  CHECK(sdf_write_rules(d) == "sdf-rotor");
  d.links[0].kind = JointKind::revolute;
  d.links[0].rotor.reset();
  d.links[0].friction.emplace();
  d.links[0].friction->coulomb_positive = 1;
  CHECK(sdf_write_rules(d) == "sdf-friction");
}

TEST_CASE("names with :: are no names in an SDF, and come back from it") {
  const auto nested = read_sdf(
      "<sdf version='1.9'><model name='m'><link name='base'><inertial><mass>1</mass></inertial></link>"
      "<link name='grip__finger'/><joint name='w' type='fixed'><parent>world</parent><child>base</child></joint>"
      "<joint name='v' type='revolute'><parent>base</parent><child>grip__finger</child><axis/></joint>"
      "<model name='grip'><link name='finger'><inertial><pose>0.1 0 0 0 0 0</pose><mass>2</mass></inertial></link>"
      "<frame name='tip'><pose>0.3 0 0 0 0 0</pose></frame></model>"
      "<joint name='j' type='revolute'><parent>base</parent><child>grip::finger</child><axis><xyz>0 1 "
      "0</xyz></axis></joint>"
      "</model></sdf>",
      "nested.sdf");
  for (const Fault& error : nested.faults()) MESSAGE(to_string(error));
  REQUIRE(nested);
  std::string written;
  const Description back = again_from_sdf(*nested, &written);
  for (std::size_t at = written.find(" name=\""); at != std::string::npos; at = written.find(" name=\"", at + 1)) {
    const std::string name = written.substr(at, written.find('"', at + 7) - at);
    CHECK_MESSAGE(name.find("::") == std::string::npos, name);
  }
  for (const char* key : {"<child>", "<parent>", "relative_to=\"", "attached_to=\""})
    for (std::size_t at = written.find(key); at != std::string::npos; at = written.find(key, at + 1))
      CHECK(written.substr(at, written.find('\n', at) - at).find("::") == std::string::npos);
  const auto names = [](const Description& d) {
    std::string text;
    for (const LinkDescription& l : d.links) text += l.name + ' ' + l.joint_name + ' ';
    for (const ToolDescription& tool : d.tools) text += tool.name + ' ';
    return text;
  };
  CHECK(names(back) == names(*nested));
  CHECK(names(back).find("grip::finger ") != std::string::npos);
  CHECK(names(back).find("grip::tip ") != std::string::npos);
  CHECK(torque_difference(built(*nested), built(back), 20) < 1e-12);
  CHECK(sdf_tool_residual(*nested, back) < 1e-12);
}
