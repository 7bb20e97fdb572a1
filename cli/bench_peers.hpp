// The question of `torsor bench` without a robot: the library beside its peers on robots of several kinds.
#pragma once

#include "cli/print.hpp"

namespace torsor {

struct PeerBenchArguments {
  std::optional<std::string> robots, markdown;
  bool peers = false;

  void add_to(Options& options);
  bool given() const { return robots || markdown || peers; }
};

/// The verb's exit code.
int bench_peers(const PeerBenchArguments&, double seconds_each, const PrintArguments&);

}  // namespace torsor
