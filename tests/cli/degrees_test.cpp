// Degrees in and out: every verb gives the same answer as in radians, with its unit.
#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>
#include <numbers>

#include "command.hpp"
#include "json_numbers.hpp"

using namespace cli_test;
using nlohmann::json;

namespace {

constexpr double degree = std::numbers::pi / 180;

void check_angles(const json& in_degrees, const json& in_radians) {
  REQUIRE(in_degrees.size() == in_radians.size());
  for (std::size_t k = 0; k < in_degrees.size(); ++k)
    CHECK(number(in_degrees[k]) * degree == doctest::Approx(number(in_radians[k])).epsilon(1e-13));
}

void check_same(const json& a, const json& b) {
  REQUIRE(a.size() == b.size());
  for (std::size_t k = 0; k < a.size(); ++k) CHECK(number(a[k]) == doctest::Approx(number(b[k])).epsilon(1e-12));
}

}  // namespace

TEST_CASE("a state in degrees has its answer in degrees, torques and lengths as they are") {
  const std::string state = " puma560 --q '10 45 -90 0 30 0' --qd '10 20 30 10 20 30' --qdd '5 5 5 5 5 5' --degrees";
  const std::string radians = " puma560 --q '10deg 45deg -90deg 0 30deg 0' --qd '10deg 20deg 30deg 10deg 20deg 30deg' "
                              "--qdd '5deg 5deg 5deg 5deg 5deg 5deg'";
  for (const char* verb : {"id", "terms", "fk", "derivatives"}) {
    INFO(verb);
    const json in_degrees = json_of(verb + state), in_radians = json_of(verb + radians);
    CHECK(in_degrees["angle_unit"] == "deg");
    CHECK(in_radians["angle_unit"] == "rad");
    for (const char* key : {"q", "qd", "qdd"}) check_angles(in_degrees[key], in_radians[key]);
    if (in_degrees.contains("tau")) check_same(in_degrees["tau"], in_radians["tau"]);
  }
  const json tool = json_of("fk" + state)["frames"].back(), as_ever = json_of("fk" + radians)["frames"].back();
  for (const char* key : {"rpy", "angular_velocity", "angular_acceleration"}) check_angles(tool[key], as_ever[key]);
  for (const char* key : {"position", "velocity", "acceleration"}) check_same(tool[key], as_ever[key]);
  const Outcome shown = torsor("id" + state);
  CHECK(says(shown.out, {"q (deg)", "qd (deg/s)", "tau (N m)"}));
  const std::string still = " puma560 --q '10 45 -90 0 30 0' --tau '1 2 3 0 0 0'";
  check_angles(json_of("fd" + still + " --degrees")["qdd"],
               json_of("fd puma560 --q '10deg 45deg -90deg 0 30deg 0' --tau '1 2 3 0 0 0'")["qdd"]);
}

TEST_CASE("prismatic joints stay in metres") {
  const json answer = json_of("id stanford --q '90 0 0.3 0 0 0' --degrees");
  CHECK(number(answer["q"][0]) == doctest::Approx(90));
  CHECK(number(answer["q"][2]) == 0.3);
  check_same(answer["tau"], json_of("id stanford --q '90deg 0 0.3 0 0 0'")["tau"]);
}

TEST_CASE("positions that only degrees explain are hinted at") {
  CHECK(says(torsor("id puma560 --q '0 45 -90 0 30 0'").err, {"--degrees"}));
  CHECK_FALSE(says(torsor("id puma560 --q '0 45 -90 0 30 0' --degrees").err, {"--degrees"}));
  CHECK_FALSE(says(torsor("id puma560 --q '0 0.5 -1 0 0.3 0'").err, {"--degrees"}));
  const std::string file = write("in_degrees.csv", "t,q1,q2,q3,q4,q5,q6\n0,0,45,-90,0,30,0\n1,5,45,-90,0,30,0\n2,9,45,-90,0,30,0\n");
  CHECK(says(torsor("id puma560 --motion " + file).err, {"--degrees"}));
  CHECK(says(torsor("dominance puma560 --motion " + file).err, {"--degrees"}));
  CHECK_FALSE(says(torsor("id puma560 --motion " + file + " --degrees").err, {"--degrees"}));
}

TEST_CASE("a motion in degrees gives rows in degrees, which read back without a word") {
  const std::string degrees = write("deg.csv", "t (s);waist_pos;q2;q3;q4;q5;q6\n0;0;45;-90;0;30;0\n0,5;10;50,5;-80;0;30;0\n1;20;60;-70;0;30;0\n");
  const Outcome done = torsor("id puma560 --motion " + degrees + " --degrees -o " + path("tau_deg.csv"));
  REQUIRE(done.code == 0);
  const std::string rows = read(path("tau_deg.csv"));
  CHECK(contains(rows, "q.shoulder_deg"));
  CHECK(contains(rows, "qd.shoulder_deg_s"));
  CHECK(contains(rows, "qdd.shoulder_deg_s2"));
  REQUIRE(torsor("id puma560 --motion " + path("tau_deg.csv") + " -o " + path("tau_rad.csv")).code == 0);
  const std::string again = read(path("tau_rad.csv"));
  for (std::size_t row = 0; row < 3; ++row) {
    CHECK(cell(rows, "q.shoulder_deg", row) * degree == doctest::Approx(cell(again, "q.shoulder", row)).epsilon(1e-13));
    CHECK(cell(rows, "tau.shoulder", row) == doctest::Approx(cell(again, "tau.shoulder", row)).epsilon(1e-9));
  }
}

TEST_CASE("inverse kinematics answers in degrees") {
  const std::string pose = "ik puma560 --pose '0.5 0.1 0.6 0 68.75493541569878 0' --degrees";
  const json in_degrees = json_of(pose), in_radians = json_of("ik puma560 --pose '0.5 0.1 0.6 0 1.2 0'");
  CHECK(in_degrees["angle_unit"] == "deg");
  REQUIRE_FALSE(in_degrees["branches"].empty());
  REQUIRE(in_degrees["branches"].size() == in_radians["branches"].size());
  for (std::size_t k = 0; k < in_degrees["branches"].size(); ++k)
    check_angles(in_degrees["branches"][k]["q"], in_radians["branches"][k]["q"]);
}

TEST_CASE("faults of a motion file are few, and name what is there") {
  std::string bad = "t,q1,q2\n";
  for (int k = 0; k < 500; ++k) bad += std::to_string(k) + ",x,0\n";
  const Outcome many = torsor("id two_link --motion " + write("bad.csv", bad));
  CHECK(many.code == 2);
  CHECK(tells(many.err, "number", {"499", "501"}));
  CHECK(std::count(many.err.begin(), many.err.end(), '\n') < 5);
  CHECK(tells(torsor("id two_link --motion " + write("few.csv", "t,alpha,beta\n0,0,0\n")).err, "motion-column", {"alpha", "beta"}));
  CHECK(tells(torsor("id two_link --motion " + write("unit.csv", "t,q1 (grad),q2\n0,0,0\n")).err, "column-unit", {"grad", "rad"}));
}

TEST_CASE("a path of the tool is in the units that its headings name, whatever is asked of the answer") {
  REQUIRE(torsor("path sixr_angeles -o tool.csv").code == 0);
  const json in_radians = json_of("track sixr_angeles tool.csv"), in_degrees = json_of("track sixr_angeles tool.csv --degrees");
  CHECK(in_degrees["angle_unit"] == "deg");
  const json &last = in_radians["rows"].back(), &shown = in_degrees["rows"].back();
  REQUIRE(last.size() == 25);
  REQUIRE(shown.size() == 25);
  for (std::size_t k = 1; k < 19; ++k) CHECK(number(shown[k]) * degree == doctest::Approx(number(last[k])).epsilon(1e-12));
  for (std::size_t k = 19; k < 25; ++k) CHECK(number(shown[k]) == number(last[k]));
}
