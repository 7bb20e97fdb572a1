#include "torsor/numeric/spline_filter.hpp"

#include <doctest/doctest.h>

#include <array>
#include <cmath>
#include <numbers>
#include <vector>

using namespace torsor;

namespace {

struct States {
  std::vector<double> s, sd, sdd;
};

States states(SplineFilter& filter) {
  States out;
  filter.smooth(out.s, out.sd, out.sdd);
  return out;
}

// the quantity that the spline minimises, for any states at the samples; Gauss points are exact for the quintic pieces
double cost(const std::vector<double>& t, const std::vector<double>& y, const States& x, double cutoff) {
  double sum = 0;
  const std::size_t n = t.size();
  for (std::size_t i = 0; i < n; ++i) {
    const double weight = ((i + 1 < n ? t[i + 1] : t[i]) - (i > 0 ? t[i - 1] : t[i])) / 2;
    sum += weight * std::pow(x.s[i] - y[i], 2);
  }
  double bending = 0;
  for (std::size_t i = 0; i + 1 < n; ++i) {
    const double h = t[i + 1] - t[i];
    const double a = x.s[i + 1] - x.s[i] - h * x.sd[i] - h * h / 2 * x.sdd[i];
    const double b = h * (x.sd[i + 1] - x.sd[i] - h * x.sdd[i]), c = h * h * (x.sdd[i + 1] - x.sdd[i]);
    const double a3 = 10 * a - 4 * b + c / 2, a4 = -15 * a + 7 * b - c, a5 = 6 * a - 3 * b + c / 2;
    for (const auto& [u, w] :
         {std::array{0.5 - std::sqrt(0.15), 5.0 / 18}, {0.5, 4.0 / 9}, {0.5 + std::sqrt(0.15), 5.0 / 18}}) {
      const double third = (6 * a3 + 24 * a4 * u + 60 * a5 * u * u) / (h * h * h);
      bending += w * h * third * third;
    }
  }
  return sum + bending / std::pow(2 * std::numbers::pi * cutoff, 6);
}

const std::vector<double> record_times = {0, 0.1, 0.15, 0.4, 0.5, 0.7, 0.72, 1.0};
const std::vector<double> record_values = {0, 1, 0.5, -1, 2, 0, 0.1, 1};

void push_record(SplineFilter& filter) {
  for (std::size_t i = 0; i < record_times.size(); ++i) filter.push(record_times[i], {&record_values[i], 1});
}

}  // namespace

TEST_CASE("no change of any state makes the cost less") {
  for (const double cutoff : {0.5, 2.0, 8.0}) {
    SplineFilter filter(1, cutoff, 0.1);
    push_record(filter);
    States best = states(filter);
    const double least = cost(record_times, record_values, best, cutoff);
    CHECK(least > 0);
    for (auto* part : {&best.s, &best.sd, &best.sdd})
      for (double& x : *part)
        for (const double change : {-1e-3, 1e-3}) {
          const double kept = x;
          x += change;
          CHECK(cost(record_times, record_values, best, cutoff) > least);
          x = kept;
        }
  }
}

TEST_CASE("dropping old samples does not change what is said of the rest") {
  SplineFilter filter(1, 2, 0.1);
  push_record(filter);
  const States before = states(filter);
  filter.drop(3);
  CHECK(filter.size() == 5);
  CHECK(filter.time(0) == record_times[3]);
  const States after = states(filter);
  for (std::size_t i = 0; i < 5; ++i) CHECK(after.sdd[i] == before.sdd[i + 3]);
}

TEST_CASE("dropping all begins a new record") {
  SplineFilter filter(1, 2, 0.1);
  push_record(filter);
  const States before = states(filter);
  filter.drop(record_times.size());
  CHECK(states(filter).s.empty());
  push_record(filter);
  CHECK(states(filter).sdd == before.sdd);
}

TEST_CASE("the unit of time inside does not matter") {
  SplineFilter one(1, 2, 0.1), other(1, 2, 0.017);
  push_record(one);
  push_record(other);
  const States a = states(one), b = states(other);
  for (std::size_t i = 0; i < record_times.size(); ++i) CHECK(a.sdd[i] == doctest::Approx(b.sdd[i]).epsilon(1e-11));
}
