#include <doctest/doctest.h>

#include <cmath>
#include <nlohmann/json.hpp>

#include "command.hpp"
#include "tests/cli/json_numbers.hpp"

using namespace cli_test;
using nlohmann::json;

TEST_CASE("the time of a path of the hand is scaled to the limits of the joints, torques and friction included") {
  const std::string line =
      "motion = \"tool\"\npath = \"line\"\nduration = 1\n[[point]]\nposition = [0.4, 0.2, 0.6]\n"
      "rpy = [0, 1.5, 0]\n[[point]]\nposition = [0.4, -0.2, 0.7]\n";
  write("effort.toml", line + "[scale]\nrobot = [\"effort\"]\n");
  const auto answer_of = [](const std::string& arguments) {
    const Outcome track = torsor(arguments + " --json");
    CAPTURE(arguments);
    REQUIRE(track.code == 0);
    return json_of(track);
  };
  const auto load = [](const json& answer) {
    double most = 0;
    for (const json& joint : answer["joints"])
      most = std::max(most, std::abs(joint["peak_torque"].get<double>()) / joint["effort_limit"].get<double>());
    return most;
  };
  for (const std::string robot : {"puma560", "puma560_drives"}) {
    // rows close enough to meet the peak to 1e-4
    const json fast = answer_of("track " + robot + " effort.toml --step 0.0005");
    CHECK(load(fast) <= 1 + 1e-6);
    CHECK(load(fast) > 0.9999);
    CHECK(contains(fast["scaling"], "effort of"));
    // time factor and last instant are one number: the path took 1 s
    CHECK(fast["rows"].back()[0].get<double>() == doctest::Approx(fast["time_factor"].get<double>()));
    CHECK(fast["rows"][7][0].get<double>() == doctest::Approx(0.0035));
    const json again = answer_of("path effort.toml --robot " + robot);
    CHECK(again["duration"].get<double>() == doctest::Approx(fast["time_factor"].get<double>()).epsilon(1e-9));
  }
  const double alone = answer_of("track puma560 effort.toml")["time_factor"];
  for (const char* what : {"--payload 2.5", "--wrench 0,40,0,0,0,0"}) {
    CAPTURE(what);
    const json loaded = answer_of("track puma560 effort.toml --step 0.0005 " + std::string(what));
    CHECK(std::abs(loaded["time_factor"].get<double>() - alone) > 0.02 * alone);
    CHECK(load(loaded) <= 1 + 1e-6);
    CHECK(load(loaded) > 0.9999);
  }

  // velocities and accelerations of the joints
  write("rates.toml", line + "[scale]\nvelocity = 0.7\nacceleration = [1, 9, 9, 9, 9, 9]\n");
  double v = 0, a = 0;
  const json rates = answer_of("track puma560 rates.toml --step 0.002");
  for (const json& row : rates["rows"]) {
    for (std::size_t k = 0; k < 6; ++k) v = std::max(v, std::abs(row[7 + k].get<double>()));
    a = std::max(a, std::abs(row[13].get<double>()));
  }
  CHECK(v <= 0.7 * (1 + 1e-6));
  CHECK(a <= 1 + 1e-6);
  CHECK(std::max(v / 0.7, a) > 0.999);

  // limits of the tool are not passed for the joints' sake
  std::string limited = line + "[scale]\nvelocity = 100\n";
  limited.replace(limited.find("duration = 1"), 12, "limits = { velocity = 0.3, acceleration = 1 }");
  write("limited.toml", limited);
  const json kept = answer_of("track puma560 limited.toml");
  CHECK(kept["time_factor"] == 1.0);
  CHECK(contains(kept["scaling"], "the limits of the tool decide"));

  // a file made elsewhere, by the option; the same factor as by the formula
  write("plain.toml", line);
  REQUIRE(torsor("path plain.toml --step 0.002 -o plain.csv").code == 0);
  CHECK(answer_of("track puma560 plain.csv --scale effort")["time_factor"].get<double>() ==
        doctest::Approx(alone).epsilon(1e-5));
  CHECK(answer_of("ik puma560 --path plain.toml --scale effort")["time_factor"].get<double>() ==
        doctest::Approx(alone).epsilon(1e-9));
  write("heavy.toml", line + "[scale]\neffort = 1\n");
  for (const char* verb :
       {"track puma560 heavy.toml", "path heavy.toml --robot puma560", "ik puma560 --path heavy.toml"}) {
    const Outcome heavy = torsor(verb);
    CAPTURE(verb);
    CHECK(heavy.code == 1);
    CHECK(tells(heavy.err, "motion-scale"));
  }
  for (const char* bad :
       {"track puma560 plain.toml --scale speed", "track puma560 effort.toml --scale effort",
        "track puma560 plain.toml --scale \"\"", "track puma560 effort.toml --base-motion 0,0,0,0,0,0,1,0,0"}) {
    CAPTURE(bad);
    CHECK(torsor(bad).code == 2);
  }
}

TEST_CASE("limits of the hand in a motion file hold for --scale as they do for [scale]") {
  const std::string line =
      "motion = \"tool\"\npath = \"line\"\nlimits = { velocity = 0.5, acceleration = 2, jerk = 20 }\n"
      "[[point]]\nposition = [0.4, 0.2, 0.6]\nrpy_deg = [0, 90, 0]\n[[point]]\nposition = [0.4, -0.2, 0.7]\n";
  write("limits.toml", line);
  write("both.toml", line + "[scale]\nrobot = [\"effort\"]\n");
  const Outcome option = torsor("track puma560 limits.toml --scale effort -o rows.csv --json"),
                table = torsor("track puma560 both.toml -o rows.csv --json");
  REQUIRE(option.code == 0);
  REQUIRE(table.code == 0);
  const json by_option = json_of(option), by_table = json_of(table);
  CHECK(by_option["time_factor"] == 1.0);
  CHECK(by_option["scaling"] == by_table["scaling"]);
}

TEST_CASE("where accelerations jump the factor is that of the true maximum, before or behind the jump") {
  // laws and blends whose accelerations jump
  const std::string points =
      "[[point]]\nposition = [0.4, 0.2, 0.6]\nrpy_deg = [0, 90, 0]\n[[point]]\nposition = [0.4, -0.2, 0.7]\n";
  write("trapezoid.toml", "motion = \"tool\"\npath = \"line\"\nduration = 1\nlaw = \"trapezoid\"\n" + points);
  write("blend.toml", "motion = \"tool\"\npath = \"polygon\"\nduration = 2\nblend = \"parabolic\"\nrounding = 0.05\n" +
                          points + "[[point]]\nposition = [0.5, 0.1, 0.8]\n");
  for (const std::string name : {"trapezoid", "blend"}) {
    CAPTURE(name);
    // no whole number of steps meets the jump: rows come near it
    const Outcome track = torsor("track puma560 " + name + ".toml --scale effort --step 0.00005 -o jump.csv --json");
    REQUIRE(track.code == 0);
    const json answer = json_of(track);
    double most = 0;
    for (const json& joint : answer["joints"])
      most = std::max(most, std::abs(joint["peak_torque"].get<double>()) / joint["effort_limit"].get<double>());
    CHECK(most <= 1 + 1e-6);
    CHECK(most > 0.9999);
    const double factor = answer["time_factor"].get<double>();
    const Outcome coarse = torsor("track puma560 " + name + ".toml --scale effort --step 0.05 -o jump.csv --json");
    CHECK(json_of(coarse)["time_factor"].get<double>() == doctest::Approx(factor).epsilon(1e-5));
    // rows of a file: what lies between them is not made up
    REQUIRE(torsor("path " + name + ".toml --step 0.0007 -o jumps.csv").code == 0);
    const Outcome rows = torsor("track puma560 jumps.csv --scale effort -o jump.csv --json");
    const json of_rows = json_of(rows);
    double in_rows = 0;
    for (const json& joint : of_rows["joints"])
      in_rows = std::max(in_rows, std::abs(joint["peak_torque"].get<double>()) / joint["effort_limit"].get<double>());
    CHECK(in_rows <= 1 + 1e-6);
    CHECK(in_rows > 0.9999);
  }
}

TEST_CASE("an arm with joints to spare keeps its posture from break to break when its time is scaled") {
  write("spare.toml",
        "motion = \"tool\"\npath = \"line\"\nduration = 1\nlaw = \"trapezoid\"\n[[point]]\nposition = [0.4, 0.1, 0.5]\n"
        "rpy = [3.1416, 0, 0]\n[[point]]\nposition = [0.5, -0.2, 0.5]\n");
  const Outcome track = torsor("track panda spare.toml --aim near --scale effort --step 0.0001 -o spare.csv --json");
  REQUIRE(track.code == 0);
  double most = 0;
  for (const json answer = json_of(track); const json& joint : answer["joints"])
    most = std::max(most, std::abs(joint["peak_torque"].get<double>()) / joint["effort_limit"].get<double>());
  CHECK(most <= 1 + 1e-6);
  CHECK(most > 0.999);
}

TEST_CASE("what is not scaled, and limits that a corner breaks, are told") {
  write("far.toml", reaching);
  for (const char* verb : {"track puma560 far.toml --branch '+ - +' --scale effort -o far.csv --json",
                           "ik puma560 --path far.toml --branch '+ - +' --scale effort -o far.csv --json"}) {
    CAPTURE(verb);
    const Outcome far = torsor(verb);
    CHECK(far.code == 1);
    CHECK(contains(far.err, "the time is not scaled, because the path is not followed to its end"));
    CHECK(json_of(far)["time_factor"] == 1.0);
    CHECK(contains(json_of(far)["scaling"], "nothing is scaled"));
  }
  const std::string corner =
      "motion = \"tool\"\npath = \"polygon\"\nduration = 2\nrounding = 0\n[[point]]\nposition = [0.4, 0.2, 0.6]\n"
      "rpy_deg = [0, 90, 0]\n[[point]]\nposition = [0.4, -0.2, 0.6]\n[[point]]\nposition = [0.4, -0.2, 1.0]\n";
  write("corner.toml", corner);
  const Outcome sharp = torsor("track puma560 corner.toml --scale effort -o corner.csv --json");
  REQUIRE(sharp.code == 0);
  const json answer = json_of(sharp);
  // half of the way, half of the scaled time
  const std::string told = answer["scaling_warning"];
  CHECK(contains(told, "the velocity of the tool jumps"));
  CHECK(std::stod(told.substr(3)) == doctest::Approx(answer["time_factor"].get<double>()).epsilon(1e-5));
  CHECK(contains(sharp.err, told));
  std::string round = corner;
  write("round.toml", round.replace(round.find("rounding = 0"), 12, "rounding = 0.1"));
  CHECK_FALSE(contains(torsor("track puma560 round.toml --scale effort -o corner.csv --json").out, "scaling_warning"));
}

TEST_CASE("a narrow peak next to a singular wrist is found, and the limit kept there") {
  write("beside.toml",
        "motion = \"tool\"\npath = \"line\"\nduration = 2\n[[point]]\nposition = [0.466837, -0.012655, 0.89243]\n"
        "quaternion = [0.864379289, -0.162964539, -0.117634062, -0.460926492]\n[[point]]\n"
        "position = [0.466837, -0.012655, 0.89243]\n"
        "quaternion = [0.860874321, 0.064073981, 0.152062411, -0.481317932]\n[scale]\nvelocity = 40\n");
  const Outcome track =
      torsor("track puma560 beside.toml --q 0.3,-0.5,0.4,-1.5,0.4,0.2 --step 0.002 --json -o beside.csv");
  REQUIRE(track.code == 0);
  double fastest = 0;
  for (const json answer = json_of(track); const json& joint : answer["joints"])
    fastest = std::max(fastest, std::abs(joint["peak_speed"].get<double>()));
  CHECK(fastest <= 40 * (1 + 1e-5));
  CHECK(fastest > 39.9);
}
