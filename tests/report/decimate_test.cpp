#include "torsor/report/decimate.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <set>

using namespace torsor;

namespace {

std::vector<double> ramp(std::size_t n) {
  std::vector<double> x(n);
  for (std::size_t i = 0; i < n; ++i) x[i] = static_cast<double>(i);
  return x;
}

}  // namespace

TEST_CASE("a short series is kept whole") {
  const auto x = ramp(1000);
  const auto kept = thin(x, x, 1000);
  CHECK(pick(x, kept) == x);
}

TEST_CASE("a long series is cut to the limit, ends and single peaks included, order kept") {
  const auto x = ramp(1000000);
  std::vector<double> y(x.size());
  for (std::size_t i = 0; i < y.size(); ++i) y[i] = std::sin(0.7 * x[i]);
  y[123457] = 9;
  y[900001] = -8;
  const auto kept = thin(x, y);
  CHECK(kept.size() <= max_series_points);
  CHECK(kept.size() > max_series_points / 4);
  CHECK(std::is_sorted(kept.begin(), kept.end()));
  CHECK(std::adjacent_find(kept.begin(), kept.end()) == kept.end());
  CHECK(kept.front() == 0);
  CHECK(kept.back() == 999999);
  CHECK(std::binary_search(kept.begin(), kept.end(), 123457));
  CHECK(std::binary_search(kept.begin(), kept.end(), 900001));
}

TEST_CASE("a gap of a single sample survives, and a series of gaps alone is no trouble") {
  const auto x = ramp(100000);
  std::vector<double> y(x.size(), 1.0);
  y[54321] = std::nan("");
  const auto kept = thin(x, y, 700);
  CHECK(std::binary_search(kept.begin(), kept.end(), 54321));
  CHECK(kept.size() <= 700);
  CHECK(thin(x, std::vector<double>(x.size(), std::nan("")), 700).size() <= 700);
}

TEST_CASE("a closed curve keeps its extremes in x too") {
  std::vector<double> x, y;
  for (int i = 0; i < 50000; ++i) {
    x.push_back(std::cos(1e-3 * i));
    y.push_back(std::sin(1e-3 * i));
  }
  x[30000] = 5;
  const auto kept = thin(x, y, 1000);
  CHECK(std::binary_search(kept.begin(), kept.end(), 30000));
}
