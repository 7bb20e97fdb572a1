// Instants of a motion of any length in memory of fixed size: every so many of them is kept, twice as many are left out each
// time there are too many, and the last one is always there.
#pragma once

#include <cstddef>
#include <optional>
#include <utility>
#include <vector>

namespace torsor {

template <class Frame>
class ThinnedFrames {
 public:
  /// Keeps at most `most` (even) of them, the last one among them.
  explicit ThinnedFrames(std::size_t most) : most_(most) {}

  void push(Frame frame) {
    if (count_++ % stride_ != 0) {
      last_ = std::move(frame);
      return;
    }
    last_.reset();
    if (kept_.size() + 1 >= most_) {
      std::size_t n = 1;  // the first stays where it is: nothing is moved onto itself
      for (std::size_t k = 2; k < kept_.size(); k += 2) kept_[n++] = std::move(kept_[k]);
      kept_.resize(n);
      stride_ *= 2;
      if ((count_ - 1) % stride_ != 0) {
        last_ = std::move(frame);
        return;
      }
    }
    kept_.push_back(std::move(frame));
  }

  bool empty() const { return kept_.empty(); }
  std::size_t count() const { return count_; }
  /// In their order.
  std::vector<Frame> all() const {
    std::vector<Frame> frames = kept_;
    if (last_) frames.push_back(*last_);
    return frames;
  }

 private:
  std::size_t most_, stride_ = 1, count_ = 0;
  std::vector<Frame> kept_;
  std::optional<Frame> last_;
};

}  // namespace torsor
