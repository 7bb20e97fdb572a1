// What a motion asks of one shaft, of a joint or of a motor, and how much of a motor's curve that is. Instants come
// with weights that make integrals of sums:
//
//   rms torque   sqrt(1/T int tau^2 dt)            what heats a motor
//   energy       int max(P, 0) dt, int max(-P, 0) dt with P = tau w: taken, and given back
//   gear torque  (int |w| |tau|^3 dt / int |w| dt)^(1/3)      the mean by which bearings and teeth of gears are rated
#pragma once

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>

#include "torsor/dynamics/torque_statistics.hpp"
#include "torsor/model/motor.hpp"

namespace torsor {

class ShaftDemand {
 public:
  Peak torque, speed, power, braking;  // braking: the most negative power

  /// An instant that stands for `weight` seconds, 0 for none.
  void add(double t, double weight, double w, double tau) {
    const double P = tau * w, turn = std::abs(w) * weight;
    torque.include(tau, t);
    speed.include(w, t);
    power.include(P, t);
    if (P < 0) braking.include(P, t);
    time_ += weight;
    torque_squared_ += weight * tau * tau;
    way_ += turn;
    cube_ += turn * std::abs(tau * tau * tau);
    (P > 0 ? taken_ : returned_) += weight * std::abs(P);
  }

  double time() const { return time_; }
  double rms_torque() const { return time_ > 0 ? std::sqrt(torque_squared_ / time_) : std::abs(torque.value); }
  double torque_squared() const { return torque_squared_; }
  /// Of |w|.
  double mean_speed() const { return time_ > 0 ? way_ / time_ : std::abs(speed.value); }
  double gear_torque() const { return way_ > 0 ? std::cbrt(cube_ / way_) : std::abs(torque.value); }
  double energy_taken() const { return taken_; }
  double energy_returned() const { return returned_; }
  double net_energy() const { return taken_ - returned_; }

  /// The same with speeds in another unit, so many of it in one of ours: power and torques are what they were.
  ShaftDemand with_speeds_times(double factor) const {
    ShaftDemand other = *this;
    for (double* speed : {&other.speed.value, &other.way_, &other.cube_}) *speed *= factor;  // cube_ is over the way
    return other;
  }

 private:
  double time_ = 0, torque_squared_ = 0, way_ = 0, cube_ = 0, taken_ = 0, returned_ = 0;
};

/// A shaft against the curves of its motor: shares of what it can give, 1 at the curve; infinite beyond all.
class MotorUse {
 public:
  ShaftDemand shaft;
  Peak of_peak;  // torque / peak torque at that speed, or at top speed beyond it

  void add(double t, double weight, double w, double tau, const Motor* motor) {
    shaft.add(t, weight, w, tau);
    if (motor == nullptr || motor->peak.empty()) return;
    const TorqueCurve& curve = motor->peak;
    of_peak.include(share(std::abs(tau), curve.at(w).value_or(curve.torque.back())), t);
  }

  /// Largest speed / top speed.
  double of_speed(const Motor& motor) const {
    const TorqueCurve& curve = motor.peak.empty() ? motor.continuous : motor.peak;
    return std::abs(shaft.speed.value) / curve.top_speed();
  }
  /// Rms torque / continuous torque at the mean speed; 0 where the motor has no such curve.
  double of_continuous(const Motor& motor) const {
    if (motor.continuous.empty()) return 0;
    return share(shaft.rms_torque(), motor.continuous.at(shaft.mean_speed()).value_or(0));
  }
  /// The largest of the three: below 1 the motor will do, and 1 / this is the factor left.
  double use(const Motor& motor) const { return std::max({of_peak.value, of_speed(motor), of_continuous(motor)}); }
  bool fits(const Motor& motor) const { return use(motor) <= 1; }

  /// Heat of the windings over the whole time [J]; nothing where constant and resistance are not known.
  std::optional<double> copper_loss(const Motor& motor) const {
    if (!motor.torque_constant || !motor.resistance) return std::nullopt;
    const double k = *motor.torque_constant;
    return *motor.resistance * shaft.torque_squared() / (k * k);
  }

 private:
  static double share(double value, double limit) {
    return limit > 0 ? value / limit : value > 0 ? std::numeric_limits<double>::infinity() : 0;
  }
};

}  // namespace torsor
