#include "torsor/numeric/spline_filter.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "torsor/expect.hpp"

namespace torsor {
namespace {

// beyond this many cutoffs per sample the curve passes through the samples to the last bit
constexpr double interpolating = 300;

}  // namespace

SplineFilter::SplineFilter(std::size_t channels, double cutoff, double period)
    : channels_(channels),
      width_(6 + channels),
      period_(period),
      prior_(3 * width_),
      last_(channels),
      work_(7 * width_),
      dot_(width_) {
  TORSOR_EXPECT(cutoff > 0 && period > 0);
  stiffness_ = std::pow(2 * std::numbers::pi * std::min(cutoff * period, interpolating), 3);
}

void SplineFilter::push(double t, std::span<const double> y) {
  TORSOR_EXPECT(y.size() == channels_ && (times_.empty() || t > times_.back()));
  if (pushed_++ > 0) {
    const double h = (t - times_.back()) / period_;

    // what is known of the last state x and its successor x': its sample, the samples before, the curve between
    std::fill(work_.begin(), work_.end(), 0.0);
    measurement_row((spacing_ + h) / 2);
    std::copy(prior_.begin(), prior_.end(), row(1));
    const double r = 1 / std::sqrt(h), r3 = r / h, r5 = r3 / h;
    const double s3 = std::numbers::sqrt3, s5 = std::sqrt(5.0);
    const double W[3][3] = {{20 * r5, -12 * r3, 3 * r}, {-10 * s3 * r5, 4 * s3 * r3, 0}, {2 * s5 * r5, 0, 0}};
    for (std::size_t k = 0; k < 3; ++k) {
      double* const x = row(4 + k);
      x[0] = -W[k][0];
      x[1] = -W[k][0] * h - W[k][1];
      x[2] = -W[k][0] * h * h / 2 - W[k][1] * h - W[k][2];
      std::copy_n(W[k], 3, x + 3);
    }

    // three rows give x once x' is known, three more are all that is known of x' so far; the seventh is misfit
    triangularise(7, 6);
    eliminated_.insert(eliminated_.end(), row(0), row(3));
    std::fill(prior_.begin(), prior_.end(), 0.0);
    for (std::size_t k = 0; k < 3; ++k) {
      std::copy_n(row(3 + k) + 3, 3, &prior_[k * width_]);
      std::copy_n(row(3 + k) + 6, channels_, &prior_[k * width_ + 6]);
    }
    spacing_ = h;
  }
  times_.push_back(t);
  std::copy(y.begin(), y.end(), last_.begin());
}

void SplineFilter::smooth(std::vector<double>& s, std::vector<double>& sd, std::vector<double>& sdd) {
  const std::size_t n = size();
  for (auto* out : {&s, &sd, &sdd}) out->resize(n * channels_);
  if (n == 0) return;

  // the last state; one or two samples do not determine it, and the curve is then a constant or a straight line
  std::fill(work_.begin(), work_.end(), 0.0);
  measurement_row(pushed_ > 1 ? spacing_ / 2 : 1);
  std::copy(prior_.begin(), prior_.end(), row(1));
  triangularise(4, 3);
  const std::size_t determined = std::min<std::size_t>(pushed_, 3);

  // from each state to the one before it, all channels abreast
  next_.assign(3 * channels_, 0.0);
  for (std::size_t i = n; i-- > 0;) {
    const bool last = i + 1 == n;
    const double* const R = last ? work_.data() : &eliminated_[i * 3 * width_];
    for (std::size_t c = 0; c < channels_; ++c) {
      double* const next = &next_[3 * c];
      double x[3] = {0, 0, 0};
      for (std::size_t k = last ? determined : 3; k-- > 0;) {
        const double* const e = R + k * width_;
        double sum = e[6 + c] - e[3] * next[0] - e[4] * next[1] - e[5] * next[2];
        for (std::size_t j = k + 1; j < 3; ++j) sum -= e[j] * x[j];
        x[k] = sum / e[k];
      }
      s[i * channels_ + c] = x[0];
      sd[i * channels_ + c] = x[1] / period_;
      sdd[i * channels_ + c] = x[2] / (period_ * period_);
      std::copy_n(x, 3, next);
    }
  }
}

void SplineFilter::drop(std::size_t count) {
  TORSOR_EXPECT(count <= size());
  if (count == size()) {
    // nothing is left to tell about: a new record may begin
    times_.clear();
    eliminated_.clear();
    std::fill(prior_.begin(), prior_.end(), 0.0);
    pushed_ = 0;
    spacing_ = 0;
    return;
  }
  times_.erase(times_.begin(), times_.begin() + static_cast<std::ptrdiff_t>(count));
  eliminated_.erase(eliminated_.begin(), eliminated_.begin() + static_cast<std::ptrdiff_t>(count * 3 * width_));
}

// row 0: the last sample, to be met by the first entry of its state
void SplineFilter::measurement_row(double weight) {
  const double w = stiffness_ * std::sqrt(weight);
  row(0)[0] = w;
  for (std::size_t c = 0; c < channels_; ++c) row(0)[6 + c] = w * last_[c];
}

// Householder reflections, the largest entry first: rows differ by many orders of magnitude when the curve is stiff or
// the samples are unevenly spaced, and then the heavy rows must lead for the light ones to keep their digits
void SplineFilter::triangularise(std::size_t rows, std::size_t columns) {
  for (std::size_t k = 0; k < columns; ++k) {
    std::size_t pivot = k;
    for (std::size_t i = k + 1; i < rows; ++i)
      if (std::abs(row(i)[k]) > std::abs(row(pivot)[k])) pivot = i;
    if (row(pivot)[k] == 0) continue;
    if (pivot != k) std::swap_ranges(row(k), row(k) + width_, row(pivot));

    double norm = 0;
    for (std::size_t i = k; i < rows; ++i) norm += row(i)[k] * row(i)[k];
    norm = std::copysign(std::sqrt(norm), row(k)[k]);
    double* const lead = row(k);
    const double v = lead[k] + norm;

    // the reflection is I - v v^T / (norm v_k): first v^T times each column, then the multiples of v are taken away
    for (std::size_t j = k + 1; j < width_; ++j) dot_[j] = v * lead[j];
    for (std::size_t i = k + 1; i < rows; ++i)
      if (const double* const e = row(i); e[k] != 0)
        for (std::size_t j = k + 1; j < width_; ++j) dot_[j] += e[k] * e[j];
    for (std::size_t j = k + 1; j < width_; ++j) dot_[j] /= norm * v;
    for (std::size_t j = k + 1; j < width_; ++j) lead[j] -= dot_[j] * v;
    for (std::size_t i = k + 1; i < rows; ++i)
      if (double* const e = row(i); e[k] != 0) {
        for (std::size_t j = k + 1; j < width_; ++j) e[j] -= dot_[j] * e[k];
        e[k] = 0;
      }
    lead[k] = -norm;
  }
}

}  // namespace torsor
