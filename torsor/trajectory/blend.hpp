// Corners rounded: what "linear segments with blends" have in common, whether they join joint positions, points or
// orientations. A path goes through knots at parameters x_i (time, or length of way) with constant slope between them;
// within b_i of a knot the slope before gives way to the slope after. With y from 0 to 1 across the blend, the part
// gone on the segment after is B and that still to go on the segment before is A <= 0:
//
//   B' = w(y),  A' = 1 - w(y),  A + B = x - x_i         p = p_i + slope_before A + slope_after B
//
//   parabolic    w = y               acceleration is constant in the blend and jumps at its ends
//   polynomial   w = 3 y^2 - 2 y^3   acceleration begins and ends with zero
//
// Paul, Robot Manipulators, 1981, chapter 5 (the polynomial blend is his quartic); Craig, Introduction to Robotics,
// chapter 7.
#pragma once

#include <algorithm>
#include <cstddef>
#include <string_view>
#include <vector>

#include "torsor/numeric/dense.hpp"

namespace torsor {

enum class Blend { parabolic, polynomial };

/// What to add to knot i: before times the slope (or turn) of the segment that ends there, after times that which
/// starts.
template <class T>
struct BlendValue {
  std::size_t knot = 0;
  T before, before_d, before_dd, after, after_d, after_dd;
};

class BlendSchedule {
 public:
  BlendSchedule() = default;
  /// Parameters of the knots, increasing, and half-widths of their blends; those of neighbours must not overlap.
  BlendSchedule(std::vector<double> knots, std::vector<double> half_widths, Blend blend)
      : x_(std::move(knots)), b_(std::move(half_widths)), blend_(blend) {
    TORSOR_EXPECT(x_.size() == b_.size() && !x_.empty());
  }

  std::size_t size() const { return x_.size(); }
  const std::vector<double>& knots() const { return x_; }
  const std::vector<double>& half_widths() const { return b_; }
  Blend blend() const { return blend_; }
  /// Whether any knot has a blend.
  bool rounds() const {
    return std::any_of(b_.begin(), b_.end(), [](double b) { return b > 0; });
  }
  double begin() const { return x_.front() - b_.front(); }
  double end() const { return x_.back() + b_.back(); }

  template <Decidable T>
  BlendValue<T> at(const T& x) const {
    // the last knot whose blend has begun
    std::size_t i = 0;
    for (std::size_t low = 1, high = x_.size(); low < high;) {
      const std::size_t middle = (low + high) / 2;
      if (x < T(x_[middle] - b_[middle]))
        high = middle;
      else
        i = middle, low = middle + 1;
    }
    const T gone = x - T(x_[i]), zero(0), one(1);
    if (!(gone < T(b_[i]))) return {i, zero, zero, zero, gone, one, zero};
    const T width(2 * b_[i]), y = (gone + T(b_[i])) / width;
    T w = y, integral = y * y / T(2), slope = one;
    if (blend_ == Blend::polynomial) {
      w = y * y * (T(3) - T(2) * y);
      integral = y * y * y * (one - y / T(2));
      slope = T(6) * y * (one - y);
    }
    const T after = width * integral;
    return {i, gone - after, one - w, -slope / width, after, w, slope / width};
  }

 private:
  std::vector<double> x_, b_;
  Blend blend_ = Blend::parabolic;
};

}  // namespace torsor
