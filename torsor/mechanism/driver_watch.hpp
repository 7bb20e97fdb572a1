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
  const char* unit;    // rad, m, or `rad or m` of a sum
  double size = 1;     // what its values compare with: 1 rad, or a length of the mechanism
  bool turns = false;  // the angle of a hinge, of which nobody counts the turns: a whole one more is none
};

/// Those of all drivers and carriers, in their order; the mechanism keeps them.
std::vector<DrivingFunction> driving_functions(const Mechanism&);

/// The one that goes fastest at t, and how fast, in its unit per second and in what its values compare with; no name: there
/// are none.
struct FastestDriver {
  std::string name;
  const char* unit = "";
  double rate = 0, share = 0;
};
FastestDriver fastest_driver(const Mechanism&, double t);

/// How fast the fastest goes somewhere from t to another time, in what its values compare with, as far as some uneven parts
/// tell.
double fastest_rate(const Mechanism&, double t, double to);

/// A jump: of whom, when first, by how much, and how many there were.
struct DriverJump {
  std::string name;
  const char* unit = "";
  bool of_value = false;  // not of the velocity alone
  double t = 0, by = 0;
  int count = 0;
};

class DriverWatch {
 public:
  /// `span`: some tenth of the time there is to look at, s, which a moment is short beside.
  DriverWatch(const Mechanism&, double start, double span = 1);

  /// Looks at all functions from where it has looked last up to t.
  void look(double t);

  /// One for each function that jumped.
  const std::vector<DriverJump>& jumps() const { return jumps_; }

 private:
  std::vector<DrivingFunction> functions_;
  std::vector<double> fastest_;  // |f'| of each so far
  double last_, span_;
  std::vector<DriverJump> jumps_;

  void look_between(std::size_t k, double a, double b);
};

/// `At 1 s the velocity of driver "crank" jumps by 2 rad/s, and 3 more times after that`: one sentence for each.
std::vector<std::string> sentences_of(const std::vector<DriverJump>&);

}  // namespace torsor
