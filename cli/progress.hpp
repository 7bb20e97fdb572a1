// A bar on standard error for work that takes a while; only on a terminal, and only after half a second.
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>

namespace torsor {

class Progress {
 public:
  /// total: what `done` will be at the end; nothing if that is not known.
  explicit Progress(std::optional<std::int64_t> total);
  ~Progress();
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;

  /// Cheap enough to be called for every row.
  void update(std::int64_t done, std::int64_t rows) {
    if (shown_on_terminal_ && (++calls_ & 0xff) == 0) draw(done, rows);
  }
  /// The same for steps that take their time: each is looked at.
  void update_slow(std::int64_t done, std::int64_t rows) {
    if (shown_on_terminal_) draw(done, rows);
  }

 private:
  using Clock = std::chrono::steady_clock;
  void draw(std::int64_t done, std::int64_t rows);

  std::optional<std::int64_t> total_;
  bool shown_on_terminal_, drawn_ = false;
  std::uint32_t calls_ = 0;
  Clock::time_point start_ = Clock::now(), next_ = start_ + std::chrono::milliseconds(500);
};

}  // namespace torsor
