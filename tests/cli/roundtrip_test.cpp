#include <doctest/doctest.h>

#include <nlohmann/json.hpp>

#include "command.hpp"

using namespace cli_test;
using nlohmann::json;

TEST_CASE("there and back of the robot of Sim, Yoo & Lee stands beside what they printed") {
  const Outcome run = torsor("roundtrip sixr_sim sixr_sim --samples 201,801 --html trip.html --json");
  REQUIRE(run.code == 0);
  const json answer = json_of(run);
  CHECK(answer["published"]["position_error"] == 0.15e-3);
  const auto error = [&](const std::string& torques, int samples) {
    for (const json& row : answer["rows"])
      if (row["interpolation"] == torques && (samples == 0 || row["samples"] == samples))
        return row["position_error"].get<double>();
    return -1.0;
  };
  CHECK(error("exact function", 0) >= 0);
  CHECK(error("exact function", 0) < 1e-9);
  // 13.7 mm and 0.08 mm in an independent run
  CHECK(error("cubic", 201) == doctest::Approx(13.65e-3).epsilon(0.01));
  CHECK(error("cubic", 801) == doctest::Approx(0.08e-3).epsilon(0.2));
  CHECK(error("cubic-pieces", 801) < error("cubic", 801));
  const std::string page = read(path("trip.html"));
  CHECK(contains(page, "figure 6 of the publication"));
  CHECK(contains(page, "figure 7 of the publication"));
  CHECK(contains(page, "Distance of the tool from where it should be"));
}

TEST_CASE("one rule can be asked for, and one that does not exist is refused") {
  const Outcome one = torsor("roundtrip stanford stanford --interpolation exact");
  CHECK(one.code == 0);
  CHECK(contains(one.out, "exact function"));
  CHECK(!contains(one.out, "linear"));
  CHECK(torsor("roundtrip stanford stanford --interpolation quintic").code == 2);
  CHECK(torsor("roundtrip stanford stanford --samples 1").code == 2);
  CHECK(torsor("roundtrip stanford nothing").code == 2);
  CHECK(torsor("roundtrip two_link stanford").code == 2);
}

TEST_CASE("a path out of reach is the robot's fault, not that of the file") {
  write("far.toml",
        "motion = \"tool\"\npath = \"line\"\nduration = 1\n"
        "[[point]]\nposition = [0.5, 0.1, 0.2]\n[[point]]\nposition = [9, 0.1, 0.2]\n");
  const Outcome far = torsor("roundtrip puma560 far.toml");
  CAPTURE(far.err);
  CHECK(far.code == 1);
  CHECK(tells(far.err, "path-stop"));
}

TEST_CASE("a way back that stops has no errors to show, and its row says why") {
  write("steep.csv", "t,q1,q2\n0,0,0\n1,1,1\n2,0,0\n");
  const std::string stops = "roundtrip two_link steep.csv --samples 11 --integrator gauss --step 1";
  const Outcome run = torsor(stops);
  CAPTURE(run.out);
  CHECK(run.code == 1);
  CHECK(contains(run.out, "  stopped at "));
  const json answer = json_of(stops);
  for (const json& row : answer["rows"]) {
    CHECK(row["finished"] == !row["position_error"].is_null());
    CHECK(row["finished"] == !row["joint_error"].is_null());
  }
}

TEST_CASE("a motion beyond the effort limits is run all the same, and noted") {
  const auto quick = [](double seconds) {
    write("quick.toml", "motion = \"joints\"\nlaw = \"quintic\"\n[[point]]\nq = [0, 0.7, -1.5, 0, 0.7, 0]\n[[point]]\n"
                        "q = [1, 0.5, -1, 0, 1, 0]\nduration = " + std::to_string(seconds) + "\n");
    return torsor("roundtrip puma560 quick.toml --interpolation exact");
  };
  const Outcome fast = quick(0.2), slow = quick(2);
  CHECK(fast.code == 0);
  CHECK(contains(fast.err, "\"waist\": effort "));
  CHECK(says(fast.err, {"97.6"}));
  CHECK(slow.code == 0);
  CHECK_FALSE(contains(slow.err, "limit"));
}

TEST_CASE("where even the exact torques lead astray the table says how fast errors grow") {
  const Outcome wild = torsor("roundtrip stanford stanford --interpolation exact");
  CHECK(wild.code == 0);
  CHECK(contains(wild.out, "the open loop is unstable: along this motion an error grows tenfold every "));
  const json rows = json_of("roundtrip stanford stanford --interpolation exact")["rows"];
  const double tenfold = rows[0]["tenfold_time"].get<double>();
  CHECK(tenfold > 0.3);
  CHECK(tenfold < 1.2);
  CHECK_FALSE(contains(torsor("roundtrip sixr_sim sixr_sim --interpolation exact").out, "unstable"));
  // known after the first way back, and said before the others are run
  constexpr const char* early = "note: the open loop is unstable: the exact torques lead astray already, ";
  CHECK_FALSE(contains(wild.err, early));
  CHECK(contains(torsor("roundtrip stanford stanford --samples 51").err, early));
}

TEST_CASE("a way back that comes to its end far from where it should is marked") {
  const std::string motion =
      write("upright.toml",
            "motion = \"joints\"\nlimits = { velocity = 1, acceleration = 3 }\n[[point]]\nq = [1.5, 0]\n"
            "[[point]]\nq = [1.9, 0.5]\n[[point]]\nq = [1.5, 0]\n");
  const std::string there = "roundtrip two_link " + motion;
  const json far = json_of(there + " --interpolation cubic --samples 101")["rows"][0];
  REQUIRE(far["position_error"].get<double>() > 0.2);
  CHECK(far["end"].get<std::string>().ends_with(" s, astray"));
  CHECK(
      contains(torsor(there + " --interpolation cubic --samples 101").out, "astray: the tool ends farther off than "));
  const Outcome near = torsor(there + " --interpolation exact");
  CHECK(contains(near.out, "reached"));
  CHECK_FALSE(contains(near.out, "astray"));
}
