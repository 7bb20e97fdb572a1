// When the machine has not what it takes: no threads, no memory, no folder, no reader. A sentence and an exit code, never an
// abort.
#include <doctest/doctest.h>

#include <filesystem>
#include <sstream>

#include "command.hpp"
#include "tests/support/sanitized.hpp"

using namespace cli_test;

namespace {

std::string many_states(int rows) {
  std::ostringstream text;
  text << "t,q1,q2,qd1,qd2,qdd1,qdd2\n";
  for (int k = 0; k < rows; ++k) text << 0.001 * k << ",0.1,0.2,0,0,1,1\n";
  return text.str();
}

// the command under limits of the shell
Outcome limited(const std::string& limits, const std::string& arguments) {
  return torsor("--version >/dev/null; " + limits + "; '" + places::command_path() + "' " + arguments);
}

}  // namespace

TEST_CASE("where threads cannot be had, the rows are computed by those there are" *
          doctest::skip(sanitized)) {
  write("states.csv", many_states(3000));
  const std::string wanted = torsor("id two_link --motion states.csv").out;
  REQUIRE(wanted.size() > 1000);
  int done = 0;
  for (const int megabytes : {100, 200, 400, 800}) {
    CAPTURE(megabytes);
    const Outcome few =
        limited("ulimit -v " + std::to_string(1024 * megabytes), "id two_link --motion states.csv --threads 256");
    CHECK((few.code == 0 || (few.code == 3 && contains(few.err, "there is not enough memory [memory]"))));
    if (few.code != 0) continue;
    ++done;
    CHECK(few.out == wanted);
  }
  CHECK(done > 0);
}

TEST_CASE("without memory the end is a sentence and exit code 3" * doctest::skip(sanitized)) {
  // a matrix of so many coordinates has no room in it
  std::string robot = "format = 1\nname = \"long\"\n";
  for (int k = 0; k < 1500; ++k)
    robot += "[[link]]\nname = \"l" + std::to_string(k) + "\"\njoint = \"revolute\"\nmass = 1\ninertia = [1, 1, 1]\n" +
             (k > 0 ? "parent = \"l" + std::to_string(k - 1) + "\"\n" : "");
  write("long.toml", robot);
  REQUIRE(torsor("terms long.toml --q zero --json").code == 0);
  const Outcome none = limited("ulimit -v 50000", "terms long.toml --q zero --json");
  CHECK(none.code == 3);
  CHECK(tells(none.err, "memory"));
}

TEST_CASE("a folder for temporary files that is not there, or has quotes in its name, is no trap") {
  std::filesystem::remove_all(path("it's; touch trapped #"));
  std::filesystem::create_directories(path("it's; touch trapped #"));
  const Outcome gone = torsor("--version >/dev/null; TMPDIR=/nonexistent '" + places::command_path() +
                              "' codegen two_link --prove -o two.c");
  CHECK(gone.code == 3);
  CHECK(tells(gone.err, "file-write"));
  const Outcome kept =
      torsor("--version >/dev/null; echo t | TMPDIR=/nonexistent '" + places::command_path() + "' identify two_link -");
  CHECK(kept.code == 3);
  CHECK(tells(kept.err, "file-write"));
  CHECK(!contains(kept.err, "/input"));
  const Outcome engine = torsor("--version >/dev/null; TMPDIR=/nonexistent '" + places::command_path() +
                                "' agree two_link --against pinocchio");
  CHECK(engine.code == 3);
  CHECK(tells(engine.err, "file-write", {"TMPDIR"}));
  const Outcome odd = torsor("--version >/dev/null; TMPDIR=\"$PWD/it's; touch trapped #\" '" + places::command_path() +
                             "' bench --robots two_link --milliseconds 1");
  if (sanitized) {
    CHECK(tells(odd.err, "debug-build"));
  } else {
    CHECK(odd.code == 0);
    CHECK(contains(odd.out, "generated"));
  }
  CHECK_FALSE(std::filesystem::exists(path("trapped")));
  const Outcome bench = torsor("--version >/dev/null; TMPDIR=/nonexistent '" + places::command_path() +
                               "' bench --robots two_link --milliseconds 1");
  CHECK((bench.code == 0 || bench.code == 1 || bench.code == 3));
}

TEST_CASE("a working folder that is deleted is a fault of the files in it at most") {
  for (const std::string arguments :
       {"show puma560", "id two_link --q zero", "show two.toml", "convert two_link -o two.toml",
        "show puma560 --html a.html", "path sixr_angeles --step 1 -o a.csv",
        "control two_link --write e.toml --laws pd --duration 0.05 --rest 0.01", "mechanism check four_bar", "demo"}) {
    CAPTURE(arguments);
    const Outcome outcome = torsor("--version >/dev/null; mkdir -p away && cd away && rmdir ../away && '" +
                                   places::command_path() + "' " + arguments);
    CHECK(outcome.code >= 0);
    CHECK(outcome.code <= 3);
  }
}

TEST_CASE("a reader that closes the pipe early ends the run quietly, by the signal for it") {
  write("states.csv", many_states(20000));
  for (const std::string arguments :
       {"id two_link --motion states.csv", "path sixr_angeles --step 0.0001", "list --json", "show puma560"}) {
    CAPTURE(arguments);
    const Outcome outcome = torsor("--version >/dev/null; { '" + places::command_path() + "' " + arguments +
                                   "; echo $? >code; } | head -1");
    CHECK(outcome.code == 0);
    CHECK(outcome.err.empty());
    const std::string code = read(path("code"));
    CHECK((code == "141\n" || code == "0\n"));
  }
  CHECK(contains(torsor("--version >/dev/null; { '" + places::command_path() +
                        "' id two_link --motion states.csv; echo $? >code; } | head -1; cat code")
                     .out,
                 "141"));
}
