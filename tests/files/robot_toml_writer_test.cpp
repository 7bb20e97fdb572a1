#include "torsor/files/robot_toml_writer.hpp"

#include <doctest/doctest.h>

#include "tests/support/random_robot.hpp"
#include "torsor/dynamics/torque_difference.hpp"
#include "torsor/files/embedded_robots.hpp"
#include "torsor/files/robot_toml.hpp"

using namespace torsor;
using namespace torsor::testing;

namespace {

Description read_back(const Description& robot) {
  const std::string text = write_robot_toml(robot);
  CAPTURE(text);
  const auto back = read_robot_toml(text, "written.toml");
  for (const Fault& error : back.faults()) MESSAGE(to_string(error));
  REQUIRE(back);
  return *back;
}

}  // namespace

TEST_CASE("a written robot reads back as the same robot") {
  Random random(21);
  for (int draw = 0; draw < draws(200); ++draw) {
    RobotOptions options;
    options.links = 1 + random.below(12);
    options.floating = draw % 3 == 0;
    options.rotors = options.friction = true;
    options.rotor_bodies = draw % 4 == 0;
    options.mimics = draw % 2 == 0;
    options.transmission = draw % 5 == 0;
    const Description robot = random_robot(random, options).description;
    const Description back = read_back(robot);
    const Model<double> before = built(robot), after = built(back);
    CHECK(after.position_names == before.position_names);
    CHECK(after.link_names == before.link_names);
    CHECK(torque_difference(before, after, 4) < 1e-13);
    // a second round changes nothing at all
    CHECK(write_robot_toml(read_back(back)) == write_robot_toml(back));
  }
}

TEST_CASE("numbers beyond the whole numbers of TOML are written so that they read back") {
  Random random(22);
  const Description robot = random_robot(random, {}).description;
  for (const double x : {9.2233720368547748e18, 0x1p63, 12345678901234567000.0, 9.9999999999999987e20, 1e21, 1e22}) {
    Description stiff = robot;
    Friction<double> friction;
    friction.viscous = x;
    for (LinkDescription& link : stiff.links)
      if (row(link.kind).nv == 1) link.friction = friction;
    REQUIRE(stiff.links.front().friction);
    CHECK(read_back(stiff).links.front().friction->viscous == x);
  }
}

TEST_CASE("every shipped robot reads back bit for bit") {
  for (const EmbeddedRobot& embedded : embedded_robots()) {
    CAPTURE(embedded.name);
    const auto robot = read_robot_toml(embedded.text, std::string(embedded.name) + ".toml");
    REQUIRE(robot);
    const Description back = read_back(*robot);
    CHECK(back.name == robot->name);
    CHECK(back.source == robot->source);
    CHECK(back.tools.size() == robot->tools.size());
    CHECK(torque_difference(built(*robot), built(back)) == 0);
  }
}

TEST_CASE("names with quotes and control characters survive, whole degrees stay degrees") {
  Description robot;
  robot.name = "tab\there \\ there";
  robot.convention = Convention::standard_dh;
  LinkDescription link{.name = "a", .joint_name = "a"};
  link.geometry = DhRow{0, 0.1, 0, std::numbers::pi / 2, 1e-4};
  link.parts = {{1, {}, {1, 1, 1}}};
  robot.links = {link};
  CHECK(write_robot_toml(robot).find("alpha_deg = 90,") != std::string::npos);
  CHECK(write_robot_toml(robot).find("\\u0009") != std::string::npos);
  robot.name = "plain";
  const auto row = std::get<DhRow>(read_back(robot).links[0].geometry);
  CHECK(row.alpha == std::numbers::pi / 2);
  CHECK(row.beta == 1e-4);
}

TEST_CASE("the digest of a robot is that of its numbers, not of its file") {
  for (const EmbeddedRobot& robot : embedded_robots()) {
    CAPTURE(std::string(robot.name));
    const Description d = *read_robot_toml(robot.text, "robot.toml");
    const std::string digest = robot_digest(d);
    CHECK(digest.size() == 16);
    CHECK(robot_digest(*read_robot_toml("# a line more\n" + std::string(robot.text), "other.toml")) == digest);
    Description heavier = d;
    if (heavier.links.empty() || heavier.links[0].parts.empty()) continue;
    heavier.links[0].parts[0].mass = std::nextafter(heavier.links[0].parts[0].mass, 1e9);
    CHECK(robot_digest(heavier) != digest);
  }
}
