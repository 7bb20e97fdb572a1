// Robot, the value that users hold: loading, frames, chains, payloads, files.
#include "torsor/robot.hpp"

#include <doctest/doctest.h>

#include <filesystem>

#include "torsor/files/robot_toml_writer.hpp"

using namespace torsor;

TEST_CASE("a robot is loaded by name, by path and from text; faults are thrown, all of them, or given") {
  const Robot arm = Robot::load("puma560");
  CHECK(arm.nq() == 6);
  CHECK(arm.nv() == 6);
  CHECK(Robot::load(write_robot_toml(arm.description())).name() == arm.name());
  CHECK_THROWS_AS(Robot::load("pumma"), Error);
  CHECK(Robot::try_load("pumma").faults().front().rule == "robot-unknown");
  Description broken = arm.description();
  broken.links[1].name = broken.links[0].name;
  CHECK_THROWS_AS(Robot{broken}, Error);
  CHECK_FALSE(Robot::try_build(broken));
}

TEST_CASE("a frame is a tool, else a link, and without a name the default tool") {
  const Robot arm = Robot::load("puma560");
  CHECK(arm.tool().name == arm.model().frames.back().name);
  const std::string link = arm.model().link_names[2];
  CHECK(arm.tool(link).body == 2);
  CHECK_THROWS_AS(arm.tool("no such frame"), Error);
  const std::string wrong = link + "x";
  const auto found = arm.find_frame(&wrong);
  REQUIRE_FALSE(found);
  CHECK(found.faults().front().rule == "tool-unknown");
}

TEST_CASE("payload and gravity make another robot and leave the first as it was") {
  const Robot arm = Robot::load("puma560");
  const Robot loaded = arm.with_payload({.mass = 2.5, .com = {0, 0, 0.1}}), moon = arm.with_gravity({0, 0, -1.62});
  const int body = arm.tool().body;
  CHECK(loaded.model()[body].inertia.m == doctest::Approx(arm.model()[body].inertia.m + 2.5));
  // what it is built from says the same
  CHECK(Robot(loaded.description()).model()[body].inertia.m == doctest::Approx(loaded.model()[body].inertia.m));
  CHECK(moon.model().gravity.z == -1.62);
  CHECK(moon.description().gravity.z == -1.62);
  CHECK(arm.model().gravity.z != -1.62);
  CHECK_THROWS_AS((void)arm.with_payload({.mass = -1}), Error);
  CHECK_THROWS_AS((void)arm.with_payload({.com = {1, 0, 0}}), Error);
  CHECK_THROWS_AS((void)arm.with_payload({.mass = 1, .inertia = {1, 1, 3}}), Error);
}

TEST_CASE("a chain of a tree is a robot of its own") {
  const Robot both = Robot::load("two_arm");
  const Robot left = both.chain("", "left_wrist3");
  CHECK(left.nv() < both.nv());
  CHECK_THROWS_AS((void)both.chain("", "no such link"), Error);
}

TEST_CASE("what is saved is read again, in the form that its ending names") {
  const Robot arm = Robot::load("puma560");
  const auto folder = std::filesystem::temp_directory_path();
  for (const char* ending : {".toml", ".urdf"}) {
    const std::string path = (folder / (std::string("torsor_robot_test") + ending)).string();
    arm.save(path);
    CHECK(Robot::load(path).nv() == 6);
    std::filesystem::remove(path);
  }
  CHECK_THROWS_AS(arm.save("/no such folder/arm.toml"), Error);
}
