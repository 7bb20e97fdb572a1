// Inputs of a recording, several at once: numbers by index, vectors by component.
#pragma once

#include <string>
#include <vector>

#include "torsor/scalar/trace.hpp"
#include "torsor/spatial/vec3.hpp"

namespace torsor {

/// Inputs `name1` .. `namen`.
inline std::vector<Trace> record_inputs(Tape& tape, const std::string& name, int n) {
  std::vector<Trace> out;
  for (int i = 1; i <= n; ++i) out.push_back(tape.input(name + std::to_string(i)));
  return out;
}

/// Inputs `namex`, `namey`, `namez`, in this order.
inline Vec3<Trace> input_vector(Tape& tape, const std::string& name) {
  const Trace x = tape.input(name + "x"), y = tape.input(name + "y"), z = tape.input(name + "z");
  return {x, y, z};
}

}  // namespace torsor
