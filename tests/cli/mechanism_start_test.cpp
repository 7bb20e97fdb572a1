// torsor mechanism at the start of a file: velocities that are given and left out, and starts that have no numbers.
#include <doctest/doctest.h>

#include <cmath>
#include <nlohmann/json.hpp>
#include <string>

#include "command.hpp"
#include "tests/support/mechanism_text.hpp"

using namespace cli_test;
using namespace mechanism_text;
using nlohmann::json;

namespace {

double at_start(const std::string& csv, const std::string& column) { return cell(csv, column, 0); }

std::string rod(const std::string& name, const std::string& keys) { return body(name, "com = [0.5, 0, 0];" + keys); }

std::string linkage(const std::string& of_crank, const std::string& of_joint) {
  return "gravity = [0, -9.81, 0]\n[run]\ntime = 0.1\ninterval = 0.1\n" +
         rod("crank", "rpy_deg = [0, 0, 90];" + of_crank) + rod("coupler", "position = [0, 1, 0]") +
         rod("rocker", "position = [1, 0, 0]; rpy_deg = [0, 0, 90]") +
         hinge("O", "ground", "crank", "0, 0, 0", of_joint) + hinge("A", "crank", "coupler", "0, 1, 0") +
         hinge("B", "coupler", "rocker", "1, 1, 0") + hinge("Q", "ground", "rocker", "1, 0, 0");
}

const std::string on_carrier =
    "[run]\ntime = 0.1\ninterval = 0.1\n[[carrier]]\nname = \"base\"\nx = \"0.1*sin(5*t)\"\nz = \"0.05*cos(4*t)\"\n"
    "[[carrier.turn]]\naxis = [0, 0, 1]\nangle = \"0.7*t\"\n"
    + body("p", "com = [0, 0, -0.5]; inertia = [0.08, 0.08, 0.01]; position = [0, 0, 0.05]") +
    joint("h", "revolute", "base", "p",
          "point_i = [0, 0, 0]; axis_i = [0, 1, 0]; reference_i = [1, 0, 0]; point_j = [0, 0, 0]; axis_j = [0, 1, 0]; "
          "reference_j = [1, 0, 0]");

}  // namespace

TEST_CASE("a crank that is given its speed begins with it, and the linkage follows without a note") {
  for (const auto& [crank, joint] : {std::pair<std::string, std::string>{"angular_velocity = [0, 0, -1]", ""},
                                     {"angular_velocity_rpm = [0, 0, -9.549296585513721]", ""},
                                     {"", "angle_rate = -1"},
                                     {"", "angle_rate_deg = -57.29577951308232"}}) {
    const std::string given = crank + joint;
    CAPTURE(given);
    const Outcome run = torsor("mechanism simulate -", linkage(crank, joint));
    CHECK(run.code == 0);
    CHECK(run.err == "");
    CHECK(at_start(run.out, "rate.angle.O") == doctest::Approx(-1).epsilon(1e-11));
    CHECK(at_start(run.out, "wz.rocker") == doctest::Approx(-1).epsilon(1e-11));
    CHECK(std::abs(at_start(run.out, "wz.coupler")) < 1e-11);
  }
}

TEST_CASE("what hangs on a carrier that moves begins at rest in its joint") {
  const Outcome run = torsor("mechanism simulate -", on_carrier);
  CHECK(run.code == 0);
  CHECK(std::abs(at_start(run.out, "rate.angle.h")) < 1e-10);
  CHECK(at_start(run.out, "wz.p") == doctest::Approx(0.7));
  CHECK(at_start(run.out, "vx.p") == doctest::Approx(0.5));
  CHECK(run.err == "");
}

TEST_CASE("rates that cannot be had are told with what is taken, and rates of joints that have none are faults") {
  const Outcome run = torsor("mechanism simulate - --json -o both.csv",
                             linkage("angular_velocity = [0, 0, 2]", "angle_rate = -1"));
  CHECK(run.code == 0);
  CHECK(says(run.err, {"\"crank\"", "0", "2", "-1"}));
  const Outcome fault = torsor("mechanism check -", linkage("", "slide_rate = 1"));
  CHECK(fault.code == 2);
  CHECK(tells(fault.err, "joint-key"));
}

TEST_CASE("a start without numbers is blamed on what has none, in words") {
  const std::string cam =
      body("disc", "") + body("f", "") +
      joint("shaft", "revolute", "ground", "disc", "point = [0, 0, 0]; axis = [0, 1, 0]") +
      joint("rail", "translational", "ground", "f", "point = [0, 0, 0]; axis = [0, 0, 1]") +
      block("coupling", "cam", "kind = \"cam\"; joints = [\"shaft\", \"rail\"]; profile = \"0.1/x\"; offset = 0");
  const std::string flat =
      body("disc", "mass = 2; inertia = [0.045, 0.045, 0.09]") +
      joint("roll", "rolling-disc", "ground", "disc",
            "point_i = [0, 0, 0]; axis_i = [0, 0, 1]; point_j = [0, 0, 0]; axis_j = [0, 0, 1]; radius = 0.3");
  for (const char* verb : {"check", "simulate", "modes"}) {
    CAPTURE(verb);
    const std::string command = std::string("mechanism ") + verb + " -";
    const Outcome pole = torsor(command, cam), lies = torsor(command, flat);
    CHECK(pole.code == 1);
    CHECK(tells(pole.err, "cannot-close", {"0", "\"shaft\""}));
    CHECK(lies.code == 1);
    CHECK(tells(lies.err, "cannot-move"));
    for (const Outcome* each : {&pole, &lies}) CHECK_FALSE(contains(each->err, "nan"));
  }
}

TEST_CASE("a spring with a rest length whose ends are in one place says that it pushes nothing there") {
  const auto spring = [](const std::string& rest, const std::string& points) {
    return body("block", "") +
           joint("rail", "translational", "ground", "block", "point = [0, 0, 0]; axis = [0, 0, 1]") +
           block("spring", "coil",
                 "bodies = [\"ground\", \"block\"]; stiffness = 100; rest = " + rest + "; points = " + points);
  };
  const std::string meet = "[[0, 0, 0], [0, 0, 0]]";
  CHECK(tells(torsor("mechanism check -", spring("0.2", meet)).err, "spring-direction"));
  CHECK_FALSE(tells(torsor("mechanism check -", spring("0", meet)).err, "spring-direction"));
  CHECK_FALSE(tells(torsor("mechanism check -", spring("0.2", "[[0, 0, -0.1], [0, 0, 0]]")).err, "spring-direction"));
}
