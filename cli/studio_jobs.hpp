// Long work of the Studio: verbs of the command, each in a process of its own that can be watched and ended. A page names a row
// of the table, never words of a command line.
#pragma once

#include <chrono>
#include <map>
#include <memory>
#include <mutex>

#include "cli/studio_call.hpp"
#include "torsor/codegen/work_folder.hpp"

namespace torsor {

class StudioJobs {
 public:
  StudioJobs();
  ~StudioJobs();

  /// Starts the question of that name on a robot or mechanism (its name or path); motion: the text of a motion file, for questions that
  /// go along one. The number of the job.
  int start(const std::string& name, const std::string& subject, const std::string& motion);
  /// Whether it is done, since when it runs, and what it said: {"done", "seconds", "code", "answer", "said"}.
  void look(int number, StudioAnswer& out);
  /// Ends it and forgets it.
  void cancel(int number);

 private:
  struct Job {
    int process = -1;
    std::chrono::steady_clock::time_point start;
    WorkFolder folder;
  };
  /// Its exit code, where it has ended.
  static std::optional<int> ended(Job& job, bool wait);

  std::mutex mutex_;
  std::map<int, std::unique_ptr<Job>> jobs_;
  int last_ = 0;
  std::string command_;
};

}  // namespace torsor
