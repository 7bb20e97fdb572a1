// Parts of a mechanism that nothing joins but the ground: what is small in one says nothing of another, which may be
// 1e24 times as heavy. Tolerances that compare one number with the largest of its kind do so within a part.
#pragma once

#include <vector>

#include "torsor/mechanism/mechanism.hpp"

namespace torsor {

/// Of each item (a body, an equation block) the part it belongs to, counted from 0.
struct Parts {
  std::vector<int> of;
  int count = 0;
};

/// Bodies that equations join.
Parts linkages(const Mechanism&);

/// Bodies that equations, or springs, dampers and actuators between them, join.
Parts linkages_with_springs(const Mechanism&);

/// Blocks of equations whose multipliers may depend on one another: those of loops that share a body. A block that
/// alone holds a body is in no loop and is a part by itself.
Parts loops(const Mechanism&);

}  // namespace torsor
