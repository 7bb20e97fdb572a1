// torsor mechanism: files and built-in mechanisms in, tables, CSV, JSON and pages out, and what it says when it cannot.
#include <doctest/doctest.h>

#include <cmath>
#include <nlohmann/json.hpp>
#include <sstream>
#include <vector>

#include "command.hpp"

using namespace cli_test;
using nlohmann::json;

namespace {

// columns of a CSV text by name, one row
double cell(const std::string& csv, const std::string& column, std::size_t row) {
  std::istringstream lines(csv);
  std::string line, name, number;
  std::getline(lines, line);
  std::istringstream names(line);
  std::size_t at = 0;
  for (; std::getline(names, name, ','); ++at)
    if (name == column) break;
  REQUIRE(name == column);
  for (std::size_t k = 0; k <= row; ++k) REQUIRE(std::getline(lines, line));
  std::istringstream cells(line);
  for (std::size_t k = 0; k <= at; ++k) std::getline(cells, number, ',');
  return std::stod(number);
}

const std::string stretched =
    "[[body]]\nname = \"one\"\nmass = 1\ncom = [0.15, 0, 0]\ninertia = [0.01, 0.01, 0.01]\nrpy_deg = [0, 0, 60]\n"
    "[[body]]\nname = \"two\"\nmass = 1\ncom = [0.25, 0, 0]\ninertia = [0.02, 0.02, 0.02]\nposition = [0.15, 0.26, 0]\n"
    "rpy_deg = [0, 0, -31]\n[[body]]\nname = \"slider\"\nmass = 1\ninertia = [0.01, 0.01, 0.01]\nposition = [0.578, 0, "
    "0]\n"
    "[[joint]]\nname = \"O\"\nkind = \"revolute\"\nbodies = [\"ground\", \"one\"]\npoint_i = [0, 0, 0]\naxis_i = [0, "
    "0, 1]\n"
    "axis_j = [0, 0, 1]\n[[joint]]\nname = \"knee\"\nkind = \"revolute\"\nbodies = [\"one\", \"two\"]\npoint_i = [0.3, "
    "0, 0]\n"
    "axis_i = [0, 0, 1]\naxis_j = [0, 0, 1]\n[[joint]]\nname = \"pin\"\nkind = \"revolute\"\nbodies = [\"two\", "
    "\"slider\"]\n"
    "point_i = [0.5, 0, 0]\naxis_i = [0, 0, 1]\naxis_j = [0, 0, 1]\n[[joint]]\nname = \"slide\"\nkind = "
    "\"translational\"\n"
    "bodies = [\"ground\", \"slider\"]\npoint_i = [0, 0, 0]\naxis_i = [1, 0, 0]\nreference_i = [0, 1, 0]\naxis_j = [1, "
    "0, 0]\n"
    "reference_j = [0, 1, 0]\n[[driver]]\nname = \"pull\"\njoint = \"slide\"\n";

/// A parallelogram: flat, it may go on as an antiparallelogram as well.
const std::string parallelogram =
    "[[body]]\nname = \"crank\"\nmass = 1\ninertia = [0.1, 0.1, 0.1]\nposition = [0, 0.5, 0]\n"
    "[[body]]\nname = \"coupler\"\nmass = 1\ninertia = [0.1, 0.1, 0.1]\nposition = [1, 1, 0]\n"
    "[[body]]\nname = \"rocker\"\nmass = 1\ninertia = [0.1, 0.1, 0.1]\nposition = [2, 0.5, 0]\n"
    "[[joint]]\nname = \"A\"\nkind = \"revolute\"\nbodies = [\"ground\", \"crank\"]\npoint = [0, 0, 0]\naxis = "
    "[0, 0, 1]\n"
    "[[joint]]\nname = \"B\"\nkind = \"revolute\"\nbodies = [\"crank\", \"coupler\"]\npoint = [0, 1, 0]\naxis = "
    "[0, 0, 1]\n"
    "[[joint]]\nname = \"C\"\nkind = \"revolute\"\nbodies = [\"coupler\", \"rocker\"]\npoint = [2, 1, 0]\naxis = "
    "[0, 0, 1]\n"
    "[[joint]]\nname = \"D\"\nkind = \"revolute\"\nbodies = [\"ground\", \"rocker\"]\npoint = [2, 0, 0]\naxis = "
    "[0, 0, 1]\n";

/// A bar on a hinge whose angle is that function.
std::string turned(const std::string& function) {
  return "[[body]]\nname = \"bar\"\nmass = 1\ninertia = [1, 1, 1]\n[[joint]]\nname = \"pivot\"\nkind = \"revolute\"\n"
         "bodies = [\"ground\", \"bar\"]\npoint = [0, 0, 0]\naxis = [0, 0, 1]\n[[driver]]\nname = \"turn\"\n"
         "joint = \"pivot\"\nfunction = " +
         function + "\n";
}

}  // namespace

TEST_CASE("mechanism check shows bodies, joints and equations, and tells faults with their lines") {
  const Outcome sound = torsor("mechanism check four_bar");
  CHECK(sound.code == 0);
  CHECK(contains(sound.out, "3 bodies, 4 joints, 21 equations in all."));
  CHECK(contains(sound.out, "It closes"));
  const json answer = json::parse(torsor("mechanism check stewart_platform --json").out);
  CHECK(answer["bodies"].size() == 13);
  CHECK(answer["joints"][0]["kind"] == "universal");
  CHECK(answer["equations"] == 78);
  CHECK(answer["closes"] == true);
  const std::string file =
      write("wrong.toml", "[[body]]\nname = \"a\"\nmass = -1\n[[joint]]\nname = \"j\"\nkind = \"hinge\"\n");
  const Outcome wrong = torsor("mechanism check " + file);
  CHECK(wrong.code == 2);
  CHECK(contains(wrong.err, "wrong.toml:3: "));
  CHECK(contains(wrong.err, "[joint-kind]"));
  CHECK(torsor("mechanism check - <" + file).code == 2);
}

TEST_CASE("mechanism check tells redundancy, and what is wrong also to programs") {
  CHECK(contains(torsor("mechanism check four_bar").out, "3 of 20 equations are redundant (rank 17)"));
  CHECK(json::parse(torsor("mechanism check four_bar --json").out).at("redundancy").at("redundant") == 3);
  const json faults =
      json::parse(torsor("mechanism check " + write("apart.toml", stretched + "function = 0.9\n") + " --json").out).at("faults");
  REQUIRE(faults.size() == 1);
  CHECK_FALSE(faults[0].at("offender").get<std::string>().empty());
}

TEST_CASE("mechanism mobility names drivers that prescribe too much") {
  const std::string twice = write("twice.toml",
                                  "[[body]]\nname = \"bob\"\nmass = 1\nposition = [1, 0, 0]\n"
                                  "[[body]]\nname = \"wheel\"\nmass = 1\nposition = [2, 0, 0]\ninertia = [1, 1, 1]\n"
                                  "[[joint]]\nname = \"pivot\"\nkind = \"revolute\"\nbodies = [\"ground\", \"bob\"]\n"
                                  "point = [0, 0, 0]\naxis = [0, 0, 1]\n"
                                  "[[joint]]\nname = \"hub\"\nkind = \"revolute\"\nbodies = [\"ground\", \"wheel\"]\n"
                                  "point = [2, 0, 0]\naxis = [0, 0, 1]\n"
                                  "[[coupling]]\nname = \"mesh\"\nkind = \"gear\"\njoints = [\"pivot\", \"hub\"]\nratio = 2\n"
                                  "[[driver]]\nname = \"slow\"\njoint = \"pivot\"\nfunction = 0\n"
                                  "[[driver]]\nname = \"quick\"\njoint = \"hub\"\nfunction = 0\n");
  const Outcome told = torsor("mechanism mobility " + twice);
  CAPTURE(told.err);
  CHECK(contains(told.out, "over-driven by driver \"slow\", driver \"quick\"."));
  CHECK(json::parse(torsor("mechanism mobility " + twice + " --json").out).at("over_driving").size() == 2);
}

TEST_CASE("mechanism mobility shows the table of what drivers fight about, and names them") {
  const std::string fight = parallelogram + "[[driver]]\nname = \"one\"\njoint = \"A\"\nfunction = \"0\"\n"
                                            "[[driver]]\nname = \"other\"\njoint = \"D\"\nfunction = \"0.5\"\n";
  const std::string file = write("fight.toml", fight);
  const Outcome told = torsor("mechanism mobility " + file);
  CHECK(told.code == 1);
  CHECK(contains(told.err, "[drivers-fight]"));
  CHECK(contains(told.out, "over-driven by driver \"one\", driver \"other\"."));
  const json answer = json::parse(torsor("mechanism mobility " + file + " --json").out);
  CHECK(answer.at("over_driving").size() == 2);
  CHECK(answer.at("joints").at("freedoms") == 1);
  CHECK(answer.at("driven").at("redundant") == 4);
}

TEST_CASE("mechanism equilibrium and modes say that masses are too far apart, not that nothing holds it") {
  const auto two = [](const char* heavy, const char* light) {
    return "gravity = [0, 0, -9.81]\n[[body]]\nname = \"heavy\"\nmass = " + std::string(heavy) + "\nposition = [1, 0, 0]\n" +
           "[[body]]\nname = \"light\"\nmass = " + light + "\nposition = [2, 0, 0]\n" +
           "[[joint]]\nname = \"j\"\nkind = \"revolute\"\nbodies = [\"ground\", \"heavy\"]\npoint = [0, 0, 0]\naxis = [0, 1, 0]\n" +
           "[[joint]]\nname = \"k\"\nkind = \"revolute\"\nbodies = [\"heavy\", \"light\"]\npoint = [1.5, 0, 0]\naxis = [0, 1, 0]\n";
  };
  for (const std::string verb : {"equilibrium", "modes"}) {
    CHECK(torsor("mechanism " + verb + " " + write("near.toml", two("10", "0.1"))).code == 0);
    const Outcome far = torsor("mechanism " + verb + " " + write("far.toml", two("1e12", "1e-12")));
    CHECK(far.code == 1);
    CHECK_MESSAGE(contains(far.err, "the mass of body \"heavy\" is 1e+24 times that of body \"light\""), far.err);
    CHECK_FALSE(contains(far.err, "springs"));
  }
}

TEST_CASE("mechanism equilibrium and modes call what is too large too large") {
  std::string chain, joints;
  for (int k = 0; k <= 400; ++k) {
    const std::string b = std::to_string(k);
    chain += "[[body]]\nname = \"b" + b + "\"\nmass = 1\ninertia = [1, 1, 1]\nposition = [" + b + ".5, 0, 0]\n";
    joints += "[[joint]]\nname = \"j" + b + "\"\nkind = \"revolute\"\nbodies = [\"" +
              (k == 0 ? "ground" : "b" + std::to_string(k - 1)) + "\", \"b" + b + "\"]\npoint = [" + b +
              ", 0, 0]\naxis = [0, 0, 1]\n";
  }
  const std::string file = write("long.toml", chain + joints);
  for (const std::string verb : {"equilibrium", "modes"}) {
    const Outcome refused = torsor("mechanism " + verb + " " + file);
    CHECK(refused.code == 1);
    CHECK(contains(refused.err, "[mechanism-size]"));
  }
}

TEST_CASE("mechanism equilibrium tells what drivers give to hold it, and forces with their directions") {
  const std::string held = write("held.toml",
                                 "gravity = [0, -9.81, 0]\n[[body]]\nname = \"bob\"\nmass = 1\nposition = [1, 0, 0]\n"
                                 "[[joint]]\nname = \"pivot\"\nkind = \"revolute\"\nbodies = [\"ground\", \"bob\"]\n"
                                 "point = [0, 0, 0]\naxis = [0, 0, 1]\n"
                                 "[[driver]]\nname = \"hold\"\njoint = \"pivot\"\nfunction = 0\n");
  const json rest = json::parse(torsor("mechanism equilibrium " + held + " --json").out);
  CHECK(rest.at("driver_efforts").at("hold").get<double>() == doctest::Approx(9.81).epsilon(1e-12));
  CHECK(rest.at("reactions")[0].at("on_j").at("force")[1].get<double>() == doctest::Approx(9.81).epsilon(1e-12));
  const std::string page = torsor("mechanism equilibrium " + held).out;
  CHECK(contains(page, "efforts of the drivers that hold it"));
  CHECK(contains(page, "torque (N m)"));
  CHECK_FALSE(contains(page, "N m or N"));
}

/// A slider-crank turned by its shaft, the effort at its ram: straight at 0.5 s, where no push can turn it.
constexpr const char* pushed_crank = R"(gravity = [0,-9.81,0]
[run]
time = 1
interval = 0.05
[[body]]
name = "crank"
mass = 1
com = [0.05,0,0]
inertia = [0.001,0.001,0.001]
rpy_deg = [0,0,90]
[[body]]
name = "rod"
mass = 2
com = [0.15,0,0]
inertia = [0.01,0.01,0.01]
position = [0,0.1,0]
rpy_deg = [0,0,-20]
[[body]]
name = "ram"
mass = 3
inertia = [0.01,0.01,0.01]
position = [0.28,0,0]
[[joint]]
name = "shaft"
kind = "revolute"
bodies = ["ground","crank"]
point_i = [0,0,0]
point_j = [0,0,0]
axis_i = [0,0,1]
axis_j = [0,0,1]
reference_i = [1,0,0]
reference_j = [1,0,0]
[[joint]]
name = "pin"
kind = "revolute"
bodies = ["crank","rod"]
point_i = [0.1,0,0]
point_j = [0,0,0]
axis_i = [0,0,1]
axis_j = [0,0,1]
[[joint]]
name = "cross"
kind = "revolute"
bodies = ["rod","ram"]
point_i = [0.3,0,0]
point_j = [0,0,0]
axis_i = [0,0,1]
axis_j = [0,0,1]
[[joint]]
name = "guide"
kind = "translational"
bodies = ["ground","ram"]
point_i = [0,0,0]
point_j = [0,0,0]
axis_i = [1,0,0]
axis_j = [1,0,0]
[[driver]]
name = "speed"
joint = "shaft"
function = "pi/2+pi*t"
[[actuator]]
name = "push"
joint = "guide"
)";

TEST_CASE("mechanism inverse tells when actuators have no hold, and does not call them too few") {
  const std::string file = write("pushed.toml", pushed_crank);
  const Outcome upon = torsor("mechanism inverse " + file + " --every 0.05 -o " + write("pushed.csv", ""));
  CHECK(upon.code == 1);
  CHECK(contains(upon.err, "at 0.5 s the actuators have no hold on some freedom"));
  CHECK(contains(upon.err, "[singular-position]"));
  // efforts and reactions have no value there, what does not depend on them has; the largest is beside it
  const std::string rows = read(path("pushed.csv"));
  for (const char* none : {"effort.push", "power.actuators", "force.shaft", "nz.guide"}) CHECK(std::isnan(cell(rows, none, 10)));
  for (const char* known : {"power.needed", "kinetic", "angle.shaft", "gap"}) CHECK(std::isfinite(cell(rows, known, 10)));
  for (const std::size_t beside : {9u, 11u}) CHECK(std::isfinite(cell(rows, "effort.push", beside)));
  const json told = json::parse(torsor("mechanism inverse " + file + " --every 0.05 -o pushed.csv --json").out);
  REQUIRE(told.at("no_value").size() == 1);
  CHECK(told["no_value"][0] == 0.5);
  CHECK(told["efforts"][0]["peak_time"].get<double>() == doctest::Approx(0.45));
  CHECK(told["power_balance"].get<double>() < 1e-12);
  CHECK(told["efforts_not_unique"].empty());
  // without weight any push will do there, and none was given as 0 N between 3.15 and 3.15
  std::string weightless = pushed_crank;
  weightless.replace(0, weightless.find('\n'), "gravity = [0, 0, 0]");
  const Outcome any = torsor("mechanism inverse " + write("light.toml", weightless) + " --every 0.05 -o light.csv --json");
  CHECK(any.code == 0);
  CHECK(json::parse(any.out).at("no_value").size() == 1);
  CHECK(std::isnan(cell(read(path("light.csv")), "effort.push", 10)));
  CHECK(torsor("mechanism inverse " + file + " --every 0.04 --time 0.96 -o " + write("beside.csv", "")).code == 0);
}

/// A crank and its ram drawn out straight, the ram held there: nothing determines the force in the rod.
constexpr const char* dead_centre = R"(gravity = [0,-9.81,0]
[run]
time = 1
interval = 0.1
[[body]]
name = "crank"
mass = 1
com = [0.05,0,0]
inertia = [0.001,0.001,0.001]
[[body]]
name = "ram"
mass = 3
inertia = [0.01,0.01,0.01]
position = [0.4,0,0]
[[joint]]
name = "shaft"
kind = "revolute"
bodies = ["ground","crank"]
point = [0,0,0]
axis = [0,0,1]
[[joint]]
name = "rod"
kind = "distance"
bodies = ["crank","ram"]
points = [[0.1,0,0],[0.4,0,0]]
[[joint]]
name = "guide"
kind = "translational"
bodies = ["ground","ram"]
points = [[0,0,0],[0.4,0,0]]
axis = [1,0,0]
[[driver]]
name = "g"
joint = "guide"
function = "0.4"
)";

TEST_CASE("mechanism equilibrium and modes invent no forces where drivers hold it in a singular position") {
  const std::string file = write("dead_centre.toml", dead_centre);
  for (const std::string verb : {"equilibrium", "modes"}) {
    const Outcome refused = torsor("mechanism " + verb + " " + file);
    CHECK(refused.code == 1);
    CHECK(contains(refused.err, "[singular-start]"));
  }
}

/// A parallelogram laid flat, where it has two freedoms; nothing drives it.
constexpr const char* flat_parallelogram = R"(gravity = [0, -9.81, 0]
[[body]]
name = "crank"
mass = 1
position = [0.15, 0, 0]
inertia = [0.1, 0.1, 0.1]
[[body]]
name = "coupler"
mass = 1
position = [0.8, 0, 0]
inertia = [0.1, 0.1, 0.1]
[[body]]
name = "rocker"
mass = 1
position = [1.15, 0, 0]
inertia = [0.1, 0.1, 0.1]
[[joint]]
name = "A"
kind = "revolute"
bodies = ["ground", "crank"]
point = [0, 0, 0]
axis = [0, 0, 1]
[[joint]]
name = "B"
kind = "revolute"
bodies = ["crank", "coupler"]
point = [0.3, 0, 0]
axis = [0, 0, 1]
[[joint]]
name = "C"
kind = "revolute"
bodies = ["coupler", "rocker"]
point = [1.3, 0, 0]
axis = [0, 0, 1]
[[joint]]
name = "D"
kind = "revolute"
bodies = ["ground", "rocker"]
point = [1, 0, 0]
axis = [0, 0, 1]
)";

TEST_CASE("mechanism equilibrium leaves a singular start where nothing holds it there") {
  const Outcome rest = torsor("mechanism equilibrium " + write("flat.toml", flat_parallelogram));
  CAPTURE(rest.err);
  CHECK(rest.code == 0);
  CHECK(contains(rest.out, "Stable"));
}

TEST_CASE("mechanism inverse tells limits that are not kept, to programs too") {
  const std::string turned = write("limited.toml",
                                   "gravity = [0, 0, 0]\n[[body]]\nname = \"bob\"\nmass = 1\nposition = [1, 0, 0]\n"
                                   "[[joint]]\nname = \"pivot\"\nkind = \"revolute\"\nbodies = [\"ground\", \"bob\"]\n"
                                   "point = [0, 0, 0]\naxis = [0, 0, 1]\n"
                                   "[[driver]]\nname = \"turn\"\njoint = \"pivot\"\nfunction = \"t^2\"\n"
                                   "[[actuator]]\nname = \"motor\"\njoint = \"pivot\"\neffort_limit = 1.5\n");
  // 1 kg at 1 m with 2 rad/s^2
  const std::string run = "mechanism inverse " + turned + " --time 1 --every 0.1";
  CHECK(contains(torsor(run + " -o " + write("limited.csv", "")).out, "Actuator \"motor\" is beyond its limit of 1.5 N m at 11 of 11"));
  const json beyond = json::parse(torsor(run + " --json").out).at("beyond_limits");
  REQUIRE(beyond.size() == 1);
  CHECK(beyond[0].at("actuator") == "motor");
  CHECK(beyond[0].at("instants") == 11);
}

TEST_CASE("mechanism check says which element cannot close") {
  const Outcome apart = torsor("mechanism check " + write("apart.toml", stretched + "function = 0.9\n"));
  CHECK(apart.code == 1);
  CHECK(contains(apart.err, "[cannot-close]"));
  CHECK(contains(apart.err, "apart.toml:"));
}

TEST_CASE("mechanism mobility finds freedoms and redundancy that counting does not") {
  const json bricard = json::parse(torsor("mechanism mobility bricard --json").out);
  CHECK(bricard["joints"]["freedoms"] == 1);
  CHECK(bricard["joints"]["redundant"] == 1);
  CHECK(bricard["joints"]["counted"] == 0);
  CHECK(bricard["dependences"].size() == 1);
  const json platform = json::parse(torsor("mechanism mobility stewart_platform --json").out);
  CHECK(platform["actuation"] == "fully actuated");
  CHECK(platform["driven"]["freedoms"] == 0);
  CHECK(contains(torsor("mechanism mobility four_bar").out, "Fully driven."));
}

TEST_CASE("mechanism inverse gives efforts, reactions and a page, and balances power") {
  const Outcome run = torsor("mechanism inverse four_bar -o efforts.csv --html page.html --json");
  REQUIRE(run.code == 0);
  const json answer = json::parse(run.out);
  CHECK(answer["complete"] == true);
  CHECK(answer["row_count"] == 51);
  CHECK(answer["redundant"] == 3);
  CHECK(answer["power_balance"].get<double>() < 1e-9);
  const std::string csv = read(path("efforts.csv"));
  CHECK(cell(csv, "effort.crank motor", 0) == doctest::Approx(3.1639193023405126).epsilon(1e-9));
  // all forces on the crank together are what its mass centre asks for: here its two hinges and its weight
  CHECK(std::isfinite(cell(csv, "fx.crank pin", 50)));
  const std::string page = read(path("page.html"));
  for (const char* part :
       {"the mechanism at several instants", "Efforts of the actuators", "Reaction forces", "Energy"})
    CHECK(contains(page, part));
  // on the other body the forces are opposite
  torsor("mechanism inverse four_bar --on i -o other.csv");
  CHECK(cell(read(path("other.csv")), "fx.crank pin", 7) ==
        doctest::Approx(-cell(csv, "fx.crank pin", 7)).epsilon(1e-12));
  CHECK(torsor("mechanism inverse four_bar --on k").code == 2);
  CHECK(torsor("mechanism inverse four_bar --axes body").code == 2);
}

TEST_CASE("mechanism kinematics and simulate write rows and agree with the benchmarks") {
  const Outcome kinematics = torsor("mechanism kinematics rssr --time 1s --every 100ms -o motion.csv");
  CHECK(kinematics.code == 0);
  CHECK(cell(read(path("motion.csv")), "angle.crank hinge", 10) == doctest::Approx(3.141592653589793));
  CHECK(cell(read(path("motion.csv")), "rate.angle.crank hinge", 10) == doctest::Approx(3.141592653589793));
  const json run = json::parse(torsor("mechanism simulate pendulum --every 1s -o fall.csv --json").out);
  CHECK(run["complete"] == true);
  CHECK(run["energy_error"].get<double>() < 1e-9);
  CHECK(run["largest_gap"].get<double>() < 1e-10);
  const std::string fall = read(path("fall.csv"));
  CHECK(std::abs(cell(fall, "x.bob", 10) + 0.275087462576) < 1e-9);
  CHECK(std::abs(cell(fall, "y.bob", 10) + 0.961419205099) < 1e-9);
  torsor("mechanism simulate andrews_squeezer --time 30ms --every 30ms -o squeezer.csv");
  const std::string squeezer = read(path("squeezer.csv"));
  CHECK(std::abs(cell(squeezer, "angle.O", 1) - 15.81077119629904) < 1e-8 * 16);
  CHECK(std::abs(cell(squeezer, "angle.A5", 1) - 0.5244099658805304) < 1e-8);
}

TEST_CASE("a mechanism that locks stops with the time and the joint, and keeps what was computed") {
  const std::string file = write("locks.toml", stretched + "function = \"0.6 + 0.1*t\"\n");
  const Outcome run = torsor("mechanism kinematics " + file + " --time 3 --every 0.1 -o locked.csv");
  CHECK(run.code == 1);
  CHECK(contains(run.err, "[mechanism-locked]"));
  CHECK(contains(run.err, "at 2"));
  CHECK(contains(run.err, "rows kept from before the stop: 2"));
  CHECK(cell(read(path("locked.csv.partial")), "slide.slide", 19) == doctest::Approx(0.79));
}

TEST_CASE("branch points are told with their times, singular starts and drivers that fight are called that") {
  const std::string turns = parallelogram + "[[driver]]\njoint = \"A\"\nfunction = \"-pi/2*t + 0.3*sin(pi*t)\"\n";
  const Outcome run =
      torsor("mechanism kinematics " + write("flat.toml", turns) + " --time 2 --every 0.5 -o flat.csv --json");
  CHECK(run.code == 0);
  const json answer = json::parse(run.out);
  REQUIRE(answer["branch_times"].size() == 1);
  CHECK(std::abs(answer["branch_times"][0].get<double>() - 1) < 1e-6);
  CHECK(std::abs(cell(read(path("flat.csv")), "rate.angle.D", 2) + 3.141592653589793 * 0.8) < 1e-8);
  const std::string once =
      torsor("mechanism kinematics " + path("flat.toml") + " --time 2 --every 0.5 -o flat.csv").out;
  CHECK(contains(once, "At 1 s it passes a singular position"));
  CHECK_FALSE(contains(once, "1 instants"));
  const std::string flat = parallelogram + "[[driver]]\njoint = \"A\"\nfunction = \"-pi/2 - t\"\n";
  CHECK(contains(torsor("mechanism inverse " + write("start.toml", flat)).err, "[singular-start]"));
  // with an instant right on the branch point, and gravity that no torque of the crank holds there
  const std::string held = "gravity = [0, -9.81, 0]\n" + parallelogram +
                           "[[driver]]\njoint = \"A\"\nfunction = \"-pi/2*t\"\n[[actuator]]\njoint = \"A\"\n";
  const Outcome upon = torsor("mechanism inverse " + write("held.toml", held) + " --time 2 --every 0.5 -o held.csv");
  CHECK(upon.code == 1);
  CHECK(contains(upon.err, "at 1 s it stands in a singular position"));
  CHECK(contains(upon.err, "[singular-position]"));
  CHECK_FALSE(contains(upon.err, "under-actuated"));
  const Outcome beside = torsor("mechanism inverse " + path("held.toml") + " --time 2 --every 0.3 -o held.csv");
  CHECK(beside.code == 0);
  const std::string fight = turns + "[[driver]]\nname = \"other\"\njoint = \"D\"\nfunction = \"t\"\n";
  const Outcome fought = torsor("mechanism check " + write("fight.toml", fight));
  CHECK(fought.code == 1);
  CHECK(contains(fought.err, "driver \"other\""));
  CHECK(contains(fought.err, "[drivers-fight]"));
}

TEST_CASE("a simulation runs by the formulation it is asked for, with the efforts of couplings beside the reactions") {
  const json one =
      json::parse(torsor("mechanism simulate geared_two_link --time 0.3 --every 10ms -o one.csv --json").out);
  const json other = json::parse(
      torsor("mechanism simulate geared_two_link --time 0.3 --every 10ms --formulation partitioned -o other.csv --json")
          .out);
  CHECK(one["formulation"] == "augmented");
  CHECK(other["formulation"] == "partitioned");
  const std::string a = read(path("one.csv")), b = read(path("other.csv"));
  const std::string header = a.substr(0, a.find('\n'));
  CHECK(contains(header, ",effort."));
  for (const char* column : {"kinetic", "potential"})
    CHECK(cell(a, column, 30) == doctest::Approx(cell(b, column, 30)).epsilon(1e-8));
  CHECK(torsor("mechanism simulate geared_two_link --formulation mixed").code == 2);
  CHECK(contains(torsor("mechanism modes pendulum").out, "1 degree of freedom"));
}

TEST_CASE("mechanism equilibrium and modes: where it hangs, and how it swings there") {
  const json rest = json::parse(torsor("mechanism equilibrium pendulum --json").out);
  CHECK(rest["stable"] == true);
  CHECK(std::abs(rest["bodies"][0]["position"][0].get<double>()) < 1e-9);
  CHECK(rest["bodies"][0]["position"][1].get<double>() == doctest::Approx(-1));
  CHECK(rest["reactions"][0]["force"].get<double>() == doctest::Approx(9.81));
  const Outcome page = torsor("mechanism equilibrium bricard --html rest.html");
  CHECK(page.code == 0);
  CHECK(contains(page.out, "Stable"));
  CHECK(contains(read(path("rest.html")), "from the start to the place of rest"));
  const json modes = json::parse(torsor("mechanism modes pendulum --json").out);
  REQUIRE(modes["modes"].size() == 1);
  CHECK(modes["modes"][0]["frequency"].get<double>() ==
        doctest::Approx(std::sqrt(9.81) / 6.283185307179586).epsilon(1e-7));
  CHECK(modes["modes"][0]["character"] == "oscillates");
  CHECK(torsor("mechanism modes pendulum --at home").code == 2);
  CHECK(torsor("mechanism modes pendulum --at start").code == 0);
}

TEST_CASE("what a mechanism has not is told: drivers, names, questions, times") {
  const Outcome free = torsor("mechanism kinematics pendulum");
  CHECK(free.code == 1);
  CHECK(contains(free.err, "[not-driven]"));
  CHECK(contains(torsor("mechanism check fourbar").err, "did you mean \"four_bar\"?"));
  CHECK(contains(torsor("mechanism mobilty bricard").err, "did you mean \"mobility\"?"));
  CHECK(torsor("mechanism").code == 2);
  CHECK(torsor("mechanism kinematics four_bar --time -1").code == 2);
  CHECK(torsor("mechanism kinematics four_bar --every 1e-12").code == 2);
  CHECK(torsor("mechanism simulate four_bar --integrator euler").code == 2);
  CHECK(torsor("mechanism kinematics four_bar -o /no/such/folder/x.csv").code == 3);
}

namespace {

/// Bodies and joints of a file, one after the other.
struct FileOfBodies {
  std::string text = "gravity = [0, -9.81, 0]\n";

  void body(const std::string& name, double x, double y) {
    text += "[[body]]\nname = \"" + name + "\"\nmass = 1\ninertia = [0.1, 0.1, 0.1]\nposition = [" + std::to_string(x) +
            ", " + std::to_string(y) + ", 0]\n";
  }
  void joint(const std::string& kind, const std::string& i, const std::string& j, double x, double y) {
    text += "[[joint]]\nname = \"" + i + j + "\"\nkind = \"" + kind + "\"\nbodies = [\"" + i + "\", \"" + j +
            "\"]\npoint = [" + std::to_string(x) + ", " + std::to_string(y) + ", 0]\naxis = [0, 0, 1]\n";
  }
};

}  // namespace

TEST_CASE("the rank of a thousand bodies in one set of loops is found") {
  FileOfBodies file;
  const int cells = 510;
  for (int k = 0; k <= cells; ++k) {
    const std::string upright = "u" + std::to_string(k), bar = "b" + std::to_string(k);
    file.body(upright, k, 0.5);
    file.joint("revolute", "ground", upright, k, 0);
    if (k > 0) file.joint("revolute", "b" + std::to_string(k - 1), upright, k, 1);
    if (k == cells) break;
    file.body(bar, k + 0.5, 1);
    file.joint("revolute", upright, bar, k, 1);
  }
  const json row = json::parse(torsor("mechanism mobility " + write("row.toml", file.text) + " --json").out);
  // parallelograms: one freedom of all, and three equations of each loop too many, out of its plane
  CHECK(row["joints"]["freedoms"] == 1);
  CHECK(row["joints"]["redundant"] == 3 * cells);
  CHECK(row["dependences"].size() == 3 * cells);
}

TEST_CASE("a set of loops with too many freedoms for a rank is refused by its size, and simulated all the same") {
  FileOfBodies file;
  const int links = 400;
  const auto point = [](int k) {
    const double angle = 3.141592653589793 * k / links;
    return std::pair{std::round(1e8 * std::cos(angle)) / 1e6, std::round(1e8 * std::sin(angle)) / 1e6};
  };
  const auto name = [](int k) { return k < 0 || k == links ? std::string("ground") : "k" + std::to_string(k); };
  for (int k = 0; k <= links; ++k) {
    const auto [x, y] = point(k);
    file.joint("spherical", name(k - 1), name(k), x, y);
    if (k == links) break;
    const auto [x1, y1] = point(k + 1);
    file.body(name(k), (x + x1) / 2, (y + y1) / 2);
  }
  write("large.toml", file.text);
  const Outcome refused = torsor("mechanism mobility " + path("large.toml"));
  CHECK(refused.code == 1);
  CHECK(contains(refused.err, "[mechanism-size]"));
  CHECK(contains(refused.err, "400 bodies"));
  const Outcome run = torsor("mechanism simulate " + path("large.toml") + " --time 2ms --every 1ms -o large.csv");
  CHECK(run.code == 0);
  CHECK(contains(run.out, "taken to depend on one another"));
}

TEST_CASE("redundant equations are told with their rank by every verb, in words and as JSON") {
  for (const std::string verb : {"kinematics", "inverse", "simulate"}) {
    CAPTURE(verb);
    const std::string ask = "mechanism " + verb + " four_bar --time 0.1 -o rows.csv";
    // the driver is one equation more where it holds the crank
    const bool driver = verb == "simulate";
    CHECK(contains(torsor(ask).out, driver ? "3 of 21 equations are redundant (rank 18)"
                                           : "3 of 20 equations are redundant (rank 17)"));
    const json told = json::parse(torsor(ask + " --json").out)["redundancy"];
    CHECK(told["rank"] == (driver ? 18 : 17));
    CHECK(told["redundant"] == 3);
    CHECK(told["not_unique"].size() == 4);
    CHECK(told["not_unique"][0] == "joint \"crank hinge\"");
  }
  for (const std::string verb : {"equilibrium", "modes"}) {
    CAPTURE(verb);
    CHECK(contains(torsor("mechanism " + verb + " bricard").out, "1 of 30 equations is redundant (rank 29)"));
    const json told = json::parse(torsor("mechanism " + verb + " bricard --json").out)["redundancy"];
    CHECK(told["rank"] == 29);
    CHECK(told["not_unique"].size() == 6);
  }
  CHECK(contains(torsor("mechanism simulate pendulum --time 0.1 -o rows.csv").out, "reactions are unique"));
}

TEST_CASE("efforts that joints could bear instead are zero and not called unique") {
  const std::string beam =
      write("beam.toml",
            "gravity = [0, 0, -9.81]\n[run]\ntime = 0.1\ninterval = 0.05\n[[body]]\nname = \"beam\"\nmass = 31.27\n"
            "com = [1, 0, 0]\ninertia = [0.1, 10, 10]\n[[joint]]\nname = \"pin\"\nkind = \"revolute\"\n"
            "bodies = [\"ground\", \"beam\"]\npoint = [0, 0, 0]\naxis = [0, 1, 0]\n[[joint]]\nname = \"support\"\n"
            "kind = \"point-on-plane\"\nbodies = [\"ground\", \"beam\"]\npoint = [2, 0, 0]\naxis = [0, 0, 1]\n"
            "[[actuator]]\nname = \"motor\"\njoint = \"pin\"\n");
  const Outcome mobile = torsor("mechanism mobility " + beam);
  CHECK(contains(mobile.out, "1 actuator commands nothing: it has no degree of freedom"));
  CHECK(json::parse(torsor("mechanism mobility " + beam + " --json").out)["commanded"] == 0);
  const Outcome run = torsor("mechanism inverse " + beam + " -o beam.csv");
  CHECK(run.code == 0);
  CHECK(contains(run.out, "Efforts of actuator \"motor\" are not unique"));
  // no power to have a share of
  CHECK(contains(run.out, "to 0 W, where the largest power is 0 W"));
  const std::string csv = read(path("beam.csv"));
  CHECK(cell(csv, "effort.motor", 0) == 0);
  CHECK(cell(csv, "force.support", 1) == doctest::Approx(31.27 * 9.81 / 2).epsilon(1e-12));
  const json answer = json::parse(torsor("mechanism inverse " + beam + " --json -o beam.csv").out);
  CHECK(answer["efforts_not_unique"] == json{"motor"});
  CHECK(answer["power_balance"].is_null());
  CHECK(contains(torsor("mechanism inverse four_bar -o rows.csv").out, "Efforts of the actuators are unique."));
}

TEST_CASE("without actuators inverse gives the efforts of the drivers, and all reactions") {
  // the four-bar less its motor: the driver at the same hinge needs what the motor gave
  std::string file = read(places::in_project("robots/mechanisms/four_bar.toml"));
  file.erase(file.find("[[actuator]]"));
  const Outcome run = torsor("mechanism inverse " + write("no_motor.toml", file) + " -o driven.csv");
  CHECK(run.code == 0);
  CHECK(contains(run.out, "efforts are those of the drivers themselves"));
  CHECK(contains(run.out, "Power of the drivers is the rate of energy to"));
  torsor("mechanism inverse four_bar -o motor.csv");
  const std::string driven = read(path("driven.csv")), motor = read(path("motor.csv"));
  for (const std::size_t row : {0, 20, 50}) {
    CHECK(cell(driven, "effort.crank angle", row) ==
          doctest::Approx(cell(motor, "effort.crank motor", row)).epsilon(1e-10));
    CHECK(cell(driven, "power.drivers", row) == doctest::Approx(cell(motor, "power.actuators", row)).epsilon(1e-10));
    // along the axes of the hinges the reaction is not unique, and known to fewer digits
    const double axis[] = {0.2633697832234623, -0.8514029104439915, 0.45359612142557726};
    double along = 0, across[3];
    for (int k = 0; k < 3; ++k) {
      const std::string column = std::string(k == 0 ? "fx" : k == 1 ? "fy" : "fz") + ".crank pin";
      across[k] = cell(driven, column, row) - cell(motor, column, row);
      along += across[k] * axis[k];
    }
    for (int k = 0; k < 3; ++k) CHECK(std::abs(across[k] - along * axis[k]) < 1e-9);
  }
}

TEST_CASE("shapes and matrices of small motions are told in coordinates with names") {
  const Outcome words = torsor("mechanism modes pendulum --matrices");
  for (const char* part : {"shapes, the largest coordinate 1", "angle.", "M: kg m^2", "D: ", "K: N m"})
    CHECK(contains(words.out, part));
  CHECK_FALSE(contains(torsor("mechanism modes pendulum").out, "K: N m"));
  const json modes = json::parse(torsor("mechanism modes pendulum --json").out);
  CHECK(modes["coordinates"][0]["unit"] == "rad");
  // a point of 1 kg on 1 m
  CHECK(modes["M"][0][0].get<double>() == doctest::Approx(1).epsilon(1e-9));
  CHECK(modes["K"][0][0].get<double>() == doctest::Approx(9.81).epsilon(1e-9));
  CHECK(modes["modes"][0]["shape"]["real"][0] == 1);
  CHECK(std::abs(modes["modes"][0]["bodies"][0]["turn"][2].get<double>()) == doctest::Approx(1));
  CHECK(modes["stability"] == "stable");
}

TEST_CASE("an effort that is cut to its limit is told with the time it was") {
  const std::string file =
      write("cut.toml",
            "gravity = [0, 0, 0]\n[run]\ntime = 1\ninterval = 0.5\n[[body]]\nname = \"wheel\"\nmass = 1\n"
            "inertia = [1, 1, 1]\n[[joint]]\nname = \"axle\"\nkind = \"revolute\"\nbodies = [\"ground\", \"wheel\"]\n"
            "point = [0, 0, 0]\naxis = [0, 0, 1]\n[[actuator]]\nname = \"motor\"\njoint = \"axle\"\neffort = \"4*t\"\n"
            "effort_limit = 3\n");
  const Outcome run = torsor("mechanism simulate " + file + " -o cut.csv");
  CHECK(run.code == 0);
  CHECK(contains(run.out, "Actuator \"motor\" was at its limit of 3 N m for 0.25 s, from 0.75 s on"));
  const json told = json::parse(torsor("mechanism simulate " + file + " --json -o cut.csv").out)["limited"];
  REQUIRE(told.size() == 1);
  CHECK(told[0]["seconds"].get<double>() == doctest::Approx(0.25).epsilon(1e-4));
}

TEST_CASE("mechanisms close from guesses that are drawn out straight") {
  std::string straight = stretched;
  const auto put = [&](const std::string& was, const std::string& is) {
    REQUIRE(contains(straight, was));
    straight.replace(straight.find(was), was.size(), is);
  };
  put("rpy_deg = [0, 0, 60]", "rpy_deg = [0, 0, 0]");
  put("position = [0.15, 0.26, 0]", "position = [0.3, 0, 0]");
  put("rpy_deg = [0, 0, -31]", "rpy_deg = [0, 0, 0]");
  put("position = [0.578, 0, 0]", "position = [0.8, 0, 0]");
  const json bent = json::parse(torsor("mechanism check " + write("bent.toml", straight + "function = 0.6\n") + " --json").out);
  CHECK(bent["closes"] == true);
  // beyond 0.8 m nothing closes, and without the driver it does: lengths are not to blame
  const Outcome beyond = torsor("mechanism check " + write("beyond.toml", straight + "function = 0.9\n"));
  CHECK(beyond.code == 1);
  CHECK(contains(beyond.err, "[cannot-close]"));
  CHECK(contains(beyond.err, "without driver \"pull\" it closes"));
  CHECK_FALSE(contains(beyond.err, "lengths"));
}

TEST_CASE("drivers that run away end a run soon, with their time and name, and rows before them are kept") {
  for (const char* verb : {"kinematics", "simulate"}) {
    const std::string run = std::string("mechanism ") + verb + " ";
    const Outcome pole = torsor(run + write("pole.toml", turned("\"1/(0.55 - t)\"")) + " --time 2 --every 0.1 -o pole.csv");
    CHECK(pole.code == 1);
    CHECK(contains(pole.err, "at 0.549"));
    CHECK(contains(pole.err, "driver \"turn\" asks for"));
    CHECK(contains(pole.err, "[driver-too-fast]"));
    CHECK(contains(pole.err, "rows kept from before the stop: 6"));
    CHECK(cell(read(path("pole.csv.partial")), "angle.pivot", 5) == doctest::Approx(20));
    // a fast one is none that runs away
    const Outcome fast = torsor(run + write("fast.toml", turned("\"1000*t\"")) + " --time 1 --every 0.1 -o fast.csv");
    CHECK(fast.code == 0);
    CHECK(cell(read(path("fast.csv")), "angle.pivot", 10) == doctest::Approx(1000).epsilon(1e-9));
  }
}

TEST_CASE("upon a pole a method of fixed steps blames the driver, not that the mechanism is stiff") {
  const std::string file = write("tangent.toml", turned("\"tan(t)\""));
  for (const char* integrator : {"gauss", "rk4"}) {
    const Outcome run = torsor("mechanism simulate " + file + " --time 2 --every 0.1 -o tan.csv --integrator " + integrator);
    CHECK(run.code == 1);
    CHECK_MESSAGE(contains(run.err, "[driver-too-fast]"), run.err);
    CHECK(contains(run.err, "rows kept from before the stop: 16"));
  }
}

TEST_CASE("a corner of a driver is told once, with its time; words of laws have their synonyms") {
  const std::string corner = write("corner.toml", turned("\"abs(t - 1)\""));
  for (const char* verb : {"kinematics ", "simulate "}) {
    const Outcome run = torsor("mechanism " + std::string(verb) + corner + " --time 2 --every 0.03 -o corner.csv --json");
    CHECK(run.code == 0);
    CHECK(contains(run.err, "At 1 s the velocity of driver \"turn\" jumps by 2"));
    const json jumps = json::parse(run.out)["jumps"];
    REQUIRE(jumps.size() == 1);
    CHECK(jumps[0]["t"].get<double>() == doctest::Approx(1).epsilon(1e-7));
    CHECK(jumps[0]["what"] == "velocity");
  }
  for (const char* law : {"cycloid", "cycloidal"}) {
    const std::string file = write("law.toml", turned(std::string("{ law = \"") + law + "\", to = 1, end = 1 }"));
    const Outcome run = torsor("mechanism kinematics " + file + " --time 1 --every 0.25 -o law.csv");
    CHECK(run.code == 0);
    CHECK(run.err.empty());
    CHECK(cell(read(path("law.csv")), "angle.pivot", 1) == doctest::Approx(0.25 - 1 / 6.283185307179586));
  }
}

TEST_CASE("a simulation names a lock, drivers that fight and what is stiff, and writes no row beyond") {
  const Outcome locked = torsor("mechanism simulate " + write("locks.toml", stretched + "function = \"0.6 + 0.1*t\"\n") +
                                " --time 3 --every 0.1 -o locked.csv");
  CHECK(locked.code == 1);
  CHECK(contains(locked.err, "at 2 s it locks: joint"));
  CHECK(contains(locked.err, "[mechanism-locked]"));
  CHECK(contains(locked.err, "rows kept from before the stop: 20"));
  const std::string fight = parallelogram +
                            "[[driver]]\nname = \"one\"\njoint = \"A\"\nfunction = \"t\"\n[[driver]]\nname = \"two\"\n"
                            "joint = \"D\"\nfunction = \"t + max(0, t - 0.5)^3\"\n";
  for (const char* verb : {"kinematics ", "simulate "}) {
    const Outcome fought = torsor("mechanism " + std::string(verb) + write("fights.toml", fight) + " --every 0.1 -o fights.csv");
    CHECK(fought.code == 1);
    CHECK(contains(fought.err, "driver \"two\": at 0.5"));
    CHECK(contains(fought.err, "that driver \"one\" does not allow with it"));
    CHECK(contains(fought.err, "[drivers-fight]"));
    CHECK_FALSE(contains(fought.err, "nan"));
  }
  const std::string bob = "[[body]]\nname = \"bob\"\nmass = 1\ninertia = [0.1, 0.1, 0.1]\nposition = [1, 0, 0]\n";
  const std::string hinge =
      "[[joint]]\nname = \"pivot\"\nkind = \"revolute\"\nbodies = [\"ground\", \"bob\"]\npoint = [0, 0, 0]\n"
      "axis = [0, 0, 1]\n";
  const std::string stiff = write("stiff.toml", bob + hinge +
                                                    "[[spring]]\nname = \"stiff\"\njoint = \"pivot\"\nstiffness = 1e12\n"
                                                    "rest = 0.3\ndamping = 1e9\n");
  for (const char* integrator : {"gauss", "rk4"}) {
    const Outcome run = torsor("mechanism simulate " + stiff + " --time 0.1 -o stiff.csv --integrator " + integrator);
    CHECK(run.code == 1);
    CHECK(contains(run.err, "[too-stiff]"));
    CHECK(contains(run.err, "radau"));
    CHECK_FALSE(contains(run.err, "check"));
  }
  CHECK(torsor("mechanism simulate " + stiff + " --time 0.1 -o stiff.csv --integrator radau").code == 0);
  CHECK(cell(read(path("stiff.csv")), "angle.pivot", 10) == doctest::Approx(0.3).epsilon(1e-6));
  // velocities along the bar, which its hinge does not allow
  const Outcome start = torsor("mechanism simulate " +
                               write("start.toml", bob + "angular_velocity = [0, 0, 1]\nvelocity = [1, 1, 0]\n" + hinge) +
                               " --time 0.1 -o start.csv");
  CHECK(start.code == 0);
  CHECK(contains(start.err, "body \"bob\" was given angular_velocity [0, 0, 1], velocity [1, 1, 0] and begins with "
                            "[0, 0, 1], [0, 1, 0]"));
}

TEST_CASE("a simulation tells the singular positions it passes, and a swing that passes none is silent") {
  std::string turning = parallelogram;
  const std::string crank = "position = [0, 0.5, 0]\n", coupler = "position = [1, 1, 0]\n", rocker = "position = [2, 0.5, 0]\n";
  for (const auto& [was, speed] : {std::pair{crank, 0.5}, {coupler, 1.0}, {rocker, 0.5}}) {
    const std::string turns = was == coupler ? "" : "angular_velocity = [0, 0, -1]\n";
    turning.replace(turning.find(was), was.size(), was + turns + "velocity = [" + std::to_string(speed) + ", 0, 0]\n");
  }
  const Outcome run = torsor("mechanism simulate " + write("turning.toml", turning) + " --time 4 --every 0.1 -o t.csv --json");
  CHECK(run.code == 0);
  CHECK(contains(run.err, "s it passes a singular position"));
  CHECK_FALSE(contains(run.err, "do not allow the velocities"));
  // nothing but its own speed moves it: flat after a quarter of a turn
  const json times = json::parse(run.out)["singular_times"];
  REQUIRE(times.size() == 1);
  CHECK(std::abs(times[0].get<double>() - 1.5707963267948966) < 0.02);
  const Outcome swing = torsor("mechanism simulate " + path("turning.toml") + " --time 1 --every 0.1 -o t.csv --json");
  CHECK(swing.err.empty());
  CHECK(json::parse(swing.out)["singular_times"].empty());
}

TEST_CASE("a simulation refuses a singular start where all is driven, and ends soon where it grinds") {
  const std::string flat = parallelogram + "[[driver]]\njoint = \"A\"\nfunction = \"-pi/2 - t\"\n";
  const Outcome refused = torsor("mechanism simulate " + write("flat.toml", flat) + " -o flat.csv");
  CHECK(refused.code == 1);
  CHECK_MESSAGE(contains(refused.err, "[singular-start]"), refused.err);
  // a crank and a rod in line, held so by a driver, beside a pendulum that is free
  const std::string held =
      "gravity = [0, -9.81, 0]\n"
      "[[body]]\nname = \"crank\"\nmass = 1\ncom = [0.05, 0, 0]\ninertia = [0.001, 0.001, 0.001]\n"
      "[[body]]\nname = \"ram\"\nmass = 3\ninertia = [0.01, 0.01, 0.01]\nposition = [0.4, 0, 0]\n"
      "[[joint]]\nname = \"shaft\"\nkind = \"revolute\"\nbodies = [\"ground\", \"crank\"]\npoint = [0, 0, 0]\n"
      "axis = [0, 0, 1]\n"
      "[[joint]]\nname = \"rod\"\nkind = \"distance\"\nbodies = [\"crank\", \"ram\"]\npoints = [[0.1, 0, 0], [0.4, 0, 0]]\n"
      "[[joint]]\nname = \"guide\"\nkind = \"translational\"\nbodies = [\"ground\", \"ram\"]\n"
      "points = [[0, 0, 0], [0.4, 0, 0]]\naxis = [1, 0, 0]\n[[driver]]\njoint = \"guide\"\nfunction = \"0.4\"\n";
  CHECK(contains(torsor("mechanism simulate " + write("held.toml", held) + " -o held.csv").err, "[singular-start]"));
  const std::string beside =
      held + "[[body]]\nname = \"bob\"\nmass = 1\ninertia = [0.1, 0.1, 0.1]\nposition = [3, 0, 0]\n"
             "[[joint]]\nname = \"swing\"\nkind = \"revolute\"\nbodies = [\"ground\", \"bob\"]\npoint = [2, 0, 0]\n"
             "axis = [0, 0, 1]\n";
  const Outcome grinds =
      torsor("mechanism simulate " + write("beside.toml", beside) + " --time 1 --every 0.1 -o beside.csv --json");
  CHECK(grinds.code == 1);
  CHECK_MESSAGE(contains(grinds.err, "[simulation-stop]"), grinds.err);
  CHECK(contains(grinds.err, "it stands upon a singular position"));
  CHECK(contains(grinds.err, "rows kept from before the stop: 1"));
  const json work = json::parse(grinds.out);
  CHECK(work["steps"].get<long>() + work["refused"].get<long>() < 60000);
  for (const char* function : {"\"1e6*t\"", "\"sin(100000*t)\""}) {
    const Outcome fast = torsor("mechanism simulate " + write("fast.toml", turned(function)) +
                                " --time 1 --every 0.1 -o fast.csv --json");
    CHECK(fast.code == 1);
    CHECK_MESSAGE(contains(fast.err, "[driver-too-fast]"), fast.err);
    CHECK(contains(fast.err, "rows kept from before the stop: 1"));
    CHECK(json::parse(fast.out)["steps"].get<long>() < 60000);
  }
}

TEST_CASE("of notes that are alike ten are told, and how many more there are") {
  std::string file;
  for (int k = 0; k < 25; ++k) {
    const std::string n = std::to_string(k);
    file += "[[body]]\nname = \"b" + n + "\"\nmass = 1\ninertia = [1, 1, 9]\nposition = [" + n +
            ", 0, 0]\n[[joint]]\nname = \"j" + n + "\"\nkind = \"revolute\"\nbodies = [\"ground\", \"b" + n +
            "\"]\npoint = [" + n + ", 0, 0]\naxis = [0, 0, 1]\n";
  }
  const Outcome check = torsor("mechanism check " + write("alike.toml", file));
  CHECK(check.code == 0);
  CHECK(contains(check.err, "body \"b9\""));
  CHECK_FALSE(contains(check.err, "body \"b10\""));
  CHECK(contains(check.err, "and 15 more like it [triangle]"));
}
