#include "torsor/text/suggest.hpp"

#include <doctest/doctest.h>

#include <string>
#include <string_view>
#include <vector>

using namespace torsor;

namespace {
const std::vector<std::string> kinds = {"fixed", "revolute", "prismatic", "helical", "spherical", "free"};
}

TEST_CASE("a slip of the hand finds the name that was meant") {
  CHECK(closest("revolut", kinds) == "revolute");
  CHECK(closest("prsimatic", kinds) == "prismatic");
  CHECK(closest("Helicall", kinds) == "helical");
  CHECK(closest("FIXED", kinds) == "fixed");
}

TEST_CASE("swapped neighbours count as one slip") { CHECK(closest("dq1", std::vector<std::string>{"qd1"}) == "qd1"); }

TEST_CASE("a text unlike every candidate suggests nothing") {
  CHECK(closest("universal", kinds).empty());
  CHECK(closest("", kinds).empty());
  CHECK(closest("x", std::vector<std::string>{"y"}).empty());
  CHECK(closest("anything", std::vector<std::string>{}).empty());
}

TEST_CASE("the nearest wins, and the first among equals") {
  const std::vector<std::string_view> names = {"q12", "q1", "q2"};
  CHECK(closest("q_1", names) == "q1");
  CHECK(closest("q3", names) == "q1");
}

TEST_CASE("the question is ready for a remedy") {
  CHECK(did_you_mean("revolut", kinds) == "did you mean \"revolute\"?");
  CHECK(did_you_mean("universal", kinds).empty());
}
