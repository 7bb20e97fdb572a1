#include <doctest/doctest.h>

#include <map>
#include <nlohmann/json.hpp>

#include "command.hpp"
#include "tests/support/page_data.hpp"
#include "tests/support/places.hpp"

using namespace cli_test;
using nlohmann::json;

TEST_CASE("a PUMA is reduced on its pick-and-place motion, written, read back and asked for torques") {
  const Outcome run = torsor("reduce puma560 --motion built-in --tolerance 1% -o reduced.toml --json");
  CHECK(run.code == 0);
  const json answer = json_of(run);
  CHECK(answer["multiplications_saved"] >= 0.3);
  CHECK(answer["terms_kept"] < answer["terms"]);
  CHECK(answer["positive_definite"] == true);
  CHECK(answer["kept"].size() == answer["terms_kept"]);
  for (const json& term : answer["kept"]) CHECK(term["share"] > 0);
  CHECK(answer["full"][0]["multiplications"] <= 225);
  for (const json& joint : answer["joints"]) {
    CHECK(joint["error_on_motion"] <= 0.01);
    CHECK(joint["error_found"] <= joint["error_on_ranges"]);
  }

  const std::string state = " --q \"0 0.3 -2 0.1 -1 0\" --qd \"1 0.5 0 0 0 1\" --qdd \"1 0 0 0 0 0\" --json";
  const json full = json_of(torsor("id puma560" + state));
  const Outcome reduced = torsor("id puma560 --reduced reduced.toml" + state);
  CHECK(reduced.code == 0);
  CHECK(reduced.err.empty());
  const json approximate = json_of(reduced);
  bool differs = false;
  for (std::size_t i = 0; i < 6; ++i) {
    const json& joint = answer["joints"][i];
    const double error = approximate["tau"][i].get<double>() - full["tau"][i].get<double>();
    CHECK(std::abs(error) <= joint["error_on_ranges"].get<double>() * joint["scale"].get<double>());
    differs = differs || error != 0;
  }
  CHECK(differs);
  CHECK(contains(torsor("id puma560 --reduced reduced.toml --q zero --json").err, "outside the ranges"));

  // along a motion, too
  write("motion.csv",
        "t,q1,q2,q3,q4,q5,q6,qd1,qd2,qd3,qd4,qd5,qd6,qdd1,qdd2,qdd3,qdd4,qdd5,qdd6\n"
        "0,0,0.3,-2,0.1,-1,0,1,0.5,0,0,0,1,1,0,0,0,0,0\n");
  const Outcome along = torsor("id puma560 --reduced reduced.toml --motion motion.csv --json");
  CHECK(along.code == 0);
  CHECK(json_of(along)["rows"][0].back() == approximate["tau"][5]);
}

TEST_CASE("reduce tells a reader what is left, what is saved and how wrong it is") {
  const Outcome run = torsor("reduce puma560 --motion built-in --digits 4");
  CHECK(run.code == 0);
  for (const char* part :
       {"terms are kept", "of the multiplications are saved", "positive definite", "found over ranges (%)",
        "proven over ranges (%)", "wrist-simple", "D'2,2 = 1.748", "--consistent keeps it so"})
    CHECK_MESSAGE(contains(run.out, part), part);
  CHECK(contains(torsor("reduce puma560 --motion built-in --consistent").out, "is skew"));
  const Outcome proven = torsor("reduce articulated3 --motion motion3.csv --over ranges --ranges limits",
                                write("motion3.csv",
                                      "t,q1,q2,q3\n0,0,0.1,0.2\n0.1,0.1,0.3,0.1\n0.2,0.3,0.4,0.2\n"
                                      "0.3,0.4,0.6,0.3\n0.4,0.6,0.7,0.2\n0.5,0.7,0.8,0.1\n"));
  CHECK(proven.code == 0);
  CHECK(contains(proven.out, "proven by interval arithmetic"));
}

TEST_CASE("reduce refuses what it cannot do, with the reason") {
  const auto fails = [](const std::string& arguments, int code, const char* part) {
    const Outcome run = torsor(arguments);
    CHECK(run.code == code);
    CHECK_MESSAGE(contains(run.err, part), run.err);
  };
  fails("reduce puma560 --motion built-in --tolerance 150%", 2, "--tolerance");
  fails("reduce puma560 --motion built-in --tolerance much", 2, "--tolerance");
  fails("reduce puma560 --motion built-in --over all", 2, "--over");
  fails("reduce puma560 --motion built-in -o - --json", 2, "--output -");
  fails("reduce two_link --motion stanford", 2, "moves 6 coordinates");
  fails("reduce puma560 --motion sixr_sim", 2, "motion of the tool");
  fails("reduce puma560 --motion none.csv", 2, "none.csv");
  write("wrong.toml", "format = 1\nrobot = \"x\"\n");
  fails("id puma560 --q zero --reduced wrong.toml", 2, "joints");
  fails("id puma560 --q zero --reduced wrong.toml --trace", 2, "--reduced");
  CHECK(torsor("reduce two_link --motion two.csv -o two.toml",
               write("two.csv", "t,q1,q2\n0,0,0.1\n0.1,0.2,0.2\n0.2,0.4,0.4\n0.3,0.6,0.5\n0.4,0.7,0.5\n0.5,0.8,0.6\n"))
            .code == 0);
  fails("id puma560 --q zero --reduced two.toml", 2, "another robot");
}

TEST_CASE("dominance prints shares for a motion and for the workspace, as text, JSON and a page with curves") {
  const Outcome run = torsor("dominance puma560 --motion built-in --html page.html --json");
  CHECK(run.code == 0);
  const json answer = json_of(run);
  CHECK(answer["states"] == 401);
  CHECK(answer["inertia"].size() == 21);
  CHECK(answer["torque"][1]["dominant"] == "gravity");
  const std::string page = read(path("page.html"));
  CHECK(contains(page, "Inertias D_ij along the motion"));
  CHECK(contains(page, "Velocity torques h_i along the motion"));
  const Outcome text = torsor("dominance puma560_drives --states 50");
  CHECK(text.code == 0);
  CHECK(contains(text.out, "rotors (%)"));
  CHECK(torsor("dominance two_arm").code == 1);

  // slow states: hardly any velocity torque
  const auto velocity_share = [](const std::string& options) {
    const json slow = json_of(torsor("dominance puma560 --states 50 --json " + options));
    double share = 0;
    for (const json& part : slow["torque"][0]["parts"])
      if (part["name"].get<std::string>().starts_with("h ")) share += part["share"].get<double>();
    return share;
  };
  CHECK(velocity_share("--speeds 0.01 --accelerations 4") < 0.01);
  CHECK(velocity_share("--speeds 4 --accelerations 0.01") > 0.9);
  const Outcome limits = torsor("dominance two_link --states 20 --speeds 0.5,0.25");
  CHECK(says(limits.out, {"0.5", "0.25", "1"}));
  CHECK(torsor("dominance two_link --speeds 1,2,3").code == 2);
  CHECK(torsor("dominance two_link --motion built-in --speeds 1").code == 2);
  CHECK(torsor("dominance puma560 --html - --json").code == 2);
}

TEST_CASE("reduce writes a page beside its text, its JSON and its model") {
  const Outcome run = torsor("reduce puma560 --html reduced.html -o page.toml");
  CHECK(run.code == 0);
  CHECK(contains(run.out, "model  page.toml"));
  const std::string page = read(path("reduced.html"));
  for (const char* part : {"<html", "How wrong it is", "Operations of inverse dynamics", "84 of 301 terms are kept"})
    CHECK_MESSAGE(contains(page, part), part);
  CHECK(contains(torsor("reduce puma560 --html -").out, "<html"));
  CHECK(torsor("reduce puma560 --html - --json").code == 2);
  CHECK(torsor("reduce puma560 --html - -o -").code == 2);
}

TEST_CASE("right angles that were typed rounded reduce as right angles") {
  std::string text = read(places::in_project("robots/puma560.toml"));
  for (std::size_t at = 0; (at = text.find("alpha_deg = 90", at)) != std::string::npos;)
    text.replace(at, 14, "alpha = 1.5708");
  for (std::size_t at = 0; (at = text.find("alpha_deg = -90", at)) != std::string::npos;)
    text.replace(at, 15, "alpha = -1.5708");
  write("rounded.toml", text);
  const Outcome run = torsor("reduce rounded.toml -o rounded.reduced --json");
  CHECK(contains(run.err, "taken as special"));
  const json rounded = json_of(run);
  // what a right angle makes simple is simple: the cheapest full path is that of the robot with right angles
  const json exact = json_of("reduce puma560");
  CHECK(rounded["terms"] == exact["terms"]);
  CHECK(rounded["full"][0] == exact["full"][0]);
  CHECK(torsor("id rounded.toml --reduced rounded.reduced --q zero").code == 0);
  CHECK(torsor("id puma560 --reduced rounded.reduced --q zero").code == 0);
}

TEST_CASE("every inertia and torque of dominance has its unit, in tables and plots") {
  REQUIRE(torsor("dominance puma560 --motion built-in --html page.html").code == 0);
  const json turning = pages::page_data(read(path("page.html")));
  CHECK(turning["tables"][0]["table"]["columns"][3]["unit"] == "kg m²");
  CHECK(turning["tables"][1]["table"]["columns"][3]["unit"] == "N m");
  CHECK(turning["tables"][2]["table"]["columns"][3]["unit"] == "N m");
  std::size_t panels = 0;
  for (const json& entry : turning["figures"])
    for (const json& panel : entry["figure"].value("panels", json::array())) {
      CHECK(panel["y"]["unit"] == (panel["y"]["label"] == "inertia" ? "kg m²" : "N m"));
      ++panels;
    }
  CHECK(panels > 20);
  // a turn, a turn and a slide: each row has its own
  REQUIRE(torsor("dominance stanford --html page.html").code == 0);
  const json mixed = pages::page_data(read(path("page.html")))["tables"][0]["table"];
  std::size_t unit = 0;
  while (mixed["columns"][unit]["name"] != "unit") REQUIRE(++unit < mixed["columns"].size());
  std::map<std::string, std::string> units;
  for (const json& row : mixed["rows"]) units[row[0]] = row[unit];
  CHECK(units.at("D12") == "kg m²");
  CHECK(units.at("D13") == "kg m");
  CHECK(units.at("D33") == "kg");
}
