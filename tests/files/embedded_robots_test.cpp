// The embedded robots are the files of robots/, all of them, byte for byte.
#include "tests/support/places.hpp"
#include "torsor/files/embedded_robots.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <string>

using namespace torsor;

TEST_CASE("every robot file is embedded byte for byte, and nothing else is") {
  std::map<std::string, std::string> files;
  for (const auto& entry : std::filesystem::directory_iterator(places::in_project("robots"))) {
    if (entry.path().extension() != ".toml") continue;
    std::ifstream file(entry.path(), std::ios::binary);
    files[entry.path().stem().string()] = {std::istreambuf_iterator<char>(file), {}};
  }
  REQUIRE(!files.empty());

  std::map<std::string, std::string> embedded;
  for (const auto& robot : embedded_robots()) embedded.emplace(robot.name, robot.text);
  CHECK(embedded.size() == embedded_robots().size());
  CHECK(embedded == files);
}

TEST_CASE("the embedded robots are sorted by name") {
  CHECK(std::ranges::is_sorted(embedded_robots(), {}, &EmbeddedRobot::name));
}

TEST_CASE("every mechanism file is embedded byte for byte, and nothing else is") {
  std::map<std::string, std::string> files, embedded;
  for (const auto& entry : std::filesystem::directory_iterator(places::in_project("robots/mechanisms"))) {
    std::ifstream file(entry.path(), std::ios::binary);
    files[entry.path().stem().string()] = {std::istreambuf_iterator<char>(file), {}};
  }
  for (const EmbeddedFile& mechanism : embedded_mechanisms()) embedded.emplace(mechanism.name, mechanism.text);
  CHECK(embedded.size() >= 12);
  CHECK(embedded == files);
}

TEST_CASE("no robot has the name of a mechanism, lest one of them be opened for the other") {
  for (const EmbeddedFile& mechanism : embedded_mechanisms()) {
    CAPTURE(mechanism.name);
    CHECK(std::ranges::find(embedded_robots(), mechanism.name, &EmbeddedFile::name) == embedded_robots().end());
    CHECK(std::ranges::find(embedded_robots_with_loops(), mechanism.name, &EmbeddedFile::name) ==
          embedded_robots_with_loops().end());
  }
}
