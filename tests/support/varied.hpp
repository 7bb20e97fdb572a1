// Numbers that vary along one direction, as duals, and how results vary then.
#pragma once

#include "tests/support/measure.hpp"
#include "torsor/scalar/dual.hpp"

namespace torsor::testing {

inline std::vector<Dual<double>> varied(const Numbers& value, const Numbers& along) {
  std::vector<Dual<double>> out(value.size());
  for (std::size_t i = 0; i < out.size(); ++i) out[i] = Dual<double>(value[i], {along[i]});
  return out;
}

inline Numbers tangents(const std::vector<Dual<double>>& x) {
  Numbers out;
  for (const Dual<double>& value : x) out.push_back(value.tangent[0]);
  return out;
}

}  // namespace torsor::testing
