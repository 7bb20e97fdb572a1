// What the C and C++ libraries of WASI leave out, for the one thread and no process there is: locks that are always free, threads and
// processes that cannot be started. The library then works with those there are (torsor/fast/start_threads.hpp), or says so.
// Included before everything else (cmake/wasm.cmake).
#pragma once

#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <mutex>
#include <system_error>
#include <thread>

// ---- C
#define CLOCK_MONOTONIC_COARSE CLOCK_MONOTONIC

inline pid_t fork() { return errno = ENOSYS, -1; }
inline int fchown(int, uid_t, gid_t) { return errno = ENOSYS, -1; }

inline char* mkdtemp(char* pattern) {
  static int number = 0;
  const std::size_t length = std::strlen(pattern);
  if (length < 6) return errno = EINVAL, nullptr;
  std::snprintf(pattern + length - 6, 7, "%06d", ++number % 1000000);
  return mkdir(pattern, 0700) == 0 ? pattern : nullptr;
}

// ---- C++
namespace std {

class mutex {
 public:
  void lock() {}
  void unlock() {}
  bool try_lock() { return true; }
};

template <class... Mutexes>
class scoped_lock {
 public:
  explicit scoped_lock(Mutexes&...) {}
  scoped_lock(const scoped_lock&) = delete;
  scoped_lock& operator=(const scoped_lock&) = delete;
  ~scoped_lock() {}
};

class condition_variable {
 public:
  void notify_one() {}
  void notify_all() {}
  template <class Lock, class Done>
  void wait(Lock&, Done) {}
};

class thread {
 public:
  thread() = default;
  template <class F, class... A>
  explicit thread(F&&, A&&...) {
    throw system_error(make_error_code(errc::resource_unavailable_try_again));
  }
  bool joinable() const { return false; }
  void join() {}
  void detach() {}
  static unsigned hardware_concurrency() { return 1; }
};

namespace this_thread {
template <class Duration>
void sleep_for(const Duration&) {}
}  // namespace this_thread

}  // namespace std
