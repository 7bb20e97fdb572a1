#include "torsor/numeric/rest_watch.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>

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
  std::vector<double> s(40, 0.0), sd(40, 1.0), sdd(40, 1.0);
  watch.settle(40, s, sd, sdd);
  CHECK(sd[10] == 1);
  CHECK(sd[33] == 0);
}

namespace {

/// Moves along quintics with rests between them, as rows of so many decimals.
struct StopAndGo {
  struct Move {
    double from, lasts, way;
  };
  std::vector<Move> moves;
  double end = 0;

  StopAndGo(Random& random, double reach) {
    for (int k = 0; k < 4; ++k) {
      end += random.uniform(1.2, 5) * reach;  // a rest longer than the reach
      moves.push_back({end, random.uniform(1, 8) * reach, random.uniform(0.05, 0.5) * (random.chance(0.5) ? 1 : -1)});
      end += moves.back().lasts;
    }
    end += random.uniform(1.2, 3) * reach;
  }
  double at(double t) const {
    double y = 0.1;
    for (const Move& m : moves) {
      const double u = std::clamp((t - m.from) / m.lasts, 0.0, 1.0);
      y += m.way * u * u * u * (10 - u * (15 - 6 * u));
    }
    return y;
  }
};

}  // namespace

TEST_CASE(
    "a joint whose rows are equal for the spline's reach rests in all of them, and the motion beside stays smooth") {
  Random random(704);
  int still = 0, apart = 0;
  for (int k = 0; k < draws(120); ++k) {
    const double rate = std::array{20.0, 50.0, 200.0}[static_cast<std::size_t>(k % 3)], period = 1 / rate;
    const double cutoff = std::array{0.1, 0.04, 0.25}[static_cast<std::size_t>(k / 3 % 3)] * rate;
    const double reach = spline_reach(cutoff, period);
    CAPTURE(k);
    const StopAndGo motion(random, reach);
    const int decimals = 5 + random.below(4);
    std::vector<double> t, y;
    for (int i = 0; i * period <= motion.end; ++i) {
      t.push_back(i * period);
      y.push_back(rounded(motion.at(t.back()), decimals));
    }
    const SmoothingSpline spline = smoothing_spline(t, y, cutoff);
    REQUIRE(spline.sd.size() == t.size());
    std::vector<double> raw_s, raw_sd, raw_sdd;
    SplineFilter filter(1, cutoff, period);
    for (std::size_t i = 0; i < t.size(); ++i) filter.push(t[i], {&y[i], 1});
    filter.smooth(raw_s, raw_sd, raw_sdd);

    // equal rows
    std::vector<char> rests(t.size(), 0);
    for (std::size_t a = 0, b = 0; a < t.size(); a = b) {
      while (b < t.size() && y[b] == y[a]) ++b;
      for (std::size_t i = a; i < b && t[b - 1] - t[a] >= reach * (1 - 1e-9); ++i) rests[i] = 1;
    }
    for (std::size_t i = 0; i < t.size(); ++i) {
      if (!rests[i]) continue;
      ++still;
      REQUIRE(spline.sd[i] == 0);
      REQUIRE(spline.sdd[i] == 0);
      REQUIRE(spline.s[i] == y[i]);
    }
    // position and speed belong together: one quintic from sample to sample, the speed of which is a fourth power
    double largest = 0, off = 0, raw_off = 0, ours = 0, raw = 0, speed = 0, raw_speed = 0, way = 0, fastest = 0;
    for (const StopAndGo::Move& m : motion.moves) way = std::max(way, std::abs(m.way));
    for (const double sdd : spline.sdd) largest = std::max(largest, std::abs(sdd));
    for (std::size_t i = 1; i < t.size(); ++i) {
      const auto gap = [&](const auto& s, const auto& sd, const auto& sdd) {
        const double h = t[i] - t[i - 1];
        return std::abs(s[i] - s[i - 1] - h / 2 * (sd[i - 1] + sd[i]) + h * h / 12 * (sdd[i] - sdd[i - 1])) / (h * h);
      };
      off = std::max(off, gap(spline.s, spline.sd, spline.sdd));
      raw_off = std::max(raw_off, gap(raw_s, raw_sd, raw_sdd));
      ours = std::max(ours, std::abs(spline.s[i] - motion.at(t[i])));
      raw = std::max(raw, std::abs(raw_s[i] - motion.at(t[i])));
      const double true_speed = (motion.at(t[i] + 1e-5 * reach) - motion.at(t[i] - 1e-5 * reach)) / (2e-5 * reach);
      fastest = std::max(fastest, std::abs(true_speed));
      speed = std::max(speed, std::abs(spline.sd[i] - true_speed));
      raw_speed = std::max(raw_speed, std::abs(raw_sd[i] - true_speed));
    }
    CHECK(off <= 3 * raw_off + 1e-3 * largest);
    // about as near to the truth as smoothing is: the last digit hides how a move begins and ends
    CHECK(ours <= 3 * raw + 1e-3 * way);
    CHECK(speed <= 1.5 * raw_speed + 1e-2 * fastest);
    // and no chatter: within a move, were it the only one, the speed has the sign of the move, but for what a digit is;
    // the others ring across the rests that part them from it, by no more than what lies beyond the reach counts for
    const double digit = 5 * std::pow(10, -decimals) / reach;
    for (auto m = motion.moves.begin(); m != motion.moves.end(); ++m) {
      const double stop = m->from + m->lasts;
      const double since = m == motion.moves.begin() ? t.front() : (m - 1)->from + (m - 1)->lasts,
                   until = m + 1 == motion.moves.end() ? t.back() : (m + 1)->from;
      std::vector<double> alone;
      double ringing = 0;
      for (std::size_t i = 0; i < t.size(); ++i) {
        alone.push_back(rounded(motion.at(std::clamp(t[i], since, until)), decimals));
        if (t[i] >= since && t[i] <= until && (t[i] <= m->from || t[i] >= stop))
          ringing = std::max(ringing, std::abs(raw_sd[i]));
      }
      const std::vector<double> sd = smoothing_spline(t, alone, cutoff).sd;
      const auto first = std::ranges::upper_bound(t, m->from) - t.begin(),
                 last = std::ranges::lower_bound(t, stop) - t.begin();
      const bool parted = rests[static_cast<std::size_t>(first - 1)] && rests[static_cast<std::size_t>(last)];
      apart += parted;
      for (auto i = static_cast<std::size_t>(first); i < static_cast<std::size_t>(last); ++i) {
        CHECK(sd[i] * (m->way > 0 ? 1 : -1) >= -digit);
        if (parted) CHECK(std::abs(spline.sd[i] - sd[i]) <= std::exp(-std::numbers::pi) * ringing + digit);
      }
    }
    // streamed it is the same
    const std::vector<double> speeds = streamed(t, y, cutoff, period);
    REQUIRE(speeds.size() == t.size());
    for (std::size_t i = 0; i < t.size(); ++i) REQUIRE(std::abs(speeds[i] - spline.sd[i]) < 1e-8);
  }
  CHECK(still > draws(120) * 20);
  CHECK(apart > draws(120) * 3);
}

TEST_CASE("a long rest, and what hardly moves, are as before in a stream; a step remains a motion") {
  const double period = 0.05, cutoff = 2, reach = spline_reach(cutoff, period);
  REQUIRE(reach == 0.5);
  // a thousand rows at rest, a move, a thousand more
  std::vector<double> t, y, slow, step;
  for (int i = 0; i < 2040; ++i) {
    const double u = std::clamp((i - 1000) / 40.0, 0.0, 1.0);
    t.push_back(i * period);
    y.push_back(rounded(u * u * u * (10 - u * (15 - 6 * u)), 6));
    slow.push_back(rounded(1.4e-6 * t.back(), 6));  // a digit in 0.7 s: equal rows, but no rest
    step.push_back(i < 1000 ? 0 : 1.25);
  }
  const std::vector<double> speeds = streamed(t, y, cutoff, period);
  for (std::size_t i = 0; i < t.size(); ++i) {
    CAPTURE(i);
    if (y[i] == 0 || y[i] == 1)
      CHECK(speeds[i] == 0);
    else
      CHECK(speeds[i] > -1e-5);
  }
  const SmoothingSpline smooth = smoothing_spline(t, slow, cutoff);
  for (std::size_t i = 1; i < t.size(); ++i)
    CHECK(std::abs(smooth.sdd[i]) < 1e-4);  // a digit over one period would be 4e-4
  const SmoothingSpline jump = smoothing_spline(t, step, cutoff);
  CHECK(jump.sd[1000] > 1);
  CHECK(jump.sd[999] == doctest::Approx(jump.sd[1000]).epsilon(1e-6));
}
