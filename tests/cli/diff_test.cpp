// torsor diff: exit codes, the list of differences, names that changed.
#include <doctest/doctest.h>

#include <nlohmann/json.hpp>

#include "tests/cli/command.hpp"

using namespace cli_test;
using nlohmann::json;

TEST_CASE("a robot and its other forms are the same, exit code 0") {
  CHECK(torsor("diff puma560 puma560").code == 0);
  for (const char* form : {"puma.urdf", "puma.toml", "puma.mjcf"}) {
    CHECK(torsor(std::string("convert puma560 ") + form).code == 0);
    const Outcome same = torsor(std::string("diff puma560 ") + form + " --json");
    CHECK(same.code == 0);
    const json answer = json_of(same);
    CHECK(answer["same"] == true);
    CHECK(answer["torque"]["relative"].get<double>() < 1e-12);
    CHECK(answer["differences"].empty());
  }
}

TEST_CASE("what differs is listed with its numbers, exit code 1") {
  const Outcome friction = torsor("diff puma560 puma560_drives --json");
  CHECK(friction.code == 1);
  const json answer = json_of(friction);
  CHECK(answer["same"] == false);
  bool rotor = false;
  for (const json& row : answer["differences"])
    rotor = rotor || (row["topic"] == "drive" && row["second"].get<double>() > 0);
  CHECK(rotor);
  CHECK(answer["torque"]["torque"].get<double>() > 0);
  CHECK(answer["torque"]["q"].size() == 6);
  CHECK(answer["pose"]["position"].get<double>() < 1e-12);
  // a tolerance that forgives everything
  CHECK(torsor("diff puma560 puma560_drives --tolerance 1e9").code == 0);
}

TEST_CASE("a limit that only one of them has is a difference, and no number") {
  const std::string file = write("bounded.toml", R"(
[[link]]
name = "bar"
joint = { kind = "revolute", name = "a" }
placement = { position = [0, 0, 0] }
limits = { velocity = 2 }
mass = 1
inertia = [1, 1, 1]
)");
  CHECK(torsor("convert " + file + " bounded.mjcf").code == 0);  // which has no velocity limits
  const Outcome lost = torsor("diff " + file + " bounded.mjcf --json");
  CHECK(lost.code == 1);
  const json rows = json_of(lost)["differences"];
  REQUIRE(rows.size() == 1);
  CHECK(rows[0]["quantity"] == "velocity limit");
  CHECK(rows[0]["first"] == 2);
  CHECK(rows[0]["second"].is_null());
  CHECK(rows[0]["difference"].is_null());
  const Outcome told = torsor("diff " + file + " bounded.mjcf");
  CHECK(told.code == 1);
  CHECK(contains(told.out, "velocity limit 2 rad/s in the first, none in the second"));
}

TEST_CASE("chains of both are compared, and bad input is refused") {
  CHECK(torsor("diff two_arm two_arm --tool left_wrist3").code == 0);
  CHECK(torsor("diff two_arm two_arm --tool nobody").code == 2);
  CHECK(torsor("diff puma560 nobody").code == 2);
  CHECK(tells(torsor("diff puma560 puma560 --tolerance -1").err, "option-value", {"--tolerance"}));
  CHECK(torsor("diff puma560").code == 2);
}
