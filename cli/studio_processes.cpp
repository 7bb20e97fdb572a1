// Jobs of the Studio as processes of this machine.
#include <fcntl.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <condition_variable>
#include <deque>
#include <filesystem>
#include <future>
#include <mutex>
#include <thread>

#include "cli/studio_jobs.hpp"

namespace torsor {
namespace {

/// This command; where another program has its verbs in it (Python), the one on PATH.
std::string own_command() {
  std::error_code error;
  const std::filesystem::path self = std::filesystem::read_symlink("/proc/self/exe", error);
  // by the link itself, which leads to this very program even where a newer one has taken its place
  const bool is_own = !error && self.filename().string().starts_with("torsor");
  return is_own ? "/proc/self/exe" : "torsor";
}

/// Runs it in a thread that lasts as long as this process: the signal of a parent's death comes when the thread that forked ends,
/// and those that serve connections end with them.
pid_t in_lasting_thread(std::packaged_task<pid_t()> task) {
  struct Queue {
    std::mutex mutex;
    std::condition_variable filled;
    std::deque<std::packaged_task<pid_t()>> tasks;
  };
  // never destroyed: the thread waits at it until the process is gone
  static Queue& queue = *[] {
    auto* const made = new Queue;
    std::thread([made] {
      for (;;) {
        std::unique_lock lock(made->mutex);
        made->filled.wait(lock, [made] { return !made->tasks.empty(); });
        std::packaged_task<pid_t()> next = std::move(made->tasks.front());
        made->tasks.pop_front();
        lock.unlock();
        next();
      }
    }).detach();
    return made;
  }();
  std::future<pid_t> answer = task.get_future();
  {
    const std::lock_guard lock(queue.mutex);
    queue.tasks.push_back(std::move(task));
  }
  queue.filled.notify_one();
  return answer.get();
}

}  // namespace

std::optional<int> StudioJobs::ended(Job& job, bool wait) {
  if (job.process <= 0) return std::nullopt;
  int status = 0;
  if (waitpid(job.process, &status, wait ? 0 : WNOHANG) <= 0) return std::nullopt;
  job.process = -1;
  return WIFEXITED(status) ? WEXITSTATUS(status) : 128;
}

void StudioJobs::launch(Job& job, std::vector<std::string> words) {
  words.insert(words.begin(), own_command());
  std::vector<char*> arguments;
  for (std::string& word : words) arguments.push_back(word.data());
  arguments.push_back(nullptr);
  const std::string out = job.folder.file("out"), errors = job.folder.file("errors");
  const pid_t parent = getpid();
  const auto start = [&] {
    const pid_t child = fork();
    if (child != 0) return child;
    // no memory is asked for from here on; whoever started it takes it along
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (getppid() != parent) _exit(127);
    const int nothing = open("/dev/null", O_RDONLY), said = open(out.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0600),
              complained = open(errors.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0600);
    if (nothing >= 0) dup2(nothing, 0);
    if (said >= 0) dup2(said, 1);
    if (complained >= 0) dup2(complained, 2);
    if (nice(5) == -1) {
    }
    execvp(arguments.front(), arguments.data());
    _exit(127);
  };
  const pid_t child = in_lasting_thread(std::packaged_task<pid_t()>(start));
  if (child < 0) refuse_call("job", "job-start", "no process can be started");
  job.process = child;
}

void StudioJobs::end(Job& job) {
  if (job.process > 0) kill(job.process, SIGKILL);
  ended(job, true);
}

}  // namespace torsor
