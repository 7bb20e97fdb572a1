// What the parts of `torsor mechanism` have in common: the mechanism a user names, how long it is to run, where results go.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "cli/print.hpp"
#include "torsor/mechanism/actuation.hpp"
#include "torsor/mechanism/mechanism.hpp"
#include "torsor/mechanism/mobility.hpp"
#include "torsor/mechanism/named_measure.hpp"

namespace torsor {

int mechanism_check(Arguments);
int mechanism_mobility(Arguments);
int mechanism_kinematics(Arguments);
int mechanism_inverse(Arguments);
int mechanism_simulate(Arguments);
int mechanism_equilibrium(Arguments);
int mechanism_modes(Arguments);

/// FILE: a mechanism file, a built-in mechanism, or - for standard input.
void add_mechanism_to(Options& options, std::string& name);

/// The mechanism, built; what its readers passed over is told.
Result<Mechanism> read_mechanism(const std::string& name);

/// --time, --every, -o, --html, --json, --digits.
struct MechanismRunArguments {
  std::string name;
  std::optional<std::string> time, every, output, page;
  PrintArguments print;

  void add_to(Options& options, const std::string& columns, const std::string& page_has);
};

struct RunTimes {
  double time = 1, interval = 0.01;
};

/// What the arguments say, else the file.
Result<RunTimes> read_run_times(const MechanismRunArguments&, const MechanismRun&);

/// Actuators whose given torque was cut to their limit between two times, and for how long: in words, and as "limited".
std::vector<std::string> limit_sentences(const MechanismDescription&, double from, double to);
void limits_field(JsonWriter&, const MechanismDescription&, double from, double to);

/// What is to be said of bodies that are free to turn about axes in which they have no inertia; empty: there are none.
std::string spin_sentence(const Mechanism&, const MechanismState& assembled, EquationSet);

}  // namespace torsor
