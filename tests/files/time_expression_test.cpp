#include "torsor/files/time_expression.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <numbers>
#include <string>

#include "tests/support/mutate.hpp"
#include "torsor/scalar/dual.hpp"

using namespace torsor;

namespace {

using D = Dual<Dual<double>>;

D seeded(double t) { return D(Dual<double>::variable(t), {Dual<double>(1)}); }

void check_expression(const char* text, D (*exact)(const D&), std::initializer_list<double> times = {0.2, 0.7, 1.3}) {
  CAPTURE(std::string(text));
  const auto f = read_time_expression(text);
  REQUIRE(f);
  for (const double t : times) {
    CAPTURE(t);
    const TimeValue at = (*f)(t);
    const D x = exact(seeded(t));
    CHECK(at.f == doctest::Approx(x.value.value).epsilon(1e-13));
    CHECK(at.fd == doctest::Approx(x.value.tangent[0]).epsilon(1e-13));
    CHECK(at.fdd == doctest::Approx(x.tangent[0].tangent[0]).epsilon(1e-12));
  }
}

struct Misspelt {
  const char* text;
  int column;
  const char* says;
};

}  // namespace

TEST_CASE("formulas have the values and derivatives of duals") {
  check_expression("0.4 + 3*t + 0.5*sin(2*t)", [](const D& t) { return D(0.4) + D(3) * t + D(0.5) * sin(D(2) * t); });
  check_expression("cos(t)/(1 + t^2) - exp(-t)", [](const D& t) { return cos(t) / (D(1) + t * t) - exp(-t); });
  check_expression("tan(t) * sqrt(1 + t)", [](const D& t) { return sin(t) / cos(t) * sqrt(D(1) + t); });
  check_expression("atan(2*t) + atan2(sin(t), t)", [](const D& t) { return atan2(D(2) * t, D(1)) + atan2(sin(t), t); });
  check_expression("asin(t/2) + acos(t/3)", [](const D& t) {
    const D a = t / D(2), b = t / D(3);
    return atan2(a, sqrt(D(1) - a * a)) + atan2(sqrt(D(1) - b * b), b);
  });
  check_expression("sinh(t) - 2*cosh(t) + tanh(t)", [](const D& t) {
    const D s = (exp(t) - exp(-t)) / D(2), c = (exp(t) + exp(-t)) / D(2);
    return s - D(2) * c + s / c;
  });
  check_expression("abs(t - 1) + min(t, 1) * max(t^2, 0.5)", [](const D& t) {
    return abs(t - D(1)) + (t.value.value < 1 ? t : D(1)) * (t.value.value * t.value.value > 0.5 ? t * t : D(0.5));
  });
  check_expression("exp(log(2 + t) * t) + 2^t + (1 + t)^t", [](const D& t) {
    // the logarithm by its inverse: exp(y) = x, y = y0 + (x - y0's exp) ... of a number near 1, exact to second order
    const auto logarithm = [](const D& x) {
      const double y = std::log(x.value.value);
      const D z = x / exp(D(y)) - D(1);
      return D(y) + z - z * z / D(2);
    };
    return exp(logarithm(D(2) + t) * t) + exp(t * D(std::log(2.0))) + exp(logarithm(D(1) + t) * t);
  });
}

TEST_CASE("powers bind before signs and to the right, products before sums, and constants keep zero derivatives") {
  const auto value = [](const char* text, double t = 2) { return (*read_time_expression(text))(t); };
  CHECK(value("-t^2").f == -4);
  CHECK(value("2^3^2").f == 512);
  CHECK(value("2^-1").f == 0.5);
  CHECK(value("1 - 2 - 3").f == -4);
  CHECK(value("8/4/2").f == 1);
  CHECK(value("1+2*3").f == 7);
  CHECK(value("- -3").f == 3);
  CHECK(value("2.5e-1*4").f == 1);
  CHECK(value("2*pi").f == 2 * std::numbers::pi);
  CHECK(value("t^2", 0).fdd == 2);
  CHECK(value("t^1", 0).fdd == 0);
  CHECK(value("t^1", 0).fd == 1);
  CHECK(value("t^0", 0).f == 1);
  CHECK(value("t^0", 0).fd == 0);
  CHECK(value("t^3", -2).fdd == -12);
}

TEST_CASE("another variable may be named, and then t is unknown") {
  CHECK((*read_time_expression("x^2", "x"))(3).f == 9);
  CHECK_FALSE(read_time_expression("t^2", "x"));
}

TEST_CASE("what is wrong is said with its column and what may stand there") {
  const Misspelt all[] = {
      {"", 1, "empty"},
      {"  ", 1, "empty"},
      {"2t", 2, "operator"},
      {"3*sinn(t)", 3, "there is no \"sinn\""},
      {"3 + ", 5, "ends"},
      {"3 + *t", 5, "stands where a number"},
      {"(1 + t", 1, "never closed"},
      {"1 + t)", 6, "never opened"},
      {"t**2", 2, "power"},
      {"sin t", 5, "bracket"},
      {"sin(t, 2)", 6, "comma"},
      {"atan2(t)", 8, "comma"},
      {"1,5*t", 2, "no operator"},
      {"1.2.3", 1, "1.2.3"},
      {"t & 2", 3, "no operator"},
      {"1e999", 1, "large"},
      {"x", 1, "there is no \"x\""},
      {"\xc3\xa4", 1, "stands where"},
      {"2*\xcf\x80", 3, "stands where"},
      {"t%", 2, "no operator"},
  };
  for (const Misspelt& fault : all) {
    CAPTURE(std::string(fault.text));
    const auto f = read_time_expression(fault.text);
    REQUIRE_FALSE(f);
    REQUIRE(f.faults().size() == 1);
    const Fault& error = f.faults().front();
    CHECK(error.rule == "expression");
    CHECK_FALSE(error.remedy.empty());
    const std::string said = to_string(error);
    CAPTURE(said);
    CHECK(said.find("column " + std::to_string(fault.column) + ":") != std::string::npos);
    CHECK(said.find(fault.says) != std::string::npos);
  }
  CHECK(read_time_expression("sni(t)").faults().front().remedy.find("did you mean \"sin\"") == 0);
}

TEST_CASE("formulas without end are refused, and the deepest allowed ones are computed") {
  const auto nested = [](int depth) { return std::string(depth, '(') + "t" + std::string(depth, ')'); };
  CHECK(read_time_expression(nested(50)));
  CHECK_FALSE(read_time_expression(nested(51)));
  CHECK_FALSE(read_time_expression(nested(1900)));
  CHECK_FALSE(read_time_expression(std::string(4001, '1')));
  CHECK_FALSE(read_time_expression(std::string(3999, '^')));
  std::string powers = "t", towers = "1";
  for (int k = 0; k < 60; ++k) powers += "^1";
  CHECK_FALSE(read_time_expression(powers));
  // as many operands waiting as the grammar allows
  for (int k = 0; k < 24; ++k) towers = "1+1*2^atan2(1+1*2,1+1*2^(" + towers + ")*0+1)";
  const auto f = read_time_expression(towers);
  CHECK_FALSE(f);  // nested 96 deep
  std::string fits = "t";
  for (int k = 0; k < 12; ++k) fits = "1+1*1^atan2(1,1+1*1^(" + fits + "))";
  const auto g = read_time_expression(fits);
  REQUIRE(g);
  CHECK(std::isfinite((*g)(1).f));
}

TEST_CASE("random changes make a formula or a fault, never a crash") {
  testing::Random random(20);
  const std::string pieces[] = {"sin(", ")", "^", "*", "/", "-", "t", "(", ",", "atan2(t,", "e", ".", "1e", "pi"};
  const std::string numbers[] = {"1e308", "0", "-1", "1e-320", "9999999999999999999999"};
  int sound = 0;
  for (int draw = 0; draw < testing::draws(3000); ++draw) {
    const std::string text =
        testing::mutated("0.4 + 3*t^2 + 0.5*sin(2*t)/(1 + atan2(t, 2))", {pieces, numbers}, random);
    const auto f = read_time_expression(text);
    if (f) {
      (void)(*f)(0.3);
      ++sound;
    } else {
      CHECK(f.faults().size() == 1);
    }
  }
  CHECK(sound > 100);
}
