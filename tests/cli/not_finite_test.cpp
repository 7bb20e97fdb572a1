// Numbers that are finite, and answers that are not: every verb says so and ends with 1.
#include <doctest/doctest.h>

#include "command.hpp"

using namespace cli_test;

namespace {

/// A motion of two_link whose middle row has these six numbers.
std::string motion_with(const std::string& row) {
  return write("huge.csv", "t,q1,q2,qd1,qd2,qdd1,qdd2\n0,0,0,0,0,0,0\n1," + row + "\n2,0,0,0,0,0,0\n");
}

void refuses(const std::string& arguments) {
  CAPTURE(arguments);
  for (const char* form : {"", " --json"}) {
    const Outcome outcome = torsor(arguments + form);
    CHECK(outcome.code == 1);
    CHECK_MESSAGE(tells(outcome.err, "not-finite"), outcome.err);
  }
}

}  // namespace

TEST_CASE("a motion that is too fast for numbers has no dominance, no reduced model, no structure and no guide") {
  for (const std::string row : {"0,0,1e160,0,0,0", "0,0,1e200,0,0,0", "0,0,0,0,1e308,0"}) {
    const std::string file = motion_with(row);
    for (const std::string verb : {"dominance", "reduce"}) refuses(verb + " two_link --motion " + file);
    CHECK(torsor("reduce two_link --motion " + file + " -o reduced.toml").code == 1);
    CHECK_FALSE(std::filesystem::exists(path("reduced.toml")));
  }
  // between rows that are at rest
  refuses("reduce two_link --motion " + motion_with("1e160,0,0,0,0,0"));
  refuses("guide two_link --motion " + motion_with("0,0,1e160,0,0,0"));
  // rows that are finite, and squares that are not
  refuses("id two_link -o torques.csv --motion " + motion_with("0,0,0,0,1e160,0"));
  refuses("dominance two_link --speeds 1e160");
  refuses("structure two_link --q 0.1,0.2 --qd 1e160,0");
}

TEST_CASE("rates of joints that are too large for numbers are no zeros") {
  for (const std::string robot : {"puma560", "ur5", "panda"})
    for (const std::string size : {"1e160", "1e308"})
      refuses("ik " + robot + " --pose 0.4,0.1,0.5,0,1.5,0 --all --velocity " + size + ",0,0,0,0,0");
  const Outcome branch = torsor("ik puma560 --pose 0.5,0.1,0.6,0,1.5,0 --velocity 1e200,0,0,0,0,0");
  CHECK(tells(branch.err, "not-finite", {"+"}));
  CHECK(branch.out.empty());
  CHECK(torsor("ik puma560 --pose 0.5,0.1,0.6,0,1.5,0 --velocity 1e100,0,0,0,0,0").code == 0);
}

TEST_CASE("a reaction at rest that is too large for numbers is none") {
  const std::string driven =
      "name = \"m\"\ngravity = [0, 0, -1e308]\n[[body]]\nname = \"b\"\nmass = 1\ninertia = [0.1, 0.1, 0.1]\n"
      "position = [0, 0, -1]\n[[joint]]\nname = \"j\"\nkind = \"revolute\"\nbodies = [\"ground\", \"b\"]\n"
      "point = [0, 0, 0]\naxis = [0, 1, 0]\n[[driver]]\njoint = \"j\"\nfunction = 0\n";
  refuses("mechanism equilibrium " + write("heavy.toml", driven));
  // nor is it stable or not where its stiffness is no number
  const std::string inert =
      "name = \"m\"\n[[body]]\nname = \"b\"\nmass = 1\ninertia = [1e160, 1e160, 1e160]\nposition = [0, 0, -1]\n"
      "[[joint]]\nname = \"j\"\nkind = \"revolute\"\nbodies = [\"ground\", \"b\"]\npoint = [0, 0, 0]\naxis = [0, 1, "
      "0]\n";
  for (const std::string form : {"", " --json"}) {
    const Outcome outcome = torsor("mechanism equilibrium " + write("inert.toml", inert) + form);
    CHECK(outcome.code == 1);
    CHECK_MESSAGE(tells(outcome.err, "no-equilibrium", {"numbers"}), outcome.err);
  }
}

TEST_CASE("samples of a torque that is no number name its joint and its time") {
  const Outcome outcome = torsor("roundtrip two_link " + motion_with("0,0,1e200,0,0,0"));
  CHECK(outcome.code == 1);
  CHECK(contains(outcome.out, "the torque of \"q1\" is not a number"));
  CHECK_FALSE(contains(outcome.out, "torque of  "));
}
