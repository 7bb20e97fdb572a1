// The command as a whole: verbs, help, version, and how each verb takes what it cannot use.
#include <doctest/doctest.h>

#include <sstream>
#include <vector>

#include "command.hpp"

using namespace cli_test;

namespace {

// the verbs as the help lists them
std::vector<std::string> verbs() {
  const std::string help = torsor("--help").out;
  std::istringstream lines(help.substr(0, help.find("\nOptions:\n")));
  std::vector<std::string> names;
  for (std::string line; std::getline(lines, line);)
    if (line.starts_with("  ")) std::istringstream(line) >> names.emplace_back();
  return names;
}

}  // namespace

TEST_CASE("the version and the help are printed on standard output") {
  CHECK(torsor("--version").out == "torsor 0.2.0\n");
  const Outcome help = torsor("--help");
  CHECK(help.code == 0);
  CHECK(help.err.empty());
  for (const std::string verb : {"demo", "list", "show", "fk", "id", "fd", "terms"})
    CHECK(contains(help.out, "\n  " + verb + ' '));
}

TEST_CASE("without a verb the help goes to standard error and the exit code is 2") {
  const Outcome nothing = torsor("");
  CHECK(nothing.code == 2);
  CHECK(nothing.out.empty());
  CHECK(contains(nothing.err, "Usage: torsor VERB"));
}

TEST_CASE("an unknown verb is answered with the nearest one and the list") {
  const Outcome slip = torsor("trems puma560");
  CHECK(slip.code == 2);
  CHECK(slip.out.empty());
  CHECK(tells(slip.err, "verb-unknown", {"\"trems\"", "\"terms\""}));
  for (const std::string& verb : verbs()) CHECK(contains(slip.err, ' ' + verb));
}

TEST_CASE("an option before the verb is told its place") {
  const Outcome early = torsor("--json list");
  CHECK(early.code == 2);
  CHECK(early.err == "--json: options come after the verb [verb-first]; write torsor list ... --json\n");
  CHECK(tells(torsor("--digits 3").err, "verb-first"));
}

TEST_CASE("every verb has a help with an example") {
  REQUIRE(verbs().size() > 6);
  for (const std::string& verb : verbs()) {
    CAPTURE(verb);
    const Outcome help = torsor(verb + " --help");
    CHECK(help.code == 0);
    CHECK(help.err.empty());
    CHECK(contains(help.out, "Usage: torsor " + verb));
    // those two print a script and a page
    if (verb != "completion" && verb != "manual") CHECK(contains(help.out, "--json"));
    CHECK(contains(help.out, "Examples:\n  torsor " + verb));
    CHECK(torsor("help " + verb).out == help.out);
  }
}

TEST_CASE("all faults of the options are told at once") {
  const Outcome slips = torsor("id puma560 --qdot 3 --q 1,,x --digits 99 --gravity 1,2e");
  CHECK(slips.code == 2);
  CHECK(slips.out.empty());
  CHECK(tells(slips.err, "option-unknown", {"--qdot", "\"--qd\""}));
  CHECK(tells(slips.err, "option-value", {"--digits", "\"99\"", "1", "17"}));
  CHECK(tells(slips.err, "number", {"--gravity", "2"}));
}

TEST_CASE("all faults that only the robot brings to light are told at once") {
  for (const std::string verb : {"id", "terms", "fk"}) {
    CAPTURE(verb);
    const Outcome slips = torsor(verb + " two_link --q 0,0 --qd 1,1,1 --qdd x,y --tool zz");
    CHECK(slips.code == 2);
    CHECK(tells(slips.err, "option-count", {"--qd", "3", "2"}));
    CHECK(tells(slips.err, "number", {"--qdd", "1", "\"x\""}));
    CHECK(tells(slips.err, "number", {"--qdd", "2", "\"y\""}));
    CHECK(tells(slips.err, "tool-unknown", {"--tool", "\"zz\""}));
  }
  const Outcome fd = torsor("fd two_link --q 0 --tool zz --formulation none --payload 1,2");
  for (const char* fault : {"--q: 1 number is given, 2 are needed", "--tool \"zz\"", "--formulation \"none\"",
                            "--payload: 2 numbers are given, 1 or 4 or 7 are needed"})
    CHECK(contains(fd.err, fault));
}

TEST_CASE("an option without its value, with one too many, or given twice is refused") {
  CHECK(tells(torsor("id puma560 --q").err, "option-value", {"--q"}));
  CHECK(tells(torsor("id puma560 --q --json").err, "option-value", {"--q", "--json"}));
  CHECK(tells(torsor("id puma560 --q zero --json=yes").err, "option-value", {"--json"}));
  CHECK(tells(torsor("id puma560 --q zero --q zero").err, "option-twice", {"--q", "2"}));
  CHECK(tells(torsor("id puma560 --q 0 1 0 0 0 0").err, "argument-extra", {"\"1\""}));
  CHECK(torsor("id puma560 --q").code == 2);
}

TEST_CASE("a motion in the place of an option, or the other way round, is pointed to where it belongs") {
  write("moves.csv", "t,q1\n0,0\n");
  CHECK(tells(torsor("id puma560 moves.csv").err, "argument-extra", {"\"moves.csv\"", "--motion moves.csv"}));
  CHECK(tells(torsor("size puma560 --motion moves.csv").err, "option-unknown", {"--motion", "MOTION"}));
  write("pick.toml", "motion = \"joints\"\n");
  const Outcome motion = torsor("id puma560 --motion pick.toml");
  CHECK(motion.code == 2);
  CHECK(tells(motion.err, "motion-file", {"pick.toml", "torsor path"}));
}

TEST_CASE("a robot that is not there, or is no file, is refused with what there is") {
  CHECK(tells(torsor("show pumma560").err, "robot-unknown", {"\"puma560\""}));
  CHECK(tells(torsor("show none.toml").err, "file-read", {"none.toml"}));
  CHECK(tells(torsor("show .").err, "file-read"));
  CHECK(tells(torsor("show ./").err, "file-read"));
  for (const char* name : {"pumma560", "none.toml", ".", "./"}) CHECK(torsor(std::string("show ") + name).code == 2);
  CHECK(tells(torsor("show").err, "argument-missing"));
}

TEST_CASE("every fault of a robot file is told with its line") {
  const std::string file = write("broken.toml", "[[link]]\nname = \"a\"\njoint = \"revolut\"\nmass = -1\n");
  const Outcome broken = torsor("id " + file + " --q zero");
  CHECK(broken.code == 2);
  CHECK(tells(broken.err, "joint-kind", {"broken.toml:3"}));
  CHECK(tells(broken.err, "mass-negative", {"broken.toml:4"}));
}

TEST_CASE("output that cannot be written gives exit code 3") {
  for (const std::string arguments :
       {"list", "show puma560", "--help", "id --help", "terms puma560 --q zero --json", "fk puma560 --q zero"}) {
    CAPTURE(arguments);
    const Outcome full = torsor(arguments + " >/dev/full");
    CHECK(full.code == 3);
    CHECK(tells(full.err, "file-write"));
  }
}

TEST_CASE("bytes of the arguments that are no text, or would command the terminal, are shown by their codes") {
  write("odd\x9bm.csv", "t,a\xff\n0,1\n1,x\n");
  const auto no_raw_bytes = [](const Outcome& outcome) {
    for (const char* raw : {"\xff", "\x9b", "\x1b"}) CHECK_FALSE(contains(outcome.out + outcome.err, raw));
  };
  const std::string odd = "v\xff\x9b\x1b'";
  for (const std::string before : {"'", "show '", "show puma560 '--", "fk --q 0 '", "id puma560 --motion '", "plot '",
                                   "plot 'odd\x9bm.csv' -o a.svg --x '", "convert puma560 --to '"}) {
    CAPTURE(before);
    const Outcome outcome = torsor(before + odd);
    CHECK(outcome.code == 2);
    CHECK(contains(outcome.err, "v\\xff\\x9b\\x1b"));
    no_raw_bytes(outcome);
  }
  no_raw_bytes(torsor("plot 'odd\x9bm.csv' -o a.html"));
}

TEST_CASE("an option that was renamed is answered with its new name") {
  CHECK(tells(torsor("id puma560 --q zero --method kane").err, "option-unknown", {"--method", "\"--formulation\""}));
  CHECK(tells(torsor("reduce puma560 --draw 3").err, "option-unknown", {"--draw", "\"--seed\""}));
  CHECK(tells(torsor("count puma560 --hand").err, "option-unknown", {"--hand", "\"--tool\""}));
  // not where the new one has no meaning
  CHECK_FALSE(tells(torsor("list --method kane").err, "option-unknown", {"\"--formulation\""}));
}
