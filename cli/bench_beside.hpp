// The library beside its peers on one robot. First all must agree; then every call is timed in rounds, in which each
// has its turn, so that noise of the machine hits all alike: minima and medians over the rounds. Ratios are those of
// minima, against the fastest peer. A debug build, ours or a peer's, is refused: its times say nothing.
#pragma once

#include "cli/bench_calls.hpp"
#include "cli/peer.hpp"

namespace torsor {

/// Nanoseconds per call, or per state of a batch.
struct Nanoseconds {
  double least = 0, median = 0;
};

struct OwnTime {
  std::string_view way;
  Nanoseconds call;
  std::optional<Nanoseconds> batch, batch_threads;  // on one thread, and on `bench_threads`
  long operations = 0;
};

struct PeerTime {
  std::string peer, variant;
  Nanoseconds call;
};

struct FunctionTimes {
  std::string function;
  std::vector<OwnTime> own;
  std::vector<PeerTime> peers;
  double disagreement = 0;  // the largest between any two, see agreement_tolerance

  /// The fastest of the peers; null where none has the function.
  const PeerTime* fastest_peer() const;
};

struct RobotTimes {
  std::string name, joints;
  std::vector<FunctionTimes> functions;
  std::vector<std::string> refusals;  // peers that do not serve this robot, and why
};

/// Largest difference in a state over the largest number of that state.
inline constexpr double agreement_tolerance = 1e-9;

struct PeerBuild {
  std::string name, built;
};

/// The fault of timing a build of which this is not true.
Faults refuse_debug(const std::string& who, bool optimised);

/// Whether this very build is one to be timed.
bool is_optimised_build();

/// All functions that we or a peer have, so many seconds for each of the calls. What the peers are is added to `builds`.
Result<RobotTimes> time_beside(const BenchRobot&, std::span<const std::string> programs, double seconds_each,
                               std::vector<PeerBuild>& builds);

/// Cycles of the processor in a nanosecond, from additions that wait for each other, one cycle each.
double clock_gigahertz();

}  // namespace torsor
