// The faults of one file, the first hundred in full and the rest by count: a million bad rows make neither a wall of text nor
// a memory that grows with the file. Of rows of numbers a fault that many of them have is reported once, with how many and
// the last; in other files each place is mended by hand, and is listed.
#pragma once

#include <algorithm>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "torsor/result.hpp"

namespace torsor {

class FaultLog {
 public:
  enum class Repeats { apart, once };

  explicit FaultLog(Repeats repeats = Repeats::apart) : repeats_(repeats) {}

  static constexpr std::size_t listed = 100;  // faults, or kinds of them
  static constexpr std::size_t apart = 3;     // so many faults of a kind are listed one by one

  /// Under Repeats::once faults of one rule, link or column, and remedy are of one kind. A file without lines gives the row, and the offender
  /// as it is without its row.
  void add(Fault error, std::int64_t row = 0, const std::string& offender = {}) {
    ++count_;
    const std::string& about = row > 0 ? offender : error.offender;
    const auto same = [&](const Kind& kind) {
      const Fault& f = kind.first.front().fault;
      return f.rule == error.rule && kind.about == about && f.remedy == error.remedy &&
             f.where.file == error.where.file;
    };
    auto kind = repeats_ == Repeats::once ? std::find_if(kinds_.begin(), kinds_.end(), same) : kinds_.end();
    if (kind == kinds_.end()) {
      if (kinds_.size() == listed) return;
      kind = kinds_.insert(kinds_.end(), Kind{about, {}, 0, 0, row > 0});
    }
    ++kind->count;
    kind->last = row > 0 ? row : error.where.line;
    if (kind->first.size() < apart) kind->first.push_back({count_, std::move(error)});
  }

  bool empty() const { return count_ == 0; }
  std::int64_t count() const { return count_; }

  /// Takes in the faults of another log of the same file, in the order of their lines.
  void merge(const FaultLog& other) {
    kinds_.insert(kinds_.end(), other.kinds_.begin(), other.kinds_.end());
    std::vector<Kept*> all;
    for (Kind& kind : kinds_)
      for (Kept& kept : kind.first) all.push_back(&kept);
    std::stable_sort(all.begin(), all.end(),
                     [](const Kept* a, const Kept* b) { return a->fault.where.line < b->fault.where.line; });
    for (std::size_t k = 0; k < all.size(); ++k) all[k]->order = static_cast<std::int64_t>(k);
    std::stable_sort(kinds_.begin(), kinds_.end(),
                     [](const Kind& a, const Kind& b) { return a.first.front().order < b.first.front().order; });
    kinds_.resize(std::min(kinds_.size(), listed));
    count_ += other.count_;
  }

  /// The first `most` faults in the order found, each with the rows that have it, too; when there were more, a last entry
  /// says how many.
  Faults faults(std::size_t most = listed) const {
    std::vector<Shown> shown;
    for (const Kind& kind : kinds_)
      if (kind.count > static_cast<std::int64_t>(apart))
        shown.push_back({kind.first.front().order, kind.count, repeated(kind)});
      else
        for (const Kept& kept : kind.first) shown.push_back({kept.order, 1, kept.fault});
    std::sort(shown.begin(), shown.end(), [](const Shown& a, const Shown& b) { return a.order < b.order; });
    shown.resize(std::min(shown.size(), most));
    Faults all;
    std::int64_t more = count_;
    for (Shown& each : shown) {
      more -= each.count;
      all.push_back(std::move(each.fault));
    }
    if (more > 0)
      all.push_back({{kinds_.front().first.front().fault.where.file, 0},
                     "",
                     "more",
                     "and " + std::to_string(more) + (more == 1 ? " more fault" : " more faults"),
                     "mend these and read again"});
    return all;
  }

 private:
  struct Kept {
    std::int64_t order;
    Fault fault;
  };
  struct Kind {
    std::string about;
    std::vector<Kept> first;
    std::int64_t count, last;  // how many, and the row or line of the last
    bool by_row;
  };
  struct Shown {
    std::int64_t order, count;
    Fault fault;
  };

  static Fault repeated(const Kind& kind) {
    Fault fault = kind.first.front().fault;
    fault.what += "; so in " + std::to_string(kind.count - 1) + " more rows, up to " +
                  (kind.by_row ? "row " : "line ") + std::to_string(kind.last);
    return fault;
  }

  Repeats repeats_;
  std::vector<Kind> kinds_;
  std::int64_t count_ = 0;
};

}  // namespace torsor
