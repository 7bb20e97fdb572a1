#include <doctest/doctest.h>

#include <cmath>
#include <nlohmann/json.hpp>

#include "command.hpp"

using namespace cli_test;
using nlohmann::json;

TEST_CASE("equations prints the closed form of the two-link arm") {
  const Outcome run = torsor("equations two_link");
  CHECK(run.code == 0);
  for (const char* line :
       {"  D11 = 1/3 m1 l^2 + 4/3 m2 l^2 + m2 l^2 C2\n", "  D12 = 1/3 m2 l^2 + 1/2 m2 l^2 C2\n", "  D22 = 1/3 m2 l^2\n",
        "  h2 = 1/2 m2 l^2 S2 qd1^2\n", "  G2 = 1/2 m2 g l C12\n", "  m1 = 3.7\n", "  l = 0.85\n"})
    CHECK(contains(run.out, line));
}

TEST_CASE("equations takes coefficients, one joint, numbers and LaTeX") {
  CHECK(torsor("equations two_link --coefficients G --joint 2 --numeric --digits 4").out ==
        "two-link arm: tau_i = sum_j Dij qdd_j + h_i + G_i, friction apart\nCi = cos(qi), Si = sin(qi), C12 = cos(q1 + "
        "q2)"
        "\n\nGravity torques G\n  G2 = 9.586 C12\n");
  const Outcome latex = torsor("equations two_link --coefficients D --latex");
  CHECK(contains(latex.out, "\\begin{align}\nD_{11} &= \\frac{1}{3} \\, m_{1} \\, l^{2} + "));
  CHECK(contains(latex.out, "\n\\end{align}\n"));
  CHECK(contains(torsor("equations puma560 --joint elbow --coefficients G").out, "G3 = g (C23 ("));
}

TEST_CASE("equations gives JSON with letters, lines and operations") {
  const Outcome run = torsor("equations stanford --expanded --coefficients D --json");
  CHECK(run.code == 0);
  const json answer = json_of(run);
  CHECK(answer["robot"] == "Stanford arm");
  CHECK(answer["joints"].size() == 6);
  CHECK(answer["joints"][2]["prismatic"] == true);
  bool has_d33 = false;
  for (const json& line : answer["equations"])
    if (line["name"] == "D33") has_d33 = line["text"] == "m3 + m4 + m5 + m6";
  CHECK(has_d33);
  CHECK(answer["multiplications"] > 0);
}

TEST_CASE("equations --numeric gives JSON all digits") {
  const json answer = json_of("equations two_link --numeric --coefficients D");
  CHECK(std::abs(std::stod(answer["equations"][2]["text"].get<std::string>()) - 2.3 * 0.85 * 0.85 / 3) < 1e-15);
}

TEST_CASE("equations refuses in a sentence what it cannot do") {
  const Outcome branched = torsor("equations two_arm");
  CHECK(branched.code == 1);
  CHECK(tells(branched.err, "not-serial"));
  const Outcome joint = torsor("equations two_link --joint 3");
  CHECK(joint.code == 2);
  CHECK(tells(joint.err, "option-value", {"1", "2"}));
  CHECK(tells(torsor("equations two_link --coefficients D,X").err, "option-value", {"\"X\""}));
  CHECK(torsor("equations two_link --symbolic --numeric").code == 2);
  CHECK(torsor("equations two_link --latex --json").code == 2);
}
