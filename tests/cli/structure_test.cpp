#include <doctest/doctest.h>

#include <nlohmann/json.hpp>

#include "command.hpp"

using namespace cli_test;
using nlohmann::json;

TEST_CASE("the structure of the PUMA 560 comes out of the command as JSON") {
  const Outcome structure = torsor("structure puma560 --positions 50 --json");
  CHECK(structure.code == 0);
  const json answer = json::parse(structure.out);
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
    if (c["name"] == "d12") CHECK(c["depends_on"] == json::array({"shoulder", "elbow", "wrist_roll", "wrist_bend"}));
    if (c["name"] == "G1") CHECK(c["because"] == "the axis is along gravity");
  }
  CHECK(zeros == 18);
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
  CHECK(contains(floating.err, "structure-joint"));
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
