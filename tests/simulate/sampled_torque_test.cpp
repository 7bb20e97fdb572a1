#include "torsor/simulate/sampled_torque.hpp"

#include <doctest/doctest.h>

#include <cmath>

using namespace torsor;

namespace {

double at(SampledTorque& e, double t) {
  double tau = 0;
  e.effort(t, {}, {}, std::span(&tau, 1));
  return tau;
}

}  // namespace

TEST_CASE("samples are held, joined by lines, or by one spline") {
  const std::vector<double> t{0, 1, 3}, y{2, 4, -2};
  auto hold = *SampledTorque::make(t, y, Interpolation::hold);
  CHECK(at(hold, 0.99) == 2);
  CHECK(at(hold, 1) == 4);
  CHECK(at(hold, -1) == 2);
  CHECK(at(hold, 9) == -2);
  auto linear = *SampledTorque::make(t, y, Interpolation::linear);
  CHECK(at(linear, 0.5) == 3);
  CHECK(at(linear, 2) == 1);
  CHECK(at(linear, 3) == -2);
  CHECK(linear.breaks().size() == 3);
  // three samples: the parabola through them
  auto parabola = *SampledTorque::make(t, y, Interpolation::cubic);
  const auto exact = [](double x) { return 2 + 2 * x - 5.0 / 3 * x * (x - 1); };
  for (const double x : {0.0, 0.3, 1.0, 2.2, 3.0}) CHECK(std::abs(at(parabola, x) - exact(x)) < 1e-14);
}

TEST_CASE("a cubic through samples of a cubic is that cubic, at uneven times, to its ends") {
  const auto exact = [](double x) { return 1 - x + 2 * x * x - 0.7 * x * x * x; };
  const std::vector<double> t{0, 0.2, 0.5, 1.1, 1.5, 2};
  std::vector<double> y;
  for (const double x : t) y.push_back(exact(x));
  auto cubic = *SampledTorque::make(t, y, Interpolation::cubic);
  for (double x = 0; x <= 2; x += 0.01) CHECK(std::abs(at(cubic, x) - exact(x)) < 1e-13);
}

TEST_CASE("two samples at one time are a jump between pieces") {
  const std::vector<double> t{0, 1, 1, 2}, y{0, 1, 5, 5};
  for (const Interpolation rule : {Interpolation::linear, Interpolation::cubic}) {
    auto e = *SampledTorque::make(t, y, rule);
    CHECK(std::abs(at(e, std::nextafter(1, 0)) - 1) < 1e-12);
    CHECK(at(e, 1) == 5);
    CHECK(at(e, 1.5) == 5);
    CHECK(e.breaks().size() == 3);
  }
}

TEST_CASE("samples out of order or without numbers are refused") {
  CHECK(!SampledTorque::make({}, {}, Interpolation::hold));
  CHECK(!SampledTorque::make(std::vector<double>{0, 2, 1}, std::vector<double>{0, 0, 0}, Interpolation::hold));
  CHECK(!SampledTorque::make(std::vector<double>{0, 0, 0}, std::vector<double>{0, 0, 0}, Interpolation::hold));
  CHECK(!SampledTorque::make(std::vector<double>{0, 1}, std::vector<double>{0, NAN}, Interpolation::cubic));
}
