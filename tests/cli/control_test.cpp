#include <doctest/doctest.h>

#include <cmath>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "command.hpp"
#include "tests/cli/json_numbers.hpp"
#include "tests/support/places.hpp"

using namespace cli_test;
using nlohmann::json;

TEST_CASE("control lists the laws with their sources") {
  const Outcome list = torsor("control --list");
  CHECK(list.code == 0);
  for (const char* text : {"pd-gravity", "resolved-rate-interpolated", "Whitney 1972", "Luh, Walker & Paul 1980",
                           "Khatib 1987", "Slotine & Li 1987", "impedance-force"})
    CHECK(contains(list.out, text));
  CHECK(contains(list.out, "damped least squares"));
  CHECK(contains(list.out, "at torque limits"));
  CHECK(answer_of("control --list")["laws"].size() == 12);
}

TEST_CASE("control compares laws on one task, as a table, as rows over time and as a page") {
  const std::string common = "control puma560 --laws pd,computed-torque --duration 0.3 --rest 0.2s --delay 0.5ms ";
  const Outcome table = torsor(common + "-o rows.csv --html page.html");
  CHECK(table.err == "");
  CHECK(table.code == 0);
  CHECK(says(table.out, {"0.3374", "0.3"}));
  CHECK(contains(table.out, "up to 10 %"));
  CHECK(contains(table.out, "\npd "));
  CHECK(contains(table.out, "\ncomputed-torque "));
  const std::string rows = read(path("rows.csv")), page = read(path("page.html"));
  CHECK(rows.starts_with("t,position_error.pd,angle_error.pd,power.pd,force.pd,tau.waist.pd,"));
  CHECK(std::count(rows.begin(), rows.end(), '\n') == 502);  // a header, and 0 to 0.5 s every millisecond
  for (const char* text :
       {"Error of its orientation", "Power of all motors", "Torques of the joints", "end of the motion"})
    CHECK(contains(page, text));
}

TEST_CASE("an experiment that was written gives the same answer to the last digit") {
  const std::string options = "puma560 --task contact --laws impedance-force --duration 0.3 --rest 0.1 --seed 5";
  const json first = answer_of("control " + options + " --write wall.toml");
  const json again = answer_of("control --experiment wall.toml");
  CHECK(first.dump() == again.dump());
  CHECK(number(first["runs"][0]["peak_force"]) > 0);
  CHECK(first["seed"] == 5);
  CHECK(number(answer_of(
            "control "
            "puma560 --task contact --laws impedance-force --duration 0.3 --rest 0.1 --seed 6")["runs"][0]
                                                                                               ["peak_position"]) !=
        number(first["runs"][0]["peak_position"]));
  // the one that comes with the tests, too
  CHECK(answer_of("control --experiment " + places::in_project("tests/experiments/contact.toml"))["task"] == "contact");
}

TEST_CASE("the arm can be moved by a cheap method, the experiment keeps it, and the page is small") {
  const std::string common = "puma560 --duration 0.3 --rest 0.2 --model-error 0 ";
  const json fine = answer_of("control " + common + "--laws computed-torque");
  const json cheap =
      answer_of("control " + common +
                "--laws computed-torque --integrator semi-implicit --step 0.5ms --write cheap.toml");
  CHECK(contains(read(path("cheap.toml")), "integrator = \"semi-implicit\"\nstep = 5e-04\n"));
  CHECK(cheap.dump() == answer_of("control --experiment cheap.toml").dump());
  const double a = number(fine["runs"][0]["peak_position"]), b = number(cheap["runs"][0]["peak_position"]);
  CHECK(a != b);
  CHECK(b < 0.01);
  CHECK(torsor("control puma560 --integrator semi").code == 2);
  CHECK(torsor("control puma560 --step 1ms").code == 2);
  REQUIRE(torsor("control puma560 --duration 0.5 --rest 1 --integrator semi-implicit --html all.html").code == 0);
  CHECK(read(path("all.html")).size() < 2'000'000);
}

TEST_CASE("against speed, a model without Coriolis terms falls behind") {
  const json answer =
      answer_of("control puma560 --laws computed-torque --speeds 1,2 --model-error 0 --no-limits --rest 0");
  CHECK(answer["law"] == "computed-torque");
  REQUIRE(answer["speeds"].size() == 2);
  for (const json& speed : answer["speeds"])
    CHECK(number(speed["figures"]["no-coriolis"]["peak_position"]) >
          10 * number(speed["figures"]["full"]["peak_position"]));
  CHECK(number(answer["speeds"][1]["figures"]["no-coriolis"]["peak_position"]) >
        3 * number(answer["speeds"][0]["figures"]["no-coriolis"]["peak_position"]));
}

TEST_CASE("a loop that is lost ends with the time and the reason, and keeps what came before") {
  const Outcome lost = torsor("control puma560 --laws pd,pd-gravity --gains -2500,100 -o lost.csv");
  CHECK(lost.code == 1);
  CHECK(tells(lost.err, "control-stop", {"\"pd\""}));
  CHECK(tells(lost.err, "control-stop", {"\"pd-gravity\""}));
  CHECK(contains(lost.out, "\npd *"));
  CHECK(read(path("lost.csv.partial")).size() > 1000);
}

TEST_CASE("what is wrong with the request of control is told at once, and before anything runs") {
  const Outcome words = torsor("control puma560 --laws pdd --rate fast --delay 3x --task lime --controller-model ful");
  CHECK(words.code == 2);
  for (const char* text : {"did you mean \"line\"", "did you mean \"full\"", "--laws \"pdd\"", "--rate", "--delay"})
    CHECK(contains(words.err, text));
  CHECK(torsor("control").code == 2);
  CHECK(tells(torsor("control puma560 --experiment x.toml --rate 5").err, "option-mode", {"--experiment"}));
  CHECK(torsor("control puma560 --model-error 300% --laws pd").code == 2);
  CHECK(torsor("control puma560 --q 1,2 --laws pd").code == 2);
  CHECK(torsor("control puma560 --speeds 0,1").code == 2);
  const Outcome floating = torsor("control floating");
  CHECK(floating.code == 1);
  CHECK(tells(floating.err, "control-robot"));
  const Outcome singular = torsor("control puma560 --q 0,0,0,0,0,0 --laws pd");
  CHECK(singular.code == 1);
  CHECK(tells(torsor("control puma560 --task contact --q 0,0,0,0,0,0 --laws pd").err, "task", {"--q"}));

  // a task outside the workspace
  std::string text = read(places::in_project("tests/experiments/contact.toml"));
  const std::size_t at = text.find("way = [");
  text.replace(at, text.find('\n', at) - at, "way = [-9, 0, 0]");
  write("far.toml", text);
  const Outcome far = torsor("control --experiment far.toml");
  CHECK(far.code == 1);
  CHECK(tells(far.err, "task"));
  write("broken.toml", "robot = \"puma560\"\n[task]\nkind = \"line\"\n");
  const Outcome broken = torsor("control --experiment broken.toml");
  CHECK(broken.code == 2);
  CHECK(tells(broken.err, "key-missing", {"broken.toml:2"}));
}

TEST_CASE("a start outside the joint limits is refused with joint, value and range") {
  const Outcome turn = torsor("control puma560 --laws computed-torque --q 6.283185307,0.7,-2,0,0.5,0");
  CHECK(turn.code == 2);
  for (const char* text : {"\"waist\"", "6.283185307", "2.79252"}) CHECK(contains(turn.err, text));
  CHECK(torsor("control puma560 --laws computed-torque --q 3,0.7,-2,0,0.5,0").code == 2);
}

TEST_CASE("without rest there is nothing steady, and a law inside the integrator has no delay") {
  const json moving = answer_of("control puma560 --laws pd --duration 0.2 --rest 0")["runs"][0];
  for (const char* name : {"steady_position", "steady_angle", "steady_force", "settling", "limit_cycle", "peak_thrust"})
    CHECK(moving.at(name).is_null());
  CHECK(number(moving["rms_effort"]) < number(moving["peak_effort"]));
  const Outcome late = torsor("control puma560 --laws pd --rate continuous --delay 1ms");
  CHECK(late.code == 2);
  CHECK(tells(late.err, "option-mode", {"--delay", "--rate"}));
}

TEST_CASE("efforts of slides are in newtons, apart from those of joints that turn") {
  const Outcome mixed = torsor("control scara --laws pd --duration 0.2 --rest 0.1"),
                slides = torsor("control cartesian3 --laws pd --duration 0.2 --rest 0.1");
  CHECK(contains(mixed.out, "rms torque (N m)"));
  CHECK(contains(mixed.out, "rms force (N)"));
  CHECK(contains(slides.out, "rms force (N)"));
  CHECK_FALSE(contains(slides.out, "(N m)"));
}

TEST_CASE("a law whose efforts swing at rest is marked, and the note says by how much") {
  const Outcome shaking = torsor(
      "control puma560 --laws computed-torque --duration 0.3 --rest 0.3 --rate 200 --delay 4ms --gains 10000,200");
  CHECK(contains(shaking.out, "\ncomputed-torque *"));
  CHECK(contains(shaking.out, "* computed-torque: torques still swing by "));
}

TEST_CASE("the robot of an experiment is looked for beside its file, and must be the one it was written for") {
  torsor("convert two_link -o arm.toml");
  std::filesystem::create_directories(path("kept"));
  const std::string options = "arm.toml --laws pd-gravity --duration 0.2 --rest 0 --write kept/arm_line.toml";
  const json first = answer_of("control " + options);
  const std::string text = read(path("kept/arm_line.toml"));
  CHECK(contains(text, "robot = \"../arm.toml\"\nrobot_digest = \""));
  // from where the file is not, too
  CHECK(answer_of("control --experiment kept/arm_line.toml").dump() == first.dump());
  std::filesystem::create_directories(path("moved/kept"));
  write("moved/arm.toml", read(path("arm.toml")));
  write("moved/kept/arm_line.toml", text);
  CHECK(answer_of("control --experiment moved/kept/arm_line.toml").dump() == first.dump());

  // layout is no change, a number is
  write("moved/arm.toml", "# another line\n" + read(path("arm.toml")));
  CHECK(answer_of("control --experiment moved/kept/arm_line.toml").dump() == first.dump());
  std::string other = read(path("arm.toml"));
  other.replace(other.find("mass = 3.7"), 10, "mass = 3.8");
  write("moved/arm.toml", other);
  const Outcome changed = torsor("control --experiment moved/kept/arm_line.toml");
  CHECK(changed.code == 2);
  CHECK(tells(changed.err, "robot-changed"));
}

TEST_CASE("speeds belong to the experiment, for every law that is named, and a law is named once") {
  const std::string common = "two_link --rest 0 --duration 0.3 --model-error 0 --no-limits --speeds 1,2 ";
  const json one = answer_of("control " + common + "--write speeds.toml");
  CHECK(one["law"] == "computed-torque");
  CHECK(contains(read(path("speeds.toml")), "laws = [\"computed-torque\"]\nspeeds = [1, 2]\n"));
  CHECK(answer_of("control --experiment speeds.toml").dump() == one.dump());
  const json two = answer_of("control " + common + "--laws feed-forward,computed-torque");
  REQUIRE(two["laws"].size() == 2);
  CHECK(two["laws"][0]["law"] == "feed-forward");
  CHECK(two["laws"][1]["speeds"].dump() == one["speeds"].dump());
  const Outcome table = torsor("control " + common + "--laws feed-forward,computed-torque");
  CHECK(contains(table.out, "against speed, feed-forward"));
  CHECK(contains(table.out, "against speed, computed-torque"));
  CHECK(torsor("control --experiment speeds.toml --speeds 1").code == 2);
  CHECK(torsor("control --experiment speeds.toml -o rows.csv").code == 2);
  const Outcome twice = torsor("control two_link --laws pd,pd");
  CHECK(twice.code == 2);
  CHECK(tells(twice.err, "experiment", {"\"pd\""}));
}
