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
  const json robots = json_of("list");
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
  CHECK(says(show.out, {"1.543"}));
}

TEST_CASE("a robot as JSON has the numbers of its file") {
  const json robot = json_of("show puma560");
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

TEST_CASE("a robot with loops is shown with them closed, and asked for where they do not close") {
  const Outcome show = torsor("show five_bar --html loops.html --svg loops.svg");
  CHECK(show.code == 0);
  CHECK(show.out.ends_with("page: loops.html\n"));
  CHECK(contains(read(path("loops.html")), "one joint at a time"));
  CHECK(read(path("loops.svg")).starts_with("<svg "));
  const Outcome open = torsor("show delta --html open.html --q 3,0,0");
  CHECK(open.code == 1);
  CHECK(tells(open.err, "loop-open"));
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
  CHECK(says(show.out, {"-2"}));
  CHECK(contains(show.out, "positions in order: hull.e0, hull.e1, hull.e2, hull.e3, hull.px, hull.py, hull.pz, left"));
  CHECK(contains(show.out, "may get anywhere"));
  const json robot = json_of("show " + file);
  CHECK(robot["joints"] == "FPP");
  CHECK(robot["links"][2]["mimic"]["ratio"] == -2);
  CHECK(robot["reach"]["bound"].is_null());
}

TEST_CASE("rotors that are bodies are not joints, and the base goes by its name") {
  const std::string file = write("rotors.toml", R"(
[base]
name = "pedestal"
[[link]]
name = "upper"
joint = { kind = "revolute", axis = [0, 1, 0] }
mass = 3
com = [0.1, 1e-17, 0]
inertia = [0.1, 0.1, 0.1]
rotor = { inertia = 1e-4, gear = 50, as = "body" }
friction = { table = { qd = [-1, 0, 1], effort = [-3, 0, 2.5] } }
[[link]]
name = "lower"
joint = "revolute"
mass = 1
inertia = [0.1, 0.1, 0.1]
friction = { table = { q = [0, 1], qd = [-1, 1], effort = [[-3, 3], [-4, 4]] } }
[[tool]]
name = "tip"
link = "lower"
position = [0, 0, 0.2]
rpy_deg = [0, 90, 0]
)");
  const Outcome show = torsor("show " + file);
  CHECK(show.code == 0);
  CHECK(says(show.out, {"2", "4"}));
  CHECK(contains(show.out, " pedestal "));
  CHECK_FALSE(contains(show.out, "  base"));
  CHECK_FALSE(contains(show.out, "1e-17"));
  CHECK(contains(show.out, "pitch (rad)"));
  CHECK(contains(show.out, "1.5708"));
  const json robot = json_of("show " + file);
  CHECK(robot["joints"] == "2R");
  CHECK(robot["base"]["name"] == "pedestal");
  CHECK(robot["links"].size() == 2);
  CHECK(robot["links"][0]["parent"] == "pedestal");
  REQUIRE(robot["rotor_bodies"].size() == 1);
  CHECK(robot["rotor_bodies"][0]["link"] == "upper.rotor");
  CHECK_FALSE(contains(show.out, "upper.rotor"));
  CHECK(contains(show.out, "1 of the rotors turns on the parent link"));
  CHECK(robot["friction"][0]["table"]["effort"] == json::parse("[-3,0,2.5]"));
  CHECK(robot["friction"][0]["table"]["q"].empty());
  CHECK(robot["friction"][1]["table"]["qd"] == json::parse("[-1,1]"));
  CHECK(robot["friction"][1]["table"]["effort"] == json::parse("[[-3,3],[-4,4]]"));
}

TEST_CASE("coordinates are counted in words that fit") {
  const auto line = [](const std::string& joints) {
    std::string text;
    for (const char kind : joints)
      text += std::string("[[link]]\nname = \"l") + std::to_string(text.size()) +
              "\"\nmass = 1\ninertia = [1, 1, 1]\n" + "joint = \"" +
              (kind == 'R'   ? "revolute"
               : kind == 'S' ? "spherical"
                             : "fixed") +
              "\"\n";
    return torsor("show -", text).out;
  };
  CHECK(contains(line("R"), ": R, 1 coordinate, 1 kg"));
  CHECK(says(line("RS"), {"5", "4", "2"}));
  CHECK(says(line("XX"), {"0", "2"}));
}

TEST_CASE("standard output takes one answer only") {
  const Outcome page = torsor("show puma560 --html - --json");
  CHECK(page.code == 2);
  CHECK(page.out.empty());
  CHECK(tells(page.err, "option-mode", {"--json"}));
  CHECK(tells(torsor("show puma560 --svg - --json").err, "option-mode"));
  CHECK(tells(torsor("show puma560 --svg - --html -").err, "option-mode"));
  CHECK(tells(torsor("show puma560 --svg a.x --html ./a.x").err, "same-file"));
  CHECK(tells(torsor("show puma560 --degrees --seed 2").err, "option-mode", {"--seed", "--svg"}));
}

TEST_CASE("the base's own inertia is shown, and is no part of the moving mass") {
  const std::string file = write("pedestal.toml", R"(
[base]
name = "pedestal"
mass = 30
com = [0, 0, 0.25]
inertia = [1.5, 1.25, 0.5]
[[link]]
name = "arm"
joint = "revolute"
mass = 1
inertia = [0.1, 0.1, 0.1]
)");
  const Outcome show = torsor("show " + file);
  CHECK(says(show.out, {"1", "31", "30"}));
  CHECK(contains(show.out, "pedestal (base)"));
  CHECK(contains(show.out, "0.25"));
  const json robot = json_of("show " + file);
  CHECK(robot["base"]["mass"] == 30);
  CHECK(robot["base"]["mass_centre"][2] == 0.25);
  CHECK(robot["base"]["inertia_about_mass_centre"][0] == 1.5);
  CHECK(robot["total_mass"] == 31);
  CHECK_FALSE(json_of("show two_link")["base"].contains("mass"));
}

TEST_CASE("the tree stands branch by branch, whatever the order of the file") {
  // hips, thighs and calves of three legs, level by level
  std::string text = "name = \"walker\"\nconvention = \"placement\"\n[base]\nname = \"trunk\"\n";
  const std::vector<std::string> parts{"hip", "thigh", "calf"};
  for (std::size_t level = 0; level < parts.size(); ++level)
    for (const std::string leg : {"1", "2", "3"})
      text += "[[link]]\nname = \"" + parts[level] + leg + "\"\nparent = \"" +
              (level == 0 ? "trunk" : parts[level - 1] + leg) +
              "\"\njoint = \"revolute\"\nmass = 1\ninertia = [0.1, 0.1, 0.1]\n";
  const std::string out = torsor("show " + write("walker.toml", text)).out;
  std::size_t from = 0;
  for (const std::string leg : {"1", "2", "3"})
    for (std::size_t level = 0; level < parts.size(); ++level) {
      const std::string row = "\n" + std::string(2 * level, ' ') + parts[level] + leg + " ";
      CAPTURE(row);
      const std::size_t found = out.find(row, from);
      REQUIRE(found != std::string::npos);
      from = found;
    }
}

TEST_CASE("a robot of very many links is shown, and the search for its reach says that it was cut short") {
  std::string text;
  for (int i = 0; i < 1000; ++i)
    text += "[[link]]\nname = \"l" + std::to_string(i) +
            "\"\njoint = \"revolute\"\nplacement = { position = [0.1, 0, 0] }\nmass = 1\ninertia = [1, 1, 1]\n";
  const std::string file = write("snake.toml", text);
  const Outcome show = torsor("show " + file);
  CHECK(show.code == 0);
  CHECK(contains(show.out, "the search was cut short"));
  CHECK(contains(show.out, "[999] l999"));
  CHECK(show.out.size() < 2'500'000);  // a line is no longer for being deep in the tree
  CHECK(json_of("show " + file)["reach"]["cut_short"] == true);
  CHECK(json_of("show puma560")["reach"]["cut_short"] == false);
}
