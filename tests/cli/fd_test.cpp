#include <doctest/doctest.h>

#include <cmath>
#include <nlohmann/json.hpp>
#include <sstream>

#include "command.hpp"

using namespace cli_test;
using nlohmann::json;

namespace {

const std::string state = " --q '0.1 0.7 -1.2 0.4 0.9 -0.3' --qd '1 -0.5 0.8 2 -1 0.6'";

std::string joined(const json& numbers) {
  std::string text;
  for (const json& x : numbers) text += (text.empty() ? "" : ",") + x.dump();
  return '\'' + text + '\'';
}

}  // namespace

TEST_CASE("forward dynamics undoes inverse dynamics, by every method, with friction and loads") {
  const std::string loads = " --payload 2,0,0,0.1 --wrench 1,2,3,0.1,0.2,0.3 --base-motion 0.1,0,0.2,0,0.1,0,1,0,0";
  for (const std::string robot : {"puma560", "puma560_drives"}) {
    const json id = json_of("id " + robot + state + loads + " --qdd '1 2 -1 0.5 3 -2'");
    for (const std::string method : {"", " --formulation articulated-body", " --formulation mass-matrix"}) {
      CAPTURE(method);
      const json fd =
          json_of(torsor("fd " + robot + state + loads + method + " --json --tau " + joined(id["tau"])));
      for (std::size_t k = 0; k < 6; ++k)
        CHECK(fd["qdd"][k].get<double>() == doctest::Approx(id["qdd"][k].get<double>()).epsilon(1e-10));
    }
  }
}

TEST_CASE("the method is named, and one that does not exist or does not apply is refused") {
  CHECK(json_of("fd puma560 --q zero")["formulation"] == "articulated-body");
  CHECK(tells(torsor("fd puma560 --q zero --formulation mass-matrx").err, "method", {"\"mass-matrix\""}));
  const std::string mimic = write("mimic.toml", R"(
[[link]]
name = "a"
joint = "revolute"
mass = 1
com = [1, 0, 0]
[[link]]
name = "b"
joint = "revolute"
mass = 1
com = [1, 0, 0]
mimic = { joint = "a" }
)");
  CHECK(json_of("fd " + mimic + " --q zero")["formulation"] == "mass-matrix");
  const Outcome fd = torsor("fd " + mimic + " --q zero --formulation articulated-body");
  CHECK(fd.code == 2);
  CHECK(tells(fd.err, "method"));
}

TEST_CASE("where the mass matrix is singular the mathematics says no") {
  const std::string file = write("massless.toml",
                                 "[[link]]\nname = \"a\"\njoint = \"revolute\"\nmass = 1\ninertia = [1, 1, 1]\n"
                                 "[[link]]\nname = \"b\"\njoint = \"revolute\"\nmass = 0\n");
  const Outcome fd = torsor("fd " + file + " --q zero");
  CHECK(fd.code == 1);
  CHECK(fd.out.empty());
  CHECK(tells(fd.err, "mass-matrix", {"\"b\""}));
  const Outcome rows = torsor("fd " + file + " --states -", "t,q1,q2,qd1,qd2,tau1,tau2\n0.25,0,0,0,0,0,0\n");
  CHECK(rows.code == 1);
  CHECK(tells(rows.err, "mass-matrix", {"0.25"}));
}

TEST_CASE("the output of id goes back through fd") {
  const std::string motion = "t,q1,q2,qd1,qd2,qdd1,qdd2\n0,0.1,0.2,0.3,0.4,0.5,0.6\n1,-1,0.5,2,1,-3,4\n";
  const Outcome id = torsor("id two_link --motion - -o torques.csv", motion);
  CHECK(id.code == 0);
  const Outcome fd = torsor("fd two_link --states torques.csv --json");
  CHECK(fd.code == 0);
  CHECK(contains(fd.err, "note: columns not used: qdd.q1, qdd.q2"));
  const json answer = json_of(fd);
  const double expected[2][2] = {{0.5, 0.6}, {-3, 4}};
  for (std::size_t k = 0; k < 2; ++k)
    for (std::size_t i = 0; i < 2; ++i)
      CHECK(answer["rows"][k][7 + i].get<double>() == doctest::Approx(expected[k][i]).epsilon(1e-12));
  CHECK(torsor("fd two_link --states torques.csv -o accelerations.csv").out ==
        "two-link arm: 2 rows -> accelerations.csv\n");
  CHECK(contains(read(path("accelerations.csv")), "t,q.q1,q.q2,qd.q1,qd.q2,tau.q1,tau.q2,qdd.q1,qdd.q2\n"));
}
