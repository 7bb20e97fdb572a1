// The equations of motion as the integrators take them, y' = f(t, y), smooth while no mode changes:
//
//   y = (q, u, W_effort, W_friction, W_surroundings, W_stops, impulses of dry friction)
//   q' from the velocities (quaternions: Euler-parameter rates), W' the powers
//   u = qd,         u' = M^-1 (tau - friction + stops - bias)              usually
//   u = p = M qd,   u' = tau - friction + stops + C^T qd - bias(qd = 0)    for a symplectic method: p and q are conjugate
//
// A stuck coordinate is taken out of M; what its friction must then give is found from its own row. The impulses are
// there so that steps follow what a joint at rest holds. C is the one with M' = C + C^T (coriolis_matrix.hpp).
#pragma once

#include "torsor/dynamics.hpp"
#include "torsor/simulate/account.hpp"
#include "torsor/simulate/dry_friction.hpp"
#include "torsor/simulate/joint_stops.hpp"
#include "torsor/simulate/rules.hpp"
#include "torsor/simulate/simulated_robot.hpp"
#include "torsor/simulate/surroundings.hpp"

namespace torsor {

class Plant {
 public:
  /// `robot`: of one with loops, whose coordinates the model has; the surroundings then exert no forces. Both outlive this.
  Plant(const Model<double>& model, const SimulatedRobot* robot, const SimulationRules& rules);

  /// Entries of y.
  std::size_t size() const { return nq_ + nv_ + 4 + dry.coordinates().size(); }

  /// y at the start: no work yet. Stiffnesses of stops follow from the mass matrix here.
  void start(std::span<const double> q, std::span<const double> qd, std::span<double> y);
  /// The input asked whenever the torques are needed; null: those of hold().
  void use(TorqueInput* input, Surroundings* surroundings);
  void hold(std::span<const double> tau);
  /// The input is asked for instants up to here only: what comes later holds after a jump.
  void until(double t) { latest_ = t; }

  /// f(t, y), as integrators ask for it (Slope); q' alone, where u is qd.
  void operator()(double t, std::span<const double> y, std::span<double> dy);
  std::size_t count_of_positions() const { return momenta_ ? 0 : nq_; }
  void positions(std::span<const double> y, std::span<double> dy) const;
  /// q and qd alone, for the functions below.
  void place(std::span<const double> y);
  /// Everything at an instant, likewise.
  void evaluate(double t, std::span<const double> y);
  std::span<const double> q() const { return q_; }
  std::span<const double> qd() const { return qd_; }
  std::span<const double> qdd() const { return qdd_; }
  std::span<const double> tau() const { return tau_; }            // after saturation
  std::span<const double> friction() const { return friction_; }  // what holds a stuck joint included
  std::span<const double> stop_torque() const { return stop_; }
  Account account(std::span<const double> y);

  /// Quantities that are >= 0 while their mode lasts: two of each coordinate with dry friction (what it can still hold
  /// forwards, backwards; or its speed in the direction in which it slides, and 1), two of each stop (what is left to the
  /// lower and the upper one; or the depth, and the push or what it lacks); then those of the surroundings, whose change of
  /// sign either way counts.
  int switches() const { return one_sided() + (surroundings_ ? surroundings_->switches() : 0); }
  int one_sided() const { return 2 * static_cast<int>(dry.coordinates().size() + stops.all().size()); }
  void switching(double t, std::span<const double> y, std::span<double> values);
  /// Whether one of them is an entry of y but for sign and constant: a polynomial inside a step.
  bool follows_state(int which) const {
    const int sliding = 2 * static_cast<int>(dry.coordinates().size());
    return which < sliding ? dry.mode(which / 2) != 0 : which < one_sided() && !momenta_;
  }
  /// A stop is touched at that side.
  void touch(JointStop& stop, int side, std::span<const double> y);

  /// Unit quaternions.
  void normalise(std::span<double> y) const;
  /// Speed of a coordinate to exactly zero.
  void stop(int coordinate, std::span<double> y) const { y[nq_ + static_cast<std::size_t>(coordinate)] = 0; }
  /// Modes of dry friction of what is at rest: the directions for which friction, torque and acceleration agree.
  void settle(double t, std::span<const double> y);

  DryFriction dry;
  JointStops stops;

  // what was found not finite since clear_faults(), and when at the earliest
  struct Fault {
    EndKind kind = EndKind::reached;
    int coordinate = -1;
    double t = 0;
  };
  void clear_faults() { fault_ = {}; }
  const Fault& fault() const { return fault_; }

 private:
  void forces(double t, std::span<const double> y);
  /// Energies and momentum where configure() was.
  Energy<double> energy_now();
  void configure();
  void accelerate();
  void note(EndKind kind, int coordinate, double t);

  const Model<double>& model_;
  const SimulationRules& rules_;
  std::size_t nq_, nv_;
  bool momenta_;
  Dynamics dynamics_;  // without friction
  std::optional<Dynamics> passive_;  // with that of passive joints
  bool loops_;
  Configuration<double> configuration_;
  EnergyWork<double> energy_;
  TorqueInput* input_ = nullptr;
  Surroundings* surroundings_ = nullptr;
  double latest_ = 0, start_energy_ = 0;
  Fault fault_;
  std::vector<Force<double>> external_;
  std::vector<double> q_, qd_, qdd_, tau_, held_, friction_, stop_, driving_, bias_, lossy_, hold_, M_, L_, C_;
  double surroundings_power_ = 0;
};

}  // namespace torsor
