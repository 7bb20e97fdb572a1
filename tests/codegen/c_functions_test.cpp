#include "torsor/codegen/c_functions.hpp"

#include <doctest/doctest.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <limits>

#include "tests/support/random.hpp"

using namespace torsor;
using torsor::testing::Random;

namespace {

/// Runs `body`, C statements that make y of x, for every number; `functions` stand before it.
template <class Real>
std::vector<Real> run_c(const std::string& functions, const std::string& body, const std::vector<Real>& numbers,
                        int results) {
  namespace fs = std::filesystem;
  const fs::path folder = fs::temp_directory_path() / ("torsor-c-functions-" + std::to_string(getpid()));
  fs::create_directories(folder);
  const std::string type = sizeof(Real) == 4 ? "float" : "double", n = std::to_string(results);
  std::ofstream(folder / "f.c") << "#include <stdint.h>\n#include <stdio.h>\n#include <string.h>\n"
                                << functions << "int main(void) {\n  " << type << " x[2], y[" << n
                                << "];\n  while (fread(x, sizeof x, 1, stdin) == 1) {\n"
                                << body << "\n    fwrite(y, sizeof y, 1, stdout);\n  }\n  return 0;\n}\n";
  std::ofstream in(folder / "in", std::ios::binary);
  in.write(reinterpret_cast<const char*>(numbers.data()), static_cast<std::streamsize>(numbers.size() * sizeof(Real)));
  in.close();
  const std::string at = folder.string() + "/";
  REQUIRE(std::system(("cc -std=c99 -O2 -Wall -Wextra -Wpedantic -Wconversion -Werror " + at + "f.c -o " + at +
                       "f && " + at + "f <" + at + "in >" + at + "out")
                          .c_str()) == 0);
  std::vector<Real> out(numbers.size() / 2 * static_cast<std::size_t>(results));
  std::ifstream(folder / "out", std::ios::binary)
      .read(reinterpret_cast<char*>(out.data()), static_cast<std::streamsize>(out.size() * sizeof(Real)));
  fs::remove_all(folder);
  return out;
}

/// Distance in units of the last digit of the true value.
template <class Real>
double ulp(Real value, long double truth) {
  const auto near = static_cast<Real>(truth);
  const double unit =
      static_cast<double>(std::nextafter(std::abs(near), std::numeric_limits<Real>::infinity()) - std::abs(near));
  return std::abs(static_cast<double>(static_cast<long double>(value) - truth)) / unit;
}

template <class Real>
void check_sincos(const CReal& real, double reach, double largest) {
  Random random(5);
  std::vector<Real> x;
  for (int k = 0; k < 20000; ++k) x.push_back(static_cast<Real>(random.uniform(-7, 7)));
  for (int k = 0; k < 20000; ++k) x.push_back(static_cast<Real>(random.uniform(-reach, reach)));
  for (int k = 0; k < 20000; ++k) x.push_back(static_cast<Real>(std::pow(10, random.uniform(0, std::log10(largest)))));
  for (int k = -100; k <= 100; ++k) x.push_back(static_cast<Real>(k * 1.5707963267948966));
  x.push_back(static_cast<Real>(0));
  const std::vector<Real> y = run_c<Real>(c_sincos(real), "    torsor_sincos(2, x, y, y + 2);", x, 4);
  double worst = 0;
  for (std::size_t k = 0; k + 1 < x.size(); k += 2)
    for (std::size_t i = 0; i < 2; ++i) {
      const auto angle = static_cast<long double>(x[k + i]);
      worst = std::max({worst, ulp(y[2 * k + i], std::sin(angle)), ulp(y[2 * k + 2 + i], std::cos(angle))});
    }
  MESSAGE("largest error of ", std::string(real.type), " sines and cosines: ", worst, " ulp");
  CHECK(worst < 2.5);
}

}  // namespace

TEST_CASE("sines and cosines of generated code are right to 2.5 units of the last digit, however large the angle") {
  check_sincos<double>(c_double, 1e6, 1e300);
  check_sincos<float>(c_float, 1e3, 1e38);
}

TEST_CASE("of an angle and an offset both keep their digits, however large the angle") {
  // at most the sum of 64 and pi is rounded, by half of 2^-46; beyond that two products and a sum are
  Random random(51);
  std::vector<double> x;
  for (const double size : {3.0, 60.0, 1e3, 1e5, 1e7, 1e15, 1e300})
    for (int k = 0; k < 1000; ++k) x.insert(x.end(), {random.uniform(-size, size), random.uniform(-3.14, 3.14)});
  const std::vector<double> y =
      run_c<double>(c_sincos(c_double) + c_sincos_sum(c_double),
                    "    double sum[1];\n    torsor_sincos_sum(1, x, x + 1, sum, y, y + 1);", x, 2);
  double worst = 0;
  for (std::size_t k = 0; k < x.size(); k += 2) {
    const long double s = std::sin(static_cast<long double>(x[k])), c = std::cos(static_cast<long double>(x[k]));
    const long double s0 = std::sin(static_cast<long double>(x[k + 1])),
                      c0 = std::cos(static_cast<long double>(x[k + 1]));
    worst = std::max({worst, static_cast<double>(std::abs(y[k] - (s * c0 + c * s0))),
                      static_cast<double>(std::abs(y[k + 1] - (c * c0 - s * s0)))});
  }
  MESSAGE("largest error of sines and cosines of sums: ", worst);
  CHECK(worst < 0x1p-47 + 1e-15);
}

TEST_CASE("what has no sine gives NaN, and leaves the angles beside it alone") {
  const double inf = std::numeric_limits<double>::infinity(), nan = std::numeric_limits<double>::quiet_NaN();
  for (const double bad : {inf, -inf, nan}) {
    const std::vector<double> y =
        run_c<double>(c_sincos(c_double), "    torsor_sincos(2, x, y, y + 2);", {bad, 0.5}, 4);
    CHECK(std::isnan(y[0]));
    CHECK(std::isnan(y[2]));
    CHECK(y[1] == doctest::Approx(std::sin(0.5)).epsilon(1e-15));
    CHECK(y[3] == doctest::Approx(std::cos(0.5)).epsilon(1e-15));
  }
}

TEST_CASE("exponentials of generated code are right to a few units of the last digit") {
  Random random(6);
  std::vector<double> x;
  for (int k = 0; k < 2000; ++k) x.push_back(random.uniform(-700, 700));
  const std::vector<double> y =
      run_c<double>(c_exp(c_double), "    y[0] = torsor_exp(x[0]); y[1] = torsor_exp(x[1]);", x, 2);
  for (std::size_t k = 0; k < x.size(); ++k) CHECK(ulp(y[k], std::exp(static_cast<long double>(x[k]))) < 3);
  const double inf = std::numeric_limits<double>::infinity();
  const std::vector<double> edges =
      run_c<double>(c_exp(c_double), "    y[0] = torsor_exp(x[0]); y[1] = torsor_exp(x[1]);",
                    {0, -1e4, -inf, inf, std::nan(""), 1}, 2);
  CHECK(edges[0] == 1);
  CHECK(edges[1] == 0);
  CHECK(edges[2] == 0);
  CHECK(edges[3] == inf);
  CHECK(std::isnan(edges[4]));
}

TEST_CASE("arc tangents of generated code have the right quadrant and the right digits") {
  Random random(7);
  std::vector<double> x;
  for (int k = 0; k < 2000; ++k) {
    const double angle = random.uniform(-3.14, 3.14), r = random.uniform(0.1, 2);
    x.insert(x.end(), {r * std::sin(angle), r * std::cos(angle)});
  }
  x.insert(x.end(), {0, 1, 1, 0, 0, -1, -1, 0, 0, 0});
  const std::vector<double> y = run_c<double>(c_atan2(c_double), "    y[0] = torsor_atan2(x[0], x[1]);", x, 1);
  for (std::size_t k = 0; k < y.size(); ++k) CHECK(std::abs(y[k] - std::atan2(x[2 * k], x[2 * k + 1])) < 1e-15);
}
