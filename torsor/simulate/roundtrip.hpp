// Inverse dynamics and back: the torques along a motion, as a function of time or as samples of it with a named
// interpolation, drive a forward simulation, and what counts is how far from its target the tool then is. An open loop: an
// arm is as unstable as gravity makes it, so that the figure says more of the samples than of the dynamics.
#pragma once

#include "torsor/simulate/motion_torque.hpp"
#include "torsor/simulate/sampled_torque.hpp"
#include "torsor/simulate/simulation.hpp"

namespace torsor {

/// What drives the way back.
struct RoundTripInput {
  std::optional<Interpolation> interpolation;  // nothing: the torque function itself
  int samples = 0;                             // equidistant, the ends included; 2 or more
  bool pieces = false;                         // a piece of samples for each stretch between jumps of acceleration
};

/// `exact function`, `cubic through 201 samples`, ...
std::string describe(const RoundTripInput&);

struct RoundTrip {
  RunEnd end;
  double position_error = 0, orientation_error = 0;  // of the tool at the end, m and rad
  double largest_position_error = 0;                 // on the way, at the instants shown
  double joint_error = 0;                            // largest, rad or m
  // at the end the tool is farther off than a tenth of its largest distance from the base, or is turned by more than half
  // a radian: the run reached its end, and the motion did not
  bool astray = false;
  // s in which a small error of the tool grew tenfold: an open loop that gravity makes unstable; 0: none grew so far
  double tenfold_time = 0;
  StepCount count;
};

/// The samples themselves: times, and torques sample by sample.
struct TorqueSamples {
  std::vector<double> t, tau;
};
TorqueSamples sample_torques(const Model<double>&, const Trajectory&, int samples, bool pieces);

/// Who wants to see the tool on the way, where it is and where it should be; rules.every apart.
using ToolWatch = std::function<void(double t, const Transform<double>& X, const Transform<double>& X_wanted)>;

/// There and back. A run whose tool is farther from its plan than its whole way is long ends there, as `lost`. The rules must be without fault; torques are not cut whatever they say.
RoundTrip roundtrip(const Model<double>&, const Frame<double>& tool, const Trajectory&, const RoundTripInput&,
                     const SimulationRules&, const ToolWatch& watch = {});

}  // namespace torsor
