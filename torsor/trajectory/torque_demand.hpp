// What a joint motion demands when its time is scaled (time_scaling.hpp): for every coordinate and instant the torque
// as a function of x = 1/k, and the largest x that a limit leaves.
//
//   tau(x) = D x^2 + V x + C + friction of any other form at speed x qd
//
// D: inertia, Coriolis and centrifugal effects; V: viscous friction; C: gravity, Coulomb friction, forces from outside.
#pragma once

#include <span>
#include <utility>
#include <vector>

#include "torsor/dynamics/inverse_newton_euler.hpp"
#include "torsor/trajectory/time_scaling.hpp"

namespace torsor::detail {

inline constexpr double rounding = 1e-12;  // by which a limit may be passed

struct Demand {
  double qd = 0, qdd = 0, D = 0, V = 0, C = 0;
};

struct Instant {
  double t = 0;
  std::vector<double> q;  // for friction of other forms
  std::vector<Demand> demands;
};

/// The demands of a motion at any instant; model and motion must outlive it.
class Demands {
 public:
  Demands(const Model<double>& model, const Trajectory& motion, std::span<const Force<double>> external);

  Instant at(double t);

  /// tau(x) of a coordinate.
  double effort(const Instant& now, int coordinate, double x) const;

  /// Whether a coordinate has friction, and whether it is but viscous and Coulomb's.
  bool rubs(int coordinate) const;
  bool simple(int coordinate) const;

  /// The two instants, next to each other in doubles, between which a speed changes its sign from a to b.
  std::pair<double, double> reversal(double a, double b, int coordinate);

 private:
  const Model<double>& model_;
  const Trajectory& motion_;
  Configuration<double> configuration_;
  NewtonEulerWork<double> work_;
  BodyLoads<double> loads_;
  std::vector<const JointFriction<double>*> odd_;
};

/// The largest x in (0, most] with |D x^2 + V x + C| <= limit; 0 if there is none. `most` may be infinite.
double largest_within(const Demand& d, double limit, double most);

/// The same for any law of friction, by steps down and bisection.
double largest_within(const Demands& demands, const Instant& now, int coordinate, double limit, double most);

}  // namespace torsor::detail
