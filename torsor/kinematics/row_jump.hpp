// Rows of a motion that hide what happens between them: a coordinate changes by more than twice what the speeds of both rows
// tell, h max(|v_a|, |v_b|). A smooth motion that is sampled closely enough changes by their mean; next to a singular position
// a wrist may turn over between two rows that both have it nearly at rest.
#pragma once

#include <algorithm>
#include <cmath>

namespace torsor {

/// How much a coordinate may change over h [s] between rows of these speeds; never less than `least`, by which it may change
/// unseen.
inline double change_told(double h, double speed_before, double speed_after, double least) {
  return std::max(2 * h * std::max(std::abs(speed_before), std::abs(speed_after)), least);
}

}  // namespace torsor
