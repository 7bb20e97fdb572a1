#include <doctest/doctest.h>

#include <cmath>
#include <nlohmann/json.hpp>
#include <sstream>

#include "command.hpp"

using namespace cli_test;
using nlohmann::json;

namespace {

const std::string moving = " --q '0.1 0.7 -1.2 0.4 0.9 -0.3' --qd '1 -0.5 0.8 2 -1 0.6'";

double entry(const json& matrix, std::size_t i, std::size_t j) { return matrix[i][j].get<double>(); }

}  // namespace

TEST_CASE("derivatives of torques are the differences of torsor id, loads and friction included") {
  const std::string loads = " --payload 2,0,0,0.1 --wrench 1,2,3,0.1,0.2,0.3 --base-motion 0.1,0,0.2,0,0.1,0,1,0,0";
  const auto torques = [&](const std::string& q, const std::string& qd) {
    return json_of(
        torsor("id puma560_drives --q '" + q + "' --qd '" + qd + "' --qdd '1 2 -1 0.5 3 -2' --json" + loads))["tau"];
  };
  const json answer =
      json_of(torsor("derivatives puma560_drives" + moving + " --qdd '1 2 -1 0.5 3 -2' --json" + loads));
  // by the second joint
  const json more = torques("0.1 0.70001 -1.2 0.4 0.9 -0.3", "1 -0.5 0.8 2 -1 0.6"),
             less = torques("0.1 0.69999 -1.2 0.4 0.9 -0.3", "1 -0.5 0.8 2 -1 0.6");
  const json faster = torques("0.1 0.7 -1.2 0.4 0.9 -0.3", "1 -0.49999 0.8 2 -1 0.6"),
             slower = torques("0.1 0.7 -1.2 0.4 0.9 -0.3", "1 -0.50001 0.8 2 -1 0.6");
  for (std::size_t i = 0; i < 6; ++i) {
    const double by_q = (more[i].get<double>() - less[i].get<double>()) / 2e-5;
    const double by_qd = (faster[i].get<double>() - slower[i].get<double>()) / 2e-5;
    CHECK(entry(answer["dtau_dq"], i, 1) == doctest::Approx(by_q).epsilon(1e-6));
    CHECK(entry(answer["dtau_dqd"], i, 1) == doctest::Approx(by_qd).epsilon(1e-6));
  }
  CHECK(answer["M"] == json_of("derivatives puma560_drives" + moving + loads)["M"]);
  CHECK_FALSE(answer.contains("nonzero_of_robot"));
}

TEST_CASE("torques instead of accelerations lead to the same, and to the inverse of M") {
  const json by_qdd = json_of("derivatives puma560" + moving + " --qdd '1 2 -1 0.5 3 -2'");
  std::string tau;
  for (const json& x : by_qdd["tau"]) tau += x.dump() + " ";
  const json by_tau = json_of("derivatives puma560" + moving + " --tau '" + tau + "'");
  for (const char* name : {"dtau_dq", "dtau_dqd", "M", "dqdd_dq", "dqdd_dqd", "dqdd_dtau"})
    for (std::size_t i = 0; i < 6; ++i)
      for (std::size_t j = 0; j < 6; ++j) {
        const double a = entry(by_qdd[name], i, j), b = entry(by_tau[name], i, j);
        CHECK(std::abs(a - b) < 1e-9 * (1 + std::abs(a)));
      }
  for (std::size_t i = 0; i < 6; ++i)
    for (std::size_t j = 0; j < 6; ++j) {
      double one = 0, dq = 0;
      for (std::size_t k = 0; k < 6; ++k) {
        one += entry(by_qdd["M"], i, k) * entry(by_qdd["dqdd_dtau"], k, j);
        dq += entry(by_qdd["M"], i, k) * entry(by_qdd["dqdd_dq"], k, j);
      }
      CHECK(std::abs(one - (i == j)) < 1e-12);
      CHECK(std::abs(dq + entry(by_qdd["dtau_dq"], i, j)) < 1e-10);
    }
}

TEST_CASE("what vanishes is shown for the tree and for the robot itself") {
  const json answer = json_of("derivatives puma560" + moving);
  // gravity is along the first axis: turning about it changes nothing
  for (std::size_t i = 0; i < 6; ++i) {
    CHECK(entry(answer["nonzero_of_tree"]["dtau_dq"], i, 0) == 1);
    CHECK(entry(answer["nonzero_of_robot"]["dtau_dq"], i, 0) == 0);
    CHECK(std::abs(entry(answer["dtau_dq"], i, 0)) < 1e-12);
  }
  // two arms on one base do not meet
  const std::string two = torsor("derivatives two_arm --q random").out;
  CHECK(contains(two, "What vanishes at every motion"));
  CHECK(contains(two, "qva"));
  CHECK(contains(two, "..."));
}

TEST_CASE("A and B of a step tell where the next state goes, also for a robot that floats") {
  for (const std::string integrator : {"semi-implicit", "rk4"}) {
    const auto step = [&](const std::string& tau) {
      return json_of("derivatives two_link --q 0.3,0.5 --qd 1,-1 --tau " + tau + " --step 20ms --integrator " +
                                integrator);
    };
    const json at = step("1,2"), more = step("1.0001,2");
    for (std::size_t i = 0; i < 2; ++i) {
      const double by_tau = (more["qd_next"][i].get<double>() - at["qd_next"][i].get<double>()) / 1e-4;
      CHECK(entry(at["B"], 2 + i, 0) == doctest::Approx(by_tau).epsilon(1e-4));
    }
    CHECK(at["A"].size() == 4);
    CHECK(at["A"][0].size() == 4);
    CHECK(at["B"][0].size() == 2);
  }
  const Outcome floating = torsor("derivatives floating --q random --step 1ms --json");
  CHECK(floating.code == 0);
  const json answer = json_of(floating);
  CHECK(answer["A"].size() == 2 * answer["velocity_names"].size());
  CHECK(answer["q_next"].size() == answer["position_names"].size());
}

TEST_CASE("along a motion and for rows of states there is a CSV row of all entries for each") {
  const std::string motion = write("motion.csv", "t,q1,q2,qd1,qd2,qdd1,qdd2\n0,0.3,0.5,1,-1,0,2\n1,0.4,0.5,1,-1,0,2\n");
  const Outcome run = torsor("derivatives two_link --motion " + motion);
  CHECK(run.code == 0);
  std::istringstream lines(run.out);
  std::string header, first;
  std::getline(lines, header);
  std::getline(lines, first);
  CHECK(contains(header, "t,dtau.q1/dq.q1,dtau.q1/dq.q2,dtau.q2/dq.q1,dtau.q2/dq.q2,dtau.q1/dqd.q1"));
  const json state = json_of("derivatives two_link --q 0.3,0.5 --qd 1,-1 --qdd 0,2");
  CHECK(contains(first, "0," + state["dtau_dq"][0][0].dump() + ","));

  const std::string states = write("states.csv", "q1,q2,qd1,qd2,tau1,tau2\n0,0,0,0,44,9.5\n");
  CHECK(contains(torsor("derivatives two_link --states " + states).out, "dqdd.q2/dtau.q1"));
  const Outcome steps = torsor("derivatives two_link --states " + states + " --step 1ms -o " + path("steps.csv"));
  CHECK(steps.code == 0);
  CHECK(contains(read(path("steps.csv")), "qd.q2/tau.q2"));
}

TEST_CASE("what does not go together is refused") {
  CHECK(torsor("derivatives two_link --q 0,0 --qdd 0,0 --tau 0,0").code == 2);
  CHECK(torsor("derivatives two_link --q 0,0 --step 0").code == 2);
  CHECK(torsor("derivatives two_link --q 0,0 --step -1ms").code == 2);
  const Outcome long_step = torsor("derivatives two_link --q 0,0 --step 1e9");
  CHECK(long_step.code == 2);
  CHECK(tells(long_step.err, "option-value", {"--step", "1e9"}));
  CHECK(torsor("derivatives two_link --q 0,0 --step 10").code == 0);
  CHECK(torsor("derivatives two_link --q 0,0 --step soon").code == 2);
  CHECK(torsor("derivatives two_link --q 0,0 --integrator rk4").code == 2);
  const Outcome radau = torsor("derivatives two_link --q 0,0 --step 1ms --integrator radau");
  CHECK(radau.code == 2);
  CHECK(tells(radau.err, "option-value"));
  CHECK(torsor("derivatives two_link --motion a.csv --states b.csv").code == 2);
  CHECK(torsor("derivatives two_link --q 0,0 --motion a.csv").code == 2);
  CHECK(torsor("derivatives two_link").code == 2);
}

TEST_CASE("where the mass matrix is singular there are derivatives of torques alone") {
  const std::string robot = write("massless.toml", R"(
[[link]]
name = "a"
joint = "revolute"
mass = 1
com = [1, 0, 0]
[[link]]
name = "b"
joint = "revolute"
)");
  const Outcome given = torsor("derivatives " + robot + " --q 0,0 --json");
  CHECK(given.code == 0);
  const json answer = json_of(given);
  CHECK(answer["M_positive_definite"] == false);
  CHECK_FALSE(answer.contains("dqdd_dq"));
  CHECK(torsor("derivatives " + robot + " --q 0,0 --tau 0,0").code == 1);
  CHECK(torsor("derivatives " + robot + " --q 0,0 --step 1ms").code == 1);
  CHECK(contains(torsor("derivatives " + robot + " --q 0,0").out, "M is singular"));
}

TEST_CASE("bench --derivatives times every way") {
  const json times = json_of("bench two_link --derivatives --milliseconds 1");
  CHECK(times["derivatives"].size() == 7);
  for (const json& row : times["derivatives"]) CHECK(row["seconds_per_call"].get<double>() > 0);
  CHECK(torsor("bench two_link --derivatives --ik").code == 2);
}
