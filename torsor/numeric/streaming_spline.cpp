#include "torsor/numeric/streaming_spline.hpp"

#include <algorithm>
#include <cmath>

#include "torsor/expect.hpp"
#include "torsor/numeric/finite.hpp"

namespace torsor {
namespace {

constexpr std::size_t lag_samples = 64;

}  // namespace

StreamingSpline::StreamingSpline(std::size_t channels, double cutoff, double period)
    : filter_(channels, cutoff, period), watch_(channels, spline_reach(cutoff, period)), lag_(8 / cutoff) {}

bool StreamingSpline::push(double t, std::span<const double> y) {
  if (!std::isfinite(t) || !all_finite(y) || (filter_.size() > 0 && !(t > filter_.time(filter_.size() - 1))))
    return false;
  filter_.push(t, y);
  watch_.push(t, y);
  // a pass backwards goes over everything held: it pays once half of that can be let go
  if (const std::size_t count = settled(); count > lag_samples && count >= filter_.size() / 2) release(count);
  return true;
}

void StreamingSpline::finish() {
  if (filter_.size() > 0) release(filter_.size());
}

bool StreamingSpline::pop(double& t, std::span<double> s, std::span<double> sd, std::span<double> sdd) {
  if (read_ == ready_.size()) return false;
  const std::size_t channels = filter_.channels();
  TORSOR_EXPECT(s.size() == channels && sd.size() == channels && sdd.size() == channels);
  const double* next = &ready_[read_];
  t = *next++;
  for (const auto& out : {s, sd, sdd}) {
    std::copy_n(next, channels, out.begin());
    next += channels;
  }
  read_ += 1 + 3 * channels;
  return true;
}

// how many of the oldest samples the future can no longer move
std::size_t StreamingSpline::settled() const {
  const std::size_t n = filter_.size();
  if (n <= lag_samples) return 0;
  std::size_t low = 0, high = n - lag_samples;
  const double latest = filter_.time(n - 1) - lag_;
  while (low < high) {
    const std::size_t middle = (low + high) / 2;
    if (filter_.time(middle) <= latest)
      low = middle + 1;
    else
      high = middle;
  }
  return low;
}

void StreamingSpline::release(std::size_t count) {
  filter_.smooth(s_, sd_, sdd_);
  ready_.erase(ready_.begin(), ready_.begin() + static_cast<std::ptrdiff_t>(read_));
  read_ = 0;
  const std::size_t channels = filter_.channels();
  watch_.settle(count, s_, sd_, sdd_);
  for (std::size_t i = 0; i < count; ++i) {
    ready_.push_back(filter_.time(i));
    for (const auto* from : {&s_, &sd_, &sdd_}) {
      const auto first = from->begin() + static_cast<std::ptrdiff_t>(i * channels);
      ready_.insert(ready_.end(), first, first + static_cast<std::ptrdiff_t>(channels));
    }
  }
  filter_.drop(count);
  watch_.drop(count);
}

}  // namespace torsor
