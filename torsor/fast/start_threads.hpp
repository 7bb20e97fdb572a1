// Threads as far as the system gives them: a limit on processes or memory is no reason to end. Whoever starts some works
// along, and so is never without one.
#pragma once

#include <atomic>
#include <cstdint>
#include <exception>
#include <mutex>
#include <new>
#include <system_error>
#include <thread>
#include <vector>

namespace torsor {

/// Starts work(0), work(1), ... work(count - 1), each on a thread of its own; fewer where no more can be had. To be joined.
template <class Work>
std::vector<std::thread> start_threads(int count, const Work& work) {
  std::vector<std::thread> threads;
  try {
    for (int k = 0; k < count; ++k) threads.emplace_back(work, k);
  } catch (const std::system_error&) {
  } catch (const std::bad_alloc&) {
  }
  return threads;
}

/// work(0) ... work(count - 1), each once, on so many threads, of which the caller's is one. What one throws is thrown here, and
/// no further one is begun.
template <class Work>
void share_out(std::int64_t count, int threads, const Work& work) {
  std::atomic<std::int64_t> next = 0;
  std::exception_ptr fault;
  std::mutex mutex;
  const auto take = [&] {
    try {
      for (std::int64_t k = next++; k < count; k = next++) work(k);
    } catch (...) {
      const std::lock_guard lock(mutex);
      if (!fault) fault = std::current_exception();
      next = count;
    }
  };
  std::vector<std::thread> others = start_threads(threads - 1, [&take](int) { take(); });
  take();
  for (std::thread& other : others) other.join();
  if (fault) std::rethrow_exception(fault);
}

}  // namespace torsor
