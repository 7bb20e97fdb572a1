#include "torsor/report/thinned_series.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>

using namespace torsor;

TEST_CASE("a short curve is kept point by point") {
  ThinnedSeries series(64);
  for (int k = 0; k < 63; ++k) series.push(k, k * k);
  CHECK_FALSE(series.thinned());
  REQUIRE(series.x().size() == 63);
  CHECK(series.y()[62] == 62 * 62);
}

TEST_CASE("a long curve stays small and keeps its ends and every peak of one sample") {
  ThinnedSeries series(64);
  const int n = 100003;
  const auto value = [](int k) { return k == 31337 ? 50.0 : k == 77777 ? -40.0 : std::sin(0.001 * k); };
  for (int k = 0; k < n; ++k) series.push(k, value(k));
  CHECK(series.thinned());
  CHECK(series.x().size() <= 7 * 64 + 64);
  CHECK(series.x().front() == 0);
  CHECK(series.x().back() == n - 1);
  CHECK(std::is_sorted(series.x().begin(), series.x().end()));
  CHECK(*std::max_element(series.y().begin(), series.y().end()) == 50);
  CHECK(*std::min_element(series.y().begin(), series.y().end()) == -40);
  // no value is invented
  for (std::size_t i = 0; i < series.x().size(); ++i) CHECK(series.y()[i] == value(static_cast<int>(series.x()[i])));
}

TEST_CASE("the points that are left are spread evenly") {
  ThinnedSeries series(64);
  for (int k = 0; k < 100000; ++k) series.push(k, std::sin(k));
  double widest = 0;
  for (std::size_t i = 1; i < series.x().size(); ++i) widest = std::max(widest, series.x()[i] - series.x()[i - 1]);
  CHECK(widest <= 4096);
}
