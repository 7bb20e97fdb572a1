// A format that robots are written in and read from again: what every test of a writer asks.
#pragma once

#include <doctest/doctest.h>

#include "tests/files/file_text.hpp"
#include "tests/support/random_robot.hpp"
#include "torsor/dynamics/torque_difference.hpp"
#include "torsor/files/embedded_robots.hpp"
#include "torsor/files/mjcf_reader.hpp"
#include "torsor/files/robot_toml.hpp"
#include "torsor/files/urdf_reader.hpp"
#include "torsor/files/urdf_writer.hpp"
#include "torsor/model/chain_links.hpp"

namespace torsor::testing {

inline double tool_residual(const Description& a, const Description& b) {
  double position = 0, angle = 0;
  compare_tools(built(a), built(b), position, angle);
  return position + angle;
}

struct WrittenFormat {
  const char* file;
  Result<std::string> (*write)(const Description&, std::vector<std::string>*);
  Result<Description> (*read)(std::string_view text, const std::string& file);
  void (*simplify)(Description&);        // leaves out what only this format has no words for
  Description (*in_order)(Description);  // as its links come

  Description again(const Description& d, std::string* written = nullptr) const {
    const auto text = write(d, nullptr);
    for (const Fault& error : text.faults()) MESSAGE(to_string(error));
    REQUIRE(text);
    if (written) *written = *text;
    auto robot = read(*text, file);
    for (const Fault& error : robot.faults()) MESSAGE(to_string(error) << '\n' << *text);
    REQUIRE(robot);
    return *std::move(robot);
  }

  /// Of the faults that writing it has.
  std::string rules(const Description& d) const {
    std::string text;
    const auto result = write(d, nullptr);
    for (const Fault& error : result.faults()) {
      text += (text.empty() ? "" : " ") + error.rule;
      CHECK_FALSE(error.remedy.empty());
    }
    return text;
  }

  /// Without what neither MJCF nor SDF has words for, nor this one.
  Description simplified(Description d) const {
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
    simplify(d);
    return d;
  }

  /// Coordinates, torques and tool; gives what came back.
  Description keeps(const Description& given, int states = 64) const {
    const Description d = in_order(given), back = again(given);
    CHECK(built(d).velocity_names == built(back).velocity_names);
    CHECK(torque_difference(built(d), built(back), states) < 1e-12);
    CHECK(tool_residual(d, back) < 1e-12);
    return back;
  }

  void keeps_built_in_robots() const {
    int count = 0, broken = 0;
    for (const EmbeddedRobot& robot : embedded_robots()) {
      CAPTURE(robot.name);
      const Description d = simplified(*read_robot_toml(robot.text, "robot.toml"));
      // the comparison can fail
      Description other = keeps(d);
      other.gravity = other.gravity + Vec3<double>{0.1, 0.1, 0.1};
      broken += torque_difference(built(d), built(other)) > 1e-6;
      ++count;
    }
    CHECK(count >= 5);
    CHECK(broken >= 5);
  }

  void keeps_random_trees(int seed, int draws) const {
    Random random(seed);
    int count = 0;
    for (int draw = 0; draw < draws; ++draw) {
      const Description d = simplified(random_robot(random, RobotOptions{}).description);
      if (!build(d)) continue;
      keeps(d, 5);
      ++count;
    }
    CHECK(count >= draws / 2);
  }

  /// From URDF to it and back.
  void keeps_urdf() const {
    int count = 0;
    for (const EmbeddedRobot& robot : embedded_robots()) {
      CAPTURE(robot.name);
      const auto urdf = write_urdf(simplified(*read_robot_toml(robot.text, "robot.toml")));
      if (!urdf) continue;
      const Description first = *read_urdf(*urdf, "robot.urdf");
      const auto last = write_urdf(again(first));
      REQUIRE(last);
      const Description back = *read_urdf(*last, "again.urdf");
      CHECK(built(in_order(first)).velocity_names == built(back).velocity_names);
      CHECK(torque_difference(built(in_order(first)), built(back)) < 1e-12);
      ++count;
    }
    CHECK(count >= 5);
  }
};

/// A link with a mass beside its axis, on a joint of its name.
inline LinkDescription plain_link(const std::string& name, const std::string& parent) {
  LinkDescription link{.name = name, .joint_name = name};
  link.parent = parent;
  link.parts = {{.mass = 1, .com = {0.1, 0.2, 0.3}, .tensor = {0.1, 0.1, 0.1, 0, 0, 0}}};
  return link;
}

/// An MJCF of the tests.
inline Description mjcf_of_tests(const std::string& name) {
  const std::string path = places::in_project("tests/mjcf/") + name + ".xml";
  return *read_mjcf(contents(path), path);
}

}  // namespace torsor::testing
