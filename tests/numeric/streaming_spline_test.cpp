#include "torsor/numeric/streaming_spline.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>
#include <random>
#include <vector>

#include "torsor/numeric/smoothing_spline.hpp"

using namespace torsor;

namespace {

struct Record {
  std::vector<double> t, y;  // two channels
};

Record noisy_record(std::size_t n, double jitter) {
  std::mt19937 random(11);
  std::uniform_real_distribution<double> noise(-1, 1);
  Record record;
  for (std::size_t i = 0; i < n; ++i) {
    const double t = 1e-3 * (static_cast<double>(i) + jitter * noise(random));
    record.t.push_back(t);
    record.y.insert(record.y.end(), {std::sin(7 * t) + 1e-3 * noise(random), std::cos(3 * t) + 1e-3 * noise(random)});
  }
  return record;
}

struct Streamed {
  std::vector<double> t, s, sd, sdd;
  std::size_t held = 0;  // the most samples that were in flight
};

Streamed stream(const Record& record, double cutoff) {
  StreamingSpline spline(2, cutoff, 1e-3);
  Streamed out;
  double t = 0, s[2], sd[2], sdd[2];
  const auto drain = [&] {
    while (spline.pop(t, s, sd, sdd)) {
      out.t.push_back(t);
      out.s.insert(out.s.end(), s, s + 2);
      out.sd.insert(out.sd.end(), sd, sd + 2);
      out.sdd.insert(out.sdd.end(), sdd, sdd + 2);
    }
  };
  for (std::size_t i = 0; i < record.t.size(); ++i) {
    REQUIRE(spline.push(record.t[i], std::span(record.y).subspan(2 * i, 2)));
    drain();
    out.held = std::max(out.held, i + 1 - out.t.size());
  }
  spline.finish();
  drain();
  return out;
}

double relative_difference(const std::vector<double>& a, const std::vector<double>& b) {
  REQUIRE(a.size() == b.size());
  double worst = 0, scale = 0;
  for (std::size_t i = 0; i < a.size(); ++i) {
    worst = std::max(worst, std::abs(a[i] - b[i]));
    scale = std::max(scale, std::abs(b[i]));
  }
  return worst / scale;
}

}  // namespace

TEST_CASE("a streamed record is smoothed as if it had been held whole") {
  for (const double jitter : {0.0, 0.4})
    for (const double cutoff : {5.0, 20.0, 100.0, 400.0, std::numeric_limits<double>::infinity()}) {
      CAPTURE(jitter);
      CAPTURE(cutoff);
      const Record record = noisy_record(20000, jitter);
      const SmoothingSpline whole = smoothing_spline(record.t, record.y, cutoff, 2);
      const Streamed streamed = stream(record, cutoff);
      CHECK(streamed.t == record.t);
      // rounding, in either of the two, grows as the cutoff falls below the sample rate
      const double rounding = 1e-13 * std::pow(1000 / (2 * std::numbers::pi * cutoff), 3);
      CHECK(relative_difference(streamed.s, whole.s) < 1e-9);
      CHECK(relative_difference(streamed.sd, whole.sd) < 1e-9);
      CHECK(relative_difference(streamed.sdd, whole.sdd) < std::max(1e-9, rounding));
    }
}

TEST_CASE("what is held depends on the cutoff, not on the length of the record") {
  CHECK(stream(noisy_record(5000, 0), 100).held == stream(noisy_record(50000, 0), 100).held);
  CHECK(stream(noisy_record(5000, 0), 100).held < 400);
}

TEST_CASE("short records come out when finished") {
  for (const std::size_t n : {std::size_t{1}, std::size_t{2}, std::size_t{3}, std::size_t{70}}) {
    const Record record = noisy_record(n, 0);
    const SmoothingSpline whole = smoothing_spline(record.t, record.y, 50, 2);
    const Streamed streamed = stream(record, 50);
    REQUIRE(streamed.t.size() == n);
    CHECK(relative_difference(streamed.s, whole.s) < 1e-12);
  }
  double t = 0;
  StreamingSpline nothing(1, 10, 1);
  nothing.finish();
  CHECK_FALSE(nothing.pop(t, {&t, 1}, {&t, 1}, {&t, 1}));
}

TEST_CASE("samples out of order or not finite are not taken") {
  StreamingSpline spline(1, 10, 0.1);
  const double y = 1, bad = std::nan("");
  CHECK(spline.push(0, {&y, 1}));
  CHECK_FALSE(spline.push(0, {&y, 1}));
  CHECK_FALSE(spline.push(-1, {&y, 1}));
  CHECK_FALSE(spline.push(1, {&bad, 1}));
  CHECK_FALSE(spline.push(bad, {&y, 1}));
  CHECK(spline.push(1, {&y, 1}));
}

TEST_CASE("a finished spline begins anew") {
  StreamingSpline spline(1, 10, 0.1);
  double t = 0, s = 0, sd = 0, sdd = 0;
  for (const double y : {3.0, 4.0}) {
    CHECK(spline.push(0, {&y, 1}));
    spline.finish();
    CHECK(spline.pop(t, {&s, 1}, {&sd, 1}, {&sdd, 1}));
    CHECK(s == doctest::Approx(y));
    CHECK_FALSE(spline.pop(t, {&s, 1}, {&sd, 1}, {&sdd, 1}));
  }
}
