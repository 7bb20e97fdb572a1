// What the pages of one `torsor studio` have opened, and the table of calls that they may make. Pages share it; each call has the
// thing it is about to itself.
#pragma once

#include <filesystem>
#include <map>
#include <memory>
#include <mutex>

#include "cli/studio_jobs.hpp"
#include "cli/studio_mechanism.hpp"
#include "cli/studio_robot.hpp"

namespace torsor {

struct StudioRules {
  std::string file;                          // opened first; empty: the page chooses
  std::vector<std::filesystem::path> roots;  // files below these may be opened by name; canonical
};

class StudioSession {
 public:
  explicit StudioSession(StudioRules rules) : rules_(std::move(rules)) {}

  /// The answer to a call, a refusal included; nothing is thrown.
  HttpAnswer call(const std::string& body);

 private:
  struct Thing {
    std::mutex mutex;
    std::string subject;  // as verbs take it
    std::string file;     // where it was read from; empty: it is built in
    LoadOptions load;
    std::unique_ptr<StudioRobot> robot;
    std::unique_ptr<StudioMechanism> mechanism;
    std::unique_ptr<WorkFolder> folder;  // of what was dropped
  };

  void catalogue(StudioAnswer& out);
  void files_below(StudioAnswer& out) const;
  void open(const StudioRequest& in, StudioAnswer& out);
  /// The path of a file below the roots, or the one that was named at the start.
  std::string allowed(const std::string& given) const;
  std::string keep_dropped(const StudioRequest& in, Thing& thing) const;
  std::shared_ptr<Thing> thing(const StudioRequest& in);
  void answer(const StudioRequest& in, StudioAnswer& out);

  StudioRules rules_;
  StudioJobs jobs_;
  std::mutex mutex_;
  std::map<int, std::shared_ptr<Thing>> things_;
  int last_ = 0;
};

}  // namespace torsor
