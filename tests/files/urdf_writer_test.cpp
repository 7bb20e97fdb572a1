// Robots written as URDF and read again: the same torques, the same frames, the same shapes; and what a URDF cannot say.
#include "torsor/files/urdf_writer.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <numbers>

#include "tests/support/random_robot.hpp"
#include "torsor/dynamics/tree_dynamics.hpp"
#include "torsor/files/embedded_robots.hpp"
#include "torsor/files/robot_toml.hpp"
#include "torsor/files/urdf_reader.hpp"
#include "torsor/kinematics/forward_kinematics.hpp"
#include "torsor/model/chain_links.hpp"
#include "torsor/model/transmission.hpp"

using namespace torsor;
using namespace torsor::testing;

namespace {

std::string written_urdf(const Description& d) {
  const auto text = write_urdf(d);
  for (const Fault& error : text.faults()) MESSAGE(to_string(error));
  REQUIRE(text);
  return *text;
}

Description again_from_urdf(const Description& d) {
  const std::string text = written_urdf(d);
  auto robot = read_urdf(text, "again.urdf");
  for (const Fault& error : robot.faults()) MESSAGE(to_string(error) << '\n' << text);
  REQUIRE(robot);
  return *std::move(robot);
}

std::string urdf_write_rules(const Description& d) {
  std::string text;
  const auto result = write_urdf(d);
  for (const Fault& error : result.faults()) {
    text += (text.empty() ? "" : " ") + error.rule;
    CHECK_FALSE(error.remedy.empty());
  }
  return text;
}

/// Disagreement of the joint torques, motor torques included, of two robots at random states.
double disagreement_of(const Description& a, const Description& b, Random& random) {
  const Model<double> A = built(a), B = built(b);
  REQUIRE(A.velocity_names == B.velocity_names);
  REQUIRE(A.position_names == B.position_names);
  TreeDynamics<double> left(A), right(B);
  double worst = 0;
  for (int draw = 0; draw < 5; ++draw) {
    const State s = random_state(random, A);
    Numbers x(s.qd.size()), y = x;
    left.inverse(s.q, s.qd, s.qdd, x);
    right.inverse(s.q, s.qd, s.qdd, y);
    worst = std::max(worst, relative(y, x));
    Numbers p = x, q = y;
    motor_torques(A, x, p);
    motor_torques(B, y, q);
    worst = std::max(worst, relative(q, p));
  }
  return worst;
}

/// Without what a URDF has no words for.
void simplify_for_urdf(Description& d) {
  for (LinkDescription& l : d.links) {
    if (l.kind == JointKind::helical) l.kind = JointKind::prismatic;
    if (l.kind == JointKind::spherical) l.rotor.reset();
    if (!l.friction) continue;
    l.friction->table = {};
    l.friction->stribeck_velocity = 0;
    l.friction->coulomb_negative = l.friction->coulomb_positive;
  }
}

// a base and a link on one joint
Description one_joint_robot(JointKind kind) {
  Description d;
  d.name = "one";
  LinkDescription l;
  l.name = "arm";
  l.joint_name = "j";
  l.kind = kind;
  l.parts = {{1.5, {0.1, 0.2, 0.3}, {1, 2, 3, 0.1, 0.2, 0.3}}};
  d.links = {l};
  return d;
}

}  // namespace

TEST_CASE("every robot of the library has the same torques after the way through URDF") {
  Random random(1);
  for (const EmbeddedRobot& robot : embedded_robots()) {
    CAPTURE(robot.name);
    auto d = read_robot_toml(robot.text, std::string(robot.name) + ".toml");
    REQUIRE(d);
    if (!write_urdf(*d)) simplify_for_urdf(*d);
    CHECK(disagreement_of(*d, again_from_urdf(*d), random) < 1e-11);
  }
}

TEST_CASE("random robots have the same torques after the way through URDF") {
  Random random(2);
  for (int draw = 0; draw < draws(200); ++draw) {
    RobotOptions options;
    options.links = 1 + random.below(9);
    options.floating = random.chance(0.2);
    options.rotors = random.chance(0.3);
    options.rotor_bodies = !options.rotors && random.chance(0.3);
    options.friction = random.chance(0.5);
    options.mimics = random.chance(0.3);
    Description d = random_robot(random, options).description;
    simplify_for_urdf(d);
    const Description back = again_from_urdf(d);
    CHECK(disagreement_of(d, back, random) < 1e-11);
    CHECK(apart(back.gravity, d.gravity) == 0);
  }
}

TEST_CASE("what was read is written without the loss of a digit") {
  Random random(3);
  for (int draw = 0; draw < draws(50); ++draw) {
    Description d = random_robot(random, {.links = 6, .one_dof = true, .friction = true}).description;
    simplify_for_urdf(d);
    const Description once = again_from_urdf(d), twice = again_from_urdf(once);
    REQUIRE(once.links.size() == twice.links.size());
    for (std::size_t i = 0; i < once.links.size(); ++i) {
      const auto &a = once.links[i], &b = twice.links[i];
      const auto &p = std::get<JointPlacement>(a.geometry), &q = std::get<JointPlacement>(b.geometry);
      CHECK(apart(p.axis, q.axis) < 1e-15);
      CHECK(apart(p.X_parent_joint.p, q.X_parent_joint.p) == 0);
      CHECK(apart(p.X_parent_joint.R, q.X_parent_joint.R) < 1e-15);
      REQUIRE(a.parts.size() == b.parts.size());
      for (std::size_t k = 0; k < a.parts.size(); ++k) {
        CHECK(a.parts[k].mass == b.parts[k].mass);
        CHECK(apart(a.parts[k].com, b.parts[k].com) == 0);
        CHECK(apart(a.parts[k].tensor, b.parts[k].tensor) == 0);
      }
    }
  }
}

TEST_CASE("the numbers of an inertia keep their digits") {
  Random random(7);
  Description d = one_joint_robot(JointKind::revolute);
  for (int draw = 0; draw < 100; ++draw) {
    const Vec3<double> diagonal = random.vector(1), products = random.vector(1);
    Part& part = d.links[0].parts[0];
    part.tensor = {diagonal.x, diagonal.y, diagonal.z, products.x, products.y, products.z};
    part.com = random.vector(1);
    const Part back = again_from_urdf(d).links[0].parts.at(0);
    CHECK(apart(back.tensor, part.tensor) == 0);
    CHECK(apart(back.com, part.com) == 0);
  }
}

TEST_CASE("a placement near gimbal lock comes back to rounding, a quarter turn exactly") {
  Random random(4);
  Description d = one_joint_robot(JointKind::revolute);
  for (double off = 0.1; off > 1e-17; off /= 10) {
    const Mat3<double> R = rotation_rpy(random.uniform(-3, 3), std::numbers::pi / 2 - off, random.uniform(-3, 3));
    d.links[0].geometry = JointPlacement{{R, {}}, {0, 0, 1}};
    CHECK(apart(std::get<JointPlacement>(again_from_urdf(d).links[0].geometry).X_parent_joint.R, R) < 2e-14);
  }
  const Mat3<double> quarter = rotation_z(0.0, 1.0) * rotation_x(0.0, -1.0);
  d.links[0].geometry = JointPlacement{{quarter, {}}, {0, 0, 1}};
  CHECK(apart(std::get<JointPlacement>(again_from_urdf(d).links[0].geometry).X_parent_joint.R, quarter) == 0);
}

TEST_CASE("every kind of joint and its limits come back") {
  Random random(8);
  for (const JointKind kind : {JointKind::fixed, JointKind::revolute, JointKind::prismatic, JointKind::planar,
                               JointKind::spherical, JointKind::free}) {
    Description d = one_joint_robot(kind);
    CHECK(again_from_urdf(d).links[0].kind == kind);
    d.links[0].geometry = JointPlacement{random.transform(0.3), random.direction() * 2.0};
    if (kind != JointKind::fixed) CHECK(disagreement_of(d, again_from_urdf(d), random) < 1e-11);
    if (row(kind).nv != 1) continue;
    for (const Limits& limits :
         {Limits{}, Limits{-1, 2, 3, 4}, Limits{-1, INFINITY, INFINITY, 4}, Limits{-INFINITY, INFINITY, 3, INFINITY}}) {
      d.links[0].limits = limits;
      const Limits back = again_from_urdf(d).links[0].limits;
      CHECK(back.lower == limits.lower);
      CHECK(back.upper == limits.upper);
      CHECK(back.velocity == limits.velocity);
      CHECK(back.effort == limits.effort);
    }
  }
}

TEST_CASE("base pose, base inertia, gravity, source and tools come back") {
  Random random(5);
  Description d = one_joint_robot(JointKind::revolute);
  d.base = random.transform(1);
  d.base_name = "pedestal";
  d.base_parts = {{30, {0, 0, 0.1}, {1, 1, 1, 0, 0, 0}}};
  d.gravity = {0, -9.8062, 0};
  d.source = "a \"book\" & more";
  d.tools = {{"probe", "arm", random.transform(0.2), {}}, {"arm", "arm", random.transform(0.2), {}}};
  const Description back = again_from_urdf(d);
  CHECK(back.base_name == "world");
  CHECK(back.links[0].name == "pedestal");
  CHECK(back.links[0].parts.at(0).mass == 30);
  CHECK(back.source == d.source);
  CHECK(disagreement_of(d, back, random) < 1e-11);

  // the default tool is where it was
  const Model<double> A = built(d), B = built(back);
  CHECK(B.frames.back().name == "arm_tool");
  const auto tool = [](const Model<double>& m, double angle) {
    Configuration<double> q(m);
    q.set(m, Numbers{angle});
    Transform<double> X = m.frames.back().X_body_frame;
    for (int i = m.frames.back().body; i >= 0; i = m[i].parent) X = pose_in_parent(m, q, i) * X;
    return m.base * X;
  };
  CHECK(apart(tool(A, 0.7), tool(B, 0.7)) < 1e-14);
}

TEST_CASE("a differential comes back, with its rotors") {
  Random random(6);
  Description d = one_joint_robot(JointKind::revolute);
  LinkDescription tool = d.links[0];
  tool.name = "hand";
  tool.joint_name = "k";
  d.links.push_back(tool);
  d.transmissions = {{{"m", "n"}, {"j", "k"}, {{0.02, 0.03}, {-0.04, 0.06}}, {1e-4, 2e-4}, {}}};
  CHECK(disagreement_of(d, again_from_urdf(d), random) < 1e-11);
}

TEST_CASE("shapes follow their link frame, text for text where it stays and moved where it moves") {
  const std::string mesh =
      "<visual>\n  <origin xyz=\"1 0 0\" rpy=\"0 0 0\"/>\n  <geometry>\n    <mesh filename=\"package://p/m.stl\"/>\n  "
      "</geometry>\n</visual>\n";
  Description d = one_joint_robot(JointKind::revolute);
  d.links[0].urdf_extra.xml = mesh;
  d.base_urdf_extra.xml = mesh;
  d.urdf_materials = "<material name=\"red\"/>\n";
  const Description back = again_from_urdf(d);
  CHECK(back.links[0].urdf_extra.xml == mesh);
  CHECK(back.base_urdf_extra.xml == mesh);
  CHECK(back.urdf_materials == d.urdf_materials);

  // a standard DH link hangs behind its joint: its shapes are seen from there
  d.convention = Convention::standard_dh;
  d.links[0].geometry = DhRow{.a = 0.5};
  CHECK(again_from_urdf(d).links[0].urdf_extra.xml.find("xyz=\"1.5 0 0\"") != std::string::npos);
  d.links[0].urdf_extra.X_link_xml.p = {0, 0, 2};
  CHECK(again_from_urdf(d).links[0].urdf_extra.xml.find("xyz=\"1.5 0 2\"") != std::string::npos);
  d.links[0].urdf_extra.xml = "<visual>";
  CHECK(urdf_write_rules(d) == "urdf-extra");
}

TEST_CASE("what a URDF cannot hold is said, with what to do") {
  Description d = one_joint_robot(JointKind::helical);
  d.links[0].pitch = 0.01;
  CHECK(urdf_write_rules(d) == "urdf-joint");
  d = one_joint_robot(JointKind::spherical);
  d.links[0].rotor = Rotor{.inertia = 0.1};
  CHECK(urdf_write_rules(d) == "urdf-rotor");
  d = one_joint_robot(JointKind::revolute);
  Friction<double> law;
  law.coulomb_positive = 1;
  d.links[0].friction = law;
  CHECK(urdf_write_rules(d) == "urdf-friction");
  law.coulomb_negative = 1;
  d.links[0].friction = law;
  CHECK(urdf_write_rules(d).empty());
  law.breakaway_positive = law.breakaway_negative = 2;
  law.stribeck_velocity = 0.1;
  d.links[0].friction = law;
  CHECK(urdf_write_rules(d) == "urdf-friction");
  law.stribeck_velocity = 0;
  law.table = {{}, {-1, 1}, {-1, 1}};
  d.links[0].friction = law;
  CHECK(urdf_write_rules(d) == "urdf-friction");
  d.links[0].friction.reset();
  d.links.push_back(d.links[0]);
  d.links[1].name = "hand";
  d.links[1].joint_name = "k";
  d.transmissions = {{{"m", "n"}, {"j", "k"}, {{0.1, 0}, {0.05, 0.1}}, {}, {}}};
  CHECK(urdf_write_rules(d) == "urdf-transmission");
  d.transmissions[0].matrix = {{0.1, 0.02}, {-0.05, 0.08}};
  CHECK(urdf_write_rules(d) == "urdf-transmission");
  d.links.clear();
  CHECK_FALSE(write_urdf(d));
}

TEST_CASE("what others may lose is said at the head of the file") {
  Description d = one_joint_robot(JointKind::spherical);
  CHECK(written_urdf(d).find("<!-- spherical is a joint type of Bullet and MuJoCo") != std::string::npos);
  d = one_joint_robot(JointKind::revolute);
  CHECK(written_urdf(d).find("<!--") == std::string::npos);
  d.links[0].rotor = Rotor{.inertia = 1e-4, .gear = 50};
  d.gravity = {0, 0, 0};
  const std::string text = written_urdf(d);
  CHECK(text.find("<!-- gravity is not part of a URDF") != std::string::npos);
  CHECK(text.find("<!-- rotor inertias stand in drake:rotor_inertia") != std::string::npos);
  CHECK(text.find("xmlns:drake=") != std::string::npos);
}

TEST_CASE("what the author accepts of the check comes back, with the reason") {
  Description d = one_joint_robot(JointKind::revolute);
  d.accepted = {"triangle:arm", "gyration:the \"left\" hand"};
  d.accept_reason = "a flywheel & more";
  const Description back = again_from_urdf(d);
  CHECK(back.accepted == d.accepted);
  CHECK(back.accept_reason == d.accept_reason);
  std::string text = written_urdf(d);
  text.replace(text.find("triangle:arm"), 12, "triangle");
  CHECK(read_urdf(text, "a.urdf").faults().at(0).rule == "accept-form");
  text = written_urdf(d);
  text.replace(text.find("a flywheel &amp; more"), 21, " ");
  CHECK(read_urdf(text, "a.urdf").faults().at(0).rule == "accept-reason");
}

TEST_CASE("a tool by the name of its link is the frame of that link where it lies on the axis") {
  Random random(9);
  Description d = one_joint_robot(JointKind::revolute);
  d.links.push_back(d.links[0]);
  d.links[1].name = "hand";
  d.links[1].joint_name = "k";
  d.links[1].geometry = JointPlacement{random.transform(0.3), {0, 0, 1}};
  const auto names = [](const Description& robot) {
    std::string text;
    for (const LinkDescription& l : robot.links) text += l.name + ' ';
    return text;
  };
  // turned and shifted along the axis, on the last link and on another
  for (const char* link : {"hand", "arm"}) {
    CAPTURE(link);
    d.tools = {{link, link, {rotation_rpy(0.3, 0.4, 0.5), {0, 0, 0.2}}, {}}};
    Description back = again_from_urdf(d);
    CHECK(names(back) == "arm hand ");
    CHECK(built(back).frames.back().name == link);
    CHECK(disagreement_of(d, back, random) < 1e-11);
    double position = 0, angle = 0;
    compare_tools(built(d), built(back), position, angle);
    CHECK(position < 1e-15);
    CHECK(angle < 1e-15);
    // the default stays the default beside others, too
    d.tools.insert(d.tools.begin(), {"probe", "hand", random.transform(0.1), {}});
    back = again_from_urdf(d);
    CHECK(names(back) == "arm hand probe ");
    CHECK(built(back).frames.back().name == link);
  }
  // off the axis it is a link of its own, and that is told
  d.tools = {{"hand", "hand", {Mat3<double>::identity(), {0.01, 0, 0}}, {}}};
  std::vector<std::string> told;
  REQUIRE(write_urdf(d, &told));
  REQUIRE(told.size() == 1);
  CHECK(told[0].find("\"hand_tool\"") != std::string::npos);
  CHECK(names(again_from_urdf(d)) == "arm hand hand_tool ");
  // a tool that the element names must be there
  const auto missing = read_urdf(
      "<robot name='r'><torsor tool='nix'/><link name='a'/><link name='b'/><joint name='j' "
      "type='fixed'><parent link='a'/><child link='b'/></joint></robot>",
      "a.urdf");
  REQUIRE(!missing);
  CHECK(missing.faults()[0].rule == "tool-link");
}

TEST_CASE("without tools the frame of the last DH row is the tool, also where a URDF link has another") {
  Random random(10);
  Description d = one_joint_robot(JointKind::revolute);
  d.convention = Convention::standard_dh;
  for (const DhRow& row : {DhRow{0.1, 0.2, 0.3, 0.4}, DhRow{0.1, 0.2, 0, 0.4}}) {
    d.links[0].geometry = row;
    double position = 0, angle = 0;
    compare_tools(built(d), built(again_from_urdf(d)), position, angle);
    CHECK(position < 1e-15);
    CHECK(angle < 1e-15);
  }
  CHECK(again_from_urdf(d).links.size() == 1);
}
