#include <doctest/doctest.h>

#include <cmath>
#include <nlohmann/json.hpp>
#include <sstream>

#include "command.hpp"
#include "tests/cli/json_numbers.hpp"
#include "tests/support/page_data.hpp"
#include "tests/support/places.hpp"

using namespace cli_test;
using nlohmann::json;

namespace {

const std::string trapezoid_pick = R"(motion = "joints"
law = "trapezoid"
[[point]]
q_deg = [0, 45, -90, 0, 45, 0]
[[point]]
q_deg = [60, 30, -60, 0, 60, 0]
duration = 0.9
wait = 0.2
[[point]]
q_deg = [0, 45, -90, 0, 45, 0]
duration = 0.8
)";

const std::string motors = R"([[motor]]
name = "servo"
rated_torque = 0.64
rated_speed_rpm = 3000
peak = { speed_rpm = [0, 3500, 5000], torque = [1.91, 1.91, 1.1] }
rotor_inertia_kgcm2 = 0.26
torque_constant = 0.42
resistance = 2.7
[[drive]]
joint = "waist"
motor = "servo"
efficiency = 0.85
)";

/// A CSV result: header and rows.
struct Table {
  std::vector<std::string> header;
  std::vector<std::vector<double>> rows;

  explicit Table(const std::string& file) {
    std::istringstream lines(read(file));
    std::string line, cell;
    for (bool first = true; std::getline(lines, line); first = false) {
      std::istringstream cells(line);
      if (!first) rows.emplace_back();
      while (std::getline(cells, cell, ',')) {
        if (first)
          header.push_back(cell);
        else
          rows.back().push_back(std::stod(cell));
      }
    }
  }
  std::size_t column(const std::string& name) const {
    const auto found = std::find(header.begin(), header.end(), name);
    REQUIRE(found != header.end());
    return static_cast<std::size_t>(found - header.begin());
  }
};

}  // namespace

TEST_CASE("size has the peaks, rms and energies that the rows of id give when they are summed by another hand") {
  // nothing jumps in a septic law
  std::string smooth = trapezoid_pick;
  smooth.replace(smooth.find("trapezoid"), 9, "septic");
  write("smooth.toml", smooth);
  const json size = answer_of("size puma560 smooth.toml --payload 2,0,0,0.1");
  REQUIRE(torsor("path smooth.toml --robot puma560 --step 0.0005 -o smooth.csv").code == 0);
  REQUIRE(torsor("id puma560 --motion smooth.csv --payload 2,0,0,0.1 -o efforts.csv").code == 0);
  const Table table(path("efforts.csv"));
  const std::size_t t = table.column("t");
  for (const json& joint : size["joints"]) {
    const std::string name = joint["name"].get<std::string>();
    CAPTURE(name);
    const std::size_t tau = table.column("tau." + name), qd = table.column("qd." + name);
    double squares = 0, taken = 0, returned = 0, way = 0, peak = 0, fastest = 0;
    for (std::size_t k = 0; k < table.rows.size(); ++k) {
      const auto& row = table.rows[k];
      const double before = k == 0 ? row[t] : table.rows[k - 1][t];
      const double after = k + 1 == table.rows.size() ? row[t] : table.rows[k + 1][t], h = (after - before) / 2;
      const double power = row[tau] * row[qd];
      squares += h * row[tau] * row[tau];
      (power > 0 ? taken : returned) += h * std::abs(power);
      way += h * std::abs(row[qd]);
      peak = std::max(peak, std::abs(row[tau]));
      fastest = std::max(fastest, std::abs(row[qd]));
    }
    const double T = table.rows.back()[t];
    // the trapezoidal rule at 0.5 ms is good to a few 1e-6 of the largest value
    CHECK(number(joint["rms_torque"]) == doctest::Approx(std::sqrt(squares / T)).epsilon(1e-6));
    CHECK(std::abs(number(joint["peak_torque"])) == doctest::Approx(peak).epsilon(1e-5));
    CHECK(std::abs(number(joint["peak_speed"])) == doctest::Approx(fastest).epsilon(1e-5));
    CHECK(number(joint["mean_speed"]) == doctest::Approx(way / T).epsilon(1e-6));
    CHECK(std::abs(number(joint["energy_taken"]) - taken) < 1e-5 * (taken + returned) + 1e-12);
    CHECK(std::abs(number(joint["energy_returned"]) - returned) < 1e-5 * (taken + returned) + 1e-12);
  }
  // the same rows as a motion: a CSV file is summed as it is
  const json rows = answer_of("size puma560 smooth.csv --payload 2,0,0,0.1");
  CHECK(rows["instants"] == static_cast<long long>(table.rows.size()));
  for (std::size_t k = 0; k < 6; ++k)
    CHECK(number(rows["joints"][k]["rms_torque"]) ==
          doctest::Approx(number(size["joints"][k]["rms_torque"])).epsilon(1e-6));
  CHECK(number(rows["energy_error"]) < 1e-3);
  CHECK(number(size["energy_error"]) < 1e-8);
}

TEST_CASE("motors are judged by their curves, and a rest cools them unless they hold") {
  write("pick.toml", trapezoid_pick);
  write("motors.toml", motors);
  const json hot = answer_of("size puma560_drives pick.toml --drives motors.toml");
  const json& waist = hot["drives"][0];
  CHECK(hot["drives"].size() == 6);
  CHECK(waist["motor"] == "servo");
  CHECK(waist["fits"] == false);
  CHECK(waist["verdict"].get<std::string>().starts_with("too hot: "));
  CHECK(number(waist["of_continuous_torque"]) == doctest::Approx(number(waist["rms_torque"]) / 0.64).epsilon(1e-12));
  CHECK(number(waist["copper_loss"]) ==
        doctest::Approx(2.7 * std::pow(number(waist["rms_torque"]) / 0.42, 2) * 1.9).epsilon(1e-12));
  CHECK(hot["drives"][1]["motor"].is_null());

  // the waist holds nothing: half a second of rest is enough
  const json rested = answer_of("size puma560_drives pick.toml --drives motors.toml --dwell 0.5s");
  CHECK(rested["drives"][0]["fits"] == true);
  CHECK(number(rested["drives"][0]["rms_torque"]) ==
        doctest::Approx(number(waist["rms_torque"]) * std::sqrt(1.9 / 2.4)).epsilon(1e-9));
  // the shoulder holds the arm, unless a brake does
  const json braked = answer_of("size puma560_drives pick.toml --dwell 500ms --brake");
  CHECK(number(braked["joints"][1]["rms_torque"]) < number(rested["joints"][1]["rms_torque"]));
  CHECK(number(braked["joints"][1]["rms_torque"]) ==
        doctest::Approx(number(hot["joints"][1]["rms_torque"]) * std::sqrt(1.9 / 2.4)).epsilon(1e-9));

  const Outcome text = torsor("size puma560_drives pick.toml --drives motors.toml");
  CHECK(text.code == 0);
  CHECK(contains(text.out, "against the motors' curves"));
  CHECK(contains(text.out, "waist, servo: too hot: "));
  CHECK(contains(text.out, "limits of the robot are kept: at most "));
}

TEST_CASE("a sweep tells which ratios fit, and where the rms torque is least") {
  write("pick.toml", trapezoid_pick);
  write("motors.toml", motors);
  const json size = answer_of("size puma560_drives pick.toml --drives motors.toml --sweep 10:4000:200");
  const json& waist = size["drives"][0];
  REQUIRE(waist["sweep"].size() == 200);
  std::size_t least = 0;
  for (std::size_t k = 0; k < 200; ++k)
    if (number(waist["sweep"][k]["rms_torque"]) < number(waist["sweep"][least]["rms_torque"])) least = k;
  REQUIRE(least > 0);
  REQUIRE(least < 199);
  CHECK(number(waist["best_ratio"]) > number(waist["sweep"][least - 1]["ratio"]));
  CHECK(number(waist["best_ratio"]) < number(waist["sweep"][least + 1]["ratio"]));
  REQUIRE(waist["fitting_ratios"].size() == 1);
  const double low = number(waist["fitting_ratios"][0][0]), high = number(waist["fitting_ratios"][0][1]);
  for (const json& row : waist["sweep"])
    CHECK(row["fits"] == (number(row["ratio"]) >= low && number(row["ratio"]) <= high));
  CHECK(contains(torsor("size puma560_drives pick.toml --sweep 10:400:5").out, "rms torque of the motors (N m) by gear ratio"));
  CHECK(tells(torsor("size puma560 pick.toml --sweep 10:400").err, "option-mode", {"--sweep", "560"}));
}

TEST_CASE("a path of the hand is sized on the branch that track takes") {
  const json size = answer_of("size sixr_angeles sixr_angeles --step 0.01");
  const json track = json_of("track sixr_angeles sixr_angeles --step 0.01");
  for (std::size_t k = 0; k < 6; ++k) {
    CAPTURE(k);
    CHECK(number(size["joints"][k]["peak_torque"]) ==
          doctest::Approx(number(track["joints"][k]["peak_torque"])).epsilon(1e-12));
    CHECK(number(size["joints"][k]["rms_torque"]) ==
          doctest::Approx(number(track["joints"][k]["rms_torque"])).epsilon(1e-12));
  }
}

TEST_CASE(
    "the page has clouds with motor curves, the sweep and the power, and is written to standard output if asked") {
  write("pick.toml", trapezoid_pick);
  write("motors.toml", motors);
  const std::string all = "size puma560_drives pick.toml --drives motors.toml --sweep 10:400 --html ";
  REQUIRE(torsor(all + "size.html").code == 0);
  const std::string page = read(path("size.html"));
  for (const char* part : {"Torque over speed at the motors", "Torque over speed at the joints", "Power over time",
                           "Motor torque over gear ratio", "How much of its motor each ratio uses", "thermal point"})
    CHECK(contains(page, part));
  const Outcome piped = torsor(all + "-");
  CHECK(piped.code == 0);
  CHECK(piped.out.starts_with("<!"));
}

TEST_CASE("what is wrong with the request is told, all at once, and nothing is silently sized") {
  write("pick.toml", trapezoid_pick);
  const Outcome flags =
      torsor("size puma560 pick.toml --sweep 3:2 --dwell -1 --cutoff 5 --payload 1,2 --html - --json");
  CHECK(flags.code == 2);
  for (const char* part :
       {"--sweep: \"3:2\" is not allowed", "--dwell: -1 is not allowed", "--cutoff: ", "--payload: ", "--html -: "})
    CHECK(contains(flags.err, part));
  for (const char* sweep : {"1", "0:5", "1:5:1", "1:5:2.5", "a:b", "1:5:3:4", ":", "1:1e9:1000000"})
    CHECK(torsor(std::string("size puma560_drives pick.toml --sweep ") + sweep).code == 2);
  CHECK(torsor("size puma560 pick.toml --brake").code == 2);
  CHECK(torsor("size two_link pick.toml").code == 2);
  CHECK(tells(torsor("size puma560 pick.toml --step 0.1 --branch '+ + +'").err, "option-mode", {"--branch"}));
  CHECK(torsor("size puma560 nowhere.toml").code == 2);
  CHECK(torsor("size puma560 pick.toml --html pick.toml").code == 2);

  write("bad.toml",
        "[[motor]]\nname = \"m\"\nrated_torque = -1\nrated_speed = 5\n[[drive]]\njoint = \"x\"\nmotr = \"m\"\n");
  const Outcome bad = torsor("size puma560 pick.toml --drives bad.toml");
  CHECK(bad.code == 2);
  CHECK(tells(bad.err, "drive-number", {"bad.toml:3", "\"m\"", "-1"}));
  CHECK(tells(bad.err, "key-unknown", {"bad.toml:7"}));
  write("other.toml",
        "[[motor]]\nname = \"m\"\nrated_torque = 1\nrated_speed = 5\n[[drive]]\njoint = \"knee\"\nmotor = \"m\"\n");
  CHECK(tells(torsor("size puma560 pick.toml --drives other.toml").err, "drive-joint",
              {"other.toml:5", "\"knee\"", "560"}));

  // without times there is no energy; a fault in a row keeps what came before
  write("timeless.csv", "q1,q2,qd1,qd2,qdd1,qdd2\n0,0,1,1,0,0\n1,1,1,1,0,0\n");
  const Outcome timeless = torsor("size two_link timeless.csv");
  CHECK(timeless.code == 2);
  CHECK(tells(timeless.err, "motion-time"));
  write("broken.csv", "t,q1,q2,qd1,qd2,qdd1,qdd2\n0,0,0,1,1,0,0\n0.1,0.1,0.1,1,1,0,0\n0.2,x,0,0,0,0,0\n");
  const Outcome broken = torsor("size two_link broken.csv --json");
  CHECK(broken.code == 2);
  const json kept = json_of(broken);
  CHECK(kept["complete"] == false);
  CHECK(kept["instants"] == 2);
  // a motion that is beyond all numbers
  write("huge.csv", "t,q1,q2,qd1,qd2,qdd1,qdd2\n0,0,0,1e200,1,0,0\n1,0,0,1e200,1,0,0\n");
  CHECK(torsor("size two_link huge.csv").code == 1);
}

TEST_CASE("coupled motors are not swept, which is said") {
  write("wrist.toml",
        "name = \"wrist\"\nconvention = \"placement\"\n[[link]]\nname = \"pitch\"\njoint = \"revolute\"\nmass = 1\n"
        "[[link]]\nname = \"roll\"\njoint = \"revolute\"\nmass = 1\n[[transmission]]\n"
        "motors = [\"left\", \"right\"]\njoints = [\"pitch\", \"roll\"]\nmatrix = [[0.01, 0.01], [0.02, -0.02]]\n"
        "rotor_inertia = [1e-4, 2e-4]\n");
  write("nod.csv", "t,q1,q2\n0,0,0\n1,1,1\n");
  const Outcome swept = torsor("size wrist.toml nod.csv --sweep 20:200");
  CHECK(swept.code == 2);
  CHECK(tells(swept.err, "option-mode"));
}

TEST_CASE("size -o writes joints and motors instant by instant, and the figures are those of its rows") {
  write("pick.toml", trapezoid_pick);
  const json answer = answer_of("size puma560_drives pick.toml --dwell 500ms -o size.csv");
  CHECK(answer["output"] == "size.csv");
  const Table table(path("size.csv"));
  CHECK(table.rows.back()[table.column("t")] == doctest::Approx(2.4));
  for (const json& joint : answer["joints"]) {
    const std::size_t tau = table.column("tau." + joint["name"].get<std::string>());
    double peak = 0;
    for (const auto& row : table.rows) peak = std::max(peak, std::abs(row[tau]));
    CHECK(peak == doctest::Approx(std::abs(number(joint["peak_torque"]))).epsilon(1e-9));
  }
  const auto& row = table.rows[table.rows.size() / 3];
  for (const json& drive : answer["drives"]) {
    table.column("motor_speed." + drive["name"].get<std::string>());
    table.column("motor_torque." + drive["name"].get<std::string>());
  }
  CHECK(row[table.column("power")] != 0);
  CHECK(torsor("size puma560_drives pick.toml -o - --json").code == 2);
  CHECK(torsor("size puma560_drives pick.toml -o pick.toml").code == 2);
}

TEST_CASE("the page of a robot with loops shows it closed along the motion") {
  write("moved.csv", "t,waist,shoulder,flange,elbow_motor\n0,0,0,0,0\n0.5,0.05,0.05,0.02,0.05\n1,0.2,0.15,0.05,0.1\n"
                     "1.5,0.28,0.22,0.1,0.15\n2,0.3,0.25,0.1,0.2\n2.5,0.3,0.25,0.1,0.2\n");
  REQUIRE(torsor("size palletising_arm moved.csv --html loops.html").code == 0);
  const json data = pages::page_data(read(path("loops.html")));
  const auto view = std::ranges::find_if(data["figures"], [](const json& e) { return e["figure"]["kind"] == "view"; });
  REQUIRE(view != data["figures"].end());
  CHECK((*view)["figure"]["parts"].size() == 10);
  // as many instants as rows: none is left out
  CHECK((*view)["figure"]["clips"][0]["t"].size() == 6);
}
