// What is to be said of a robot's loops: mobility, redundancy, how well they close, which joints are independent and why; and
// of a position where they do not.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "torsor/dynamics.hpp"
#include "torsor/loops/loop_map.hpp"

namespace torsor {

/// Sentences on the loops of a robot; none for a tree.
std::vector<std::string> loop_sentences(const Robot& robot);

/// Why there is no answer at a position of a robot with loops; nothing where the status is of another kind.
std::optional<Fault> loop_fault(const Robot& robot, const Status& status);
/// The same of who closes them himself; status says that they are not.
Fault loop_fault(const Robot& robot, const LoopStatus& status);

}  // namespace torsor
