// What a file or an argument holds cannot command the terminal; a file that is none of ours is not quoted; -- ends options.
#include <doctest/doctest.h>

#include <filesystem>
#include <sstream>

#include <nlohmann/json.hpp>

#include "command.hpp"

using namespace cli_test;
using nlohmann::json;

namespace {

// escape, bell, a C1 control in UTF-8, a carriage return, and what turns, breaks or hides text
const std::string nasty =
    "\\u001b]0;owned\\u0007\\u001b[2J\\u009b31m\\r \\u202e\\u2066\\u200f\\u200b\\u2028\\ufeff\\U000e0041";

void check_no_controls(const std::string& text) {
  for (const char* raw : {"\x1b", "\x07", "\xc2\x9b", "\r", "\xff", "\u202e", "\u2066", "\u200f", "\u200b", "\u2028",
                          "\ufeff", "\U000e0041"})
    CHECK_FALSE(contains(text, raw));
}

}  // namespace

TEST_CASE("control characters of a robot file come out by their codes, from every verb") {
  const std::string two = torsor("convert two_link -o -").out;
  REQUIRE(contains(two, "source = \""));
  std::string robot = two;
  robot.replace(robot.find("source = \""), 10, "source = \"" + nasty + " ");
  write("nasty.toml", robot);
  int shown = 0;
  for (const std::string arguments :
       {"show nasty.toml", "show nasty.toml --json", "show nasty.toml --html -", "show nasty.toml --svg -",
        "check nasty.toml", "convert nasty.toml -o -", "convert nasty.toml --to urdf -o -", "id nasty.toml --q zero",
        "fk nasty.toml --q zero", "terms nasty.toml --q zero", "equations nasty.toml", "structure nasty.toml",
        "codegen nasty.toml", "guide nasty.toml --apply 1", "reduce nasty.toml -o -"}) {
    CAPTURE(arguments);
    const Outcome outcome = torsor(arguments);
    check_no_controls(outcome.out + outcome.err);
    shown += contains(outcome.out, "owned");
  }
  CHECK(shown > 3);
  CHECK(contains(torsor("show nasty.toml").out, "\\x1b]0;owned\\x07\\x1b[2J\\xc2\\x9b31m\\x0d \\xe2\\x80\\xae"));
  // in a page and a drawing that are files, too
  REQUIRE(torsor("show nasty.toml --html nasty.html --svg nasty.svg").code == 0);
  check_no_controls(read(path("nasty.html")) + read(path("nasty.svg")));
  const json shown_as_json = json_of("show nasty.toml");
  CHECK(contains(shown_as_json["source"].get<std::string>(), "\U000e0041"));
  // a name of a column and a cell of a file that is plotted
  write("turned.csv", "t,a\u202eb\n0,1\n1,x\u202e\n2,3\n");
  const Outcome turned = torsor("plot turned.csv -o turned.html");
  CHECK(turned.code == 2);
  CHECK(contains(turned.out, "\na b "));
  check_no_controls(turned.out + turned.err + read(path("turned.html")));
  const std::string mechanism =
      "format = 1\nname = \"m " + nasty + "\"\nsource = \"" + nasty +
      "\"\n[[body]]\nname = \"a\"\nmass = 1\ninertia = [1, 1, 1]\nposition = [-1, 0, 0]\n[[joint]]\nname = \"j\"\n"
      "kind = \"revolute\"\nbodies = [\"ground\", \"a\"]\npoint = [0, 0, 0]\naxis = [0, 0, 1]\n";
  write("nasty_mechanism.toml", mechanism);
  for (const std::string what : {"check", "mobility", "equilibrium", "simulate"}) {
    const Outcome outcome = torsor("mechanism " + what + " nasty_mechanism.toml");
    check_no_controls(outcome.out + outcome.err);
  }
}

TEST_CASE("text of other languages is printed as it is") {
  std::string robot = torsor("convert two_link -o -").out;
  robot.replace(robot.find("source = \""), 10, "source = \"Müller, 机器人, 🤖 ");
  write("words.toml", robot);
  CHECK(contains(torsor("show words.toml").out, "Müller, 机器人, 🤖 "));

  // rows of numbers go past the filter, their column names do not: on standard output they are as in a file
  const std::string joint = "name = \"q1\"";
  REQUIRE(contains(robot, joint));
  robot.replace(robot.find(joint), joint.size(), "name = \"关节\"");
  write("words.toml", robot);
  write("words.csv", "t,q1,q2,qd1,qd2,qdd1,qdd2\n0,0,0,0,0,0,0\n1,0.1,0.2,0,0,0,0\n");
  REQUIRE(torsor("id words.toml --motion words.csv -o rows.csv").code == 0);
  const Outcome rows = torsor("id words.toml --motion words.csv");
  CHECK(rows.out.starts_with("t,q.关节,q.q2,"));
  CHECK(rows.out == read(path("rows.csv")));
}

TEST_CASE("of a file that is none of ours an error quotes a word at most") {
  const std::string secret = "hunter2-correct-horse-battery-staple-hunter2-correct-horse-battery-staple";
  for (const std::string& text :
       {secret, secret + " = " + secret, secret + ": " + secret, "x = 1\n" + secret + " = 1\n" + secret + " = 2\n",
        "\"" + secret + "\" = 1\n", "[" + secret + "]\n", "[" + secret, "a = \"" + secret + "\"\na = 1\n",
        "{\"" + secret + "\": 1}", "<" + secret + ">", "root:" + secret + ":0:0\n"}) {
    CAPTURE(text);
    write("secret", text);
    for (const std::string arguments :
         {"show secret", "mechanism check secret", "path ./secret", "id two_link --motion secret",
          "control --experiment secret", "id two_link --q zero --reduced secret"}) {
      CAPTURE(arguments);
      const Outcome outcome = torsor(arguments);
      CHECK(outcome.code == 2);
      CHECK_FALSE(contains(outcome.out + outcome.err, secret));
    }
  }
}

TEST_CASE("behind -- nothing is an option") {
  REQUIRE(torsor("convert two_link -o ./-odd.toml").code == 0);
  CHECK(torsor("show -- -odd.toml").out == torsor("show ./-odd.toml").out);
  CHECK(torsor("show --json -- puma560").out == torsor("show puma560 --json").out);
  CHECK(torsor("check -- -odd.toml puma560").code == 0);
  CHECK(tells(torsor("show -odd.toml").err, "option-unknown"));
  CHECK(tells(torsor("show -- puma560 --json").err, "argument-extra", {"\"--json\""}));
  // what is missing is the state, not the robot
  CHECK(torsor("id -- puma560").err == torsor("id puma560").err);
  // behind values of options, and for every argument of every verb
  const std::string at = "--q 0.1,0.2 ";
  for (const std::string verb : {"id", "fk", "terms", "derivatives --qd 0,0", "regressor"}) {
    CAPTURE(verb);
    const Outcome there = torsor(verb + " " + at + "-- -odd.toml");
    CHECK(there.code == 0);
    CHECK(there.out == torsor(verb + " ./-odd.toml " + at).out);
  }
  write("-line.csv", "t,q1,q2,qd1,qd2,qdd1,qdd2\n0,0,0,0.1,0.2,0,0\n1,0.1,0.2,0.1,0.2,0,0\n");
  CHECK(torsor("size -- -odd.toml -line.csv").code == 0);
  CHECK(torsor("size -- -odd.toml -line.csv").out == torsor("size ./-odd.toml -- -line.csv").out);
  CHECK(torsor("mechanism mobility -- bricard").out == torsor("mechanism mobility bricard").out);
  CHECK(tells(torsor("id --q -- puma560").err, "option-value", {"--q"}));
  CHECK(tells(torsor("show -- ").err, "argument-missing"));
}

TEST_CASE("results that are not finite end with exit code 1, and are not printed") {
  write("thick.toml", "name = \"thick\"\nconvention = \"placement\"\n[[link]]\nname = \"a\"\njoint = \"revolute\"\n"
                      "mass = 1\ninertia = [0.1, 0.1, 0.2]\nrotor = { inertia = 1e-3, gear = 1e5 }\n"
                      "friction = { viscous = 1e300, on = \"motor\" }\n");
  std::filesystem::remove(path("thick.html"));
  for (const std::string arguments :
       {"fk two_link --q 0,0 --qd 1e200,1e200", "fk two_link --q 0,0 --qd 1e200,1e200 --json",
        "fk two_link --q 0.1,0.2 --qd 1e308,1e308 --jacobian", "id two_link --q 0.1,0.2 --qd 1e200,1e200",
        "fd two_link --q 0.1,0.2 --qd 1e200,1e200", "terms two_link --q 0.1,0.2 --qd 1e200,1e200",
        "derivatives two_link --q 0.1,0.2 --qd 1e200,1e200", "derivatives two_link --q 0,0 --qd 4.5e153,4.5e153",
        "derivatives two_link --q 0,0 --qd 4.5e153,4.5e153 --json", "show thick.toml", "show thick.toml --json",
        "show thick.toml --html thick.html", "regressor two_link --q 0.1,0.2 --qd 1e200,1e200 --qdd 1,1"}) {
    CAPTURE(arguments);
    const Outcome outcome = torsor(arguments);
    CHECK(outcome.code == 1);
    CHECK(tells(outcome.err, "not-finite"));
    CHECK(outcome.out == "");
  }
  CHECK_FALSE(std::filesystem::exists(path("thick.html")));
  CHECK(tells(torsor("show thick.toml").err, "not-finite", {"thick.toml", "0"}));
  CHECK(tells(torsor("derivatives two_link --q 0,0 --qd 4.5e153,4.5e153").err, "not-finite", {"\"dqdd.q2/dq.q2\""}));
  write("huge.csv", "t,q1,q2,qd1,qd2,qdd1,qdd2\n0,0,0,0,0,0,0\n1,0.1,0.2,1e200,1e200,0,0\n");
  for (const std::string arguments :
       {"id two_link --motion huge.csv -o huge_out.csv", "fk two_link --motion huge.csv --rates -o huge_out.csv",
        "id two_link --motion huge.csv --json"}) {
    CAPTURE(arguments);
    const Outcome outcome = torsor(arguments);
    CHECK(outcome.code == 1);
    CHECK(tells(outcome.err, "not-finite"));
  }
}
