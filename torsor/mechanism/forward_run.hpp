// Motion of a mechanism under its forces, drivers included: accelerations are integrated (index 1), and after every step
// positions and velocities are brought back onto their equations, by the smallest change in the metric of the masses. The
// work of everything that is no potential is integrated along, so that energy can be balanced:
//
//   kinetic + potential - work = constant
//
// By coordinate partitioning instead (coordinate_partition.hpp), what depends on the rest follows from the equations at every
// instant.
#pragma once

#include <functional>
#include <optional>
#include <string>

#include "torsor/mechanism/driver_watch.hpp"
#include "torsor/mechanism/forward_dynamics.hpp"
#include "torsor/mechanism/mechanism_event.hpp"
#include "torsor/mechanism/mobility.hpp"
#include "torsor/mechanism/run_diagnosis.hpp"
#include "torsor/mechanism/run_stop.hpp"
#include "torsor/numeric/integrator.hpp"

namespace torsor {

enum class MechanismFormulation { augmented, partitioned };

struct ForwardRunRules {
  double time = 1, interval = 0.01;  // s: how long, and between instants that are reported
  std::string integrator = "dormand-prince";
  double step = 1e-3;  // s, of methods with fixed steps
  /// Bring the states inside a step onto the equations, too: dearer, passes singular positions. Left open: where steps would lose
  /// their order without (stage_projection.hpp).
  std::optional<bool> project_stages = {};
  double tolerance = 1e-10;  // relative error per step of the others; a hundredth of it absolute
  MechanismFormulation formulation = MechanismFormulation::augmented;
  bool watch_singular = false;  // tell when singular positions are passed (singular_passage.hpp), at some cost
};

/// An instant of a run.
struct ForwardInstant {
  const MechanismState& state;
  std::span<const Motion<double>> A;
  const MechanismForward& forward;  // multipliers, energies, equations at this instant
  double work = 0;                  // J, since the start
  double energy_error = 0;          // J: energy - work - energy at the start
  double gap = 0;                   // largest error of a position equation
  bool forces_known = true;         // not upon a branch point where multipliers have no value
};

struct ForwardRunReport : MechanismRunEnd {
  double worst_gap = 0;                               // of position equations, after projection
  double worst_drift = 0;                             // of the same in one step, before it
  double worst_rate_gap = 0;                          // of velocity equations, after projection
  double worst_energy_error = 0, largest_energy = 0;  // J; kinetic energy or change of potential, whichever was larger
  double energy_had = 0;  // J: kinetic at the start, and what the potential gave and others did at most
  double estimated_error = 0;

  /// What the balance misses, of what there was and was done.
  double energy_share() const { return energy_had > 0 ? worst_energy_error / energy_had : 0; }
  int crossings = 0;  // of singular positions, where a fixed method had to step in
  std::vector<double> singular_times;  // s: of those, and of others that were passed if they are watched
  std::vector<DriverJump> jumps;       // of what drivers prescribe
  std::vector<MechanismEvent> events;  // of stops and of dry friction
  StartVelocity start;                 // what was given and could not be had
  std::optional<MobilityReport> equations = {};  // all of them where it starts, closed
  StepCount count;
};

/// Assembles the state at its t, then runs from there. `at_instant` is called at the start and after every interval; the
/// run ends when it returns false. What was reported until a stop is valid.
ForwardRunReport run_forward(const Mechanism&, MechanismState&, const ForwardRunRules&,
                             const std::function<bool(const ForwardInstant&)>& at_instant);

}  // namespace torsor
