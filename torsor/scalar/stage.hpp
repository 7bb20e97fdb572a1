// Marks the stages of an algorithm for counts per stage: written where a block begins, it labels what a recording of the
// algorithm does from there on, and is nothing over any other scalar. Work that is done once for
// a robot is in the stage "off-line", and what the source of an algorithm takes as given in stages that begin with "given":
// both are counted, but told apart.
#pragma once

#include <string>
#include <type_traits>

#include "torsor/scalar/trace.hpp"

namespace torsor {

/// The operations that follow belong to the stage of that name; a name used before is taken up again.
template <class T>
void mark_stage([[maybe_unused]] const char* name) {
  if constexpr (std::is_same_v<T, Trace>)
    if (Tape* tape = Recording::current()) tape->stage(name);
}

/// The same for link i of a stage: "forward 3".
template <class T>
void mark_stage([[maybe_unused]] const char* name, [[maybe_unused]] int i) {
  if constexpr (std::is_same_v<T, Trace>)
    if (Tape* tape = Recording::current()) tape->stage(name + (" " + std::to_string(i)));
}

}  // namespace torsor
