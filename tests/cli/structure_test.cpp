#include <doctest/doctest.h>

#include <cmath>
#include <nlohmann/json.hpp>

#include "command.hpp"

using namespace cli_test;
using nlohmann::json;

TEST_CASE("the structure of the PUMA 560 comes out of the command as JSON") {
  const Outcome structure = torsor("structure puma560 --positions 50 --json");
  CHECK(structure.code == 0);
  const json answer = json_of(structure);
  CHECK(answer["levels"]["numbers"]["nonzero"]["total"] == 79);
  CHECK(answer["levels"]["equal_moments"]["nonzero"]["total"] == 79);
  CHECK(answer["levels"]["zeros"]["nonzero"]["total"] == 88);
  CHECK(answer["levels"]["generic"]["nonzero"]["total"] == 95);
  CHECK(answer["levels"]["numbers"]["log2_error"] < -100);
  CHECK(answer["possible"]["total"] == 97);
  CHECK(answer["coefficients"].size() == 97);
  CHECK(answer["printed"]["name"] == "PUMA");
  int zeros = 0;
  for (const json& c : answer["coefficients"]) {
    zeros += c["zero"].get<bool>();
    CHECK(c.contains("because") == c["zero"].get<bool>());
  }
  CHECK(named(answer["coefficients"], "d12")["depends_on"] ==
        json::array({"shoulder", "elbow", "wrist_roll", "wrist_bend"}));
  CHECK(named(answer["coefficients"], "G1")["because"] == "the axis is along gravity");
  CHECK(zeros == 18);
}

TEST_CASE("the first lines say what each joint holds, feels and is coupled with") {
  const Outcome structure = torsor("structure puma560");
  const std::string first = structure.out.substr(0, structure.out.find("How many coefficients"));
  for (const char* part : {"79 are there, 2 of them constant; 18 are", "2 shoulder    46 N m", "1.56 to 4.25 kg m²",
                           "elbow, 0.73", "1 waist       none", "4e-5 kg m², constant",
                           "wrist_roll and wrist_bend, wrist_bend and flange", "torsor guide"})
    CHECK_MESSAGE(contains(first, part), part);
  CHECK(says(torsor("structure scara").out, {"1.73"}));
}

TEST_CASE("a designer reads counts, reasons, coupling and how sure all that is") {
  const Outcome structure = torsor("structure puma560 --positions 50 --q zero --all");
  CHECK(structure.code == 0);
  for (const char* part : {"not zero", "79", "whose zeros are they?", "Zeros, and why", "the axis is along gravity",
                           "The printed row is wrong", "coefficient of coupling", "loading factor", "Every coefficient",
                           "probability below 2^-1"})
    CHECK_MESSAGE(contains(structure.out, part), part);
}

TEST_CASE("every one-dof robot has a structure, and what has none is told why") {
  for (const char* robot : {"two_link", "cartesian3", "scara", "ur5", "two_arm", "puma560_drives"}) {
    CAPTURE(robot);
    const Outcome structure = torsor(std::string("structure --positions 20 ") + robot);
    CHECK(structure.code == 0);
    CHECK(contains(structure.out, "How sure"));
  }
  const Outcome floating = torsor("structure floating");
  CHECK(floating.code == 1);
  CHECK(tells(floating.err, "structure-joint"));
}

TEST_CASE("the page has heat maps, and options without meaning are refused") {
  const Outcome page = torsor("structure two_link --positions 20 --html -");
  CHECK(page.code == 0);
  CHECK(contains(page.out, "<html"));
  CHECK(contains(page.out, "coefficient of coupling"));
  CHECK(torsor("structure two_link --html - --json").code == 2);
  CHECK(torsor("structure two_link --degrees").code == 2);
  CHECK(torsor("structure two_link --positions 0").code == 2);
}

TEST_CASE("along a motion the instants are told in which coefficients pass zero") {
  // the second joint of the two-link arm goes from -1 to 3 rad: S2 = 0 at 1 s, C2 = -2/3 at 1 + acos(-2/3) s
  std::string table = "t,q1,q2,qd1,qd2,qdd1,qdd2\n";
  for (int k = 0; k <= 8; ++k)
    table += std::to_string(k * 0.5) + ",0," + std::to_string(k * 0.5 - 1 + 0.01) + ",0,1,0,0\n";
  const Outcome structure = torsor("structure two_link --positions 50 --json --motion " + write("turn.csv", table));
  REQUIRE(structure.code == 0);
  const json answer = json_of(structure);
  CHECK(answer["motion"]["instants"] == 9);
  const json& passing = answer["motion"]["coefficients"];
  CHECK(named(passing, "c22(1)")["zeros"][0]["from"].get<double>() == doctest::Approx(0.99));
  CHECK(named(passing, "d12")["zeros"][0]["to"].get<double>() == doctest::Approx(0.99 + std::acos(-2.0 / 3)));
  CHECK(answer["motion"]["terms"][0]["inertia_largest"] == 0);
  CHECK(answer["motion"]["terms"][0]["velocity_largest"].get<double>() > 0);
  CHECK(answer["terms"]["workspace"].size() == 2);
  CHECK(answer["motion"]["coupling"][0]["most"].get<double>() > answer["motion"]["coupling"][0]["mean"].get<double>());

  const Outcome text = torsor("structure puma560 --positions 50 --motion built-in --q zero --qdd 1,1,1,1,1,1");
  CHECK(text.code == 0);
  for (const char* part :
       {"Along a motion", "pick and place", "1.11576, 6.88424", "C : D qdd", "what torques are made of"})
    CHECK_MESSAGE(contains(text.out, part), part);
  CHECK(contains(torsor("structure two_link --positions 20 --motion built-in --html -").out,
                 "what the torques are made of"));
  CHECK(torsor("structure two_link --qd 1,1").code == 2);
  CHECK(torsor("structure two_link --speeds 1,2,3").code == 2);
  CHECK(torsor("structure two_link --accelerations=-1").code == 2);
  CHECK(torsor("structure two_link --motion nowhere.csv").code == 2);
}

TEST_CASE("structure says what is certain with general angles, and which tables are too wide to print") {
  const auto arm = [](int joints) {
    std::string text = "format = 1\nname = \"any\"\nconvention = \"standard-dh\"\ngravity = [0, 0, -9.81]\n";
    for (int k = 1; k <= joints; ++k)
      text += "[[link]]\nname = \"link" + std::to_string(k) +
              "\"\njoint = { kind = \"revolute\" }\ndh = { a = 0.3, alpha_deg = 33.333 }\nmass = 1\n"
              "com = [0.1, 0.02, 0.03]\ninertia = [0.1, 0.11, 0.12]\n";
    return text;
  };
  const Outcome few = torsor("structure - --positions 5", arm(2));
  CHECK(few.code == 0);
  CHECK(contains(few.out, "is certainly not for almost all"));
  CHECK_FALSE(contains(few.out, "too wide to print"));
  CHECK_FALSE(contains(torsor("structure puma560 --positions 5").out, "for almost all"));
  const Outcome many = torsor("structure - --positions 5", arm(16));
  CHECK(many.code == 0);
  CHECK(contains(many.out, "The table for 16 joints is too wide to print"));
  CHECK(contains(many.out, "The table of couplings is too wide to print"));
}
