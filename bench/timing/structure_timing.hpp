// How long it takes to find the exact structure of a robot, here and now.
#pragma once

#include <string>
#include <vector>

#include "torsor/fields.hpp"
#include "torsor/model/description.hpp"

namespace torsor {

struct StructureTime {
  std::string what;
  int coefficients = 0, nonzero = 0;
  double seconds = 0;  // of the fastest run
};

constexpr auto fields(Of<StructureTime>) {
  using S = StructureTime;
  return row_list("StructureTime", "", field("name", "", "", &S::what), field("coefficients", "", "", &S::coefficients),
                  field("nonzero", "", "", &S::nonzero), field("seconds", "s", "", &S::seconds));
}

/// The structure of the robot at each of the four levels, and that of the general chain of 30 revolute joints; each again and
/// again for that long, and once at least. Faults where the robot has no structure.
Result<std::vector<StructureTime>> time_structure(const Description&, double seconds_each);

}  // namespace torsor
