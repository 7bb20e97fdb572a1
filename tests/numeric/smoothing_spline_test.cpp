#include "torsor/numeric/smoothing_spline.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>
#include <random>
#include <vector>

using namespace torsor;

namespace {

constexpr double pi = std::numbers::pi;
constexpr double infinite = std::numeric_limits<double>::infinity();

std::vector<double> uniform_times(std::size_t n, double dt) {
  std::vector<double> t(n);
  for (std::size_t i = 0; i < n; ++i) t[i] = static_cast<double>(i) * dt;
  return t;
}

// spacings drawn between a tenth of dt and twice dt
std::vector<double> uneven_times(std::size_t n, double dt) {
  std::mt19937 random(3);
  std::uniform_real_distribution<double> spacing(0.1 * dt, 2 * dt);
  std::vector<double> t(n);
  for (std::size_t i = 1; i < n; ++i) t[i] = t[i - 1] + spacing(random);
  return t;
}

template <class F>
std::vector<double> samples(const std::vector<double>& t, F f) {
  std::vector<double> y;
  for (const double time : t) y.push_back(f(time));
  return y;
}

template <class F>
double largest_error(const std::vector<double>& t, const std::vector<double>& values, F f, double margin = 0) {
  double worst = 0;
  for (std::size_t i = 0; i < t.size(); ++i)
    if (t[i] >= t.front() + margin && t[i] <= t.back() - margin) worst = std::max(worst, std::abs(values[i] - f(t[i])));
  return worst;
}

}  // namespace

TEST_CASE("a parabola passes unchanged at every cutoff and spacing") {
  const auto parabola = [](double t) { return 1 - 2 * t + 3 * t * t; };
  for (const auto& t : {uniform_times(200, 0.01), uneven_times(200, 0.01)})
    for (const double cutoff : {0.1, 1.0, 10.0, 1000.0, infinite}) {
      CAPTURE(cutoff);
      const SmoothingSpline spline = smoothing_spline(t, samples(t, parabola), cutoff);
      REQUIRE(spline.status == SplineStatus::ok);
      // rounding grows as the cutoff falls below the sample rate of 100 Hz
      const double rounding = 1e-12 * std::max(1.0, std::pow(100 / (2 * pi * cutoff), 2));
      CHECK(largest_error(t, spline.s, parabola) < rounding);
      CHECK(largest_error(t, spline.sd, [](double x) { return -2 + 6 * x; }) < rounding * 100);
      CHECK(largest_error(t, spline.sdd, [](double) { return 6; }) < rounding * 1e4);
    }
}

TEST_CASE("the amplitude that passes is 1 / (1 + (f/fc)^6)") {
  const double dt = 1e-3;
  const auto t = uniform_times(8000, dt);
  for (const double cutoff : {4.0, 20.0, 100.0})
    for (const double ratio : {0.25, 0.5, 1.0, 1.5}) {
      CAPTURE(cutoff);
      CAPTURE(ratio);
      const double w = 2 * pi * ratio * cutoff;
      // sampling adds images of the spectrum at multiples of the sample rate; with them the response is exact
      double p = 0, p1 = 0, p2 = 0;
      for (int image = -20; image <= 20; ++image) {
        const double wi = w + 2 * pi * image / dt;
        p += std::pow(w / wi, 6);
        p1 += std::pow(w / wi, 5);
        p2 += std::pow(w / wi, 4);
      }
      const double damped = p + std::pow(ratio, 6);
      CHECK(p / damped == doctest::Approx(1 / (1 + std::pow(ratio, 6))).epsilon(3e-5));

      const SmoothingSpline spline = smoothing_spline(t, samples(t, [&](double x) { return std::sin(w * x); }), cutoff);
      const double margin = 8 / cutoff;
      CHECK(largest_error(
                t, spline.s, [&](double x) { return p / damped * std::sin(w * x); }, margin) < 1e-9);
      CHECK(largest_error(
                t, spline.sd, [&](double x) { return p1 / damped * w * std::cos(w * x); }, margin) < 1e-9 * w);
      CHECK(largest_error(
                t, spline.sdd, [&](double x) { return -p2 / damped * w * w * std::sin(w * x); }, margin) <
            1e-8 * w * w);
    }
}

TEST_CASE("a cutoff a thousandth of the sample rate loses no digits that matter") {
  const double cutoff = 1, w = 2 * pi * cutoff / 2, passed = 1 / (1 + std::pow(0.5, 6));
  const auto t = uniform_times(20000, 1e-3);
  const SmoothingSpline spline = smoothing_spline(t, samples(t, [&](double x) { return std::sin(w * x); }), cutoff);
  const auto sdd = [&](double x) { return -passed * w * w * std::sin(w * x); };
  CHECK(largest_error(t, spline.sdd, sdd, 9) < 1e-8);
}

TEST_CASE("the response does not depend on the spacing of the samples") {
  const double w = 2 * pi * 2, cutoff = 2;
  const auto t = uneven_times(8000, 1e-3);
  const SmoothingSpline spline = smoothing_spline(t, samples(t, [&](double x) { return std::sin(w * x); }), cutoff);
  CHECK(largest_error(
            t, spline.s, [&](double x) { return std::sin(w * x) / 2; }, 3) < 1e-4);
}

TEST_CASE("a cycloidal motion recorded at 1 kHz to a millionth keeps its acceleration") {
  const double T = 2, dt = 1e-3;
  const auto t = uniform_times(2001, dt);
  const auto recorded = [&](double x) { return std::round((x / T - std::sin(2 * pi * x / T) / (2 * pi)) * 1e6) / 1e6; };
  const auto velocity = [&](double x) { return (1 - std::cos(2 * pi * x / T)) / T; };
  const auto acceleration = [&](double x) { return 2 * pi / (T * T) * std::sin(2 * pi * x / T); };
  const double peak = 2 * pi / (T * T), jerk = 4 * pi * pi / (T * T * T);
  const auto y = samples(t, recorded);

  const double cutoff = 20, wc = 2 * pi * cutoff;
  const SmoothingSpline spline = smoothing_spline(t, y, cutoff);
  CHECK(largest_error(t, spline.sdd, acceleration, 2 / cutoff) < 1e-3 * peak);
  // the jerk at the ends is what a natural spline cannot follow, by a known amount
  CHECK(spline.sdd.front() == doctest::Approx(2 * jerk / wc).epsilon(0.02));
  CHECK(spline.sd.front() == doctest::Approx(-2 * jerk / (wc * wc)).epsilon(0.05));
  CHECK(largest_error(t, spline.sd, velocity) < 2.1 * jerk / (wc * wc));

  // the default leaves some noise but is usable; without smoothing the record gives nonsense
  CHECK(largest_error(t, smoothing_spline(t, y, default_cutoff(dt)).sdd, acceleration) < 0.05 * peak);
  CHECK(largest_error(t, smoothing_spline(t, y, infinite).sdd, acceleration) > peak);
}

TEST_CASE("at the default cutoff the noise is thirty times less than differencing twice would give") {
  const double dt = 1e-3;
  const auto t = uniform_times(5000, dt);
  std::mt19937 random(1);
  std::normal_distribution<double> noise;
  const auto y = samples(t, [&](double) { return noise(random); });
  const SmoothingSpline spline = smoothing_spline(t, y, default_cutoff(dt));
  double smoothed = 0, differenced = 0;
  for (std::size_t i = 1; i + 1 < t.size(); ++i) {
    smoothed += std::pow(spline.sdd[i] * dt * dt, 2);
    differenced += std::pow(y[i + 1] - 2 * y[i] + y[i - 1], 2);
  }
  CHECK(std::sqrt(differenced / smoothed) > 30);
}

TEST_CASE("interpolation passes through the samples and converges with the spacing") {
  const auto f = [](double x) { return std::sin(x); };
  double before = 0;
  for (const double dt : {0.2, 0.1}) {
    const auto t = uniform_times(static_cast<std::size_t>(20 / dt), dt);
    const SmoothingSpline spline = smoothing_spline(t, samples(t, f), infinite);
    CHECK(largest_error(t, spline.s, f) < 1e-14);
    const double error = largest_error(
        t, spline.sdd, [](double x) { return -std::sin(x); }, 4);
    // fourth order in the interior
    if (before > 0) CHECK(error < before / 14);
    before = error;
  }
  const auto t = uneven_times(500, 0.02);
  const SmoothingSpline spline = smoothing_spline(t, samples(t, f), infinite);
  CHECK(largest_error(t, spline.s, f) < 1e-13);
  CHECK(largest_error(
            t, spline.sdd, [](double x) { return -std::sin(x); }, 0.5) < 1e-5);
}

TEST_CASE("between the samples the curve is one quintic with four continuous derivatives") {
  const auto t = uneven_times(40, 0.1);
  const SmoothingSpline spline = smoothing_spline(t, samples(t, [](double x) { return std::sin(3 * x); }), 5);
  for (std::size_t i = 1; i + 1 < t.size(); ++i) {
    CHECK(spline.at(t[i]).s == doctest::Approx(spline.s[i]));
    // third and fourth derivatives from each side, by differences exact for the polynomial degree at hand
    const double e = 1e-3;
    const auto sdd = [&](double x) { return spline.at(x).sdd; };
    const auto third = [&](double d) {
      return (-11 * sdd(t[i] + d * 1e-12) + 18 * sdd(t[i] + d) - 9 * sdd(t[i] + 2 * d) + 2 * sdd(t[i] + 3 * d)) /
             (6 * d);
    };
    const auto fourth = [&](double d) {
      return (2 * sdd(t[i] + d * 1e-12) - 5 * sdd(t[i] + d) + 4 * sdd(t[i] + 2 * d) - sdd(t[i] + 3 * d)) / (d * d);
    };
    CHECK(std::abs(third(e) - third(-e)) < 1e-4);
    CHECK(std::abs(fourth(e) - fourth(-e)) < 1e-1);
  }
}

TEST_CASE("derivatives at a point are the derivatives of the curve there") {
  const auto t = uneven_times(30, 0.1);
  const SmoothingSpline spline = smoothing_spline(t, samples(t, [](double x) { return std::cos(2 * x); }), 3);
  const double e = 1e-5;
  for (double x = t.front() - 0.2; x < t.back() + 0.2; x += 0.0371) {
    CHECK(spline.at(x).sd == doctest::Approx((spline.at(x + e).s - spline.at(x - e).s) / (2 * e)).epsilon(1e-6));
    CHECK(spline.at(x).sdd == doctest::Approx((spline.at(x + e).sd - spline.at(x - e).sd) / (2 * e)).epsilon(1e-5));
  }
}

TEST_CASE("few samples give the simplest curve") {
  SUBCASE("one: a constant") {
    const SmoothingSpline spline = smoothing_spline(std::vector{2.0}, std::vector{5.0}, 10);
    REQUIRE(spline.status == SplineStatus::ok);
    CHECK(spline.s[0] == doctest::Approx(5));
    CHECK(spline.sd[0] == 0);
    CHECK(spline.at(7).s == doctest::Approx(5));
  }
  SUBCASE("two: a straight line") {
    const SmoothingSpline spline = smoothing_spline(std::vector{0.0, 0.5}, std::vector{1.0, 2.0}, 10);
    CHECK(spline.s[0] == doctest::Approx(1));
    CHECK(spline.s[1] == doctest::Approx(2));
    CHECK(spline.sd[0] == doctest::Approx(2));
    CHECK(std::abs(spline.sdd[0]) < 1e-12);
    CHECK(spline.at(0.25).s == doctest::Approx(1.5));
  }
  SUBCASE("three: a parabola") {
    const SmoothingSpline spline = smoothing_spline(std::vector{0.0, 1.0, 3.0}, std::vector{0.0, 1.0, 9.0}, 0.1);
    for (const double sdd : spline.sdd) CHECK(sdd == doctest::Approx(2));
    CHECK(spline.at(2).s == doctest::Approx(4));
  }
  SUBCASE("four: through them all when asked to") {
    const std::vector<double> y = {0, 1, -1, 2};
    const SmoothingSpline spline = smoothing_spline(std::vector{0.0, 1.0, 2.0, 3.0}, y, infinite);
    for (std::size_t i = 0; i < 4; ++i) CHECK(spline.s[i] == doctest::Approx(y[i]).epsilon(1e-14));
  }
}

TEST_CASE("what cannot be a record is refused by status") {
  const std::vector<double> y = {1, 2, 3};
  const auto status = [](std::vector<double> t, std::vector<double> v, double cutoff) {
    return smoothing_spline(t, v, cutoff).status;
  };
  CHECK(status({}, {}, 1) == SplineStatus::no_samples);
  CHECK(status({0, 1, 1}, y, 1) == SplineStatus::times_not_increasing);
  CHECK(status({0, 2, 1}, y, 1) == SplineStatus::times_not_increasing);
  CHECK(status({0, 1, infinite}, y, 1) == SplineStatus::not_finite);
  CHECK(status({0, 1, 2}, {1, std::nan(""), 2}, 1) == SplineStatus::not_finite);
  for (const double cutoff : {0.0, -1.0, std::nan("")}) CHECK(status({0, 1, 2}, y, cutoff) == SplineStatus::bad_cutoff);
  CHECK(describe(SplineStatus::times_not_increasing) == "the times do not increase");
}

TEST_CASE("channels are smoothed side by side as if each were alone") {
  const auto t = uneven_times(100, 0.01);
  const auto f = samples(t, [](double x) { return std::sin(9 * x); });
  const auto g = samples(t, [](double x) { return std::exp(-x); });
  std::vector<double> both;
  for (std::size_t i = 0; i < t.size(); ++i) both.insert(both.end(), {f[i], g[i]});
  const SmoothingSpline pair = smoothing_spline(t, both, 8, 2), alone = smoothing_spline(t, g, 8);
  for (std::size_t i = 0; i < t.size(); ++i) CHECK(pair.sdd[2 * i + 1] == alone.sdd[i]);
  CHECK(pair.at(0.33, 1).s == alone.at(0.33).s);
}

TEST_CASE("a long record far from time zero is as good as a short one") {
  const double dt = 1e-3, w = 2 * pi * 2;
  auto t = uniform_times(100000, dt);
  const SmoothingSpline near = smoothing_spline(t, samples(t, [&](double x) { return std::sin(w * x); }), 50);
  CHECK(largest_error(
            t, near.sdd, [&](double x) { return -w * w * std::sin(w * x) / (1 + std::pow(2.0 / 50, 6)); }, 0.2) < 1e-6);
}

TEST_CASE("the sample period is the median spacing") {
  CHECK(median_period(std::vector{0.0, 1.0, 2.0, 50.0, 51.0, 52.0}) == 1);
  CHECK(median_period(std::vector{3.0}) == 0);
  CHECK(default_cutoff(1e-3) == doctest::Approx(100));
}
