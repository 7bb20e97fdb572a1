#include "torsor/codegen/prove.hpp"

#include <doctest/doctest.h>

#include <cstdlib>

#include "tests/support/random_robot.hpp"
#include "torsor/io/load_robot.hpp"

using namespace torsor;
using enum CodeFunction;

namespace {

struct Proven {
  Description description = *load_robot("articulated3");
  Model<double> model = testing::built(description);
  CodeSubject subject{.model = &model, .tool = model.frames.back()};
  GeneratedCode code = [this] {
    CodeOptions options;
    options.functions = {id, bias, gravity, mass, coriolis};
    return *generate_code(subject, options);
  }();
};

}  // namespace

TEST_CASE("generated code, library and polynomials agree") {
  const Proven robot;
  const auto polynomials = polynomial_arm(robot.description);
  REQUIRE(polynomials);
  const auto proof = prove_code(robot.code, robot.subject, c_double, &*polynomials);
  REQUIRE(proof);
  CHECK(proof->holds());
  REQUIRE(proof->functions.size() == 5);
  for (const ProvedFunction& f : proof->functions) {
    CHECK(f.generated < 1e-13);
    REQUIRE(f.polynomial);
    CHECK(*f.polynomial < 1e-12);
  }
}

TEST_CASE("code that is wrong is found") {
  Proven robot;
  const std::string place = "tau[2] = ";
  const std::size_t at = robot.code.source.find(place);
  REQUIRE(at != std::string::npos);
  robot.code.source.insert(at + place.size(), "1e-9 + ");
  const auto proof = prove_code(robot.code, robot.subject, c_double, nullptr);
  REQUIRE(proof);
  CHECK(!proof->holds());
}

TEST_CASE("what the compiler says is told, and so is that there is none") {
  Proven robot;
  robot.code.source += "nonsense\n";
  const auto refused = prove_code(robot.code, robot.subject, c_double, nullptr);
  REQUIRE(!refused);
  CHECK(refused.errors()[0].what.find("nonsense") != std::string::npos);
  CHECK(refused.errors()[0].what.find('\n') == std::string::npos);
  CHECK(to_string(refused.errors()[0]).find("\\x0a") == std::string::npos);

  const char* path = std::getenv("PATH");
  const std::string before = path ? path : "";
  setenv("PATH", "/nowhere", 1);
  const auto none = prove_code(robot.code, robot.subject, c_double, nullptr);
  setenv("PATH", before.c_str(), 1);
  REQUIRE(!none);
  CHECK(none.errors()[0].what.find("no C compiler") != std::string::npos);
}

TEST_CASE("robots that are too large for polynomials have none") {
  CHECK(!polynomial_arm(*load_robot("panda")));
  CHECK(!polynomial_arm(*load_robot("floating")));
}
