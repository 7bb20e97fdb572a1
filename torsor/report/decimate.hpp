// Fewer points, same picture: a series is cut into runs of consecutive points, and of each run the first, the last, the
// extremes and one gap are kept. A peak of a single sample therefore survives any reduction, and no value is invented.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

namespace torsor {

/// Longer series are thinned before they are drawn or written beside a figure.
inline constexpr std::size_t max_series_points = 20000;

/// Appends the indices that represent points [begin, end), ascending: first, last, least and greatest x and y, a gap.
/// A point with a non-finite coordinate is a gap; at most 7 indices are appended.
void keep_extremes(std::span<const double> x, std::span<const double> y, std::size_t begin, std::size_t end,
                   std::vector<std::size_t>& kept);

/// The indices to keep so that at most `limit` points remain; all of them if there are no more than that. limit >= 7.
std::vector<std::size_t> thin(std::span<const double> x, std::span<const double> y,
                              std::size_t limit = max_series_points);

/// The values at the given indices.
std::vector<double> pick(std::span<const double> values, std::span<const std::size_t> indices);

}  // namespace torsor
