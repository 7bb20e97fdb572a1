// Events of a run under forces: where a stop is touched, lets go, begins or ends to push, and where dry friction sticks or breaks
// away. Between two events every law of force stays in one of its pieces (ForceModes), so that all a method of integration sees is
// smooth; what ends a mode is a switch, >= 0 while it lasts, that passes zero inside a step (numeric/switch_search.hpp):
//
//   a stop with play       what is left to its lower, to its upper end; or how deep it is touched, and the push, or what it lacks
//   friction that slides   the rate in the direction in which it slides
//   friction that sticks   what it could still hold forwards, backwards
//   a corner of a law      what stands in its abs, min or max
#pragma once

#include <vector>

#include "torsor/mechanism/forward_dynamics.hpp"
#include "torsor/mechanism/mechanism_event.hpp"

namespace torsor {

class ForceSwitches {
 public:
  explicit ForceSwitches(const Mechanism&, const OwnUnits&);

  std::size_t count() const { return one_sided() + bends_; }
  /// Those before are >= 0 while their mode lasts; of corners of laws, which come after, a change of sign either way counts.
  std::size_t one_sided() const { return 2 * (stops_.size() + frictions_.size()); }
  bool any_stuck(const MechanismState&) const;

  /// Modes of an assembled state, from where it is and how it moves.
  void begin(MechanismState&, MechanismForward&, std::vector<MechanismEvent>&);
  /// The switches at a state in its modes.
  void look(const MechanismState&, MechanismForward&, std::span<double> g);
  /// A switch has passed zero at this state: its modes change, of what rests together.
  void happen(int which, MechanismState&, MechanismForward&, std::vector<MechanismEvent>&);
  /// Rates of what sticks to zero.
  void hold(MechanismState&, MechanismForward&) const;

 private:
  const Mechanism& mechanism_;
  std::vector<std::size_t> stops_;  // springs with play
  std::span<const MechanismFriction> frictions_;
  std::size_t bends_ = 0;  // corners of laws
  std::vector<double> x_;
  std::vector<double> slow_;  // of each friction: what counts as no rate
  std::vector<bool> still_;   // it gives all it can, and moves nothing
  MechanismEquations equations_;
  std::vector<Motion<double>> A_;

  /// at_zero: the friction whose rate is known to be zero.
  void settle(MechanismState&, MechanismForward&, std::vector<MechanismEvent>&, int at_zero = -1);
};

}  // namespace torsor
