#include "torsor/files/reduced_toml.hpp"

#include <doctest/doctest.h>

#include "tests/files/file_text.hpp"
#include "tests/support/mutate.hpp"
#include "tests/support/rule_table.hpp"

using namespace torsor;
using namespace torsor::testing;

namespace {

Fault reduced_fault(const std::string& piece, const std::string& by) {
  return fault_after(text_of("tests/reduced/arm.toml"), piece, by, read_reduced_toml);
}

}  // namespace

TEST_CASE("a reduced model is read as it is written") {
  const auto model = read_reduced_toml(text_of("tests/reduced/arm.toml"), "file.toml");
  REQUIRE(model);
  CHECK(model->robot == "arm");
  CHECK(model->terms.size() == 9);
  CHECK(model->angles == std::vector<std::vector<int>>{{1}, {0, 1}});
  CHECK(model->joints[1].previous == 0);
  CHECK(model->joints[2].prismatic);
  CHECK(model->statement.definite);
  CHECK(model->statement.consistent);
  CHECK_FALSE(model->statement.proven);
  CHECK(model->terms[2] ==
        TorqueTerm{
            TermPart::inertia, 0, 0, 0, -1e-5, {{TermFactor::Kind::cosine, 1, 2}, {TermFactor::Kind::slide, 2, 1}}});

  // tau'_1 = D'_11 u'_1 + h', in the rates of absolute angles: u_2 = qd_1 + qd_2
  ReducedDynamics<double> dynamics(*model);
  const std::vector<double> q{0.2, 0.3, 0.4}, qd{1, -0.5, 0.2}, qdd{2, 1, 3};
  std::vector<double> tau(3);
  dynamics.inverse(q, qd, qdd, tau);
  const double c2 = std::cos(0.8), s2 = std::sin(0.8), c12 = std::cos(1.0), s12 = std::sin(1.0);
  const double second = 1.5 * 3 + 9.81 * c12;
  CHECK(tau[0] == doctest::Approx((2.5 + 0.25 * c2 - 1e-5 * c12 * c12 * 0.5) * 2 - 0.5 * s2 * 1 * 0.5 + second));
  CHECK(tau[1] == doctest::Approx(second));
  CHECK(tau[2] == doctest::Approx((-3 + 7 * s12) * 3 + 12.5));

  const std::string text = write_reduced_toml(*model);
  const auto again = read_reduced_toml(text, "again.toml");
  REQUIRE(again);
  CHECK(again->terms == model->terms);
  CHECK(write_reduced_toml(*again) == text);
}

TEST_CASE("every fault of a reduced model is told") {
  CHECK(reduced_fault("format = 1", "format = 2").rule == "format-version");
  CHECK(reduced_fault("robot = \"arm\"\n", "").rule == "key-missing");
  CHECK(reduced_fault("\"prismatic\"]", "\"free\"]").rule == "joint-kind");
  CHECK(reduced_fault("[0, 0.5, 0.1]", "[0, 0.5]").rule == "list-length");
  CHECK(reduced_fault("previous = [0, 1, 0]", "previous = [0, 2, 0]").rule == "joint-order");
  CHECK(reduced_fault("use = \"dynamics\"", "use = \"all\"").rule == "word-unknown");
  CHECK(reduced_fault("[0, 2], [0.1", "[2, 0], [0.1").rule == "range");
  CHECK(reduced_fault("tolerance = 0.01", "tolerance = -1").rule == "range");
  CHECK(reduced_fault("[1, 2, 3], [4, 5, 6], [7, 8, 9]", "[1, 2], [4, 5]").rule == "list-length");
  CHECK(reduced_fault("scale = [10", "scale = [0").rule == "range");
  CHECK(reduced_fault("error_on_motion = [0.001", "error_on_motion = [-0.001").rule == "range");
  CHECK(reduced_fault("joints = [\"a\", \"b\", \"c\"]", "joints = []").rule == "joint-count");
  CHECK(reduced_fault("format = 1", "format = 1\nfromat = 1").rule == "key-unknown");
  for (const auto& [piece, by] :
       {std::pair("\"2,2: 1.5\"", "\"2,4: 1.5\""), std::pair("\"2,2: 1.5\"", "\"2,1: 1.5\""),
        std::pair("\"2,2: 1.5\"", "\"1.5\""), std::pair("\"2,2: 1.5\"", "\"1,1: 1.5\""), std::pair("C2 -", "C3 -"),
        std::pair("C2 -", "C21 -"), std::pair("C2 -", "X2 -"), std::pair("C12^2", "C12^0"),
        std::pair("C12^2", "C12^99"), std::pair("d3", "d1"), std::pair("0.25 C2", "C2"), std::pair("7 S12", "nan S12"),
        std::pair("+ 7 S12", "+")}) {
    const Fault fault = reduced_fault(piece, by);
    CHECK_MESSAGE(fault.rule == "reduced-term", to_string(fault));
  }
}

TEST_CASE("mutated reduced models give finite efforts or faults, never anything else") {
  testing::Random random(80);
  const std::string pieces[] = {"1e300", "-1", "0", "nan", "99", "C12 ", "^", "\"",
                                "[",     "]",  ",", " + ", "d3", ":",    "\n"};
  const std::string sound = text_of("tests/reduced/arm.toml");
  int read = 0;
  for (int k = 0; k < testing::draws(2000); ++k) {
    const std::string text = testing::mutated(sound, {pieces, std::span(pieces).subspan(0, 5)}, random);
    const auto model = read_reduced_toml(text, "mutated.toml");
    if (!model) {
      CHECK(!model.faults().empty());
      continue;
    }
    ++read;
    ReducedDynamics<double> dynamics(*model);
    std::vector<double> q(model->joints.size(), 0.3), tau(q.size());
    dynamics.inverse(q, q, q, tau);
    const auto again = read_reduced_toml(write_reduced_toml(*model), "again.toml");
    CHECK(again);
  }
  CHECK(read > 0);
}
