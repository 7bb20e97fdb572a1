// The library beside its peers, in words: tables of times for the screen and for a page of documentation, with the
// machine named and how to repeat it.
#pragma once

#include "cli/bench_beside.hpp"
#include "torsor/text/text_table.hpp"

namespace torsor {

class JsonWriter;

struct BesideReport {
  std::string processor, vectors;  // as the machine names it, and its widest vectors
  int cores = 0;
  double gigahertz = 0;
  std::vector<PeerBuild> peers;
  std::vector<RobotTimes> robots;
};

/// The processor and its clock, here and now.
BesideReport machine_report();

/// Times of the library on a robot, a row per function and way, with the ratios to the fastest peer.
TextTable own_table(const BesideReport&, const RobotTimes&);
/// Times of the peers, a row per function, a column per peer.
TextTable peer_table(const BesideReport&, const RobotTimes&);

std::string beside_text(const BesideReport&);
std::string beside_markdown(const BesideReport&);
void write_beside(const BesideReport&, JsonWriter&);

}  // namespace torsor
