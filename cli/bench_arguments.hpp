// What torsor bench is told, and its parts that have files of their own.
#pragma once

#include <optional>
#include <string>

#include "cli/bench_peers.hpp"
#include "cli/chain_arguments.hpp"
#include "cli/print.hpp"

namespace torsor {

struct BenchArguments {
  std::string robot;
  ChainArguments chain = {};
  std::optional<long long> joints;
  std::optional<std::string> page, beside, mechanism;
  PeerBenchArguments comparison;
  bool ik = false, equations = false, structure = false, simulate = false, derivatives = false;
  long long milliseconds = 50;
  PrintArguments print;
};

/// Mechanisms (--mechanism), and control in simulation (--simulate); beside the rows that a command prints (--beside).
int bench_mechanism(const BenchArguments&, double seconds_each);
int bench_simulation(const BenchArguments&, double seconds_each);

}  // namespace torsor
