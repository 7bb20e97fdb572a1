// What drivers and carriers ask for along a run that nothing with mass can do: a velocity that jumps (a corner of abs(t - 1)),
// a value that jumps, a velocity beyond all bounds (a pole of tan(t)). Functions of time are looked at alone, so that this
// costs a run nothing.
//
// Between two instants, a and b, of a smooth function f' (b) - f'(a) - (b - a) (f''(a) + f''(b)) / 2 goes down with the cube of
// b - a; where f' jumps it stays, however near a and b come.
#pragma once

#include <string>
#include <vector>

#include "torsor/mechanism/mechanism.hpp"

namespace torsor {

/// A function that prescribes motion: `driver "crank"`.
struct DrivingFunction {
  std::string name;
  const TimeFunction* f;
  bool turns = false;  // the angle of a hinge, of which nobody counts the turns: a whole one more is none
};

/// Those of all drivers and carriers, in their order; the mechanism keeps them.
std::vector<DrivingFunction> driving_functions(const Mechanism&);

/// The one that goes fastest at t, and how fast, in rad or m per second; no name: there are none.
struct FastestDriver {
  std::string name;
  double rate = 0;
};
FastestDriver fastest_driver(const Mechanism&, double t);

/// How fast the fastest goes somewhere from t to another time, as far as some uneven parts tell.
double fastest_rate(const Mechanism&, double t, double to);

/// A jump: of whom, when first, by how much, and how many there were.
struct DriverJump {
  std::string name;
  bool of_value = false;  // not of the velocity alone
  double t = 0, by = 0;
  int count = 0;
};

class DriverWatch {
 public:
  DriverWatch(const Mechanism&, double start);

  /// Looks at all functions from where it has looked last up to t.
  void look(double t);

  /// One for each function that jumped.
  const std::vector<DriverJump>& jumps() const { return jumps_; }

 private:
  std::vector<DrivingFunction> functions_;
  std::vector<double> fastest_;  // |f'| of each so far
  double last_;
  std::vector<DriverJump> jumps_;

  void look_between(std::size_t k, double a, double b);
};

/// `driver "crank" jumps by 2 rad/s or m/s at 1 s, and 3 times more`: one sentence for each.
std::vector<std::string> sentences_of(const std::vector<DriverJump>&);

}  // namespace torsor
