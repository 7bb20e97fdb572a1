#include "torsor/loops/closing_advice.hpp"

#include <doctest/doctest.h>

#include "torsor/files/mjcf_reader.hpp"
#include "torsor/files/robot_toml.hpp"
#include "torsor/robot.hpp"

using namespace torsor;

namespace {

/// The only fault of the robot.
Fault fault_in(const Result<Description>& read) {
  REQUIRE(read);
  const Result<Robot> robot = Robot::try_build(*read);
  REQUIRE_FALSE(robot);
  REQUIRE(robot.faults().size() == 1);
  return robot.faults()[0];
}

bool says(const std::string& text, std::string_view word) { return text.find(word) != std::string::npos; }

/// Two hinged bars, the end of the second tied to a point of the world.
std::string tied_bars(const std::string& world, const std::string& end = "1 0 0") {
  const std::string bar = "<geom type='capsule' fromto='0 0 0 1 0 0' size='0.05'/>";
  return "<mujoco><worldbody><site name='w' pos='" + world + "'/><body name='a'><joint name='j' axis='0 1 0'/>" + bar +
         "<body name='b' pos='1 0 0'><joint name='k' axis='0 1 0'/>" + bar + "<site name='t' pos='" + end +
         "'/></body></body></worldbody><equality><connect site1='w' site2='t'/></equality></mujoco>";
}

}  // namespace

TEST_CASE("what is advised about a loop that does not close can be done in the format of its file") {
  for (const bool open : {true, false}) {
    const std::string bars = tied_bars(open ? "5 0 0" : "2 0 0"), rule = open ? "loop-open" : "loop-singular";
    for (const char* file : {"robot.xml", "robot.mjcf"}) {
      const Fault found = fault_in(read_mjcf(bars, file));
      CHECK(found.rule == rule);
      CHECK_FALSE(says(found.remedy, "start ="));
      CHECK(says(found.remedy, "pos"));
      CHECK(says(found.remedy, "take the file as a mechanism"));
    }
    // a text without a name may be of any format
    const Fault found = fault_in(read_mjcf(bars, "text"));
    CHECK(found.rule == rule);
    CHECK(says(found.remedy, "start ="));
    CHECK(says(found.remedy, "without start"));
  }
  for (const char* file : {"robot.sdf", "cell.world"})
    for (const std::string& remedy : {closing_advice(file).open, closing_advice(file).singular}) {
      CHECK_FALSE(says(remedy, "start ="));
      CHECK(says(remedy, "<pose>"));
    }
  CHECK(closing_advice("robot.toml").open ==
        "check the frames of the loop; give start = ... to its joints, near where it closes");
}

TEST_CASE("a loop whose rounded numbers contradict each other is told by how much") {
  // the bars move in the plane y = 0
  const Fault rounded = fault_in(read_mjcf(tied_bars("1 1e-7 1", "0 0 1"), "robot.xml"));
  CHECK(rounded.rule == "loop-open");
  CHECK(says(rounded.remedy, "more digits"));
  CHECK(says(rounded.what, "1e-07"));
  CHECK_FALSE(says(fault_in(read_mjcf(tied_bars("1 1e-4 1", "0 0 1"), "robot.xml")).remedy, "digits"));
}
