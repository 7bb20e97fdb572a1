// What the verbs say of limits that a motion passes, of rows that hide a jump, of corners that no drive follows, and of speeds
// that are rounding.
#include <doctest/doctest.h>

#include <cmath>
#include <nlohmann/json.hpp>
#include <numbers>
#include <random>
#include <sstream>

#include "command.hpp"

using namespace cli_test;
using nlohmann::json;

namespace {

/// A welding robot with a spherical wrist, friction and rotors, every joint limited.
const std::string welder = R"(name = "welder"
convention = "modified-dh"
[[link]]
name = "base_turn"
joint = "revolute"
dh = { d = 0.45 }
shape = { cylinder = { radius = 0.12, length = 0.3 }, density = 2700, position = [0, 0, -0.1] }
limits = { position_deg = [-170, 170], velocity_deg = 180, effort = 600 }
rotor = { inertia_kgcm2 = 4.2, gear = 120 }
friction = { viscous = 20, coulomb = 12 }
[[link]]
name = "lower"
joint = "revolute"
dh = { a = 0.15, alpha_deg = -90, theta_deg = -90 }
shape = { box = [0.6, 0.12, 0.16], density = 1800, position = [0.3, 0, 0] }
limits = { position_deg = [-90, 155], velocity_deg = 180, effort = 600 }
rotor = { inertia_kgcm2 = 4.2, gear = 140 }
friction = { viscous = 25, coulomb = 15 }
[[link]]
name = "upper"
joint = "revolute"
dh = { a = 0.6 }
shape = { box = [0.3, 0.14, 0.14], density = 1800, position = [0.05, 0.05, 0] }
limits = { position_deg = [-175, 220], velocity_deg = 180, effort = 300 }
rotor = { inertia_kgcm2 = 2.1, gear = 120 }
friction = { viscous = 10, coulomb = 8 }
[[link]]
name = "wrist_turn"
joint = "revolute"
dh = { a = 0.12, alpha_deg = -90, d = 0.64 }
shape = { tube = { outer = 0.06, inner = 0.04, length = 0.5 }, density = 2700, position = [0, 0, -0.25] }
limits = { position_deg = [-190, 190], velocity_deg = 360, effort = 40 }
rotor = { inertia_kgcm2 = 0.3, gear = 80 }
friction = { viscous = 1, coulomb = 1.5 }
[[link]]
name = "wrist_bend"
joint = "revolute"
dh = { alpha_deg = 90 }
shape = { box = [0.08, 0.08, 0.12], density = 2700 }
limits = { position_deg = [-120, 120], velocity_deg = 360, effort = 40 }
rotor = { inertia_kgcm2 = 0.3, gear = 80 }
friction = { viscous = 1, coulomb = 1.5 }
[[link]]
name = "flange"
joint = "revolute"
dh = { alpha_deg = -90 }
shape = { cylinder = { radius = 0.04, length = 0.03 }, density = 2700, position = [0, 0, 0.08] }
limits = { position_deg = [-360, 360], velocity_deg = 500, effort = 20 }
rotor = { inertia_kgcm2 = 0.2, gear = 50 }
friction = { viscous = 0.4, coulomb = 0.6 }
[[tool]]
name = "torch"
position_mm = [0, 0, 350]
rpy_deg = [0, 35, 0]
)";

std::string line_of_torch(const std::string& from, const std::string& turn, const std::string& to) {
  return "motion = \"tool\"\npath = \"line\"\nlimits = { velocity_mm = 20, acceleration = 0.5 }\n[[point]]\nposition "
         "= " +
         from + "\n" + turn + "\n[[point]]\nposition = " + to + "\n";
}

/// Just beside the singular wrist: within a millisecond joint 4 turns over.
std::string beside() {
  return line_of_torch("[1.27258, -0.1, 0.622739]", "quaternion = [0, 0.67559, 0, 0.737277]",
                       "[1.27258, 0.1, 0.622739]");
}
/// A little farther from it: the rows tell that joint 4 is too fast.
std::string fast() {
  return line_of_torch("[1.2725841, -0.1, 0.7]", "rpy_deg = [0, -85, 180]", "[1.2725841, 0.1, 0.55]");
}

std::vector<std::vector<double>> rows_of(const std::string& csv) {
  std::vector<std::vector<double>> rows;
  std::istringstream lines(csv);
  std::string line;
  std::getline(lines, line);
  while (std::getline(lines, line)) {
    rows.emplace_back();
    std::istringstream cells(line);
    for (std::string cell; std::getline(cells, cell, ',');) rows.back().push_back(std::stod(cell));
  }
  return rows;
}

const std::string rubbing = R"(name = "rubbing"
[[link]]
name = "turn"
joint = { kind = "revolute", axis = [0, 0, 1] }
mass = 2
com = [0.2, 0, 0]
inertia = [0.01, 0.02, 0.02]
friction = { coulomb = 1.5 }
limits = { position = [-2, 2], velocity = 3, effort = 40 }
[[link]]
name = "grip"
joint = { kind = "prismatic", axis = [1, 0, 0] }
mass = 0.3
inertia = [1e-4, 2e-4, 2e-4]
friction = { coulomb = 0.4 }
)";

}  // namespace

TEST_CASE(
    "a joint at rest has no dry friction in the torques of a file with t and q alone, nor where its last digit "
    "flickers") {
  write("rubbing.toml", rubbing);
  for (const bool flicker : {false, true}) {
    std::string csv = "t,turn,grip\n";
    for (int i = 0; i <= 300; ++i) {
      char line[80];
      const double t = 0.01 * i;
      std::snprintf(line, sizeof line, "%.2f,%.8f,%.5f\n", t, 0.8 * std::sin(t),
                    0.02 + (flicker && i * i % 7 < 3 ? 1e-5 : 0));
      csv += line;
    }
    write("rest.csv", csv);
    const Outcome id = torsor("id rubbing.toml --motion rest.csv");
    REQUIRE(id.code == 0);
    const auto rows = rows_of(id.out);
    REQUIRE(rows.size() == 301);
    for (const auto& row : rows) {
      REQUIRE(row[4] == 0);  // qd.grip
      // the joint that moves keeps its friction
      CHECK(row[3] == doctest::Approx(0.8 * std::cos(row[0])).epsilon(1e-2).scale(0.05));
    }
    if (flicker) continue;
    // what is left at the slide is what turning does to it
    for (std::size_t i = 30; i + 30 < rows.size(); ++i) {
      const double w = rows[i][3];
      CHECK(std::abs(rows[i][8] + 0.3 * rows[i][2] * w * w) < 1e-3);
    }
  }
}

TEST_CASE("rows that hide how a joint turns over end the path, with time and reason") {
  write("welder.toml", welder);
  write("beside.toml", beside());
  const Outcome track = torsor("track welder.toml beside.toml --branch '+ + +' -o tau.csv");
  CHECK(track.code == 1);
  CHECK((tells(track.err, "path-stop", {"\"wrist_turn\""}) || contains(track.err, "joint \"flange\" moves by")));
  const auto rows = rows_of(read(path("tau.csv.partial")));
  REQUIRE(rows.size() > 400);
  REQUIRE(rows.size() < 510);
  for (std::size_t i = 1; i < rows.size(); ++i)
    for (std::size_t k = 1; k <= 6; ++k) REQUIRE(std::abs(rows[i][k] - rows[i - 1][k]) < 0.1);
  const json answer = json_of("track welder.toml beside.toml --branch '+ + +' -o tau.csv");
  CHECK(answer["stop"] == "jump");
  CHECK(answer["complete"] == false);

  CHECK(torsor("ik welder.toml --path beside.toml --branch '+ + +' -o q.csv").code == 1);
  CHECK(torsor("size welder.toml beside.toml --branch '+ + +'").code == 1);
  // closer rows have no rates next to the singular position: they end there, too, and what is kept is told by its speeds
  CHECK(torsor("track welder.toml beside.toml --branch '+ + +' --step 0.0005 -o tau.csv").code == 1);
  const auto close = rows_of(read(path("tau.csv.partial")));
  REQUIRE(close.size() > 9000);
  for (std::size_t i = 1; i < close.size(); ++i)
    for (std::size_t k = 1; k <= 6; ++k) {
      const double fastest = std::max(std::abs(close[i][6 + k]), std::abs(close[i - 1][6 + k]));
      REQUIRE(std::abs(close[i][k] - close[i - 1][k]) <= std::max(2 * 0.0005 * fastest * (1 + 1e-6), 1e-3));
    }
}

TEST_CASE(
    "speeds, positions and efforts beyond the limits of the robot are told by every verb, and --strict counts them") {
  write("welder.toml", welder);
  write("fast.toml", fast());
  const std::string track = "track welder.toml fast.toml --branch '+ + +' -o tau.csv";
  const Outcome plain = torsor(track), strict = torsor(track + " --strict");
  CHECK(plain.code == 0);
  CHECK(contains(plain.err, "\"wrist_turn\": speed"));
  CHECK(says(plain.err, {"6.28319"}));
  CHECK(contains(plain.out, "positions and speeds against their limits"));
  CHECK(strict.code == 1);
  CHECK(tells(strict.err, "limit-passed"));
  const json answer = json_of(track);
  REQUIRE(!answer["limits_passed"].empty());
  const json worst = answer["limits_passed"][0];
  CHECK(worst["joint"] == "wrist_turn");
  CHECK(worst["quantity"] == "speed");
  // the rows of the answer are the other witness
  double fastest = 0, when = 0;
  for (const auto& row : rows_of(read(path("tau.csv"))))
    if (std::abs(row[10]) > std::abs(fastest)) fastest = row[10], when = row[0];
  CHECK(worst["value"].get<double>() == doctest::Approx(fastest).epsilon(1e-12));
  CHECK(worst["time"].get<double>() == doctest::Approx(when).epsilon(1e-12));
  CHECK(std::abs(fastest) > 2 * std::numbers::pi);

  // the joints of that path, through the other verbs
  CHECK(contains(torsor("ik welder.toml --path fast.toml --branch '+ + +' -o q.csv").err, "\"wrist_turn\": speed"));
  CHECK(torsor("ik welder.toml --path fast.toml --branch '+ + +' -o q.csv --strict").code == 1);
  CHECK(contains(torsor("id welder.toml --motion tau.csv").err, "\"wrist_turn\": speed"));
  CHECK(torsor("id welder.toml --motion tau.csv -o out.csv --strict").code == 1);
  CHECK(torsor("size welder.toml tau.csv --strict").code == 1);
  CHECK(contains(torsor("id welder.toml --motion tau.csv --html page.html -o out.csv").out, "page: page.html"));
  CHECK(contains(read(path("page.html")), "limit 6.283"));

  write("rubbing.toml", rubbing);
  write("wide.toml", "motion = \"joints\"\n[[point]]\nq = [0, 0]\n[[point]]\nq = [2.5, 0.1]\nduration = 1\n");
  for (const std::string verb :
       {"path wide.toml --robot rubbing.toml -o wide.csv", "id rubbing.toml --motion wide.csv -o out.csv",
        "size rubbing.toml wide.toml", "roundtrip rubbing.toml wide.toml --interpolation exact",
        "id rubbing.toml --q 2.5,0 --qd 4,0"}) {
    CAPTURE(verb);
    const Outcome outcome = torsor(verb), refused = torsor(verb + " --strict");
    CHECK(outcome.code == 0);
    CHECK(says(outcome.err, {"\"turn\"", "2.5"}));
    CHECK(contains(outcome.err, "is beyond its limit 2 rad"));
    CHECK(contains(outcome.err, "\"turn\": speed 4"));
    CHECK(refused.code == 1);
    CHECK(tells(refused.err, "limit-passed"));
  }
  const std::string swing = "simulate rubbing.toml --torque zero --q 1.9,0 --qd 2,0 --time 1 -o out.csv";
  CHECK(torsor(swing).code == 0);
  CHECK(contains(torsor(swing).err, "\"turn\": position"));
  CHECK(torsor(swing + " --strict").code == 1);
  const Outcome control = torsor("control welder.toml --laws computed-torque --duration 0.2 --strict");
  CHECK(control.code == 1);
  CHECK(tells(control.err, "limit-passed"));

  // degrees where radians are meant
  write("degrees.csv", "t,turn,grip\n0,90,0\n0.01,90,0\n0.02,90,0\n");
  CHECK(contains(torsor("id rubbing.toml --motion degrees.csv").err, "angles are beyond the limits of their joints as radians, and inside them as degrees: --degrees"));
  // a whole turn that is passed by a tenth of a percent has no degrees
  CHECK(contains(torsor("id xarm7 --q '6.29 0 0 1 0 0 0'").err, "6.29"));
  CHECK_FALSE(contains(torsor("id xarm7 --q '6.29 0 0 1 0 0 0'").err, "degrees"));
  // most of them: an elbow that is 57 degrees where 45 are allowed does not make them radians
  const Outcome most = torsor("id puma560 --q '0 45 90 0 45 0'");
  CHECK(contains(most.err, "as degrees: --degrees"));
  CHECK_FALSE(contains(torsor("id puma560 --q '0 0.5 -1 0 0.5 0'").err, "degrees"));
  // and without limits what only turns would explain
  CHECK(contains(torsor("id two_link --q 45,90").err, "if they are degrees: --degrees"));
  CHECK_FALSE(contains(torsor("id two_link --q 4,9").err, "degrees"));
  // but not of positions that are computed
  const Outcome flung = torsor("simulate rubbing.toml --torque zero --q 0,0 --qd 60,0 --time 1 -o out.csv");
  CHECK(contains(flung.err, "\"turn\": position"));
  CHECK_FALSE(contains(flung.err, "degrees"));
  // and a motion inside says nothing
  write("calm.toml", "motion = \"joints\"\n[[point]]\nq = [0, 0]\n[[point]]\nq = [0.5, 0.1]\nduration = 1\n");
  const Outcome calm = torsor("size rubbing.toml calm.toml --strict");
  CHECK(calm.code == 0);
  CHECK_FALSE(contains(calm.err, "limit"));
}

TEST_CASE("a corner that no drive can follow is told, is refused where drives are sized, and under limits is a stop") {
  const std::string points =
      "[[point]]\nposition = [0.4, -0.3, 0.1]\nrpy_deg = [180, 0, 0]\n[[point]]\nposition = [0.4, -0.3, 0.3]\n"
      "[[point]]\nposition = [0.4, 0.3, 0.3]\n[[point]]\nposition = [0.4, 0.3, 0.1]\n";
  write("sharp.toml", "motion = \"tool\"\npath = \"polygon\"\nduration = 2\n" + points);
  const Outcome path_verb = torsor("path sharp.toml -o p.csv"), track = torsor("track ur5 sharp.toml -o tau.csv");
  for (const Outcome& outcome : {path_verb, track}) {
    CHECK(outcome.code == 0);
    CHECK(says(outcome.err, {"2", "3"}));
  }
  const Outcome size = torsor("size ur5 sharp.toml --payload 2");
  CHECK(size.code == 1);
  CHECK(tells(size.err, "motion-corner"));
  CHECK(size.out.empty());
  write("kinked.toml",
        "motion = \"joints\"\npath = \"blends\"\n[[point]]\nq = [0, 0]\nblend = 0.2\n[[point]]\nq = [0.5, "
        "0.1]\nduration = 1\n"
        "blend = 0\n[[point]]\nq = [0.2, 0]\nduration = 1\nblend = 0.2\n");
  write("rubbing.toml", rubbing);
  CHECK(contains(torsor("path kinked.toml -o p.csv").err, "at point 2 the velocity jumps"));
  CHECK(torsor("size rubbing.toml kinked.toml").code == 1);

  // under limits the tool stops there: what is asked of the drives has no jump in it, and is near what rounding asks
  write("stops.toml",
        "motion = \"tool\"\npath = \"polygon\"\nlimits = { velocity = 1, acceleration = 6, jerk = 80 }\n" + points);
  write("round.toml",
        "motion = \"tool\"\npath = \"polygon\"\nrounding_mm = 50\nlimits = { velocity = 1, acceleration = 6, jerk = 80 "
        "}\n" +
            points);
  double duration[2] = {}, peak[2] = {};
  for (int k = 0; k < 2; ++k) {
    const std::string file = k == 0 ? "stops.toml" : "round.toml";
    const Outcome made = torsor("path " + file + " --step 0.001 -o p.csv --json");
    REQUIRE(made.code == 0);
    CHECK(contains(made.err, "the tool stops at point 2") == (k == 0));
    const json answer = json_of(made);
    duration[k] = answer["duration"].get<double>();
    CHECK(answer["peak_speed"].get<double>() <= 1 + 1e-9);
    CHECK(answer["peak_acceleration"].get<double>() <= 6 * (1 + 1e-9));
    CHECK(answer["peak_acceleration"].get<double>() > 5.9);
    const Outcome sized = torsor("size ur5 " + file + " --payload 2 --json");
    REQUIRE(sized.code == 0);
    peak[k] = std::abs(json_of(sized)["joints"][0]["peak_torque"].get<double>());
  }
  CHECK(duration[1] < duration[0]);
  CHECK(peak[0] > 0.5 * peak[1]);
}

TEST_CASE(
    "rows of a file that jump are refused where drives are sized, and noted elsewhere, with time, joint and count") {
  write("sharp.toml",
        "motion = \"tool\"\npath = \"polygon\"\nduration = 2\n"
        "[[point]]\nposition = [0.4, -0.3, 0.1]\nrpy_deg = [180, 0, 0]\n[[point]]\nposition = [0.4, -0.3, 0.3]\n"
        "[[point]]\nposition = [0.4, 0.3, 0.3]\n[[point]]\nposition = [0.4, 0.3, 0.1]\n");
  REQUIRE(torsor("track ur5 sharp.toml -o sharp.csv").code == 0);
  const Outcome size = torsor("size ur5 sharp.csv");
  CHECK(size.code == 1);
  CHECK(tells(size.err, "motion-jump"));
  const Outcome id = torsor("id ur5 --motion sharp.csv -o tau.csv --json");
  REQUIRE(id.code == 0);
  const json jumps = json_of(id)["jumps"];
  CHECK(jumps["count"] == 2);
  CHECK(jumps["quantity"] == "velocity");
  CHECK(std::abs(jumps["after"].get<double>() - jumps["before"].get<double>()) > 0.1);
  CHECK(contains(id.err, "(and so in 1 more step)"));
  const Outcome strict = torsor("id ur5 --motion sharp.csv -o tau.csv --strict --html sharp.html");
  CHECK(strict.code == 1);
  CHECK(tells(strict.err, "motion-jump"));
  CHECK(contains(read(path("sharp.html")), "the velocity jumps from"));
  for (const std::string verb : {"fk ur5 --rates -o x.csv", "dominance ur5", "structure ur5"})
    CHECK(contains(torsor(verb + " --motion sharp.csv").err, "the velocity jumps from"));

  // two joints that turn over at rest; rows without times are states of their own
  write("rubbing.toml", rubbing);
  const std::string names = "turn,grip,qd.turn,qd.grip,qdd.turn,qdd.grip\n";
  write("over.csv", "t," + names + "0,0.558,0,0,0,0,0\n0.01,-0.558,0,0,0,0,0\n0.02,-0.558,0,0,0,0,0\n");
  write("states.csv", names + "0.558,0,0,0,0,0\n-0.558,0,0,0,0,0\n");
  const Outcome over = torsor("size rubbing.toml over.csv");
  CHECK(over.code == 1);
  CHECK(tells(over.err, "motion-jump", {"\"turn\"", "0.558", "-0.558", "0", "0.01"}));
  const json told = json_of("id rubbing.toml --motion over.csv -o x.csv")["jumps"];
  CHECK(told["quantity"] == "position");
  CHECK(told["first_time"] == 0);
  CHECK(told["joint"] == "turn");
  CHECK_FALSE(contains(torsor("id rubbing.toml --motion states.csv").err, "jumps"));
  // without rates they are derived, and a motion that is whole has no such member
  write("calm.toml", "motion = \"joints\"\n[[point]]\nq = [0, 0]\n[[point]]\nq = [0.5, 0.1]\nduration = 1\n");
  REQUIRE(torsor("path calm.toml -o calm.csv --robot rubbing.toml").code == 0);
  CHECK_FALSE(json_of("id rubbing.toml --motion calm.csv -o x.csv").contains("jumps"));
  CHECK(torsor("size rubbing.toml calm.csv").code == 0);
}

TEST_CASE("dry friction that goes with the noise of a record is told by joint, count and size") {
  write("rubbing.toml", rubbing);
  std::string still = "t,turn,grip\n", moving = still;
  std::mt19937 engine(3);
  for (int k = 0; k <= 300; ++k) {
    const int count = static_cast<int>(engine() % 3) - 1;  // an encoder that does not settle
    still += std::to_string(0.01 * k) + "," + std::to_string(0.5 + 1e-4 * count) + ",0.02\n";
    moving += std::to_string(0.01 * k) + "," + std::to_string(0.5 * std::sin(0.02 * k) + 1e-4 * count) + ",0.02\n";
  }
  write("still.csv", still);
  write("moving.csv", moving);
  const Outcome id = torsor("id rubbing.toml --motion still.csv -o x.csv --json");
  REQUIRE(id.code == 0);
  const json answer = json_of(id);
  REQUIRE(answer.contains("chatter"));
  REQUIRE(answer["chatter"].size() == 1);
  CHECK(answer["chatter"][0]["joint"] == "turn");
  CHECK(answer["chatter"][0]["reversals"].get<int>() > 10);
  CHECK(answer["chatter"][0]["friction_jump"].get<double>() > 0);
  CHECK(says(id.err, {"--cutoff"}));
  CHECK(says(torsor("size rubbing.toml still.csv").err, {"\"turn\""}));
  const Outcome moved = torsor("id rubbing.toml --motion moving.csv -o x.csv --json");
  REQUIRE(moved.code == 0);
  CHECK_FALSE(json_of(moved).contains("chatter"));
}

TEST_CASE("size says what its figures are of, and what the robot file leaves out") {
  write("rubbing.toml", rubbing);
  write("calm.toml", "motion = \"joints\"\n[[point]]\nq = [0, 0]\n[[point]]\nq = [0.5, 0.1]\nduration = 1\n");
  const Outcome some = torsor("size rubbing.toml calm.toml");
  CHECK(contains(some.out, "at the joints (friction included, no rotors)"));
  CHECK(contains(some.out, "the robot file has no rotors"));
  const Outcome bare =
      torsor("size ur5 - --json", "t,q1,q2,q3,q4,q5,q6\n0,0,0,0,0,0,0\n1,0.1,0,0,0,0,0\n2,0.2,0,0,0,0,0\n");
  CHECK(contains(bare.out, "neither rotors nor friction"));
  const Outcome all =
      torsor("size puma560_drives - ", "t,q1,q2,q3,q4,q5,q6\n0,0,0,0,0,0,0\n1,0.1,0,0,0,0,0\n2,0.2,0,0,0,0,0\n");
  CHECK(contains(all.out, "at the joints (rotors and friction included)"));
  CHECK_FALSE(contains(all.out, "the robot file has n"));
  CHECK(contains(all.out, "power and energy of the motors, sharing one supply"));
  CHECK(contains(some.out, "power and energy of the joints, sharing one supply"));
}

TEST_CASE(
    "a path that all but stands still next to a singular position is refused, and the branch that passes is named") {
  write("welder.toml", welder);
  write("beside.toml", beside());
  const Outcome scaled = torsor("track welder.toml beside.toml --branch '+ + +' --scale velocity -o tau.csv");
  CHECK(scaled.code == 1);
  CHECK(tells(scaled.err, "motion-scale"));
  write("fast.toml", fast());
  const Outcome warned = torsor("track welder.toml fast.toml --branch '+ + +' --scale velocity -o tau.csv");
  CHECK(warned.code == 0);
  CHECK_FALSE(contains(warned.err, "is beyond its limit"));
}

TEST_CASE("a round trip that is lost ends where it is, not at the end of the motion") {
  // an arm held upright: rounding makes it fall
  write("upright.toml",
        "name = \"upright\"\n[[link]]\nname = \"a\"\njoint = { kind = \"revolute\", axis = [0, 1, 0] }\nmass = 1\n"
        "com = [0, 0, 0.05]\ninertia = [8e-4, 8e-4, 4e-4]\n[[tool]]\nname = \"tip\"\nposition = [0, 0, 0.1]\n");
  write("slow.toml", "motion = \"joints\"\n[[point]]\nq = [0]\n[[point]]\nq = [0.02]\nduration = 20\n");
  const Outcome trip = torsor("roundtrip upright.toml slow.toml --interpolation exact --json");
  CHECK(trip.code == 0);
  const json row = json_of(trip)["rows"][0];
  CHECK(row["finished"] == false);
  CHECK(contains(row["end"].get<std::string>(), "the tool is farther from its plan"));
  CHECK(contains(trip.err, "torsor control"));
  CHECK(contains(torsor("roundtrip upright.toml slow.toml --interpolation exact").out, "the open loop is unstable"));
}

TEST_CASE("a redundant arm whose joint meets its limit has the rates of an arm on it, and what jumps is the velocity") {
  const auto polygon = [](const char* name, const char* a, const char* b, const char* c) {
    write(name, std::string("motion = \"tool\"\npath = \"polygon\"\nrounding = 0.02\n"
                            "limits = { velocity = 0.5, acceleration = 2, jerk = 20 }\n[[point]]\nposition = ") +
                    a + "\n[[point]]\nposition = " + b + "\n[[point]]\nposition = " + c + "\n");
  };
  polygon("panda_polygon.toml", "[0.4, -0.2, 0.6]", "[0.6, 0.0, 0.6]", "[0.45, -0.1, 0.65]");
  const Outcome track = torsor("track panda panda_polygon.toml -o panda_tau.csv");
  CHECK(track.code == 0);
  // joint 5 meets its limit twice, and stops there at once
  CHECK(contains(track.err, "the velocity jumps from"));
  CHECK(says(track.err, {"0.27", "0.28"}));
  CHECK(contains(track.err, "(and so in 1 more step)"));
  CHECK(torsor("size panda panda_tau.csv").code == 1);
  // on the page, in the answer, and as an exit code
  for (const std::string verb : {"track panda", "ik panda --path"}) {
    const Outcome strict = torsor(verb + " panda_polygon.toml --strict -o panda_strict.csv --html panda.html");
    CHECK(strict.code == 1);
    CHECK(tells(strict.err, "motion-jump"));
    CHECK(contains(read(path("panda.html")), "the velocity jumps from"));
    const json jumps = json_of(verb + " panda_polygon.toml -o panda_strict.csv")["jumps"];
    CHECK(jumps["count"] == 2);
    CHECK(jumps["quantity"] == "velocity");
    const Outcome centred = torsor(verb + " panda_polygon.toml --strict --aim centre -o panda_strict.csv");
    CHECK(!tells(centred.err, "motion-jump"));
  }
  const Outcome path = torsor("ik panda --path panda_polygon.toml -o panda_q.csv");
  CHECK(contains(path.err, "the velocity jumps from"));
  // a joint that is on its limit from the start, or keeps away, moves as its rates say
  const Outcome centred = torsor("track panda panda_polygon.toml --aim centre -o panda_centred.csv");
  CHECK(centred.code == 0);
  CHECK(!contains(centred.err, "jumps"));
  CHECK(torsor("size panda panda_centred.csv").code == 0);
  // two limits: the joint on one has to leave it when another joint meets the other
  polygon("iiwa_polygon.toml", "[0.42631, 0.31536, 0.66415]", "[0.59882, -0.27935, 0.39241]",
          "[0.56107, 0.13712, 0.48224]");
  const Outcome two = torsor("track iiwa14 iiwa_polygon.toml --seed 249 --free-turn z -o iiwa_tau.csv");
  CHECK(two.code == 0);
  CHECK(contains(two.err, "the velocity jumps from"));
  CHECK(contains(two.err, "(and so in 1 more step)"));
  // and where nothing jumps nothing is said
  CHECK(!contains(torsor("track sixr_angeles sixr_angeles -o angeles_tau.csv").err, "jumps"));
}

namespace {

/// Two joints whose limits are of accelerations and jerks, too; drive: what the first one has besides.
std::string quick(const std::string& drive, double effort = 50) {
  const auto link = [effort](const std::string& name, const std::string& more) {
    return "[[link]]\nname = \"" + name + "\"\njoint = { kind = \"revolute\", name = \"j" + name +
           "\", axis = [0, 1, 0] }\nmass = 1\ncom = [0.2, 0, 0]\ninertia = [0.01, 0.01, 0.01]\n" + more +
           "limits = { position = [-1, 1], velocity = 1, effort = " + std::to_string(effort) +
           ", acceleration = 2, jerk = 20 }\n";
  };
  return "name = \"quick\"\n" + link("a", drive) + link("b", "placement = { position = [0.4, 0, 0] }\n");
}
const std::string quintic =
    "motion = \"joints\"\nlaw = \"quintic\"\n[[point]]\nq = [0, 1]\n[[point]]\nq = [0.2, 0.9]\nduration = 0.4\n";

const json& passed_by(const json& answer, const std::string& joint, const std::string& quantity) {
  for (const json& each : answer["limits_passed"])
    if (each["joint"] == joint && each["quantity"] == quantity) return each;
  static const json none;
  return none;
}

}  // namespace

TEST_CASE("limits of acceleration and jerk are looked at by every verb that goes along a motion") {
  write("quick.toml", quick(""));
  write("quintic.toml", quintic);
  // a quintic of D in T: 5.7735 D/T^2 = 7.217 rad/s^2 and 60 D/T^3 = 187.5 rad/s^3, the mean of the first 10 ms 173.6
  const double peak = 10 / std::sqrt(3.0) * 0.2 / 0.16, jerk = 60 * 0.2 / 0.064;
  REQUIRE(torsor("path quintic.toml --robot quick.toml -o quick.csv").code == 0);
  for (const std::string command : {"path quintic.toml --robot quick.toml -o again.csv", "size quick.toml quintic.toml",
                                    "size quick.toml quick.csv", "id quick.toml --motion quick.csv -o tau.csv",
                                    "roundtrip quick.toml quintic.toml --interpolation exact"}) {
    INFO(command);
    const Outcome strict = torsor(command + " --strict");
    CHECK(strict.code == 1);
    CHECK(contains(strict.err, "[limit-passed]"));
    CHECK(contains(strict.err, "\"ja\": acceleration "));
    CHECK(contains(strict.err, "is beyond its limit 2 rad/s²"));
    CHECK(contains(strict.err, "\"ja\": jerk "));
    CHECK(contains(strict.err, "is beyond its limit 20 rad/s³"));
    CHECK(contains(strict.err, " as the mean from "));
    const json answer = json_of(command);
    const json& a = passed_by(answer, "ja", "acceleration");
    const json& j = passed_by(answer, "ja", "jerk");
    REQUIRE(!a.is_null());
    REQUIRE(!j.is_null());
    CHECK(std::abs(a["value"].get<double>()) == doctest::Approx(peak).epsilon(0.01));
    CHECK(a["limit"] == 2);
    CHECK(std::abs(j["value"].get<double>()) <= jerk);
    CHECK(std::abs(j["value"].get<double>()) > 0.9 * jerk);
    CHECK(j.contains("mean_from"));
    CHECK(passed_by(answer, "ja", "speed").is_null());
  }
  const Outcome size = torsor("size quick.toml quintic.toml");
  CHECK(size.code == 0);
  CHECK_FALSE(contains(size.out, "limits of the robot are kept"));
  CHECK(contains(size.out, "limits of the robot are passed, first the"));
  CHECK(contains(size.out, "peak acceleration"));
  CHECK(contains(torsor("path quintic.toml --robot quick.toml -o again.csv").out, "peak jerk"));
  // one state, and a run of its own
  CHECK(contains(torsor("id quick.toml --q 0,0 --qdd 3,0").err,
                 "acceleration 3 rad/s² is beyond its limit 2 rad/s² (150 %)"));
  CHECK(contains(torsor("fk quick.toml --q 0,0 --qd 0,0 --qdd 0,-3").err, "acceleration -3 rad/s²"));
  CHECK(contains(torsor("simulate quick.toml --torque zero --q 0,0 --time 0.1 -o fall.csv").err, "acceleration"));
  // in degrees both are
  CHECK(contains(torsor("id quick.toml --q 0,0 --qdd 360,0 --degrees").err,
                 "acceleration 360 deg/s² is beyond its limit 114.592 deg/s²"));
  // they are listed
  const Outcome show = torsor("show quick.toml");
  CHECK(contains(show.out, "acceleration"));
  CHECK(contains(show.out, "jerk"));
  CHECK_FALSE(contains(torsor("show ur5").out, "jerk"));
  const json listed = json_of("show quick.toml");
  CHECK(listed.dump().find("\"jerk\":20") != std::string::npos);
  CHECK(contains(torsor("id quick.toml --motion quick.csv -o tau.csv --html -").out, "Angular accelerations"));
  // slow enough, nothing is said
  std::string slow = quintic;
  slow.replace(slow.find("0.4"), 3, "1.6");
  write("slow.toml", slow);
  const Outcome calm = torsor("size quick.toml slow.toml --strict");
  CHECK(calm.code == 0);
  CHECK(contains(calm.out, "limits of the robot are kept"));
}

TEST_CASE("a speed that is reached between rows is held against its limit") {
  write("welder.toml", welder);
  write("fast.toml", fast());
  const std::string command = "track welder.toml fast.toml --branch '+ + +' --step 0.3 -o coarse.csv";
  const Outcome track = torsor(command);
  CHECK(track.code == 0);
  CHECK(contains(track.err, "\"wrist_turn\": speed"));
  CHECK(contains(track.err, " as the mean from "));
  CHECK(contains(track.err, "is beyond its limit 6.28319 rad/s"));
  CHECK(torsor(command + " --strict").code == 1);
  const json answer = json_of(command);
  const json& turn = passed_by(answer, "wrist_turn", "speed");
  REQUIRE(!turn.is_null());
  // by the rows themselves
  const auto rows = rows_of(read(path("coarse.csv")));
  double most = 0, from = 0;
  for (std::size_t i = 1; i < rows.size(); ++i)
    if (const double mean = (rows[i][4] - rows[i - 1][4]) / (rows[i][0] - rows[i - 1][0]);
        std::abs(mean) > std::abs(most))
      most = mean, from = rows[i - 1][0];
  CHECK(turn["value"].get<double>() == doctest::Approx(most).epsilon(1e-6));
  CHECK(turn["mean_from"].get<double>() == doctest::Approx(from));
  CHECK(contains(torsor("id welder.toml --motion coarse.csv -o x.csv").err, "as the mean from"));
  // closer rows have it themselves
  CHECK_FALSE(contains(torsor("track welder.toml fast.toml --branch '+ + +' -o fine.csv").err, "as the mean from"));
}

TEST_CASE("numbers of rotors and friction that are zero are not there") {
  write("quintic.toml", quintic);
  write("gear.toml", quick("rotor = { inertia = 0, gear = 50 }\n"));
  const Outcome gear = torsor("size gear.toml quintic.toml");
  CHECK(contains(gear.out, "neither rotors nor friction"));
  CHECK_FALSE(contains(gear.out, "rotors included"));
  CHECK(contains(gear.out, "at the motors (through their gears: no rotor has an inertia)"));
  write("smooth.toml", quick("friction = { viscous = 0, coulomb = 0 }\n"));
  const Outcome smooth = torsor("size smooth.toml quintic.toml");
  CHECK(contains(smooth.out, "neither rotors nor friction"));
  CHECK_FALSE(contains(smooth.out, "friction included"));
  write("turning.toml", quick("rotor = { inertia = 1e-5, gear = 50 }\nfriction = { viscous = 0.1 }\n"));
  const Outcome turning = torsor("size turning.toml quintic.toml");
  CHECK(contains(turning.out, "at the joints (rotors and friction included)"));
  CHECK(contains(turning.out, "at the motors (their own rotors included)"));
}
