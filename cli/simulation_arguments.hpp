// How a simulation is run, on the command line: method, steps, sampling, stops. Shared by the verbs that simulate.
#pragma once

#include <limits>

#include "cli/options.hpp"
#include "cli/quantity.hpp"
#include "torsor/simulate/rules.hpp"

namespace torsor {

/// What an option may be, in SI; `above`: more than the least, not the least itself.
struct QuantityRange {
  double least = 0, most = std::numeric_limits<double>::infinity();
  bool above = true;
};

/// One number of an option, with a unit behind it or in SI; the fault is put on record. Nothing where the option was
/// not given, or is at fault.
std::optional<double> one_quantity(const std::string& option, const std::optional<std::string>& given,
                                   std::span<const QuantityUnit> units, const QuantityRange& range, Faults& errors);

struct SimulationArguments {
  std::optional<std::string> integrator, stops, step, tolerance, rate, delay;
  bool no_saturation = false, no_stick = false;

  void add_method_to(Options& options);
  void add_plant_to(Options& options);
  void add_sampling_to(Options& options);
};

/// Why a run of that many seconds would be more work than is sensible: its steps of fixed length, its samples.
Faults check_work(const SimulationRules& rules, double seconds);

/// What an option could do for a run that ended so; nothing if none can.
std::string stop_remedy(const RunEnd& end, const SimulationRules& rules);

/// The rules, without fault for this model; or every fault.
Result<SimulationRules> read_rules(const Model<double>& model, const SimulationArguments& arguments);

}  // namespace torsor
