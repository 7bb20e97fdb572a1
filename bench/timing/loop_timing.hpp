// How long a robot with closed loops takes, here and now, beside its tree with the loops cut: the least of many
// batches, all of them in turn, so that ratios are comparable. Every call is a millisecond of motion further on.
#pragma once

#include <string>
#include <vector>

#include "torsor/fields.hpp"
#include "torsor/robot.hpp"

namespace torsor {

struct LoopTime {
  std::string what;
  double seconds = 0, cut = 0;  // per call; of the tree without loops, 0 where there is nothing to compare
};

constexpr auto fields(Of<LoopTime>) {
  return row_list("LoopTime", "", field("name", "", "", &LoopTime::what),
                  field("seconds_per_call", "s", "", &LoopTime::seconds),
                  field("cut_seconds_per_call", "s", "", &LoopTime::cut));
}

/// Positions of all joints by each way there is, inverse dynamics, mass matrix, forward dynamics, for so many seconds
/// each.
std::vector<LoopTime> time_loops(const Robot& robot, double seconds_each);

}  // namespace torsor
