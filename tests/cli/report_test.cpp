#include <doctest/doctest.h>

#include "command.hpp"

using namespace cli_test;

TEST_CASE("the report of a robot holds its tables, the agreement, the counts and the times, on one page") {
  const std::string page = path("stanford.html");
  const Outcome run = torsor("report stanford --example --quick --states 5 --html " + page);
  CHECK(run.code == 0);
  CHECK(contains(run.out, page));
  const std::string html = read(page);
  for (const char* part : {"Stanford arm", "DH tables in other conventions", "Agreement", "Operation counts",
                           "Angeles, Ma &amp; Rojas 1989, Table 1", "figures 4 and 5", "time per call", "kane"}) {
    CAPTURE(part);
    CHECK(contains(html, part));
  }
  CHECK(!contains(html, "http://"));
}

TEST_CASE("the six-axis arms have the figures of their publications, from the path of the hand") {
  for (const std::string robot : {"sixr_angeles", "sixr_sim"}) {
    CAPTURE(robot);
    const std::string page = path(robot + ".html");
    const Outcome run = torsor("report " + robot + " --example --quick --states 3 --html " + page);
    CHECK(run.code == 0);
    for (const char* part : {robot == "sixr_sim" ? "figures 6 and 7" : "figures 6 to 8", "Torques at the joints",
                             "Positions: angles", "Angular velocities", "Joint accelerations",
                             "Joint positions of every branch", "Distance to singular positions"})
      CHECK(contains(read(page), part));
  }
}

TEST_CASE("a tree gets a report, too, and what cannot serve it is named") {
  const std::string page = path("floating.html");
  CHECK(torsor("report floating --quick --states 3 --html " + page).code == 0);
  CHECK(contains(read(page), "not for this robot"));
}

TEST_CASE("along a motion file nothing but the page is written") {
  const std::string motion = write("m.csv", "t,q1,q2\n0,0,0\n0.1,0.1,0.1\n0.2,0.3,0.2\n0.3,0.4,0.1\n");
  const Outcome page = torsor("report two_link --motion " + motion + " --quick --states 2 --html -");
  CHECK(page.code == 0);
  CHECK(page.out.starts_with("<!DOCTYPE html>"));
  CHECK(contains(page.out, "m.csv"));
  const Outcome file = torsor("report two_link --motion " + motion + " --quick --states 2 --html " + path("m.html"));
  CHECK(file.out == "page: " + path("m.html") + "\n");
}

TEST_CASE("a report refuses what it cannot do") {
  CHECK(tells(torsor("report puma560 --example").err, "option-value"));
  CHECK(torsor("report stanford --example --motion x.csv").code == 2);
  CHECK(torsor("report puma560 --motion missing.csv").code == 2);
  CHECK(torsor("report puma560 --quick --states 1 --html /nowhere/x.html").code == 3);
  // before anything is read or computed
  CHECK(tells(torsor("report no_such_robot --html /nowhere/x.html").err, "file-write"));
}
