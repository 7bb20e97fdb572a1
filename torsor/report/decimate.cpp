#include "torsor/report/decimate.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>

#include "torsor/expect.hpp"

namespace torsor {

void keep_extremes(std::span<const double> x, std::span<const double> y, std::size_t begin, std::size_t end,
                   std::vector<std::size_t>& kept) {
  if (begin >= end) return;
  constexpr std::size_t none = static_cast<std::size_t>(-1);
  std::size_t gap = none, left = none, right = none, bottom = none, top = none;
  for (std::size_t i = begin; i < end; ++i) {
    if (!std::isfinite(x[i]) || !std::isfinite(y[i])) {
      if (gap == none) gap = i;
      continue;
    }
    if (left == none || x[i] < x[left]) left = i;
    if (right == none || x[i] > x[right]) right = i;
    if (bottom == none || y[i] < y[bottom]) bottom = i;
    if (top == none || y[i] > y[top]) top = i;
  }
  std::array<std::size_t, 7> indices{begin, end - 1, gap, left, right, bottom, top};
  std::sort(indices.begin(), indices.end());
  const auto last = std::unique(indices.begin(), indices.end());
  std::copy_if(indices.begin(), last, std::back_inserter(kept), [](std::size_t i) { return i != none; });
}

std::vector<std::size_t> thin(std::span<const double> x, std::span<const double> y, std::size_t limit) {
  TORSOR_EXPECT(limit >= 7);
  const std::size_t n = std::min(x.size(), y.size());
  std::vector<std::size_t> kept;
  if (n <= limit) {
    kept.resize(n);
    std::iota(kept.begin(), kept.end(), std::size_t{0});
    return kept;
  }
  const std::size_t runs = limit / 7;
  for (std::size_t run = 0; run < runs; ++run) keep_extremes(x, y, n * run / runs, n * (run + 1) / runs, kept);
  return kept;
}

std::vector<double> pick(std::span<const double> values, std::span<const std::size_t> indices) {
  std::vector<double> picked;
  picked.reserve(indices.size());
  for (const std::size_t i : indices) picked.push_back(values[i]);
  return picked;
}

}  // namespace torsor
