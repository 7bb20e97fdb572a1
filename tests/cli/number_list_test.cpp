// Lists of numbers as users write them: pi and its fractions, degrees with their unit. And names begun but not ended, and
// files given to the verbs of the other kind.
#include <doctest/doctest.h>

#include "command.hpp"

using namespace cli_test;

TEST_CASE("pi, its multiples and fractions, and degrees with their unit are numbers of a list") {
  const std::string wanted = torsor("fk two_link --q 1.5707963267948966,-2.0943951023931953 --json").out;
  REQUIRE(contains(wanted, "1.5707963267948966"));
  for (const std::string list : {"pi/2,-2*pi/3", "\"pi/2 -2*pi/3\"", "90deg,-120deg",
                                 "90°,-2*pi/3", "\"(pi)/2, -(2*pi)/3\"", "1.5707963267948966,-120deg"}) {
    CAPTURE(list);
    const Outcome outcome = torsor("fk two_link --json --q " + list);
    CHECK(outcome.code == 0);
    CHECK(outcome.out == wanted);
  }
  CHECK(torsor("fk two_link --json --q 90,-120 --degrees").out ==
        torsor("fk two_link --json --q 90deg,-120 --degrees").out);
  CHECK(torsor("fk two_link --json --q -pi/2,0").out == torsor("fk two_link --json --q=-1.5707963267948966,0").out);
  CHECK(torsor("fk two_link --json --q zero --qd -pi,1/4").out ==
        torsor("fk two_link --json --q zero --qd=-3.141592653589793,0.25").out);
  CHECK(torsor("ik puma560 --pose 0.5,0.1,0.3,0,pi/2,0 --json").out ==
        torsor("ik puma560 --pose 0.5,0.1,0.3,0deg,90deg,0 --json").out);
  CHECK(torsor("ik puma560 --pose 0.5,0.1,0.3,0,90deg,0 --degrees --json").out ==
        torsor("ik puma560 --pose 0.5,0.1,0.3,0,90,0 --degrees --json").out);
  CHECK(torsor("id two_link --q zero --gravity 0,0,-981/100 --json").out ==
        torsor("id two_link --q zero --gravity 0,0,-9.81 --json").out);
}

TEST_CASE("commas and blanks inside of parentheses do not end an entry") {
  const std::string wanted = torsor("fk two_link --json --q 2,0").out;
  REQUIRE(contains(wanted, "\"q\""));
  for (const char* list :
       {"\"max(1,2) 0\"", "\"max(1,2),0\"", "\"max(1, 2), min( 0 , 1 )\"", "\"max(min(2,3),1) 0\""}) {
    CAPTURE(list);
    CHECK(torsor("fk two_link --json --q " + std::string(list)).out == wanted);
  }
  CHECK(torsor("fk two_link --json --q \"atan2(1,2),0\"").out ==
        torsor("fk two_link --json --q 0.4636476090008061,0").out);
  CHECK(torsor("fk two_link --q \"max(1,2 0\"").code == 2);
}

TEST_CASE("what is no number of a list is refused with what is wrong") {
  const auto refused = [](const std::string& arguments, const std::string& what) {
    CAPTURE(arguments);
    const Outcome outcome = torsor(arguments);
    CHECK(outcome.code == 2);
    CAPTURE(outcome.err);
    CHECK(contains(outcome.err, what));
  };
  refused("fk two_link --q pie/2,0", "--q, entry 1, \"pie/2\": ");
  refused("fk two_link --q pi/0,0", "--q, entry 1, \"pi/0\": is not finite [number]");
  refused("fk two_link --q 2pi,0", "write a product with its sign: 2*pi");
  refused("fk two_link --q pi2,0", "known here: pi e ");
  refused("fk two_link --q t*2,0", "--q, entry 1, \"t*2\": ");
  refused("fk two_link --q 90grad,0", "\"90grad\" goes on after the number [number]");
  refused("fk two_link --q pi/2,0 --degrees", "--q, entry 1: has pi, beside --degrees [number]");
  refused("fk stanford --q 0,0,90deg,0,0,0", "--q, entry 3: is an angle, where none belongs [number]");
  refused("id two_link --q zero --payload 90deg", "--payload, entry 1: is an angle, where none belongs [number]");
  refused("fd two_link --q zero --tau 90deg,0", "--tau, entry 1: is an angle, where none belongs [number]");
  refused("ik puma560 --pose 90deg,0,0,0,0,0", "--pose, entry 1: is an angle, where none belongs [number]");
}

TEST_CASE("a name that is only begun is answered with what it may become") {
  CHECK(tells(torsor("show puma").err, "robot-unknown", {"\"puma560\"", "\"puma560_drives\""}));
  CHECK(tells(torsor("show pan").err, "robot-unknown", {"\"panda\""}));
  CHECK(tells(torsor("mechanism check four").err, "mechanism-unknown", {"\"four_bar\""}));
  CHECK(tells(torsor("simul").err, "verb-unknown", {"\"simulate\""}));
  CHECK_FALSE(contains(torsor("show x").err, "did you mean"));
}

TEST_CASE("a mechanism given for a robot, and a robot for a mechanism, are told who takes them") {
  const std::string mechanism = "format = 1\nname = \"m\"\n\n  [[body]]\nname = \"a\"\nmass = 1\n";
  write("slot.toml", mechanism);
  for (const std::string arguments :
       {"show slot.toml", "id slot.toml --q zero", "check slot.toml", "codegen slot.toml", "show - <slot.toml"}) {
    CAPTURE(arguments);
    const Outcome outcome = torsor(arguments);
    CHECK(outcome.code == 2);
    CHECK(tells(outcome.out + outcome.err, "file-kind"));
  }
  CHECK(tells(torsor("show four_bar").err, "file-kind"));
  REQUIRE(torsor("convert two_link -o arm.toml").code == 0);
  REQUIRE(torsor("convert two_link -o arm.urdf").code == 0);
  for (const std::string what : {"check", "mobility", "kinematics", "simulate", "modes"}) {
    CAPTURE(what);
    CHECK(tells(torsor("mechanism " + what + " arm.toml").err, "file-kind", {"arm.toml"}));
  }
  CHECK(tells(torsor("mechanism check puma560").err, "file-kind"));
  CHECK(tells(torsor("mechanism check arm.urdf").err, "file-kind"));
}
