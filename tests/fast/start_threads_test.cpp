#include "torsor/fast/start_threads.hpp"

#include <doctest/doctest.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <fstream>

#include "torsor/fast/workers.hpp"

using namespace torsor;

namespace {

// in a process of its own, whose address space has room for a few stacks more
template <class Check>
bool holds_with_few_threads(const Check& check) {
  const pid_t child = fork();
  if (child == 0) {
    std::ifstream size("/proc/self/statm");
    unsigned long pages = 0;
    size >> pages;
    const rlim_t most = pages * static_cast<rlim_t>(sysconf(_SC_PAGESIZE)) + (rlim_t{100} << 20);
    const rlimit limit{most, most};
    _exit(pages > 0 && setrlimit(RLIMIT_AS, &limit) == 0 && check() ? 0 : 1);
  }
  int status = 0;
  waitpid(child, &status, 0);
  return WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

}  // namespace

TEST_CASE("as many threads are started as the system gives, and the rest is no fault") {
  CHECK(holds_with_few_threads([] {
    std::atomic<int> ran = 0;
    std::vector<std::thread> threads = start_threads(400, [&ran](int) {
      ++ran;
      while (ran < 1000) std::this_thread::yield();
    });
    const auto started = static_cast<int>(threads.size());
    while (ran < started) std::this_thread::yield();
    ran = 1000;
    for (std::thread& thread : threads) thread.join();
    return started > 0 && started < 400;
  }));
}

TEST_CASE("workers share out all pieces of a task with fewer threads than asked for") {
  CHECK(holds_with_few_threads([] {
    Workers workers(400);
    std::atomic<std::int64_t> sum = 0;
    bool in_range = true;
    for (int task = 0; task < 3; ++task)
      workers.share(1000, [&](int worker, std::int64_t k) {
        if (worker < 0 || worker >= workers.threads()) in_range = false;
        sum += k;
      });
    return in_range && sum == 3 * 499500 && workers.threads() < 400;
  }));
}
