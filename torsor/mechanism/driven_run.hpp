// Motion of a mechanism that its drivers prescribe, instant by instant (001, step 3): from one instant to the next the bodies
// go on with the velocities and accelerations they have, then Newton's method closes the equations. A step is halved where what
// it has to mend is no longer small beside the way gone, and where it is not certain to have stayed on its branch
// (branch_watch.hpp): however near it comes to a dead centre, it goes on behind it on the side it came from. Where a mechanism
// locks the steps shrink to nothing, which is the time that is reported.
//
// A branch point, where branches meet in truth, is passed straight on, as smoothly as it came, and its time reported; an
// instant that falls upon one has the position, velocities and accelerations between those shortly before and after, as the
// equations there do not say them. Who comes to rest upon one may stay, but leaves it no longer: that is not determined.
#pragma once

#include <functional>
#include <string>

#include "torsor/mechanism/driver_watch.hpp"
#include "torsor/mechanism/run_stop.hpp"
#include "torsor/mechanism/start.hpp"

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

struct DrivenRunReport : MechanismRunEnd {
  double gap = 0;  // by how much equations could not be closed, beyond that instant
  double worst_gap = 0;
  int steps = 0;
  std::vector<double> branch_times;  // s: of branch points passed
  double rest_time = -1;             // s: since when it rests upon a singular position; negative: it does not
  bool watched = true;               // branches were; not of more than 60 bodies
  std::vector<DriverJump> jumps;     // of what drivers prescribe
};

/// Assembles the state at its t, then runs from there; all freedoms must be driven. `at_instant` is called at the start and
/// after every interval, the last one shorter if need be; the run ends when it returns false. What was reported is valid.
DrivenRunReport run_driven(const Mechanism&, MechanismState&, const DrivenRunRules&,
                           const std::function<bool(const DrivenInstant&)>& at_instant);

}  // namespace torsor
