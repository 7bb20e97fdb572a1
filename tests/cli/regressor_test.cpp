#include <doctest/doctest.h>

#include <cmath>
#include <nlohmann/json.hpp>

#include "command.hpp"
#include "tests/support/markup.hpp"

using namespace cli_test;
using nlohmann::json;

namespace {

/// The sum of the columns times the values: what the torques must be.
std::vector<double> summed(const json& answer) {
  std::vector<double> tau;
  for (const json& row : answer["Y"]) {
    double sum = 0;
    for (std::size_t k = 0; k < row.size(); ++k) sum += row[k].get<double>() * answer["values"][k].get<double>();
    tau.push_back(sum);
  }
  return tau;
}

}  // namespace

TEST_CASE("the groups of a robot are printed with combination, value and unit") {
  const Outcome groups = torsor("regressor two_link");
  CHECK(groups.code == 0);
  CHECK(contains(groups.out, "Izz1 + a1^2 m2"));
  const json two = json_of("regressor two_link");
  CHECK(two["base_parameter_count"] == 6);
  CHECK(two["parameter_count"] == 20);
  CHECK(two["only_in_combinations"] == json::array({"m2"}));
  CHECK(two["without_effect"].size() == 13);
  const json answer = json_of("regressor puma560");
  CHECK(answer["base_parameter_count"] == 36);
  CHECK(answer["parameter_count"] == 60);
  CHECK(answer["base_parameters"][0]["name"] == "Izz1");
  CHECK(answer["letters"].size() == 4);
  CHECK(json_of("regressor puma560 --moving-base")["base_parameter_count"] == 42);
  CHECK(json_of("regressor puma560 --friction all --rotors all")["base_parameter_count"] ==
        36 + 4 + 18);
}

TEST_CASE("the regressor at a state times the values is inverse dynamics, of base parameters and of all") {
  const std::string state =
      " --q '0.1 0.7 -1.2 0.4 0.9 -0.3' --qd '1 -0.5 0.8 2 -1 0.6' --qdd '1 2 -1 0.5 3 -2' --json";
  const json id = json_of(torsor("id puma560_drives" + state));
  for (const std::string columns : {"", " --all"}) {
    const json answer = json_of(torsor("regressor puma560_drives" + state + columns));
    const auto tau = summed(answer);
    for (std::size_t k = 0; k < 6; ++k) CHECK(tau[k] == doctest::Approx(id["tau"][k].get<double>()).epsilon(1e-10));
  }
  CHECK(contains(torsor("regressor two_link --q 0.3,0.5 --qd 1,-1").out, "Y transposed"));
}

TEST_CASE("the regressor along a motion has a column per joint and parameter") {
  const std::string motion =
      write("motion.csv", "t,q1,q2,qd1,qd2,qdd1,qdd2\n0,0.1,0.2,1,-1,0,2\n0.1,0.2,0.1,1,-1,1,1\n");
  const Outcome rows = torsor("regressor two_link --motion " + motion);
  CHECK(rows.code == 0);
  CHECK(contains(rows.out, "t,q1:mx1,q1:my1,q1:Izz1,q1:mx2,q1:my2,q1:Izz2,q2:mx1"));
  const json answer = json_of("regressor two_link --motion " + motion);
  CHECK(answer["parameters"].size() == 6);
  CHECK(answer["rows"].size() == 2);
  CHECK(answer["rows"][0].size() == 13);
}

TEST_CASE("the page of the groups is sound, and options that do not go together are refused") {
  CHECK(torsor("regressor stanford --html groups.html").code == 0);
  CHECK(contains(read(path("groups.html")), "Base parameters"));
  CHECK(markup::markup_fault(read(path("groups.html"))).empty());
  for (const std::string bad :
       {"--all", "--qd 1,2", "--friction some", "--q 0,0 --html x.html", "-o Y.csv", "--degrees"}) {
    CAPTURE(bad);
    const Outcome outcome = torsor("regressor two_link " + bad);
    CHECK(outcome.code == 2);
    CHECK(!outcome.err.empty());
  }
}
