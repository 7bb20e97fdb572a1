#include <doctest/doctest.h>

#include <cmath>
#include <nlohmann/json.hpp>

#include "command.hpp"

using namespace cli_test;
using nlohmann::json;

namespace {

const std::string pick =
    "motion = \"joints\"\n[[point]]\nq_deg = [0, 45, -90, 0, 45, 0]\n[[point]]\n"
    "q_deg = [60, 30, -60, 0, 60, 0]\nduration = 0.8\nwait = 0.1\n";

}  // namespace

TEST_CASE("a described joint motion goes straight into inverse dynamics") {
  write("pick.toml", pick);
  const Outcome path = torsor("path pick.toml --robot puma560 -o pick.csv --html pick.html");
  CHECK(path.code == 0);
  CHECK(path.err.empty());
  CHECK(says(path.out, {"6", "0.9", "91", "pick.csv"}));
  CHECK(read(cli_test::path("pick.csv")).starts_with("t,q.waist,q.shoulder,"));
  CHECK(contains(read(cli_test::path("pick.html")), "velocity of the revolute joints"));
  const Outcome id = torsor("id puma560 --motion pick.csv --json");
  CHECK(id.code == 0);
  // nothing was derived or left unused
  CHECK(id.err.empty());
  CHECK(json_of(id)["row_count"] == 91);
}

TEST_CASE("without a robot columns are numbered, and samples are as close as asked for") {
  write("pick.toml", pick);
  const json answer = json_of("path pick.toml --rate 10");
  CHECK(answer["columns"][1] == "q1");
  CHECK(answer["columns"][18] == "qdd6");
  CHECK(answer["rows"].size() == 10);
  CHECK(answer["rows"][9][0] == 0.9);
  CHECK(answer["rows"][8][7] == 0.0);
  CHECK(answer["duration"].get<double>() == doctest::Approx(0.9));
  CHECK(json_of("path pick.toml --step 0.3")["row_count"] == 4);
}

TEST_CASE("published motions are known by their robots") {
  const json line = json_of("path sixr_angeles --step 0.5");
  CHECK(line["kind"] == "tool");
  CHECK(line["columns"] ==
        json::parse(
            R"(["t","x","y","z","e0","e1","e2","e3","wx","wy","wz","vx","vy","vz","wdx","wdy","wdz","ax","ay","az"])"));
  CHECK(line["rows"][1][2].get<double>() == doctest::Approx(0.5).epsilon(1e-14));
  CHECK(line["rows"][1][12].get<double>() == doctest::Approx(1.875).epsilon(1e-14));
  CHECK(json_of("path sixr_angeles --variant septic --step 0.5")["rows"][1][12].get<double>() ==
        doctest::Approx(2.1875).epsilon(1e-14));
  const json stanford = json_of("path stanford --step 5");
  CHECK(stanford["columns"][3] == "q.extension");
  CHECK(stanford["duration"] == 10);
  CHECK(tells(torsor("path sixr_anglees").err, "motion-unknown", {"\"sixr_angeles\""}));
}

TEST_CASE("a motion is scaled to the robot's torques; what cannot be is told with exit code 1") {
  write("pick.toml", pick + "[scale]\nrobot = [\"effort\"]\n");
  const Outcome fast = torsor("path pick.toml --robot puma560 -o fast.csv");
  CHECK(fast.code == 0);
  CHECK(contains(fast.out, "scaled: times 0."));
  CHECK(contains(fast.out, "effort of \""));
  const json torques = json_of("id puma560 --motion fast.csv -o tau.csv");
  double load = 0;
  for (const json& joint : torques["joints"])
    load = std::max(load, std::abs(joint["peak_torque"].get<double>()) / joint["effort_limit"].get<double>());
  // sampled, so the peak is met but nearly
  CHECK(load <= 1 + 1e-9);
  CHECK(load > 0.95);
  write("heavy.toml", pick + "[scale]\neffort = 0.5\n");
  const Outcome heavy = torsor("path heavy.toml --robot puma560");
  CHECK(heavy.code == 1);
  CHECK(tells(heavy.err, "motion-scale", {"heavy.toml"}));
}

TEST_CASE("bad files and options are refused with every fault") {
  write("bad.toml", "motion = \"joints\"\n[[point]]\nq = [0]\nwait = 1\n[[point]]\nq = [1, 2]\n");
  const Outcome bad = torsor("path bad.toml");
  CHECK(bad.code == 2);
  CHECK(bad.out.empty());
  for (const char* part : {"bad.toml:4: point 1, wait: the motion begins here [motion-wait]",
                           "bad.toml:6: point 2, q: it has 2 numbers [motion-size]",
                           "bad.toml:5: point 2, duration: it is missing [key-missing]"})
    CHECK(contains(bad.err, part));
  write("pick.toml", pick);
  for (const char* arguments :
       {"path", "path pick.toml --step 0", "path pick.toml --step 1e-300", "path pick.toml --rate 1,2",
        "path pick.toml --step 1 --rate 1", "path pick.toml --variant x", "path pick.toml -o pick.toml",
        "path pick.toml -o a --html a", "path pick.toml --html -", "path nothing.toml", "path sixr_angeles --variant x",
        "path stanford --robot two_link", "path pick.toml --robot two_link"}) {
    CAPTURE(arguments);
    const Outcome refused = torsor(arguments);
    CHECK(refused.code == 2);
    CHECK_FALSE(refused.err.empty());
  }
  CHECK(torsor("path pick.toml -o /nonexistent/x.csv").code == 3);
  const Outcome huge =
      torsor("path -", "motion = \"joints\"\n[[point]]\nq = [1e308]\n[[point]]\nq = [-1e308]\nduration = 1\n");
  CHECK(huge.code == 1);
  CHECK(tells(huge.err, "not-finite"));
}
