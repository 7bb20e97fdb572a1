#include <doctest/doctest.h>

#include <nlohmann/json.hpp>

#include "command.hpp"

using namespace cli_test;
using nlohmann::json;

TEST_CASE("bench times every formulation that serves a robot, and general arms of growing length") {
  const json times = json_of("bench puma560 --milliseconds 1");
  REQUIRE(!times["formulations"].empty());
  for (const json& row : times["formulations"]) CHECK(row["seconds_per_call"].get<double>() > 0);

  const json growth = json_of("bench --n 6 --milliseconds 1");
  for (const json& row : growth["formulations"]) CHECK(row["n"].size() == row["seconds_per_call"].size());
  CHECK(torsor("bench --ik").code == 2);
  CHECK(torsor("bench puma560 --markdown x.md").code == 2);
  CHECK(torsor("bench puma560 --n 6").code == 2);
  CHECK(torsor("bench puma560 --html x.html").code == 2);
}

TEST_CASE("bench times inverse kinematics in units of an arc tangent") {
  const json times = json_of("bench ur5 --ik --milliseconds 1");
  CHECK(times["family"] == "parallel");
  CHECK(times["inverse_kinematics"].size() == 4);
  CHECK(times["inverse_kinematics"][0]["arc_tangents"].get<double>() > 0);
  CHECK(times["tool_to_torques"].empty());
  const Outcome puma = torsor("bench puma560 --ik --milliseconds 1");
  CHECK(contains(puma.out, "by a 6x6 LU"));
  CHECK(contains(puma.out, "fused-offset"));
  CHECK(contains(puma.out, "unfused"));
  CHECK(json_of("bench iiwa14 --ik --milliseconds 1")["inverse_kinematics"].size() > 0);
  // a sound robot that is no arm: no fault of the file
  CHECK(torsor("bench go2 --ik").code == 1);
  CHECK(torsor("bench --n 6 --ik").code == 2);
}

TEST_CASE("bench --equations counts the terms of the polynomials") {
  const Outcome run = torsor("bench two_link --equations --json");
  CHECK(run.code == 0);
  const auto answer = json_of(run);
  REQUIRE(answer["equations"].size() == 6);
  CHECK(answer["equations"][0]["name"] == "D");
  CHECK(answer["equations"][0]["terms"] == 6);  // the upper triangle: 3 + 2 + 1
  CHECK(answer["equations"][1]["seconds"] >= 0.0);
  CHECK(answer["equations"][3]["multiplications"] > 0);
  CHECK(answer["equations"][3]["terms"].is_null());
  CHECK(answer["equations"][5]["peak_memory_bytes"] > 1e6);
  CHECK(torsor("bench two_link --equations --ik").code == 2);
  CHECK(torsor("bench two_arm --equations").code == 1);
}

TEST_CASE("bench --structure times the exact structure of a robot, and of a long chain") {
  const Outcome run = torsor("bench puma560 --structure --milliseconds 1 --json");
  CHECK(run.code == 0);
  const json rows = json_of(run)["structure"];
  REQUIRE(rows.size() == 5);
  CHECK(rows[0]["nonzero"] == 79);
  CHECK(rows[3]["nonzero"] == 95);
  CHECK(rows[4]["coefficients"] == 30 * (2 * 900 + 90 + 7) / 6);
  for (const json& row : rows) CHECK(row["seconds"].get<double>() > 0);
  CHECK(torsor("bench puma560 --structure --ik").code == 2);
  CHECK(torsor("bench floating --structure").code == 1);
}

TEST_CASE("bench --beside has the rows of another program in its table, the fastest of each") {
  // every turn it is faster by one
  const std::string command = R"(echo x >>turns; printf "Other Euler\t%s\t0.5\n" $(wc -l <turns))";
  const Outcome run = torsor("bench two_link --simulate --milliseconds 1 --json --beside '" + command + "'");
  REQUIRE(run.code == 0);
  const auto rows = json_of(run)["simulation"];
  REQUIRE(rows.size() == 5);
  CHECK(rows[4]["name"] == "Other Euler");
  CHECK(rows[4]["simulated_seconds_per_second"] == 5);
  CHECK(rows[4]["largest_error"] == 0.5);
  for (const char* bad : {"false", "echo fast", R"(printf "a\tb\tc")"})
    CHECK(torsor("bench two_link --simulate --milliseconds 1 --beside '" + std::string(bad) + "'").code == 1);
  CHECK(torsor("bench two_link --beside true").code == 2);
}

TEST_CASE("bench --simulate times a robot under computed torque") {
  const Outcome run = torsor("bench two_link --simulate --milliseconds 1 --json");
  CHECK(run.code == 0);
  const json rows = json_of(run)["simulation"];
  REQUIRE(rows.size() == 4);
  for (const json& row : rows) {
    CHECK(row["simulated_seconds_per_second"].get<double>() > 0);
    CHECK(row["largest_error"].get<double>() < 1e-2);
  }
  CHECK(torsor("bench two_link --simulate --milliseconds 1").out.find("tools/beside-mujoco") != std::string::npos);
  CHECK(torsor("bench two_link --simulate --ik").code == 2);
  CHECK(torsor("bench floating --simulate").code == 1);
}
