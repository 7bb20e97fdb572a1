#include <doctest/doctest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <iomanip>
#include <nlohmann/json.hpp>
#include <numbers>
#include <sstream>
#include <vector>

#include "command.hpp"
#include "json_numbers.hpp"

using namespace cli_test;
using nlohmann::json;

namespace {

const std::string pose = "--pose \"0.5 0.1 0.6 0 1.2 0\"";

/// Column k of the rotation with these Euler parameters.
std::array<double, 3> axis_of(const json& e, std::size_t k) {
  const double a = number(e[0]), b[3] = {number(e[1]), number(e[2]), number(e[3])};
  const std::size_t i = (k + 1) % 3, j = (k + 2) % 3;
  std::array<double, 3> column{};
  column[k] = 1 - 2 * (b[i] * b[i] + b[j] * b[j]);
  column[i] = 2 * (b[k] * b[i] + a * b[j]);
  column[j] = 2 * (b[k] * b[j] - a * b[i]);
  return column;
}

double apart(const std::array<double, 3>& a, const std::array<double, 3>& b) {
  return std::hypot(a[0] - b[0], a[1] - b[1], a[2] - b[2]);
}

/// Six turning joints by their standard rows: d, a, alpha in degrees.
std::string robot_of(const std::vector<std::array<double, 3>>& rows) {
  std::ostringstream text;
  text << "format = 1\nname = \"arm\"\nconvention = \"standard-dh\"\ngravity = [0, 0, -9.81]\n";
  int i = 0;
  for (const auto& [d, a, alpha] : rows)
    text << "[[link]]\nname = \"l" << ++i
         << "\"\njoint = { kind = \"revolute\" }\ndh = { theta_deg = 0, d = " << std::setprecision(17) << d
         << ", a = " << a << ", alpha_deg = " << alpha
         << " }\nmass = 1\ncom = [0.01, 0.02, 0.03]\ninertia = [0.1, 0.1, 0.1]\n";
  return text.str();
}

}  // namespace

TEST_CASE("every branch of a PUMA's pose leads back to it") {
  const Outcome ik = torsor("ik puma560 " + pose + " --all --json");
  CHECK(ik.code == 0);
  const json answer = json_of(ik);
  CHECK(answer["family"] == "elbow");
  REQUIRE(answer["branches"].size() == 8);
  for (const json& branch : answer["branches"]) {
    const json fk = json_of(torsor("fk puma560 --json --q " + list(branch["q"])));
    const json& tool = fk["frames"].back();
    CHECK(std::abs(number(tool["position"][0]) - 0.5) < 1e-14);
    CHECK(std::abs(number(tool["position"][2]) - 0.6) < 1e-14);
    CHECK(std::abs(number(tool["rpy"][1]) - 1.2) < 1e-14);
  }
  // without --all those outside the limits are counted, not shown
  const Outcome inside = torsor("ik puma560 " + pose);
  CHECK(inside.code == 0);
  CHECK(says(inside.out, {"--all"}));
}

TEST_CASE("a branch is chosen by its signs, in degrees or radians, by angles, quaternion or matrix") {
  const json answer = json_of("ik puma560 " + pose + " --branch \"- + -\"");
  REQUIRE(answer["branches"].size() == 1);
  CHECK(answer["branches"][0]["branch"] == "- + -");
  const json any = json_of("ik puma560 " + pose + " --branch=-0+");
  CHECK(any["branches"].size() == 2);
  for (const char* same : {"--pose \"0.5 0.1 0.6 0 68.75493541569878 0\" --degrees",
                           "--pose \"0.5 0.1 0.6 0.8253356149096783 0 0.5646424733950354 0\"",
                           "--pose \"0.3623577544766736 0 0.9320390859672263 0.5 0 1 0 0.1 -0.9320390859672263 0 "
                           "0.3623577544766736 0.6\""}) {
    const json other = json_of(std::string("ik puma560 ") + same + " --branch -+-");
    const double unit = other["angle_unit"] == "deg" ? std::numbers::pi / 180 : 1;
    for (std::size_t k = 0; k < 6; ++k)
      CHECK(number(other["branches"][0]["q"][k]) * unit ==
            doctest::Approx(number(answer["branches"][0]["q"][k])).epsilon(1e-12));
  }
}

TEST_CASE("numbered roots start at one, and each is chosen by its number") {
  const std::string arm =
      write("pieper.toml",
            robot_of({{0.3, 0.1, 70}, {0.1, 0.4, 35}, {0.05, 0.1, -80}, {0.4, 0, 90}, {0, 0, -90}, {0.1, 0, 0}}));
  const json fk = json_of(torsor("fk " + arm + " --json --q \"0.3 -0.4 0.9 0.5 0.7 0.2\""));
  const json &p = fk["frames"].back()["position"], &turn = fk["frames"].back()["rpy"];
  json at = p;
  for (const json& angle : turn) at.push_back(angle);
  const std::string ask = "ik " + arm + " --pose " + list(at);
  const json all = json_of(ask + " --all");
  CHECK(all["family"] == "pieper");
  REQUIRE(all["branches"].size() >= 4);
  for (const json& branch : all["branches"]) {
    CAPTURE(branch["branch"]);
    CHECK(branch["root"] >= 1);
    const std::string name = std::to_string(branch["root"].get<int>()) + (branch["wrist"] > 0 ? " +" : " -");
    CHECK(branch["branch"] == "root " + name);
    const json one = json_of(ask + " --branch \"" + name + "\"");
    REQUIRE(one["branches"].size() == 1);
    CHECK(one["branches"][0]["q"] == branch["q"]);
  }
  CHECK(json_of(ask + " --branch 00+")["branches"].size() == all["branches"].size() / 2);
  const Outcome none = torsor(ask + " --branch 8+");
  CHECK(none.code == 1);
  CHECK(tells(none.err, "ik-branch"));
  // labels of the other kind
  const Outcome signs = torsor(ask + " --branch +0+");
  CHECK(signs.code == 1);
  CHECK(tells(signs.err, "ik-branch"));
  const Outcome root = torsor("ik puma560 " + pose + " --branch 1+");
  CHECK(root.code == 1);
  CHECK(tells(root.err, "ik-branch"));
}

TEST_CASE("joints of a robot whose geometry was snapped lead the robot itself to the pose") {
  // axes 5 and 6 miss by a micrometre
  const std::string arm =
      write("tilted.toml",
            robot_of({{0.4, 0.15, -90}, {0, 0.6, 0}, {0, -0.12, 90}, {-0.62, 0, -90}, {0, 1e-6, 90}, {-0.1, 0, 0}}));
  const auto tool = [&](const json& q) { return json_of(torsor("fk " + arm + " --json --q " + list(q))); };
  const json wanted = tool({0.3, -0.4, 0.9, 0.5, 0.7, 0.2})["frames"].back();
  json at = wanted["position"];
  for (const json& angle : wanted["rpy"]) at.push_back(angle);
  const json answer = json_of(torsor("ik " + arm + " --all --json --pose " + list(at)));
  REQUIRE(answer["snaps"].size() == 1);
  CHECK(number(answer["snaps"][0]["residual"]) == doctest::Approx(1e-6));
  REQUIRE(answer["branches"].size() == 8);
  for (const json& branch : answer["branches"]) {
    CAPTURE(branch["branch"]);
    const json reached = tool(branch["q"])["frames"].back();
    for (std::size_t k = 0; k < 3; ++k)
      CHECK(std::abs(number(reached["position"][k]) - number(wanted["position"][k])) < 1e-10);
    CHECK(number(branch["position_residual"]) < 1e-10);
  }
}

TEST_CASE("the general solver tells the distance beyond its reach apart from that of what it shows") {
  const Outcome turned = torsor("ik two_link --pose \"1.2 0.5 0 0 0 0\"");
  CHECK(turned.code == 1);
  // report and complaint say one thing
  CHECK(tells(turned.err, "ik-unreachable"));
  const json answer = json_of("ik two_link --pose \"1.2 0.5 0 0 0 0\"");
  CHECK(answer["status"] == "orientation out of reach");
  const Outcome far = torsor("ik two_link --pose \"2.5 0 0.3 0 0 0\"");
  CHECK(far.code == 1);
  CHECK(tells(far.err, "ik-unreachable", {"0.8544", "0.8179"}));
  CHECK(json_of("ik two_link --pose \"2.5 0 0.3 0 0 0\"")["status"] == "out of reach");
  // what no bound proves is only what was found
  const std::string open = "ik panda --pose \"0.9 0 0 0 0 0\"";
  CHECK(tells(torsor(open).err, "ik-unreachable"));
  CHECK(number(json_of(open)["at_least"]) == 0);
}

TEST_CASE("out of reach no known position is nearer than the one shown, whichever solver answers") {
  // a position of the UR5 with the same orientation stands 0.8054 m off
  const std::string turned =
      "ik ur5 --pose=0.3859212558457462,0.9086322634826152,0.15953743775334217,-1.0430963358418166,-0.3109695102361323,"
      "-0.03468597787246974,0.9497867374534823,-0.8581668948616551,0.8685405851138689,-0.4161541693861663,"
      "0.26917087381915594,-0.7421345434566198";
  const json ur5 = json_of(turned);
  CHECK(number(ur5["short_by"]) < 0.80545);
  CHECK(ur5["nearest_is_least"] == true);
  CHECK(number(ur5["nearest"]["position_residual"]) == doctest::Approx(number(ur5["short_by"])).epsilon(1e-9));
  CHECK(contains(torsor(turned).out, "the nearest that can be reached"));
  // of the Panda one 0.98391 m off is known, however the tool turns
  const json panda = json_of(
      torsor("ik panda --json --pose=-0.427752043669671,-0.8979653134942511,0.10337545597283315,-1.6704923670410825,"
             "0.20658021210199384,0.014220840237230723,0.978326317580613,0.4569898338414065,-0.8799731843097919,"
             "0.439836405341939,0.17941887144770047,-0.29378702859602385"));
  CHECK(number(panda["short_by"]) < 0.983915);
  CHECK(number(panda["at_least"]) < number(panda["short_by"]));
}

TEST_CASE("velocities and accelerations of a branch move the tool as asked") {
  for (const std::string robot : {"puma560", "stanford", "ur5", "panda"}) {
    CAPTURE(robot);
    const std::string where = robot == "stanford"  ? "--pose \"0.3 0.4 0.6 0.3 1.2 0.2\""
                              : robot == "puma560" ? pose
                                                   : "--pose \"0.4 0.1 0.5 3 0.1 0.2\"";
    const Outcome ik = torsor("ik " + robot + ' ' + where +
                              " --velocity \"0.1 -0.2 0.3 0.05 0.1 -0.15\" --acceleration \"1 2 3 -1 -2 0.5\" --json");
    REQUIRE(ik.code == 0);
    const json answer = json_of(ik);
    const json& found = answer.contains("branches") ? answer["branches"][0] : answer["solutions"][0];
    const json tool = json_of(torsor("fk " + robot + " --json --q " + list(found["q"]) + " --qd " +
                                         list(found["qd"]) + " --qdd " + list(found["qdd"])))["frames"]
                          .back();
    const double w[] = {0.1, -0.2, 0.3}, v[] = {0.05, 0.1, -0.15}, wd[] = {1, 2, 3}, a[] = {-1, -2, 0.5};
    for (std::size_t k = 0; k < 3; ++k) {
      CHECK(std::abs(number(tool["angular_velocity"][k]) - w[k]) < 1e-10);
      CHECK(std::abs(number(tool["velocity"][k]) - v[k]) < 1e-10);
      CHECK(std::abs(number(tool["angular_acceleration"][k]) - wd[k]) < 1e-9);
      CHECK(std::abs(number(tool["acceleration"][k]) - a[k]) < 1e-9);
    }
  }
}

TEST_CASE("what cannot be reached is told in metres, with the nearest that can; exit code 1") {
  const Outcome far = torsor("ik puma560 --pose \"5 0 0.6 0 0 0\"");
  CHECK(far.code == 1);
  CHECK(tells(far.err, "ik-unreachable", {"--pose"}));
  CHECK(contains(far.out, "the nearest that can be reached"));
  const json answer = json_of("ik puma560 --pose \"5 0 0.6 0 0 0\"");
  CHECK(answer["status"] == "unreachable");
  CHECK(answer["nearest"]["q"].size() == 6);
  CHECK(torsor("ik panda --pose \"9 0 0 0 0 0\"").code == 1);
  CHECK(torsor("ik puma560 --pose \"1e300 0 0 0 0 0\"").code == 1);
  const Outcome beyond = torsor("ik puma560 --pose 1e308,0,0,0,0,0");
  CHECK(beyond.code == 1);
  CHECK(contains(beyond.out, " 1e308 "));
  CHECK_FALSE(contains(beyond.out, " inf"));
}

TEST_CASE("at a singular pose the family of answers is told") {
  const Outcome ik = torsor("ik puma560 --pose \"0.4521 -0.15005 1.10363 0 0 0\"");
  CHECK(ik.code == 0);
  CHECK(contains(ik.out, "singular: wrist, only wrist_roll + flange = 0 rad is determined"));
  CHECK(says(ik.out, {"5", "6"}));
}

TEST_CASE("every turn that the limits allow is given on request") {
  const json answer = json_of("ik ur5 --pose \"0.4 0.1 0.5 3 0.1 0.2\" --turns");
  REQUIRE(answer["branches"].size() == 8);
  for (const json& branch : answer["branches"]) {
    // joints of two turns each way around zero have two positions, six of them 64
    CHECK(branch["turns"].size() == 64);
    for (const json& turn : branch["turns"])
      for (std::size_t k = 0; k < 6; ++k) {
        const double by = (number(turn[k]) - number(branch["q"][k])) / 6.283185307179586;
        CHECK(std::abs(by - std::round(by)) < 1e-12);
        CHECK(std::abs(number(turn[k])) <= 6.283185307179587);
      }
  }
  CHECK(contains(torsor("ik puma560 " + pose + " --turns").out, "turns that the limits allow"));
}

TEST_CASE("joints along a path of the tool are those that made it") {
  write("pick.toml",
        "motion = \"joints\"\n[[point]]\nq = [0, 0.8, -1.6, 0.3, 0.8, 0]\n[[point]]\nq = [1, 0.5, -1, 0.5, 1, "
        "0.4]\nduration = 1\n");
  REQUIRE(torsor("path pick.toml --robot puma560 --step 0.05 -o joints.csv").code == 0);
  REQUIRE(torsor("fk puma560 --motion joints.csv --rates -o tool.csv").code == 0);
  const Outcome ik = torsor("ik puma560 --path tool.csv --q \"0 0.8 -1.6 0.3 0.8 0\" --json");
  REQUIRE(ik.code == 0);
  const json back = json_of(ik)["rows"],
             made = json_of("path pick.toml --robot puma560 --step 0.05")["rows"];
  REQUIRE(back.size() == made.size());
  for (std::size_t i = 0; i < made.size(); ++i)
    for (std::size_t k = 0; k < 19; ++k) CHECK(std::abs(number(back[i][k]) - number(made[i][k])) < 1e-9);
  // poses alone give positions alone
  std::string poses;
  {
    std::istringstream lines(read(cli_test::path("tool.csv")));
    for (std::string line; std::getline(lines, line);) {
      std::size_t end = 0;
      for (int k = 0; k < 8; ++k) end = line.find(',', end + 1);
      poses += line.substr(0, end) + '\n';
    }
  }
  const json positions = json_of(torsor("ik puma560 --path - --q \"0 0.8 -1.6 0.3 0.8 0\" --json", poses));
  CHECK(positions["columns"].size() == 7);
  CHECK(std::abs(number(positions["rows"].back()[1]) - 1) < 1e-9);
}

TEST_CASE("where a path cannot be followed the rows before are kept, and time and reason told") {
  const std::string out_of_reach =
      "motion = \"tool\"\npath = \"line\"\nduration = 1\n[[point]]\nposition = [0.4, 0.2, 0.6]\n"
      "rpy = [0, 1.5, 0]\n[[point]]\nposition = [1.4, 0.2, 0.6]\n";
  const Outcome ik = torsor("ik puma560 --path - -o part.csv", out_of_reach);
  CHECK(ik.code == 1);
  CHECK(tells(ik.err, "path-stop"));
  CHECK(contains(ik.err, "rows kept from before the stop: "));
  CHECK(read(cli_test::path("part.csv.partial")).size() > 1000);
}

TEST_CASE("wrong requests are refused with what is expected") {
  for (const char* arguments : {"ik",
                                "ik puma560",
                                "ik puma560 --pose 1,2,3",
                                "ik puma560 --pose 1,2,3,4,5,x",
                                "ik puma560 --pose 1,2,3,0.5,0,0,0",
                                "ik puma560 --pose 2,0,0,0,0,1,0,0,0,0,1,0",
                                "ik puma560 --pose 0,0,0,0,0,0 --branch abc",
                                "ik puma560 --pose 0,0,0,0,0,0 --all --branch +++",
                                "ik puma560 --pose 0,0,0,0,0,0 --velocity 1,2",
                                "ik puma560 --pose 0,0,0,0,0,0 -o x.csv",
                                "ik puma560 --path nothing.csv",
                                "ik puma560 --path stanford",
                                "ik puma560 --pose 0,0,0,0,0,0 --tool nothing",
                                "ik puma560 --pose 0,0,0,0,0,0 --free-turn q",
                                "ik puma560 --pose 0,0,0,0,0,0 --free-turn z --position-only",
                                "ik puma560 --pose 0,0,0,0,0,0 --free-turn z --branch +++",
                                "ik puma560 --pose 0,0,0,0,0,0 --aim far",
                                "ik puma560 --pose 0,0,0,0,0,0 --aim near",
                                "ik puma560 --pose 0,0,0,0,0,0 --seed 3",
                                "ik puma560 --pose 0,0,0,0,0,0 --scale effort",
                                "ik puma560 --pose 0,0,0,0,0,0 --path sixr_sim",
                                "ik puma560 --pose 0,0,0,0,0,0 --q 1,2"}) {
    CAPTURE(arguments);
    const Outcome refused = torsor(arguments);
    CHECK(refused.code == 2);
    CHECK_FALSE(refused.err.empty());
    CHECK(refused.out.empty());
  }
}

TEST_CASE("what the robot has not is refused with exit code 1, by every verb") {
  write("line.toml",
        "motion = \"tool\"\npath = \"line\"\nduration = 1\n[[point]]\nposition = [0.4, 0, 0.4]\nrpy = [3, 0, 0]\n"
        "[[point]]\nposition = [0.4, 0.1, 0.4]\n");
  for (const char* arguments :
       {"ik panda --pose 0.4,0,0.4,3,0,0 --branch +++", "ik panda --pose 0.4,0,0.4,3,0,0 --turns",
        "ik panda --path line.toml --all", "ik panda --path line.toml --branch +++",
        "track panda line.toml --branch +++", "bench go2 --ik", "count panda --tool",
        "ik puma560 --pose 0.5,0.1,0.6,0,1.2,0 --position-only --all"}) {
    CAPTURE(arguments);
    const Outcome refused = torsor(arguments);
    CHECK(refused.code == 1);
    CHECK_FALSE(refused.err.empty());
    CHECK(refused.out.empty());
  }
}

TEST_CASE("a redundancy beyond the limits of its joint is the same angle inside of them") {
  const std::string pose = list(json_of(torsor("fk iiwa14 --json --q 0.3,0.4,-0.283185307179586,-1.1,0.5,0.7,0.2"))["frames"].back()["position"]) +
                           "," + list(json_of(torsor("fk iiwa14 --json --q 0.3,0.4,-0.283185307179586,-1.1,0.5,0.7,0.2"))["frames"].back()["quaternion"]);
  const json found = json_of(torsor("ik iiwa14 --json --redundancy 6 --pose " + pose));
  REQUIRE(!found["solutions"].empty());
  for (const json& s : found["solutions"]) CHECK(s["q"][2].get<double>() == doctest::Approx(6 - 2 * std::numbers::pi));
}

TEST_CASE("the position alone, or all but a turn about an axis of the tool, may count") {
  const auto tool = [](const json& q) {
    return json_of(torsor("fk puma560 --json --q " + list(q)))["frames"].back();
  };
  const json place = json_of("ik puma560 " + pose + " --position-only");
  const json at = tool(place["q"]);
  for (const auto& [k, x] : {std::pair{0, 0.5}, {1, 0.1}, {2, 0.6}})
    CHECK(std::abs(number(at["position"][k]) - x) < 1e-9);
  CHECK(std::abs(number(at["rpy"][1]) - 1.2) > 1e-3);
  const Outcome words = torsor("ik puma560 " + pose + " --free-turn z");
  CHECK(contains(words.out, "general solver (the turn about the tool's z is free)"));
  const json whole = tool(json_of("ik puma560 " + pose)["branches"][0]["q"]);
  std::size_t axis = 0;
  for (const char* name : {"x", "y", "z"}) {
    const json free = tool(json_of(torsor("ik puma560 " + pose + " --json --free-turn " + name))["q"]);
    CAPTURE(name);
    // that axis points as it should, the others need not
    const auto off = [&](std::size_t k) {
      return apart(axis_of(free["quaternion"], k), axis_of(whole["quaternion"], k));
    };
    CHECK(off(axis) < 1e-9);
    CHECK(off((axis + 1) % 3) > 1e-3);
    ++axis;
  }
  // along a path, too
  write("line.toml",
        "motion = \"tool\"\npath = \"line\"\nduration = 1\n[[point]]\nposition = [0.5, 0.1, 0.6]\nrpy = [0, 1.2, 0]\n"
        "[[point]]\nposition = [0.5, -0.1, 0.6]\n");
  const Outcome track = torsor("track puma560 line.toml --position-only --json");
  CHECK(track.code == 0);
  const json answer = json_of(track);
  CHECK(answer["solver"] == "general");
  CHECK(number(answer["worst_position_residual"]) < 1e-9);
}

TEST_CASE("joints to spare strive for what --aim names, and draws follow --seed") {
  const std::string question = "ik panda --json --pose \"0.4 0.1 0.5 3.1416 0 0\"";
  const auto answer = [&](const std::string& options) { return json_of(torsor(question + options)); };
  const json plain = answer(" --q zero"), best = answer(" --aim manipulability"), centre = answer(" --aim centre");
  CHECK(number(best["manipulability"]) > 1.02 * number(plain["manipulability"]));
  CHECK(centre["q"] != plain["q"]);
  // near where it starts there is nothing to gain but to be nearer
  const std::string posture = " --q 0.3,-0.4,0.2,-2.2,0.1,1.9,0.3";
  const auto far = [](const json& q) {
    constexpr double there[] = {0.3, -0.4, 0.2, -2.2, 0.1, 1.9, 0.3};
    double sum = 0;
    for (std::size_t k = 0; k < 7; ++k) sum += std::pow(number(q[k]) - there[k], 2);
    return std::sqrt(sum);
  };
  CHECK(far(answer(posture + " --aim near")["q"]) < far(answer(posture)["q"]));
  CHECK(answer(" --q random --seed 4")["q"] == answer(" --q random --seed 4")["q"]);
  CHECK(answer(" --q random --seed 4")["q"] != answer(" --q random --seed 5")["q"]);
}

TEST_CASE("at a singular wrist the member of the family next to --q is shown, inside the limits") {
  const json fk = json_of(torsor("fk puma560 --json --q 0.3,-0.5,0.4,0.4,0,0.2"))["frames"].back();
  std::string there = "--pose \"";
  for (const char* part : {"position", "quaternion"})
    for (const json& x : fk[part]) there += x.dump() + ' ';
  there += "\"";
  for (const auto& [q4, shown] : {std::pair{"0.4", 0.4}, {"-0.7", -0.7}, {"-2.5", -1.9198621771937625}}) {
    const json answer = json_of(torsor("ik puma560 --json " + there + " --q 0.3,-0.5,0.4," + q4 + ",0,0.2"));
    CAPTURE(answer.dump());
    REQUIRE(answer["branches"].size() == 1);
    const json& branch = answer["branches"][0];
    CHECK(branch["wrist_sign"] == 1);
    CHECK(branch["inside_limits"] == true);
    CHECK(std::abs(number(branch["q"][3]) - shown) < 1e-9);
    CHECK(std::abs(number(branch["q"][3]) + number(branch["q"][5]) - 0.6) < 1e-9);
  }
}

TEST_CASE("next to a singular wrist the member of the straightened family next to --q is shown, too") {
  // a pose in six digits: theta_5 is not zero to that accuracy, and q4 is what rounding makes of it
  const json fk = json_of(torsor("fk puma560 --json --q 0.3,-0.5,0.4,0.4,0.0000004,0.2"))["frames"].back();
  std::string there = "--pose \"";
  for (const char* part : {"position", "rpy"})
    for (const json& x : fk[part]) there += std::to_string(number(x)) + ' ';
  there += "\"";
  const json answer = json_of(torsor("ik puma560 --json " + there + " --q 0.3,-0.5,0.4,0.4,0,0.2"));
  CAPTURE(answer.dump());
  const json& straight = answer["straightened"];
  CHECK(std::abs(number(straight["q"][3]) - 0.4) < 1e-12);
  CHECK(std::abs(number(straight["q"][5]) - 0.2) < 1e-4);
  CHECK(number(straight["angle_residual"]) < 1e-5);
  CHECK(number(straight["angle_residual"]) > 1e-8);
  // the residual is that of the robot
  const json back = json_of(torsor("fk puma560 --json --q " + list(straight["q"])))["frames"].back();
  for (std::size_t k = 0; k < 3; ++k)
    CHECK(std::abs(number(back["position"][k]) - std::stod(std::to_string(number(fk["position"][k])))) < 1e-9);
  CHECK(contains(torsor("ik puma560 " + there + " --q 0.3,-0.5,0.4,0.4,0,0.2").out, "the wrist straightened"));
  CHECK_FALSE(contains(torsor("ik puma560 " + pose + " --q 0.3,-0.5,0.4,0.4,0,0.2").out, "the wrist straightened"));
}

TEST_CASE("of the branches near --q one inside the limits is preferred") {
  const json all = json_of("ik puma560 " + pose + " --all")["branches"];
  int outside = 0;
  for (const json& branch : all) {
    if (branch["inside_limits"] == true) continue;
    ++outside;
    const json near = json_of(torsor("ik puma560 " + pose + " --json --q " + list(branch["q"])));
    REQUIRE(near["branches"].size() == 1);
    CHECK(near["branches"][0]["inside_limits"] == true);
  }
  CHECK(outside > 0);
}

TEST_CASE("every branch along a path is written with its number, and drawn") {
  write("line.toml",
        "motion = \"tool\"\npath = \"line\"\nduration = 1\n[[point]]\nposition = [0.4, 0.2, 0.6]\nrpy = [0, 1.5, 0]\n"
        "[[point]]\nposition = [0.4, 0.1, 0.6]\n");
  const Outcome ik = torsor("ik puma560 --path line.toml --all --html line.html --json -o all.csv");
  CHECK(ik.code == 0);
  const json branches = json_of(ik)["branches"];
  REQUIRE(branches.size() == 8);
  std::size_t rows = 0;
  int beyond = 0;
  for (const json& branch : branches) {
    rows += branch["row_count"].get<std::size_t>();
    beyond += number(branch["beyond_limits"]) > 0;
  }
  CHECK(number(branches[0]["beyond_limits"]) == 0);
  CHECK(beyond > 0);
  const std::string csv = read(path("all.csv"));
  CHECK(csv.substr(0, csv.find('\n')).ends_with(",branch"));
  CHECK(static_cast<std::size_t>(std::count(csv.begin(), csv.end(), '\n')) == rows + 1);
  CHECK(csv.ends_with(",8\n"));
  // each row of each branch has the tool on the path: the third branch's last
  const std::string page = read(path("line.html"));
  for (const char* part : {"Joint positions of every branch", "Distance of every branch", "lower limit"})
    CHECK(contains(page, part));
}

namespace {

/// --pose of the tool where the joints (degrees, or as the options say) have it.
std::string pose_at(const std::string& robot, const std::string& q, const std::string& options = "--degrees") {
  const json fk = json_of(torsor("fk " + robot + " --json " + options + " --q " + q))["frames"].back();
  std::string there = " --pose \"";
  for (const char* part : {"position", "quaternion"})
    for (const json& x : fk[part]) there += x.dump() + ' ';
  return there + "\"";
}

/// The greatest difference of joints in degrees.
double degrees_off(const json& q, const std::vector<double>& degrees) {
  double off = 0;
  for (std::size_t k = 0; k < degrees.size(); ++k)
    off = std::max(off, std::abs(number(q[k]) - degrees[k]));
  return off;
}

}  // namespace

TEST_CASE("a singular wrist behind three parallel axes says which joints are determined") {
  const std::string there = pose_at("ur5", "10,-80,70,30,0,20");
  const Outcome words = torsor("ik ur5" + there);
  CHECK(says(words.out, {"0.6981"}));
  CHECK(contains(words.out, "q2 + q3 + q4 + q6 = 0.698132 rad"));
  int told = 0;
  const json branches = json_of(torsor("ik ur5 --json" + there))["branches"];
  for (const json& branch : branches)
    told +=
        contains(branch["explanation"].get<std::string>(), "only shoulder_lift + elbow + wrist1 + wrist3 = 0.6981 ");
  CHECK(told == 2);
  // wrist3 turns the other way at half a turn of wrist2
  CHECK(contains(torsor("ik ur5" + pose_at("ur5", "10,-80,70,30,180,20")).out,
                 "only shoulder_lift + elbow + wrist1 - wrist3 = 0 rad is determined"));
}

TEST_CASE("--q chooses the turn of every joint, too") {
  const std::string puma = "10,45,-60,20,30,200", ur = "200,-300,60,20,30,200";
  const auto answer = [](const std::string& robot, const std::string& q) {
    return json_of(torsor("ik " + robot + " --json --degrees --q " + q + pose_at(robot, q)))["branches"];
  };
  REQUIRE(answer("puma560", puma).size() == 1);
  CHECK(degrees_off(answer("puma560", puma)[0]["q"], {10, 45, -60, 20, 30, 200}) < 1e-9);
  CHECK(degrees_off(answer("ur5", ur)[0]["q"], {200, -300, 60, 20, 30, 200}) < 1e-9);
  // a member of a family as well
  CHECK(degrees_off(answer("ur5", "10,-80,70,30,0,20")[0]["q"], {10, -80, 70, 30, 0, 20}) < 1e-9);
  CHECK(degrees_off(answer("ur5", "10,-10,-70,-330,180,320")[0]["q"], {10, -10, -70, -330, 180, 320}) < 1e-9);
}

TEST_CASE("a path starts on the turn that --q names") {
  const json fk = json_of(torsor("fk ur5 --json --degrees --q 0,-90,90,10,20,30"))["frames"].back();
  std::ostringstream line;
  line << std::setprecision(17)
       << "motion = \"tool\"\npath = \"line\"\nduration = 1\n[[point]]\nposition = " << fk["position"].dump()
       << "\nrpy_deg = " << fk["rpy"].dump() << "\n[[point]]\nposition = [" << number(fk["position"][0]) + 0.02 << ", "
       << fk["position"][1].dump() << ", " << fk["position"][2].dump() << "]\n";
  write("turned.toml", line.str());
  const Outcome ik = torsor("ik ur5 --path turned.toml --json --degrees --q 0,-90,90,-350,20,-330 -o turned.csv");
  CAPTURE(ik.err);
  CHECK(degrees_off(json_of(ik)["start"], {0, -90, 90, -350, 20, -330}) < 1e-5);
  const std::string rows = read(path("turned.csv"));
  CHECK(cell(rows, "q.wrist1_deg", 0) == doctest::Approx(-350).epsilon(1e-7));
  CHECK(cell(rows, "q.wrist3_deg", 0) == doctest::Approx(-330).epsilon(1e-7));
}

TEST_CASE("rates of a robot whose geometry was snapped are its own") {
  // a PUMA with one twist 9e-6 rad off: joint rates as asked for, by the robot's own forward kinematics
  const double off = 9e-6 * 180 / std::numbers::pi;
  const std::string robot = write(
      "tilted.toml",
      robot_of({{0, 0, -90}, {0.1491, 0.4318, off}, {0, -0.0203, 90}, {0.4331, 0, -90}, {0, 0, 90}, {0.1, 0, 0}}));
  const json fk =
      json_of(torsor("fk " + robot + " --json --q 0.3,-0.7,0.5,0.4,0.9,-0.2 --qd 1,-2,3,-1,2,1 --qdd 2,1,-1,3,-2,1"));
  const json& tool = fk["frames"].back();
  CAPTURE(tool.dump());
  const auto six = [&](const char* turning, const char* moving) {
    std::string text;
    for (const char* part : {turning, moving})
      for (const json& x : tool[part]) text += x.dump() + ' ';
    return '"' + text + '"';
  };
  const json answer =
      json_of(torsor("ik " + robot + " --json" + pose_at(robot, "0.3,-0.7,0.5,0.4,0.9,-0.2", "") +
                         " --q 0.3,-0.7,0.5,0.4,0.9,-0.2 --velocity " + six("angular_velocity", "velocity") +
                         " --acceleration " + six("angular_acceleration", "acceleration")));
  REQUIRE(answer["snaps"].size() == 1);
  const json& branch = answer["branches"][0];
  constexpr std::array<double, 6> qd{1, -2, 3, -1, 2, 1}, qdd{2, 1, -1, 3, -2, 1};
  for (std::size_t k = 0; k < 6; ++k) {
    CHECK(std::abs(number(branch["qd"][k]) - qd[k]) < 1e-9);
    CHECK(std::abs(number(branch["qdd"][k]) - qdd[k]) < 1e-8);
  }
  CHECK(branch["velocity_status"] == "ok");
}

TEST_CASE("out of reach, the nearest branch is one inside the limits, and rounding is not shown") {
  const std::string far = "ik puma560 --pose \"5 0 0.6 0 90 0\" --degrees";
  const json answer = json_of(far);
  CHECK(answer["nearest"]["inside_limits"] == true);
  CHECK(number(answer["nearest"]["position_residual"]) == doctest::Approx(number(answer["short_by"])).epsilon(1e-9));
  CHECK(tells(torsor(far).err, "ik-unreachable", {"0.876918", "0", "0.659232"}));
}

TEST_CASE(
    "six revolute joints without special geometry have numbered solutions, and an explanation names the joint found "
    "first") {
  // an offset wrist, nothing parallel
  const std::string arm = write(
      "general_arm.toml",
      robot_of({{0.3, 0.1, 80}, {0.05, 0.4, 10}, {0.02, 0.03, 75}, {0.4, 0.02, -95}, {0.1, 0.05, 85}, {0.1, 0, 0}}));
  const json fk = json_of(torsor("fk " + arm + " --q \"0.3 -0.5 0.8 0.4 1.1 -0.7\" --json"));
  json at = fk["frames"].back()["position"];
  for (const json& angle : fk["frames"].back()["rpy"]) at.push_back(angle);
  const Outcome ik = torsor("ik " + arm + " --all --json --pose " + list(at));
  CHECK(ik.code == 0);
  const json answer = json_of(ik);
  CHECK(answer["family"] == "general");
  CHECK(answer["form"].size() == 2);
  REQUIRE(answer["branches"].size() >= 2);
  CHECK(answer["branches"].size() % 2 == 0);
  int found = 0, number_of = 0;
  for (const json& branch : answer["branches"]) {
    CHECK(branch["root"] == ++number_of);
    CHECK(std::abs(branch["determinant_sign"].get<int>()) == 1);
    CHECK(number(branch["position_residual"]) < 1e-12);
    const double q[] = {0.3, -0.5, 0.8, 0.4, 1.1, -0.7};
    double by = 0;
    for (std::size_t k = 0; k < 6; ++k) by = std::max(by, std::abs(number(branch["q"][k]) - q[k]));
    found += by < 1e-9;
  }
  CHECK(found == 1);
}

TEST_CASE(
    "seven joints: solutions at a value of the redundancy, values that have any, the best; other arms are refused") {
  const std::string at = "--pose \"0.4 0.1 0.5 3.1416 0 0\" ";
  const json held = json_of(torsor("ik panda " + at + "--redundancy 0.8 --all --json"));
  CHECK(held["redundant_joint"] == "joint7");
  CHECK(held["solution_count"] == 8);
  for (const json& s : held["solutions"]) CHECK(number(s["position_residual"]) < 1e-12);
  const json ranges = json_of(torsor("ik panda " + at + "--feasible --best limits --json"));
  REQUIRE(ranges["feasible"].size() == 1);
  CHECK(number(ranges["feasible"][0]["lower"]) < number(ranges["feasible"][0]["upper"]));
  REQUIRE(ranges["solutions"].size() == 1);
  CHECK(ranges["solutions"][0]["inside_limits"] == true);
  CHECK(json_of(torsor("ik iiwa14 " + at + "--swivel 0.3 --all --json"))["solution_count"] == 8);
  const Outcome none = torsor("ik panda " + at + "--swivel 0.3");
  CHECK(none.code == 1);
  CHECK(contains(none.err, "[no-swivel]"));
  const Outcome six = torsor("ik puma560 " + at + "--feasible");
  CHECK(six.code == 1);
  CHECK(contains(six.err, "[no-closed-form]"));
  const Outcome joint = torsor("ik panda " + at + "--redundancy 0.8 --redundant-joint nose");
  CHECK(joint.code == 2);
  CHECK(contains(joint.err, "[option-value]"));
  CHECK(torsor("ik panda " + at + "--best beauty").code == 2);
  CHECK(torsor("ik panda " + at + "--redundancy \"0.8 0.9\"").code == 2);
}

TEST_CASE("a table of poses in degrees is that of --pose; as radians, angles beyond a turn are noted") {
  const std::string file = write("poses.csv", "x,y,z,roll,pitch,yaw\n0.5,0.1,0.6,0,90,0\n");
  const json one = json_of(torsor("ik puma560 --pose \"0.5 0.1 0.6 0 90 0\" --degrees --all --json"));
  const Outcome many = torsor("ik puma560 --poses " + file + " --degrees --all --json"),
                radians = torsor("ik puma560 --poses " + file + " --all --json");
  REQUIRE(one["branches"].size() == 8);
  const json rows = json_of(many)["rows"];
  REQUIRE(rows.size() == 8);
  for (std::size_t k = 0; k < 6; ++k)
    CHECK(number(rows[0][2 + k]) == doctest::Approx(number(one["branches"][0]["q"][k])).epsilon(1e-9));
  CHECK_FALSE(contains(many.err, "taken for radians"));
  CHECK(contains(radians.err, "90 are taken for radians"));
}

TEST_CASE("seven joints: asked in degrees, solutions, rates and the redundancy are in degrees") {
  const std::string rest = " --velocity \"0 0 0 0.1 0.2 0\" --feasible";
  const Outcome table = torsor("ik panda --pose \"0.4 0.2 0.3 180 0 90\" --degrees");
  CHECK(contains(table.out, "joint1 (deg)"));
  CHECK_FALSE(contains(table.out, "joint1 (rad)"));
  const json turned =
                 json_of(torsor("ik panda --pose \"0.4 0.2 0.3 180 0 90\" --redundancy -20 --degrees --json" + rest)),
             plain =
                 json_of(torsor("ik panda --pose \"0.4 0.2 0.3 3.141592653589793 0 1.5707963267948966\" --redundancy "
                                "-0.3490658503988659 --json" +
                                rest));
  CHECK(turned["angle_unit"] == "deg");
  CHECK(plain["angle_unit"] == "rad");
  const auto compare = [](const json& degrees, const json& radians) {
    CHECK(number(degrees) == doctest::Approx(number(radians) * 180 / std::numbers::pi).epsilon(1e-9));
  };
  compare(turned["redundancy"], plain["redundancy"]);
  REQUIRE(turned["feasible"].size() == plain["feasible"].size());
  REQUIRE(plain["feasible"].size() > 0);
  compare(turned["feasible"][0]["lower"], plain["feasible"][0]["lower"]);
  REQUIRE(turned["solutions"].size() == plain["solutions"].size());
  REQUIRE(plain["solutions"].size() > 0);
  for (std::size_t i = 0; i < plain["solutions"].size(); ++i)
    for (const char* key : {"q", "qd", "qdd"})
      for (std::size_t k = 0; k < 7; ++k) compare(turned["solutions"][i][key][k], plain["solutions"][i][key][k]);
}

TEST_CASE("seven joints without a word about the redundancy: all solutions at the value next to neutral that serves") {
  const std::string at = "ik panda --pose \"0.4 0.1 0.5 3.1416 0 0\"";
  const json answer = json_of(torsor(at + " --json"));
  CHECK(answer["redundant_joint"] == "joint7");
  REQUIRE(!answer["redundancy"].is_null());
  CHECK(answer["solutions"].size() > 0);
  for (const json& s : answer["solutions"]) CHECK(s["inside_limits"] == true);
  const json all = json_of(torsor(at + " --all --json"));
  CHECK(all["redundancy"] == answer["redundancy"]);
  CHECK(all["solutions"].size() > answer["solutions"].size());
  const Outcome words = torsor(at + " --explain --prove");
  CHECK(words.code == 0);
  for (const char* part : {"held at", "--redundancy", "the family pieper", "the six others have", "proven"})
    CHECK(contains(words.out, part));
  // with the third of an iiwa held the six others have no special geometry
  CHECK(contains(torsor("ik iiwa14 --pose \"0.4 0.1 0.5 3.1416 0 0\" --explain").out, "real zero"));
}

TEST_CASE("a proof says how many solutions there are, or that there are none, or that it could not") {
  const json eight = json_of("ik puma560 " + pose + " --prove");
  CHECK(eight["proof"]["proven"] == true);
  CHECK(eight["proof"]["count"] == eight["branch_count"]);
  const Outcome none = torsor("ik ur5 --pose \"0.9 0.9 0.9 0 0 0\" --prove");
  CHECK(none.code == 1);
  CHECK(contains(none.out, "No solution, proven."));
  const Outcome open = torsor("ik puma560 --pose \"0.4521 -0.15005 1.10363 0 0 0\" --prove");
  CHECK(contains(open.out, "Not proven"));
  CHECK(json_of("ik puma560 " + pose)["proof"].is_null());
}

TEST_CASE("every solution of many poses is a row") {
  write("poses.csv", "x,y,z,roll,pitch,yaw\n0.5,0.1,0.6,0,1.2,0\n5,0,0,0,0,0\n0.4,-0.2,0.5,0.3,1,0.2\n");
  const json answer = json_of(torsor("ik puma560 --poses poses.csv --all --json"));
  CHECK(answer["pose_count"] == 3);
  CHECK(answer["solution_count"] == 16);
  CHECK(answer["without_solution_count"] == 1);
  REQUIRE(answer["rows"].size() == 16);
  const json first = json_of("ik puma560 " + pose + " --all")["branches"];
  for (std::size_t k = 0; k < 8; ++k) {
    CHECK(answer["rows"][k][0] == 1);
    for (std::size_t j = 0; j < 6; ++j)
      CHECK(number(answer["rows"][k][j + 2]) == doctest::Approx(number(first[k]["q"][j])).epsilon(1e-12));
  }
  CHECK(answer["rows"][8][0] == 3);
  const Outcome two = torsor("ik puma560 --poses poses.csv --all --threads 2 -o rows.csv");
  CHECK(two.code == 0);
  for (const char* part : {"3 poses", "16 solutions"}) CHECK(contains(two.out, part));
  CHECK(contains(two.err, "1 of 3 poses without a solution"));
  CHECK(contains(torsor("ik puma560 --poses poses.csv").err, "2 of 3 poses without a solution inside the limits"));
  CHECK(torsor("ik puma560 --poses poses.csv --pose 0,0,0,0,0,0").code == 2);
  CHECK(torsor("ik puma560 --pose 0.5,0.1,0.6,0,1.2,0 --threads 2").code == 2);
}

TEST_CASE("a path is planned over all solutions of its first pose") {
  write("line.toml",
        "motion = \"tool\"\npath = \"line\"\nduration = 1\n[[point]]\nposition = [0.5, 0.1, 0.6]\nrpy = [0, 1.2, 0]\n"
        "[[point]]\nposition = [0.5, -0.2, 0.7]\n");
  const Outcome planned = torsor("ik puma560 --path line.toml --plan shortest -o joints.csv");
  CHECK(planned.code == 0);
  CHECK(says(planned.err, {"8 solutions", "shortest"}));
  CHECK(torsor("track puma560 line.toml --plan limits").code == 0);
  CHECK(torsor("ik puma560 --path line.toml --plan beauty").code == 2);
  CHECK(torsor("ik puma560 " + pose + " --plan shortest").code == 2);
  write("far.toml",
        "motion = \"tool\"\npath = \"line\"\nduration = 1\n[[point]]\nposition = [0.5, 0.1, 0.6]\nrpy = [0, 1.2, 0]\n"
        "[[point]]\nposition = [3, -0.2, 0.7]\n");
  const Outcome none = torsor("ik puma560 --path far.toml --plan shortest");
  CHECK(none.code == 1);
  CHECK(tells(none.err, "path-stop", {"none of 8 solutions"}));
  // where nothing is said of the start, another one that goes to the end is taken
  write("turned.toml",
        "motion = \"tool\"\npath = \"line\"\nduration = 1\n[[point]]\nposition = [0.4, 0.2, 0.5]\nrpy = [3.14159, 0, 0]\n"
        "[[point]]\nposition = [0.5, -0.2, 0.6]\n");
  const Outcome seven = torsor("ik panda --path turned.toml --plan limits --json -o joints.csv");
  CHECK(seven.code == 0);
  CHECK(says(seven.err, {"piece", "limits"}));
  CHECK(json_of(seven)["complete"] == true);
  CHECK(torsor("track panda turned.toml --plan singularity --strict").code == 0);
}

TEST_CASE("a planar arm of three joints and a place beside its plane: the nearest, not a refusal") {
  write("planar.toml", robot_of({{0, 0.5, 0}, {0, 0.4, 0}, {0, 0.2, 0}}));
  const Outcome beside = torsor("ik planar.toml --pose \"0.5 0.1 0.3 0 0 0\" --position-only --all --json");
  CHECK(beside.code == 1);
  CHECK(number(json_of(beside)["short_by"]) == doctest::Approx(0.3).epsilon(1e-9));
}

TEST_CASE("an arm of two joints shows both solutions of a place") {
  const json answer = json_of(torsor("ik two_link --pose \"1.2 0.8 0 0 0 0\" --position-only --all --json"));
  CHECK(answer["solution_count"] == 2);
}

TEST_CASE("on a tree ik works on the chain to the tool, whatever else hangs on the robot, and says so") {
  // a UR5 with a gripper of two fingers behind the flange, one of which follows, and a piston at the upper arm
  REQUIRE(torsor("convert ur5 -o bare.urdf").code == 0);
  std::string urdf = read(path("bare.urdf"));
  const std::string extra = R"(
  <link name="left"/><link name="right"/><link name="piston"/>
  <joint name="left" type="prismatic"><parent link="wrist3"/><child link="left"/><limit lower="0" upper="0.05" effort="10" velocity="1"/></joint>
  <joint name="right" type="prismatic"><parent link="wrist3"/><child link="right"/><axis xyz="-1 0 0"/><mimic joint="left"/><limit lower="0" upper="0.05" effort="10" velocity="1"/></joint>
  <joint name="piston" type="revolute"><parent link="upper_arm"/><child link="piston"/><axis xyz="0 0 1"/><mimic joint="elbow" multiplier="0.5"/><limit lower="-9" upper="9" effort="10" velocity="9"/></joint>
</robot>)";
  urdf.replace(urdf.rfind("</robot>"), std::string("</robot>").size(), extra);
  const std::string file = write("hung.urdf", urdf);
  const std::string pose = " --pose \"-0.4 0.1 0.3 0.3 0.2 0.1\" --all";
  const std::string tool = json_of("ik bare.urdf" + pose)["tool"];
  const Outcome outcome = torsor("ik " + file + pose + " --tool " + tool + " --json");
  CHECK(outcome.code == 0);
  CHECK(says(outcome.err, {"chain", "\"left\"", "\"piston\""}));
  const nlohmann::json hung = json_of(outcome), bare = json_of("ik bare.urdf" + pose);
  CHECK(hung["solver"] == "closed form");
  REQUIRE(hung["branches"].size() == bare["branches"].size());
  for (std::size_t k = 0; k < bare["branches"].size(); ++k)
    for (std::size_t j = 0; j < 6; ++j)
      CHECK(hung["branches"][k]["q"][j].get<double>() ==
            doctest::Approx(bare["branches"][k]["q"][j].get<double>()).epsilon(1e-9));
  // the torques of the chain in the whole robot: with the piston carried along
  CHECK(torsor("id " + file + " --tool " + tool + " --base base --q \"0 0.1 0.2 0.3 0.4 0.5\"").code == 0);
  CHECK(tells(torsor("ik " + file + pose + " --base nobody").err, "part-link", {"nobody"}));
}
