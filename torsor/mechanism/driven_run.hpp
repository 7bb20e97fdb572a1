// Motion of a mechanism that its drivers prescribe, instant by instant (001, step 3): from one instant to the next the bodies
// go on with the velocities and accelerations they have, then Newton's method closes the equations. Where what it has to
// mend is no longer small beside the way gone, the step is halved: no jump to another branch goes unnoticed, and where a
// mechanism locks the steps shrink to nothing, which is the time that is reported. A branch point, where the equations would
// let it go on in another way as well, is passed straight on, and its time reported; an instant that falls upon one has the
// position, velocities and accelerations between those shortly before and after, as the equations there do not say them.
#pragma once

#include <functional>
#include <string>

#include "torsor/mechanism/assembly.hpp"

namespace torsor {

struct DrivenRunRules {
  double time = 1, interval = 0.01;  // s: how long, and between instants that are reported
};

/// An instant of a run.
struct DrivenInstant {
  const MechanismState& state;
  std::span<const Motion<double>> A;
  double gap = 0;  // largest error of a position equation
};

struct DrivenRunReport {
  bool finished = false;
  double t = 0;                 // s: where it ended
  std::string why;              // it did not finish
  int block = -1;               // whose equations could not be closed
  bool function_ended = false;  // instead: a function of time is no longer a number
  double gap = 0;               // by how much, beyond that instant
  double worst_gap = 0;
  int steps = 0;
  std::vector<double> branch_times;  // s: of branch points passed
};

/// Assembles the state at its t, then runs from there; all freedoms must be driven. `at_instant` is called at the start and
/// after every interval, the last one shorter if need be; the run ends when it returns false. What was reported is valid.
DrivenRunReport run_driven(const Mechanism&, MechanismState&, const DrivenRunRules&,
                           const std::function<bool(const DrivenInstant&)>& at_instant);

/// A mechanism at the start: positions and velocities closed, or which element cannot be, and by how much. Where bodies stand
/// roughly they are moved; velocities are the nearest to those given.
Errors assemble_start(const Mechanism&, Assembly&, MechanismState&);

/// The same of one that is to be driven, and why its motion would not be determined: the position is singular, or freedoms
/// are not driven.
Errors start_driven(const Mechanism&, MechanismState&);

/// Whether a mechanism, closed like that, stands where it may go on in more than one way although all is driven.
bool starts_singular(const Mechanism&, const MechanismState&, const AssemblyReport& closed);

}  // namespace torsor
