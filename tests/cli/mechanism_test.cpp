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
  CHECK(cell(read(path("locked.csv")), "slide.slide", 19) == doctest::Approx(0.79));
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

TEST_CASE("what a mechanism has not is told: drivers, actuators, names, questions, times") {
  const Outcome free = torsor("mechanism kinematics pendulum");
  CHECK(free.code == 1);
  CHECK(contains(free.err, "[not-driven]"));
  const Outcome none = torsor("mechanism inverse " + write("no_motor.toml", stretched + "function = 0.7\n"));
  CHECK(none.code == 1);
  CHECK(contains(none.err, "[no-actuators]"));
  CHECK(contains(torsor("mechanism check fourbar").err, "did you mean \"four_bar\"?"));
  CHECK(contains(torsor("mechanism mobilty bricard").err, "did you mean \"mobility\"?"));
  CHECK(torsor("mechanism").code == 2);
  CHECK(torsor("mechanism kinematics four_bar --time -1").code == 2);
  CHECK(torsor("mechanism kinematics four_bar --every 1e-12").code == 2);
  CHECK(torsor("mechanism simulate four_bar --integrator euler").code == 2);
  CHECK(torsor("mechanism kinematics four_bar -o /no/such/folder/x.csv").code == 3);
}

TEST_CASE("a set of loops too large for a rank is refused by its size, and simulated all the same") {
  std::string file = "gravity = [0, -9.81, 0]\n";
  const auto body = [&](const std::string& name, double x, double y) {
    file += "[[body]]\nname = \"" + name + "\"\nmass = 1\ninertia = [0.1, 0.1, 0.1]\nposition = [" + std::to_string(x) +
            ", " + std::to_string(y) + ", 0]\n";
  };
  const auto hinge = [&](const std::string& i, const std::string& j, double x, double y) {
    file += "[[joint]]\nname = \"" + i + j + "\"\nkind = \"revolute\"\nbodies = [\"" + i + "\", \"" + j +
            "\"]\npoint = [" + std::to_string(x) + ", " + std::to_string(y) + ", 0]\naxis = [0, 0, 1]\n";
  };
  const int cells = 510;
  for (int k = 0; k <= cells; ++k) {
    const std::string upright = "u" + std::to_string(k), bar = "b" + std::to_string(k);
    body(upright, k, 0.5);
    hinge("ground", upright, k, 0);
    if (k > 0) hinge("b" + std::to_string(k - 1), upright, k, 1);
    if (k == cells) break;
    body(bar, k + 0.5, 1);
    hinge(upright, bar, k, 1);
  }
  write("large.toml", file);
  const Outcome refused = torsor("mechanism mobility " + path("large.toml"));
  CHECK(refused.code == 1);
  CHECK(contains(refused.err, "[mechanism-size]"));
  CHECK(contains(refused.err, "1021 bodies"));
  CHECK(contains(refused.err, "1000"));
  CHECK(torsor("mechanism simulate " + path("large.toml") + " --time 2ms --every 1ms -o large.csv").code == 0);
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
    CHECK(cell(read(path("pole.csv")), "angle.pivot", 5) == doctest::Approx(20));
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
