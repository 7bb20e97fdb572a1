#include <doctest/doctest.h>

#include <nlohmann/json.hpp>

#include "command.hpp"

using namespace cli_test;
using nlohmann::json;

TEST_CASE("every formulation is counted on a robot, and those that cannot serve it say why") {
  const Outcome puma = torsor("count puma560");
  CHECK(puma.code == 0);
  CHECK(contains(puma.out, "tree-newton-euler"));
  const json rows = json_of("count puma560")["formulations"];
  for (const json& row : rows) {
    if (row.contains("refused")) continue;
    CAPTURE(row["name"]);
    for (const char* kind : {"multiplications", "additions"}) {
      const int dense = row["dense"]["all"][kind], all = row["structured"]["all"][kind],
                live = row["structured"]["live"][kind];
      CHECK(live > 0);
      CHECK(live <= all);
      CHECK(all <= dense);
    }
  }
  REQUIRE(rows.size() > 1);
  const json tree = json_of("count two_arm")["formulations"];
  CHECK_FALSE(named(tree, "tree-newton-euler").contains("refused"));
  CHECK_FALSE(named(tree, "kane")["refused"].get<std::string>().empty());
  CHECK(torsor("count floating").code == 1);
}

TEST_CASE("stages add up to the total, and the laws in n give the counts of each n") {
  const json one = json_of("count puma560 --formulation tree-newton-euler");
  int sum = 0;
  for (const json& stage : one["stages"])
    if (!stage["given"]) sum += stage["all"]["multiplications"].get<int>();
  CHECK(sum == one["total"]["all"]["multiplications"].get<int>());

  const json laws = json_of("count --n 2..7 --formulation tree-newton-euler")["formulations"];
  REQUIRE(laws.size() == 1);
  const std::string law = laws[0]["multiplications_law"];
  const auto n_at = law.find(" n");
  REQUIRE(n_at != std::string::npos);
  const int slope = std::stoi(law.substr(0, n_at));
  CHECK(laws[0]["multiplications"][1].get<int>() - laws[0]["multiplications"][0].get<int>() == slope);
  CHECK(slope > 50);
}

TEST_CASE("the tables of the literature are reprinted with an executed column") {
  const Outcome tables = torsor("count --tables");
  CHECK(tables.code == 0);
  CHECK(contains(tables.out, "Angeles, Ma & Rojas 1989, Table 1"));
  CHECK(contains(tables.out, "quoted"));
}

TEST_CASE("count refuses what makes no sense and says what would") {
  CHECK(torsor("count").code == 2);
  CHECK(torsor("count puma560 --n 6").code == 2);
  CHECK(torsor("count --n 0").code == 2);
  CHECK(torsor("count --n 7..3").code == 2);
  CHECK(torsor("count --n 1e9").code == 2);
  CHECK(torsor("count --n 13").code == 2);
  CHECK(torsor("count puma560 --live").code == 2);
  CHECK(torsor("count --tables --rule dense").code == 2);
  CHECK(torsor("count --n 3 --joints RRX").code == 2);
  CHECK(torsor("count puma560 --rule loose").code == 2);
  CHECK(tells(torsor("count puma560 --formulation tree-newton-eular").err, "option-value", {"\"tree-newton-euler\""}));
}

TEST_CASE("the paths from the hand to torques are counted, and fusion saves") {
  const json paths = json_of("count rotary_hollerbach --tool")["paths"];
  const auto cost = [&](const char* name) {
    for (const json& row : paths)
      if (row["name"] == name) return row["all"]["multiplications"].get<int>();
    return 0;
  };
  CHECK(cost("fused") > 0);
  CHECK(cost("fused") < cost("unfused"));
  CHECK(cost("unfused") < cost("unfused-gauss"));
  const Outcome table = torsor("count rotary_hollerbach --tool");
  CHECK(table.code == 0);
  CHECK(contains(table.out, "fused-simple"));  // refused: products of inertia
  const Outcome uncounted = torsor("count puma560 --tool");
  CHECK(uncounted.code == 1);
  CHECK(contains(uncounted.out, "found by cases"));
  CHECK(tells(uncounted.err, "count-hand"));
  CHECK(torsor("count ur5 --tool").code == 1);
  CHECK(torsor("count --n 6 --tool").code == 2);
  CHECK(torsor("count puma560 --tool --formulation kane").code == 2);
}

TEST_CASE("the tables of inverse kinematics stand among those of the literature") {
  const Outcome tables = torsor("count --tables");
  for (const char* table : {"Table 1: inverse kinematic velocities", "Table 2: inverse kinematic accelerations",
                            "Table 4: inverse kinematics of the rotary arm"})
    CHECK(contains(tables.out, table));
  CHECK(contains(tables.out, "combined total"));
}
