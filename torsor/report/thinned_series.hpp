// A curve of any number of points in memory of fixed size, for a plot of a stream: points are gathered in runs, of each
// run only the ends, the extremes and one gap are kept (decimate.hpp), and when there are too many runs, neighbours are
// joined two by two. Every peak survives, and the resolution is even along the curve.
#pragma once

#include <algorithm>
#include <utility>

#include "torsor/report/decimate.hpp"

namespace torsor {

class ThinnedSeries {
 public:
  /// Holds every point up to `runs` (even) of them, then at most 7 for each of that many runs.
  explicit ThinnedSeries(std::size_t runs = 1024) : runs_(runs) {}

  void push(double x, double y) {
    x_.push_back(x);
    y_.push_back(y);
    // the open run, too, must not grow
    if (x_.size() - begins_.back() == open_points) reduce(begins_.back(), x_.size());
    if (++filled_ < length_) return;
    close_run();
    if (begins_.size() > runs_) join_runs();
  }

  /// Whether points were left out.
  bool thinned() const { return length_ > 1; }
  const std::vector<double>& x() const { return x_; }
  const std::vector<double>& y() const { return y_; }

 private:
  void close_run() {
    reduce(begins_.back(), x_.size());
    begins_.push_back(x_.size());
    filled_ = 0;
  }

  // runs become twice as long, and half as many
  void join_runs() {
    const std::vector<double> x = std::move(x_), y = std::move(y_);
    const std::vector<std::size_t> begins = std::exchange(begins_, {0});
    x_.clear();
    y_.clear();
    const std::size_t closed = begins.size() - 1;
    for (std::size_t k = 0; k < closed; k += 2) {
      for (std::size_t i = begins[k]; i < begins[std::min(k + 2, closed)]; ++i) {
        x_.push_back(x[i]);
        y_.push_back(y[i]);
      }
      reduce(begins_.back(), x_.size());
      begins_.push_back(x_.size());
    }
    length_ *= 2;
  }

  void reduce(std::size_t begin, std::size_t end) {
    kept_.clear();
    keep_extremes(x_, y_, begin, end, kept_);
    for (std::size_t k = 0; k < kept_.size(); ++k) {
      x_[begin + k] = x_[kept_[k]];
      y_[begin + k] = y_[kept_[k]];
    }
    x_.resize(begin + kept_.size());
    y_.resize(begin + kept_.size());
  }

  static constexpr std::size_t open_points = 64;
  std::size_t runs_, length_ = 1, filled_ = 0;
  std::vector<double> x_, y_;
  std::vector<std::size_t> begins_{0}, kept_;
};

}  // namespace torsor
