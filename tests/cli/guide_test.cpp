#include <doctest/doctest.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "command.hpp"

using namespace cli_test;
using nlohmann::json;

TEST_CASE("a proposal applied to a file gives the counts that were promised") {
  for (const char* robot : {"puma560", "scara", "two_link"}) {
    CAPTURE(robot);
    const Outcome guide = torsor(std::string("guide --json ") + robot);
    REQUIRE(guide.code == 0);
    const json answer = json_of(guide);
    REQUIRE(answer["proposals"].size() > 1);
    for (std::size_t k = 0; k < 2; ++k) {
      const json& proposal = answer["proposals"][k];
      const std::string file = path("changed.toml");
      CHECK(torsor(std::string("guide --apply ") + std::to_string(k + 1) + " -o " + file + " " + robot).code == 0);
      const Outcome structure = torsor("structure --positions 1 --json " + file);
      REQUIRE(structure.code == 0);
      const json changed = json_of(structure);
      CHECK(changed["levels"]["numbers"]["nonzero"]["total"] == proposal["nonzero"]);
      CHECK(changed["levels"]["numbers"]["constant"]["total"] == proposal["constant"]);
      REQUIRE_FALSE(proposal["removed"].empty());
      for (const json& name : proposal["removed"]) CHECK(named(changed["coefficients"], name)["zero"] == true);
    }
  }
}

TEST_CASE("a designer reads the guidelines, the changes and what they do") {
  const Outcome guide = torsor("guide puma560");
  CHECK(guide.code == 0);
  for (const char* part :
       {"0 of 6 joints are prismatic", "5 of 5 neighbouring axes", "loading factor", "waist does none", "79 to 70",
        "counterbalance on upper_arm, across the axis of shoulder", "pick and place", "removed by"})
    CHECK_MESSAGE(contains(guide.out, part), part);
  const json panda = json_of("guide panda");
  REQUIRE_FALSE(panda["proposals"].empty());
  for (const json& proposal : panda["proposals"])
    CHECK(proposal["tools"].back()["smallest_singular_value"].get<double>() > 0);
  CHECK(json_of("guide cartesian3")["proposals"].empty());
  const json masses = json_of("guide puma560 --keep-axes")["proposals"];
  CHECK(named(masses, "counterbalance", "kind")["moves_axes"] == false);
  for (const json& proposal : masses) CHECK(proposal["moves_axes"] == false);
  const Outcome pairs = torsor("guide articulated3 --keep-axes --pairs --json");
  REQUIRE(pairs.code == 0);
  const json guided = json_of(pairs);
  REQUIRE_FALSE(guided["proposals"].empty());
  for (const json& proposal : guided["proposals"]) CHECK(proposal["moves_axes"] == false);
  const Outcome page = torsor("guide two_link --html -");
  CHECK(page.code == 0);
  CHECK(contains(page.out, "<html"));
}

TEST_CASE("no change that raises both peak torques and energy is worth it") {
  int raising = 0;
  for (const std::string robot : {"scara", "ur5", "two_link"}) {
    const json answer = json_of("guide " + robot);
    REQUIRE_FALSE(answer["proposals"].empty());
    int paying = 0;
    for (const json& p : answer["proposals"]) {
      const double peak = p["peak_ratio"], energy = p["energy_ratio"], cost = p["cost"];
      const bool raises = peak > 1 + 1e-6 && energy > 1 + 1e-6;
      CHECK(p["worth_it"] == (cost < 1 && !raises));
      raising += raises && cost < 1;
      paying += p["worth_it"].get<bool>();
    }
    // those that pay come first
    for (std::size_t k = 0; k < answer["proposals"].size(); ++k)
      CHECK(answer["proposals"][k]["worth_it"] == (static_cast<int>(k) < paying));
    const Outcome text = torsor("guide " + robot + " --all");
    CHECK(contains(text.out, paying == 0 ? "None of them is worth it there" : std::to_string(paying) + " of them"));
  }
  CHECK(raising > 0);
  CHECK(contains(torsor("guide two_link").out, "worse: peak torques"));
}

TEST_CASE("peak efforts are those along the motion given") {
  // a crank held still at two places: the torques are those of gravity
  const std::string still = write("still.csv", "t,q1,q2,qd1,qd2,qdd1,qdd2\n0,0,0,0,0,0,0\n1,0,0,0,0,0,0\n");
  const Outcome guide = torsor("guide two_link --json --motion " + still);
  REQUIRE(guide.code == 0);
  const json answer = json_of(guide);
  CHECK(answer["peak_torque"][0].get<double>() == doctest::Approx(9.8062 * (3.7 * 0.425 + 2.3 * 1.275)));
  CHECK(answer["peak_torque"][1].get<double>() == doctest::Approx(9.8062 * 2.3 * 0.425));
  CHECK(named(answer["proposals"], "mount", "kind")["peak_ratio"].get<double>() < 1e-12);
}

TEST_CASE("what makes no sense to a guide is refused") {
  CHECK(torsor("guide puma560 --apply 99").code == 2);
  CHECK(torsor("guide puma560 -o changed.toml").code == 2);
  CHECK(torsor("guide puma560 --apply 1 --json").code == 2);
  CHECK(torsor("guide two_link --html - --json").code == 2);
  CHECK(torsor("guide two_link --motion nowhere.csv").code == 2);
  CHECK(torsor("guide two_link --motion stanford").code == 2);
  CHECK(torsor("guide two_arm --pairs").code == 2);
  CHECK(torsor("guide floating").code == 1);
  CHECK(torsor("guide two_link --apply 1 -o /nowhere/at/all.toml").code == 3);
}
