// Degrees in and out: every verb gives the same answer as in radians, with its unit.
#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>
#include <numbers>

#include "command.hpp"
#include "json_numbers.hpp"
#include "tests/support/page_data.hpp"

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
  const std::string file =
      write("in_degrees.csv", "t,q1,q2,q3,q4,q5,q6\n0,0,45,-90,0,30,0\n1,5,45,-90,0,30,0\n2,9,45,-90,0,30,0\n");
  CHECK(says(torsor("id puma560 --motion " + file).err, {"--degrees"}));
  CHECK(says(torsor("dominance puma560 --motion " + file).err, {"--degrees"}));
  CHECK_FALSE(says(torsor("id puma560 --motion " + file + " --degrees").err, {"--degrees"}));
}

TEST_CASE("a motion in degrees gives rows in degrees, which read back without a word") {
  const std::string degrees = write(
      "deg.csv", "t (s);waist_pos;q2;q3;q4;q5;q6\n0;0;45;-90;0;30;0\n0,5;10;50,5;-80;0;30;0\n1;20;60;-70;0;30;0\n");
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

namespace {

/// Every curve and limit of a page in degrees beside the same in radians: those of angles are converted, with their unit.
void check_page(const json& in_degrees, const json& in_radians, std::size_t& converted) {
  if (in_degrees.contains("panels")) {
    REQUIRE(in_degrees["panels"].size() == in_radians["panels"].size());
    for (std::size_t k = 0; k < in_degrees["panels"].size(); ++k)
      check_page(in_degrees["panels"][k], in_radians["panels"][k], converted);
  }
  if (!in_degrees.contains("series")) return;
  CAPTURE(in_degrees["title"].get<std::string>());
  for (const char* axis : {"x", "y"}) {
    const std::string was = in_radians[axis]["unit"], is = in_degrees[axis]["unit"];
    const bool angle = was.starts_with("rad") && is != was;
    if (angle) CHECK(is == "deg" + was.substr(3));
    const double factor = angle ? degree : 1;
    converted += angle;
    REQUIRE(in_degrees["series"].size() == in_radians["series"].size());
    for (std::size_t k = 0; k < in_degrees["series"].size(); ++k) {
      const json &a = in_degrees["series"][k][axis], &b = in_radians["series"][k][axis];
      REQUIRE(a.size() == b.size());
      for (std::size_t i = 0; i < a.size(); ++i)
        if (!b[i].is_null()) REQUIRE(number(a[i]) * factor == doctest::Approx(number(b[i])).epsilon(1e-12));
    }
    const char* const lines = axis[0] == 'x' ? "markers" : "limits";
    REQUIRE(in_degrees[lines].size() == in_radians[lines].size());
    for (std::size_t k = 0; k < in_degrees[lines].size(); ++k)
      CHECK(number(in_degrees[lines][k]["value"]) * factor ==
            doctest::Approx(number(in_radians[lines][k]["value"])).epsilon(1e-12));
  }
}

}  // namespace

TEST_CASE("pages in degrees draw degrees, limits included") {
  for (const char* file : {"moves.csv", "line.toml", "pick.toml"}) {
    std::filesystem::remove(path(file));
    REQUIRE(torsor("example " + std::string(file)).code == 0);
  }
  // without --degrees the same file, whose columns name their unit
  REQUIRE(torsor("path pick.toml --robot puma560 --degrees -o named.csv").code == 0);
  struct Case {
    const char* command;
    std::size_t converted;  // axes, at least
  };
  for (const Case& each :
       {Case{"id puma560 --motion named.csv -o out.csv", 7}, Case{"track puma560 line.toml -o out.csv", 12},
        Case{"path pick.toml --robot puma560 -o out.csv", 8},
        Case{"simulate puma560 --torque zero --q zero --time 0.2 -o out.csv", 2},
        Case{"size puma560_drives pick.toml", 6}}) {
    CAPTURE(std::string(each.command));
    json data[2];
    for (const bool in_degrees : {false, true}) {
      REQUIRE(torsor(std::string(each.command) + (in_degrees ? " --degrees" : "") + " --html page.html").code == 0);
      data[in_degrees] = pages::page_data(read(path("page.html")));
    }
    REQUIRE(data[0]["figures"].size() == data[1]["figures"].size());
    std::size_t converted = 0;
    for (std::size_t k = 0; k < data[0]["figures"].size(); ++k)
      check_page(data[1]["figures"][k]["figure"], data[0]["figures"][k]["figure"], converted);
    CHECK(converted >= each.converted);
    CHECK_FALSE(contains(data[1]["verdict"].get<std::string>(), " rad"));
  }
}

TEST_CASE("drives are sized in degrees when asked so: joints, not the shafts of motors") {
  std::filesystem::remove(path("pick.toml"));
  REQUIRE(torsor("example pick.toml").code == 0);
  const json in_degrees = json_of("size puma560_drives pick.toml --degrees"),
             in_radians = json_of("size puma560_drives pick.toml");
  CHECK(in_degrees["angle_unit"] == "deg");
  REQUIRE(in_degrees["joints"].size() == 6);
  for (std::size_t k = 0; k < 6; ++k) {
    const json &a = in_degrees["joints"][k], &b = in_radians["joints"][k];
    CHECK(a["speed_unit"] == "deg/s");
    for (const char* key : {"peak_speed", "mean_speed"})
      CHECK(number(a[key]) * degree == doctest::Approx(number(b[key])).epsilon(1e-12));
    for (const char* key : {"peak_torque", "rms_torque", "peak_power", "energy_taken"})
      CHECK(number(a[key]) == number(b[key]));
    CHECK(number(in_degrees["drives"][k]["peak_speed"]) == number(in_radians["drives"][k]["peak_speed"]));
    CHECK(number(in_degrees["drives"][k]["gear_torque"]) == number(in_radians["drives"][k]["gear_torque"]));
  }
  REQUIRE(torsor("size puma560_drives pick.toml --degrees -o rows.csv").code == 0);
  CHECK(contains(read(path("rows.csv")), "qd.waist_deg_s"));
}

TEST_CASE("a robot shows its limits in degrees, of joints that rotate") {
  const json in_degrees = json_of("show scara --degrees"), in_radians = json_of("show scara");
  CHECK(in_degrees["angle_unit"] == "deg");
  REQUIRE(in_degrees["links"].size() == in_radians["links"].size());
  std::size_t angles = 0, lengths = 0;
  for (std::size_t k = 0; k < in_degrees["links"].size(); ++k) {
    const json &a = in_degrees["links"][k], &b = in_radians["links"][k];
    if (!b.contains("upper")) continue;
    const bool slide = b["kind"] == "prismatic";
    CHECK(number(a["upper"]) * (slide ? 1 : degree) == doctest::Approx(number(b["upper"])).epsilon(1e-13));
    ++(slide ? lengths : angles);
  }
  CHECK(angles > 0);
  CHECK(lengths > 0);
  CHECK(says(torsor("show puma560 --degrees").out, {"-160", "deg"}));
  CHECK(tells(torsor("show puma560 --q zero").err, "option-mode", {"--q"}));
}

TEST_CASE("derivatives say that they are by radians where their state is in degrees") {
  std::filesystem::remove(path("moves.csv"));
  REQUIRE(torsor("example moves.csv").code == 0);
  CHECK(says(torsor("derivatives puma560 --q '0 45 -90 0 30 0' --degrees").out, {"by radians"}));
  CHECK_FALSE(says(torsor("derivatives puma560 --q '0 0.5 -1 0 0.3 0'").out, {"by radians"}));
  CHECK(says(torsor("derivatives puma560 --motion moves.csv --degrees -o out.csv").err, {"by radians"}));
}

TEST_CASE("faults of a motion file are few, and name what is there") {
  std::string bad = "t,q1,q2\n";
  for (int k = 0; k < 500; ++k) bad += std::to_string(k) + ",x,0\n";
  const Outcome many = torsor("id two_link --motion " + write("bad.csv", bad));
  CHECK(many.code == 2);
  CHECK(tells(many.err, "number", {"499", "501"}));
  CHECK(std::count(many.err.begin(), many.err.end(), '\n') < 5);
  CHECK(tells(torsor("id two_link --motion " + write("few.csv", "t,alpha,beta\n0,0,0\n")).err, "motion-column",
              {"alpha", "beta"}));
  CHECK(tells(torsor("id two_link --motion " + write("unit.csv", "t,q1 (grad),q2\n0,0,0\n")).err, "column-unit",
              {"grad", "rad"}));
}

TEST_CASE("a path of the tool is in the units that its headings name, whatever is asked of the answer") {
  REQUIRE(torsor("path sixr_angeles -o tool.csv").code == 0);
  const json in_radians = json_of("track sixr_angeles tool.csv"),
             in_degrees = json_of("track sixr_angeles tool.csv --degrees");
  CHECK(in_degrees["angle_unit"] == "deg");
  const json &last = in_radians["rows"].back(), &shown = in_degrees["rows"].back();
  REQUIRE(last.size() == 25);
  REQUIRE(shown.size() == 25);
  for (std::size_t k = 1; k < 19; ++k)
    CHECK(number(shown[k]) * degree == doctest::Approx(number(last[k])).epsilon(1e-12));
  for (std::size_t k = 19; k < 25; ++k) CHECK(number(shown[k]) == number(last[k]));
}
