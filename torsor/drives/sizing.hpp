// What a motion asks of a robot's joints and motors: inverse dynamics gathered over time into the numbers that drives
// are chosen by. Joint side: tau as torsor id has it, rotors included. Motor side, with A of the transmission (joint
// speed = A motor speed), w = A^-1 qd and the torques L of the robot without rotors:
//
//   tau_m = J wd + e A^T L,   e = 1/eta where the gear drives its load, eta where the load drives it, 1 at rest
//
// and A^T (tau - L) for J wd where rotor and gear are those of the robot file (a rotor that is a body has more than
// J wd). Behind a single gear n, for the sweep of ratios,
//
//   tau_m(n) = J n qdd + e L / n,   rms^2 = J^2 n^2 <qdd^2> + 2 J <qdd e L> + <(e L)^2> / n^2,
//
// which is least at n* = sqrt(rms(e L) / (J rms(qdd))); for a load that is but an inertia J_L that is sqrt(J_L / J).
#pragma once

#include <functional>
#include <limits>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "torsor/dynamics.hpp"
#include "torsor/drives/shaft_demand.hpp"
#include "torsor/drives/assign_drives.hpp"
#include "torsor/trajectory/motion.hpp"
#include "torsor/trajectory/trajectory.hpp"

namespace torsor {

struct SizingSetup {
  const Model<double>& robot;  // these two must outlive the sizing
  const Model<double>& load;   // the same without_rotors(), with the same payload
  Loads loads = {};
  std::vector<AssignedDrive> drives = {};
  std::vector<double> ratios = {};  // of the sweep, positive
  // of robots with loops, whose independent coordinates the models then are: the same two; they must outlive the sizing, too
  const Robot* closed = nullptr;
  const Robot* closed_load = nullptr;
};

/// Why a robot with loops is not sized: a rotor at a joint that the loops determine is no motor of a coordinate. Empty where
/// it is.
Faults refuse_sizing(const Robot& robot);

class Sizing {
 public:
  explicit Sizing(SizingSetup setup);

  /// Positions and velocities.
  std::pair<std::size_t, std::size_t> coordinates() const {
    return {static_cast<std::size_t>(setup_.robot.nq), static_cast<std::size_t>(setup_.robot.nv)};
  }

  /// All there is to know of an instant, width() numbers: torques, rates, powers of joints and motors.
  std::size_t width() const { return width_; }
  void evaluate(std::span<const double> q, std::span<const double> qd, std::span<const double> qdd,
                std::span<double> instant);
  /// Takes an evaluated instant that stands for `weight` seconds at time t [s].
  void add(double t, double weight, std::span<const double> instant);

  /// Where in an instant the powers that coordinates, motors and the whole robot take begin, and how many they are.
  std::size_t power_begin() const { return power_; }
  std::size_t power_count() const { return width_ - power_; }
  double effort(std::span<const double> instant, int coordinate) const;
  double speed(std::span<const double> instant, int coordinate) const;
  double acceleration(std::span<const double> instant, int coordinate) const;
  double total_power(std::span<const double> instant) const;
  double motor_torque(std::span<const double> instant, std::size_t drive) const;
  double motor_speed(std::span<const double> instant, std::size_t drive) const;

  const ShaftDemand& joint(int coordinate) const { return joints_[static_cast<std::size_t>(coordinate)]; }
  /// The first instant beyond the robot file's limit; infinite if there is none.
  double torque_exceeded(int coordinate) const { return torque_over_[static_cast<std::size_t>(coordinate)]; }
  double speed_exceeded(int coordinate) const { return speed_over_[static_cast<std::size_t>(coordinate)]; }

  const std::vector<AssignedDrive>& drives() const { return setup_.drives; }
  const MotorUse& motor(std::size_t drive) const { return motors_[drive]; }
  /// What goes through the gear on its slow side: the joint without the rotor.
  const ShaftDemand& gear(std::size_t drive) const { return gears_[drive]; }

  const std::vector<double>& ratios() const { return setup_.ratios; }
  /// As many as ratios; empty behind a coupled transmission.
  std::span<const MotorUse> sweep(std::size_t drive) const { return sweeps_[drive]; }
  /// The ratio at which the motor's rms torque is least; infinite for a rotor without inertia.
  double best_ratio(std::size_t drive) const;

  /// All motors, and joints without one, on one supply: power and energies of their sum.
  const ShaftDemand& total() const { return total_; }
  double time() const { return total_.time(); }
  /// Of the first instant at which loops did not close, or stood at a dead centre; ok where there was none.
  const Status& status() const { return status_; }

 private:
  struct Moments {
    double acceleration = 0, load = 0;  // integrals of qdd^2 and (e L)^2
  };
  /// w of the motors, or their acceleration, of joint rates.
  double at_motor(std::span<const double> rates, std::size_t drive) const;
  double geared(std::size_t drive, double load, double speed) const;

  SizingSetup setup_;
  Status status_;
  Dynamics robot_, load_;
  std::vector<double> tau_, motor_load_, motor_rest_;
  std::vector<std::vector<double>> to_motor_;  // of each drive: its row of A^-1, by coordinate
  std::size_t n_, power_, width_;
  std::vector<ShaftDemand> joints_, gears_;
  std::vector<double> torque_over_, speed_over_;
  std::vector<MotorUse> motors_;
  std::vector<std::vector<MotorUse>> sweeps_;
  std::vector<Moments> moments_;
  ShaftDemand total_;
};

/// How well the integrals are known.
struct SizingError {
  double energy = 0;  // [J], the largest of joints, motors and the robot; estimated
  long long instants = 0;
  bool settled = true;  // else the motion was too intricate to be resolved in a million instants
};

/// Told every instant, in the order of time.
using SizingVisit = std::function<void(double t, std::span<const double> instant)>;

/// Sizes a motion that is known at any time: instants are set as close as peaks and integrals ask for, to 1e-6 of the
/// largest value and 1e-10 of its integral.
SizingError size(Sizing& sizing, const Trajectory& motion, const SizingVisit& visit = {});

/// Sizes a motion that is known in rows: by the trapezoidal rule, its error from every second row.
class SizingRows {
 public:
  explicit SizingRows(Sizing& sizing, SizingVisit visit = {}) : sizing_(sizing), visit_(std::move(visit)) {}

  /// The next row; times increase.
  void add(const MotionRow& row);
  SizingError error() const;

 private:
  Sizing& sizing_;
  SizingVisit visit_;
  std::vector<double> now_, before_, coarse_, fine_sum_, coarse_sum_, checked_;
  double t_ = 0, coarse_t_ = 0;
  long long rows_ = 0;
};

/// Stays at q for `seconds` from time t on; braked: without torque, else held by the motors.
void size_rest(Sizing& sizing, std::span<const double> q, double t, double seconds, bool braked,
               const SizingVisit& visit = {});

/// So many ratios from low to high, evenly spread by logarithm; 0 < low < high, at least two.
std::vector<double> ratio_steps(double low, double high, int count);

/// The ratios of a sweep at which the motor fits, as ranges of neighbours.
std::vector<std::pair<double, double>> fitting_ratios(std::span<const double> ratios, std::span<const MotorUse> sweep,
                                                      const Motor& motor);

/// In a sentence whether a motor will do, and what decides it: `fits: 72 % of the peak torque at 0.3 s, ...`.
std::string verdict(const MotorUse& use, const Motor& motor);

}  // namespace torsor
