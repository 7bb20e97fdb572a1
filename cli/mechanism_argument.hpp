// What the parts of `torsor mechanism` have in common: the mechanism a user names, how long it is to run, where results go.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "cli/print.hpp"
#include "torsor/mechanism/driven_run.hpp"

namespace torsor {

int mechanism_check(Arguments);
int mechanism_mobility(Arguments);
int mechanism_kinematics(Arguments);
int mechanism_inverse(Arguments);
int mechanism_simulate(Arguments);
int mechanism_sweep(Arguments);
int mechanism_equilibrium(Arguments);
int mechanism_modes(Arguments);

/// FILE, a mechanism file, a built-in mechanism, or - for standard input; and --set.
struct MechanismChoice {
  std::string name;
  std::vector<std::string> settings = {};

  void add_to(Options& options);
};

/// The mechanism, built; what its readers passed over is noted, where `tells`.
Result<Mechanism> read_mechanism(const MechanismChoice&, bool tells = true);

/// --time, --every, -o, --html, --json, --digits.
struct MechanismRunArguments {
  MechanismChoice mechanism;
  std::optional<std::string> time, every, output, page;
  PrintArguments print;

  void add_to(Options& options, const std::string& columns, const std::string& page_has);
};

/// What the arguments say, else the file.
Result<DrivenRunRules> read_run_times(const MechanismRunArguments&, const MechanismRun&);

}  // namespace torsor
