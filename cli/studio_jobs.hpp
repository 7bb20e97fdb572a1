// Long work of the Studio: verbs of the command, each in a process of its own that can be watched and ended. A page names a row
// of the table, never words of a command line.
#pragma once

#include <chrono>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "cli/studio_call.hpp"
#include "torsor/codegen/work_folder.hpp"

namespace torsor {

class StudioJobs {
 public:
  StudioJobs() = default;
  StudioJobs(const StudioJobs&) = delete;
  StudioJobs& operator=(const StudioJobs&) = delete;
  ~StudioJobs();

  /// Starts the question of that name on a robot or mechanism (its name or path); motion and drives: the texts of a motion file and
  /// of a drive file, for questions that take them. The number of the job.
  int start(const std::string& name, const std::string& subject, const std::string& motion, const std::string& drives);
  /// Whether it is done, since when it runs, and what it said: {"done", "seconds", "code", "answer", "said"}.
  void look(int number, StudioAnswer& out);
  /// Ends it and forgets it.
  void cancel(int number);

 private:
  struct Job {
    int process = -1;
    std::optional<int> code = {};  // of one that has ended where it was started
    std::chrono::steady_clock::time_point start;
    WorkFolder folder;
  };
  // on this machine (studio_processes.cpp) in a process each; in a browser's worker, which is one, in place
  /// Starts a verb by its words.
  static void launch(Job& job, std::vector<std::string> words);
  /// Its exit code, where it has ended.
  static std::optional<int> ended(Job& job, bool wait);
  static void end(Job& job);

  std::mutex mutex_;
  std::map<int, std::unique_ptr<Job>> jobs_;
  int last_ = 0;
};

}  // namespace torsor
