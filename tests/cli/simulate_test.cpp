#include <doctest/doctest.h>

#include <cmath>
#include <nlohmann/json.hpp>
#include <sstream>

#include "command.hpp"
#include "tests/support/places.hpp"

using namespace cli_test;
using nlohmann::json;

namespace {

const std::string start = " --q '0.1 0.7 -1.2 0.4 0.9 -0.3' ";

std::vector<double> last_row(const std::string& csv) {
  std::istringstream lines(csv);
  std::string line, last;
  while (std::getline(lines, line)) last = line;
  std::vector<double> numbers;
  std::istringstream cells(last);
  while (std::getline(cells, line, ',')) numbers.push_back(std::stod(line));
  return numbers;
}

}  // namespace

TEST_CASE("an arm that is let go of falls, and its energy is accounted for") {
  const Outcome fall = torsor("simulate puma560 --torque zero" + start + "--time 0.3 --every 0.1 -o fall.csv --json");
  CHECK(fall.code == 0);
  const json answer = json_of(fall);
  CHECK(answer["finished"] == true);
  CHECK(answer["row_count"] == 4);
  CHECK(answer["end_time"] == 0.3);
  CHECK(answer["energy"]["kinetic"].get<double>() > 1);
  CHECK(std::abs(answer["energy"]["largest_balance_error"].get<double>()) < 1e-8);
  CHECK(answer["estimated_error"].get<double>() > 0);
  const std::string csv = read(path("fall.csv"));
  CHECK(csv.starts_with("t,q.waist,"));
  CHECK(contains(csv, ",tau.waist,"));
  CHECK(contains(csv, ",kinetic,potential,effort_work,friction_loss,stop_work,balance_error,power,"
                      "linear_momentum.x,linear_momentum.y,linear_momentum.z,"
                      "angular_momentum.x,angular_momentum.y,angular_momentum.z,wrench_work\n"));
  CHECK(last_row(csv).front() == 0.3);
}

TEST_CASE("rows have the power of the efforts and the momentum") {
  write("push.csv", "t,tau1,tau2\n0,40,7\n1,40,7\n");
  const Outcome run = torsor("simulate two_link --torque push.csv --q 0.3,0.5 --qd 1,-1 --time 0.1 --every 0.1 --json");
  CHECK(run.code == 0);
  const json answer = json_of(run);
  const std::vector<double> first = answer["rows"].front(), last = answer["rows"].back();
  REQUIRE(first.size() == 25);
  CHECK(std::abs(first[17] - 33) < 1e-12);
  // those of torsor terms at the start
  CHECK(first[18] == doctest::Approx(-1.04245).epsilon(1e-5));
  CHECK(first[19] == doctest::Approx(3.36995).epsilon(1e-5));
  CHECK(first[23] == doctest::Approx(3.28199).epsilon(1e-5));
  CHECK(std::abs(last[17] - (40 * last[3] + 7 * last[4])) < 1e-12);
  CHECK(answer["linear_momentum"][1] == last[19]);
  CHECK(answer["angular_momentum"][2] == last[23]);
}

TEST_CASE("efforts that hold the start hold it") {
  const Outcome held = torsor("simulate puma560 --torque hold" + start + "--time 0.05 --every 0.05");
  CHECK(held.code == 0);
  const std::vector<double> row = last_row(held.out);
  const double q[] = {0.1, 0.7, -1.2, 0.4, 0.9, -0.3};
  for (std::size_t k = 0; k < 6; ++k) CHECK(std::abs(row[1 + k] - q[k]) < 1e-12);
}

TEST_CASE("the output of id drives the arm back along its motion, from the start that it has") {
  write("plan.toml",
        "motion = \"joints\"\nlaw = \"quintic\"\n[[point]]\nq = [0.1, 0.7]\n"
        "[[point]]\nq = [0.9, -0.2]\nduration = 1\n");
  REQUIRE(torsor("path plan.toml --robot two_link --step 0.005 -o plan.csv").code == 0);
  REQUIRE(torsor("id two_link --motion plan.csv -o torques.csv").code == 0);
  for (const std::string rule : {"hold", "linear", "cubic"}) {
    CAPTURE(rule);
    const Outcome back = torsor("simulate two_link --torque torques.csv --interpolation " + rule);
    CHECK(back.code == 0);
    const std::vector<double> row = last_row(back.out);
    CHECK(row[0] == 1);
    const double most = rule == "hold" ? 0.1 : rule == "linear" ? 5e-3 : 1e-5;
    CHECK(std::abs(row[1] - 0.9) < most);
    CHECK(std::abs(row[2] + 0.2) < most);
  }
}

TEST_CASE("what cannot be simulated is told at the start") {
  const auto fails = [](const std::string& arguments, const std::string& message) {
    const Outcome run = torsor("simulate " + arguments);
    CAPTURE(run.err);
    CHECK(run.code == 2);
    CHECK(run.out.empty());
    CHECK(contains(run.err, message));
  };
  write("nan.csv", "t,tau1,tau2\n0,1,2\n1,nan,3\n");
  fails("two_link --torque nan.csv --q zero", "nan.csv:3: column \"tau1\"");
  write("short.csv", "t,tau1,tau2\n0,1,2\n1,1,3\n");
  fails("two_link --torque short.csv --q zero --time 2", "ends at 1 s, before 2 s");
  fails("two_link --torque short.csv", "has no columns q and qd to start from");
  write("missing.csv", "t,tau1\n0,1\n1,1\n");
  fails("two_link --torque missing.csv --q zero", "column \"tau2\": is missing");
  write("timeless.csv", "tau1,tau2\n0,1\n1,1\n");
  fails("two_link --torque timeless.csv --q zero", "has no times");
  fails("two_link --torque zero --q zero", "--time: is missing");
  fails("two_link --q zero --time 1", "--torque: is missing");
  fails("two_link --torque zero --q zero --time 0", "--time: 0 is not allowed");
  fails("two_link --torque zero --q zero --time 1 --integrator dorman-prince", "did you mean \"dormand-prince\"?");
  fails("two_link --torque zero --q zero --time 1 --delay 0.1", "--delay");
  fails("floating --torque zero --q zero --time 1 --integrator gauss", "a symplectic method needs");
  fails("puma560 --torque zero --q '0 0 9 0 0 0' --time 1 --stops stiff", "outside its range");
}

TEST_CASE("more work than is sensible is refused at once") {
  const auto fails = [](const std::string& arguments, const std::string& message) {
    const Outcome run = torsor("simulate two_link --torque zero --q zero " + arguments);
    CAPTURE(run.err);
    CHECK(run.code == 2);
    CHECK(run.out.empty());
    CHECK(contains(run.err, message));
  };
  fails("--time 1 --rate 2MHz", "--rate: \"2MHz\" is not a number [option-value]");
  fails("--time 1 --rate 1e7", "--rate: 1e7 is not allowed [option-value]; give a number above 0, 1000000 at most");
  fails("--time 1e6 --rate 1kHz", "--rate: 1000000 s would take 1e+09 samples");
  fails("--time 1 --tolerance 1e-16", "--tolerance: 1e-16 is not allowed");
  fails("--time 1 --integrator rk4 --step 1e-10", "--step: 1 s would take 1e+10 steps");
  fails("--time 1e7 --integrator gauss", "give 0.1 s at least, or a shorter time");
  fails("--time 1s --every 0.01us", "there would be 1e+08 rows");
}

TEST_CASE("numbers may have their units behind them") {
  const std::string run = "simulate two_link --torque hold --q 0.3,0.5 ";
  const Outcome bare = torsor(run + "--time 0.1 --rate 1000 --delay 0.0005 --every 0.01");
  CHECK(bare.code == 0);
  CHECK(bare.out == torsor(run + "--time 100ms --rate 1kHz --delay 0.5ms --every 10ms").out);
  const Outcome fixed = torsor(run + "--time 0.1 --integrator rk4 --step 0.002");
  CHECK(fixed.code == 0);
  CHECK(fixed.out == torsor(run + "--time 0.1s --integrator rk4 --step 2ms").out);
}

TEST_CASE("a fixed step that is too long for an implicit method is called that") {
  const std::string run = "simulate two_link --torque zero --q 0.3,0.5 --qd 5,5 --time 4 --integrator gauss --step ";
  const Outcome diverges = torsor(run + "0.2");
  CHECK(diverges.code == 1);
  CHECK(tells(diverges.err, "simulation-stop", {"--step"}));
  const Outcome overflows = torsor(run + "0.5");
  CHECK(overflows.code == 1);
  CHECK(tells(overflows.err, "simulation-stop", {"--step"}));
}

TEST_CASE("a run that ends early keeps its rows and says when and why") {
  const Outcome run = torsor("simulate puma560 --torque zero" + start + "--time 3 --stops error -o rows.csv");
  CHECK(run.code == 1);
  CHECK(tells(run.err, "simulation-stop"));
  const std::vector<double> row = last_row(read(path("rows.csv.partial")));
  CHECK(row.size() > 20);
  CHECK(row.front() < 3);
}

TEST_CASE("rows whose energy the steps have made up are not written") {
  const std::string spin = "simulate puma560 --torque zero --q zero --qd 1e6,1e6,0,0,0,0 --time 1 --every 1ms ";
  for (const std::string method : {"--integrator rk4", "--integrator semi-implicit", ""}) {
    CAPTURE(method);
    const Outcome run = torsor(spin + method + " -o spin.csv --json");
    CHECK(run.code == 1);
    CHECK(tells(run.err, "simulation-stop"));
    const json answer = json_of(run);
    const double at_start = 2.4917868825625e12;  // J
    CHECK(answer["energy"]["largest_kinetic"].get<double>() < 1.001 * at_start);
    CHECK(answer["row_count"].get<int>() >= 1);
  }
}

TEST_CASE("loads, gravity and speed limits of a simulation") {
  // a payload and another gravity are held as they are by id
  const std::string held = "simulate puma560 --torque hold" + start + "--time 0.05 --every 0.05 ";
  const std::string loads = "--payload 2,0,0,0.1 --gravity 0,0,-1.62 --wrench 1,2,3,0.1,0.2,0.3 ";
  const Outcome run = torsor(held + loads);
  REQUIRE(run.code == 0);
  const json id = json_of(torsor("id puma560" + start + loads + "--json"));
  const std::vector<double> row = last_row(run.out);
  for (std::size_t k = 0; k < 6; ++k)
    CHECK(row[1 + 18 + k] == doctest::Approx(id["tau"][k].get<double>()).epsilon(1e-9));
  const double q[] = {0.1, 0.7, -1.2, 0.4, 0.9, -0.3};
  for (std::size_t k = 0; k < 6; ++k) CHECK(std::abs(row[1 + k] - q[k]) < 1e-12);

  // without gravity a wrench alone moves the arm, and its work is the kinetic energy
  const Outcome pushed = torsor("simulate puma560 --torque zero --gravity 0,0,0 --wrench 0,0,5,0,0,0" + start +
                                "--time 0.2 -o pushed.csv --json");
  REQUIRE(pushed.code == 0);
  const json energy = json_of(pushed)["energy"];
  CHECK(energy["kinetic"].get<double>() > 0.01);
  CHECK(energy["wrench_work"].get<double>() == doctest::Approx(energy["kinetic"].get<double>()).epsilon(1e-8));
  CHECK(torsor("simulate puma560 --torque zero --q zero --time 1 --payload 1,2").code == 2);

  const Outcome fast = torsor("simulate ur5 --torque zero --q zero --qd 4,0,0,0,0,0 --time 0.01");
  CHECK(contains(fast.err, "\"shoulder_pan\": speed 4"));
  CHECK_FALSE(contains(torsor("simulate ur5 --torque zero --q zero --time 0.01").err, ": speed "));
}

TEST_CASE("a start beyond all numbers stops the run, with no row") {
  for (const std::string more : {"", " --json", " -o huge.csv --html huge.html"}) {
    CAPTURE(more);
    const Outcome run = torsor("simulate two_link --torque zero --q zero --qd 1e200,0 --time 1" + more);
    CAPTURE(run.err);
    CHECK(run.code == 1);
    CHECK(tells(run.err, "simulation-stop", {"0"}));
    CHECK(contains(run.err, "rows kept from before the stop: 0"));
  }
}

TEST_CASE("sampling, stops and a page go together") {
  const Outcome run = torsor("simulate puma560 --torque zero" + start +
                             "--time 0.5 --rate 200 --delay 0.001 --stops stiff -o s.csv --html s.html");
  CHECK(run.code == 0);
  CHECK(contains(run.out, "touches its"));
  const std::string page = read(path("s.html"));
  CHECK(contains(page, "Energy and work since the start"));
  CHECK(contains(page, "stop work"));
}

TEST_CASE("an effort of no joint is refused by its column") {
  write("more.csv", "t,q1,q2,qd1,qd2,tau1,tau2,tau3,tau.elbow,motor1\n0,0,0,0,0,1,1,1,1,5\n1,0,0,0,0,1,1,1,1,5\n");
  const Outcome run = torsor("simulate two_link --torque more.csv");
  CHECK(run.code == 2);
  CHECK(tells(run.err, "effort-column", {"more.csv:1", "\"tau3\""}));
  CHECK(tells(run.err, "effort-column", {"\"tau.elbow\""}));
  CHECK_FALSE(contains(run.err, "motor1"));
}

TEST_CASE("a run that is not to be trusted says so, and names what helps") {
  // a fifth of the energy is the integrator's own
  const Outcome coarse = torsor(
      "simulate two_link --torque zero --q 0.3,0.5 --time 5 --integrator semi-implicit --step 10ms -o coarse.csv");
  CHECK(coarse.code == 0);
  CHECK(contains(coarse.err, "the balance of energy misses "));
  CHECK(says(coarse.err, {"--step"}));
  const Outcome fine = torsor("simulate two_link --torque zero --q 0.3,0.5 --time 2 -o fine.csv");
  CHECK(fine.err == "");

  // friction so stiff that an explicit method crawls
  std::string text = read(places::in_project("robots/two_link.toml"));
  for (std::size_t at = 0; (at = text.find("mass = ", at)) != std::string::npos; at += 40)
    text.insert(at, "friction = { viscous = 2000 }\n");
  write("thick.toml", text);
  const Outcome slow = torsor("simulate thick.toml --torque zero --q 0.3,0.5 --time 2 -o slow.csv");
  CHECK(slow.code == 0);
  CHECK(contains(slow.err, "--integrator radau"));
  const Outcome quick =
      torsor("simulate thick.toml --torque zero --q 0.3,0.5 --time 2 --integrator radau -o quick.csv");
  CHECK_FALSE(contains(quick.err, "--integrator radau"));
  const Outcome refused =
      torsor("simulate thick.toml --torque zero --q 0.3,0.5 --time 2 --integrator gauss --step 10ms -o refused.csv");
  CHECK(refused.code == 1);
  CHECK(tells(refused.err, "simulation-stop", {"--integrator"}));
}

TEST_CASE("a position at which rounding is larger than what moves is refused") {
  const Outcome far = torsor("simulate two_link --torque zero --q 1e308,0 --time 1");
  CHECK(far.code == 2);
  CHECK(tells(far.err, "start", {"\"q1\"", "1e+308"}));
  CHECK(tells(torsor("simulate two_link --torque zero --q 0,0 --time 0").err, "option-value"));
}
