// How long mechanisms take, here and now: accelerations with all multipliers, torques, steps of a run; and chains of pendulum
// bodies of growing length, which show what a body costs.
#pragma once

#include <string>
#include <vector>

#include "torsor/fields.hpp"
#include "torsor/mechanism/description.hpp"

namespace torsor {

struct MechanismTime {
  std::string what;
  double seconds = 0;       // per call, per step or per body: the fastest
  double gap = 0;           // m: largest error of a position equation in the run
  double energy_error = 0;  // J: largest in the run
  double bytes = 0;         // per body, of gradients and factors
};

constexpr auto fields(Of<MechanismTime>) {
  using M = MechanismTime;
  return row_list("MechanismTime", "", field("name", "", "or how many bodies", &M::what),
                  field("seconds", "s", "a call, a step, or by body", &M::seconds),
                  field("closure_error", "m", "", &M::gap), field("energy_error", "J", "", &M::energy_error),
                  field("bytes_per_body", "", "", &M::bytes));
}

/// Accelerations, torques of the actuators where drivers determine the motion, and a step of 1 ms by rk4 in a run of so many
/// seconds without drivers, projection and accounts included; each again and again for that long.
Result<std::vector<MechanismTime>> time_mechanism(const MechanismDescription&, double seconds_each, double run_time);

/// A lattice of scissors of so many cells, as lifts and folding gates have: two crossed rods a cell, hinged in the middle and
/// to those of the next. Loop upon loop, each with three equations too many; it opens, and turns about the
/// ground as a whole.
MechanismDescription scissor_lattice(int cells);

/// So many four-bars in a row, each upright of which, hinged to the ground, belongs to two of them.
MechanismDescription row_of_four_bars(int cells);

/// Accelerations of lattices of 10, 100 and 1000 cells, or of rows of four-bars, and the memory they take, per body.
std::vector<MechanismTime> time_lattices(double seconds_each);
std::vector<MechanismTime> time_rows_of_four_bars(double seconds_each);

/// Accelerations of chains of 10, 100, 1000 and 10 000 bodies on hinges, and the memory they take, per body.
std::vector<MechanismTime> time_chains(double seconds_each);

}  // namespace torsor
