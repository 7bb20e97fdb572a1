// How a simulation is run, and how it ended.
#pragma once

#include <string>

#include "torsor/model/model.hpp"
#include "torsor/numeric/integrator.hpp"
#include "torsor/result.hpp"
#include "torsor/simulate/input.hpp"

namespace torsor {

/// What happens at the limits of a joint: nothing; a spring and damper beyond the limit, which never pulls; the end of
/// the run.
enum class Stops { none, stiff, error };

struct SimulationRules {
  std::string integrator = "dormand-prince";  // a name of integrators()
  StepRules steps;
  SampleAndHold sampling;
  bool saturate = true;  // torques beyond the limits of the model are cut
  bool stick = true;     // dry friction holds a joint at rest; else it has the sign of the speed and nothing at rest
  Stops stops = Stops::none;
  double stop_frequency = 50;  // Hz, of the joint on its stop: stiffness = M_kk (2 pi f)^2, with M at the start
  double stop_damping = 0.7;   // of critical
  double every = 0;            // s between the instants shown to the observer; 0: the end of every step
  // an input that jumps to and fro with the state would drive steps towards zero: they do not get shorter than this
  double shortest = 1e-6;  // s
  long most_steps = 100'000'000;
};

/// Every fault of the rules for that model; a Simulation is made of rules without.
Faults check(const Model<double>&, const SimulationRules&);

enum class EndKind {
  reached,
  at_limit,           // of coordinate, with Stops::error
  torque_not_finite,  // of coordinate
  force_not_finite,   // of the surroundings
  singular,           // coordinate moves no mass
  not_closed,         // the loops of the robot cannot be closed
  dead_centre,        // its loops do not let coordinate move, or do not determine other joints
  not_finite,         // the motion itself has outgrown all numbers
  made_up,            // steps too long: the energy that the balance misses is beyond all that the motion ever had
  step_too_small,
  no_convergence,
  too_many_steps,
  lost  // the observer has seen enough: what was to be followed is out of sight
};

struct RunEnd {
  EndKind kind = EndKind::reached;
  double t = 0;         // s, where it ended
  int coordinate = -1;  // of velocity, where one is to blame

  explicit operator bool() const { return kind == EndKind::reached; }
};

/// One sentence: `stopped at 0.532 s: the torque of "elbow" is not a number`.
std::string describe(const RunEnd&, const Model<double>&);

enum class EventKind { sticks, slides, touches_stop, leaves_stop, switches, chatters };

struct Event {
  double t = 0;
  EventKind kind = EventKind::sticks;
  int coordinate = -1;  // of velocity; of a switch of the surroundings its number
  int direction = 0;    // in which it slides; which stop it touches
};

}  // namespace torsor
