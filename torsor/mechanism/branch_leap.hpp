// Branch points on the way of a simulated mechanism whose drivers prescribe all of its motion. Next to one the multipliers have
// no bounds, so that an integrator comes down on either side of it, and energy cannot tell which: a crank that turns back
// instead of going on has the same. The drivers alone say how it goes on (driven_run.hpp), straight and on the branch that
// `kinematics` shows: stretches about such positions are taken over from there. So is the last one before the drivers
// ask for what cannot be had, or for what nothing determines: the end of a run is one, however it is integrated.
#pragma once

#include <deque>
#include <optional>

#include "torsor/mechanism/driven_follow.hpp"

namespace torsor {

class BranchLeaps {
 public:
  /// Follows the drivers from an assembled start for so many seconds; leaps over nothing where not all is driven, or where the
  /// mechanism is large (branch_watch.hpp).
  BranchLeaps(const Mechanism&, const MechanismState& start, double time, double interval);
  BranchLeaps(const BranchLeaps&) = delete;  // what drives looks at the state here
  BranchLeaps& operator=(const BranchLeaps&) = delete;

  /// How far towards t steps may go: up to the next stretch.
  double until(double t) const { return stretches_.empty() ? t : std::min(t, stretches_.front().from); }
  /// Whether it stands where a stretch begins, or upon one.
  bool upon(double t) const;
  /// From there towards t, to the end of the stretch at most; false: it comes no further, and report() says why.
  bool go(MechanismState&, double t);

  /// Accelerations where it went, and whether forces give it the same, `by_forces`: not upon the branch point itself.
  std::span<const Motion<double>> A() const { return A_; }
  bool forces_known(std::span<const Motion<double>> by_forces) const;

  const DrivenRunReport& report() const { return report_; }
  /// s: of the branch points on stretches that were left.
  const std::vector<double>& passed() const { return passed_; }

 private:
  struct Stretch {
    double from, branch, to;
  };
  const Mechanism& mechanism_;
  std::deque<Stretch> stretches_;  // ahead, none upon another
  DrivenRunRules rules_;
  MechanismState there_;  // on a stretch: where the drivers have brought it
  std::optional<detail::DrivenRun> driven_;
  DrivenRunReport report_;
  std::vector<Motion<double>> A_;
  std::vector<double> passed_;
  double shortest_;  // s: less is rounding
};

}  // namespace torsor
