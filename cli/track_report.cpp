#include "cli/track_report.hpp"

namespace torsor {

void run_torques(const FollowedPath& followed, TorqueRun& torques,
                 const std::function<bool(const std::vector<double>&)>& visit) {
  std::vector<double> numbers;
  const bool marked = has_undetermined(followed);
  for (const PathSample& sample : followed.samples) {
    numbers.assign(1, sample.t);
    torques.add({sample.t, sample.q, sample.qd, sample.qdd}, sample.t, numbers);
    if (marked) numbers.push_back(undetermined_mark(sample));
    if (!visit(numbers)) return;
  }
}

}  // namespace torsor
