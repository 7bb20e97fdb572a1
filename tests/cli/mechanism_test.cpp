// torsor mechanism: files and built-in mechanisms in, tables, CSV, JSON and pages out, and what it says when it cannot.
#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "command.hpp"
#include "tests/support/mechanism_text.hpp"
#include "tests/support/page_data.hpp"

using namespace cli_test;
using namespace mechanism_text;
using nlohmann::json;

TEST_CASE("mechanism check shows bodies, joints and equations, and tells faults with their lines") {
  const Outcome sound = torsor("mechanism check four_bar --json");
  CHECK(sound.code == 0);
  const json linkage = json_of(sound);
  CHECK(linkage["bodies"].size() == 3);
  CHECK(linkage["joints"].size() == 4);
  CHECK(linkage["equations"] == 21);
  CHECK(linkage["closes"] == true);
  const json answer = json_of("mechanism check stewart_platform");
  CHECK(answer["bodies"].size() == 13);
  CHECK(answer["joints"][0]["kind"] == "universal");
  CHECK(answer["equations"] == 78);
  CHECK(answer["closes"] == true);
  const std::string file =
      write("wrong.toml", "[[body]]\nname = \"a\"\nmass = -1\n[[joint]]\nname = \"j\"\nkind = \"hinge\"\n");
  const Outcome wrong = torsor("mechanism check " + file);
  CHECK(wrong.code == 2);
  CHECK(tells(wrong.err, "mass-negative", {"wrong.toml:3"}));
  CHECK(tells(wrong.err, "joint-kind"));
  CHECK(torsor("mechanism check - <" + file).code == 2);
}

TEST_CASE("mechanism check tells redundancy, and what is wrong also to programs") {
  const json redundancy = json_of("mechanism check four_bar").at("redundancy");
  CHECK(redundancy.at("redundant") == 3);
  CHECK(redundancy.at("equations") == 20);
  CHECK(redundancy.at("rank") == 17);
  const json faults =
      json_of("mechanism check " + write("apart.toml", stretched("0.9"))).at("faults");
  REQUIRE(faults.size() == 1);
  CHECK_FALSE(faults[0].at("offender").get<std::string>().empty());
}

TEST_CASE("mechanism mobility names drivers that prescribe too much") {
  const std::string twice =
      write("twice.toml", body("bob", "position = [1, 0, 0]", 0) + body("wheel", "position = [2, 0, 0]", 1) +
                              hinge("pivot", "ground", "bob", "0, 0, 0") + hinge("hub", "ground", "wheel", "2, 0, 0") +
                              block("coupling", "mesh", "kind = \"gear\"; joints = [\"pivot\", \"hub\"]; ratio = 2") +
                              driver("slow", "pivot", "0") + driver("quick", "hub", "0"));
  const Outcome told = torsor("mechanism mobility " + twice);
  CAPTURE(told.err);
  CHECK(says(told.out, {"\"slow\"", "\"quick\""}));
  CHECK(json_of("mechanism mobility " + twice).at("over_driving").size() == 2);
}

TEST_CASE("mechanism mobility shows the table of what drivers fight about, and names them") {
  const std::string fight = parallelogram() + driver("one", "A", "0") + driver("other", "D", "0.5");
  const std::string file = write("fight.toml", fight);
  const Outcome told = torsor("mechanism mobility " + file);
  CHECK(told.code == 1);
  CHECK(tells(told.err, "drivers-fight"));
  CHECK(says(told.out, {"\"one\"", "\"other\""}));
  const json answer = json_of("mechanism mobility " + file);
  CHECK(answer.at("over_driving").size() == 2);
  CHECK(answer.at("joints").at("degrees_of_freedom") == 1);
  CHECK(answer.at("driven").at("redundant") == 4);
}

TEST_CASE("mechanism equilibrium and modes say that masses are too far apart, not that nothing holds it") {
  const auto two = [](const std::string& heavy, const std::string& light) {
    const std::string y = "axis = [0, 1, 0]; point = ";
    return "gravity = [0, 0, -9.81]\n" + body("heavy", "mass = " + heavy + "; position = [1, 0, 0]", 0) +
           body("light", "mass = " + light + "; position = [2, 0, 0]", 0) +
           joint("j", "revolute", "ground", "heavy", y + "[0, 0, 0]") +
           joint("k", "revolute", "heavy", "light", y + "[1.5, 0, 0]");
  };
  for (const std::string verb : {"equilibrium", "modes"}) {
    CHECK(torsor("mechanism " + verb + " " + write("near.toml", two("10", "0.1"))).code == 0);
    const Outcome far = torsor("mechanism " + verb + " " + write("far.toml", two("1e12", "1e-12")));
    CHECK(far.code == 1);
    CHECK_MESSAGE(tells(far.err, "no-equilibrium", {"\"heavy\"", "1e+24", "\"light\""}), far.err);
    CHECK_FALSE(contains(far.err, "springs"));
  }
}

TEST_CASE("what falls for ever is not put down to its masses") {
  const auto falling = [](const std::string& heavy) {
    return "gravity = [0, 0, -9.81]\n" + body("a", "mass = " + heavy + "; position = [0, 0, 0]", 1e6) +
           body("b", "mass = 1; position = [0, 0, -1]", 0.1) +
           joint("slide", "translational", "ground", "a", "axis = [0, 0, 1]; point = [0, 0, 0]") +
           joint("hinge", "revolute", "a", "b", "axis = [0, 1, 0]; point = [0, 0, 0]");
  };
  for (const std::string heavy : {"1e4", "1e6"}) {
    const Outcome none = torsor("mechanism equilibrium " + write("falling.toml", falling(heavy)));
    CHECK(none.code == 1);
    CHECK_MESSAGE(tells(none.err, "no-equilibrium", {"springs"}), none.err);
    CHECK_FALSE(contains(none.err, "masses"));
  }
}

TEST_CASE("mechanism equilibrium and modes call what is too large too large") {
  std::string chain, joints;
  for (int k = 0; k <= 400; ++k) {
    const std::string b = std::to_string(k);
    chain += body("b" + b, "position = [" + b + ".5, 0, 0]", 1);
    joints += hinge("j" + b, k == 0 ? "ground" : "b" + std::to_string(k - 1), "b" + b, b + ", 0, 0");
  }
  const std::string file = write("long.toml", chain + joints);
  for (const std::string verb : {"equilibrium", "modes"}) {
    const Outcome refused = torsor("mechanism " + verb + " " + file);
    CHECK(refused.code == 1);
    CHECK(tells(refused.err, "mechanism-size"));
  }
}

TEST_CASE("mechanism equilibrium tells what drivers give to hold it, and forces with their directions") {
  const std::string held =
      write("held.toml", "gravity = [0, -9.81, 0]\n" + body("bob", "position = [1, 0, 0]", 0) +
                             hinge("pivot", "ground", "bob", "0, 0, 0") + driver("hold", "pivot", "0"));
  const json rest = json_of("mechanism equilibrium " + held);
  CHECK(rest.at("driver_torques").at("hold").get<double>() == doctest::Approx(9.81).epsilon(1e-12));
  CHECK(rest.at("reactions")[0].at("on_j").at("force")[1].get<double>() == doctest::Approx(9.81).epsilon(1e-12));
  const std::string page = torsor("mechanism equilibrium " + held).out;
  CHECK(contains(page, "torques of the drivers that hold it"));
  CHECK(contains(page, "torque (N m)"));
  CHECK_FALSE(contains(page, "N m or N"));
}

/// A slider-crank turned by its shaft, the torque at its ram: straight at 0.5 s, where no push can turn it.
std::string pushed_crank(const std::string& gravity) {
  const std::string at_origin = "point_j = [0, 0, 0]; axis_i = [0, 0, 1]; axis_j = [0, 0, 1]";
  return "gravity = " + gravity + "\n[run]\ntime = 1\ninterval = 0.05\n" +
         body("crank", "com = [0.05, 0, 0]; rpy_deg = [0, 0, 90]", 0.001) +
         body("rod", "mass = 2; com = [0.15, 0, 0]; position = [0, 0.1, 0]; rpy_deg = [0, 0, -20]", 0.01) +
         body("ram", "mass = 3; position = [0.28, 0, 0]", 0.01) +
         joint("shaft", "revolute", "ground", "crank",
               "point_i = [0, 0, 0]; reference_i = [1, 0, 0]; reference_j = [1, 0, 0];" + at_origin) +
         joint("pin", "revolute", "crank", "rod", "point_i = [0.1, 0, 0];" + at_origin) +
         joint("cross", "revolute", "rod", "ram", "point_i = [0.3, 0, 0];" + at_origin) +
         joint("guide", "translational", "ground", "ram",
               "point_i = [0, 0, 0]; point_j = [0, 0, 0]; axis_i = [1, 0, 0]; axis_j = [1, 0, 0]") +
         driver("speed", "shaft", "pi/2+pi*t") + block("actuator", "push", "joint = \"guide\"");
}

TEST_CASE("mechanism inverse tells when actuators have no hold, and does not call them too few") {
  const std::string file = write("pushed.toml", pushed_crank("[0, -9.81, 0]"));
  const Outcome upon = torsor("mechanism inverse " + file + " --every 0.05 -o " + write("pushed.csv", ""));
  CHECK(upon.code == 1);
  CHECK(tells(upon.err, "singular-position", {"0.5"}));
  // torques and reactions have no value there, what does not depend on them has; the largest is beside it
  const std::string rows = read(path("pushed.csv"));
  for (const char* none : {"effort.push", "power.actuators", "force.shaft", "nz.guide"})
    CHECK(std::isnan(cell(rows, none, 10)));
  for (const char* known : {"power.needed", "kinetic", "angle.shaft", "gap"})
    CHECK(std::isfinite(cell(rows, known, 10)));
  for (const std::size_t beside : {9u, 11u}) CHECK(std::isfinite(cell(rows, "effort.push", beside)));
  const json told = json_of("mechanism inverse " + file + " --every 0.05 -o pushed.csv");
  REQUIRE(told.at("no_value").size() == 1);
  CHECK(told["no_value"][0] == 0.5);
  CHECK(told["torques"][0]["peak_torque_time"].get<double>() == doctest::Approx(0.45));
  CHECK(told["power_balance"].get<double>() < 1e-12);
  CHECK(told["torques_not_unique"].empty());
  // without weight any push will do there, and none was given as 0 N between 3.15 and 3.15
  const Outcome any = torsor("mechanism inverse " + write("light.toml", pushed_crank("[0, 0, 0]")) +
                             " --every 0.05 -o light.csv --json");
  CHECK(any.code == 0);
  CHECK(json_of(any).at("no_value").size() == 1);
  CHECK(std::isnan(cell(read(path("light.csv")), "effort.push", 10)));
  CHECK(torsor("mechanism inverse " + file + " --every 0.04 --time 0.96 -o " + write("beside.csv", "")).code == 0);
}

TEST_CASE("mechanism equilibrium and modes invent no forces where drivers hold it in a singular position") {
  const std::string file = write("dead_centre.toml", dead_centre());
  for (const std::string verb : {"equilibrium", "modes"}) {
    const Outcome refused = torsor("mechanism " + verb + " " + file);
    CHECK(refused.code == 1);
    CHECK(tells(refused.err, "singular-start"));
  }
}

/// A parallelogram laid flat, where it has two freedoms; nothing drives it.
std::string flat_parallelogram() {
  return "gravity = [0, -9.81, 0]\n" + body("crank", "position = [0.15, 0, 0]") +
         body("coupler", "position = [0.8, 0, 0]") + body("rocker", "position = [1.15, 0, 0]") +
         hinge("A", "ground", "crank", "0, 0, 0") + hinge("B", "crank", "coupler", "0.3, 0, 0") +
         hinge("C", "coupler", "rocker", "1.3, 0, 0") + hinge("D", "ground", "rocker", "1, 0, 0");
}

TEST_CASE("mechanism equilibrium leaves a singular start where nothing holds it there") {
  const Outcome rest = torsor("mechanism equilibrium " + write("flat.toml", flat_parallelogram()));
  CAPTURE(rest.err);
  CHECK(rest.code == 0);
  CHECK(contains(rest.out, "Stable"));
}

TEST_CASE("mechanism inverse tells limits that are not kept, to programs too") {
  const std::string turned =
      write("limited.toml", "gravity = [0, 0, 0]\n" + body("bob", "position = [1, 0, 0]", 0) +
                                hinge("pivot", "ground", "bob", "0, 0, 0") + driver("turn", "pivot", "t^2") +
                                block("actuator", "motor", "joint = \"pivot\"; effort_limit = 1.5"));
  // 1 kg at 1 m with 2 rad/s^2
  const std::string run = "mechanism inverse " + turned + " --time 1 --every 0.1";
  CHECK(says(torsor(run + " -o " + write("limited.csv", "")).out, {"\"motor\"", "1.5", "11"}));
  const json beyond = json_of(run).at("beyond_limits");
  REQUIRE(beyond.size() == 1);
  CHECK(beyond[0].at("actuator") == "motor");
  CHECK(beyond[0].at("instants") == 11);
}

TEST_CASE("mechanism check says which element cannot close") {
  const Outcome apart = torsor("mechanism check " + write("apart.toml", stretched("0.9")));
  CHECK(apart.code == 1);
  CHECK(tells(apart.err, "cannot-close", {"apart.toml"}));
}

TEST_CASE("mechanism mobility finds freedoms and redundancy that counting does not") {
  const json bricard = json_of("mechanism mobility bricard");
  CHECK(bricard["joints"]["degrees_of_freedom"] == 1);
  CHECK(bricard["joints"]["redundant"] == 1);
  CHECK(bricard["joints"]["counted"] == 0);
  CHECK(bricard["dependences"].size() == 1);
  const json platform = json_of("mechanism mobility stewart_platform");
  CHECK(platform["actuation"] == "fully actuated");
  CHECK(platform["driven"]["degrees_of_freedom"] == 0);
  CHECK(contains(torsor("mechanism mobility four_bar").out, "Fully driven."));
}

TEST_CASE("mechanism inverse gives efforts, reactions and a page, and balances power") {
  const Outcome run = torsor("mechanism inverse four_bar -o efforts.csv --html page.html --json");
  REQUIRE(run.code == 0);
  const json answer = json_of(run);
  CHECK(answer["finished"] == true);
  CHECK(answer["row_count"] == 51);
  CHECK(answer["redundancy"]["redundant"] == 3);
  CHECK(answer["power_balance"].get<double>() < 1e-9);
  const std::string csv = read(path("efforts.csv"));
  CHECK(cell(csv, "effort.crank motor", 0) == doctest::Approx(3.1639193023405126).epsilon(1e-9));
  // all forces on the crank together are what its mass centre asks for: here its two hinges and its weight
  CHECK(std::isfinite(cell(csv, "fx.crank pin", 50)));
  const std::string page = read(path("page.html"));
  for (const char* part : {"The mechanism as it moves", "Torques of the actuators", "Reaction forces", "Energy"})
    CHECK(contains(page, part));
  // what was asked stands on top, with its unit; so does it at the axes, and names have no prefix
  const json data = pages::page_data(page);
  CHECK(data["verdict"].get<std::string>().starts_with("Actuator \"crank motor\" needs up to -12.31 N m (at 0.65 s)"));
  CHECK(data["highlights"][0]["label"] == "largest torque");
  CHECK(data["highlights"][0]["unit"] == "N m");
  int lines = 0;
  for (const json& entry : data["figures"]) {
    const json& figure = entry["figure"];
    if (figure["kind"] != "lines") continue;
    CAPTURE(figure["title"]);
    const auto unit = figure["y"]["unit"].get<std::string>();
    if (figure["y"]["label"] != "error") CHECK_FALSE(contains(unit, " or "));
    if (lines++ > 0) continue;
    CHECK(unit == "N m");
    CHECK(figure["series"][0]["name"] == "crank motor");
  }
  CHECK(lines == 9);
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
  const json run = json_of("mechanism simulate pendulum --every 1s -o fall.csv");
  CHECK(run["finished"] == true);
  CHECK(run["largest_energy_error"].get<double>() < 1e-9);
  CHECK(run["largest_closure_error"].get<double>() < 1e-10);
  const std::string fall = read(path("fall.csv"));
  CHECK(std::abs(cell(fall, "x.bob", 10) + 0.275087462576) < 1e-9);
  CHECK(std::abs(cell(fall, "y.bob", 10) + 0.961419205099) < 1e-9);
  torsor("mechanism simulate andrews_squeezer --time 30ms --every 30ms -o squeezer.csv");
  const std::string squeezer = read(path("squeezer.csv"));
  CHECK(std::abs(cell(squeezer, "angle.O", 1) - 15.81077119629904) < 1e-8 * 16);
  CHECK(std::abs(cell(squeezer, "angle.A5", 1) - 0.5244099658805304) < 1e-8);
}

TEST_CASE("a mechanism that locks stops with the time and the joint, and keeps what was computed") {
  const std::string file = write("locks.toml", stretched("0.6 + 0.1*t"));
  const Outcome run = torsor("mechanism kinematics " + file + " --time 3 --every 0.1 -o locked.csv");
  CHECK(run.code == 1);
  CHECK(tells(run.err, "mechanism-locked", {"2"}));
  CHECK(rows_in("locked.csv.partial") >= 20);
  CHECK(cell(read(path("locked.csv.partial")), "slide.slide", 19) == doctest::Approx(0.79));
}

TEST_CASE("branch points are told with their times, singular starts and drivers that fight are called that") {
  const std::string turns = parallelogram() + driver("crank angle", "A", "-pi/2*t + 0.3*sin(pi*t)");
  const Outcome run =
      torsor("mechanism kinematics " + write("flat.toml", turns) + " --time 2 --every 0.5 -o flat.csv --json");
  CHECK(run.code == 0);
  const json answer = json_of(run);
  REQUIRE(answer["branch_times"].size() == 1);
  CHECK(std::abs(answer["branch_times"][0].get<double>() - 1) < 1e-6);
  CHECK(std::abs(cell(read(path("flat.csv")), "rate.angle.D", 2) + 3.141592653589793 * 0.8) < 1e-8);
  const std::string flat = parallelogram() + driver("crank angle", "A", "-pi/2 - t");
  CHECK(tells(torsor("mechanism inverse " + write("start.toml", flat)).err, "singular-start"));
  // with an instant right on the branch point, and gravity that no torque of the crank holds there
  const std::string held = "gravity = [0, -9.81, 0]\n" + parallelogram() + driver("crank angle", "A", "-pi/2*t") +
                           block("actuator", "motor", "joint = \"A\"");
  const Outcome upon = torsor("mechanism inverse " + write("held.toml", held) + " --time 2 --every 0.5 -o held.csv");
  CHECK(upon.code == 1);
  CHECK(tells(upon.err, "singular-position", {"1"}));
  CHECK_FALSE(contains(upon.err, "under-actuated"));
  const Outcome beside = torsor("mechanism inverse " + path("held.toml") + " --time 2 --every 0.3 -o held.csv");
  CHECK(beside.code == 0);
  const std::string fight = turns + driver("other", "D", "t");
  const Outcome fought = torsor("mechanism check " + write("fight.toml", fight));
  CHECK(fought.code == 1);
  CHECK(tells(fought.err, "drivers-fight", {"\"other\""}));
}

TEST_CASE("a simulation runs by the formulation it is asked for, with the efforts of couplings beside the reactions") {
  const json one =
      json_of("mechanism simulate geared_two_link --time 0.3 --every 10ms -o one.csv");
  const json other =
      json_of("mechanism simulate geared_two_link --time 0.3 --every 10ms --formulation partitioned -o other.csv");
  CHECK(one["formulation"] == "augmented");
  CHECK(other["formulation"] == "partitioned");
  const std::string a = read(path("one.csv")), b = read(path("other.csv"));
  const std::string header = a.substr(0, a.find('\n'));
  CHECK(contains(header, ",effort."));
  for (const char* column : {"kinetic", "potential"})
    CHECK(cell(a, column, 30) == doctest::Approx(cell(b, column, 30)).epsilon(1e-8));
  CHECK(torsor("mechanism simulate geared_two_link --formulation mixed").code == 2);
  CHECK(json_of("mechanism modes pendulum")["coordinates"].size() == 1);
}

TEST_CASE("mechanism equilibrium and modes: where it hangs, and how it swings there") {
  const json rest = json_of("mechanism equilibrium pendulum");
  CHECK(rest["stable"] == true);
  CHECK(std::abs(rest["bodies"][0]["position"][0].get<double>()) < 1e-9);
  CHECK(rest["bodies"][0]["position"][1].get<double>() == doctest::Approx(-1));
  CHECK(rest["reactions"][0]["force"].get<double>() == doctest::Approx(9.81));
  const Outcome page = torsor("mechanism equilibrium bricard --html rest.html");
  CHECK(page.code == 0);
  CHECK(contains(page.out, "Stable"));
  CHECK(contains(read(path("rest.html")), "from the start to the place of rest"));
  const json modes = json_of("mechanism modes pendulum");
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
  CHECK(tells(free.err, "not-driven"));
  CHECK(tells(torsor("mechanism check fourbar").err, "mechanism-unknown", {"\"four_bar\""}));
  CHECK(tells(torsor("mechanism mobilty bricard").err, "verb-unknown", {"\"mobility\""}));
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

  static std::string at(double x, double y) { return std::to_string(x) + ", " + std::to_string(y) + ", 0"; }
  void body(const std::string& name, double x, double y) {
    text += mechanism_text::body(name, "position = [" + at(x, y) + "]");
  }
  void joint(const std::string& kind, const std::string& i, const std::string& j, double x, double y) {
    text += mechanism_text::joint(i + j, kind, i, j, "axis = [0, 0, 1]; point = [" + at(x, y) + "]");
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
  const json row = json_of("mechanism mobility " + write("row.toml", file.text));
  // parallelograms: one freedom of all, and three equations of each loop too many, out of its plane
  CHECK(row["joints"]["degrees_of_freedom"] == 1);
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
  CHECK(tells(refused.err, "mechanism-size", {"400"}));
  const Outcome run = torsor("mechanism simulate " + path("large.toml") + " --time 2ms --every 1ms -o large.csv");
  CHECK(run.code == 0);
}

TEST_CASE("redundant equations are told with their rank by every verb, in words and as JSON") {
  for (const std::string verb : {"kinematics", "inverse", "simulate"}) {
    CAPTURE(verb);
    const std::string ask = "mechanism " + verb + " four_bar --time 0.1 -o rows.csv";
    // the driver is one equation more where it holds the crank
    const bool driver = verb == "simulate";
    const json told = json_of(ask)["redundancy"];
    CHECK(told["equations"] == (driver ? 21 : 20));
    CHECK(told["rank"] == (driver ? 18 : 17));
    CHECK(told["redundant"] == 3);
    CHECK(told["not_unique"].size() == 4);
    CHECK(told["not_unique"][0] == "joint \"crank hinge\"");
  }
  for (const std::string verb : {"equilibrium", "modes"}) {
    CAPTURE(verb);
    const json told = json_of("mechanism " + verb + " bricard")["redundancy"];
    CHECK(told["equations"] == 30);
    CHECK(told["redundant"] == 1);
    CHECK(told["rank"] == 29);
    CHECK(told["not_unique"].size() == 6);
  }
  CHECK(json_of("mechanism simulate pendulum --time 0.1 -o rows.csv")["redundancy"]["not_unique"].empty());
}

TEST_CASE("efforts that joints could bear instead are zero and not called unique") {
  const std::string beam = write(
      "beam.toml", "gravity = [0, 0, -9.81]\n[run]\ntime = 0.1\ninterval = 0.05\n" +
                       body("beam", "mass = 31.27; com = [1, 0, 0]; inertia = [0.1, 10, 10]") +
                       joint("pin", "revolute", "ground", "beam", "point = [0, 0, 0]; axis = [0, 1, 0]") +
                       joint("support", "point-on-plane", "ground", "beam", "point = [2, 0, 0]; axis = [0, 0, 1]") +
                       block("actuator", "motor", "joint = \"pin\""));
  CHECK(json_of("mechanism mobility " + beam)["commanded"] == 0);
  const Outcome run = torsor("mechanism inverse " + beam + " -o beam.csv");
  CHECK(run.code == 0);
  CHECK(says(run.out, {"\"motor\""}));
  const std::string csv = read(path("beam.csv"));
  CHECK(cell(csv, "effort.motor", 0) == 0);
  CHECK(cell(csv, "force.support", 1) == doctest::Approx(31.27 * 9.81 / 2).epsilon(1e-12));
  const json answer = json_of(torsor("mechanism inverse " + beam + " --json -o beam.csv"));
  CHECK(answer["torques_not_unique"] == json{"motor"});
  CHECK(answer["power_balance"].is_null());  // no power to have a share of
  CHECK(answer["largest_power"] == 0);
  CHECK(json_of("mechanism inverse four_bar -o rows.csv")["torques_not_unique"].empty());
}

TEST_CASE("without actuators inverse gives the efforts of the drivers, and all reactions") {
  // the four-bar less its motor: the driver at the same hinge needs what the motor gave
  std::string file = read(places::in_project("robots/mechanisms/four_bar.toml"));
  file.erase(file.find("[[actuator]]"));
  const Outcome run = torsor("mechanism inverse " + write("no_motor.toml", file) + " -o driven.csv --json");
  CHECK(run.code == 0);
  CHECK(json_of(run)["torques_of"] == "drivers");
  CHECK(json_of(run)["power_balance"].get<double>() < 1e-9);
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
  const json modes = json_of("mechanism modes pendulum");
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
      write("cut.toml", "gravity = [0, 0, 0]\n[run]\ntime = 1\ninterval = 0.5\n" + body("wheel", "", 1) +
                            hinge("axle", "ground", "wheel", "0, 0, 0") +
                            block("actuator", "motor", "joint = \"axle\"; effort = \"4*t\"; effort_limit = 3"));
  const Outcome run = torsor("mechanism simulate " + file + " -o cut.csv");
  CHECK(run.code == 0);
  CHECK(says(run.out, {"\"motor\"", "3", "0.25", "0.75"}));
  const json told = json_of(torsor("mechanism simulate " + file + " --json -o cut.csv"))["limited"];
  REQUIRE(told.size() == 1);
  CHECK(told[0]["seconds"].get<double>() == doctest::Approx(0.25).epsilon(1e-4));
}

TEST_CASE("mechanisms close from guesses that are drawn out straight") {
  const auto straight = [](const std::string& function) {
    std::string file = stretched(function);
    for (const auto& [was, is] : {std::pair<std::string, std::string>{"rpy_deg = [0, 0, 60]", "rpy_deg = [0, 0, 0]"},
                                  {"position = [0.15, 0.26, 0]", "position = [0.3, 0, 0]"},
                                  {"rpy_deg = [0, 0, -31]", "rpy_deg = [0, 0, 0]"},
                                  {"position = [0.578, 0, 0]", "position = [0.8, 0, 0]"}}) {
      REQUIRE(contains(file, was));
      file.replace(file.find(was), was.size(), is);
    }
    return file;
  };
  const json bent = json_of("mechanism check " + write("bent.toml", straight("0.6")));
  CHECK(bent["closes"] == true);
  // beyond 0.8 m nothing closes, and without the driver it does: lengths are not to blame
  const Outcome beyond = torsor("mechanism check " + write("beyond.toml", straight("0.9")));
  CHECK(beyond.code == 1);
  CHECK(tells(beyond.err, "cannot-close", {"\"pull\""}));
  CHECK_FALSE(contains(beyond.err, "lengths"));
}

TEST_CASE("drivers that run away end a run soon, with their time and name, and rows before them are kept") {
  for (const char* verb : {"kinematics", "simulate"}) {
    const std::string run = std::string("mechanism ") + verb + " ";
    const Outcome pole =
        torsor(run + write("pole.toml", turned("\"1/(0.55 - t)\"")) + " --time 2 --every 0.1 -o pole.csv");
    CHECK(pole.code == 1);
    CHECK(tells(pole.err, "driver-too-fast", {"\"turn\""}));
    CHECK(rows_in("pole.csv.partial") == 6);
    CHECK(cell(read(path("pole.csv.partial")), "angle.pivot", 5) == doctest::Approx(20));
    // a fast one is none that runs away
    const Outcome fast = torsor(run + write("fast.toml", turned("\"1000*t\"")) + " --time 1 --every 0.1 -o fast.csv");
    CHECK(fast.code == 0);
    CHECK(cell(read(path("fast.csv")), "angle.pivot", 10) == doctest::Approx(1000).epsilon(1e-9));
  }
}

TEST_CASE("a motion with energy from nowhere is no answer: it stops, or is told") {
  // a mass falls on a stop that throws it back within 0.3 ms
  const std::string file = write("bumper.toml",
                                 "name = \"bumper\"\n[[body]]\nname = \"mass\"\nmass = 1\ninertia = [0.01, 0.01, 0.01]\n"
                                 "[[joint]]\nname = \"guide\"\nkind = \"translational\"\npoint = [0, 0, 0]\n"
                                 "bodies = [\"ground\", \"mass\"]\naxis = [0, 0, 1]\n"
                                 "[[stop]]\nname = \"stop\"\njoint = \"guide\"\nlower = -0.5\nstiffness = 1e8\n");
  const std::string run = "mechanism simulate " + file + " --time 1 --every 0.05 -o bumper.csv --integrator ";
  const Outcome thrown = torsor(run + "semi-implicit --step 1ms --html bumper.html");
  CHECK(thrown.code == 1);
  CHECK(tells(thrown.err, "energy-made-up", {"0.35"}));
  CHECK(rows_in("bumper.csv.partial") == 7);
  CHECK(contains(read(path("bumper.html")), "come from nowhere"));
  std::filesystem::remove(path("bumper.csv.partial"));
  const Outcome rough = torsor(run + "semi-implicit --step 80us");
  CHECK(rough.code == 0);
  CHECK(contains(rough.err, "The balance of energy misses"));
  for (const char* fine : {"semi-implicit --step 20us", "radau", "dormand-prince"}) {
    CAPTURE(std::string(fine));
    const Outcome good = torsor(run + fine);
    CHECK(good.code == 0);
    CHECK(!contains(good.err, "balance of energy"));
    // thrown back as high as it was: at the top again after twice the way down, and half a period upon the stop
    const double since = 0.65 - 2 * std::sqrt(1 / 9.81) - 3.14159265 * 1e-4;
    CHECK(std::abs(cell(read(path("bumper.csv")), "slide.guide", 13) + 9.81 / 2 * since * since) < 1e-4);
  }
}

TEST_CASE("upon a pole a method of fixed steps blames the driver, not that the mechanism is stiff") {
  const std::string file = write("tangent.toml", turned("\"tan(t)\""));
  for (const char* integrator : {"gauss", "rk4"}) {
    const Outcome run =
        torsor("mechanism simulate " + file + " --time 2 --every 0.1 -o tan.csv --integrator " + integrator);
    CHECK(run.code == 1);
    CHECK_MESSAGE(tells(run.err, "driver-too-fast"), run.err);
    CHECK(rows_in("tan.csv.partial") == 16);
  }
}

TEST_CASE("a corner of a driver is told once, with its time; words of laws have their synonyms") {
  const std::string corner = write("corner.toml", turned("\"abs(t - 1)\""));
  for (const char* verb : {"kinematics ", "simulate "}) {
    const Outcome run =
        torsor("mechanism " + std::string(verb) + corner + " --time 2 --every 0.03 -o corner.csv --json");
    CHECK(run.code == 0);
    CHECK(says(run.err, {"1", "\"turn\"", "2"}));
    const json jumps = json_of(run)["jumps"];
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
  const Outcome locked = torsor("mechanism simulate " + write("locks.toml", stretched("0.6 + 0.1*t")) +
                                " --time 3 --every 0.1 -o locked.csv");
  CHECK(locked.code == 1);
  CHECK(tells(locked.err, "mechanism-locked", {"2"}));
  CHECK(rows_in("locked.csv.partial") == 20);
  const std::string fight = parallelogram() + driver("one", "A", "t") + driver("two", "D", "t + max(0, t - 0.5)^3");
  for (const char* verb : {"kinematics ", "simulate "}) {
    const Outcome fought =
        torsor("mechanism " + std::string(verb) + write("fights.toml", fight) + " --every 0.1 -o fights.csv");
    CHECK(fought.code == 1);
    CHECK(tells(fought.err, "drivers-fight", {"\"two\""}));
    CHECK(tells(fought.err, "drivers-fight", {"\"one\""}));
    CHECK_FALSE(contains(fought.err, "nan"));
  }
  const std::string bob = "position = [1, 0, 0]", pivot = hinge("pivot", "ground", "bob", "0, 0, 0");
  const std::string spring = block("spring", "stiff", "joint = \"pivot\"; stiffness = 1e12; rest = 0.3; damping = 1e9");
  const std::string stiff = write("stiff.toml", body("bob", bob) + pivot + spring);
  for (const char* integrator : {"gauss", "rk4"}) {
    const Outcome run = torsor("mechanism simulate " + stiff + " --time 0.1 -o stiff.csv --integrator " + integrator);
    CHECK(run.code == 1);
    CHECK(tells(run.err, "too-stiff"));
    CHECK_FALSE(contains(run.err, "check"));
  }
  CHECK(torsor("mechanism simulate " + stiff + " --time 0.1 -o stiff.csv --integrator radau").code == 0);
  CHECK(cell(read(path("stiff.csv")), "angle.pivot", 10) == doctest::Approx(0.3).epsilon(1e-6));
  // velocities along the bar, which its hinge does not allow
  const Outcome start =
      torsor("mechanism simulate " +
             write("start.toml", body("bob", bob + "; angular_velocity = [0, 0, 1]; velocity = [1, 1, 0]") + pivot) +
             " --time 0.1 -o start.csv");
  CHECK(start.code == 0);
  CHECK(says(start.err, {"\"bob\"", "0", "1"}));
}

TEST_CASE("a simulation tells the singular positions it passes, and a swing that passes none is silent") {
  std::string turning = parallelogram();
  const std::string crank = "position = [0, 0.5, 0]\n", coupler = "position = [1, 1, 0]\n",
                    rocker = "position = [2, 0.5, 0]\n";
  for (const auto& [was, speed] : {std::pair{crank, 0.5}, {coupler, 1.0}, {rocker, 0.5}}) {
    const std::string turns = was == coupler ? "" : "angular_velocity = [0, 0, -1]\n";
    turning.replace(turning.find(was), was.size(), was + turns + "velocity = [" + std::to_string(speed) + ", 0, 0]\n");
  }
  const Outcome run =
      torsor("mechanism simulate " + write("turning.toml", turning) + " --time 4 --every 0.1 -o t.csv --json");
  CHECK(run.code == 0);
  CHECK(std::ranges::count(run.err, '\n') == 1);  // the singular position, and nothing about the velocities
  // nothing but its own speed moves it: flat after a quarter of a turn
  const json times = json_of(run)["singular_times"];
  REQUIRE(times.size() == 1);
  CHECK(std::abs(times[0].get<double>() - 1.5707963267948966) < 0.02);
  const Outcome swing = torsor("mechanism simulate " + path("turning.toml") + " --time 1 --every 0.1 -o t.csv --json");
  CHECK(swing.err.empty());
  CHECK(json_of(swing)["singular_times"].empty());
}

TEST_CASE("a simulation refuses a singular start where all is driven, and ends soon where it grinds") {
  const std::string flat = parallelogram() + driver("crank angle", "A", "-pi/2 - t");
  const Outcome refused = torsor("mechanism simulate " + write("flat.toml", flat) + " -o flat.csv");
  CHECK(refused.code == 1);
  CHECK_MESSAGE(tells(refused.err, "singular-start"), refused.err);
  // a crank and a rod in line, held so by a driver, beside a pendulum that is free
  const std::string held = dead_centre();
  CHECK(tells(torsor("mechanism simulate " + write("held.toml", held) + " -o held.csv").err, "singular-start"));
  const std::string beside =
      held + body("bob", "position = [3, 0, 0]") + hinge("swing", "ground", "bob", "2, 0, 0");
  const Outcome grinds =
      torsor("mechanism simulate " + write("beside.toml", beside) + " --time 1 --every 0.1 -o beside.csv --json");
  CHECK(grinds.code == 1);
  CHECK_MESSAGE(tells(grinds.err, "simulation-stop"), grinds.err);
  CHECK(tells(grinds.err, "simulation-stop"));
  CHECK(rows_in("beside.csv.partial") == 1);
  const json work = json_of(grinds);
  CHECK(work["steps"].get<long>() + work["refused"].get<long>() < 60000);
  for (const char* function : {"\"1e6*t\"", "\"sin(100000*t)\""}) {
    const Outcome fast = torsor("mechanism simulate " + write("fast.toml", turned(function)) +
                                " --time 1 --every 0.1 -o fast.csv --json");
    CHECK(fast.code == 1);
    CHECK_MESSAGE(tells(fast.err, "driver-too-fast"), fast.err);
    CHECK(rows_in("fast.csv.partial") == 1);
    CHECK(json_of(fast)["steps"].get<long>() < 60000);
  }
}

TEST_CASE("of notes that are alike ten are told, and how many more there are") {
  std::string file;
  for (int k = 0; k < 25; ++k) {
    const std::string n = std::to_string(k);
    file += body("b" + n, "inertia = [1, 1, 9]; position = [" + n + ", 0, 0]") +
            hinge("j" + n, "ground", "b" + n, n + ", 0, 0");
  }
  const Outcome check = torsor("mechanism check " + write("alike.toml", file));
  CHECK(check.code == 0);
  CHECK(tells(check.err, "triangle", {"\"b9\""}));
  CHECK_FALSE(contains(check.err, "body \"b10\""));
  CHECK(tells(check.err, "triangle", {"15"}));
}

TEST_CASE("on a page angles and lengths do not share an axis") {
  REQUIRE(torsor("mechanism simulate slider_crank --time 0.1 -o rows.csv --html page.html").code == 0);
  const json data = pages::page_data(read(path("page.html")));
  std::vector<std::string> units;
  for (const json& entry : data["figures"])
    if (entry["section"] == "Angles, displacements and lengths") units.push_back(entry["figure"]["y"]["unit"]);
  CHECK(units == std::vector<std::string>{"rad", "m"});
  CHECK(contains(data["verdict"].get<std::string>(), "The balance of energy misses at most"));
}

TEST_CASE("a page of no modes speaks of none") {
  REQUIRE(torsor("mechanism modes four_bar --html page.html").code == 0);
  const std::string page = read(path("page.html"));
  CHECK(contains(page, "Nothing is free to move"));
  CHECK_FALSE(contains(page, "One cycle of each mode"));
  REQUIRE(torsor("mechanism modes pendulum --html page.html").code == 0);
  CHECK(contains(read(path("page.html")), "One cycle of each mode"));
}
