// gamma: branches, dead centres, what cannot be closed; the choice of coordinates; loops that share joints, redundant and rigid ones.
#include "torsor/loops/loop_map.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <numbers>

#include "tests/support/loop_robots.hpp"
#include "tests/support/random.hpp"
#include "torsor/dynamics.hpp"
#include "torsor/files/load_robot.hpp"
#include "torsor/files/mjcf_writer.hpp"
#include "torsor/files/robot_toml.hpp"
#include "torsor/files/robot_toml_writer.hpp"
#include "torsor/files/sdf_writer.hpp"
#include "torsor/files/urdf_writer.hpp"

using namespace torsor;
using namespace torsor::testing;

namespace {

using Numbers = std::vector<double>;

std::string rule_of(const std::string& text) {
  const auto robot = Robot::try_load(text);
  return robot ? "none" : robot.faults().front().rule;
}

/// The angle of the coupler against the ground, by the cosine law: elbow up or down.
double rocker_angle(double ground, double crank, double coupler, double rocker, double angle, bool up) {
  const double x = ground - crank * std::cos(angle), y = -crank * std::sin(angle), d = std::hypot(x, y);
  const double bend = std::acos((d * d + rocker * rocker - coupler * coupler) / (2 * d * rocker));
  return std::atan2(-y, -x) + (up ? -bend : bend);
}

}  // namespace

TEST_CASE("a four-bar closes as the cosine law says, all the way round and on its branch") {
  const Robot robot = Robot::load(four_bar());
  CHECK(robot.nv() == 1);
  CHECK(robot.coordinates().velocity_names == std::vector<std::string>{"crank"});
  LoopMap map(robot.tree(), robot.loops());
  for (int k = 0; k <= 400; ++k) {
    const double angle = 1.2 + 2 * std::numbers::pi * k / 200;
    REQUIRE(map.place(Numbers{angle}));
    const double expected = rocker_angle(1, 0.4, 0.9, 0.8, angle, true);
    CHECK(std::remainder(map.q()[2] - expected, 2 * std::numbers::pi) == doctest::Approx(0).epsilon(1e-12));
    CHECK(map.residual() < 1e-14);
  }
}

TEST_CASE("where loops stand does not depend on the way there") {
  for (const Robot& robot : loop_robots()) {
    CAPTURE(robot.name());
    LoopMap there(robot.tree(), robot.loops());
    Random random(21);
    const Model<double>& m = robot.coordinates();
    int closed = 0;
    for (int k = 0; k < 300; ++k) {
      Numbers q;
      for (int i = 0; i < m.nq; ++i) q.push_back(random.uniform(m.limits[i].lower, m.limits[i].upper));
      const LoopStatus status = there.place(q);
      LoopMap fresh(robot.tree(), robot.loops());
      const LoopStatus again = fresh.place(q);
      if (!status || !again) continue;
      ++closed;
      for (int i = 0; i < robot.tree().nq; ++i)
        CHECK(std::abs(std::remainder(there.q()[i] - fresh.q()[i], 2 * std::numbers::pi)) < 1e-9);
    }
    CHECK(closed > 100);
  }
}

TEST_CASE("dead centres and positions that cannot be closed are answered as such, with the coordinate") {
  // a rocker driven: the crank of 0.4 stands still where crank and coupler are in line
  const Robot robot = Robot::load(four_bar(1, 0.4, 0.9, 0.8, "actuated = [\"rocker\"]"));
  CHECK(robot.coordinates().velocity_names == std::vector<std::string>{"rocker"});
  Dynamics dynamics(robot);
  Numbers tau(1), all(3);
  const double at_rest = robot.loops()->reference[2];
  REQUIRE(dynamics.gravity(Numbers{at_rest}, tau));
  // stretched: ground 1, rocker 0.8 and 1.3 in line make a triangle
  const double limit = std::numbers::pi - std::acos((1 + 0.64 - 1.69) / (2 * 0.8));
  CHECK(dynamics.gravity(Numbers{limit + 0.01}, tau).kind == Status::ok);
  const Status dead = dynamics.gravity(Numbers{limit}, tau);
  CHECK(dead.kind == Status::dead_centre);
  CHECK(dead.coordinate == 0);
  CHECK(std::isnan(tau[0]));
  tau[0] = 7;
  const Status open = dynamics.gravity(Numbers{limit - 0.5}, tau);
  CHECK(open.kind == Status::not_closed);
  CHECK(open.coordinate == 0);
  CHECK(std::isnan(tau[0]));
  CHECK(dynamics.positions(Numbers{limit + 3}, all).kind == Status::not_closed);
  // and it is where it was
  REQUIRE(dynamics.positions(Numbers{at_rest}, all));
  CHECK(all[0] == doctest::Approx(robot.loops()->reference[0]).epsilon(1e-12));
  CHECK(dynamics.gravity(Numbers{std::nan("")}, tau).kind == Status::not_finite);
  CHECK(dynamics.gravity(Numbers{1, 2}, tau).kind == Status::wrong_size);
}

TEST_CASE("coordinates are the actuated joints, else those with motors; redundant equations are counted") {
  const Robot hinges = Robot::load(four_bar()), balls = Robot::load(four_bar(1, 0.4, 0.9, 0.8, "", "spherical"));
  CHECK(hinges.loops()->clusters[0].all_rows == 5);
  CHECK(hinges.loops()->clusters[0].redundant == 3);
  CHECK(balls.loops()->clusters[0].redundant == 1);
  CHECK(hinges.loops()->clusters[0].rows.size() == 2);
  CHECK(Robot::load(four_bar(1, 0.4, 0.9, 0.8, "passive = [\"crank\", \"rocker\"]")).coordinates().velocity_names[0] ==
        "coupler");
  // more motors than degrees of freedom: one of them is solved for, and said to be
  const Robot two = Robot::load(four_bar(1, 0.4, 0.9, 0.8, "actuated = [\"crank\", \"rocker\"]"));
  CHECK(two.nv() == 1);
  int solved = 0;
  for (const LoopJoint& joint : two.loops()->joints) solved += joint.actuated && !joint.independent;
  CHECK(solved == 1);
  const Robot arm = Robot::load("palletising_arm");
  CHECK(arm.coordinates().velocity_names == std::vector<std::string>{"waist", "shoulder", "flange", "elbow_motor"});
  CHECK(arm.loops()->clusters.size() == 1);
  CHECK(arm.loops()->clusters[0].redundant == 9);
}

TEST_CASE("loops that are open, rigid, singular, flipped or only half determine a joint are refused by name and line") {
  CHECK(rule_of(four_bar(1, 0.1, 0.2, 0.2)) == "loop-open");
  CHECK(rule_of(four_bar(1, 0.4, 0.9, 0.8, "", "weld")) == "loop-open");
  CHECK(rule_of(four_bar(1, 0.4, 0.9, 0.8, "actuated = [\"nobody\"]")) == "loop-joint");
  CHECK(rule_of(four_bar(1, 0.4, 0.9, 0.8, "actuated = [\"crank\"]\npassive = [\"rocker\"]")) == "loop-drives");
  CHECK(rule_of(four_bar(1, 0.4, 0.9, 0.8, "length = 1")) == "loop-length");
  CHECK(rule_of(four_bar(1, 0.4, 0.9, 0.8, "", "hinge")) == "loop-kind");
  // two distances besides hold a crank and a rocker still
  const std::string strut =
      "\n[[loop]]\nname = \"strut\"\nkind = \"distance\"\nlinks = [\"base\", \"crank\"]\nfirst = { position = [0.5, "
      "0.5, 0] "
      "}\nsecond = { position = [0.4, 0, 0] }\nlength = 0.38\n";
  CHECK(rule_of(four_bar() + strut) == "loop-rigid");
  // a parallelogram that lies flat
  std::string flat = four_bar(1, 0.4, 1, 0.4);
  for (const char* start : {"start = 1.2", "start = -0.8", "start = 1.7"})
    flat.replace(flat.find(start), std::string(start).size(), "start = 0");
  CHECK(rule_of(flat) == "loop-singular");
  std::string turned = four_bar();
  turned.replace(turned.find("second = {"), 10, "second = { rpy_deg = [180, 0, 0],");
  CHECK(rule_of(turned) == "loop-flipped");
  // a rod between two balls spins
  const std::string rod = R"(
[[link]]
name = "crank"
joint = { kind = "revolute", start = 0.3 }
mass = 1
[[link]]
name = "rod"
joint = { kind = "spherical" }
placement = { position = [0.3, 0, 0] }
mass = 1
inertia = [0.1, 0.1, 0.1]
[[link]]
name = "rocker"
parent = "base"
joint = { kind = "revolute", axis = [0, 1, 0] }
placement = { position = [1.2, 0.1, 0.2] }
mass = 1
[[loop]]
name = "ball"
kind = "spherical"
links = ["rod", "rocker"]
first = { position = [0.9, 0, 0] }
second = { position = [0, 0.1, 0.3] }
actuated = ["crank"]
)";
  CHECK(rule_of(rod) == "loop-partial");
  const auto faults = Robot::try_load(four_bar(1, 0.1, 0.2, 0.2)).faults();
  REQUIRE(!faults.empty());
  CHECK(faults.front().where.line == 24);
  CHECK(faults.front().offender == "loop \"pin\"");
}

TEST_CASE("whatever computes on trees refuses a robot with loops") {
  const Robot robot = Robot::load("five_bar");
  CHECK_THROWS_AS(robot.model(), Error);
  CHECK_THROWS_AS(robot.chain(), Error);
  CHECK_THROWS_AS(Dynamics(robot).model(), Error);
  CHECK_FALSE(robot.is_serial());
  const auto built = build(robot.description());
  REQUIRE_FALSE(built);
  CHECK(built.faults().front().rule == "robot-loops");
  CHECK_FALSE(write_urdf(robot.description()));
  CHECK_FALSE(write_mjcf(robot.description()));
  CHECK_FALSE(write_sdf(robot.description()));
}

TEST_CASE("a robot file with loops is written as it was read") {
  for (const std::string& name : Robot::names_with_loops()) {
    CAPTURE(name);
    const Robot robot = Robot::load(name);
    const auto again = read_robot_toml(write_robot_toml(robot.description()), "again.toml");
    for (const Fault& fault : again.faults()) MESSAGE(to_string(fault));
    REQUIRE(again);
    CHECK(write_robot_toml(*again) == write_robot_toml(robot.description()));
    const Robot copy(*again);
    REQUIRE(copy.loops()->v == robot.loops()->v);
    for (std::size_t k = 0; k < copy.loops()->reference.size(); ++k)
      CHECK(copy.loops()->reference[k] == doctest::Approx(robot.loops()->reference[k]).epsilon(1e-12));
  }
}

TEST_CASE("loops that share no joint are clusters of their own, and a loop does not see what carries it") {
  // a four-bar on a floating base, and one more at the end of an arm
  std::string text = "[[link]]\nname = \"trunk\"\njoint = \"free\"\nmass = 10\ninertia = [1, 1, 1]\n";
  std::string bar = four_bar();
  bar = bar.substr(bar.find("[[link]]"));
  for (const char* side : {"left", "right"}) {
    std::string one = bar;
    for (const char* name : {"crank", "coupler", "rocker", "pin"}) {
      const std::string plain = fmt::format("\"{}\"", name), own = fmt::format("\"{}_{}\"", side, name);
      for (std::size_t at = one.find(plain); at != std::string::npos; at = one.find(plain, at + own.size()))
        one.replace(at, plain.size(), own);
    }
    one.replace(one.find("parent = \"base\""), 15, "parent = \"trunk\"");
    one.insert(one.find("joint ="), "parent = \"trunk\"\n");
    text += one;
  }
  // links come before loops
  const Robot robot = Robot::load(text);
  CHECK(robot.nq() == 9);
  CHECK(robot.nv() == 8);
  CHECK(robot.loops()->clusters.size() == 2);
  Dynamics dynamics(robot);
  Random random(4);
  const Numbers q{1, 0, 0, 0, 0.1, 0.2, 0.3, 1.3, 1.1}, qd = random.numbers(8, 1), qdd = random.numbers(8, 2);
  Numbers tau(8), back(8);
  REQUIRE(dynamics.inverse(q, qd, qdd, tau));
  REQUIRE(dynamics.forward(q, qd, tau, back));
  for (std::size_t k = 0; k < 8; ++k) CHECK(back[k] == doctest::Approx(qdd[k]).epsilon(1e-11));
}
