// Runs that end in an error part way: a result that was there stays as it was, the rows before the error are in FILE.partial, and
// whoever repairs the input goes on with them.
#include <doctest/doctest.h>

#include <algorithm>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <vector>

#include "command.hpp"
#include "tests/support/mechanism_text.hpp"

using namespace cli_test;
using nlohmann::json;

namespace {

const std::string earlier_result = "what was there before\n";

const std::string too_far =
    "motion = \"tool\"\npath = \"line\"\nduration = 1\n[[point]]\nposition = [0.4, 0.2, 0.6]\nrpy = [0, 1.5, 0]\n"
    "[[point]]\nposition = [1.4, 0.2, 0.6]\n";

const std::string runs_away = mechanism_text::turned("\"1/(0.55 - t)\"");

std::string motion_with(int rows, int bad, const std::string& with) {
  std::string text = "t,q1,q2,qd1,qd2,qdd1,qdd2\n";
  for (int k = 0; k < rows; ++k) text += std::to_string(k) + ",0.1,0.2," + (k == bad ? with : "0.3") + ",0,0,0.5\n";
  return text;
}

long array_rows(const std::string& array) {
  const std::size_t at = array.find("'shape': (");
  return at == std::string::npos ? -1 : std::stol(array.substr(at + 10));
}

}  // namespace

TEST_CASE("a run that ends in an error leaves the old file, and its rows in FILE.partial") {
  write("letter.csv", motion_with(50, 40, "x"));
  write("vast.csv", motion_with(50, 40, "1e200"));
  write("reaching.toml", too_far);
  write("away.toml", runs_away);
  struct Run {
    std::string arguments;
    int code;
    std::string rule;
    long rows;  // 0: some
  };
  const std::vector<Run> runs{
      {"id two_link --motion letter.csv", 2, "[number]", 40},
      {"fk two_link --motion letter.csv --rates", 2, "[number]", 40},
      {"id two_link --motion vast.csv", 1, "[not-finite]", 40},
      // a branch that is named: without one they try every other way before they give up
      {"track puma560 reaching.toml --branch '+ - +'", 1, "[path-stop]", 0},
      {"ik puma560 --path reaching.toml --branch '+ - +'", 1, "[path-stop]", 0},
      {"size puma560 reaching.toml --branch '+ - +'", 1, "[path-stop]", 0},
      {"simulate two_link --torque zero --q 0.3,0.5 --qd 5,5 --time 4 --integrator gauss --step 0.2", 1,
       "[simulation-stop]", 0},
      {"mechanism kinematics away.toml --time 2 --every 0.1", 1, "[driver-too-fast]", 6},
      {"mechanism simulate away.toml --time 2 --every 0.1", 1, "[driver-too-fast]", 6},
      {"mechanism inverse away.toml --time 2 --every 0.1", 1, "[driver-too-fast]", 6},
  };
  for (const Run& run : runs) {
    CAPTURE(run.arguments);
    for (const std::string name : {"kept.csv", "kept.npy"}) {
      CAPTURE(name);
      std::filesystem::remove(path(name + ".partial"));
      write(name, earlier_result);
      const Outcome ended = torsor_as_is(run.arguments + " -o " + name);
      CAPTURE(ended.err);
      CHECK(ended.code == run.code);
      CHECK(contains(ended.err, run.rule));
      CHECK(read(path(name)) == earlier_result);
      const std::string rows = read(path(name + ".partial"));
      REQUIRE(!rows.empty());
      const long count = name.ends_with("npy") ? array_rows(rows) : std::count(rows.begin(), rows.end(), '\n') - 1;
      CHECK((run.rows > 0 ? count == run.rows : count > 0));
      CHECK(contains(ended.err,
                     "rows kept from before the stop: " + std::to_string(count) + ", in " + name + ".partial\n"));
      // the answer names the file that the rows are in; that of size is about other things
      CHECK((run.arguments.starts_with("size") || contains(ended.out, "-> " + name + ".partial\n")));
      std::filesystem::remove(path(name + ".partial"));
      const Outcome answered = torsor_as_is(run.arguments + " --json -o " + name);
      REQUIRE(answered.code == run.code);
      CHECK(json_of(answered)["output"] == name + ".partial");
    }
    // on standard output they are as they were
    const Outcome printed = torsor_as_is(run.arguments + (contains(run.arguments, "size") ? " -o -" : ""));
    CHECK(printed.code == run.code);
    CHECK(contains(printed.err, "rows kept from before the stop: "));
    CHECK(!contains(printed.err, ".partial"));
  }
}

TEST_CASE("rows from before an error are gone on with once the input is repaired") {
  write("broken.csv", motion_with(200, 140, "x"));
  write("repaired.csv", motion_with(200, -1, ""));
  for (const std::string name : {"mended.csv", "mended.npy"}) {
    CAPTURE(name);
    REQUIRE(torsor_as_is("id two_link --motion repaired.csv -o " + name).code == 0);
    const std::string wanted = read(path(name));
    write(name, earlier_result);
    REQUIRE(torsor_as_is("id two_link --motion broken.csv -o " + name).code == 2);
    const std::string part = read(path(name + ".partial"));
    // the same error once more changes nothing
    const Outcome again = torsor_as_is("id two_link --motion broken.csv --continue -o " + name);
    CHECK(again.code == 2);
    CHECK(tells(again.err, "number", {"broken.csv:142"}));
    CHECK(read(path(name + ".partial")) == part);
    // nor does one that comes sooner: what it is wrong with is reported, and the rows are kept
    write("sooner.csv", motion_with(200, 60, "x"));
    const Outcome sooner = torsor_as_is("id two_link --motion sooner.csv --continue -o " + name);
    CHECK(sooner.code == 2);
    CHECK(tells(sooner.err, "number", {"sooner.csv:62"}));
    CHECK(contains(sooner.err, name + ".partial is as the earlier run has left it"));
    CHECK(read(path(name + ".partial")) == part);
    CHECK(read(path(name)) == earlier_result);
    CHECK(torsor_as_is("id two_link --motion repaired.csv --continue -o " + name).code == 0);
    CHECK(read(path(name)) == wanted);
    CHECK(!std::filesystem::exists(path(name + ".partial")));
  }
}

TEST_CASE("rows are the same however few came before an error, so that they are gone on with") {
  // angles whose sines are no round numbers: rows one by one and rows in lanes differ in last digits
  const auto motion = [](const char* qdd, int bad) {
    std::string text = "t,q1,q2,qd1,qd2," + std::string(qdd) + "1," + qdd + "2\n";
    for (int k = 0; k < 100; ++k) {
      const double t = 0.01 * k;
      for (const double x : {t, 0.3 + 1.7 * t, 0.9 - 2.3 * t, 1.7, -2.3, 0.1 * t, 0.7}) text += std::to_string(x) + ',';
      text.back() = '\n';
      if (k == bad) text += "1,x,0,0,0,0,0\n";
    }
    return text;
  };
  for (const auto& [verb, last] :
       {std::pair("id two_link --motion ", "qdd"), std::pair("fd two_link --states ", "tau")})
    for (const int rows : {1, 7, 31, 32})
      for (const std::string name : {"few.csv", "few.npy"}) {
        const std::string given = verb;  // clang 14 captures no binding
        CAPTURE(given);
        CAPTURE(rows);
        CAPTURE(name);
        write("whole_motion.csv", motion(last, -1));
        write("broken_motion.csv", motion(last, rows - 1));
        for (const char* end : {"", ".partial"}) std::filesystem::remove(path(name + end));
        REQUIRE(torsor_as_is(std::string(verb) + "whole_motion.csv -o whole_" + name).code == 0);
        REQUIRE(torsor_as_is(std::string(verb) + "broken_motion.csv -o " + name).code == 2);
        const Outcome on = torsor_as_is(std::string(verb) + "whole_motion.csv --continue -o " + name);
        CHECK(on.err == "");
        CHECK(on.code == 0);
        CHECK(read(path(name)) == read(path("whole_" + name)));
      }
}

TEST_CASE("why a simulation stopped is said once") {
  write("away.toml", runs_away);
  struct Run {
    std::string arguments, sentence;
  };
  for (const Run& run :
       {Run{"simulate puma560 --torque zero --q 0.1,0.7,-1.2,0.4,0.9,-0.3 --time 3 --stops error", "is at its limit"},
        Run{"mechanism simulate away.toml --time 2 --every 0.1", "asks for"},
        Run{"mechanism kinematics away.toml --time 2 --every 0.1", "asks for"}}) {
    CAPTURE(run.arguments);
    std::filesystem::remove(path("once.csv.partial"));
    const Outcome ended = torsor_as_is(run.arguments + " -o once.csv");
    CHECK(ended.code == 1);
    const std::string said = ended.out + ended.err;
    const std::size_t at = said.find(run.sentence);
    REQUIRE(at != std::string::npos);
    CHECK(said.find(run.sentence, at + 1) == std::string::npos);
    CHECK(contains(ended.err, run.sentence));
  }
}

TEST_CASE("an error in the first row leaves nothing beside the old file") {
  write("first.csv", motion_with(5, 0, "1e200"));
  write("none.csv", earlier_result);
  CHECK(torsor_as_is("id two_link --motion first.csv -o none.csv").code == 1);
  CHECK(read(path("none.csv")) == earlier_result);
  CHECK(!std::filesystem::exists(path("none.csv.partial")));
}
