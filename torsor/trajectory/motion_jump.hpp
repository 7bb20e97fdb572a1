// Rows of a motion that do not belong together, as jump_watch.hpp finds them.
#pragma once

#include <optional>
#include <string>

#include "torsor/model/model.hpp"

namespace torsor {

/// A step between two rows by more than their rates tell.
struct RowJump {
  int coordinate = -1;           // velocity coordinate
  int order = 0;                 // 0: the position jumps; 1: the velocity
  double from = 0, to = 0;       // times of the rows [s]
  double before = 0, after = 0;  // what they have
  double told = 0;               // how much it may change
};

/// All steps of a motion between rows that do not belong together.
struct RowJumps {
  std::optional<RowJump> first = {};
  long long count = 0;

  explicit operator bool() const { return first.has_value(); }
};

/// In words: `"elbow": velocity jumps from -1.31 to 1.09 rad/s between 0.5 s and 0.51 s, where ...`.
std::string describe(const RowJump& jump, const Model<double>& model);

/// The first in words, how many more there are, and what that means for torques; empty where there is none.
std::string describe(const RowJumps& jumps, const Model<double>& model);

}  // namespace torsor
