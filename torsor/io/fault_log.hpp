// The faults of one file, the first hundred in full and the rest by count: a million bad rows make neither a wall of
// text nor a memory that grows with the file.
#pragma once

#include <cstdint>
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

  /// The listed faults in the order found; when there were more, a last entry says how many.
  Errors errors() const {
    Errors all = errors_;
    const std::int64_t more = count_ - static_cast<std::int64_t>(errors_.size());
    if (more > 0)
      all.push_back({{errors_.front().where.file, 0},
                     "",
                     "more",
                     "and " + std::to_string(more) + " more faults",
                     "mend these and read again"});
    return all;
  }

 private:
  Errors errors_;
  std::int64_t count_ = 0;
};

}  // namespace torsor
