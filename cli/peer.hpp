// A peer: a program that answers the questions of bench/peer.hpp about one robot, kept alive between them. A program that
// ends, falls silent or says something else is a fault, never a wait without end.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "torsor/result.hpp"

namespace torsor {

class Peer {
 public:
  struct Call {
    std::string function, variant;
  };

  /// Starts the program on a robot (URDF) and its states, and hears what it offers. A program that leaves before it is
  /// ready does not serve this robot: `refusal` is its last line on standard error, and there are no calls.
  static Result<Peer> start(const std::string& program, const std::string& urdf, const std::string& states);

  Peer() = default;
  Peer(Peer&&) = default;
  Peer& operator=(Peer&&) = default;

  /// The results of call k in all states, one after the other.
  Result<std::vector<double>> check(std::size_t k);

  /// Nanoseconds of one of so many calls.
  Result<double> time(std::size_t k, long count);

  std::string name, built, refusal;  // how it was built: compiler and flags
  bool optimised = false;
  std::vector<Call> calls;

 private:
  struct Process;
  struct End {
    void operator()(Process*) const;
  };

  Result<std::string> line();
  Result<std::string> ask(const std::string& question);
  Fault fault(std::string what) const;

  std::unique_ptr<Process, End> process_;
};

/// The programs in a folder, by name; none where there is no such folder.
std::vector<std::string> peer_programs(const std::string& folder);

}  // namespace torsor
