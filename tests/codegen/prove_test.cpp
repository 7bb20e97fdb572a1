#include "torsor/codegen/prove.hpp"

#include <doctest/doctest.h>
#include <fmt/format.h>

#include <cctype>
#include <cstdlib>

#include "tests/support/random_robot.hpp"
#include "torsor/codegen/polynomial_results.hpp"
#include "torsor/files/load_robot.hpp"

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
    return *codegen(subject, options);
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

namespace {

/// The functions of a built-in robot, and their check at so many states.
struct Checked {
  Checked(const char* name, std::vector<CodeFunction> functions, const CReal& type) : real(type) {
    description = *load_robot(name);
    model = testing::built(description);
    subject = {.model = &model, .tool = model.frames.back()};
    CodeOptions options;
    options.functions = std::move(functions);
    options.real = real;
    code = *codegen(subject, options);
  }

  CodeProof checked(int states = 100) const {
    CodeProofOptions options;
    options.states = states;
    options.flags = "-std=c99 -O0";  // quick to compile; warnings and optimisation are the other tests'
    const auto proof = prove_code(code, subject, real, nullptr, options);
    REQUIRE(proof);
    return *proof;
  }

  /// Where the numbers of the code are that have six digits and more behind the point: of the table of loops, or of the
  /// function.
  std::vector<std::pair<std::size_t, std::size_t>> numbers() const {
    const std::string& text = code.source;
    const std::size_t table = text.find("torsor_link["), end = text.find("TORSOR_SELF_TEST\n#include");
    const auto is_digit = [&](std::size_t k) { return std::isdigit(static_cast<unsigned char>(text[k])) != 0; };
    std::vector<std::pair<std::size_t, std::size_t>> out;
    for (std::size_t at = table != text.npos ? table : text.rfind("void ", end); (at = text.find('.', at + 1)) < end;) {
      std::size_t first = at, last = at + 1;
      while (is_digit(first - 1)) --first;
      while (is_digit(last)) ++last;
      if (last - at > 6 && text[last] != 'e') out.emplace_back(first, last - first);
    }
    return out;
  }

  /// The code with one of its numbers so many parts larger.
  Checked with_changed(std::pair<std::size_t, std::size_t> number, double parts) const {
    Checked other = *this;
    other.subject.model = &other.model;
    const auto [at, length] = number;
    other.code.source.replace(at, length,
                              fmt::format("{:.17g}", std::stod(code.source.substr(at, length)) * (1 + parts)));
    return other;
  }

  CReal real;
  Description description;
  Model<double> model;
  CodeSubject subject;
  GeneratedCode code;
};

}  // namespace

TEST_CASE(
    "code of an ill-conditioned mass matrix is held against what its own arithmetic loses, in double and in float") {
  // the small inertias of the wrists stand beside those of the torso: straight code and loops solve with a matrix of condition
  // 10^6, and lose by it in both precisions what rounding explains, no more
  for (const CReal& real : {c_double, c_float}) {
    const Checked robot("two_arm", {fd}, real);
    const CodeProof proof = robot.checked();
    CHECK(proof.holds());
    const ProvedFunction& f = proof.functions.at(0);
    CHECK(f.share > 0.01);  // nor is everything allowed
    CHECK(f.share < 0.5);
    CHECK(f.generated > (real.is_float() ? 2e-5 : 5e-14));
    CHECK(f.allowed < (real.is_float() ? 1e-2 : 2e-11));
  }
}

TEST_CASE("a number of the code that is off by a few units of rounding times the condition is found") {
  const Checked arm("puma560", {id}, c_double), torso("two_arm", {fd}, c_double);
  CHECK(arm.checked(20).holds());
  // 1e-12 is 4500 units of the last digit; of a matrix of condition 10^6 1e-9 is as much as five units times it
  const auto found = [](const Checked& robot, double parts) {
    const auto numbers = robot.numbers();
    REQUIRE(numbers.size() >= 6);
    int out = 0;
    for (std::size_t k = 0; k < 6; ++k)
      out += !robot.with_changed(numbers[k * numbers.size() / 6], parts).checked(20).holds();
    return out;
  };
  CHECK(found(arm, 1e-12) >= 4);  // others hardly matter
  CHECK(found(torso, 1e-9) >= 5);
  // axes of 1.5708 rad leave small entries in the frames of the code: known to a rounding of one, and no worse
  const Checked nearly("so101", {jacobian}, c_double);
  const CodeProof proof = nearly.checked();
  CHECK(proof.holds());
  CHECK(proof.functions.at(0).share > 0.01);
  CHECK(found(nearly, 1e-12) >= 4);
}

TEST_CASE("wide position limits make the check no weaker, and one that would check nothing is refused") {
  Description wide = *load_robot("articulated3");
  const auto generated = [&](double lower, double upper) {
    wide.links[1].limits.lower = lower, wide.links[1].limits.upper = upper;
    const Model<double> model = testing::built(wide);
    CodeOptions options;
    options.functions = {id};
    return codegen({.model = &model, .tool = model.frames.back()}, options);
  };
  const auto usual = generated(-1, 1);
  REQUIRE(usual);
  for (const auto& [lower, upper] : {std::pair(-1.0, 1e20), {-1e20, 1.0}, {-1e308, 1e308}}) {
    const double up_to = upper;  // clang 14 captures no binding
    CAPTURE(up_to);
    const auto code = generated(lower, upper);
    REQUIRE(code);
    CHECK(code->functions.at(0).tolerance < 10 * usual->functions.at(0).tolerance);
    CHECK(code->source.find("inf") == std::string::npos);
  }
  const auto nowhere = generated(1e20, 2e20);
  REQUIRE(!nowhere);
  CHECK(nowhere.faults().at(0).rule == "codegen-accuracy");
  CodeProof proof;
  proof.functions.push_back({.name = "id", .allowed = 1e300, .share = 0.5, .polynomial = {}});
  CHECK(!proof.holds());
}

TEST_CASE("what the compiler says is told, and so is that there is none") {
  Proven robot;
  robot.code.source += "nonsense\n";
  const auto refused = prove_code(robot.code, robot.subject, c_double, nullptr);
  REQUIRE(!refused);
  CHECK(refused.faults()[0].what.find("nonsense") != std::string::npos);
  CHECK(refused.faults()[0].what.find('\n') == std::string::npos);
  CHECK(to_string(refused.faults()[0]).find("\\x0a") == std::string::npos);

  const char* path = std::getenv("PATH");
  const std::string before = path ? path : "";
  setenv("PATH", "/nowhere", 1);
  const auto none = prove_code(robot.code, robot.subject, c_double, nullptr);
  setenv("PATH", before.c_str(), 1);
  REQUIRE(!none);
  CHECK(none.faults()[0].what.find("no C compiler") != std::string::npos);
}

TEST_CASE("robots that are too large for polynomials have none") {
  CHECK(!polynomial_arm(*load_robot("panda")));
  CHECK(!polynomial_arm(*load_robot("floating")));
}
