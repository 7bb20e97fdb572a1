// Robots with loops that tests go through: those that come with the library, and some that are made for a case.
#pragma once

#include <fmt/format.h>

#include <string>
#include <vector>

#include "torsor/robot.hpp"

namespace torsor::testing {

/// Those of the library; links without a mass are given one, which a mechanism's bodies must have.
inline std::vector<Robot> loop_robots() {
  std::vector<Robot> robots;
  for (const std::string& name : Robot::names_with_loops()) {
    Description d = Robot::load(name).description();
    for (LinkDescription& link : d.links)
      if (link.parts.empty()) link.parts.push_back({.mass = 0.1, .com = {0.01, 0, 0}, .tensor = {1e-4, 1e-4, 1e-4}});
    robots.emplace_back(std::move(d));
  }
  return robots;
}

/// A planar four-bar of hinges, with or without the words that follow; ground, crank, coupler and rocker in m.
inline std::string four_bar(double ground = 1, double crank = 0.4, double coupler = 0.9, double rocker = 0.8,
                            const std::string& more = "actuated = [\"crank\"]", const std::string& kind = "revolute") {
  return fmt::format(R"(name = "four-bar"
gravity = [0, -9.81, 0]
[[link]]
name = "crank"
joint = {{ kind = "revolute", start = 1.2 }}
mass = 1
com = [{}, 0, 0]
inertia = [0.01, 0.02, 0.02]
[[link]]
name = "coupler"
joint = {{ kind = "revolute", start = -0.8 }}
placement = {{ position = [{}, 0, 0] }}
mass = 2
com = [{}, 0.1, 0]
inertia = [0.02, 0.1, 0.1]
[[link]]
name = "rocker"
parent = "base"
joint = {{ kind = "revolute", start = 1.7 }}
placement = {{ position = [{}, 0, 0] }}
mass = 1.5
com = [{}, 0, 0]
inertia = [0.02, 0.08, 0.08]
[[loop]]
name = "pin"
kind = "{}"
links = ["coupler", "rocker"]
first = {{ position = [{}, 0, 0] }}
second = {{ position = [{}, 0, 0] }}
{}
)",
                     crank / 2, crank, coupler / 2, ground, rocker / 2, kind, coupler, rocker, more);
}

}  // namespace torsor::testing
