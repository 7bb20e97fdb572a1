// How fast a robot is simulated under computed torque, here and now.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "torsor/fields.hpp"
#include "torsor/model/model.hpp"
#include "torsor/result.hpp"

namespace torsor {

struct SimulationTime {
  std::string what;
  double simulated = 0;  // seconds in a second of the processor, the fastest run
  double error = 0;      // largest distance of a joint from where it should be, rad or m
};

constexpr auto fields(Of<SimulationTime>) {
  using S = SimulationTime;
  return row_list("SimulationTime", "", field("name", "", "", &S::what),
                  field("simulated_seconds_per_second", "", "", &S::simulated),
                  field("largest_error", "", "rad or m", &S::error));
}

/// A swing of all joints by 0.5 (rad or m) at 0.5 Hz about the middle of their ranges, held by computed torque of gains
/// 400 and 40 at 1 kHz; by each method, again and again for that long, all of them in turn. Others, if given, are asked
/// for their rows in every turn, and their fastest stand behind. Faults where the robot cannot be simulated so.
Result<std::vector<SimulationTime>> time_simulation(
    const Model<double>&, double seconds_each, const std::function<Result<std::vector<SimulationTime>>()>& others = {});

}  // namespace torsor
