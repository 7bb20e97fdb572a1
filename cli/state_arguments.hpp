// A state on the command line: --q, --qd, --qdd, --tau as lists in the order of the model's coordinates, or a word.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "cli/options.hpp"
#include "torsor/robot.hpp"

namespace torsor {

struct StateArguments {
  std::optional<std::string> q, qd, qdd, tau;
  bool degrees = false;
  std::optional<long long> seed;

  /// seed_help: what else the seed is of.
  void add_position_to(Options& options,
                       const std::string& seed_help = "with --q random, inside the joint limits; default 1");
  void add_rates_to(Options& options);
  void add_torques_to(Options& options);
  /// The names of those that were given.
  std::vector<std::string> given() const;
};

/// SI units and radians; empty where the option was not given.
struct State {
  std::vector<double> q, qd, qdd, tau;
};

/// The state, or every fault of every list. Without --q it is a fault.
Result<State> read_state(const Model<double>& model, const StateArguments& arguments);
/// The same of a robot, with loops of its independent coordinates: zero and random are then positions where they close.
Result<State> read_state(const Robot& robot, const StateArguments& arguments);

}  // namespace torsor
