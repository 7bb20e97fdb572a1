#include "cli/interruption.hpp"

#include <semaphore.h>
#include <signal.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <chrono>
#include <system_error>
#include <thread>
#include <vector>

namespace torsor {
namespace {

// never destroyed: the thread may wait here until the very end
struct Watch {
  std::vector<const std::function<void()>*> before_end;
  sem_t caught;
  std::atomic<int> signal = 0;
};

Watch& watch() {
  static Watch& only = *new Watch;
  return only;
}

void wake(int signal) {
  watch().signal = signal;
  sem_post(&watch().caught);
}

void end_when_woken() {
  Watch& w = watch();
  while (sem_wait(&w.caught) != 0 && errno == EINTR) {
  }
  [[maybe_unused]] const auto forever = Interruption::lock();
  for (const auto* each : w.before_end) (*each)();
  ::signal(w.signal, SIG_DFL);
  kill(getpid(), w.signal);
  for (;;) pause();
}

bool start_watching() {
  if (sem_init(&watch().caught, 0, 0) != 0) return false;
  try {
    std::thread(end_when_woken).detach();
  } catch (const std::system_error&) {
    return false;  // no room for a thread: the run then ends without a word
  }
  for (const int signal : {SIGINT, SIGTERM, SIGHUP}) {
    struct sigaction now {}, wanted {};
    wanted.sa_handler = wake;
    wanted.sa_flags = SA_RESTART;
    if (sigaction(signal, nullptr, &now) == 0 && now.sa_handler == SIG_DFL) sigaction(signal, &wanted, nullptr);
  }
  return true;
}

}  // namespace

Interruption::Interruption(std::function<void()> before_end) : before_end_(std::move(before_end)) {
  const auto held = lock();
  [[maybe_unused]] static const bool watching = start_watching();
  watch().before_end.push_back(&before_end_);
}

Interruption::~Interruption() {
  const auto held = lock();
  std::erase(watch().before_end, &before_end_);
}

void Interruption::Turn::wait() { std::this_thread::sleep_for(std::chrono::milliseconds(1)); }

}  // namespace torsor
