// torsor mechanism: the columns of simulate and the figures of inverse beside one another and beside closed forms; options that
// would mean nothing; one lock, one name.
#include <doctest/doctest.h>

#include <cmath>
#include <map>
#include <nlohmann/json.hpp>
#include <sstream>
#include <vector>

#include "command.hpp"
#include "tests/support/mechanism_text.hpp"

using namespace cli_test;
using namespace mechanism_text;
using nlohmann::json;

namespace {

std::map<std::string, std::vector<double>> columns(const std::string& csv) {
  std::map<std::string, std::vector<double>> out;
  std::istringstream lines(csv);
  std::string line, word;
  std::vector<std::string> names;
  REQUIRE(std::getline(lines, line));
  for (std::istringstream cells(line); std::getline(cells, word, ',');) names.push_back(word);
  while (std::getline(lines, line)) {
    std::size_t k = 0;
    for (std::istringstream cells(line); std::getline(cells, word, ',');) out[names.at(k++)].push_back(std::stod(word));
  }
  return out;
}

const std::string swinging =
    "gravity = [0, 0, -9.81]\n" + body("arm", "mass = 2; com = [0.5, 0, 0]; inertia = [0.01, 0.1, 0.1]") +
    joint("hinge", "revolute", "ground", "arm", "point = [0, 0, 0]; axis = [0, -1, 0]") +
    block("spring", "coil", "joint = \"hinge\"; stiffness = 5; damping = 0.2; rest = 0.1") +
    driver("turn", "hinge", "0.3*sin(2*t)");

/// A crank and rod that are drawn out straight.
const std::string drawn_out =
    body("crank", "com = [0.05, 0, 0]", 0.01) + body("rod", "com = [0.15, 0, 0]; position = [0.08, 0.06, 0]", 0.01) +
    body("slider", "position = [0.37, 0, 0]", 0.01) + local_hinge("O", "ground", "crank", "0, 0, 0") +
    local_hinge("A", "crank", "rod", "0.1, 0, 0") + local_hinge("B", "rod", "slider", "0.3, 0, 0") +
    joint("G", "translational", "ground", "slider",
          "point_i = [0, 0, 0]; axis_i = [1, 0, 0]; reference_i = [0, 1, 0]; axis_j = [1, 0, 0]; reference_j = [0, 1, "
          "0]") +
    driver("pull", "G", "0.37 + 0.02*t");

}  // namespace

TEST_CASE(
    "simulate tells efforts of drivers and springs and accelerations, as inverse, kinematics and closed forms do") {
  const std::string file = write("swinging.toml", swinging);
  const std::string times = " --time 2 --every 0.05 -o ";
  REQUIRE(torsor("mechanism simulate " + file + times + "simulated.csv").code == 0);
  REQUIRE(torsor("mechanism inverse " + file + times + "needed.csv").code == 0);
  REQUIRE(torsor("mechanism kinematics " + file + times + "moved.csv").code == 0);
  auto simulated = columns(read(path("simulated.csv"))), needed = columns(read(path("needed.csv"))),
       moved = columns(read(path("moved.csv")));
  REQUIRE(simulated["t"].size() == 41);
  REQUIRE(simulated["effort.turn"].size() == 41);
  REQUIRE(simulated["spring.coil"].size() == 41);
  for (std::size_t k = 0; k < 41; ++k) {
    const double t = simulated["t"][k], q = 0.3 * std::sin(2 * t), qd = 0.6 * std::cos(2 * t),
                 qdd = -1.2 * std::sin(2 * t);
    const double spring = -5 * (q - 0.1) - 0.2 * qd;
    CHECK(simulated["spring.coil"][k] == doctest::Approx(spring).epsilon(1e-8));
    // 0.1 + 2 * 0.5^2 about the hinge
    CHECK(simulated["effort.turn"][k] == doctest::Approx(0.6 * qdd + 9.81 * std::cos(q) - spring).epsilon(1e-8));
    CHECK(simulated["effort.turn"][k] == doctest::Approx(needed["effort.turn"][k]).epsilon(1e-8));
    for (const char* name : {"wdx.arm", "wdy.arm", "wdz.arm", "ax.arm", "ay.arm", "az.arm"}) {
      REQUIRE(simulated[name].size() == 41);
      CHECK(std::abs(simulated[name][k] - moved[name][k]) < 1e-7);
    }
  }
}

TEST_CASE("inverse tells the largest and the rms effort of each actuator, with its unit") {
  const std::string file =
      write("motor.toml", swinging + block("actuator", "motor", "joint = \"hinge\"; effort_limit = 3"));
  const Outcome run = torsor("mechanism inverse " + file + " --time 2 --every 0.01 -o motor.csv --json");
  REQUIRE(run.code == 0);
  const std::vector<double> effort = columns(read(path("motor.csv")))["effort.motor"];
  REQUIRE(effort.size() == 201);
  double peak = 0, at = 0, squares = 0;
  for (std::size_t k = 0; k < effort.size(); ++k) {
    if (std::abs(effort[k]) > std::abs(peak)) peak = effort[k], at = 0.01 * static_cast<double>(k);
    squares += effort[k] * effort[k] * (k == 0 || k + 1 == effort.size() ? 0.5 : 1);
  }
  const json torques = json_of(run)["torques"];
  REQUIRE(torques.size() == 1);
  CHECK(torques[0]["name"] == "motor");
  CHECK(torques[0]["torque_unit"] == "N m");
  CHECK(torques[0]["peak_torque"].get<double>() == doctest::Approx(peak));
  CHECK(torques[0]["peak_torque_time"].get<double>() == doctest::Approx(at));
  CHECK(torques[0]["rms_torque"].get<double>() == doctest::Approx(std::sqrt(squares / 200)).epsilon(1e-4));
  const Outcome told = torsor("mechanism inverse " + file + " --time 2 --every 0.01 -o motor.csv");
  CHECK(says(told.out, {"\"motor\""}));
  CHECK(contains(told.out, " N m rms."));
  CHECK(contains(told.out, "beyond its limit of 3 N m"));
}

TEST_CASE("steps and tolerances are refused for methods that have none") {
  for (const char* options : {"--step 1ms", "--integrator rk4 --tolerance 1e-6", "--integrator radau --step 0.01"}) {
    const Outcome run = torsor("mechanism simulate pendulum --time 0.1 -o none.csv " + std::string(options));
    CHECK(run.code == 2);
    CHECK_MESSAGE(tells(run.err, "option-unused"), run.err);
  }
  CHECK(torsor("mechanism simulate pendulum --time 0.1 -o some.csv --integrator rk4 --step 1ms").code == 0);
  CHECK(torsor("mechanism simulate pendulum --time 0.1 -o some.csv --tolerance 1e-8").code == 0);
}

TEST_CASE("one lock has one name, whatever the verb and the rows, and what is missing has a unit") {
  const std::string file = write("drawn_out.toml", drawn_out);
  for (const char* run : {"kinematics ", "inverse ", "simulate "})
    for (const char* every : {"0.1", "0.03", "0.01"}) {
      const Outcome lock =
          torsor("mechanism " + std::string(run) + file + " --time 3 -o lock.csv --every " + std::string(every));
      CAPTURE(run);
      CAPTURE(every);
      CHECK(lock.code == 1);
      CHECK_MESSAGE(tells(lock.err, "mechanism-locked", {"\"O\"", "1.5"}), lock.err);
    }
}

TEST_CASE("a clamp that rests upon its dead centre is no lock, and what its driver cannot hold there is told as that") {
  std::string clamp = drawn_out;
  clamp.replace(clamp.find("\"0.37 + 0.02*t\""), 15,
                "{ law = \"quintic\", from = 0.37, to = 0.4, start = 0, end = 1 }");
  const std::string file = write("clamp.toml", clamp);
  const Outcome moved = torsor("mechanism kinematics " + file + " --time 2 --every 0.1 -o clamp.csv --json");
  REQUIRE(moved.code == 0);
  CHECK(json_of(moved)["rest_time"].get<double>() == doctest::Approx(1).epsilon(1e-2));
  auto rows = columns(read(path("clamp.csv")));
  REQUIRE(rows["t"].size() == 21);
  CHECK(rows["slide.G"][20] == doctest::Approx(0.4).epsilon(1e-12));
  // the weight of crank and rod across the line needs a force without bounds along it
  const Outcome held = torsor("mechanism inverse " + write("clamp.toml", "gravity = [0, -9.81, 0]\n" + clamp) +
                              " --time 2 --every 0.1 -o held.csv");
  CHECK(held.code == 1);
  // no choice of rows avoids a rest
  CHECK(tells(held.err, "singular-position", {"--time"}));
  CHECK_FALSE(contains(held.err, "--every"));
}

TEST_CASE("simulate passes a dead centre that its driver touches as kinematics does, by every method and at any rows") {
  // the square goes straight on, the fourth power turns about; with weight across the line forces have no bounds there
  for (const char* function : {"0.4 - 0.03*(t-1)^2", "0.4 - 0.03*(t-1)^4"})
    for (const char* gravity : {"0", "-9.81"}) {
      std::string touching = "gravity = [0, " + std::string(gravity) + ", 0]\n" + drawn_out;
      touching.replace(touching.find("0.37 + 0.02*t"), 13, function);
      const std::string file = write("touching.toml", touching);
      for (const char* every : {"0.1", "0.03"}) {
        const std::string times = " --time 2 --every " + std::string(every) + " -o ";
        REQUIRE(torsor("mechanism kinematics " + file + times + "moved.csv").code == 0);
        auto moved = columns(read(path("moved.csv")));
        for (const char* method : {"dormand-prince", "rk4", "radau"}) {
          CAPTURE(function);
          CAPTURE(gravity);
          CAPTURE(every);
          CAPTURE(method);
          const Outcome run = torsor("mechanism simulate " + file + times + "run.csv --json --integrator " + method);
          REQUIRE_MESSAGE(run.code == 0, run.err);
          const json told = json_of(run);
          REQUIRE(told["singular_times"].size() == 1);
          CHECK(told["singular_times"][0].get<double>() == doctest::Approx(1).epsilon(0.02));
          auto simulated = columns(read(path("run.csv")));
          REQUIRE(simulated["t"].size() == moved["t"].size());
          double worst = 0;
          for (std::size_t k = 0; k < moved["t"].size(); ++k)
            worst = std::max({worst, std::fabs(simulated["rate.angle.O"][k] - moved["rate.angle.O"][k]),
                              std::fabs(simulated["angle.O"][k] - moved["angle.O"][k])});
          CHECK(worst < 1e-6);
          // a row upon it has no forces where these are without bounds
          if (every == std::string("0.1") && gravity != std::string("0")) {
            CHECK(std::isnan(simulated["effort.pull"][10]));
            CHECK(std::isfinite(simulated["kinetic"][10]));
            REQUIRE(told["no_value"].size() > 0);
          }
        }
      }
    }
}

TEST_CASE("simulate ends where velocities turn over upon a dead centre, of a mechanism of which not all is driven") {
  // a pendulum on the ground or the slider swings freely: no kinematics says how the crank goes on
  for (const bool on_slider : {false, true}) {
    const std::string bob = body("bob", "position = [0.37, -0.2, 0]", 0.01);
    const std::string keys = "point_j = [0, 0.2, 0]; axis_i = [0, 0, 1]; axis_j = [0, 0, 1]; point_i = ";
    std::string touching = "gravity = [0, -9.81, 0]\n" + drawn_out + bob +
                           joint("P", "revolute", on_slider ? "slider" : "ground", "bob",
                                 keys + (on_slider ? "[0, 0, 0]" : "[0.37, 0, 0]"));
    touching.replace(touching.find("0.37 + 0.02*t"), 13, "0.4 - 0.03*(t-1)^4");
    const std::string file = write("touching.toml", touching);
    for (const std::string every : {"0.1", "0.03"}) {
      CAPTURE(on_slider);
      CAPTURE(every);
      const Outcome run =
          torsor("mechanism simulate " + file + " --time 2 -o turned.csv --integrator rk4 --every " + every);
      CHECK(run.code == 1);
      CHECK_MESSAGE(tells(run.err, "branch-undetermined", {"1"}), run.err);
    }
  }
}

TEST_CASE("a pole of a profile ends a run by that name, not by a driver's") {
  const auto along = [](const std::string& axis) {
    return "point_i = [0, 0, 0]; point_j = [0, 0, 0]; reference_i = [1, 0, 0]; reference_j = [1, 0, 0]; axis_i = " +
           axis + "; axis_j = " + axis;
  };
  const std::string cam =
      body("disc", "axis = [0, 1, 0]; angle = -1") + body("follower", "position = [0, 0, -0.1]") +
      joint("shaft", "revolute", "ground", "disc", along("[0, 1, 0]")) +
      joint("rail", "translational", "ground", "follower", along("[0, 0, 1]")) +
      block("coupling", "cam", "kind = \"cam\"; joints = [\"shaft\", \"rail\"]; profile = \"0.1/x\"; offset = 0") +
      driver("turn", "shaft", "-1+t");
  const std::string file = write("cam.toml", cam);
  // steps of a simulation, which takes its time here, do not depend on the rows
  for (const char* run_as : {"kinematics --every 0.1", "inverse --every 0.03", "simulate --every 0.1"}) {
    const Outcome run = torsor("mechanism " + std::string(run_as) + " " + file + " --time 2 -o cam.csv");
    CAPTURE(run_as);
    CHECK(run.code == 1);
    CHECK_MESSAGE(tells(run.err, "function-ends", {"\"cam\"", "0", "\"shaft\""}), run.err);
  }
}
