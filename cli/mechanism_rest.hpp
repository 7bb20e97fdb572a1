// A mechanism at its place of rest: what `torsor mechanism equilibrium` and `modes` begin with.
#pragma once

#include "cli/mechanism_argument.hpp"
#include "torsor/mechanism/mechanism_result.hpp"

namespace torsor {

struct RestArguments {
  MechanismChoice mechanism;
  std::optional<std::string> page;
  PrintArguments print;

  void add_to(Options& options);
};

/// A mechanism before and after it has come to rest.
struct AtRest {
  Mechanism mechanism;
  MechanismState start, state;
  EquilibriumReport report;
  MobilityReport equations = {};  // all of them, there
  int exit_code = exit_done;
};

/// Assembles the mechanism of it, and brings it to rest if asked to; or why it cannot.
Faults bring_to_rest(AtRest& it, bool wanted);

/// Reads and assembles; comes to rest if asked to. Faults are printed.
AtRest come_to_rest(const RestArguments&, bool wanted);

}  // namespace torsor
