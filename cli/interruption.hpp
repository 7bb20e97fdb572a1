// A run that a signal ends (SIGINT, SIGTERM, SIGHUP): what it has to put in order is done first, then it ends by that
// signal, as it would have at once. A thread of its own does so, since little may be done in a handler.
#pragma once

#include <atomic>
#include <functional>
#include <mutex>

namespace torsor {

class Interruption {
 public:
  /// before_end: called in another thread, under the lock, when a signal comes while this lives. Signals that whoever
  /// started the run lets it ignore stay ignored.
  explicit Interruption(std::function<void()> before_end);
  ~Interruption();
  Interruption(const Interruption&) = delete;
  Interruption& operator=(const Interruption&) = delete;

  /// Taken for every row: one instruction where nobody else wants it.
  class Turn {
   public:
    void lock() {
      while (taken_.test_and_set(std::memory_order_acquire)) wait();
    }
    void unlock() { taken_.clear(std::memory_order_release); }

   private:
    static void wait();
    std::atomic_flag taken_;
  };

  /// Held while what before_end touches is in disorder. Not to be held where one of these is made or destroyed.
  static std::unique_lock<Turn> lock() { return std::unique_lock(turn); }

 private:
  static inline Turn turn;
  std::function<void()> before_end_;
};

}  // namespace torsor
