#include <doctest/doctest.h>

#include <nlohmann/json.hpp>

#include "command.hpp"

using namespace cli_test;
using nlohmann::json;

TEST_CASE("agree --exact proves the formulations the same") {
  const Outcome run = torsor("agree two_link --exact --json");
  CHECK(run.code == 0);
  CHECK(json_of(run)["holds"] == true);
  const json answer = json_of("agree theta_d --exact");
  CHECK(answer["holds"] == true);
  CHECK(answer["formulations"].size() >= 8);
  CHECK(torsor("agree two_link --exact --states 5").code == 2);
  CHECK(torsor("agree two_arm --exact").code == 1);
}
