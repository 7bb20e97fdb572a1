#include <doctest/doctest.h>

#include <cmath>
#include <nlohmann/json.hpp>
#include <numbers>

#include "command.hpp"
#include "tests/cli/json_numbers.hpp"
#include "tests/support/page_data.hpp"
#include "tests/support/places.hpp"

using namespace cli_test;
using nlohmann::json;

namespace {

/// The rows of an answer against golden q, qd, qdd, tau: angles up to whole turns, the rest relative to the largest of
/// its kind. 1e-9 is what the golden files ask for.
template <class Golden>
void check_rows(const json& rows, std::size_t count, const Golden& golden_numbers) {
  REQUIRE(rows.size() == count);
  constexpr const char* names[] = {"q", "qd", "qdd", "tau"};
  for (std::size_t part = 0; part < 4; ++part) {
    double worst = 0, largest = 1;
    for (std::size_t i = 0; i < count; ++i) {
      const json& wanted = golden_numbers(names[part], i);
      for (std::size_t k = 0; k < 6; ++k) {
        const double x = wanted[k].template get<double>(), error = rows[i][1 + 6 * part + k].template get<double>() - x;
        worst = std::max(worst, std::abs(part == 0 ? std::remainder(error, 2 * std::numbers::pi) : error));
        largest = std::max(largest, std::abs(x));
      }
    }
    CAPTURE(names[part]);
    CHECK(worst < 1e-9 * largest);
  }
}

}  // namespace

TEST_CASE("one command gives the golden joint motion and torques of example 2 of Angeles, Ma and Rojas") {
  const json file = json::parse(read(places::in_project("tests/golden/sixr_000.json")));
  for (const std::string law : {"quintic", "septic"}) {
    CAPTURE(law);
    const json& golden = file["variants"]["line_theta4_93p6_" + law + "_inertia_distal_frames"]["rows"];
    const Outcome track = torsor("track sixr_angeles sixr_angeles --variant " + law + " --json");
    REQUIRE(track.code == 0);
    const json answer = json_of(track);
    CHECK(answer["complete"] == true);
    check_rows(answer["rows"], golden.size(),
               [&](const char* name, std::size_t i) -> const json& { return golden[i][name]; });
  }
}

TEST_CASE("one command gives the golden joint motion and torques of the robot of Sim, Yoo and Lee") {
  const json file = json::parse(read(places::in_project("tests/golden/robot001.json")));
  for (const std::size_t series : {0, 1}) {
    const json& golden = file["series"][series];
    REQUIRE(golden["variant"] == "A");
    const std::string variant = golden["profile"] == "smooth" ? "smooth ramps" : "constant acceleration";
    CAPTURE(variant);
    const Outcome track =
        torsor("track sixr_sim sixr_sim --variant \"" + variant + "\" --step " + golden["t"][1].dump() + " --json");
    REQUIRE(track.code == 0);
    check_rows(json_of(track)["rows"], golden["t"].size(),
               [&](const char* name, std::size_t i) -> const json& { return golden[name][i]; });
  }
}

TEST_CASE("a path as CSV, through a pipe, gives the torques of its formula") {
  const json formula = json_of("track sixr_angeles sixr_angeles")["rows"];
  REQUIRE(torsor("path sixr_angeles -o line.csv").code == 0);
  for (const char* start : {"--branch \"+ - +\"", "--q \"0 68deg -134deg 93deg 90deg 90deg\""}) {
    const Outcome track = torsor(std::string("track sixr_angeles - --json ") + start, read(cli_test::path("line.csv")));
    REQUIRE(track.code == 0);
    const json rows = json_of(track)["rows"];
    REQUIRE(rows.size() == formula.size());
    for (std::size_t i = 0; i < rows.size(); ++i)
      for (std::size_t k = 0; k < rows[i].size(); ++k)
        CHECK(std::abs(rows[i][k].get<double>() - formula[i][k].get<double>()) < 1e-8);
  }
}

TEST_CASE("torques along a path are those of inverse dynamics along its joints, loads included") {
  write("line.toml",
        "motion = \"tool\"\npath = \"line\"\nduration = 1\n[[point]]\nposition = [0.4, 0.2, 0.6]\n"
        "rpy = [0, 1.5, 0]\n[[point]]\nposition = [0.4, -0.2, 0.7]\n");
  const json track = json_of("track puma560 line.toml --payload 2.5,0,0,0.1");
  REQUIRE(track["rows"].size() == 101);
  REQUIRE(torsor("ik puma560 --path line.toml -o joints.csv").code == 0);
  // through a batch, whose sums are in another order, to rounding of the row's largest torque
  const json batch = json_of("id puma560 --motion joints.csv --payload 2.5,0,0,0.1");
  CHECK(batch["columns"] == track["columns"]);
  REQUIRE(batch["rows"].size() == track["rows"].size());
  for (std::size_t k = 0; k < batch["rows"].size(); ++k)
    for (std::size_t i = 0; i < batch["columns"].size(); ++i)
      CHECK(std::abs(batch["rows"][k][i].get<double>() - track["rows"][k][i].get<double>()) < 1e-13);
}

TEST_CASE("the page has torques, every branch, distances to singular positions and the residual") {
  const Outcome track = torsor("track sixr_angeles sixr_angeles -o torques.csv --html torques.html");
  REQUIRE(track.code == 0);
  CHECK(contains(track.out, "nearest to singular: the shoulder at 0 s"));
  const std::string page = read(cli_test::path("torques.html"));
  for (const char* part : {"Torques at the joints", "Joint positions of every branch", "how far each branch goes",
                           "Joint accelerations", "Distance to singular positions", "Tracking residual", "- + -"})
    CHECK(contains(page, part));
}

TEST_CASE("an arm without a closed form follows, too") {
  write("arc.toml",
        "motion = \"tool\"\npath = \"arc\"\nduration = 2\n[[point]]\nposition = [0.4, -0.1, 0.5]\nrpy = [3, 0, 0]\n"
        "[[point]]\nposition = [0.45, 0, 0.5]\n[[point]]\nposition = [0.4, 0.1, 0.5]\n");
  const json answer = json_of("track panda arc.toml --step 0.05");
  CHECK(answer["solver"] == "general");
  CHECK(answer["complete"] == true);
  CHECK(answer["worst_position_residual"].get<double>() < 1e-9);
}

TEST_CASE("where the path cannot be followed it stops with time and reason, and what was followed is written") {
  write("reaching.toml", reaching);
  const Outcome track = torsor("track puma560 reaching.toml -o part.csv --html part.html");
  CHECK(track.code == 1);
  CHECK(tells(track.err, "path-stop"));
  CHECK(read(cli_test::path("part.csv.partial")).starts_with("t,q.waist,"));
  CHECK(read(cli_test::path("part.csv.partial")).size() > 2000);
  CHECK(contains(read(cli_test::path("part.html")), "Where it ended"));
  const json answer = json_of("track puma560 reaching.toml");
  CHECK(answer["complete"] == false);
  CHECK(answer["stop_time"].get<double>() > 0.1);
  CHECK(answer["stop_time"].get<double>() < 0.9);
}

TEST_CASE("wrong requests are refused with what is expected") {
  write("poses.csv", "t,x,y,z,roll,pitch,yaw\n0,0.4,0.2,0.6,0,1.5,0\n1,0.4,0.1,0.6,0,1.5,0\n");
  write("line.toml", reaching);
  for (const char* arguments :
       {"track", "track puma560", "track puma560 nothing", "track puma560 nothing.csv", "track puma560 stanford",
        "track puma560 poses.csv", "track puma560 line.toml --branch x", "track puma560 line.toml --branch +++ --q 0",
        "track puma560 poses.csv --step 0.1", "track puma560 line.toml --html -",
        "track nothing line.toml", "track sixr_sim sixr_sim --variant x", "track puma560 line.toml -o line.toml",
        "track puma560 line.toml --payload -1", "track puma560 line.toml --tool nothing",
        "track puma560 line.toml --step 0"}) {
    CAPTURE(arguments);
    const Outcome refused = torsor(arguments);
    CHECK(refused.code == 2);
    CHECK_FALSE(refused.err.empty());
    CHECK(refused.out.empty());
  }
}

TEST_CASE("a branch that is outside its limits or does not exist is refused, and no other is followed in its place") {
  write("limited.toml",
        "motion = \"tool\"\npath = \"line\"\nduration = 1\n[[point]]\nposition = [0.4, 0.2, 0.6]\n"
        "rpy = [0, 1.5, 0]\n[[point]]\nposition = [0.4, 0.1, 0.6]\n");
  const json all = json_of("ik puma560 --pose \"0.4 0.2 0.6 0 1.5 0\" --all")["branches"];
  int outside = 0;
  for (const json& branch : all) {
    if (branch["inside_limits"] == true) continue;
    ++outside;
    std::string signs;
    for (const char* part : {"shoulder", "elbow", "wrist"}) signs += branch[part].get<int>() > 0 ? " +" : " -";
    for (const std::string verb : {"track puma560 limited.toml", "ik puma560 --path limited.toml"}) {
      CAPTURE(verb + signs);
      const Outcome refused = torsor(verb + " --branch \"" + signs + "\"");
      CHECK(refused.code == 1);
      CHECK(refused.out.empty());
      CHECK(tells(refused.err, "ik-limits"));
    }
  }
  CHECK(outside > 0);
  const Outcome none = torsor("track puma560 limited.toml --branch \"7 +\"");
  CHECK(none.code == 1);
  CHECK(tells(none.err, "ik-branch"));
  // nor has it limits of velocity
  const Outcome unlimited = torsor("track puma560 limited.toml --scale velocity");
  CHECK(unlimited.code == 1);
  CHECK(tells(unlimited.err, "motion-limit"));
  CHECK(torsor("ik puma560 --path limited.toml --scale velocity").code == 1);
  CHECK(torsor("ik puma560 --path limited.toml --scale velocity,speed").code == 2);
}

TEST_CASE("a path that begins with a singular wrist begins at the member of the family that --q gives") {
  write("wrist.toml",
        "motion = \"joints\"\n[[point]]\nq = [0.3, -0.5, 0.4, 0.4, 0, 0.2]\n[[point]]\n"
        "q = [0.5, -0.4, 0.3, 0.4, 0.7, 0.2]\nduration = 2\n");
  REQUIRE(torsor("path wrist.toml -o wrist.csv").code == 0);
  REQUIRE(torsor("fk puma560 --motion wrist.csv --rates -o hand.csv").code == 0);
  const Outcome track = torsor("track puma560 hand.csv --q 0.3,-0.5,0.4,0.4,0,0.2 --json");
  CHECK(track.code == 0);
  CHECK(contains(track.err, "note: the arm is singular at t = 0"));
  const json rows = json_of(track)["rows"];
  CHECK(rows.size() > 100);
  for (const json& row : rows) {
    CHECK(std::abs(row[4].get<double>() - 0.4) < 1e-6);
    CHECK(std::abs(row[6].get<double>() - 0.2) < 1e-6);
  }
}

TEST_CASE("a path that pursues an aim begins at the posture that the aim gives for its first pose") {
  write("over.toml",
        "motion = \"tool\"\npath = \"line\"\nduration = 1\n[[point]]\nposition = [0.4, 0.1, 0.5]\n"
        "rpy = [3.1416, 0, 0]\n[[point]]\nposition = [0.4, 0, 0.5]\n");
  std::vector<double> before;
  for (const std::string aim : {"centre", "manipulability"}) {
    CAPTURE(aim);
    const Outcome pose = torsor("ik panda --pose \"0.4 0.1 0.5 3.1416 0 0\" --json --aim " + aim);
    const Outcome track = torsor("track panda over.toml --step 0.1 --json --aim " + aim);
    const Outcome joints = torsor("ik panda --path over.toml --step 0.1 --json --aim " + aim);
    REQUIRE(pose.code == 0);
    REQUIRE(track.code == 0);
    REQUIRE(joints.code == 0);
    const json q = json_of(pose)["q"], first = json_of(track)["rows"][0],
               row = json_of(joints)["rows"][0];
    std::vector<double> here;
    for (std::size_t k = 0; k < 7; ++k) {
      CHECK(first[1 + k].get<double>() == doctest::Approx(q[k].get<double>()).epsilon(1e-6));
      CHECK(row[1 + k] == first[1 + k]);
      here.push_back(q[k]);
    }
    CHECK(here != before);
    before = here;
  }
}

TEST_CASE("track and ik --path name the same things alike, and a share of a limit that is rounding is 0 %") {
  write("short.toml",
        "motion = \"tool\"\npath = \"line\"\nduration = 1\n[[point]]\nposition = [0.4, 0.2, 0.6]\n"
        "rpy_deg = [0, 90, 0]\n[[point]]\nposition = [0.4, 0.1, 0.6]\n");
  const json track = json_of("track puma560 short.toml -o short.csv"),
             joints = json_of("ik puma560 --path short.toml -o short.csv");
  for (const char* key : {"robot", "path", "input", "solver", "output", "row_count", "stop", "stop_time", "explanation",
                          "worst_position_residual", "worst_angle_residual", "complete"}) {
    CAPTURE(key);
    CHECK(track.contains(key));
    CHECK(track[key] == joints[key]);
  }
  const Outcome text = torsor("track puma560 short.toml -o short.csv");
  REQUIRE(contains(text.out, " 0 %"));
  for (std::size_t at = text.out.find(" %"); at != std::string::npos; at = text.out.find(" %", at + 1))
    CHECK_FALSE(contains(text.out.substr(at - 4, 4), "e-"));
}

TEST_CASE("rows whose rates the hand does not determine are marked") {
  write("pass.toml",
        "motion = \"joints\"\n[[point]]\nq = [0.3, -0.5, 0.4, 0.4, 0, 0.2]\n[[point]]\n"
        "q = [0.5, -0.4, 0.3, 0.4, 0.7, 0.2]\nduration = 2\n");
  REQUIRE(torsor("path pass.toml -o pass.csv").code == 0);
  REQUIRE(torsor("fk puma560 --motion pass.csv --rates -o pass_hand.csv").code == 0);
  for (const std::string verb : {"track puma560 pass_hand.csv", "ik puma560 --path pass_hand.csv"}) {
    CAPTURE(verb);
    const Outcome out = torsor(verb + " --q 0.3,-0.5,0.4,0.4,0,0.2");
    REQUIRE(out.code == 0);
    CHECK(contains(out.err, "note: the arm is singular at t = 0"));
    const std::string header = out.out.substr(0, out.out.find('\n')),
                      first =
                          out.out.substr(header.size() + 1, out.out.find('\n', header.size() + 1) - header.size() - 1);
    CHECK(header.ends_with(",undetermined"));
    CHECK((first.ends_with(",1") || first.ends_with(",2")));
    CHECK(out.out.ends_with(",0\n"));
  }
  CHECK_FALSE(contains(torsor("track sixr_angeles sixr_angeles").out, "undetermined"));
}

TEST_CASE("velocities of a file that contradict its poses are noticed with row and column") {
  REQUIRE(torsor("path sixr_angeles --step 0.01 -o good.csv").code == 0);
  CHECK(torsor("track sixr_angeles good.csv -o x.csv").err.empty());
  // column 13 is vy: one wrong number, and all of them ten times too large
  const auto spoilt = [](const std::string& text, std::size_t one, const char* by) {
    std::string bad;
    std::size_t line = 0;
    for (std::size_t at = 0, end; at < text.size(); at = end + 1, ++line) {
      end = text.find('\n', at);
      std::string row = text.substr(at, end - at);
      std::size_t from = 0;
      for (int k = 0; k < 12; ++k) from = row.find(',', from) + 1;
      const std::size_t to = std::min(row.find(',', from), row.size());
      if (line > 0 && (line == one || one == 0)) row.insert(to, by);
      bad += row + "\n";
    }
    return bad;
  };
  const std::string text = read(path("good.csv"));
  REQUIRE(contains(text.substr(0, text.find('\n')), "vx,vy,vz"));
  for (const auto& [line, by] : {std::pair<std::size_t, const char*>{41, "e1"}, {0, "e1"}}) {
    write("bad.csv", spoilt(text, line, by));
    const Outcome noticed = torsor("track sixr_angeles bad.csv -o x.csv");
    CAPTURE(noticed.err);
    CHECK(contains(noticed.err, "vy is"));
    CHECK(contains(noticed.err, "but the pose changes at"));
    if (line > 0) CHECK(contains(noticed.err, "row 40: vy is"));
  }
  // corners, jumps of acceleration and six digits are no contradiction
  REQUIRE(torsor("path sixr_sim --variant \"constant acceleration\" --step 0.013 -o sim.csv").code == 0);
  CHECK_FALSE(contains(torsor("track sixr_sim sim.csv -o x.csv").err, "but the pose"));
  write("swing.toml",
        "motion = \"joints\"\n[[point]]\nq = [0.3, -0.5, 0.4, 0.4, 0.6, 0.2]\n[[point]]\n"
        "q = [1.2, 0.4, -0.3, -0.9, 1.1, 1.2]\nduration = 0.8\n");
  REQUIRE(torsor("path swing.toml --step 0.1 -o swing.csv").code == 0);
  REQUIRE(torsor("fk puma560 --motion swing.csv --rates -o coarse.csv").code == 0);
  CHECK_FALSE(contains(torsor("track puma560 coarse.csv --q 0.3,-0.5,0.4,0.4,0.6,0.2 -o x.csv").err, "but the pose"));
  write(
      "corner.toml",
      "motion = \"tool\"\npath = \"polygon\"\nduration = 1\n[[point]]\nposition = [0.4, 0.2, 0.6]\nrpy = [0, 1.5, 0]\n"
      "[[point]]\nposition = [0.4, 0.1, 0.6]\n[[point]]\nposition = [0.4, 0.1, 0.7]\n");
  REQUIRE(torsor("path corner.toml -o corner.csv").code == 0);
  CHECK_FALSE(contains(torsor("track puma560 corner.csv -o x.csv").err, "but the pose"));
}

TEST_CASE("what is near-singular is a height of the plots of factors, no instant") {
  REQUIRE(torsor("track sixr_sim sixr_sim -o rows.csv --html page.html").code == 0);
  const json figures = pages::page_data(read(cli_test::path("page.html")))["figures"];
  std::size_t heights = 0;
  for (const json& entry : figures) {
    const std::string text = entry["figure"].dump();
    if (!contains(text, "near-singular")) continue;
    REQUIRE(entry["figure"]["limits"].size() == 1);
    CHECK(entry["figure"]["limits"][0]["label"] == "near-singular");
    CHECK(number(entry["figure"]["limits"][0]["value"]) == 0.05);
    CHECK(entry["figure"]["markers"].empty());
    ++heights;
  }
  CHECK(heights == 2);
}
