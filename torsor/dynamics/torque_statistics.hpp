// What a motion asks of the drives: of each coordinate the largest torque, speed and power, and the root mean square of
// the torque,
//   rms = sqrt(1/T integral tau^2 dt)   by the trapezoidal rule,
// gathered instant by instant, so that the motion may be of any length.
#pragma once

#include <span>
#include <vector>

#include "torsor/expect.hpp"
#include "torsor/scalar/concepts.hpp"

namespace torsor {

/// A value (with its sign) and when it occurred.
struct Peak {
  double value = 0, time = 0;

  void include(double x, double t) {
    // of sizes that differ by rounding alone, as on the way there and back, the first: the same on every machine
    if (abs(x) > abs(value) * (1 + 1e-12)) *this = {x, t};
  }
};

class TorqueStatistics {
 public:
  struct Coordinate {
    Peak effort, velocity, power;
    double integral = 0, last = 0;  // of the torque squared; its last value
  };

  explicit TorqueStatistics(int nv) : coordinates_(static_cast<std::size_t>(nv)) {}

  /// The next instant; times increase. Without qd (empty) there is neither speed nor power.
  void add(double t, std::span<const double> qd, std::span<const double> tau) {
    TORSOR_EXPECT((qd.empty() || qd.size() == coordinates_.size()) && tau.size() == coordinates_.size());
    const double step = count_ == 0 ? 0 : t - end_;
    if (count_++ == 0) start_ = t;
    end_ = t;
    double power = 0;
    for (std::size_t k = 0; k < coordinates_.size(); ++k) {
      Coordinate& c = coordinates_[k];
      c.effort.include(tau[k], t);
      c.integral += step * (tau[k] * tau[k] + c.last * c.last) / 2;
      c.last = tau[k];
      if (qd.empty()) continue;
      c.velocity.include(qd[k], t);
      c.power.include(tau[k] * qd[k], t);
      power += tau[k] * qd[k];
    }
    total_power_.include(power, t);
  }

  const Coordinate& operator[](int k) const { return coordinates_[static_cast<std::size_t>(k)]; }
  double rms(int k) const {
    const Coordinate& c = (*this)[k];
    return end_ > start_ ? sqrt(c.integral / (end_ - start_)) : abs(c.last);
  }
  /// Of all coordinates together.
  const Peak& total_power() const { return total_power_; }
  double start() const { return start_; }
  double end() const { return end_; }
  long long count() const { return count_; }

 private:
  std::vector<Coordinate> coordinates_;
  Peak total_power_;
  double start_ = 0, end_ = 0;
  long long count_ = 0;
};

}  // namespace torsor
