#include <doctest/doctest.h>

#include <cmath>
#include <nlohmann/json.hpp>
#include <sstream>

#include "command.hpp"
#include "json_numbers.hpp"

using namespace cli_test;
using nlohmann::json;

namespace {

}  // namespace

TEST_CASE("the tool of the PUMA 560 stands where its DH table puts it") {
  const json answer = json_of("fk puma560 --q zero");
  const json& tool = answer["frames"].back();
  CHECK(tool["tool"] == true);
  // stretched upwards from the elbow: a2 + a3 outwards, d3 sideways, d1 + d4 up
  CHECK(number(tool["position"][0]) == doctest::Approx(0.4318 + 0.0203).epsilon(1e-14));
  CHECK(number(tool["position"][1]) == doctest::Approx(-0.15005).epsilon(1e-14));
  CHECK(number(tool["position"][2]) == doctest::Approx(0.67183 + 0.4318).epsilon(1e-14));
  CHECK(tool["quaternion"] == json::parse("[1,0,0,0]"));
  CHECK(answer["frames"].size() == 7);
  CHECK_FALSE(tool.contains("velocity"));
}

TEST_CASE("a state beyond the limits of the robot is noted") {
  const Outcome beyond = torsor("fk ur5 --q 7,0,0,0,0,0 --json");
  REQUIRE(beyond.code == 0);
  const json passed = json_of(beyond)["limits_passed"];
  REQUIRE(passed.size() == 1);
  CHECK(passed[0]["joint"] == "shoulder_pan");
  CHECK(passed[0]["quantity"] == "position");
  CHECK(number(passed[0]["value"]) == 7);
  CHECK(says(beyond.err, {"7", "6.28319"}));
  CHECK(json_of("fk ur5 --q zero")["limits_passed"].empty());
}

TEST_CASE("velocities agree with the Jacobian, and accelerations with its rate") {
  const json answer = json_of(
          "fk puma560 --q '0.1 0.7 -1.2 0.4 0.9 -0.3' --qd '1 -0.5 0.8 2 -1 0.6' --qdd '1 2 3 4 5 6' --jacobian");
  const json& tool = answer["frames"].back();
  for (std::size_t i = 0; i < 3; ++i) {
    double w = 0, v = 0, a = 0;
    for (std::size_t k = 0; k < 6; ++k) {
      w += number(answer["jacobian"][i][k]) * number(answer["qd"][k]);
      v += number(answer["jacobian"][i + 3][k]) * number(answer["qd"][k]);
      a += number(answer["jacobian"][i + 3][k]) * number(answer["qdd"][k]) +
           number(answer["jacobian_rate"][i + 3][k]) * number(answer["qd"][k]);
    }
    CHECK(number(tool["angular_velocity"][i]) == doctest::Approx(w).epsilon(1e-12));
    CHECK(number(tool["velocity"][i]) == doctest::Approx(v).epsilon(1e-12));
    CHECK(number(tool["acceleration"][i]) == doctest::Approx(a).epsilon(1e-11));
  }
}

TEST_CASE("any link can be the tool") {
  const json answer = json_of("fk puma560 --q zero --tool forearm");
  CHECK(answer["frames"].back()["frame"] == "forearm");
  CHECK(answer["frames"].back()["position"] == answer["frames"][2]["position"]);
  CHECK(contains(torsor("fk puma560 --q zero --tool forearm").out, "\nforearm (tool) "));
}

TEST_CASE("a motion becomes poses of the tool, with rates when asked for") {
  const Outcome fk = torsor("fk two_link --motion -", "q1,q2\n0,0\n1.5707963267948966,0\n");
  CHECK(fk.code == 0);
  CHECK(fk.err.empty());
  CHECK(contains(fk.out, "x,y,z,e0,e1,e2,e3,roll,pitch,yaw\n"));
  const json rates =
      json_of(torsor("fk two_link --motion - --rates --json", "t,q1,q2,qd1,qd2,qdd1,qdd2\n0,0,0,2,0,0,0\n"));
  const json show = json_of("show two_link");
  const double l = number(show["dh"]["rows"][0]["a"]) + number(show["dh"]["rows"][1]["a"]);
  // a stretched arm turning at 2 rad/s: v = 2 l across, a = 4 l inwards
  CHECK(rates["columns"][14] == "vx");
  CHECK(number(rates["rows"][0][15]) == doctest::Approx(2 * l).epsilon(1e-12));
  CHECK(number(rates["rows"][0][20]) == doctest::Approx(-4 * l).epsilon(1e-12));
}

TEST_CASE("along a motion neither the signs of the quaternion nor the angles jump") {
  std::string motion = "t,q1,q2\n";
  for (int k = 0; k <= 40; ++k) motion += std::to_string(k) + ',' + std::to_string(0.5 * k) + ",0\n";
  const json rows = json_of(torsor("fk two_link --motion - --json", motion))["rows"];
  REQUIRE(rows.size() == 41);
  for (std::size_t k = 0; k < rows.size(); ++k) {
    const double angle = 0.5 * static_cast<double>(k);
    CHECK(rows[k][4].get<double>() == doctest::Approx(std::cos(angle / 2)).epsilon(1e-12));
    CHECK(rows[k][7].get<double>() == doctest::Approx(std::sin(angle / 2)).epsilon(1e-12));
    CHECK(rows[k][10].get<double>() == doctest::Approx(angle).epsilon(1e-12));
  }
}

TEST_CASE("a motion without rows is refused, and nothing is written") {
  for (const char* verb : {"fk", "id"}) {
    const Outcome empty = torsor(std::string(verb) + " two_link --motion -", "t,q1,q2,qd1,qd2,qdd1,qdd2\n");
    CHECK(empty.code == 2);
    CHECK(empty.out.empty());
    CHECK_FALSE(empty.err.empty());
  }
}

TEST_CASE("options for one state and for a motion do not mix") {
  CHECK(tells(torsor("fk two_link --motion a.csv --jacobian").err, "option-mode", {"--jacobian", "--motion"}));
  CHECK(tells(torsor("fk two_link --q zero --rates").err, "option-mode", {"--rates", "--motion"}));
  CHECK(tells(torsor("fk two_link").err, "option-missing", {"--q"}));
}
