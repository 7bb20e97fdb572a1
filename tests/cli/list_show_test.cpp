#include <doctest/doctest.h>

#include <nlohmann/json.hpp>

#include "command.hpp"

using namespace cli_test;
using nlohmann::json;

TEST_CASE("the built-in robots are listed with joints and source") {
  const Outcome list = torsor("list");
  CHECK(list.code == 0);
  CHECK(list.err.empty());
  CHECK(contains(list.out, "puma560"));
  CHECK(contains(list.out, "RRPRRR"));
  const json robots = json::parse(torsor("list --json").out);
  CHECK(robots.size() >= 3);
  for (const json& robot : robots) {
    CHECK_FALSE(robot["source"].get<std::string>().empty());
    CHECK(torsor("show " + robot["name"].get<std::string>()).code == 0);
  }
}

TEST_CASE("a robot is shown with its tree, DH table, masses and reach") {
  const Outcome show = torsor("show puma560_drives --digits 4");
  CHECK(show.code == 0);
  CHECK(show.err.empty());
  CHECK(contains(show.out, "\n    forearm "));
  CHECK(contains(show.out, "standard DH: A = Rz(theta) Tz(d) Tx(a) Rx(alpha)"));
  CHECK(contains(show.out, "friction at the joints"));
  CHECK(contains(show.out, "-62.61"));
  CHECK(contains(show.out, "seeded search: 1.543 m"));
}

TEST_CASE("a robot as JSON has the numbers of its file") {
  const json robot = json::parse(torsor("show puma560 --json").out);
  CHECK(robot["joints"] == "6R");
  CHECK(robot["total_mass"].get<double>() == doctest::Approx(23.45).epsilon(1e-15));
  CHECK(robot["dh"]["convention"] == "standard");
  CHECK(robot["dh"]["rows"][1]["a"] == 0.4318);
  CHECK(robot["links"][2]["mass"] == 4.8);
  CHECK(robot["links"][2]["parent"] == "upper_arm");
  CHECK(robot["links"][1]["effort"] == 186.4);
  CHECK(robot["links"][1]["inertia_about_mass_centre"][1].get<double>() == doctest::Approx(0.524).epsilon(1e-14));
  // straight up: shoulder height, upper arm, forearm with its offset, and the offset of the shoulder
  const double up = 0.67183 + 0.4318 + std::hypot(0.0203, 0.4318);
  CHECK(robot["reach"]["found"].get<double>() == doctest::Approx(std::hypot(up, 0.15005)).epsilon(1e-8));
}

TEST_CASE("a page of a robot is one file without a word from outside") {
  const Outcome show = torsor("show stanford --html page.html");
  CHECK(show.code == 0);
  const std::string page = read(path("page.html"));
  CHECK(contains(page, "Stanford arm"));
  CHECK(contains(page, "</html>"));
  CHECK(torsor("show stanford --html -").out == page);
  CHECK(torsor("show stanford --html none/page.html").code == 3);
}

TEST_CASE("branches, mimic joints, transmissions and free joints are shown") {
  const std::string file = write("gripper.toml", R"(
[[link]]
name = "hull"
joint = { kind = "free", name = "hull" }
mass = 10
inertia = [1, 1, 1]
[[link]]
name = "left"
joint = { kind = "prismatic", axis = [0, 1, 0] }
mass = 1
[[link]]
name = "right"
parent = "hull"
joint = { kind = "prismatic", axis = [0, -1, 0] }
mass = 1
mimic = { joint = "left", ratio = -2 }
)");
  const Outcome show = torsor("show " + file);
  CHECK(show.code == 0);
  CHECK(contains(show.out, "prismatic = -2 left"));
  CHECK(contains(show.out, "positions in order: hull.e0, hull.e1, hull.e2, hull.e3, hull.px, hull.py, hull.pz, left"));
  CHECK(contains(show.out, "may get anywhere"));
  const json robot = json::parse(torsor("show " + file + " --json").out);
  CHECK(robot["joints"] == "FPP");
  CHECK(robot["links"][2]["mimic"]["ratio"] == -2);
  CHECK(robot["reach"]["bound"].is_null());
}
