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

  void add(Error error) {
    ++count_;
    if (errors_.size() < listed) errors_.push_back(std::move(error));
  }

  bool empty() const { return count_ == 0; }
  std::int64_t count() const { return count_; }

  /// Takes in the faults of another log of the same file, in the order of their lines.
  void merge(const FaultLog& other) {
    const auto middle = errors_.insert(errors_.end(), other.errors_.begin(), other.errors_.end());
    std::inplace_merge(errors_.begin(), middle, errors_.end(),
                       [](const Error& a, const Error& b) { return a.where.line < b.where.line; });
    errors_.resize(std::min(errors_.size(), listed));
    count_ += other.count_;
  }

  /// The first `most` of the listed faults in the order found; when there were more, a last entry says how many.
  Errors errors(std::size_t most = listed) const {
    Errors all = errors_;
    all.resize(std::min(all.size(), most));
    const std::int64_t more = count_ - std::ssize(all);
    if (more > 0)
      all.push_back({{errors_.front().where.file, 0},
                     "",
                     "more",
                     "and " + std::to_string(more) + (more == 1 ? " more fault" : " more faults"),
                     "mend these and read again"});
    return all;
  }

 private:
  Errors errors_;
  std::int64_t count_ = 0;
};

}  // namespace torsor
