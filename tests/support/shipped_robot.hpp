// Robots that come with the library, as tests take them.
#pragma once

#include <doctest/doctest.h>

#include <string>

#include "torsor/files/load_robot.hpp"

namespace torsor::testing {

inline Description shipped_robot(const std::string& name) {
  auto robot = load_robot(name);
  REQUIRE(robot);
  return *std::move(robot);
}

/// The same with joints that go anywhere.
inline Description without_limits(const std::string& name) {
  Description robot = shipped_robot(name);
  for (LinkDescription& link : robot.links) link.limits = {};
  return robot;
}

}  // namespace torsor::testing
