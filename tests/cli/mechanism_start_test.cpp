// torsor mechanism at the start of a file: velocities that are given and left out, and starts that have no numbers.
#include <doctest/doctest.h>

#include <cmath>
#include <nlohmann/json.hpp>
#include <sstream>
#include <string>

#include "command.hpp"

using namespace cli_test;
using nlohmann::json;

namespace {

/// A number of the first row of a CSV text.
double at_start(const std::string& csv, const std::string& column) {
  std::istringstream lines(csv);
  std::string line, name, number;
  std::getline(lines, line);
  std::istringstream names(line);
  std::size_t at = 0;
  while (std::getline(names, name, ',') && name != column) ++at;
  REQUIRE(name == column);
  REQUIRE(std::getline(lines, line));
  std::istringstream cells(line);
  for (std::size_t k = 0; k <= at; ++k) std::getline(cells, number, ',');
  return std::stod(number);
}

std::string rod(const std::string& name, const std::string& rest) {
  return "[[body]]\nname = \"" + name + "\"\nmass = 1\ncom = [0.5, 0, 0]\ninertia = [0.1, 0.1, 0.1]\n" + rest + "\n";
}

std::string hinge(const std::string& name, const std::string& one, const std::string& other, const std::string& point,
                  const std::string& rest = "") {
  return "[[joint]]\nname = \"" + name + "\"\nkind = \"revolute\"\nbodies = [\"" + one + "\", \"" + other +
         "\"]\npoint = " + point + "\naxis = [0, 0, 1]\n" + rest + "\n";
}

std::string linkage(const std::string& of_crank, const std::string& of_joint) {
  return "gravity = [0, -9.81, 0]\n[run]\ntime = 0.1\ninterval = 0.1\n" + rod("crank", "rpy_deg = [0, 0, 90]\n" + of_crank) +
         rod("coupler", "position = [0, 1, 0]") + rod("rocker", "position = [1, 0, 0]\nrpy_deg = [0, 0, 90]") +
         hinge("O", "ground", "crank", "[0, 0, 0]", of_joint) + hinge("A", "crank", "coupler", "[0, 1, 0]") +
         hinge("B", "coupler", "rocker", "[1, 1, 0]") + hinge("Q", "ground", "rocker", "[1, 0, 0]");
}

const std::string on_carrier =
    "[run]\ntime = 0.1\ninterval = 0.1\n[[carrier]]\nname = \"base\"\nx = \"0.1*sin(5*t)\"\nz = \"0.05*cos(4*t)\"\n"
    "[[carrier.turn]]\naxis = [0, 0, 1]\nangle = \"0.7*t\"\n"
    "[[body]]\nname = \"p\"\nmass = 1\ncom = [0, 0, -0.5]\ninertia = [0.08, 0.08, 0.01]\nposition = [0, 0, 0.05]\n"
    "[[joint]]\nname = \"h\"\nkind = \"revolute\"\nbodies = [\"base\", \"p\"]\npoint_i = [0, 0, 0]\naxis_i = [0, 1, 0]\n"
    "reference_i = [1, 0, 0]\npoint_j = [0, 0, 0]\naxis_j = [0, 1, 0]\nreference_j = [1, 0, 0]\n";

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
    CHECK_FALSE(contains(run.err, "not allow"));
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
  CHECK_FALSE(contains(run.err, "not allow"));
}

TEST_CASE("rates that cannot be had are told with what is taken, and rates of joints that have none are faults") {
  const Outcome run = torsor("mechanism simulate - --json -o both.csv",
                             linkage("angular_velocity = [0, 0, 2]", "angle_rate = -1"));
  CHECK(run.code == 0);
  CHECK(contains(run.err, "body \"crank\" was given angular_velocity [0, 0, 2] and begins with [0, 0, -1]"));
  const Outcome fault = torsor("mechanism check -", linkage("", "slide_rate = 1"));
  CHECK(fault.code == 2);
  CHECK(contains(fault.err, "a revolute joint has no slide_rate [joint-key]"));
}

TEST_CASE("a start without numbers is blamed on what has none, in words") {
  const std::string cam =
      "[[body]]\nname = \"disc\"\nmass = 1\ninertia = [0.1, 0.1, 0.1]\n"
      "[[body]]\nname = \"f\"\nmass = 1\ninertia = [0.1, 0.1, 0.1]\n"
      "[[joint]]\nname = \"shaft\"\nkind = \"revolute\"\nbodies = [\"ground\", \"disc\"]\npoint = [0, 0, 0]\naxis = [0, 1, 0]\n"
      "[[joint]]\nname = \"rail\"\nkind = \"translational\"\nbodies = [\"ground\", \"f\"]\npoint = [0, 0, 0]\naxis = [0, 0, 1]\n"
      "[[coupling]]\nname = \"cam\"\nkind = \"cam\"\njoints = [\"shaft\", \"rail\"]\nprofile = \"0.1/x\"\noffset = 0\n";
  const std::string flat =
      "[[body]]\nname = \"disc\"\nmass = 2\ninertia = [0.045, 0.045, 0.09]\n[[joint]]\nname = \"roll\"\nkind = \"rolling-disc\"\n"
      "bodies = [\"ground\", \"disc\"]\npoint_i = [0, 0, 0]\naxis_i = [0, 0, 1]\npoint_j = [0, 0, 0]\n"
      "axis_j = [0, 0, 1]\nradius = 0.3\n";
  for (const char* verb : {"check", "simulate", "modes"}) {
    CAPTURE(verb);
    const std::string command = std::string("mechanism ") + verb + " -";
    const Outcome pole = torsor(command, cam), lies = torsor(command, flat);
    CHECK(pole.code == 1);
    CHECK(contains(pole.err, "its profile has no finite value or slope at x = 0, the angle of joint \"shaft\""));
    CHECK(lies.code == 1);
    CHECK(contains(lies.err, "the disc lies flat in the plane it rolls on"));
    for (const Outcome* each : {&pole, &lies}) CHECK_FALSE(contains(each->err, "nan"));
  }
}

TEST_CASE("a spring with a rest length whose ends are in one place says that it pushes nothing there") {
  const auto spring = [](const std::string& rest, const std::string& points) {
    return "[[body]]\nname = \"block\"\nmass = 1\ninertia = [0.1, 0.1, 0.1]\n"
           "[[joint]]\nname = \"rail\"\nkind = \"translational\"\n"
           "bodies = [\"ground\", \"block\"]\npoint = [0, 0, 0]\naxis = [0, 0, 1]\n[[spring]]\nname = \"coil\"\n"
           "bodies = [\"ground\", \"block\"]\npoints = " + points + "\nstiffness = 100\nrest = " + rest + "\n";
  };
  const std::string meet = "[[0, 0, 0], [0, 0, 0]]";
  CHECK(contains(torsor("mechanism check -", spring("0.2", meet)).err, "[spring-direction]"));
  CHECK_FALSE(contains(torsor("mechanism check -", spring("0", meet)).err, "[spring-direction]"));
  CHECK_FALSE(contains(torsor("mechanism check -", spring("0.2", "[[0, 0, -0.1], [0, 0, 0]]")).err, "[spring-direction]"));
}
