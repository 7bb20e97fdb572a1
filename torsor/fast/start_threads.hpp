// Threads as far as the system gives them: a limit on processes or memory is no reason to end. Whoever starts some works
// along, and so is never without one.
#pragma once

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

}  // namespace torsor
