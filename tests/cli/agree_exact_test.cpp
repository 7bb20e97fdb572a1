#include <doctest/doctest.h>

#include <nlohmann/json.hpp>

#include "command.hpp"

using namespace cli_test;
using nlohmann::json;

TEST_CASE("agree --exact proves the formulations the same") {
  const Outcome run = torsor("agree two_link --exact");
  CHECK(run.code == 0);
  CHECK(contains(run.out, "All formulations are the same."));
  CHECK(contains(run.out, "polynomial"));
  const json answer = json::parse(torsor("agree theta_d --exact --json").out);
  CHECK(answer["same"] == true);
  CHECK(answer["formulations"].size() >= 8);
  CHECK(torsor("agree two_link --exact --states 5").code == 2);
  CHECK(torsor("agree two_arm --exact").code == 1);
}
