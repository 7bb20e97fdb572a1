// torsor mechanism modes: about rest and about steady motion, with matrices, and what it says where there is neither.
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

const std::string sleeping_top =
    body("top", "mass = 0.5\ncom = [0, 0, 0.1]\ninertia = [0.02, 0.02, 0.01]\nangular_velocity = [0, 0, 200]") +
    joint("ball", "spherical", "ground", "top", "point = [0, 0, 0]");

}  // namespace

TEST_CASE("mechanism modes --at start of a sleeping top are those about its steady motion") {
  const Outcome told = torsor("mechanism modes - --at start", sleeping_top);
  CHECK(told.code == 0);
  const json found = json_of(torsor("mechanism modes - --at start --json", sleeping_top));
  CHECK(found["moving"] == true);
  CHECK(found["steady"] == true);
  std::vector<double> turns;
  for (const json& mode : found["modes"])
    if (mode["character"] == "oscillates") turns.push_back(mode["imaginary"]);
  REQUIRE(turns.size() == 2);
  // 0.025 s^2 - 2 i s - 0.4905 = 0
  CHECK(turns[0] == doctest::Approx((2 - std::sqrt(4 - 0.04905)) / 0.05).epsilon(1e-9));
  CHECK(turns[1] == doctest::Approx((2 + std::sqrt(4 - 0.04905)) / 0.05).epsilon(1e-9));
  // a ball measures nothing: the coordinates are what comes out, and nothing goes in
  const json& space = found["state_space"];
  CHECK(space["states"].size() == 6);
  CHECK(space["inputs"].empty());
  CHECK(space["outputs"].size() == 3);
  CHECK(space["A"].size() == 6);
  CHECK(space["B"] == json::parse("[[], [], [], [], [], []]"));
  CHECK(space["C"][2][2] == 1);
}

TEST_CASE("mechanism modes --at start says where a motion is not steady") {
  const std::string falling = body("bar",
                                   "mass = 1\ninertia = [0.1, 0.1, 0.1]\nposition = [0.5, 0, 0]\nangular_velocity = "
                                   "[0, 2, 0]\nvelocity = [0, 0, -1]") +
                              joint("hinge", "revolute", "ground", "bar", "point = [0, 0, 0]\naxis = [0, 1, 0]");
  const Outcome told = torsor("mechanism modes - --at start", falling);
  CHECK(told.code == 0);
  CHECK(contains(told.out, "This is no steady motion"));
  const json found = json_of(torsor("mechanism modes - --at start --json", falling));
  CHECK(found["steady"] == false);
  CHECK(found["unsteady"].get<std::string>().find("are left") != std::string::npos);
}

TEST_CASE("mechanism modes --at start says what accelerations are left where nothing moves yet, with their unit") {
  const json found = json_of("mechanism modes bricard --at start");
  CHECK(found["left_over"].get<double>() > 1);
  CHECK(contains(torsor("mechanism modes bricard --at start").out, "kg^(1/2) m/s^2"));
}

TEST_CASE("mechanism modes --matrices has the state space with actuators as inputs") {
  const std::string arm =
      body("bar", "mass = 2\ninertia = [0.1, 0.3, 0.1]\nposition = [0, 0, -0.5]") +
      joint("hinge", "revolute", "ground", "bar", "point = [0, 0, 0]\naxis = [0, 1, 0]") +
      "[[actuator]]\nname = \"motor\"\njoint = \"hinge\"\n";
  const Outcome told = torsor("mechanism modes - --matrices", arm);
  CHECK(told.code == 0);
  for (const char* part :
       {"A of x' = A x + B u", "B of x' = A x + B u", "C of y = C x + D u", "rate.angle.hinge (rad/s)", "motor (N m)"})
    CHECK(contains(told.out, part));
  const json space = json_of(torsor("mechanism modes - --json", arm))["state_space"];
  // 0.8 kg m^2 about the hinge
  CHECK(space["B"][1][0].get<double>() == doctest::Approx(1 / 0.8).epsilon(1e-9));
  CHECK(space["A"][1][0].get<double>() == doctest::Approx(-2 * 9.81 * 0.5 / 0.8).epsilon(1e-8));
  CHECK(space["C"] == json::parse("[[1.0, 0.0]]"));
  CHECK(space["D"] == json::parse("[[0.0]]"));
}

TEST_CASE("mechanism modes about rest holds drivers where they are, however fast they start") {
  const std::string hoop =
      body("hoop", "mass = 1\ninertia = [0.1, 0.1, 0.1]") +
      body("bead", "mass = 1\ninertia = [1e-9, 1e-9, 1e-9]\nposition = [0.1, 0, -0.99498743710662]") +
      joint("axis", "revolute", "ground", "hoop", "point = [0, 0, 0]\naxis = [0, 0, 1]") +
      joint("arm", "revolute", "hoop", "bead", "point = [0, 0, 0]\naxis = [0, 1, 0]") +
      "[[driver]]\nname = \"spin\"\njoint = \"axis\"\nfunction = \"6*t\"\n";
  const json found = json_of(torsor("mechanism modes - --json", hoop));
  CHECK(found["moving"] == false);
  REQUIRE(found["modes"].size() == 1);
  CHECK(found["modes"][0]["imaginary"].get<double>() == doctest::Approx(std::sqrt(9.81)).epsilon(1e-7));
}

TEST_CASE("mechanism modes bears inertias that differ by any factor, and names numbers that are out of range") {
  for (const char* small : {"1e-5", "1e-9", "1e-12"}) {
    const std::string rotors =
        body("rotor", "mass = 0.2\ninertia = [" + std::string(small) + ", " + small + ", " + small + "]") +
        body("table", "mass = 60\ninertia = [10, 10, 15]\nposition = [0, 0, 0.2]") +
        joint("motor bearing", "revolute", "ground", "rotor", "point = [0, 0, 0]\naxis = [0, 0, 1]") +
        joint("table bearing", "revolute", "ground", "table", "point = [0, 0, 0.2]\naxis = [0, 0, 1]");
    const Outcome told = torsor("mechanism modes - --at start", rotors);
    CHECK(told.code == 0);
    CHECK(contains(told.out, "angle.motor bearing"));
  }
  const std::string far = body("b", "mass = 1\ninertia = [0.1, 0.1, 0.1]\nposition = [1e308, 0, 0]") +
                          joint("j", "revolute", "ground", "b", "point = [0, 0, 0]\naxis = [0, 1, 0]");
  for (const char* at : {"", " --at start"}) {
    const Outcome told = torsor(std::string("mechanism modes -") + at, far);
    CHECK(told.code == 2);
    CHECK(tells(told.err, "number-size"));
  }
}
