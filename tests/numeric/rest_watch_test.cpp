#include "torsor/numeric/rest_watch.hpp"

#include <doctest/doctest.h>

#include <cmath>

#include "tests/support/random.hpp"
#include "torsor/numeric/smoothing_spline.hpp"
#include "torsor/numeric/streaming_spline.hpp"

using namespace torsor;
using namespace torsor::testing;

namespace {

double rounded(double x, int decimals) {
  const double power = std::pow(10, decimals);
  return std::nearbyint(x * power) / power;
}

/// Speeds of a record by the spline that streams.
std::vector<double> streamed(const std::vector<double>& t, const std::vector<double>& y, double cutoff, double period) {
  StreamingSpline spline(1, cutoff, period);
  for (std::size_t i = 0; i < t.size(); ++i) REQUIRE(spline.push(t[i], std::span(&y[i], 1)));
  spline.finish();
  std::vector<double> speeds;
  double time = 0, s = 0, sd = 0, sdd = 0;
  while (spline.pop(time, {&s, 1}, {&sd, 1}, {&sdd, 1})) speeds.push_back(sd);
  return speeds;
}

}  // namespace

TEST_CASE("the last digit of numbers is found from the numbers") {
  Random random(701);
  for (int decimals = 0; decimals <= 12; ++decimals) {
    LastDigit digit;
    for (int k = 0; k < 200; ++k) digit.see(rounded(random.uniform(-20, 20), decimals));
    CHECK(digit.unit() == doctest::Approx(std::pow(10, -decimals)));
  }
  LastDigit all;
  for (int k = 0; k < 200; ++k) all.see(random.uniform(-1, 1));
  CHECK(all.unit() < 1e-14);
}

TEST_CASE("a joint at rest has no speed, whatever its value, its times and the cutoff") {
  Random random(702);
  for (int k = 0; k < draws(100); ++k) {
    CAPTURE(k);
    const double value = random.uniform(-4, 4), period = std::pow(10, random.uniform(-4, 0));
    const double cutoff = k % 4 == 0 ? std::numeric_limits<double>::infinity() : random.uniform(0.02, 0.4) / period;
    std::vector<double> t, y;
    for (int i = 0; i < 150; ++i) {
      t.push_back((i + (k % 2 == 0 ? 0.0 : random.uniform(-0.2, 0.2))) * period);
      y.push_back(value);
    }
    const SmoothingSpline spline = smoothing_spline(t, y, cutoff);
    for (const double sd : spline.sd) REQUIRE(sd == 0);
    for (const double sdd : spline.sdd) REQUIRE(sdd == 0);
    CHECK(spline.at((t[70] + t[71]) / 2).sd == 0);
    for (const double sd : streamed(t, y, cutoff, period)) REQUIRE(sd == 0);
  }
}

TEST_CASE("a last digit that flickers is no speed, and a digit more shows the drift that is one") {
  Random random(703);
  const double period = 0.01, cutoff = default_cutoff(period);
  std::vector<double> t, flicker, drift, fine;
  for (int i = 0; i < 600; ++i) {
    t.push_back(i * period);
    flicker.push_back(0.02 + (random.chance(0.5) ? 0 : 1e-5));
    // a unit in 250 samples: far below what the spline can know; the same with three digits more
    drift.push_back(rounded(0.02 + 4e-8 * i, 5));
    fine.push_back(rounded(0.02 + 4e-8 * i, 8));
  }
  for (const auto& speeds : {streamed(t, flicker, cutoff, period), smoothing_spline(t, flicker, cutoff).sd})
    for (const double sd : speeds) REQUIRE(sd == 0);
  for (const double sd : streamed(t, drift, cutoff, period)) REQUIRE(sd == 0);
  for (const double sd : streamed(t, fine, cutoff, period)) CHECK(sd == doctest::Approx(4e-6).epsilon(0.2));
}

TEST_CASE("what moves by more than its last digit keeps its speed to the last bit") {
  const double period = 0.01, cutoff = default_cutoff(period);
  std::vector<double> t, y;
  for (int i = 0; i < 400; ++i) {
    t.push_back(i * period);
    y.push_back(rounded(0.3 * std::sin(2 * t.back()), 5));
  }
  const std::vector<double> speeds = streamed(t, y, cutoff, period);
  REQUIRE(speeds.size() == t.size());
  for (std::size_t i = 40; i + 40 < t.size(); ++i) {
    CHECK(speeds[i] != 0);
    CHECK(std::abs(speeds[i] - 0.6 * std::cos(2 * t[i])) < 2e-3);
  }
}

TEST_CASE("a joint that stops is at rest from then on, not before; the numbers of a short table are meant") {
  const double period = 0.01, cutoff = default_cutoff(period);
  std::vector<double> t, y;
  for (int i = 0; i < 300; ++i) {
    t.push_back(i * period);
    const double u = std::min(1.0, t.back() / 1.5);
    y.push_back(rounded(u * u * u * (10 - u * (15 - 6 * u)), 6));
  }
  const std::vector<double> speeds = streamed(t, y, cutoff, period);
  for (std::size_t i = 15; i < 140; ++i) CHECK(speeds[i] > 0);
  for (std::size_t i = 165; i < 300; ++i) CHECK(speeds[i] == 0);
  // 0, 1, 0 lie within one unit of their last digit, and yet they are a motion
  const std::vector<double> few_t{0, 1, 2, 3, 4}, few{0, 0, 1, 0, 0};
  CHECK(std::abs(streamed(few_t, few, default_cutoff(1), 1)[1]) > 1e-3);
}

TEST_CASE("samples that went before more digits were seen are looked at again") {
  RestWatch watch(1, 0.05);
  for (int i = 0; i < 40; ++i) {
    const double y = i < 20 ? i % 2 : 0.25;  // at first whole numbers
    watch.push(0.01 * i, std::span(&y, 1));
  }
  double s = 0, sd = 1, sdd = 1;
  watch.settle(10, {&s, 1}, {&sd, 1}, {&sdd, 1});
  CHECK(sd == 1);
  watch.settle(33, {&s, 1}, {&sd, 1}, {&sdd, 1});
  CHECK(sd == 0);
}
