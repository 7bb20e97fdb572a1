// Tapes by the names of their inputs and outputs.
#pragma once

#include <map>
#include <string>

#include "tests/support/measure.hpp"
#include "torsor/scalar/trace_evaluate.hpp"

namespace torsor::testing {

using Named = std::map<std::string, double>;

inline void put(Named& values, const std::string& name, const Vec3<double>& v) {
  values[name + "x"] = v.x;
  values[name + "y"] = v.y;
  values[name + "z"] = v.z;
}

/// The outputs of a tape in their order, for inputs by name.
inline Numbers evaluated(const Tape& tape, const Named& values) {
  Numbers inputs;
  for (const int node : tape.inputs()) inputs.push_back(values.at(tape.nodes()[std::size_t(node)].name));
  return evaluate<double>(tape, inputs);
}

/// The same by name.
inline Named evaluated_by_name(const Tape& tape, const Named& values) {
  const Numbers results = evaluated(tape, values);
  Named out;
  for (std::size_t i = 0; i < results.size(); ++i) out[tape.outputs()[i].name] = results[i];
  return out;
}

}  // namespace torsor::testing
