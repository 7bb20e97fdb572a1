#include <doctest/doctest.h>

#include <cmath>
#include <nlohmann/json.hpp>
#include <sstream>

#include "command.hpp"
#include "json_numbers.hpp"
#include "tests/support/places.hpp"

using namespace cli_test;
using nlohmann::json;

namespace {

// the rows of a CSV text, the header first
std::vector<std::vector<std::string>> csv(const std::string& text) {
  std::vector<std::vector<std::string>> rows;
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) {
    rows.emplace_back();
    std::istringstream cells(line);
    for (std::string cell; std::getline(cells, cell, ',');) rows.back().push_back(cell);
  }
  return rows;
}

const std::string motion_header = "t,q1,q2,qd1,qd2,qdd1,qdd2\n";

}  // namespace

TEST_CASE("the torques of the PUMA 560 at the golden states come out of the command") {
  const json golden = json::parse(read(places::in_project("tests/golden/puma560.json")));
  for (const std::size_t k : {0, 2, 7}) {
    const json& state = golden["states"][k];
    const Outcome id = torsor("id puma560 --json --q " + list(state["q"]) + " --qd " + list(state["qd"]) + " --qdd " +
                              list(state["qdd"]));
    CHECK(id.code == 0);
    const json answer = json_of(id);
    CHECK(id.err.empty() == answer["limits_passed"].empty());
    double scale = 0;
    for (const json& tau : state["tau"]) scale = std::max(scale, std::abs(number(tau)));
    for (std::size_t i = 0; i < 6; ++i)
      CHECK(std::abs(number(answer["tau"][i]) - number(state["tau"][i])) < 1e-11 * scale);
  }
}

TEST_CASE("positions are degrees, zero, or random inside the limits") {
  const json radians =
      json_of("id puma560 --q \"0 0.78539816339744828 3.1415926535897931 0 0 0\"");
  const json degrees = json_of("id puma560 --q '0, 45 180,0 0 0' --degrees");
  CHECK(number(degrees["tau"][1]) == doctest::Approx(number(radians["tau"][1])).epsilon(1e-14));
  CHECK(number(degrees["q"][2]) == 180);
  CHECK(degrees["angle_unit"] == "deg");
  CHECK(json_of("id puma560 --q zero")["q"] == json::parse("[0,0,0,0,0,0]"));
  const json draw = json_of("id puma560 --q random --seed 4");
  CHECK(draw == json_of("id puma560 --q random --seed 4"));
  CHECK(draw["q"] != json_of("id puma560 --q random --seed 5")["q"]);
}

TEST_CASE("a list of the wrong length is answered with the names of the coordinates in order") {
  const Outcome id = torsor("id puma560 --q 1,2 --qd 1");
  CHECK(id.code == 2);
  CHECK(tells(id.err, "option-count", {"--q", "2", "6"}));
  CHECK(tells(id.err, "option-count", {"--qd", "1", "6"}));
  CHECK(tells(torsor("id puma560").err, "option-missing", {"--q"}));
}

TEST_CASE("the trace is that of the textbook's two-link arm, held level") {
  const Outcome id = torsor("id two_link --q zero --trace --json");
  const json answer = json_of(id), show = json_of("show two_link");
  const double m1 = number(show["links"][0]["mass"]), m2 = number(show["links"][1]["mass"]);
  const double l = number(show["dh"]["rows"][0]["a"]), g = -number(show["gravity"][1]);
  const json &first = answer["trace"][0], &second = answer["trace"][1];
  CHECK(number(first["v_dot"][1]) == doctest::Approx(g).epsilon(1e-12));
  CHECK(number(second["a"][1]) == doctest::Approx(g).epsilon(1e-12));
  CHECK(number(second["F"][1]) == doctest::Approx(m2 * g).epsilon(1e-12));
  CHECK(number(second["f"][1]) == doctest::Approx(m2 * g).epsilon(1e-12));
  CHECK(number(second["n"][2]) == doctest::Approx(m2 * g * l / 2).epsilon(1e-12));
  CHECK(number(first["f"][1]) == doctest::Approx((m1 + m2) * g).epsilon(1e-12));
  CHECK(number(first["n"][2]) == doctest::Approx((m1 / 2 + 1.5 * m2) * g * l).epsilon(1e-12));
  const std::string text = torsor("id two_link --q zero --trace").out;
  for (const char* letter : {"omega ", "omega-dot ", "v-dot ", " a ", " F ", " N ", " f ", " n "})
    CHECK(contains(text, letter));
}

TEST_CASE("a turning arm has the trace of a body on a circle") {
  const json answer = json_of("id two_link --q zero --qd 2,0 --qdd 3,0 --gravity 0,0,0 --trace");
  const json& first = answer["trace"][0];
  CHECK(number(first["omega"][2]) == 2);
  CHECK(number(first["omega_dot"][2]) == 3);
  CHECK(number(first["v_dot"][0]) == doctest::Approx(-4 * 0.85).epsilon(1e-12));
  CHECK(number(first["v_dot"][1]) == doctest::Approx(3 * 0.85).epsilon(1e-12));
  CHECK(number(first["a"][0]) == doctest::Approx(-4 * 0.425).epsilon(1e-12));
  CHECK(number(first["N"][2]) == doctest::Approx(3 * 3.7 * 0.85 * 0.85 / 12).epsilon(1e-12));
}

TEST_CASE("payload, wrench, gravity and a lifted base do what mechanics says") {
  const auto tau = [](const std::string& options) {
    return number(json_of(torsor("id two_link --q zero --json " + options))["tau"][1]);
  };
  const json show = json_of("show two_link");
  const double l = number(show["dh"]["rows"][1]["a"]), bare = tau("");
  const json g = show["gravity"];
  const double weight = -number(g[1]);
  // a kilogram at the tip, the same as a force from outside, a centre further out, no gravity, a base that falls
  CHECK(tau("--payload 1") - bare == doctest::Approx(weight * l).epsilon(1e-12));
  CHECK(tau("--payload 1,0.1,0,0") - bare == doctest::Approx(weight * (l + 0.1)).epsilon(1e-12));
  CHECK(tau("--wrench 0,-3,0,0,0,0.5") - bare == doctest::Approx(3 * l - 0.5).epsilon(1e-12));
  CHECK(tau("--gravity 0,0,0") == 0);
  CHECK(std::abs(tau("--base-motion 0,0,0,0,0,0," + g[0].dump() + "," + g[1].dump() + "," + g[2].dump())) < 1e-12);
  CHECK(json_of("id two_link --q zero --payload 1")["loads"].size() == 1);
}

TEST_CASE("a load that no body can be is refused") {
  const Outcome id = torsor("id two_link --q zero --payload 1,0,0,0,1,1,3 --wrench 1,2 --tool tap");
  CHECK(id.code == 2);
  CHECK(tells(id.err, "tool-unknown", {"--tool", "\"tap\""}));
  const Outcome loads = torsor("id two_link --q zero --payload 1,0,0,0,1,1,3 --wrench 1,2");
  CHECK(tells(loads.err, "payload", {"--payload", "1", "3"}));
  for (const char* nothing : {"0,0,0,0.1", "0,0,0,0,1,1,1"}) {
    const Outcome refused = torsor("id two_link --q zero --payload " + std::string(nothing));
    CHECK(refused.code == 2);
    CHECK(tells(refused.err, "payload", {"--payload", "0"}));
  }
  CHECK(torsor("id two_link --q zero --payload 0,0,0,0,0,0,0").code == 0);
  // what no file may have, no option may have
  for (const auto& [payload, what] :
       {std::pair("1e13", "its mass is 1e+13 kg"), std::pair("1e-200", "its mass is 1e-200 kg"),
        std::pair("1,0,1e7,0", "its mass centre has a coordinate of 1e+07 m"),
        std::pair("1,0,0,0,1e13,1e13,1e13", "its inertia has an entry of 1e+13 kg m^2")}) {
    const std::string given = payload;  // clang 14 captures no binding
    CAPTURE(given);
    for (const char* verb : {"id", "terms", "simulate --torque zero --time 0.1"}) {
      const Outcome refused = torsor(std::string(verb) + " two_link --q zero --payload " + payload);
      CHECK(refused.code == 2);
      CHECK(contains(refused.err, std::string("--payload: ") + what + " [number-size]; nothing "));
    }
  }
  CHECK(tells(loads.err, "option-count", {"--wrench", "2", "6"}));
}

TEST_CASE("with gears the efforts of the motors are given, too") {
  const json answer = json_of("id puma560_drives --q '0 45 180 0 45 0' --degrees");
  CHECK(number(answer["motor_torques"][1]) == doctest::Approx(number(answer["tau"][1]) / 107.815).epsilon(1e-12));
  CHECK_FALSE(json_of("id puma560 --q zero").contains("motor_torques"));
}

TEST_CASE("only what a gear drives is a motor, and its efforts have their unit") {
  const std::string file = write("half_geared.toml", R"(
[[link]]
name = "a"
joint = { kind = "revolute", axis = [0, 1, 0] }
mass = 1
com = [1, 0, 0]
inertia = [1, 1, 1]
[[link]]
name = "b"
joint = { kind = "prismatic", axis = [0, 0, 1] }
mass = 2
inertia = [1, 1, 1]
rotor = { inertia = 1e-4, gear = 500 }
)");
  const Outcome text = torsor("id " + file + " --q zero");
  CHECK(contains(text.out, "motor  torque (N m)\n-------------------\nb"));
  const json answer = json_of("id " + file + " --q zero");
  CHECK(answer["motors"] == json::parse("[\"b\"]"));
  CHECK(number(answer["motor_torques"][0]) == doctest::Approx(number(answer["tau"][1]) / 500).epsilon(1e-14));
  const Outcome motion = torsor("id " + file + " --motion - -o rows.csv", motion_header + "0,0,0,0,0,0,0\n");
  CHECK(csv(read(path("rows.csv")))[0].back() == "motor.b");
  CHECK(csv(read(path("rows.csv")))[0].size() == 10);
  CHECK(contains(motion.out, "1 row -> rows.csv"));

  // angles and lengths in one table: each number has its unit
  const json::array_t units{"rad", "rad/s", "rad/s²", "N m", "m", "m/s", "m/s²", "N"};
  for (const json& unit : units) CHECK(contains(text.out, "  " + unit.get<std::string>()));
  CHECK_FALSE(contains(text.out, "rad, N m"));
  const std::string show = torsor("show " + file).out;
  CHECK(contains(show, "inertia (kg m²)"));
  CHECK(says(show, {"500", "25"}));
}

TEST_CASE("a motion from standard input becomes rows of torques on standard output") {
  const Outcome id = torsor("id two_link --motion -", motion_header + "0,0,0,0,0,0,0\n0.5,0.1,0.2,0.3,0.4,0.5,0.6\n");
  CHECK(id.code == 0);
  CHECK(id.err.empty());
  const auto rows = csv(id.out);
  REQUIRE(rows.size() == 3);
  CHECK(rows[0].front() == "t");
  CHECK(rows[0].back() == "tau.q2");
  CHECK(rows[2][0] == "0.5");
  const json same = json_of("id two_link --q 0.1,0.2 --qd 0.3,0.4 --qdd 0.5,0.6");
  CHECK(std::stod(rows[2][7]) == number(same["tau"][0]));
  CHECK(std::stod(rows[2][8]) == number(same["tau"][1]));
}

TEST_CASE("a motion into a file leaves the screen for the summary, and a page shows it") {
  const std::string motion = write(
      "motion.csv", motion_header + "0,0,0,0.3,0.2,0.5,0.6\n0.5,0.1,0.2,0.3,0.4,0.5,0.6\n1,0.1,0.2,0.3,0.4,9,0.6\n");
  const Outcome id = torsor("id two_link --motion motion.csv -o torques.csv --html torques.html --payload 2");
  CHECK(id.code == 0);
  CHECK(id.err.empty());
  CHECK(contains(id.out, "3 rows -> torques.csv"));
  CHECK(contains(id.out, "torques at the joints"));
  CHECK(csv(read(path("torques.csv"))).size() == 4);
  const std::string page = read(path("torques.html"));
  CHECK(contains(page, "<svg"));
  CHECK(contains(page, "payload 2 kg"));
  CHECK_FALSE(contains(page, "http://"));
  const json answer = json_of("id two_link --motion motion.csv -o torques.csv");
  CHECK(answer["row_count"] == 3);
  CHECK(answer["output"] == "torques.csv");
  CHECK(number(answer["joints"][0]["peak_torque_time"]) == 1);
  CHECK_FALSE(answer.contains("rows"));
}

TEST_CASE("along a motion of a robot with gears every row has both sides") {
  const std::string motion = "t,waist,shoulder,elbow,wrist_roll,wrist_bend,flange\n0,0,0.5,0,0,0,0\n";
  const json answer = json_of(torsor("id puma560_drives --motion - --json", motion));
  CHECK(answer["columns"][26] == "motor.shoulder");
  const double tau = number(answer["rows"][0][20]), motor = number(answer["rows"][0][26]);
  CHECK(std::abs(tau) > 10);
  CHECK(motor == doctest::Approx(tau / 107.815).epsilon(1e-12));
  CHECK(number(answer["joints"][1]["motor"]["peak_torque"]) == motor);
}

TEST_CASE("as JSON without a file the rows are part of the answer") {
  const json answer =
      json_of(torsor("id two_link --motion - --json", motion_header + "0,0,0,0,0,0,0\n1,0,0,0,0,0,0\n"));
  CHECK(answer["columns"].size() == 9);
  CHECK(answer["rows"].size() == 2);
  CHECK(answer["rows"][1][0] == 1);
  CHECK(answer["complete"] == true);
}

TEST_CASE("velocities and accelerations that a motion lacks are derived, and the cutoff is told") {
  std::ostringstream text;
  text.precision(17);
  text << "t,q1,q2\n";
  for (int k = 0; k <= 300; ++k) text << 0.01 * k << ',' << std::sin(0.01 * k) << ",0.5\n";
  const Outcome id = torsor("id two_link --motion -", text.str());
  CHECK(id.code == 0);
  CHECK(id.err ==
        "note: q, qd and qdd come from a quintic smoothing spline of q with cutoff 10 Hz (half amplitude), samples at "
        "100 Hz\n");
  const auto rows = csv(id.out);
  REQUIRE(rows.size() == 302);
  CHECK(std::stod(rows[151][3]) == doctest::Approx(std::cos(1.5)).epsilon(1e-6));
  CHECK(contains(torsor("id two_link --motion - --cutoff 25 --json", text.str()).out, "\"cutoff_hz\": 25,"));
  CHECK(contains(torsor("id two_link --motion - --cutoff none", text.str()).err, "no smoothing"));
  const Outcome fast = torsor("id two_link --motion - --cutoff 51", text.str());
  CHECK(fast.code == 2);
  CHECK(fast.out.empty());
  CHECK(tells(fast.err, "motion-cutoff", {"51", "100", "50"}));
  CHECK(torsor("id two_link --motion - --cutoff nan", text.str()).code == 2);
  CHECK(torsor("id two_link --motion - --cutoff=-1", text.str()).code == 2);
}

TEST_CASE("the cutoff in JSON is a round number, and samples that are not even are said to be so") {
  std::ostringstream even, uneven;
  for (std::ostringstream* text : {&even, &uneven}) {
    text->precision(17);
    *text << "t,q1,q2\n";
    for (int k = 0; k <= 60; ++k) *text << 3.7 + 0.01 * k + (text == &uneven && k % 3 == 0 ? 0.002 : 0) << ",0,0.5\n";
  }
  const Outcome id = torsor("id two_link --motion - --json", even.str());
  const json answer = json_of(id);
  CHECK(contains(id.out, "\"cutoff_hz\": 10,"));
  CHECK(contains(id.out, "\"period_s\": 0.01,"));
  CHECK(answer["even_samples"] == true);
  CHECK(contains(id.err, "samples at 100 Hz"));
  const Outcome typical = torsor("id two_link --motion - --json", uneven.str());
  CHECK(contains(typical.err, "samples at typically "));
  CHECK(json_of(typical)["even_samples"] == false);
}

TEST_CASE("a zero in a table has no sign") {
  std::ostringstream text;
  text << "t,q1,q2\n";
  for (int k = 0; k <= 40; ++k) text << 0.01 * k << ",-0,0.5\n";
  const auto rows = csv(torsor("id two_link --motion - --gravity 0,0,0", text.str()).out);
  REQUIRE(rows.size() == 42);
  for (const auto& row : rows) {
    CHECK(row[1] != "-0");
    CHECK(row[3] != "-0");
    CHECK(row[5] != "-0");
  }
}

TEST_CASE("a motion without velocities is refused with the reason where a joint has several degrees of freedom") {
  const std::string ball = write(
      "ball.toml", "[[link]]\nname = \"b\"\njoint = \"spherical\"\nmass = 1\ncom = [1, 0, 0]\ninertia = [1, 1, 1]\n");
  const Outcome id = torsor("id " + ball + " --motion -", "t,q1,q2,q3,q4\n0,1,0,0,0\n1,1,0,0,0\n");
  CHECK(id.code == 2);
  CHECK(id.out.empty());
  CHECK(id.err.find("standard input:") == id.err.rfind("standard input:"));
  CHECK(
      says(id.err, {"\"b\""}));
  CHECK(tells(id.err, "motion-column"));
}

TEST_CASE("every bad row is told with its line, and the rows before the first are kept") {
  const std::string text =
      motion_header + "0,0,0,0,0,0,0\n1,0,0,0,0,0,0\n2,0,x,0,0,0,0\n3,0,0,0,0,0\n2.5,0,0,0,0,0,0\n";
  write("bad.csv", text);
  const Outcome id = torsor("id two_link --motion bad.csv -o kept.csv");
  CHECK(id.code == 2);
  CHECK(tells(id.err, "number", {"bad.csv:4", "\"q2\"", "\"x\""}));
  CHECK(tells(id.err, "csv-columns", {"bad.csv:5"}));
  CHECK(csv(read(path("kept.csv.partial"))).size() == 3);
}

TEST_CASE("columns that are missing are named, and nothing is written") {
  write("short.csv", "t,q1,qd1\n0,1,2\n");
  std::filesystem::remove(path("none.csv"));
  const Outcome id = torsor("id two_link --motion short.csv -o none.csv");
  CHECK(id.code == 2);
  CHECK(tells(id.err, "motion-column", {"\"q2\""}));
  CHECK(tells(id.err, "motion-column", {"\"qdd1\""}));
  CHECK_FALSE(std::filesystem::exists(path("none.csv")));
}

TEST_CASE("files that cannot be read or written, or are one and the same, are refused") {
  const std::string motion = motion_header + "0,0,0,0,0,0,0\n";
  write("same.csv", motion);
  CHECK(torsor("id two_link --motion none.csv").code == 2);
  CHECK(tells(torsor("id two_link --motion .").err, "file-read"));
  CHECK(tells(torsor("id two_link --motion same.csv -o ./same.csv").err, "same-file"));
  CHECK(tells(torsor("id two_link --motion same.csv -o out.csv --html ./same.csv").err, "same-file"));
  for (const char* twice : {"not_yet.csv", "there.csv"}) {
    if (twice == std::string("there.csv")) write(twice, "kept");
    const Outcome id = torsor("id two_link --motion same.csv -o " + std::string(twice) + " --html ./" + twice);
    CHECK(id.code == 2);
    CHECK(tells(id.err, "same-file"));
  }
  CHECK_FALSE(std::filesystem::exists(path("not_yet.csv")));
  CHECK(read(path("there.csv")) == "kept");
  CHECK(torsor("id two_link --motion same.csv -o /dev/null --html /dev/null").code == 0);
  const std::string robot = write("robot.toml", torsor("convert two_link").out);
  CHECK(tells(torsor("id robot.toml --motion same.csv -o robot.toml").err, "same-file"));
  CHECK(read(path("same.csv")) == motion);
  CHECK(torsor("id two_link --motion same.csv -o none/out.csv").code == 3);
  CHECK(torsor("id two_link --motion same.csv -o /dev/full").code == 3);
  CHECK(torsor("id two_link --motion same.csv -o out.csv --html none/page.html").code == 3);
}

TEST_CASE("options that do not go together are refused") {
  const Outcome state = torsor("id two_link --motion a.csv --qd 1,1 --degrees --seed 3");
  CHECK(state.code == 2);
  for (const char* option : {"--qd", "--seed"})
    CHECK(contains(state.err, std::string(option) + ": has no meaning with --motion: the file has the states"));
  CHECK_FALSE(contains(state.err, "--q:"));
  CHECK_FALSE(contains(state.err, "--degrees:"));
  CHECK(
      says(torsor("id two_link --q 0,0 --seed 3").err, {"--seed", "--q"}));
  CHECK(tells(torsor("id two_link --motion a.csv -o b.csv --html - --json").err, "option-mode", {"--html"}));
  CHECK(tells(torsor("id two_link --q zero -o a.csv").err, "option-mode", {"--output", "--motion"}));
  CHECK(tells(torsor("id two_link --q zero --html a.html --cutoff 3").err, "option-mode", {"--html", "--motion"}));
  CHECK(tells(torsor("id - --motion -").err, "option-mode", {"--motion"}));
}

TEST_CASE("a report on standard output has it for itself") {
  write("rows.csv", motion_header + "0,0,0,0,0,0,0\n");
  const Outcome id = torsor("id two_link --motion rows.csv -o out.csv --html -");
  CHECK(id.code == 0);
  CHECK(id.out.starts_with("<!"));
  CHECK(id.out.ends_with("</html>\n"));
}

TEST_CASE("a reader that goes away ends the command quietly, a full device with exit code 3") {
  std::ostringstream text;
  text << motion_header;
  for (int k = 0; k < 20000; ++k) text << k << ",0.123456789,0.987654321,0,0,0,0\n";
  write("long.csv", text.str());
  const Outcome closed = torsor("id two_link --motion long.csv | head -1");
  CHECK(csv(closed.out).size() == 1);
  CHECK(closed.err.empty());
  CHECK(torsor("id two_link --motion long.csv >/dev/full").code == 3);
}

TEST_CASE("numbers that overflow are told, not printed") {
  const Outcome id = torsor("id puma560 --q zero --qd '1e300 1e300 0 0 0 0'");
  CHECK(id.code == 1);
  CHECK(id.out.empty());
  CHECK(tells(id.err, "not-finite"));
  const Outcome motion =
      torsor("id two_link --motion - -o out.csv", motion_header + "0,0,0,0,0,0,0\n1,0,0,1e300,1e300,0,0\n");
  CHECK(motion.code == 1);
  CHECK(tells(motion.err, "not-finite", {"1"}));
  CHECK(csv(read(path("out.csv.partial"))).size() == 2);
}

TEST_CASE("a quaternion must be one") {
  const std::string ball = write(
      "ball.toml", "[[link]]\nname = \"b\"\njoint = \"spherical\"\nmass = 1\ncom = [1, 0, 0]\ninertia = [1, 1, 1]\n");
  CHECK(torsor("id " + ball + " --q '1 0 0 0'").code == 0);
  const Outcome id = torsor("id " + ball + " --q '1 0 0 0.5'");
  CHECK(id.code == 2);
  CHECK(tells(id.err, "quaternion-unit", {"--q", "\"b\"", "1.11803"}));
  CHECK(tells(torsor("id " + ball + " --q '1 0 0'").err, "option-count"));
}

TEST_CASE("a robot file comes through standard input as well") {
  const std::string file =
      "[[link]]\nname = \"a\"\njoint = { kind = \"revolute\", axis = [0, 1, 0] }\nmass = 2\ncom = [0.5, 0, 0]\ninertia "
      "= [1, 1, 1]\n";
  const json answer = json_of(torsor("id - --q zero --json", file));
  CHECK(number(answer["tau"][0]) == doctest::Approx(-9.81).epsilon(1e-14));
}

TEST_CASE("every formulation that serves a robot gives the same efforts, and the others say why not") {
  const std::string at = " --q '0.1 0.7 -1.2 0.4 0.9 -0.3' --qd '1 -0.5 0.8 2 -1 0.6' --qdd '1 2 -1 0.5 3 -2' --json";
  const json first = json_of(torsor("id puma560_drives" + at))["tau"];
  int served = 0;
  for (const json& row : json_of("list --formulations")) {
    if (row["question"] != "inverse") continue;
    const std::string name = row["name"];
    CAPTURE(name);
    const Outcome id = torsor("id puma560_drives --formulation " + name + at);
    if (id.code != 0) {
      CHECK(id.code == 1);
      CHECK(contains(id.err, "does not serve this robot"));
      continue;
    }
    ++served;
    const json tau = json_of(id)["tau"];
    for (std::size_t k = 0; k < 6; ++k)
      CHECK(tau[k].get<double>() == doctest::Approx(first[k].get<double>()).epsilon(1e-11));
  }
  CHECK(served >= 1);
  CHECK(tells(torsor("id puma560 --q zero --formulation tree-newton-eular").err, "option-value",
              {"\"tree-newton-euler\""}));
}

TEST_CASE("a formulation takes payload, gravity, wrench and base motion as the default path does, or says why not") {
  const std::string at = " --q '0.1 0.7 -1.2 0.4 0.9 -0.3' --qd '1 -0.5 0.8 2 -1 0.6' --qdd '1 2 -1 0.5 3 -2' --json";
  const auto same = [&](const std::string& robot, const std::string& method, const std::string& loads) {
    CAPTURE(method);
    CAPTURE(loads);
    const Outcome by = torsor("id " + robot + " --formulation " + method + loads + at);
    REQUIRE(by.code == 0);
    const json tau = json_of(by)["tau"], expected = json_of(torsor("id " + robot + loads + at))["tau"],
               unloaded = json_of(torsor("id " + robot + at))["tau"];
    double moved = 0;
    for (std::size_t k = 0; k < 6; ++k) {
      CHECK(tau[k].get<double>() == doctest::Approx(expected[k].get<double>()).epsilon(1e-11));
      moved = std::max(moved, std::abs(expected[k].get<double>() - unloaded[k].get<double>()));
    }
    CHECK(moved > 0.1);  // the load is felt
  };
  // what changes the robot itself every formulation takes
  for (const char* method : {"newton-euler-link", "rotary", "wrist-spherical", "kane", "lagrange-euler", "dalembert"}) {
    same("puma560_drives", method, " --payload 2.5,0.01,-0.02,0.1,0.02,0.03,0.04");
    same("puma560_drives", method, " --gravity 1,2,-9");
  }
  for (const char* method : {"tree-newton-euler", "newton-euler-link", "newton-euler-base"})
    same("puma560_drives", method, " --wrench 10,-5,3,1,2,-1 --base-motion 0.3,-0.2,0.5,1,2,-1,0.5,0.4,2");
  same("puma560_drives", "rotary", " --base-motion 0.3,-0.2,0.5,1,2,-1,0.5,0.4,2");

  const Outcome pushed = torsor("id puma560 --formulation kane --wrench 1,0,0,0,0,0" + at);
  CHECK(pushed.code == 1);
  CHECK(tells(pushed.err, "formulation-refuses"));
  const Outcome moving = torsor("id puma560 --formulation lagrange-euler --base-motion 0,0,1,0,0,0,0,0,0" + at);
  CHECK(moving.code == 1);
  CHECK(tells(moving.err, "formulation-refuses"));
}

TEST_CASE("a formulation computes on the robot as typed, and one for exact wrists says by how much it is none") {
  // a PUMA as a URDF with right angles of 1.5708
  std::string text = torsor("convert puma560 --to urdf").out;
  std::size_t count = 0;
  for (std::size_t at = 0; (at = text.find("1.57079632679489", at)) != std::string::npos; ++count)
    text.replace(at, text.find_first_of(" \"", at) - at, "1.5708");
  REQUIRE(count >= 3);
  write("rounded.urdf", text);
  const std::string at = " --q '0.1 0.7 -1.2 0.4 0.9 -0.3' --qd '1 -0.5 0.8 2 -1 0.6' --qdd '1 2 -1 0.5 3 -2' --json";
  const json expected = json_of(torsor("id rounded.urdf" + at))["tau"];
  for (const char* method :
       {"newton-euler-link", "kane", "lagrange-euler", "recursive-lagrange", "dalembert", "rotary"}) {
    CAPTURE(method);
    const Outcome by = torsor("id rounded.urdf --formulation " + std::string(method) + at);
    REQUIRE(by.code == 0);
    const json tau = json_of(by)["tau"];
    for (std::size_t k = 0; k < 6; ++k)
      CHECK(std::abs(tau[k].get<double>() - expected[k].get<double>()) < 1e-11 * std::abs(expected[1].get<double>()));
  }
  const Outcome wrist = torsor("id rounded.urdf --formulation wrist-spherical" + at);
  CHECK(wrist.code == 1);
  CHECK(tells(wrist.err, "formulation-refuses", {"3.7e-06"}));
  CHECK(tells(wrist.err, "formulation-refuses", {"--to"}));
  const json certificate = json_of("agree rounded.urdf --states 10");
  CHECK(certificate["agree"] == true);
  CHECK(certificate["snaps"].empty());
  std::size_t unnamed = 0;
  for (const json& row : certificate["formulations"])
    unnamed += row["question"] == "inverse" &&
               (row["name"] == "fast" || row["name"] == "fast-batch" || row["name"] == "motion-terms");
  CHECK(unnamed == 3);
  // exact answers are of the robot with right angles, and say how far that is from this one
  for (const char* verb :
       {"structure rounded.urdf", "equations rounded.urdf --coefficients G", "agree rounded.urdf --exact"}) {
    CAPTURE(verb);
    const Outcome exact = torsor(std::string(verb) + " --json");
    REQUIRE(exact.code == 0);
    const json answer = json_of(exact);
    REQUIRE(!answer["snaps"].empty());
    CHECK(answer["snap_effect"]["relative"].get<double>() > 1e-8);
    CHECK(answer["snap_effect"]["relative"].get<double>() < 1e-3);
    CHECK(answer["snap_effect"]["effort"].get<double>() > 1e-6);
  }
  CHECK(contains(torsor("structure rounded.urdf").out, "robot as typed differ from it by up to"));
  CHECK(contains(torsor("equations rounded.urdf --coefficients G").err, "robot as typed differ from it by up to"));
}

TEST_CASE("what the user typed is shown as typed, however large its neighbours") {
  const Outcome id = torsor("id two_link --q 0.3,0.5 --qdd 1e16,0");
  CHECK(contains(id.out, "0.3"));
  CHECK(contains(id.out, "0.5"));
}

TEST_CASE("a row beyond all numbers is no part of the summary, and rows are not called times") {
  const std::string motion = write("inf.csv", "t,q1,q2,qd1,qd2,qdd1,qdd2\n0,0,0,1,1,0,0\n1,0,0,1e200,1,0,0\n");
  const json answer = json_of("id two_link --motion " + motion);
  CHECK(answer["row_count"] == 1);
  CHECK(answer["end"] == 0);
  CHECK(answer["joints"][0]["peak_speed"] == 1);
  const std::string timeless = write("timeless.csv", "q1,q2,qd1,qd2,qdd1,qdd2\n0,0,1,1,0,0\n0.1,0,1,1,0,0\n");
  const json rows = json_of("id two_link --motion " + timeless);
  CHECK(rows["last_row"] == 2);
  CHECK(rows["end"].is_null());
  CHECK(rows["joints"][0]["peak_torque_row"].is_number());
}

TEST_CASE("samples too close to derive velocities from are refused") {
  std::string text = "t,q1,q2\n";
  for (int k = 0; k < 50; ++k) {
    text += std::to_string(k * 0.01) + "," + std::to_string(0.1 * k) + ",0\n";
    if (k == 25) text += "0.250000001," + std::to_string(0.1 * k) + ",0\n";
  }
  const Outcome id = torsor("id two_link --motion " + write("burst.csv", text));
  CHECK(id.code == 2);
  CHECK(tells(id.err, "motion-time"));
}
