// How a simulation is run, on the command line: method, steps, sampling, stops. Shared by the verbs that simulate.
#pragma once

#include "cli/options.hpp"
#include "torsor/simulate/rules.hpp"

namespace torsor {

/// One number of an option, at least `least` (above it if `above`); the fault is put on record. Nothing where the option
/// was not given, or is at fault.
std::optional<double> one_number(const std::string& option, const std::optional<std::vector<double>>& given,
                                 double least, bool above, Errors& errors);

struct SimulationArguments {
  std::optional<std::string> integrator, stops;
  std::optional<std::vector<double>> step, tolerance, rate, delay;
  bool no_saturation = false, no_stick = false;

  void add_method_to(Options& options);
  void add_plant_to(Options& options);
  void add_sampling_to(Options& options);
};

/// The rules, without fault for this model; or every fault.
Result<SimulationRules> read_rules(const Model<double>& model, const SimulationArguments& arguments);

}  // namespace torsor
