// The faults of one file, the first hundred in full and the rest by count: a million bad rows make neither a wall of
// text nor a memory that grows with the file.
#pragma once

#include <algorithm>
#include <cstdint>
#include <iterator>
#include <string>
#include <utility>

#include "torsor/result.hpp"

namespace torsor {

class FaultLog {
 public:
  static constexpr std::size_t listed = 100;

  void add(Fault error) {
    ++count_;
    if (faults_.size() < listed) faults_.push_back(std::move(error));
  }

  bool empty() const { return count_ == 0; }
  std::int64_t count() const { return count_; }

  /// Takes in the faults of another log of the same file, in the order of their lines.
  void merge(const FaultLog& other) {
    const auto middle = faults_.insert(faults_.end(), other.faults_.begin(), other.faults_.end());
    std::inplace_merge(faults_.begin(), middle, faults_.end(),
                       [](const Fault& a, const Fault& b) { return a.where.line < b.where.line; });
    faults_.resize(std::min(faults_.size(), listed));
    count_ += other.count_;
  }

  /// The first `most` of the listed faults in the order found; when there were more, a last entry says how many.
  Faults faults(std::size_t most = listed) const {
    Faults all = faults_;
    all.resize(std::min(all.size(), most));
    const std::int64_t more = count_ - std::ssize(all);
    if (more > 0)
      all.push_back({{faults_.front().where.file, 0},
                     "",
                     "more",
                     "and " + std::to_string(more) + (more == 1 ? " more fault" : " more faults"),
                     "mend these and read again"});
    return all;
  }

 private:
  Faults faults_;
  std::int64_t count_ = 0;
};

}  // namespace torsor
