// Between the coordinates of a robot and the rows of its DH arm: where axes are nearly parallel the arm has rows more,
// whose joints are held (DhLink::held). They have no velocity, and what holds them is nobody's torque; elsewhere nothing
// is copied.
#pragma once

#include <array>

#include "torsor/model/configuration.hpp"
#include "torsor/model/dh_arm.hpp"

namespace torsor::detail {

/// Rates on their way in, and results on their way out: orders[k] indices each, 1 for tau, 2 for D, 3 for h_ikm.
template <class T, int... orders>
class MovingRows {
 public:
  explicit MovingRows(const DhArm<T>& arm) {
    if (arm.held() == 0) return;
    rows_ = arm.links.size();
    for (std::size_t i = 0; i < rows_; ++i)
      if (!arm.links[i].held) row_.push_back(i);
    for (std::vector<T>& rate : rates_) rate.assign(rows_, T(0));
    for (std::size_t k = 0; k < results_.size(); ++k) {
      std::size_t size = 1;
      for (int index = 0; index < order[k]; ++index) size *= rows_;
      results_[k].assign(size, T(0));
    }
  }

  /// A rate of the coordinates as one of the rows: the first or the second.
  Rates<const T> rate(Rates<const T> given, std::size_t which = 0) {
    if (row_.empty() || given.empty()) return given;
    for (std::size_t k = 0; k < row_.size(); ++k) rates_[which][row_[k]] = given[k];
    return rates_[which];
  }

  /// Room for a result over the rows, and then that result without those that are held.
  std::span<T> room(std::span<T> wanted, std::size_t which = 0) {
    return row_.empty() ? wanted : std::span<T>(results_[which]);
  }
  void give(std::span<T> wanted, std::size_t which = 0) const {
    if (row_.empty()) return;
    for (std::size_t k = 0; k < wanted.size(); ++k) {
      std::size_t from = 0, scale = 1, rest = k;
      for (int index = 0; index < order[which]; ++index, rest /= row_.size(), scale *= rows_)
        from += scale * row_[rest % row_.size()];
      wanted[k] = results_[which][from];
    }
  }

 private:
  static constexpr std::array<int, sizeof...(orders)> order{orders...};

  std::size_t rows_ = 0;
  std::vector<std::size_t> row_;  // of each coordinate; empty where all rows move
  std::array<std::vector<T>, 2> rates_;
  std::array<std::vector<T>, sizeof...(orders)> results_;
};

}  // namespace torsor::detail
